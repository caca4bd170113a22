/* Statements that load, store, and talk to other threads.
 * SPDX-License-Identifier: Apache-2.0
 *
 * No races: `in` is read only; a thread's slots of `out`, of shared and of local memory are its
 * own; `sum` has a cell for each atomic operation that commutes; slots of others are read
 * between two block barriers. */
#include "harness/fuzz/fuzz_code.h"
#include <stdlib.h>
#include <string.h>

/* Where an instruction may go: its address register, the bytes after it, and whether it may
 * write there. */
static const struct { enum hd_op op; uint8_t ra; uint8_t bytes; } places[] = {
    { OP_LDG, R_IN, 64 }, { OP_LDG, R_OUT, 64 }, { OP_STG, R_OUT, 64 },
    { OP_LDS, R_SHARED, 16 }, { OP_STS, R_SHARED, 16 },
    { OP_LDL, HD_RZ, LOCAL_BYTES }, { OP_STL, HD_RZ, LOCAL_BYTES }, { OP_LDC, HD_RZ, 24 },
    { OP_LD, R_OUT, 64 }, { OP_LD, R_GSHARED, 16 }, { OP_LD, R_GLOCAL, LOCAL_BYTES },
    { OP_ST, R_OUT, 64 }, { OP_ST, R_GSHARED, 16 }, { OP_ST, R_GLOCAL, LOCAL_BYTES },
    { OP_MEMBAR, 0, 0 },
};
enum { PLACES = sizeof places / sizeof places[0] };

static unsigned place_of(struct gen *g)
{
    uint32_t total = 0, at;
    unsigned k = 0;
    for (unsigned j = 0; j < PLACES; j++)
        total += g->w->row[places[j].op];
    for (at = rng_below(&g->r, total); at >= g->w->row[places[k].op]; k++)
        at -= g->w->row[places[k].op];
    return k;
}

unsigned memory_bytes(const struct hd_insn *i)
{
    static const uint8_t bytes[] = { 1, 1, 2, 2, 4, 8, 16 };
    return strchr(hd_ops[i->op].operands, 'V') ? i->aw ? 8 : 4 : bytes[i->sz];
}

/* Somewhere in `in`, another place for every thread, in R_TT. */
static void scatter(struct gen *g, struct hd_insn *i)
{
    struct hd_insn wide = code_imm(OP_IMADWU, R_TT, R_T, 1);
    wide.rc = R_IN0;
    code_emit(g, code_imm(OP_AND, R_T, code_live(g), FUZZ_IN - memory_bytes(i)));
    code_emit(g, wide);
    i->ra = R_TT;
    i->off = 0;
}

void memory_access(struct gen *g)
{
    unsigned k = place_of(g);
    struct hd_insn i = fuzz_insn(&g->r, places[k].op, &g->live, g->stack);
    if (places[k].bytes) {
        unsigned size = memory_bytes(&i), fit = places[k].bytes / size;
        i.ra = places[k].ra;
        i.off = fit ? (int32_t)(size * rng_below(&g->r, fit)) : 0;
        if (places[k].ra == R_IN && rng_one_in(&g->r, 2))
            scatter(g, &i);
    }
    code_emit(g, i);
}

void memory_atomic(struct gen *g)
{
    static const enum hd_op ops[] = { OP_ATOMG, OP_ATOMS, OP_ATOM };
    enum hd_op op = ops[rng_below(&g->r, 3)];
    struct hd_insn i = fuzz_insn(&g->r, op, &g->live, g->stack);
    unsigned size = memory_bytes(&i);
    bool shared = op == OP_ATOMS || (op == OP_ATOM && rng_one_in(&g->r, 2));
    i.ra = op == OP_ATOMS ? R_SHARED : shared ? R_GSHARED : R_OUT;
    i.off = (int32_t)(size * rng_below(&g->r, (shared ? 16 : 64) / size));
    if (!shared && i.aop <= AOP_XOR && rng_one_in(&g->r, 2)) {
        i.ra = R_SUM;    /* all threads, one cell an operation and width */
        i.off = 16 * i.aop + 8 * i.aw;
        i.rd = g->contended ? R_DEAD : HD_RZ;
    }
    code_emit(g, i);
}

/* ---- the module's data ---- */

/* A pointer of 64 bits and one of 32, then numbers; a pointer of 32 bits is in the constants. */
enum { DATA_BYTES = 64, DATA_WIDE = 0, DATA_NARROW = 8 };
enum { WIDE_TO = 32, NARROW_TO = 16, CONST_TO = 48 };

static void address(struct gen *g, struct hd_insn i, uint32_t add)
{
    g->address[g->addresses].at = code_emit(g, i);
    g->address[g->addresses++].add = add;
}

static void load(struct gen *g, enum hd_op op, unsigned ra, int off, unsigned sz)
{
    struct hd_insn i = hd_insn_make(op);
    i.rd = R_TT;
    i.ra = (uint8_t)ra;
    i.off = off;
    i.sz = (uint8_t)sz;
    code_emit(g, i);
}

void memory_data(struct gen *g)
{
    static const uint32_t from[] = { 0, 16, 32, 48, WIDE_TO, NARROW_TO, CONST_TO };
    const unsigned how = rng_below(&g->r, 8);
    if (how == 7) {                                  /* the address itself is a value */
        address(g, code_imm(OP_IADD, code_live(g), code_live(g), 0), rng_below(&g->r, DATA_BYTES));
        return;
    }
    const uint32_t to = from[how];
    if (how == 6)
        load(g, OP_LDC, HD_RZ, HD_CONST_DATA, SZ_32);
    else
        address(g, code_imm(OP_MOV, R_TT, 0, 0), how < 4 ? to : 0);
    code_emit(g, code_imm(OP_MOV, R_TT + 1, 0, 0));
    if (how == 4)
        load(g, OP_LDG, R_TT, DATA_WIDE, SZ_64);
    else if (how == 5)
        load(g, OP_LDG, R_TT, DATA_NARROW, SZ_32);
    struct hd_insn i = fuzz_insn(&g->r, rng_one_in(&g->r, 3) ? OP_LD : OP_LDG, &g->live, g->stack);
    const unsigned size = memory_bytes(&i);
    i.ra = R_TT;
    i.off = (int32_t)(size * rng_below(&g->r, (DATA_BYTES - to) / size));
    code_emit(g, i);
}

void memory_data_make(const struct gen *g, struct hd_image *img)
{
    const uint32_t sym = hd_image_add_sym(img, "data", HD_SEC_GLOBAL, false, 0, DATA_BYTES);
    struct rng r = { g->c->seed ^ 0xda7a0 };
    img->gdata = malloc(DATA_BYTES);
    img->cdata = calloc(1, 4);
    if (!img->gdata || !img->cdata)
        abort();
    img->gdata_size = DATA_BYTES;
    img->galign = 16;
    img->cdata_size = 4;
    for (unsigned k = 0; k < DATA_BYTES; k++)
        img->gdata[k] = (uint8_t)(k < DATA_NARROW + 4 ? 0 : rng_next(&r));
    hd_image_add_reloc(img, HD_SEC_GLOBAL, HD_REL_ABS64, DATA_WIDE, sym, WIDE_TO);
    hd_image_add_reloc(img, HD_SEC_GLOBAL, HD_REL_ABS32, DATA_NARROW, sym, NARROW_TO);
    hd_image_add_reloc(img, HD_SEC_CONST, HD_REL_ABS32, 0, sym, CONST_TO);
    for (int k = 0; k < g->addresses; k++)
        hd_image_add_reloc(img, HD_SEC_TEXT, HD_REL_IMM32,
                           (uint32_t)g->address[k].at * HD_INSN_BYTES, sym, g->address[k].add);
}

static void bar(struct gen *g, unsigned n)
{
    struct hd_insn i = code_imm(OP_BAR, 0, 0, 0);
    i.bx = (uint8_t)n;
    code_emit(g, i);
}

static void shared(struct gen *g, enum hd_op op, unsigned reg, unsigned ra)
{
    struct hd_insn i = hd_insn_make(op);
    i.ra = (uint8_t)ra;
    i.sz = SZ_128;
    if (op == OP_STS)
        i.rb = (uint8_t)reg;
    else
        i.rd = (uint8_t)reg;
    code_emit(g, i);
}

/* Lanes may be apart here: a region had no barrier register, or a lane yielded in it.  Those
 * that are late may wait at a BSYNC for those ahead, which joined that register again; were these
 * at a block barrier, for long.  At a WARPSYNC no lane can run, and the BSYNC gives way. */
static void together(struct gen *g)
{
    if (g->stack)
        return;
    code_emit(g, code_imm(OP_WARPSYNC, 0, 0, UINT32_MAX));
    g->budget++;                                     /* it is part of no statement */
}

void memory_exchange(struct gen *g)
{
    uint32_t threads = g->c->block.x * g->c->block.y * g->c->block.z;
    unsigned n = rng_below(&g->r, HD_BARRIERS);
    struct hd_insn i = code_imm(OP_ISETP, 0, R_T, threads);
    together(g);
    shared(g, OP_STS, g->live.data + 4 * rng_below(&g->r, LIVE_REGS / 4), R_SHARED);
    bar(g, n);
    code_emit(g, code_imm(OP_IADD, R_T, R_TID, rng_below(&g->r, threads)));
    i.pd = P_COND;
    i.icmp = ICMP_GE;
    code_emit(g, i);
    i = code_imm(OP_ISUB, R_T, R_T, threads);
    i.pg = P_COND;
    code_emit(g, i);
    code_emit(g, code_imm(OP_SHL, R_T, R_T, 4));
    shared(g, OP_LDS, g->live.data + 4 * rng_below(&g->r, LIVE_REGS / 4), R_T);
    bar(g, rng_one_in(&g->r, 2) ? n : rng_below(&g->r, HD_BARRIERS));
}

static enum hd_op warp_row(struct gen *g)
{
    static const enum hd_op ops[] = { OP_SHFL, OP_SHFL, OP_VOTE, OP_MATCHN, OP_MATCHL };
    return ops[rng_below(&g->r, 5)];
}

void memory_talk(struct gen *g)
{
    struct hd_insn sync = code_imm(OP_WARPSYNC, 0, 0, UINT32_MAX);
    code_emit(g, sync);
    code_emit(g, fuzz_insn(&g->r, warp_row(g), &g->live, g->stack));
}

void memory_dead(struct gen *g)
{
    struct hd_insn i;
    if (rng_one_in(&g->r, 3)) {
        i = code_imm(OP_S2R, 0, 0, SREG_CLOCKLO + rng_below(&g->r, 2));
    } else if (!g->stack && rng_one_in(&g->r, 2)) {
        i = hd_insn_make(OP_BMOVR);
        i.bx = (uint8_t)rng_below(&g->r, HD_BARRIERS);
    } else {
        i = fuzz_insn(&g->r, warp_row(g), &g->live, g->stack);
        if (strchr(hd_ops[i.op].operands, 'p'))
            i.pd = P_DEAD;
    }
    i.rd = (uint8_t)(R_DEAD + rng_below(&g->r, DEAD_REGS));
    code_emit(g, i);
}

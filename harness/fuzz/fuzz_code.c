/* Random machine code that ends, has no races, and diverges: program, frame, statements.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every value that reaches memory depends on the thread alone, never on which lanes run
 * together; so any use of barrier registers gives the same memory, and the generator may use
 * them as oddly as it likes (a warp never deadlocks on them: docs/convergence.md, rule 8).
 * Block barriers and WARPSYNC stand only where every live lane comes equally often, and never
 * beside odd barriers, with which they could deadlock. */
#include "harness/fuzz/fuzz_code.h"
#include <stdlib.h>
#include <string.h>

int code_emit(struct gen *g, struct hd_insn i)
{
    if (g->n == CODE_MAX)
        abort();
    g->insn[g->n] = i;
    g->target[g->n] = -1;
    g->budget--;
    return g->n++;
}

int code_emit_to(struct gen *g, struct hd_insn i, int label)
{
    int at = code_emit(g, i);
    g->target[at] = label;
    return at;
}

int code_label(struct gen *g)
{
    if (g->nlabels == LABEL_MAX)
        abort();
    return g->nlabels++;
}

void code_here(struct gen *g, int label) { g->label[label] = g->n; }

struct hd_insn code_imm(enum hd_op op, unsigned rd, unsigned ra, uint32_t imm)
{
    struct hd_insn i = hd_insn_make(op);
    if (hd_ops[op].width[0])
        i.rd = (uint8_t)rd;
    if (hd_ops[op].width[1])
        i.ra = (uint8_t)ra;
    i.bi = strpbrk(hd_ops[op].operands, "bB") != NULL;
    if (i.bi)
        i.rb = 0;
    i.imm = imm;
    return i;
}

struct hd_insn code_reg(enum hd_op op, unsigned rd, unsigned ra, unsigned rb)
{
    struct hd_insn i = hd_insn_make(op);
    i.rd = (uint8_t)rd;
    i.ra = (uint8_t)ra;
    i.rb = (uint8_t)rb;
    return i;
}

uint8_t code_live(struct gen *g)
{
    return (uint8_t)(g->live.data + rng_below(&g->r, g->live.ndata));
}

static void compare(struct gen *g, enum hd_op op, unsigned pd, unsigned ra, uint32_t imm,
                    unsigned icmp)
{
    struct hd_insn i = code_imm(op, 0, ra, imm);
    i.pd = (uint8_t)pd;
    i.icmp = (uint8_t)icmp;
    code_emit(g, i);
}

void code_condition(struct gen *g, struct hd_insn *i)
{
    unsigned kind = rng_below(&g->r, 4);
    i->pg = P_COND;
    i->pn = (uint8_t)rng_below(&g->r, 2);
    if (kind == 0) {
        i->pg = (uint8_t)rng_below(&g->r, LIVE_PREDS);
    } else if (kind == 1) {
        code_emit(g, code_imm(OP_S2R, R_T, 0, SREG_LANEID));
        unsigned how = rng_below(&g->r, 6);
        compare(g, OP_ISETP, P_COND, R_T, rng_below(&g->r, 33), how);
    } else {
        uint32_t mask = kind == 2 ? 1u << rng_below(&g->r, 32) : 7;
        code_emit(g, code_imm(OP_AND, R_T, code_live(g), mask));
        compare(g, OP_ISETP, P_COND, R_T, 0, ICMP_NE);
    }
}

/* ---- statements ---- */

static bool computes(unsigned op)
{
    unsigned unit = hd_ops[op].unit;
    return unit != UNIT_CTL && unit != UNIT_LSU && !(hd_ops[op].flags & F_LANES);
}

void code_plain(struct gen *g)
{
    uint32_t total = 0;
    unsigned op = 0;
    for (unsigned k = 0; k < OP_COUNT; k++)
        total += computes(k) ? g->w->row[k] : 0;
    for (uint32_t at = rng_below(&g->r, total); ; op++) {
        uint32_t weight = computes(op) ? g->w->row[op] : 0;
        if (at < weight)
            break;
        at -= weight;
    }
    struct hd_insn i = fuzz_insn(&g->r, (enum hd_op)op, &g->live, g->stack);
    if (op == OP_S2R)
        i.imm = rng_below(&g->r, SREG_CLOCKLO);
    code_emit(g, i);
}

static void several(struct gen *g)
{
    for (unsigned n = 1 + rng_below(&g->r, 4); n; n--)
        code_plain(g);
}

enum { ANY, TOP, BARRIER_MODE, ODD, FAULTY, DATA };
struct statement { void (*make)(struct gen *); enum hd_op row; uint32_t often; int where; };
static const struct statement kinds[] = {
    { several, OP_IADD, 30, ANY }, { memory_access, OP_LDG, 20, ANY },
    { memory_atomic, OP_ATOMG, 6, ANY }, { memory_dead, OP_VOTE, 6, ANY },
    { memory_talk, OP_SHFL, 10, TOP }, { memory_exchange, OP_BAR, 8, TOP },
    { flow_if, OP_BRA, 26, ANY }, { flow_loop, OP_BRA, 16, ANY }, { flow_switch, OP_BRX, 8, ANY },
    { flow_call, OP_CALL, 8, ANY }, { flow_exit, OP_EXIT, 3, ANY }, { flow_odd, OP_BSSY, 40, ODD },
    { flow_yield, OP_YIELD, 4, BARRIER_MODE }, { flow_fault, OP_TRAP, 8, FAULTY },
    { memory_data, OP_LDG, 40, DATA },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static uint32_t weight(const struct gen *g, unsigned k)
{
    bool may = kinds[k].where == ANY || (kinds[k].where == TOP && g->top && !g->held) ||
               (kinds[k].where == BARRIER_MODE && !g->stack) || (kinds[k].where == ODD && g->odd) ||
               (kinds[k].where == FAULTY && g->faulty) ||
               (kinds[k].where == DATA && g->data);
    if (kinds[k].make == memory_exchange && !g->bars)
        may = false;
    return may ? kinds[k].often * g->w->row[kinds[k].row] : 0;
}

void code_statements(struct gen *g, unsigned n)
{
    while (n-- && g->budget > 0) {
        uint32_t total = 0, at;
        unsigned k = 0;
        for (unsigned j = 0; j < KINDS; j++)
            total += weight(g, j);
        for (at = rng_below(&g->r, total); at >= weight(g, k); k++)
            at -= weight(g, k);
        kinds[k].make(g);
    }
}

/* ---- the frame ---- */

static struct hd_insn access(enum hd_op op, unsigned reg, unsigned ra, int off)
{
    struct hd_insn i = hd_insn_make(op);
    bool store = strchr(hd_ops[op].operands, 'S') != NULL;
    if (store)
        i.rb = (uint8_t)reg;
    else
        i.rd = (uint8_t)reg;
    i.ra = (uint8_t)ra;
    i.off = off;
    i.sz = SZ_128;
    return i;
}

/* tid = x + nx * (y + ny * z), and the same of blocks. */
static void linear(struct gen *g, unsigned rd, unsigned x, struct hd_dim3 n)
{
    struct hd_insn i = code_imm(OP_IMAD, R_T, R_T, n.y);
    if (n.y == 1 && n.z == 1) {
        code_emit(g, code_imm(OP_S2R, rd, 0, x));
        return;
    }
    code_emit(g, code_imm(OP_S2R, R_T, 0, x + 2));
    code_emit(g, code_imm(OP_S2R, rd, 0, x + 1));
    i.rc = (uint8_t)rd;
    code_emit(g, i);
    code_emit(g, code_imm(OP_S2R, rd, 0, x));
    i = code_imm(OP_IMAD, rd, R_T, n.x);
    i.rc = (uint8_t)rd;
    code_emit(g, i);
}

/* Rd:Rd+1 = pointer + ra * scale */
static void advance(struct gen *g, unsigned rd, unsigned base, unsigned ra, uint32_t scale)
{
    struct hd_insn i = code_imm(OP_IMADWU, rd, ra, scale);
    i.rc = (uint8_t)base;
    code_emit(g, i);
}

static void pointer(struct gen *g, unsigned rd, int off)
{
    struct hd_insn i = access(OP_LDC, rd, HD_RZ, off);
    i.sz = SZ_64;
    code_emit(g, i);
}

/* One block in a row, or one warp of each: the others end, or only it does.  A warp that issues in
 * turn with others sees no hazards; and block barriers wait for no warp that has left. */
void code_alone(struct gen *g, bool goes_on)
{
    const struct fuzz_case *c = g->c;
    uint32_t warps = (c->block.x * c->block.y * c->block.z + 31) / 32;
    struct hd_insn leave = hd_insn_make(OP_EXIT);
    leave.pg = P_COND;
    code_emit(g, code_imm(OP_S2R, R_T, 0, warps > 1 ? SREG_WARPID : SREG_CTAID_X));
    compare(g, OP_ISETP, P_COND, R_T, rng_below(&g->r, warps > 1 ? warps : c->grid.x),
            goes_on ? ICMP_NE : ICMP_EQ);
    code_emit(g, leave);
}

static void prologue(struct gen *g)
{
    const struct fuzz_case *c = g->c;
    uint32_t threads = c->block.x * c->block.y * c->block.z;
    pointer(g, R_IN0, 0);
    pointer(g, R_OUT, 8);
    pointer(g, R_SUM, 16);
    linear(g, R_TID, SREG_TID_X, c->block);
    linear(g, R_GTID, SREG_CTAID_X, c->grid);
    struct hd_insn i = code_imm(OP_IMAD, R_GTID, R_GTID, threads);
    i.rc = R_TID;
    code_emit(g, i);
    advance(g, R_OUT, R_OUT, R_GTID, FUZZ_SLOT);
    code_emit(g, code_imm(OP_AND, R_T, R_GTID, FUZZ_IN / FUZZ_SLOT - 1));
    advance(g, R_IN, R_IN0, R_T, FUZZ_SLOT);
    for (unsigned k = 0; k < LIVE_REGS / 4; k++)
        if (k < 2)
            code_emit(g, access(OP_LDG, g->live.data + 4u * k, R_IN, 16 * (int)k));
        else
            code_emit(g, code_imm(OP_IMAD, g->live.data + 5u * k - 2, g->live.data + k,
                                  (uint32_t)rng_next(&g->r)));
    code_emit(g, code_imm(OP_SHL, R_SHARED, R_TID, 4));
    code_emit(g, code_reg(OP_IADD, R_GSHARED, R_SHARED, HD_RZ));
    code_emit(g, code_imm(OP_MOV, R_GSHARED + 1, 0, SPACE_SHARED));
    code_emit(g, code_imm(OP_MOV, R_GLOCAL + 1, 0, SPACE_LOCAL));
    code_emit(g, access(OP_STS, g->live.data, R_SHARED, 0));
    code_emit(g, access(OP_STL, g->live.data + 4, HD_RZ, 0));
    for (unsigned p = 0; p < LIVE_PREDS; p++)
        compare(g, OP_ISETP, p, g->live.data + p, 1u << 31, p & 1 ? ICMP_LT : ICMP_GE);
}

/* Every live register ends in the four that are stored. */
static void epilogue(struct gen *g)
{
    for (unsigned k = 0; k < LIVE_REGS - 4; k++) {
        struct hd_insn i = code_imm(OP_IMAD, g->live.data + LIVE_REGS - 4 + k % 4,
                                    g->live.data + LIVE_REGS - 4 + k % 4, 31);
        i.rc = (uint8_t)(g->live.data + k);
        code_emit(g, i);
    }
    code_emit(g, access(OP_STG, g->live.data + LIVE_REGS - 4, R_OUT, 0));
    code_emit(g, hd_insn_make(OP_EXIT));
}

/* ---- the whole ---- */

static void settle(struct gen *g)
{
    for (int k = 0; k < g->n; k++)
        if (g->target[k] >= 0)
            g->insn[k].imm = g->c->pc_base + (uint32_t)g->label[g->target[k]] * HD_INSN_BYTES;
}

static struct hd_image *image_of(const struct gen *g)
{
    struct hd_image *img = hd_image_new();
    img->stack_mode = g->stack;
    img->text_size = (uint32_t)g->n * HD_INSN_BYTES;
    img->text = malloc(img->text_size);
    if (!img->text)
        abort();
    for (int k = 0; k < g->n; k++) {
        struct hd_insn i = g->insn[k];
        fuzz_fit_insn(g->c, &i);
        struct hd_word w = hd_encode(&i);
        memcpy(img->text + k * HD_INSN_BYTES, &w, sizeof w);
    }
    fuzz_add_kernel(g->c, img);
    if (g->data)
        memory_data_make(g, img);
    return img;
}

struct gen *code_new(struct fuzz_case *c, const struct fuzz_weights *w)
{
    static const uint8_t places[] = { 0, 16, 40, 128, 236 };
    struct gen *g = calloc(1, sizeof *g);
    if (!g)
        abort();
    g->r.s = c->seed * 2 + 1;
    g->c = c;
    g->w = w;
    g->stack = c->stack_mode;
    uint8_t data = places[rng_below(&g->r, sizeof places)];
    if (fuzz_regs(c) < 256)
        data = 0;
    g->live = (struct fuzz_pool){ data, LIVE_REGS, LIVE_PREDS, 0, (uint16_t)c->constants };
    g->dead = (struct fuzz_pool){ R_DEAD, DEAD_REGS, LIVE_PREDS, 0, (uint16_t)c->constants };
    g->odd = !g->stack && rng_one_in(&g->r, 3);
    g->bars = !g->odd && rng_below(&g->r, 4);
    g->contended = rng_one_in(&g->r, 10);
    g->faulty = rng_one_in(&g->r, 12);
    g->barriers = 1 + rng_below(&g->r, 4);
    g->data = c->data;
    g->top = true;
    for (unsigned l = 1; l < LEVELS; l++)
        for (int k = 0; k < 2; k++)
            g->function[l][k] = code_label(g);
    return g;
}

struct gen *code_begin(struct fuzz_case *c, const struct fuzz_weights *w)
{
    struct gen *g = code_new(c, w);
    if (c->wild == WILD_REGS)
        code_alone(g, true);
    prologue(g);
    return g;
}

void code_end(struct gen *g)
{
    settle(g);
    g->c->img = image_of(g);
    free(g);
}

void fuzz_code(struct fuzz_case *c, const struct fuzz_weights *w)
{
    struct gen *g = code_begin(c, w);
    g->budget = rng_one_in(&g->r, 8) ? 120 : 10 + (int)rng_below(&g->r, 40);
    code_statements(g, 2 + rng_below(&g->r, 8));
    epilogue(g);
    flow_functions(g);
    code_end(g);
}

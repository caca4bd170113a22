/* Instructions of one row each with any operands, in machine code, and what each leaves.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A kernel is one warp.  It loads 32 words of `in' a lane, which stay; an instruction reads these,
 * or a copy that the instruction before it makes, and writes R32, which holds one of them
 * before. What is there afterwards goes to a row of `out' of its own, so a wrong row names the
 * plan. */
#include "harness/fuzz/fuzz_code.h"
#include "harness/fuzz/pair_host.h"
#include "harness/fuzz/pairs.h"
#include <stdlib.h>
#include <string.h>

enum {
    POOL = 32,
    DESTS = 32,
    COPY_A = 34,
    COPY_B = 36,
    COPY_C = 38,
    ONE = 40,
    PTR = 42,
    SOURCE = 44,
    LANE = 47,
    PRED_GUARD = 0,
    PRED_SOURCE = 1,
    PRED_SECOND = 2,
    PRED_COPY = 3,
    PRED_GROUP = 4,
    PRED_DEST = 5,
    PRED_FALSE = 6,
    ROW_BYTES = 4 * HD_LANES
};

struct rows {
    struct gen *g;
    struct fuzz_case *c;
    uint32_t pool[POOL][HD_LANES], pred[HD_PT + 1];
    struct hd_insn i;
    struct host_warp w;
    uint32_t dest[2][HD_LANES], pdest, exec;
    unsigned row;                                    /* of `out' */
};

static unsigned pool_register(struct rows *s, int width)
{
    return rng_below(&s->g->r, POOL / (unsigned)width) * (unsigned)width;
}

static void compare(struct rows *s, unsigned pd, unsigned reg)
{
    struct hd_insn i = code_imm(OP_ISETP, 0, reg, 0);
    i.pd = (uint8_t)pd;
    i.icmp = ICMP_LT;
    i.sg = SG_S32;
    code_emit(s->g, i);
    s->pred[pd] = 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        s->pred[pd] |= s->pool[reg][l] >> 31 << l;
}

static void copy(struct rows *s, unsigned to, unsigned from, int width)
{
    for (int k = 0; k < width; k++)
        code_emit(s->g, code_reg(OP_MOV, to + (unsigned)k, 0, from + (unsigned)k));
}

static void pool_values(const struct rows *s, unsigned reg, int width, uint64_t *v)
{
    for (unsigned l = 0; l < HD_LANES; l++)
        v[l] = s->pool[reg][l] | (width > 1 ? (uint64_t)s->pool[reg + 1][l] << 32 : 0);
}

static void dest_values(const struct rows *s, int width, uint64_t *v)
{
    for (unsigned l = 0; l < HD_LANES; l++)
        v[l] = s->dest[0][l] | (width > 1 ? (uint64_t)s->dest[1][l] << 32 : 0);
}

/* A source that is a register: of the pool, its copy, Rd, Ra or RZ.  `to': where a copy is, 0: none
 * is made. */
static unsigned register_source(struct rows *s, unsigned kind, int width, unsigned to, uint64_t *v)
{
    static const uint64_t zero[HD_LANES];
    if (kind == SECOND_RZ) {
        memcpy(v, zero, sizeof zero);
        return HD_RZ;
    }
    if (kind == SECOND_DEST) {
        dest_values(s, width, v);
        return DESTS;
    }
    const unsigned reg = pool_register(s, width);
    pool_values(s, reg, width, v);
    if (to)
        copy(s, to, reg, width);
    return to ? to : reg;
}

_Static_assert((int)FIRST_RZ == SECOND_RZ && (int)FIRST_DEST == SECOND_DEST &&
               (int)THIRD_RZ == SECOND_RZ && (int)THIRD_DEST == SECOND_DEST &&
               (int)THIRD_SAME == SECOND_SAME, "register_source takes any position's");

/* An offset of the bank as the plan wants it. */
static uint32_t bank_offset(struct rows *s, unsigned kind, uint32_t bytes)
{
    const uint32_t line = 64, end = OPERAND_BYTES - bytes, from = 24;
    switch (kind) {
    case SECOND_PARAM: return from + rng_below(&s->g->r, (line - from) / bytes) * bytes;
    case SECOND_ODD: return line * (1 + rng_below(&s->g->r, 3)) - bytes;
    case SECOND_LAST: return end;
    default: return line + rng_below(&s->g->r, (OPERAND_BYTES - line) / bytes) * bytes;
    }
}

/* The second source, which may be an immediate or a constant. */
static void second_source(struct rows *s, unsigned kind, unsigned to)
{
    const bool wide = pair_has((enum hd_op)s->i.op, "B");
    uint64_t v;
    if (kind == SECOND_SAME) {
        s->i.rb = s->i.ra;
        memcpy(s->w.second, s->w.first, sizeof s->w.second);
        if (wide > pair_has((enum hd_op)s->i.op, "A"))
            abort(); /* a pair whose half Ra is: there is no such row */
        return;
    }
    if (kind < SECOND_IMM) {
        s->i.rb = (uint8_t)register_source(s, kind, wide ? 2 : 1, to, s->w.second);
        return;
    }
    if (kind == SECOND_IMM) {
        s->i.imm = pair_value(&s->g->r);
        v = wide ? (uint64_t)(int64_t)(int32_t)s->i.imm : s->i.imm;
    } else {
        s->i.imm = bank_offset(s, kind, wide ? 8 : 4);
        v = pair_word(s->c, s->i.imm / 4 - 6);
        if (wide)
            v |= (uint64_t)pair_word(s->c, s->i.imm / 4 - 5) << 32;
    }
    for (unsigned l = 0; l < HD_LANES; l++)
        s->w.second[l] = v;
}

static void third_source(struct rows *s, unsigned kind, unsigned to)
{
    const int width = pair_has((enum hd_op)s->i.op, "C") ? 2 : 1;
    if (kind == THIRD_SAME && width == 1) {
        s->i.rc = s->i.ra;
        memcpy(s->w.third, s->w.first, sizeof s->w.third);
        return;
    }
    if (kind == THIRD_SAME) {                        /* a pair, whose lower half is Ra */
        const unsigned ra = s->i.ra == HD_RZ ? HD_RZ : s->i.ra & ~1u;
        s->i.ra = s->i.rc = (uint8_t)ra;
        for (unsigned l = 0; l < HD_LANES; l++) {
            const uint32_t low = ra == HD_RZ ? 0 : ra == DESTS ? s->dest[0][l] : s->pool[ra][l];
            const uint32_t high = ra == HD_RZ ? 0 : ra == DESTS ? s->dest[1][l]
                                                                : s->pool[ra + 1][l];
            if (!pair_has((enum hd_op)s->i.op, "A"))
                s->w.first[l] = low;
            s->w.third[l] = (uint64_t)high << 32 | low;
        }
        return;
    }
    s->i.rc = (uint8_t)register_source(s, kind, width, to, s->w.third);
}

static uint32_t predicate_source(struct rows *s, unsigned kind, bool copies, uint8_t *reg,
                                 uint8_t *not)
{
    *not = kind == PSOURCE_NEVER || kind == PSOURCE_NOT;
    if (kind == PSOURCE_DEST)
        return *reg = PRED_DEST, s->pdest;
    *reg = kind <= PSOURCE_NEVER ? HD_PT : copies ? PRED_COPY : PRED_SOURCE;
    if (copies)
        compare(s, PRED_COPY, pool_register(s, 1));
    const uint32_t v = *reg == HD_PT ? ~0u : s->pred[*reg];
    return *not ? ~v : v;
}

static uint32_t guard(struct rows *s, unsigned kind, bool copies)
{
    s->i.pg = kind == GUARD_NONE || kind == GUARD_NEVER ? HD_PT
            : kind == GUARD_FALSE                       ? PRED_FALSE
            : copies                                    ? PRED_COPY : PRED_GUARD;
    s->i.pn = kind == GUARD_NOT || kind == GUARD_NEVER;
    if (copies)
        compare(s, PRED_COPY, pool_register(s, 1));
    const uint32_t v = s->i.pg == HD_PT ? ~0u : s->pred[s->i.pg];
    return s->i.pn ? ~v : v;
}

/* Rd holds a word, or a pair, of the pool. */
static void preset(struct rows *s)
{
    const unsigned reg = pool_register(s, 2);
    copy(s, DESTS, reg, 2);
    memcpy(s->dest[0], s->pool[reg], sizeof s->dest[0]);
    memcpy(s->dest[1], s->pool[reg + 1], sizeof s->dest[1]);
}

/* The number of a special register's lane: of one block, of one warp. */
static void special(struct rows *s)
{
    for (unsigned l = 0; l < HD_LANES; l++) {
        const uint32_t bit = 1u << l;
        uint32_t v = 0;
        switch (s->i.imm) {
        case SREG_TID_X: case SREG_LANEID: v = l; break;
        case SREG_NTID_X: v = HD_LANES; break;
        case SREG_NTID_Y: case SREG_NTID_Z: case SREG_NCTAID_X: case SREG_NCTAID_Y:
        case SREG_NCTAID_Z: case SREG_NWARPID: case SREG_NSMID: v = 1; break;
        case SREG_LANEMASK_EQ: v = bit; break;
        case SREG_LANEMASK_LT: v = bit - 1; break;
        case SREG_LANEMASK_LE: v = 2 * bit - 1; break;
        case SREG_LANEMASK_GT: v = ~(2 * bit - 1); break;
        case SREG_LANEMASK_GE: v = ~(bit - 1); break;
        default: break;
        }
        s->w.special[l] = v;
    }
}

/* The running lanes part before it, and meet after it. */
static void emit_in_group(struct rows *s, unsigned group)
{
    struct gen *g = s->g;
    if (group == GROUP_ALL) {
        s->exec = ~0u;
        code_emit(g, s->i);
        return;
    }
    int join = code_label(g), skip = code_label(g);
    struct hd_insn cmp = code_imm(OP_ISETP, 0, LANE, rng_below(&g->r, HD_LANES)),
                   bra = hd_insn_make(OP_BRA), end = hd_insn_make(g->stack ? OP_NOP : OP_BSYNC);
    cmp.pd = PRED_GROUP;
    cmp.icmp = (uint8_t)(group == GROUP_ONE ? ICMP_EQ : rng_below(&g->r, 2) ? ICMP_LT : ICMP_GE);
    code_emit(g, cmp);
    s->exec = 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        s->exec |= (uint32_t)(cmp.icmp == ICMP_EQ ? l == cmp.imm : cmp.icmp == ICMP_LT
                              ? l < cmp.imm : l >= cmp.imm) << l;
    code_emit_to(g, hd_insn_make(g->stack ? OP_SSY : OP_BSSY), join);
    bra.pg = PRED_GROUP;
    bra.pn = 1;
    code_emit_to(g, bra, skip);
    code_emit(g, s->i);
    code_here(g, skip);
    end.pop = g->stack;
    if (g->stack)
        code_emit(g, end);
    code_here(g, join);
    if (!g->stack)
        code_emit(g, end);
}

/* ---- results ---- */

static void put_row(struct rows *s, unsigned reg, const uint32_t *want, const char *what,
                    const char *text)
{
    struct hd_insn i = hd_insn_make(OP_STG);
    uint8_t *to = s->c->expect->out + s->row * ROW_BYTES;
    i.ra = PTR;
    i.rb = (uint8_t)reg;
    i.off = (int32_t)(s->row * ROW_BYTES);
    i.sz = SZ_32;
    code_emit(s->g, i);
    memcpy(to, want, ROW_BYTES);
    snprintf(s->c->notes[s->row], PAIR_NOTE, "%.140s: %s", text, what);
    s->row++;
}

/* What is in Rd and Pd now. */
static void results(struct rows *s, const char *text)
{
    const enum hd_op op = (enum hd_op)s->i.op;
    uint32_t want[3][HD_LANES];
    for (unsigned l = 0; l < HD_LANES; l++) {
        const bool ran = s->exec >> l & 1, writes = ran && s->i.rd != HD_RZ;
        want[0][l] = writes ? (uint32_t)s->w.d[l] : s->dest[0][l];
        want[1][l] = writes ? (uint32_t)(s->w.d[l] >> 32) : s->dest[1][l];
        want[2][l] = (ran && s->i.pd != HD_PT ? s->w.pd : s->pdest) >> l & 1;
    }
    if (pair_has(op, "dD"))
        put_row(s, DESTS, want[0], "Rd", text);
    if (pair_has(op, "D"))
        put_row(s, DESTS + 1, want[1], "Rd+1", text);
    if (pair_has(op, "p")) {
        struct hd_insn sel = code_reg(OP_SEL, COPY_A, ONE, HD_RZ);
        sel.ps = PRED_DEST;
        code_emit(s->g, sel);
        put_row(s, COPY_A, want[2], "Pd", text);
    }
}

static void describe(const struct pair_plan *p, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "%s", p->cover->name);
    for (unsigned d = 0; d < p->cover->ndims && at < size; d++)
        if (p->value[d])
            at += (size_t)snprintf(text + at, size - at, ", %s %s", p->cover->dim[d].name,
                                   p->cover->dim[d].value[p->value[d]]);
}

static void instruction(struct rows *s, const struct pair_plan *p)
{
    const struct cover *c = p->cover;
    const unsigned *v = p->value, before = pair_value_of(c, v, DIM_BEFORE);
    const enum hd_op op = ((const struct pair_row *)c->user)->op;
    char text[PAIR_NOTE];
    s->i = pair_shape(c, v);
    s->i.lut = pair_has(op, "l") ? (uint8_t)rng_next(&s->g->r) : 0;
    memset(&s->w, 0, sizeof s->w);
    const bool late = before == BEFORE_WRITES_D;
    if (!late)
        preset(s);
    const unsigned pd = pool_register(s, 1);
    compare(s, PRED_DEST, pd);
    s->pdest = s->pred[PRED_DEST];
    if (late)
        preset(s);
    if (pair_has(op, "aA"))
        s->i.ra =
            (uint8_t)register_source(s, pair_value_of(c, v, DIM_FIRST), pair_has(op, "A") ? 2 : 1,
                                     before == BEFORE_WRITES_A ? COPY_A : 0, s->w.first);
    if (pair_has(op, "cC"))
        third_source(s, pair_value_of(c, v, DIM_THIRD), before == BEFORE_WRITES_C ? COPY_C : 0);
    if (pair_has(op, "bB"))
        second_source(s, pair_value_of(c, v, DIM_SECOND), before == BEFORE_WRITES_B ? COPY_B : 0);
    if (pair_has(op, "s"))
        s->w.source = predicate_source(s, pair_value_of(c, v, DIM_PSOURCE),
                                       before == BEFORE_WRITES_P, &s->i.ps, &s->i.sn);
    if (pair_has(op, "t")) {
        const unsigned kind = pair_value_of(c, v, DIM_PSECOND);
        s->i.pq = kind == PSECOND_TRUE ? HD_PT : kind == PSECOND_P ? PRED_SECOND : PRED_DEST;
        s->w.source2 = kind == PSECOND_TRUE ? ~0u
                       : kind == PSECOND_P  ? s->pred[PRED_SECOND]
                                            : s->pdest;
    }
    if (pair_has(op, "dD"))
        s->i.rd = pair_value_of(c, v, DIM_DEST) == DEST_RZ ? HD_RZ : DESTS;
    if (pair_has(op, "p"))
        s->i.pd = pair_value_of(c, v, DIM_PDEST) == PDEST_TRUE ? HD_PT : PRED_DEST;
    if (op == OP_S2R)
        s->i.imm = pair_value_of(c, v, DIM_SPECIAL);
    const uint32_t holds = guard(s, pair_value_of(c, v, DIM_GUARD), before == BEFORE_WRITES_G);
    emit_in_group(s, pair_value_of(c, v, DIM_GROUP));
    s->exec &= holds;
    special(s);
    if (!host_row(&s->i, s->exec, &s->w)) {
        fprintf(stderr, "heddle fuzz: pair_host.c does not know %s\n", hd_ops[op].mnemonic);
        abort();
    }
    describe(p, text, sizeof text - 8);
    results(s, text);
}

static void begin(struct rows *s)
{
    struct gen *g = s->g;
    uint32_t in[FUZZ_IN / 4];
    struct hd_insn load = hd_insn_make(OP_LDC), wide;
    fuzz_data(s->c, in);
    code_emit(g, code_imm(OP_S2R, LANE, 0, SREG_LANEID));
    load.sz = SZ_64;
    load.rd = SOURCE;
    code_emit(g, load);
    load.rd = PTR;
    load.off = 8;
    code_emit(g, load);
    wide = code_imm(OP_IMADWU, SOURCE, LANE, 16);
    wide.rc = SOURCE;
    code_emit(g, wide);
    wide = code_imm(OP_IMADWU, PTR, LANE, 4);
    wide.rc = PTR;
    code_emit(g, wide);
    for (unsigned q = 0; q < POOL / 4; q++) {
        load = hd_insn_make(OP_LDG);
        load.sz = SZ_128;
        load.rd = (uint8_t)(4 * q);
        load.ra = SOURCE;
        load.off = (int32_t)(q * 16 * HD_LANES);
        code_emit(g, load);
        for (unsigned k = 0; k < 4; k++)
            for (unsigned l = 0; l < HD_LANES; l++)
                s->pool[4 * q + k][l] = in[4 * (q * HD_LANES + l) + k];
    }
    code_emit(g, code_imm(OP_MOV, ONE, 0, 1));
    for (unsigned p = PRED_GUARD; p <= PRED_SECOND; p++)
        compare(s, p, 5 * p + 3);
    struct hd_insn never = code_imm(OP_ISETP, 0, ONE, 0);
    never.pd = PRED_FALSE;
    code_emit(g, never);
    s->pred[PRED_FALSE] = 0;
}

void pair_rows(struct fuzz_case *c, const struct pair_plan *plan, unsigned n)
{
    static const struct fuzz_weights none;
    struct rows *s = calloc(1, sizeof *s);
    c->expect = calloc(1, sizeof *c->expect);
    c->notes = calloc(PAIR_ROWS, sizeof *c->notes);
    if (!s || !c->expect || !c->notes)
        abort();
    *s = (struct rows){ .g = code_new(c, &none), .c = c };
    begin(s);
    for (unsigned k = 0; k < n; k++)
        instruction(s, &plan[k]);
    code_emit(s->g, hd_insn_make(OP_EXIT));
    code_end(s->g);
    free(s);
}

/* Kernels whose warps may go straight to their end as the host's code (cmodel/native/straight.c).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Addresses are a pointer, and the thread's index, or its block's, times a width: rows of words, of
 * pairs and of quads, at any distance from each other, some beyond a buffer's end; and some that
 * are no row. */
#include "harness/fuzz/fuzz_code.h"

enum { INDEX = 0, BLOCK = 1, WIDTH = 2, POINTER = 4, AT = 6, DATA = 8, DATAS = 16 };

static void index_of_thread(struct gen *g)
{
    struct hd_insn i = code_reg(OP_IMAD, INDEX, BLOCK, WIDTH);
    i.rc = INDEX;
    code_emit(g, code_imm(OP_S2R, INDEX, 0, SREG_TID_X));
    code_emit(g, code_imm(OP_S2R, BLOCK, 0, SREG_CTAID_X));
    code_emit(g, code_imm(OP_S2R, WIDTH, 0, SREG_NTID_X));
    code_emit(g, i);
    if (rng_one_in(&g->r, 3))
        code_emit(g, code_imm(OP_IADD, INDEX, INDEX, rng_below(&g->r, 16) - 4));
}

/* The threads from some number on end, or those before it. */
static void bound(struct gen *g)
{
    struct hd_insn cmp = code_imm(OP_ISETP, 0, INDEX, rng_below(&g->r, FUZZ_FEW_THREADS)),
                   leave = hd_insn_make(OP_EXIT);
    cmp.icmp = rng_below(&g->r, 4) ? ICMP_GE : ICMP_LT;
    cmp.sg = (uint8_t)rng_below(&g->r, 2);
    leave.pg = 0;
    code_emit(g, cmp);
    code_emit(g, leave);
}

static void access(struct gen *g)
{
    const bool load = rng_below(&g->r, 2);
    struct hd_insn i = hd_insn_make(load ? OP_LDG : OP_STG), pointer = hd_insn_make(OP_LDC);
    i.sz = (uint8_t)(SZ_32 + rng_below(&g->r, 3));
    const uint32_t size = 4u << (i.sz - SZ_32),
                   width = rng_one_in(&g->r, 30) ? 4u << rng_below(&g->r, 4) : size,
                   sum = rng_one_in(&g->r, 8), buffer = sum ? 2 : load ? rng_below(&g->r, 2) : 1;
    struct hd_insn at = code_imm(rng_below(&g->r, 2) ? OP_IMADWU : OP_IMADWS, AT,
                                 load && rng_one_in(&g->r, 6) ? BLOCK : INDEX, width);
    uint8_t *const data = load ? &i.rd : &i.rb;
    pointer.sz = SZ_64;
    pointer.rd = at.rc = POINTER;
    pointer.off = (int32_t)(8 * buffer);
    i.ra = AT;
    i.off = (int32_t)(size * rng_below(&g->r, 8)) + (rng_one_in(&g->r, 16) ? 4 : 0);
    *data = (uint8_t)(DATA + 4 * rng_below(&g->r, DATAS / 4));
    code_emit(g, pointer);
    code_emit(g, at);
    code_emit(g, i);
}

void wild_straight(struct fuzz_case *c, const struct fuzz_weights *w)
{
    static const uint8_t rows[] = { OP_IADD, OP_XOR, OP_IMAD, OP_MOV, OP_ISETP, OP_SHL };
    struct gen *g = code_new(c, w);
    g->live = (struct fuzz_pool){ DATA, DATAS, LIVE_PREDS, 0, 0 };
    index_of_thread(g);
    if (rng_below(&g->r, 2))
        bound(g);
    for (unsigned n = 2 + rng_below(&g->r, 7); n; n--) {
        access(g);
        for (unsigned k = rng_below(&g->r, 3); k; k--)
            code_emit(g, fuzz_insn(&g->r, rows[rng_below(&g->r, sizeof rows)], &g->live, g->stack));
    }
    code_emit(g, hd_insn_make(OP_EXIT));
    code_end(g);
}

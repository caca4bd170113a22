/* Legal instructions without any order: branches anywhere, barriers used wrongly, words with flipped bits.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Such a kernel ends, faults, deadlocks or loops for ever; RTL and model must agree up to there.  Threads race, so
 * there is no third leg. */
#include "fuzz_code.h"
#include <string.h>

enum { BODY = 64 };

static bool allowed(const struct gen *g, unsigned op)
{
    unsigned flags = hd_ops[op].flags;
    return !(flags & (g->stack ? F_BARRIER : F_STACK)) && op != OP_NOP;
}

static uint32_t weight(const struct gen *g, unsigned op)
{
    static const uint8_t unit[] = { [UNIT_ALU] = 2, [UNIT_MUL] = 2, [UNIT_FPU] = 2, [UNIT_SFU] = 2, [UNIT_LSU] = 4,
                                    [UNIT_CTL] = 12 };
    uint32_t w = allowed(g, op) ? g->w->row[op] * unit[hd_ops[op].unit] : 0;
    return op == OP_BRA || op == OP_SSY ? 2 * w : op == OP_TRAP || op == OP_EXIT ? w / 8 : w;
}

static unsigned pick(struct gen *g)
{
    uint32_t total = 0, at;
    unsigned op = 0;
    for (unsigned k = 0; k < OP_COUNT; k++)
        total += weight(g, k);
    for (at = rng_below(&g->r, total); at >= weight(g, op); op++)
        at -= weight(g, op);
    return op;
}

/* Addresses that mostly exist. */
static void aim(struct gen *g, struct hd_insn *i)
{
    static const uint8_t base[] = { R_IN, R_OUT, R_SUM, R_GSHARED, R_GLOCAL };
    bool wide = strchr(hd_ops[i->op].operands, 'm') != NULL, generic = i->op == OP_LD || i->op == OP_ST || i->op == OP_ATOM;
    bool shared = i->op == OP_LDS || i->op == OP_STS || i->op == OP_ATOMS;
    if (rng_one_in(&g->r, 60))
        return;
    i->ra = wide ? base[rng_below(&g->r, generic ? 5 : 3)] : shared ? R_SHARED : HD_RZ;
    i->off = (int32_t)(16 * rng_below(&g->r, i->op == OP_LDC ? 1 : wide ? 4 : 3));
}

static void one(struct gen *g, const int *place, int at)
{
    struct hd_insn i = fuzz_insn(&g->r, (enum hd_op)pick(g), &g->live, g->stack);
    const char *o = hd_ops[i.op].operands;
    int to = -1;
    if (strchr(o, '@'))
        to = place[rng_below(&g->r, 3) ? at + 1 + (int)rng_below(&g->r, BODY / 8) : (int)rng_below(&g->r, BODY)];
    if (strpbrk(o, "mn"))
        aim(g, &i);
    if (i.op == OP_BRX || i.op == OP_RET || i.op == OP_CALLR || i.op == OP_CALR)
        i.ra = R_T;
    if (i.op == OP_WARPSYNC || i.op == OP_BAR) {
        i.bi = 1;
        i.rb = 0;
        i.imm = i.op == OP_BAR ? 32 * rng_below(&g->r, 3) : rng_below(&g->r, 2) ? UINT32_MAX : (uint32_t)rng_next(&g->r);
    }
    if (g->stack && hd_ops[i.op].unit != UNIT_CTL && rng_one_in(&g->r, 12))
        i.pop = 1;
    code_emit_to(g, i, to);
}

/* R_T: code addresses, a few of them, different between lanes. */
static void targets(struct gen *g, const int *place)
{
    code_emit(g, code_imm(OP_S2R, R_T, 0, SREG_LANEID));
    code_emit(g, code_imm(OP_AND, R_T, R_T, 1 + rng_below(&g->r, 7)));
    code_emit(g, code_imm(OP_SHL, R_T, R_T, 4 + rng_below(&g->r, 3)));
    code_emit_to(g, code_imm(OP_IADD, R_T, R_T, 0), place[rng_below(&g->r, BODY - 20)]);
}

void fuzz_wild(struct fuzz_case *c, const struct fuzz_weights *w)
{
    int place[BODY + BODY / 8 + 1], end;
    struct gen *g = code_begin(c, w);
    end = code_label(g);
    for (int k = 0; k < BODY + BODY / 8 + 1; k++)
        place[k] = k < BODY ? code_label(g) : end;
    targets(g, place);
    for (int k = 0; k < BODY; k++) {
        code_here(g, place[k]);
        one(g, place, k);
    }
    code_here(g, end);
    code_emit(g, hd_insn_make(OP_EXIT));
    int first = g->label[place[0]];
    bool flip = rng_one_in(&g->r, 4);
    uint64_t bits = rng_next(&g->r);
    code_end(g);
    if (flip)
        c->img->text[(uint32_t)first * HD_INSN_BYTES + bits % (BODY * HD_INSN_BYTES)] ^= (uint8_t)(1u << (bits >> 32 & 7));
}

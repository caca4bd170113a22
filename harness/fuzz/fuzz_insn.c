/* One random instruction of a row of the ISA table, and how often each row comes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Operands follow from the row's operand letters and modifiers; nothing here knows an
 * instruction by name, except that values worth testing (edges of integers and floats, small
 * shift amounts) are likelier. */
#include "harness/fuzz/fuzz.h"
#include <string.h>

static uint32_t immediate(struct rng *r)
{
    static const uint32_t edge[] = {
        0, 1, 2, 31, 32, 33, 0xff, 0x80, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe,
        0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x007fffff,
        0x00800000, 0x4f000000, 0x3f000000, 0x40490fdb };
    switch (rng_below(r, 4)) {
    case 0: return edge[rng_below(r, sizeof edge / sizeof edge[0])];
    case 1: return rng_below(r, 40);
    case 2: return 0u - rng_below(r, 40);
    default: return (uint32_t)rng_next(r);
    }
}

/* A register of the pool that begins a group of n; RZ now and then. */
static uint8_t reg(struct rng *r, const struct fuzz_pool *p, unsigned n, unsigned rz_one_in)
{
    if (rng_one_in(r, rz_one_in))
        return HD_RZ;
    n = n ? n : 1;
    return (uint8_t)((p->data + n - 1) / n * n + n * rng_below(r, p->ndata / n));
}

static uint8_t pred(struct rng *r, const struct fuzz_pool *p)
{
    return (uint8_t)(p->pred0 + rng_below(r, p->preds));
}

/* Of some immediates a constant is made, without a number of its own: what seeds were found with
 * stays as it was. */
static void constant(struct hd_insn *i, const struct fuzz_pool *p)
{
    const uint32_t bits = i->imm * 0x9e3779b1u >> 8;
    const uint32_t bytes = strchr(hd_ops[i->op].operands, 'B') ? 8 : 4;
    if (!p->constants || !hd_insn_takes_constant((enum hd_op)i->op) || bits % 3)
        return;
    i->cb = 1;
    i->imm = bits / 3 % (p->constants / bytes) * bytes;
}

static void second_source(struct rng *r, struct hd_insn *i, const struct fuzz_pool *p)
{
    i->bi = rng_one_in(r, 3);
    i->imm = i->bi ? immediate(r) : 0;
    i->rb = i->bi ? 0 : reg(r, p, (unsigned)hd_insn_width(i, 2), 12);
    if (i->bi)
        constant(i, p);
}

static void operands(struct rng *r, struct hd_insn *i, const struct fuzz_pool *p)
{
    for (const char *o = hd_ops[i->op].operands; *o; o++)
        switch (*o) {
        case 'd': case 'D': case 'Q': i->rd = reg(r, p, (unsigned)hd_insn_width(i, 0), 40); break;
        case 'a': case 'A': i->ra = reg(r, p, (unsigned)hd_insn_width(i, 1), 16); break;
        case 'b': case 'B': second_source(r, i, p); break;
        case 'r': case 'S': i->rb = reg(r, p, (unsigned)hd_insn_width(i, 2), 16); break;
        case 'c': case 'C': i->rc = reg(r, p, (unsigned)hd_insn_width(i, 3), 12); break;
        case 'V':
            i->rc = i->aop == AOP_CAS ? reg(r, p, (unsigned)hd_insn_width(i, 3), 16) : HD_RZ;
            break;
        case 'p': i->pd = rng_one_in(r, 20) ? HD_PT : pred(r, p); break;
        case 't': i->pq = rng_one_in(r, 5) ? HD_PT : pred(r, p); break;
        case 's':
            i->ps = rng_one_in(r, 4) ? HD_PT : pred(r, p);
            i->sn = (uint8_t)rng_below(r, 2);
            break;
        case 'x': i->bx = (uint8_t)rng_below(r, rng_one_in(r, 3) ? HD_BARRIERS : 3); break;
        case 'l': i->lut = (uint8_t)rng_next(r); break;
        case 'z': i->imm = rng_below(r, SREG_COUNT); break;
        case 'm': case 'n': i->ra = reg(r, p, (unsigned)hd_insn_width(i, 1), 16); break;
        default: break;                              /* targets are the caller's */
        }
}

static void modifiers(struct rng *r, struct hd_insn *i)
{
    const struct hd_op_info *o = &hd_ops[i->op];
    for (unsigned k = 0; k < o->nmods; k++) {
        const struct hd_mod_info *m = &hd_mods[o->mod[k]];
        ((uint8_t *)i)[m->offset] = (uint8_t)rng_below(r, m->count);
    }
    const struct { const char *name; uint8_t *value; } sign[] = {
        { "na", &i->na }, { "aa", &i->aa }, { "nb", &i->nb }, { "ab", &i->ab }, { "nc", &i->nc } };
    for (size_t k = 0; k < sizeof sign / sizeof sign[0]; k++)
        if (strstr(o->mods, sign[k].name))
            *sign[k].value = rng_one_in(r, 4);
}

struct hd_insn fuzz_insn(struct rng *r, enum hd_op op, const struct fuzz_pool *p, bool stack_mode)
{
    for (;;) {
        struct hd_insn i = hd_insn_make(op);
        modifiers(r, &i);                            /* first: widths depend on them */
        operands(r, &i, p);
        if (!(hd_ops[op].flags & F_NOGUARD) && rng_one_in(r, 4)) {
            i.pg = pred(r, p);
            i.pn = (uint8_t)rng_below(r, 2);
        }
        if (!hd_insn_fault(&i, stack_mode))
            return i;
    }
}

void fuzz_weights_init(struct fuzz_weights *w, uint32_t lacks)
{
    static const uint32_t unit[] = { [UNIT_ALU] = 8, [UNIT_MUL] = 6, [UNIT_FPU] = 4,
                                     [UNIT_SFU] = 6, [UNIT_LSU] = 10, [UNIT_CTL] = 8,
                                     [UNIT_F64] = 3 };
    for (unsigned op = 0; op < OP_COUNT; op++)
        w->row[op] = lacks >> hd_ops[op].unit & 1 ? 0 : unit[hd_ops[op].unit];
}

void fuzz_weights_steer(struct fuzz_weights *w, uint32_t lacks, const struct coverage *known)
{
    fuzz_weights_init(w, lacks);
    for (unsigned op = 0; op < OP_COUNT; op++)
        w->row[op] = (uint32_t)(w->row[op] * coverage_weight(known, (enum hd_op)op));
}

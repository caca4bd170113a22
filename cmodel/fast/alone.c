/* What of the code keeps blocks from running at the same time; found before they run.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Blocks may change one word by atomics in any order if no lane sees what was there before.  So
 * of each atomic on global memory: whether a path leads from it to a reader of its result.  Where a
 * path is not known (an indirect branch, a pop of the stack), it does. */
#include "cmodel/fast/inside.h"
#include <stdlib.h>
#include <string.h>

/* A walk over code: each word once. */
struct walk { const struct model *m; uint8_t *seen; u32 *left; u32 n; };

static bool walk_open(struct walk *k, const struct model *m)
{
    *k = (struct walk){ .m = m, .seen = calloc((size_t)m->code.words + 1, 1) };
    k->left = malloc(((size_t)m->code.words + 1) * sizeof *k->left);
    return k->seen && k->left;
}

static void walk_close(struct walk *k)
{
    free(k->seen);
    free(k->left);
}

static void walk_add(struct walk *k, u32 at)
{
    if (at < k->m->code.words && !k->seen[at]) {
        k->seen[at] = 1;
        k->left[k->n++] = at;
    }
}

static bool guarded(const struct hd_insn *i)
{
    return i->pg != HD_PT || i->pn;
}

/* Whether where lanes go from here is not in the instruction. */
static bool unknown_next(const struct hd_insn *i)
{
    return i->pop || i->op == OP_BRX || i->op == OP_RET || i->op == OP_CALLR || i->op == OP_CALR ||
           i->op == OP_RETT;
}

static void walk_next(struct walk *k, u32 at)
{
    const struct hd_insn *i = &k->m->code.op[at].i;
    if (strchr(hd_ops[i->op].operands, '@') && i->op != OP_BSSY && i->imm % CONV_INSN == 0)
        walk_add(k, i->imm / CONV_INSN);
    if ((i->op != OP_BRA && i->op != OP_EXIT) || guarded(i))
        walk_add(k, at + 1);
}

static bool legal(const struct model *m, u32 at)
{
    return hd_decode(&m->code.text[at], m->code.stack_mode, &(struct hd_insn){ 0 });
}

static bool names(const struct hd_insn *i, int which, unsigned reg)
{
    const uint8_t first[4] = { i->rd, i->ra, i->rb, i->rc };
    return !(which == 2 && i->bi) && first[which] != HD_RZ && reg >= first[which] &&
           reg < first[which] + (unsigned)hd_insn_width(i, which);
}

/* Whether a reader of the register can follow word `at`; true: also where nothing is known. */
static bool read_later(const struct model *m, u32 at, unsigned reg)
{
    struct walk k;
    bool read = !walk_open(&k, m) || unknown_next(&m->code.op[at].i);
    if (!read)
        walk_next(&k, at);
    while (!read && k.n) {
        at = k.left[--k.n];
        const struct hd_insn *i = &m->code.op[at].i;
        if (!legal(m, at))
            continue;
        read = names(i, 1, reg) || names(i, 2, reg) || names(i, 3, reg);
        if (!read && names(i, 0, reg) && !guarded(i))
            continue;
        read |= unknown_next(i);
        walk_next(&k, at);
    }
    walk_close(&k);
    return read;
}

static bool commutes(unsigned aop)
{
    return aop <= AOP_XOR;
}

static bool global_atomic(const struct hd_insn *i)
{
    return i->op == OP_ATOMG || i->op == OP_ATOM;
}

static bool alone(const struct model *m, u32 at)
{
    const struct hd_insn *i = &m->code.op[at].i;
    bool read = !commutes(i->aop);
    for (unsigned k = 0; !read && i->rd != HD_RZ && k <= i->aw; k++)
        read = read_later(m, at, i->rd + k);
    return !read;
}

static bool reads_clock(const struct hd_insn *i)
{
    return i->op == OP_S2R && (i->imm == SREG_CLOCKLO || i->imm == SREG_CLOCKHI);
}

bool jobs_scan(struct fast *f, struct meeting *why)
{
    const struct model *const m = f->m;
    struct walk k;
    bool ok = walk_open(&k, m);
    const char *what = ok ? NULL : "no memory";
    u32 at = 0;
    if (ok)
        walk_add(&k, m->launch.entry / CONV_INSN);
    while (!what && k.n) {
        at = k.left[--k.n];
        const struct op *op = &m->code.op[at];
        if (!legal(m, at))
            continue;
        f->code[at].alone = global_atomic(&op->i) && alone(m, at);
        what = reads_clock(&op->i) ? "a block reads the clock"
             : global_atomic(&op->i) && !f->code[at].alone ? "a block sees what an atomic found"
                                                            : NULL;
        for (u32 i = 0; unknown_next(&op->i) && i < m->code.words; i++)
            walk_add(&k, i);
        walk_next(&k, at);
    }
    walk_close(&k);
    *why = (struct meeting){ what, 0, at * CONV_INSN, ok };
    return !what;
}

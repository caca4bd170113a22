/* Chains of comparisons with constants become an indexed branch.
 * SPDX-License-Identifier: Apache-2.0
 *
 * clang spells a switch as `r == 0 ? A : r == 1 ? B : r == 2 ? C : D`, a larger one as a tree of `r
 * > c` with such chains below.  Four comparisons in a row, or three in a tree, with constants close
 * to each other, are one BRX through a table, as in NVIDIA's code (p_switch_in_loop); lanes then
 * part by rule 2, and meet at the post-dominator alone.  Of three in a row that stand alone the
 * first stays a branch, and the other two become the table: the order in which an H200 runs the
 * cases says so in twelve recorded switches (r0045, r0077, r0105, ...), and that all three stay
 * branches where a case falls into the default (r0021, r0105).  Something else may stand before the
 * first one's branch (r0175).  Index: min(r - lowest, n), whose
 * last entry is the default.
 *
 * Requires: edges.
 * Ensures:  edges, new where a chain became a BRX; dominators and loops have to be found again. */
#include <string.h>
#include "compiler/all.h"

enum { LEAST = 4, LEAST_IN_TREE = 3, MOST = 64, SPARSE = 2 };    /* cases; table entries a case */

struct chain { int reg, n; uint32_t value[MOST]; struct blk *to[MOST], *other; };

/* The comparison for a branch, right before it; early: others may stand between. */
static struct ins *compares(const struct ins *branch, bool early)
{
    struct ins *c = branch && branch->op == P_BRA && branch->guard >= 0 && !branch->guard_neg
                        ? branch->prev
                        : NULL;
    while (early && c && c->nops && (c->o[0].kind != O_REG || c->o[0].reg != branch->guard))
        c = c->prev;
    if (!c || c->op != P_SETP || c->cmp != CMP_EQ || c->guard >= 0 || c->nops != 3 ||
        type_size(c->type) != 4 || type_float(c->type) || c->o[0].reg != branch->guard ||
        c->o[0].reg2 >= 0 || c->o[1].kind != O_REG || c->o[1].neg || c->o[2].kind != O_IMM)
        return NULL;
    return c;
}

/* b is entered by a comparison of its register for order. */
static bool in_tree(const struct blk *b, int reg)
{
    const struct ins *t = b->npred == 1 ? blk_terminator(b->pred[0]) : NULL,
                     *c = t ? t->prev : NULL;
    return c && c->op == P_SETP && c->cmp == CMP_GT && c->o[1].kind == O_REG &&
           c->o[1].reg == reg && t->guard == c->o[0].reg;
}

/* How many instructions read each register. */
static int *count_reads(const struct fn *f)
{
    int r[MAX_INS_REGS], *reads = arena_alloc(f->m->arena, ((size_t)f->nregs + 1) * sizeof *reads);
    for (int k = 0; k < f->nblocks; k++)
        for (const struct ins *i = f->blocks[k]->first; i; i = i->next)
            for (int n = ins_sources(i, r), s = 0; s < n; s++) reads[r[s]]++;
    return reads;
}

/* The comparisons that start at the end of b, as far as they go. */
static void follow(const struct fn *f, const int *reads, struct blk *b, struct chain *c)
{
    c->n = 0;
    for (struct blk *at = b; c->n < MOST; at = c->other) {
        struct ins *t = blk_terminator(at), *cmp = compares(t, !c->n);
        if (!cmp || (c->n && (cmp->o[1].reg != c->reg || at->npred != 1 || at->first != cmp)) ||
            reads[cmp->o[0].reg] > 1)           /* by more than t */
            return;
        c->reg = cmp->o[1].reg;
        c->value[c->n] = (uint32_t)cmp->o[2].imm;
        c->to[c->n++] = t->targets[0];
        c->other = f->blocks[at->id + 1];
    }
}

static struct ins *append(struct fn *f, struct blk *b, enum pop op, int dst, int a, uint64_t imm,
                          const struct ins *near)
{
    struct ins *i = ins_new(f->m, op);
    i->type = T_U32;
    i->loc = near->loc;
    i->sfile = near->sfile;
    i->sline = near->sline;
    i->nops = 3;
    i->o[0] = (struct opd){ .kind = O_REG, .reg = dst, .reg2 = -1 };
    i->o[1] = (struct opd){ .kind = O_REG, .reg = a, .reg2 = -1 };
    i->o[2] = (struct opd){ .kind = O_IMM, .reg = -1, .reg2 = -1, .imm = imm };
    ins_append(b, i);
    return i;
}

/* b ends in `brx.idx min(reg - low, n)` instead of its comparison. */
static void make_index(struct fn *f, struct blk *b, const struct chain *c, uint32_t low, uint32_t n)
{
    struct ins *t = blk_terminator(b), *cmp = t->prev, *x = ins_new(f->m, P_BRX);
    ins_remove(b, t);
    ins_remove(b, cmp);
    int less = reg_new(f, T_U32), at = reg_new(f, T_U32);
    append(f, b, P_SUB, less, c->reg, low, t);
    append(f, b, P_MIN, at, less, n, t);
    x->loc = t->loc;
    x->sfile = t->sfile;
    x->sline = t->sline;
    x->nops = 1;
    x->o[0] = (struct opd){ .kind = O_REG, .reg = at, .reg2 = -1 };
    x->ntargets = (int)n + 1;
    x->targets = arena_alloc(f->m->arena, (n + 1) * sizeof *x->targets);
    for (uint32_t k = 0; k <= n; k++) x->targets[k] = c->other;
    /* the first comparison wins */
    for (int k = c->n - 1; k >= 0; k--) x->targets[c->value[k] - low] = c->to[k];
    ins_append(b, x);
}

/* Where control comes to on an edge to b: past a block that only jumps. */
static const struct blk *lands(const struct blk *b)
{
    const struct ins *t = blk_terminator(b);
    return t && t == b->first && t->op == P_BRA && t->guard < 0 ? t->targets[0] : b;
}

static void drop_first(struct chain *c)
{
    c->n--;
    memmove(c->value, c->value + 1, (size_t)c->n * sizeof *c->value);
    memmove(c->to, c->to + 1, (size_t)c->n * sizeof *c->to);
}

void switch_run(struct fn *f)
{
    fn_requires(f, KNOWN_EDGES);
    bool changed = false;
    struct chain c = { 0 };
    int *reads = count_reads(f);
    for (int k = 0; k + 1 < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        b->id = k;
        follow(f, reads, b, &c);
        if (c.n < LEAST && (c.n < LEAST_IN_TREE || !in_tree(b, c.reg))) {
            /* a case falls into the default */
            if (c.n != LEAST - 1 || lands(c.other)->npred > 1) continue;
            drop_first(&c);
            b = f->blocks[k + 1];
        }
        if (!compares(blk_terminator(b), false)) continue;
        uint32_t low = c.value[0], high = low;
        for (int j = 1; j < c.n; j++) {
            if ((int32_t)c.value[j] < (int32_t)low) low = c.value[j];
            if ((int32_t)c.value[j] > (int32_t)high) high = c.value[j];
        }
        if (high - low >= (uint32_t)(SPARSE * c.n)) continue;
        reads[blk_terminator(b)->guard]--;
        make_index(f, b, &c, low, high - low + 1);
        changed = true;
    }
    if (changed) cfg_refresh(f);
}

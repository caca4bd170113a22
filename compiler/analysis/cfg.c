/* The control-flow graph: basic blocks, edges, reverse post-order.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only a label that some branch names starts a block, so line-table labels change nothing.  The
 * entry block has no predecessor.  Blocks stand in the order of the text; a block that falls
 * through is followed by its successor, here and after every edit.
 *
 * Requires: a parsed function: one list of instructions, its labels resolved.
 * Ensures:  blocks, ids, edges and rpo; every block can be reached; what cannot carry a guard has a
 *           branch around it. */
#include "compiler/all.h"

static bool ends_block(const struct ins *i)
{
    switch (i->op) {
    case P_BRA: case P_BRX: case P_RET: case P_EXIT: case P_POP: return true;
    case P_TRAP: return i->guard < 0;
    default: return false;
    }
}

struct ins *blk_terminator(const struct blk *b)
{
    return b->last && ends_block(b->last) ? b->last : NULL;
}

struct blk *cfg_block_new(struct fn *f)
{
    struct blk *b = arena_alloc(f->m->arena, sizeof *b);
    int n = f->nblocks;
    if ((n & (n - 1)) == 0)
        f->blocks = arena_grow(f->m->arena, f->blocks, (size_t)n * sizeof *f->blocks,
                               (size_t)(n ? 2 * n : 1) * sizeof *f->blocks);
    f->blocks[f->nblocks++] = b;
    f->known &= ~(unsigned)KNOWN_GRAPH;
    b->id = n;
    return b;
}

struct ins *cfg_jump(struct fn *f, struct blk *from, struct blk *to)
{
    struct ins *jump = ins_new(f->m, P_BRA);
    jump->targets = arena_alloc(f->m->arena, sizeof *jump->targets);
    jump->targets[0] = to;
    jump->nops = jump->ntargets = 1;
    jump->o[0].kind = O_LABEL;
    ins_append(from, jump);
    return jump;
}

/* ---- blocks from the list -------------------------------------------------------------------- */

/* Marks the labels that control can reach: they get their block when it is made; until then,
 * themselves. */
static void mark_targets(struct fn *f)
{
    static struct blk wanted;       /* only its address is used */
    for (struct ins *i = f->first; i; i = i->next) {
        if (i->op == P_BRA) i->o[0].sym->blk = &wanted;
        if (i->op != P_BRX) continue;
        for (int k = 0; k < i->o[1].sym->nlist; k++) i->o[1].sym->labels[k].sym->blk = &wanted;
    }
}

/* Instructions that make lanes wait, and calls, have no guard in the machine: they get a branch
 * around them.  (Atomics on floats call the library.) */
static bool needs_branch(const struct ins *i)
{
    if (i->guard < 0) return false;
    switch (i->op) {
    case P_BAR: case P_BARRED: case P_BARWARP: case P_MATCH: case P_REDUX: case P_CALL: return true;
    case P_VOTE: case P_SHFL: return i->sync;
    case P_ATOM:
    case P_RED: return (type_float(i->type) && i->sub != AT_EXCH) || type_size(i->type) < 4;
    default: return false;
    }
}

static struct blk *branch_around(struct fn *f, struct blk *b, struct ins *i)
{
    struct ins *jump = cfg_jump(f, b, NULL);
    jump->guard = i->guard;
    jump->guard_neg = !i->guard_neg;
    jump->loc = i->loc;
    jump->sfile = i->sfile;
    jump->sline = i->sline;
    i->guard = -1;
    i->guard_neg = false;
    ins_append(cfg_block_new(f), i);
    return jump->targets[0] = cfg_block_new(f);
}

static void cut_blocks(struct fn *f)
{
    struct blk *b = cfg_block_new(f);
    struct ins *next;
    for (struct ins *i = f->first; i; i = next) {
        next = i->next;
        if (i->op == P_NOP && i->nops && i->o[0].kind == O_LABEL) {
            struct sym *label = i->o[0].sym;
            if (!label->blk) continue;
            if (b->first || b->id == 0) b = cfg_block_new(f);     /* several labels share a block */
            label->blk = b;
            if (!b->label) b->label = label->name;
            continue;
        }
        if (blk_terminator(b)) b = cfg_block_new(f);
        i->next = i->prev = NULL;
        if (needs_branch(i)) b = branch_around(f, b, i);
        else ins_append(b, i);
    }
    if (!blk_terminator(b) || b->last->guard >= 0) {           /* the text's end returns */
        if (blk_terminator(b)) b = cfg_block_new(f);
        ins_append(b, ins_new(f->m, P_RET));
    }
    f->first = f->last = NULL;
}

static void resolve_targets(struct fn *f, struct ins *i)
{
    int n = i->op == P_BRA ? 1 : i->o[1].sym->nlist;
    i->targets = arena_alloc(f->m->arena, (size_t)n * sizeof *i->targets);
    i->ntargets = n;
    for (int k = 0; k < n; k++)
        i->targets[k] = i->op == P_BRA ? i->o[0].sym->blk : i->o[1].sym->labels[k].sym->blk;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void add_succ(struct fn *f, struct blk *b, struct blk *to)
{
    for (int k = 0; k < b->nsucc; k++)
        if (b->succ[k] == to) return;
    int n = b->nsucc;
    if ((n & (n - 1)) == 0)
        b->succ = arena_grow(f->m->arena, b->succ, (size_t)n * sizeof *b->succ,
                             (size_t)(n ? 2 * n : 1) * sizeof *b->succ);
    b->succ[b->nsucc++] = to;
}

static void find_succ(struct fn *f, struct blk *b)
{
    struct ins *t = blk_terminator(b);
    struct blk *next = b->id + 1 < f->nblocks ? f->blocks[b->id + 1] : NULL;
    b->nsucc = 0;
    b->succ = NULL;
    if (t && t->op == P_BRA && t->guard >= 0 && t->targets[0] == next) {
        ins_remove(b, t);                                     /* both ways lead to the next block */
        t = NULL;
    }
    if (t) for (int k = 0; k < t->ntargets; k++) add_succ(f, b, t->targets[k]);
    if ((!t || t->guard >= 0) && next) add_succ(f, b, next);
}

static void find_pred(struct fn *f)
{
    for (int k = 0; k < f->nblocks; k++) f->blocks[k]->npred = 0;
    for (int k = 0; k < f->nblocks; k++)
        for (int s = 0; s < f->blocks[k]->nsucc; s++) f->blocks[k]->succ[s]->npred++;
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        b->pred = arena_alloc(f->m->arena, (size_t)(b->npred + 1) * sizeof *b->pred);
        b->npred = 0;
    }
    for (int k = 0; k < f->nblocks; k++)
        for (int s = 0; s < f->blocks[k]->nsucc; s++) {
            struct blk *to = f->blocks[k]->succ[s];
            to->pred[to->npred++] = f->blocks[k];
        }
}

/* Depth-first post-order, iterative: kernels have thousands of blocks in a row. */
static void find_rpo(struct fn *f)
{
    int n = f->nblocks, top = 0, out = n;
    struct blk **stack = arena_alloc(f->m->arena, (size_t)n * sizeof *stack);
    int *at = arena_alloc(f->m->arena, (size_t)n * sizeof *at);
    struct blk **order = arena_alloc(f->m->arena, (size_t)n * sizeof *order);
    for (int k = 0; k < n; k++) f->blocks[k]->rpo = -1;
    stack[top++] = f->blocks[0];
    f->blocks[0]->rpo = 0;
    while (top) {
        struct blk *b = stack[top - 1];
        if (at[b->id] < b->nsucc) {
            /* the last successor first: the one that falls through comes right after it in the
             * order */
            struct blk *s = b->succ[at[b->id]++];
            if (s->rpo < 0) {
                s->rpo = 0;
                stack[top++] = s;
            }
        } else {
            order[--out] = b;
            top--;
        }
    }
    f->rpo = order + out;
    f->nrpo = n - out;
    for (int k = 0; k < f->nrpo; k++) f->rpo[k]->rpo = k;
}

/* Lanes can't come here, so nothing falls through from here to a block that stays. */
static bool drop_unreachable(struct fn *f)
{
    int kept = 0, before = f->nblocks;
    for (int k = 0; k < f->nblocks; k++)
        if (f->blocks[k]->rpo >= 0) f->blocks[kept++] = f->blocks[k];
    f->nblocks = kept;
    return kept != before;
}

void cfg_refresh(struct fn *f)
{
    for (;;) {
        for (int k = 0; k < f->nblocks; k++) f->blocks[k]->id = k;
        for (int k = 0; k < f->nblocks; k++) find_succ(f, f->blocks[k]);
        find_rpo(f);
        if (!drop_unreachable(f)) break;
    }
    find_pred(f);
    f->known = (f->known & ~(unsigned)KNOWN_GRAPH) | KNOWN_EDGES;
}

void cfg_retarget(struct blk *from, const struct blk *old, struct blk *to)
{
    struct ins *t = blk_terminator(from);
    for (int k = 0; t && k < t->ntargets; k++)
        if (t->targets[k] == old) t->targets[k] = to;
}

bool cfg_falls(const struct blk *b)
{
    const struct ins *t = blk_terminator(b);
    return !t || t->guard >= 0;
}

/* Where b stands; ids are those of the last cfg_refresh, and later edits moved it to the right at
 * most. */
static int position(const struct fn *f, const struct blk *b)
{
    int k = b->id;
    while (f->blocks[k] != b) k++;
    return k;
}

/* The last block of the layout, which is new, goes to position `at`. */
static struct blk *stand_at(struct fn *f, int at)
{
    struct blk *b = f->blocks[f->nblocks - 1];
    for (int k = f->nblocks - 1; k > at; k--) f->blocks[k] = f->blocks[k - 1];
    return f->blocks[at] = b;
}

struct blk *cfg_split(struct fn *f, struct blk *b, struct ins *at)
{
    struct blk *rest = cfg_block_new(f);
    rest->label = b->label ? arena_printf(f->m->arena, "%s.%d", b->label, rest->id) : NULL;
    for (struct ins *i = at, *next; i; i = next) {
        next = i->next;
        ins_remove(b, i);
        ins_append(rest, i);
    }
    return stand_at(f, position(f, b) + 1);
}

struct blk *cfg_interpose(struct fn *f, struct blk *b, const bool *in, bool *falls)
{
    struct blk *e = cfg_block_new(f);
    int at = position(f, b);
    struct blk *above = at ? f->blocks[at - 1] : NULL;
    *falls = !above || !cfg_falls(above);
    for (int k = 0; k < b->npred; k++) {
        if (!in[k]) continue;
        cfg_retarget(b->pred[k], b, e);
        *falls |= b->pred[k] == above;
    }
    return *falls ? stand_at(f, at) : e;
}

struct blk *cfg_split_edge(struct fn *f, struct blk *from, int succ)
{
    struct blk *to = from->succ[succ], *b = cfg_block_new(f);
    struct ins *t = blk_terminator(from);
    bool falls = succ == from->nsucc - 1 && cfg_falls(from);
    b->label = arena_printf(f->m->arena, "%s.%d", to->label ? to->label : "edge", b->id);
    if (falls) {
        stand_at(f, position(f, from) + 1);        /* between the two; ids stay until cfg_refresh */
    } else {
        struct ins *jump = cfg_jump(f, b, to);
        jump->loc = t->loc;
        jump->sfile = t->sfile;
        jump->sline = t->sline;
        cfg_retarget(from, to, b);
    }
    from->succ[succ] = b;
    return b;
}

void cfg_build(struct fn *f)
{
    mark_targets(f);
    cut_blocks(f);
    for (int k = 0; k < f->nblocks; k++) {
        struct ins *t = blk_terminator(f->blocks[k]);
        if (t && (t->op == P_BRA || t->op == P_BRX) && !t->targets) resolve_targets(f, t);
    }
    cfg_refresh(f);
}

/* Rotation of loops: the test at a loop's head is copied to its end.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A loop's last block branches out of it and jumps back, in the text.  Where the block to which it
 * leaves does not follow, and the head of the loop ends in a branch out of it too, NVIDIA's
 * compiler puts a copy of the head in place of the jump, whatever else stands in the head, unless
 * it calls a function.  The copy branches back to what follows the head: there the loop begins
 * now, and the head is the first turn's.  A loop of one block becomes its first turn and a loop of
 * the other ones.  Barriers are those of the loop as it was, YIELDs those of the new one.
 *
 * Heads with collectives, which lanes execute at one place, or where lanes wait, for lanes of the
 * loop alone, heads that go back to another loop's themselves, and our library stay as they are.
 *
 * Requires: a placement, with edges, loops, divergence; branches back that order.c has marked.
 * Ensures:  what it requires, with dominators; loops that may wait are marked again. */
#include <string.h>
#include "compiler/all.h"

static bool stays_one(const struct ins *i)
{
    switch (i->op) {
    case P_CALL: case P_VOTE: case P_SHFL: case P_MATCH: case P_REDUX: case P_ACTIVEMASK:
    case P_BARWARP: case P_BSYNC:
        return true;
    default: return false;
    }
}

/* The loop's head ends in a branch that may leave the loop, and all of it can be copied. */
static bool head_tests(const struct loop *l)
{
    const struct blk *h = l->header;
    const struct ins *t = blk_terminator(h);
    if (!t || t->op != P_BRA || t->guard < 0 || h->nsucc != 2) return false;
    if (loop_has(l, h->succ[0]) == loop_has(l, h->succ[1])) return false;
    for (const struct ins *i = h->first; i; i = i->next)
        if (stays_one(i)) return false;
    return true;
}

/* The loop to which b's marked branch goes back; NULL: it is to be left alone. */
static struct loop *goes_back(const struct blk *b)
{
    const struct ins *t = blk_terminator(b);
    if (!t || t->op != P_BRA || !t->rotate || b->nsucc != 2) return NULL;
    struct loop *l = b->succ[0]->loop;
    if (!l || l->header != b->succ[0] || l->irreducible || !loop_has(l, b)) return NULL;
    if (!head_tests(l)) return NULL;
    return l->header != b && blk_terminator(l->header)->rotate ? NULL : l;
}

bool rotates(const struct fn *f, const struct blk *b) { return !f->m->is_library && goes_back(b); }

/* Nothing but b's way on: a jump. */
static bool only_jumps(const struct blk *b)
{
    return b->first && b->first == b->last && b->first->op == P_BRA && b->first->guard < 0 &&
           b->npred == 1;
}

static struct blk *copy_head(struct fn *f, const struct loop *l)
{
    struct blk *h = l->header, *copy = cfg_block_new(f);
    const bool stays = !loop_has(l, h->succ[0]);        /* who does not branch stays in the loop */
    for (const struct ins *i = h->first; i; i = i->next) {
        struct ins *c = ins_new(f->m, i->op);
        *c = *i;
        ins_append(copy, c);
    }
    struct ins *t = copy->last;
    t->targets = arena_alloc(f->m->arena, sizeof *t->targets);
    t->targets[0] = h->succ[stays] == h ? copy : h->succ[stays];
    t->guard_neg ^= stays;
    t->rotate = false;
    copy->divergent = h->divergent;
    return copy;
}

/* f->blocks[k] goes back: the copy comes after it, then what followed it, unless that only jumped.
 * The number of blocks that have been looked at. */
static int rotate(struct fn *f, int k, const struct loop *l, struct blk **out, int *n)
{
    struct blk *b = f->blocks[k], *to = b->succ[1];
    struct blk *leave = l->header->succ[!loop_has(l, l->header->succ[0]) ? 0 : 1];
    struct ins *t = blk_terminator(b);
    const bool skips = only_jumps(to);
    const int next = k + 1 + skips;
    if (skips && leave == to) leave = to->succ[0];      /* a loop of one block: b is its head */
    out[(*n)++] = b;
    out[(*n)++] = copy_head(f, l);
    t->targets[0] = skips ? to->succ[0] : to;
    t->guard_neg = !t->guard_neg;
    t->rotate = false;
    if (next < f->nblocks && f->blocks[next] == leave) return next - k;
    cfg_jump(f, out[(*n)++] = cfg_block_new(f), leave);
    return next - k;
}

void rotate_run(struct fn *f)
{
    int n = 0;
    const int before = f->nblocks;
    struct blk **out = arena_alloc(f->m->arena, 3 * (size_t)before * sizeof *out);
    const struct loop **back = arena_alloc(f->m->arena, (size_t)before * sizeof *back);
    if (f->npredictions || f->m->is_library) return;
    for (int k = 0; k < before; k++) back[k] = goes_back(f->blocks[k]);
    for (int k = 0, done; k < before; k += done) {
        const struct loop *l = back[k];
        done = l ? rotate(f, k, l, out, &n) : 1;
        if (!l) out[n++] = f->blocks[k];
    }
    if (f->nblocks == before) return;
    while (f->nblocks < n) cfg_block_new(f);
    memcpy(f->blocks, out, (size_t)n * sizeof *out);
    f->nblocks = n;
    cfg_refresh(f);
    dom_build(f);
    loop_build(f);
    wait_run(f);
}

/* Warps whose lanes take random ways through placed barriers: no lane joins twice, no warp gets
 * stuck.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef RANDOM_WAYS_H
#define RANDOM_WAYS_H
#include "random_cfg.h"

enum { LANES = 8, MAX_VB = 64, STEPS = 3000 };
struct lane {
    const struct blk *b;
    const struct ins *i;
    int edge;
    uint64_t in;
    int blocked;
    bool out;
};

static inline void enter(struct lane *l, const struct blk *b, uint32_t *s)
{
    l->b = b;
    l->i = b->first;
    l->edge = b->nsucc ? (int)rnd(s, (uint32_t)b->nsucc) : 0;
}

/* Whether the lane's guard holds follows from the edge that it will take. */
static inline bool executes(const struct lane *l)
{
    const struct ins *t = blk_terminator(l->b);
    if (l->i->guard < 0 || !t || t->guard != l->i->guard) return true;
    return (l->i->guard_neg == t->guard_neg) == (l->edge == 0);
}

static inline void run_one(const struct fn *f, struct lane *l, uint32_t *s)
{
    const struct ins *i = l->i;
    uint64_t bit = i && i->vb >= 0 ? 1ull << i->vb : 0;
    if (!i || i == blk_terminator(l->b)) {
        if (l->b->nsucc) {
            enter(l, l->b->succ[l->edge], s);
            return;
        }
        if (!f->entry) assert_true(l->in == 0);      /* a callee that returns has left everything */
        l->out = true;
        l->in = 0;
        return;
    }
    if (i->op == P_BSSY) {
        assert_true(!(l->in & bit));
        l->in |= bit;
    }
    if (i->op == P_BREAK && executes(l)) l->in &= ~bit;
    if (i->op == P_BSYNC && (l->in & bit)) {
        l->blocked = i->vb;
        return;
    }
    l->i = i->next;
}

static inline bool release(struct lane *lane)
{
    for (int k = 0; k < LANES; k++) {
        int b = lane[k].blocked;
        bool complete = b >= 0;
        for (int j = 0; j < LANES && complete; j++)
            complete = !(lane[j].in >> b & 1) || lane[j].blocked == b;
        if (!complete) continue;
        for (int j = 0; j < LANES; j++)
            if (lane[j].blocked == b) {
                lane[j].blocked = -1;
                lane[j].in &= ~(1ull << b);
                lane[j].i = lane[j].i->next;
            }
        return true;
    }
    return false;
}

static inline void simulate(const struct fn *f, uint32_t *s)
{
    struct lane lane[LANES] = { 0 };
    for (int k = 0; k < LANES; k++) {
        enter(&lane[k], f->blocks[0], s);
        lane[k].blocked = -1;
    }
    for (int step = 0; step < STEPS; step++) {
        int ready = 0, live = 0, pick[LANES];
        for (int k = 0; k < LANES; k++) {
            live += !lane[k].out;
            if (!lane[k].out && lane[k].blocked < 0) pick[ready++] = k;
        }
        if (!live) return;
        if (release(lane)) continue;
        if (!ready) fail_msg("a warp is stuck");
        run_one(f, &lane[pick[rnd(s, (uint32_t)ready)]], s);
    }
}
#endif

/* Warps that run from their start to their end as translated code, one after the other.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A short kernel spends most of its time in starting warps.  So where all slots are empty, and a
 * kernel begins with a region, the warps of the next blocks run in the order and for the quantum
 * that they would have, but in one warp's place, which stays in the host's cache, and without
 * what they do not need: a convergence unit, block barriers, the special registers of a block.
 *
 * A warp that does not end in its first quantum, or comes to what no region executes, moves to the
 * slot that it would have had; the blocks after it are placed as ever, and all go on from there. */
#include "cmodel/fast/sweep.h"
#include <string.h>

struct sweep {
    struct fast *f;
    struct model *m;
    struct warp *w;                         /* the place */
    const struct region *first;
    struct region_state state;
    struct region_window window[REGION_ROWS];
    bool straight;                          /* the launch is such that ways may be straight */
    u32 before;                             /* of its block, warps that have ended */
};

static u32 lanes_of(const struct launch *k, u32 number)
{
    const u32 lanes = k->threads - number * HD_LANES;
    return lanes < HD_LANES ? (1u << lanes) - 1 : ~0u;
}

/* One warp from the start; false: it has not ended, and continues at *at. */
static bool run_warp(struct sweep *s, u32 slot, u32 number, u32 *at)
{
    struct model *m = s->m;
    struct region_state *st = &s->state;
    const u64 done = st->done;
    st->sr = (const u32 (*)[HD_LANES])m->warp[number].sr;
    st->active = lanes_of(&m->launch, number);
    if (s->straight && st->active == ~0u && s->first->straight(st)) {
        m->count.active_lanes += HD_LANES * (st->done - done);
        return true;
    }
    s->w->slot = slot;
    s->w->number = number;
    st->tally = bbv_tally_of(s->f, slot);
    memset(s->w->p, 0, sizeof s->w->p);
    s->w->p[PRED_TRUE] = ~0u;
    memset(s->w->r, 0, m->code.rows_used * sizeof *s->w->r);
    st->left = done + QUANTUM;
    *at = s->first->run(st);
    m->count.active_lanes += (u64)__builtin_popcount(st->active) * (st->done - done);
    return st->ended;
}

/* Whether SREG_TID_X is one more from lane to lane of a full warp, and the rest of it the same. */
static bool tid_steps(const struct launch *k)
{
    return k->block.x % HD_LANES == 0 || (k->block.y == 1 && k->block.z == 1);
}

/* The blocks of the slots from `slot' on are placed; of the first, the warp that did not end stands
 * where it came to, and those before it have ended. */
static void move(struct sweep *s, u32 slot, u32 blocks, u32 at)
{
    struct model *m = s->m;
    const u32 warps = m->launch.warps_block;
    m->changes -= blocks - slot;
    for (u32 k = slot; k < blocks; k++)
        model_place(m, k, (u32)m->next_block);
    struct block *b = &m->block[slot];
    struct warp *w = &m->warp[slot * warps + s->before];
    for (u32 k = 0; k < s->before; k++) {
        m->warp[slot * warps + k].block = NULL;
        b->warps_live--;
        b->lanes_live -= (u32)__builtin_popcount(lanes_of(&m->launch, k));
    }
    memcpy(w->r, s->w->r, m->code.rows_used * sizeof *w->r);
    memcpy(w->p, s->w->p, sizeof w->p);
    w->conv.pc = at * CONV_INSN;
}

static const struct region *entry_region(const struct fast *f)
{
    const struct model *m = f->m;
    const u32 at = m->launch.entry / CONV_INSN;
    if (!f->native || m->launch.entry % CONV_INSN || at >= m->code.words ||
        f->code[at].go != GO_NATIVE)
        return NULL;
    return &f->native->table->region[f->code[at].region];
}

u32 sweep_blocks(const struct fast *f, const struct fast_run *how)
{
    const struct model *m = f->m;
    const u64 left = launch_blocks(&m->launch) - m->next_block;
    const u32 slots = m->launch.block_slots, n = left < slots ? (u32)left : slots;
    const u64 most = (u64)n * m->launch.warps_block * QUANTUM;
    const bool room = !how->limit || (m->seq < how->limit && how->limit - m->seq >= most);
    return room && m->blocks_ended == m->next_block && entry_region(f) ? n : 0;
}

struct stand sweep(struct fast *f, u32 blocks)
{
    struct model *m = f->m;
    const struct launch *k = &m->launch;
    struct sweep s = { .f = f, .m = m, .w = &m->warp[m->limits.warps], .first = entry_region(f) };
    struct stand stand = { .slot = blocks * k->warps_block };
    u32 slot = 0, at = 0;
    bool ended = true;
    region_begin(f, s.w, &s.state);
    s.state.whole = true;
    s.state.barrier = NULL;
    s.state.clock = k->clock + m->seq;
    s.state.window = s.window;
    s.straight = s.first->straight && !f->watching && !f->meet && !f->bbv &&
                 tid_steps(k);
    for (; slot < blocks && ended; slot += ended) {
        const u32 linear = (u32)m->next_block;
        s.state.ctaid[0] = linear % k->grid.x;
        s.state.ctaid[1] = linear / k->grid.x % k->grid.y;
        s.state.ctaid[2] = linear / k->grid.x / k->grid.y;
        s.w->block_slot = slot;
        for (s.before = 0; s.before < k->warps_block && ended; s.before += ended) {
            const u64 done = s.state.done;
            s.state.ended = false;
            ended = run_warp(&s, slot * k->warps_block + s.before, s.before, &at);
            stand.done = s.state.done - done;
            m->changes += ended;
            if (ended && f->bbv)
                bbv_counted(f, slot * k->warps_block + s.before, linear, s.before);
        }
        m->next_block += ended;
        m->blocks_ended += ended;
    }
    m->seq += s.state.done;
    m->count.thread_insns += s.state.threads;
    region_counts(f, &s.state);
    if (!ended) {
        stand.slot = slot * k->warps_block + s.before;
        move(&s, slot, blocks, at);
    }
    return stand;
}

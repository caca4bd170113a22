/* Cycles of the core: what each warp does in each, and the instruction that pays for it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A warp's instructions issue and retire in order, so they are numbered by their issue.  A cycle
 * before an instruction issues goes to that instruction, when it waits for itself (fetch, operands,
 * its unit); and to the one that issued last, when the warp waits for that one (memory, the
 * convergence unit, a block barrier).  Which place an instruction has is known when it retires, so
 * its cycles are kept until then. */
#include "harness/view/profile.h"
#include "cmodel/machine/launch.h"
#include <stdlib.h>
#include <string.h>

enum { OUT = 64 }; /* instructions of a warp between issue and retirement, at most */

struct warp_cycles {
    bool alive, blocked; /* blocked: no lane of it can run after its last commit */
    uint64_t first;      /* cycle of its first fetch */
    uint64_t issued, retired;
    int last;                        /* place of its last commit */
    int warp;                        /* index in profile.warp; -1: nothing of it has retired */
    uint64_t wait[OUT][CYCLE_COUNT]; /* by number: cycles of those that have not retired */
    uint64_t total[CYCLE_COUNT];     /* before the warp is known */
    /* the stage that is being told */
    uint64_t stage_index, stage_from;
    enum profile_cycle stage;
};

struct profile_cycles {
    struct warp_cycles w[LAUNCH_WARPS];
    unsigned owner; /* whose instruction issued last */
    profile_stage_fn *on_stage;
    void *user;
};

bool profile_cycles_open(struct profile *p)
{
    return (p->cycles = calloc(1, sizeof *p->cycles)) != NULL;
}
void profile_cycles_free(struct profile *p) { free(p->cycles); }

void profile_on_stage(struct profile *p, profile_stage_fn *fn, void *user)
{
    p->cycles->on_stage = fn;
    p->cycles->user = user;
}

static void end_stage(struct profile_cycles *c, unsigned slot, uint64_t to)
{
    struct warp_cycles *w = &c->w[slot];
    if (c->on_stage && w->stage_from < to)
        c->on_stage(c->user, slot, w->stage_index, w->stage, w->stage_from, to);
    w->stage_from = to;
}

static void charge(struct profile *p, unsigned slot, uint64_t index, enum profile_cycle why,
                   uint64_t cycle)
{
    struct profile_cycles *c = p->cycles;
    struct warp_cycles *w = &c->w[slot];
    if (w->stage != why || w->stage_index != index) {
        end_stage(c, slot, cycle);
        w->stage = why;
        w->stage_index = index;
    }
    if (index < w->retired && w->last >= 0)
        p->place[w->last].k.cycles[why]++;
    else
        w->wait[index % OUT][why]++;
    if (w->warp >= 0)
        p->warp[w->warp].k.cycles[why]++;
    else
        w->total[why]++;
    p->all.cycles[why]++;
}

/* Why the next instruction, which is in the buffer, does not issue. */
static enum profile_cycle held(const struct hd_issue *i, uint32_t bit)
{
    if (i->filling & bit)
        return CYCLE_FILL;
    if (i->ready_lsu & bit)
        return i->port_free && !i->lsu_free ? CYCLE_UNIT : CYCLE_PORT;
    if (i->ready_conv & bit)
        return i->port_free && !i->conv_free ? CYCLE_UNIT : CYCLE_PORT;
    return i->ready_other & bit ? CYCLE_PORT : CYCLE_SCOREBOARD;
}

static void live_cycle(struct profile *p, const struct hd_issue *i, unsigned slot)
{
    struct warp_cycles *w = &p->cycles->w[slot];
    const uint32_t bit = 1u << slot;
    const uint64_t before = w->issued ? w->issued - 1 : 0;
    if (i->issues && i->slot == slot) {
        charge(p, slot, w->issued++, CYCLE_ISSUE, i->cycle);
        p->cycles->owner = slot;
    } else if (i->beats && p->cycles->owner == slot && w->issued)
        charge(p, slot, before, CYCLE_ISSUE, i->cycle);
    else if (i->memory & bit)
        charge(p, slot, before, CYCLE_MEMORY, i->cycle);
    else if (i->buffered & bit)
        charge(p, slot, w->issued, held(i, bit), i->cycle);
    else if (i->fetching & bit)
        charge(p, slot, w->issued, CYCLE_FETCH, i->cycle);
    else
        charge(p, slot, before,
               w->blocked && w->retired == w->issued ? CYCLE_BARRIER : CYCLE_CONVERGE, i->cycle);
}

void profile_cycle(struct profile *p, const struct hd_issue *i)
{
    for (unsigned slot = 0; slot < LAUNCH_WARPS; slot++) {
        struct warp_cycles *w = &p->cycles->w[slot];
        if (!w->alive && i->fetching >> slot & 1)
            *w = (struct warp_cycles){
                .alive = true, .first = i->cycle, .warp = -1, .last = -1, .stage_from = i->cycle
            };
        if (w->alive)
            live_cycle(p, i, slot);
    }
}

void profile_cycles_commit(struct profile *p, const struct view_commit *c, struct profile_warp *to,
                           int place)
{
    const unsigned slot = c->slot % LAUNCH_WARPS;
    struct warp_cycles *w = &p->cycles->w[slot];
    if (w->warp < 0) {
        w->warp = (int)(to - p->warp);
        to->first = w->first;
        for (unsigned k = 0; k < CYCLE_COUNT; k++)
            to->k.cycles[k] += w->total[k];
    }
    if (!c->unwind) { /* a pop without an instruction has not issued */
        uint64_t *wait = w->wait[w->retired++ % OUT];
        for (unsigned k = 0; k < CYCLE_COUNT; k++)
            p->place[place].k.cycles[k] += wait[k];
        memset(wait, 0, sizeof w->wait[0]);
        w->last = place;
    }
    w->blocked = !c->next_active && c->live;
    if (!c->live || c->fault) {
        end_stage(p->cycles, slot, c->cycle + 1);
        w->alive = false;
    }
}

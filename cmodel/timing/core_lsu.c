/* The LSU: rtl/mem/lsu.v and its parts.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Four places go round the slots, as in the RTL: in, walk, result, out.  When an instruction's walk
 * starts, all that it does is laid out at once: nothing that comes later changes it.  Then its
 * result waits for a cycle of the write port, and it retires. */
#include "cmodel/timing/core_state.h"

enum { READS = 32, WRITES = 128 };      /* on their way at most */

/* ---- the walk -------------------------------------------------------------------------------- */

/* Its sectors are handed on from the cycle `at` on at the earliest; the cycle of the last. */
static u64 walk_sectors(struct core *c, struct access *a, u64 at)
{
    u64 end = at;
    for (u32 i = 0; i < a->n; i++, at++) {
        at = on_way_free(a->store ? &c->reads : &c->writes, at, a->sector[i]);
        at = on_way_room(a->store ? &c->writes : &c->reads, at, a->store ? WRITES : READS);
        if (a->store) {
            a->through = memory_write(c, at + 1);
            on_way_put(&c->writes, a->sector[i], at, a->through);
        } else {
            a->through = memory_read(c, at);
            on_way_put(&c->reads, a->sector[i], at, a->through);
        }
        end = at;
    }
    a->through++;
    return end;
}

/* Reads, works on one lane after the other, and writes, a sector after the other. */
static u64 walk_atomic(struct core *c, struct access *a, u64 at)
{
    u64 idle = 0;
    for (u32 i = 0; i < a->n; i++, at++) {
        u64 taken = c->read_end = later(memory_read(c, at), idle);
        a->through = memory_write(c, taken + a->lanes[i] + 2);
        idle = taken + a->lanes[i] + 2;
    }
    return a->through + 1;
}

/* A range has been looked up in the cycle `at`. */
static void learn(struct core *c, int range, u64 at)
{
    for (u32 k = 0; k < 4; k++)
        if (range < 0 || c->known[k].range == range)
            return;
    c->known[c->next_known].range = range;
    c->known[c->next_known].from = at + 1;
    c->next_known = (c->next_known + 1) % 4;
}

/* The next instruction's walk starts in the cycle `at`; chained: it follows at once. */
static void walk(struct core *c, struct access *a, u64 at)
{
    const bool alone = a->atom || (a->store && a->space == SPACE_LOCAL);
    if (!a->n && !a->passes) {
        a->through = at + 1;
        c->walk_free = at + 1;
        c->walk_chain = NEVER;
        return;
    }
    if (a->space == SPACE_SHARED) {
        c->shared_free = at + a->passes + (a->atom ? 1 : 0);
        a->through = at + a->passes + (a->store ? 1 : 2);
        c->walk_free = at + 1;
        c->walk_chain = NEVER;
        return;
    }
    if (!a->sure)
        learn(c, a->range, at + 2);
    if (!a->sure && !a->load)                   /* all are looked up before any is written */
        at += a->n + 2;
    if (alone) {
        u64 end = a->atom ? walk_atomic(c, a, at + 2) : walk_sectors(c, a, at + 2);
        end = a->atom ? end : a->through;
        a->through = end + 1;
        c->walk_chain = end;
    } else {
        u64 end = walk_sectors(c, a, at + 2);
        c->walk_chain = a->sure ? end - 1 : end;
    }
    c->walk_free = c->walk_chain + 1;
}

static void walk_cycle(struct core *c)
{
    struct access *a = &c->access[c->walk % SLOTS];
    const bool shared = a->space == SPACE_SHARED && a->passes;
    if (c->walk == c->in || a->at >= c->now)
        return;
    if (!(a->load || shared || (a->store && a->space != SPACE_LOCAL)) && c->walk != c->out)
        return;
    const bool chained = c->now >= c->walk_chain && a->sure && !shared && a->n && !a->atom;
    if (c->now < c->walk_free && !chained)
        return;
    if (shared && c->now < c->shared_free)
        return;
    walk(c, a, c->now);
    c->walk++;
}

/* ---- results and the end --------------------------------------------------------------------- */

/* For want of a cycle it has waited long: one is kept. */
static void starve(struct core *c, bool waits, u32 beats)
{
    const u32 last = c->of[CORE_float] + 1;
    if (!waits)
        c->lsu_since = c->now + 1;
    else if (c->now - c->lsu_since >= c->of[CORE_patience] && c->lsu_slot < c->now &&
             !(c->write >> last & 3)) {
        c->write |= (beats ? 3ull : 1ull) << last;
        c->lsu_slot = c->now + last;
    }
}

/* When anything can happen, from this cycle on. */
static u64 lsu_due(const struct core *c)
{
    u64 due = NEVER;
    if (c->in == c->out)
        return NEVER;
    if (c->out != c->result)
        return c->now;
    if (c->result != c->walk)
        due = c->access[c->result % SLOTS].through;
    if (c->walk != c->in) {
        const struct access *a = &c->access[c->walk % SLOTS];
        u64 at = later(a->at + 1, c->walk_chain < c->walk_free ? c->walk_chain : c->walk_free);
        due = at < due ? at : due;
    }
    return due > c->now ? due : c->now;
}

void lsu_cycle(struct core *c)
{
    if (c->lsu_last + 1 != c->now)
        c->lsu_since = c->now;
    c->lsu_last = c->now;
    walk_cycle(c);                              /* it sees who had retired before */
    struct access *oldest = &c->access[c->out % SLOTS], *next = &c->access[c->result % SLOTS];
    bool ending = c->out != c->result, waits = false;
    const bool through = c->result != c->walk && next->through <= c->now;
    const bool at_once = through && !next->beats && !ending;
    bool ready = !(c->commits & 1) && !c->held;
    const u32 kept = next->beats && through;
    if ((ending || at_once) && oldest->carrier && !oldest->popped) {
        oldest->popped = ready && unit_pop(c, &oldest->pop);
        ready = false;
    }
    if (through && next->beats && (!ending || ready)) {
        if (c->write & 1 && c->lsu_slot != c->now)
            waits = true;
        else if (!--next->beats)
            c->result++;
    }
    if (ending || at_once) {
        waits |= !ready && !c->held;
        if (ready) {
            c->out++;
            c->result += at_once;
            issue_retired(c, oldest->warp);
        }
    }
    starve(c, waits, kept);
    c->lsu_next = lsu_due(c);
}

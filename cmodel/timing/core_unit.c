/* The convergence unit: its queue, its steps, block barriers, and the stack's fills:
 * rtl/converge/.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A step is a cycle.  The caller says how many steps an instruction takes.  When a block barrier is
 * complete nothing else issues until what was issued has retired and every warp of the block has
 * been visited. */
#include "cmodel/timing/core_state.h"

/* A new warp waits for other instructions no longer: rtl/front/starve.v. */
enum { START_PATIENCE = 8 };
enum { S_IDLE, S_STEPS, S_HOLD, S_VISIT, S_END };

void unit_push(struct core *c, u32 warp, const struct decoded *i, const struct core_did *d, u64 at)
{
    struct control *k = &c->control[c->put++ % QUEUE];
    k->at = at;
    k->warp = warp;
    k->steps = d->steps + (i->wait || i->exit ? 2 : 1);
    if (i->exit && d->rec->filled)              /* it waits for the tokens at the queue's head */
        k->steps += c->of[CORE_memory] + 3;
    k->pc = d->pc;
    k->runs = d->runs;
    k->unwinds = d->unwinds;
    k->ended = d->ended;
    k->releases = d->releases;
    k->freed = d->freed;
    for (u32 m = d->freed; m; m &= m - 1)
        k->freed_pc[lowest(m)] = d->freed_pc[lowest(m)];
}

/* Chunks that leave and come; the tokens on chip. */
void unit_tokens(struct core *c, u32 warp, const struct hd_commit *rec)
{
    struct warp_time *t = &c->warp[warp];
    if (rec->spilled) {
        t->chip -= rec->spilled;
        t->spilled += rec->spilled;
        t->spill_end = memory_write(c, c->now + c->of[CORE_step]);
    }
    if (rec->filled) {
        t->spilled -= rec->filled;
        t->chip += rec->filled;
    }
    t->chip = t->chip + (rec->pushed != 0) - (rec->popped != 0);
}

/* The tokens are wanted in this cycle: when they are there. */
u64 unit_fill(struct core *c, u32 warp, u64 at)
{
    return memory_read_between(c, later(at, c->warp[warp].spill_end) + 2, 1) + 1;
}

static void goes_on(struct core *c, u32 warp, bool runs, bool unwinds, u32 pc)
{
    struct warp_time *t = &c->warp[warp];
    if (runs)
        fetch_go(c, warp, pc);
    if (unwinds)
        c->unwinding |= bit(warp);
    if (unwinds && !t->chip && t->spilled)
        t->filled = unit_fill(c, warp, c->now + 1);
}

static void finish(struct core *c, struct control *k)
{
    if (k->ended)
        blocks_ended(c, k->warp);
    else if (!(k->freed >> k->warp & 1))
        goes_on(c, k->warp, k->runs, k->unwinds, k->pc);
    c->get++;
    c->step = S_IDLE;
    c->held = false;
    c->commits |= 2;
}

static u32 mates(const struct core *c, u32 warp)
{
    return warp / c->g.warps_block * c->g.warps_block;
}

/* A step of the instruction at the head of the queue. */
static void step(struct core *c)
{
    struct control *k = &c->control[c->get % QUEUE];
    switch (c->step) {
    case S_IDLE:
        c->left = k->releases ? 2 : k->steps;
        c->step = S_STEPS;
        /* fall through */
    case S_STEPS:
        if (--c->left)
            break;
        if (!k->releases) {
            finish(c, k);
            break;
        }
        c->step = S_HOLD;
        c->held = true;
        break;
    case S_HOLD:
        if (c->last_retire >= c->now)
            break;
        c->step = S_VISIT;
        c->visit = 0;
        c->left = 0;
        break;
    case S_VISIT: {
        u32 w = mates(c, k->warp) + c->visit;
        if (k->freed >> w & 1) {
            if (!c->g.stack_mode && !c->left++)
                break;                          /* it picks a group in a step of its own */
            fetch_go(c, w, k->freed_pc[w]);
            c->left = 0;
        }
        if (++c->visit == c->g.warps_block) {
            c->step = S_END;
            c->left = k->ended || k->freed >> k->warp & 1 ? 1 : 1 + k->steps - 2;
        }
        break;
    }
    default:
        if (!--c->left)
            finish(c, k);
        break;
    }
}

bool unit_pop(struct core *c, const struct pop *p)
{
    for (u32 i = 0; i < c->pops; i++)
        if (c->pop[i].at == c->now)
            return false;
    if (!c->held)
        goes_on(c, p->warp, p->runs, p->unwinds, p->pc);
    return !c->held;
}

/* A carrier of the pipeline pops in this cycle. */
static bool popping(struct core *c)
{
    for (u32 i = 0; i < c->pops; i++)
        if (c->pop[i].at == c->now) {
            const struct pop p = c->pop[i];
            c->pop[i] = c->pop[--c->pops];
            goes_on(c, p.warp, p.runs, p.unwinds, p.pc);
            return true;
        }
    return false;
}

bool unit_cycle(struct core *c, bool start, u32 *unwinds)
{
    const bool starts = start && c->step == S_IDLE && c->start_waited >= START_PATIENCE;
    const bool some = c->put != c->get && !starts &&
                      (c->step != S_IDLE || c->control[c->get % QUEUE].at <= c->now);
    c->start_waited = start ? c->start_waited + 1 : 0;
    if (c->pops && popping(c))
        return true;
    if (c->unwinding && c->step == S_IDLE && !(c->resumed && (some || start))) {
        u32 ready = 0;
        for (u32 m = c->unwinding; m; m &= m - 1)
            if (c->warp[lowest(m)].filled <= c->now)
                ready |= m & -m;
        if (ready) {
            *unwinds = c->last_unwound = pick(ready, c->last_unwound);
            c->resumed = true;
            return false;
        }
    }
    if (some || start)
        c->resumed = false;
    if (some)
        step(c);
    else if (start) {
        c->start_waited = 0;
        blocks_started(c);
    }
    return true;
}

/* A step of unwinding: of a warp whose tokens are on chip, else it asks for them. */
void unit_unwound(struct core *c, const struct core_did *d)
{
    const u32 w = c->last_unwound;
    c->warp[w].filled = 0;
    unit_tokens(c, w, d->rec);
    c->unwinding &= ~bit(w);
    goes_on(c, w, d->runs, d->unwinds, d->pc);
    c->commits |= 2;
}

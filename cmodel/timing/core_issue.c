/* Which warp issues: rtl/front/issue.v, scoreboard.v, slots.v.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first warp in turn issues whose next instruction has its operands, retires in order, and has
 * its unit and a cycle of the write port.  An integer result that finds its cycle taken by a
 * float's is written as late as a float's. */
#include "cmodel/timing/core_state.h"

enum { WHEEL = 64 };

static u32 latency(const struct core *c, u32 unit)
{
    return unit == U_FLOAT ? c->of[CORE_float]
         : unit == U_LSU   ? c->of[CORE_lsu]
         : unit == U_F64   ? c->of[CORE_float] + 1
                           : c->of[CORE_integer];
}

/* What is farther ahead than the wheel goes round is looked at again on the way (awake). */
static void put(u32 *wheel, struct core *c, u32 warp, u64 at)
{
    at = at < c->now + WHEEL ? at : c->now + WHEEL - 1;
    wheel[at % WHEEL] |= bit(warp);
    c->wheel_any |= 1ull << at % WHEEL;
}

/* So many cycles before. */
static u64 before(u64 at, u32 cycles)
{
    return at > cycles ? at - cycles : 0;
}

void issue_head(struct core *c, u32 warp, u64 from)
{
    struct warp_time *t = &c->warp[warp];
    if (!t->n || (c->stalled | c->planned) >> warp & 1)
        return;
    const struct entry e = t->buffer[t->first];
    const struct decoded *d = &c->code[e.index];
    u64 at = from;
    if (t->out && !(t->loads && e.unit == U_LSU && d->load && !d->carrier))
        return;
    for (u32 k = 0; k < d->n; k++)
        at = later(at, t->ready[d->source[k]]);
    at = later(at, t->filled);
    if (at >= NEVER)                            /* a load under way writes it */
        return;
    u64 normal = later(at, before(t->in_order + 1, latency(c, e.unit)));
    u64 late = e.unit == U_INT ? later(at, before(t->in_order + 1, c->of[CORE_float])) : normal;
    c->unit_of[warp] = e.unit;
    t->normal = normal;
    c->planned |= bit(warp);
    put(c->wheel, c, warp, normal);
    if (late < normal)
        put(c->late_wheel, c, warp, late);
}

void issue_push(struct core *c, u32 warp, struct entry e)
{
    struct warp_time *t = &c->warp[warp];
    t->buffer[(t->first + t->n) % BUFFER] = e;
    if (!t->n++)
        issue_head(c, warp, c->now + 1);
}

/* Who has become ready by now. */
static void awake(struct core *c)
{
    const u32 k = c->now % WHEEL;
    if (!(c->wheel_any >> k & 1))
        return;
    const u32 woken = c->wheel[k], late = c->late_wheel[k];
    c->wheel[k] = c->late_wheel[k] = 0;
    c->wheel_any &= ~(1ull << k);
    c->ready_late |= late;
    for (u32 m = woken; m; m &= m - 1) {
        const u32 warp = lowest(m);
        if (c->warp[warp].normal > c->now) {
            put(c->wheel, c, warp, c->warp[warp].normal);
            continue;
        }
        c->ready[c->unit_of[warp]] |= bit(warp);
        c->any_ready |= bit(warp);
        c->ready_late &= ~bit(warp);
    }
}

static void pops(struct core *c, struct pop p, u64 at)
{
    p.at = at;
    c->pop[c->pops++] = p;
}

/* The f64 unit's results take the slots of an integer instruction that issues now. */
static void take_f64(struct core *c)
{
    struct warp_time *t = &c->warp[c->f64_warp];
    const struct decoded *d = &c->code[c->f64_index];
    const u32 first = c->of[CORE_integer];
    c->f64_busy = false;
    c->write |= 1ull << first;
    c->last_retire = later(c->last_retire, c->now + first);
    for (u32 k = 0; k < d->nd; k++)
        t->ready[d->rd + k] = c->now + first;
    if (d->npd)
        t->ready[d->pd] = c->now + first;
    t->in_order = c->now + 1 + first;
    c->stalled &= ~bit(c->f64_warp);
    issue_head(c, c->f64_warp, c->now + 1);
    if (d->carrier)
        pops(c, c->f64_pop, c->now + first - 1);
}

/* With the last one all that the warp waits for is there. */
void issue_retired(struct core *c, u32 warp)
{
    struct warp_time *t = &c->warp[warp];
    if (--t->out)
        return;
    for (u32 i = 0; i < REGS / 64; t->due[i++] = 0)
        for (u64 m = t->due[i]; m; m &= m - 1)
            t->ready[64 * i + (u32)__builtin_ctzll(m)] = 0;
    issue_head(c, warp, c->now + 1);
}

bool issue_cycle(struct core *c, u32 *warp)
{
    awake(c);
    if (c->held || c->now < c->busy_until || !(c->any_ready | c->ready_late | c->f64_busy))
        return false;
    const bool free_first = !(c->write >> c->of[CORE_integer] & 1);
    const bool free_last = !(c->write >> c->of[CORE_float] & 1);
    if (c->f64_busy && c->now >= c->f64_done) {
        if (free_first)
            take_f64(c);
        return false;
    }
    u32 go = 0;
    if (free_first || free_last)
        go |= c->ready[U_INT] | (free_first ? 0 : c->ready_late);
    if (free_last)
        go |= c->ready[U_FLOAT];
    if (free_first)
        go |= c->ready[U_WARP];
    if (c->in - c->out < c->of[CORE_slots])
        go |= c->ready[U_LSU];
    if (!c->f64_busy)
        go |= c->ready[U_F64];
    if ((free_first || free_last) && c->put - c->get < c->of[CORE_queue])
        go |= c->ready[U_CTL];
    if (!go)
        return false;
    *warp = c->last_issue = pick(go, c->last_issue);
    return true;
}

/* The instruction of the warp that issued. */
void issue_did(struct core *c, const struct core_did *did)
{
    const u32 warp = c->last_issue;
    struct warp_time *t = &c->warp[warp];
    const struct entry e = t->buffer[t->first];
    const struct decoded *d = &c->code[e.index];
    const bool late = c->write >> c->of[CORE_integer] & 1;
    const u64 in_order = t->in_order;
    u32 first = e.unit == U_FLOAT || ((e.unit == U_INT || e.unit == U_CTL) && late)
                    ? c->of[CORE_float] : c->of[CORE_integer];
    c->ready[e.unit] &= ~bit(warp);
    c->planned &= ~bit(warp);
    c->any_ready &= ~bit(warp);
    c->ready_late &= ~bit(warp);
    if (t->normal > c->now)                     /* it issues late, else it were not ready */
        c->wheel[t->normal % WHEEL] &= ~bit(warp);
    t->first = (t->first + 1) % BUFFER;
    t->n--;
    t->under_way--;
    c->full &= ~bit(warp);
    t->filled = 0;
    if (c->g.stack_mode)
        unit_tokens(c, warp, did->rec);
    t->in_order = c->now + 1 + (e.unit == U_INT ? first : latency(c, e.unit));
    c->stalled |= (u32)(e.unit == U_F64) << warp;
    if (e.unit < U_LSU || e.unit == U_CTL) {
        for (u32 k = 0; k < d->nd; k++)
            t->ready[d->rd + k] = c->now + first;
        if (d->npd)
            t->ready[d->pd] = c->now + first;
    }
    if (e.unit < U_LSU) {
        c->write |= 1ull << first;
        c->last_retire = later(c->last_retire, c->now + first);
        if (d->carrier)
            pops(c, pop_of(warp, did), c->now + first - 1);
    } else if (e.unit == U_LSU) {
        for (u32 r = d->rd; r < d->rd + (u32)d->nd; r++) {
            t->ready[r] = NEVER;
            t->due[r / 64] |= 1ull << r % 64;
        }
        t->out++;
        t->loads = d->load && !d->carrier;
        lsu_take(c, warp, d, did, c->now + c->of[CORE_lsu] - 1 + d->quad);
        c->busy_until = c->now + 1 + d->quad;
    } else if (e.unit == U_F64) {
        c->f64_busy = true;
        c->f64_warp = warp;
        c->f64_index = e.index;
        c->f64_pop = pop_of(warp, did);
        c->f64_done = c->now + c->of[CORE_f64];
    } else {
        bool early = d->plain && c->put == c->get && in_order <= c->now + 2;
        if (early)
            t->in_order = c->now + 1 + c->of[CORE_at_once];
        else
            c->write |= 1ull << first;
        unit_push(c, warp, d, did, c->now + c->of[early ? CORE_early : CORE_step]);
    }
    issue_head(c, warp, c->now + 1);
}

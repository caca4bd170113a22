/* The convergence rules of barrier mode, one function each, in the order of docs/convergence.md.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where the rules leave a choice that only odd programs see, this file decides:
 *  - A barrier is complete by rule 4's test everywhere: in rules 4 and 5 and in next().
 *  - Every release makes all yielded lanes ready; they are not deferred, so they run after STK.
 *  - The lanes that blocked last are the released lanes at the PC of the barrier's last arrival; if
 *    none is left there, those at the PC of the lowest released lane.
 *  - BREAK: released lanes at other PCs are deferred first; then the sizes of the running group and
 *    of the lanes that blocked last decide.  A BREAK that removes no lane completes nothing.
 *  - WARPSYNC keeps a mask a lane.  An arrival tests its own mask; next() tests the masks of the
 *    waiting lanes, lowest first, after barriers and before rule 9 (an EXIT may complete one).
 *    Released are all waiting lanes of that mask, the arriving lanes included.
 *  - Ready lanes of which none is on STK run in rounds: those of `due` first, lowest first; a round
 *    begins with all ready lanes.  Without it, lanes that releases make ready again and again keep
 *    higher ones from running.
 *  - YS is closed when ALT is none and a group is popped or nothing is ready. */
#include "cmodel/machine/barriers.h"
#include <assert.h>
#include <string.h>

static unsigned lowest(uint32_t m)
{
    return (unsigned)__builtin_ctz(m);
}

static unsigned count(uint32_t m)
{
    return (unsigned)__builtin_popcount(m);
}

/* The lanes of m that continue at pc. */
static uint32_t lanes_at(const struct conv *c, uint32_t m, uint32_t pc)
{
    uint32_t same = 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        same |= (uint32_t)(c->at[l] == pc) << l;
    return m & same;
}

static void set_at(struct conv *c, uint32_t m, uint32_t pc)
{
    for (unsigned l = 0; l < HD_LANES; l++)
        c->at[l] = m >> l & 1 ? pc : c->at[l];
}

static void run(struct conv *c, uint32_t m, uint32_t pc)
{
    c->active = m;
    c->pc = pc;
}

/* The lanes m leave rdy; STK keeps only lanes that are ready. */
static void leave_ready(struct conv *c, uint32_t m)
{
    unsigned n = 0;
    c->rdy &= ~m;
    c->due &= ~m;
    for (unsigned i = 0; i < c->nstk; i++)
        if (c->rdy >> c->stk[i] & 1)
            c->stk[n++] = c->stk[i];
    c->nstk = (uint8_t)n;
}

static void defer(struct conv *c, uint32_t m, uint32_t pc)
{
    if (!m)
        return;
    c->rdy |= m;
    set_at(c, m, pc);
    if (c->alt) {
        assert(c->nstk < HD_LANES);
        c->stk[c->nstk++] = (uint8_t)lowest(c->alt);
    }
    c->alt = m;
    c->alt_pc = pc;
}

/* Defers m in groups of one PC, the group of the lowest lane first. */
static void defer_each(struct conv *c, uint32_t m)
{
    c->steps += m != 0;
    while (m) {
        uint32_t pc = c->at[lowest(m)], group = lanes_at(c, m, pc);
        defer(c, group, pc);
        c->steps++;
        m &= ~group;
    }
}

/* The lanes m leave the yielded ones and every set of rule 9. */
static void leave_yielded(struct conv *c, uint32_t m)
{
    unsigned n = 0;
    c->yld &= ~m;
    c->ys &= ~m;
    for (unsigned i = 0; i < c->nyq; i++)
        if (c->yq[i] &= ~m)
            c->yq[n++] = c->yq[i];
    c->nyq = n;
}

static void close_yield_set(struct conv *c)
{
    if (c->ys)
        c->yq[c->nyq++] = c->ys;
    c->ys = 0;
}

static bool complete(const struct conv *c, unsigned b)
{
    return (c->arrived[b] & c->b[b]) && !(c->b[b] & c->live & ~c->arrived[b] & ~c->yld);
}

/* Takes the lanes `out` from barrier b, which is done with, and returns them. */
static uint32_t release(struct conv *c, unsigned b, uint32_t out)
{
    c->b[b] = 0;
    c->arrived[b] &= ~out;
    c->blocked &= ~out;
    c->released |= out | c->yld;
    c->rdy |= c->yld;
    leave_yielded(c, c->yld);
    c->joined = 1;
    return out;
}

/* Of the lanes just released from b, those that blocked last; the others are deferred. */
static uint32_t blocked_last(struct conv *c, unsigned b, uint32_t out)
{
    uint32_t last = lanes_at(c, out, c->arrived_pc[b]);
    c->steps += last ? 1 : 2;
    if (!last)
        last = lanes_at(c, out, c->at[lowest(out)]);
    defer_each(c, out & ~last);
    return last;
}

static void run_blocked_last(struct conv *c, unsigned b, uint32_t out)
{
    uint32_t last = blocked_last(c, b, out);
    run(c, last, c->at[lowest(last)]);
}

static bool release_complete_barrier(struct conv *c)
{
    for (unsigned b = 0; b < HD_BARRIERS; b++) {
        c->steps += c->arrived[b] != 0;
        if (complete(c, b)) {
            run_blocked_last(c, b, release(c, b, c->arrived[b] & c->b[b]));
            return true;
        }
    }
    return false;
}

/* Rule 8: the barrier on which lanes blocked last gives way. */
static void give_way(struct conv *c)
{
    unsigned last = 0;
    for (unsigned b = 1; b < HD_BARRIERS; b++)
        if (c->arrived[b] && (!c->arrived[last] || c->arrived_time[b] > c->arrived_time[last]))
            last = b;
    c->gaveway = 1;
    c->steps++;
    run_blocked_last(c, last, release(c, last, c->arrived[last]));
}

/* Rule 9: the oldest set of yielded lanes goes on, merged with all yielded lanes at its PC. */
static void resume_yielded(struct conv *c)
{
    uint32_t set = c->yq[0], pc = c->at[lowest(set)], group = lanes_at(c, c->yld, pc);
    uint32_t rest = set & ~group;
    leave_yielded(c, set | group);
    c->released |= set | group;
    c->steps += 2;
    defer_each(c, rest);
    run(c, group, pc);
}

static bool warpsync_complete(const struct conv *c, uint32_t mask)
{
    return !(mask & c->live & ~c->wsync);
}

/* Releases the lanes out from WARPSYNC: those at pc run together, the others are deferred. */
static void release_warpsync(struct conv *c, uint32_t out, uint32_t pc)
{
    uint32_t group = lanes_at(c, out, pc);
    c->wsync &= ~out;
    c->released |= out;
    c->joined = 1;
    defer_each(c, out & ~group);
    run(c, group, pc);
}

static bool release_complete_warpsync(struct conv *c)
{
    for (uint32_t m = c->wsync; m; m &= m - 1) {
        unsigned l = lowest(m);
        c->steps++;
        if (warpsync_complete(c, c->sync[l])) {
            uint32_t out = (c->wsync & c->sync[l]) | 1u << l;
            c->steps += 2;
            release_warpsync(c, out, c->at[lowest(out)]);
            return true;
        }
    }
    return false;
}

/* Without the step in which it is picked, which the group deferred last needs not after an
 * instruction's first one. */
static void pick(struct conv *c)
{
    if (c->alt) {
        run(c, c->alt, c->alt_pc);
        c->alt = 0;
        leave_ready(c, c->active);
        return;
    }
    c->steps++;
    if (c->nstk || !c->rdy)
        close_yield_set(c);
    if (c->rdy) {
        if (!c->nstk && !c->due)
            c->due = c->rdy;
        uint32_t pc = c->at[c->nstk ? c->stk[c->nstk - 1] : lowest(c->due)];
        run(c, lanes_at(c, c->rdy, pc), pc);
        leave_ready(c, c->active);
    } else if (release_complete_barrier(c) || release_complete_warpsync(c)) {
        return;
    } else if (c->yld) {
        resume_yielded(c);
    } else if (c->blocked && !c->bar) {
        give_way(c);
    } else {
        c->steps++;
    }
}

void conv_next(struct conv *c)
{
    c->steps += c->alt != 0;
    pick(c);
}

void conv_start(struct conv *c, uint32_t lanes, uint32_t entry)
{
    memset(c, 0, sizeof *c);
    c->live = lanes;
    run(c, lanes, entry);
}

/* Rule 1. */
void conv_branch(struct conv *c, uint32_t exec, uint32_t target)
{
    uint32_t behind = c->pc + CONV_INSN, other = c->active & ~exec;
    if (!exec) {
        c->pc = behind;
    } else if (!other) {
        c->pc = target;
    } else if (count(exec) < count(other)) {
        defer(c, other, behind);
        run(c, exec, target);
    } else {
        defer(c, exec, target);
        run(c, other, behind);
    }
}

/* Rule 2.  R executes the instruction again where T is the larger part: its guard and targets are
 * as they were, so T is simply missing then. */
void conv_indirect(struct conv *c, uint32_t exec, const uint32_t target[HD_LANES])
{
    uint32_t to[HD_LANES], t = 0, r;
    bool first = c->first;
    for (unsigned l = 0; l < HD_LANES; l++)
        to[l] = exec >> l & 1 ? target[l] : c->pc + CONV_INSN;
    uint32_t pc = to[lowest(c->active)];
    for (unsigned l = 0; l < HD_LANES; l++)
        t |= (uint32_t)(to[l] == pc) << l;
    t &= c->active;
    r = c->active & ~t;
    c->first = false;
    if (first || count(t) <= count(r)) {
        defer(c, r, c->pc);
        run(c, t, pc);
    } else if (!r) {
        c->pc = pc;
    } else {
        defer(c, t, pc);
        c->active = r;
        c->first = true;
    }
}

/* Rule 3. */
void conv_bssy(struct conv *c, uint32_t exec, unsigned b)
{
    c->b[b] |= exec;
    c->pc += CONV_INSN;
}

/* Rule 4. */
void conv_bsync(struct conv *c, unsigned b)
{
    uint32_t p = c->active & c->b[b], pass = c->active & ~p, behind = c->pc + CONV_INSN;
    c->pc = behind;
    if (!p)
        return;
    set_at(c, p, behind);
    c->active = pass;
    c->arrived[b] |= p;
    c->blocked |= p;
    c->arrived_pc[b] = behind;
    c->arrived_time[b] = ++c->time;
    if (complete(c, b)) {
        uint32_t out = release(c, b, c->arrived[b] & c->b[b]);
        uint32_t here = lanes_at(c, out, behind);
        defer_each(c, out & ~here);
        run(c, here | pass, behind);
    } else if (!pass) {
        pick(c);
    }
}

/* Rule 5. */
void conv_break(struct conv *c, uint32_t exec, unsigned b)
{
    uint32_t removed = exec & c->b[b];
    c->b[b] &= ~removed;
    c->pc += CONV_INSN;
    if (!removed || !complete(c, b))
        return;
    uint32_t last = blocked_last(c, b, release(c, b, c->arrived[b] & c->b[b]));
    c->steps += c->steps == 1;                  /* this release has a last step also then */
    uint32_t last_pc = c->at[lowest(last)];
    if (count(last) < count(c->active)) {
        defer(c, c->active, c->pc);
        run(c, last, last_pc);
    } else {
        defer(c, last, last_pc);
    }
}

/* Rule 6.  The block barrier may be complete without these lanes, which comes before next(). */
void conv_exit(struct conv *c, uint32_t exec)
{
    c->live &= ~exec;
    c->active &= ~exec;
    c->pc += CONV_INSN;
    for (unsigned b = 0; b < HD_BARRIERS; b++)
        c->b[b] &= ~exec;
}

/* Rule 7: participants change, arrivals do not. */
void conv_bmov(struct conv *c, unsigned b, uint32_t participants)
{
    c->b[b] = participants;
    c->pc += CONV_INSN;
}

void conv_warpsync(struct conv *c, uint32_t mask)
{
    uint32_t here = c->active, behind = c->pc + CONV_INSN;
    set_at(c, here, behind);
    for (unsigned l = 0; l < HD_LANES; l++)
        c->sync[l] = here >> l & 1 ? mask : c->sync[l];
    c->wsync |= here;
    c->active = 0;
    if (warpsync_complete(c, mask))
        release_warpsync(c, (c->wsync & mask) | here, behind);
    else
        pick(c);
}

void conv_block_wait(struct conv *c, unsigned n)
{
    set_at(c, c->active, c->pc + CONV_INSN);
    c->bar_at[n] |= c->active;
    c->bar |= c->active;
    c->active = 0;
}

void conv_block_release(struct conv *c, unsigned n)
{
    uint32_t out = c->bar_at[n];
    c->bar_at[n] = 0;
    c->bar &= ~out;
    c->rdy |= out;
    c->released |= out;
    if (out && !c->active)
        conv_next(c);
}

/* Rule 9. */
void conv_yield(struct conv *c)
{
    set_at(c, c->active, c->pc + CONV_INSN);
    c->yld |= c->active;
    c->ys |= c->active;
    c->active = 0;
    pick(c);
}

bool conv_deadlocked(const struct conv *c)
{
    return c->live && !c->active && !c->bar;
}

/* All bits of a word, if the lane is one of m. */
#define ALL(m, l) (0u - ((m) >> (l) & 1))

static inline void wait_there(uint32_t why[HD_LANES], uint32_t lanes, uint32_t where)
{
    for (unsigned l = 0; lanes && l < HD_LANES; l++)
        why[l] = lanes >> l & 1 ? where : why[l];
}

void conv_describe(const struct conv *c, uint32_t npc[HD_LANES], uint8_t wait[HD_LANES])
{
    const uint32_t active = c->live & c->active, rdy = c->rdy, yld = c->yld, wsync = c->wsync;
    const uint32_t waits = c->live & ~active & (rdy | c->blocked | yld | wsync | c->bar);
    uint32_t why[HD_LANES];
    for (unsigned l = 0; l < HD_LANES; l++) {       /* vector code, as it runs for every record */
        npc[l] = (ALL(active, l) & c->pc) | (ALL(waits, l) & c->at[l]);
        uint32_t w = wsync >> l & 1 ? HD_WAIT_WARPSYNC : HD_WAIT_STACK;
        w = yld >> l & 1 ? HD_WAIT_YIELD : w;
        w = rdy >> l & 1 ? HD_WAIT_READY : w;
        w = active >> l & 1 ? HD_WAIT_NONE : w;
        why[l] = c->live >> l & 1 ? w : HD_WAIT_EXITED;
    }
    for (unsigned b = 0; c->blocked && b < HD_BARRIERS; b++)
        wait_there(why, c->arrived[b], HD_WAIT_BARRIER + b);
    for (unsigned n = 0; c->bar && n < CONV_BLOCK_BARRIERS; n++)
        wait_there(why, c->bar_at[n], HD_WAIT_BLOCK + n);
    for (unsigned l = 0; l < HD_LANES; l++)
        wait[l] = (uint8_t)why[l];
}

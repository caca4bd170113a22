/* The convergence rules of barrier mode, one function each, in the order of docs/convergence.md.
 * SPDX-License-Identifier: Apache-2.0
 *
 * They are those that the recorded states of an H200 follow (tests/silicon/states); where Heddle
 * differs, and what else only odd programs see, that page says. */
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

static uint32_t first_from(unsigned from, uint32_t m)
{
    uint32_t high = m & ~0u << from;
    return lowest(high ? high : m);
}

static void run(struct conv *c, uint32_t m, uint32_t pc)
{
    c->active = m;
    c->pc = pc;
}

/* The lanes m stop waiting: they are in none of the sets. */
static void leave(struct conv *c, uint32_t m)
{
    c->rdy &= ~m;
    c->yld &= ~m;
    c->wsync &= ~m;
    if (c->blocked & m)
        for (unsigned b = 0; b < HD_BARRIERS; b++)
            c->arrived[b] &= ~m;
    c->blocked &= ~m;
}

/* The lanes m become ready where they stand. */
static void wake(struct conv *c, uint32_t m)
{
    leave(c, m);
    c->rdy |= m;
    c->released |= m;
}

/* The pointer goes on, from lane `from`, to a lane that lives and does not run.  STK keeps only
 * lanes that are ready. */
static void settle(struct conv *c, unsigned from)
{
    uint32_t others = c->live & ~c->active;
    unsigned n = 0;
    for (unsigned i = 0; i < c->nstk; i++)
        if (c->rdy >> c->stk[i] & 1)
            c->stk[n++] = c->stk[i];
    c->nstk = (uint8_t)n;
    if (others)
        c->ptr = (uint8_t)first_from(from, others);
}

/* The lanes m, which waited, run at pc. */
static void go(struct conv *c, uint32_t m, uint32_t pc, unsigned from)
{
    c->released |= m & ~c->rdy;
    leave(c, m);
    run(c, m, pc);
    settle(c, from);
}

/* Barrier b is done with. */
static void empty(struct conv *c, unsigned b)
{
    c->b[b] = 0;
    c->emptied |= (uint16_t)(1u << b);
}

static void push(struct conv *c, unsigned lane)
{
    assert(c->nstk < HD_LANES);
    c->stk[c->nstk++] = (uint8_t)lane;
}

static void push_alt(struct conv *c)
{
    if (c->alt)
        push(c, lowest(c->alt));
    c->alt = 0;
}

static void defer(struct conv *c, uint32_t m, uint32_t pc)
{
    if (!m)
        return;
    push_alt(c);
    c->rdy |= m;
    set_at(c, m, pc);
    c->alt = m;
    c->alt_pc = pc;
}

/* The barrier at which lanes of m are blocked loses its participants: they pass it when they
 * execute their BSYNC again.  The lanes m are at one PC, so there is one barrier at most. */
static void give_way(struct conv *c, uint32_t m)
{
    if (!(m & c->blocked))
        return;
    c->steps++;
    for (unsigned b = 0; b < HD_BARRIERS; b++)
        if (c->arrived[b] & m)
            empty(c, b);
}

static bool warpsync_complete(const struct conv *c, unsigned l)
{
    return !(c->sync[l] & c->live & ~c->wsync);
}

/* The lanes m become ready; those at the PC of the lowest one run. */
static void wake_and_go(struct conv *c, uint32_t m, unsigned from)
{
    uint32_t pc = c->at[lowest(m)];
    wake(c, m);
    go(c, lanes_at(c, m, pc), pc, from);
}

/* Nothing is deferred: the first lane from the pointer on that can run, with those at its PC. */
static void pick_from_pointer(struct conv *c)
{
    uint32_t can = c->rdy | c->yld | c->blocked, some = can | c->wsync;
    for (; some; c->steps++) {
        unsigned l = first_from(c->ptr, some);
        uint32_t out = c->wsync >> l & 1 ? c->wsync & (c->sync[l] | 1u << l) : 0;
        if (!out || warpsync_complete(c, l)) {
            uint32_t pc = c->at[l], m = lanes_at(c, can | out, pc);
            c->gaveway = m & c->blocked && !(out & ~m) && !(c->rdy | c->yld);
            c->joined |= out || m & c->blocked;
            if (out & ~m) {             /* of a WARPSYNC at several places */
                c->steps++;
                wake_and_go(c, out, l);
            } else {
                give_way(c, m);
                go(c, m, pc, l);
            }
            return;
        }
        some &= ~(1u << l);
        if (!some)
            return;
    }
}

/* conv_next as part of an instruction, which picks the group deferred last in its own step of the
 * core's convergence unit; by itself that takes a step. */
static void pick(struct conv *c)
{
    if (c->alt) {
        uint32_t m = c->alt;
        c->alt = 0;
        go(c, m, c->alt_pc, c->ptr);
        return;
    }
    c->steps++;
    if (!c->nstk) {
        pick_from_pointer(c);
        return;
    }
    uint32_t pc = c->at[c->stk[--c->nstk]], m = lanes_at(c, c->rdy | c->yld | c->blocked, pc);
    c->joined |= (m & c->blocked) != 0;
    if (!c->nstk)
        give_way(c, m);
    go(c, m, pc, c->ptr);
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

/* Rule 2.  Where T is the larger part, the others execute the instruction once more, T deferred,
 * and those of them that do not run join T. */
void conv_indirect(struct conv *c, uint32_t exec, const uint32_t target[HD_LANES])
{
    uint32_t to[HD_LANES], t = 0, r;
    for (unsigned l = 0; l < HD_LANES; l++)
        to[l] = exec >> l & 1 ? target[l] : c->pc + CONV_INSN;
    uint32_t pc = to[lowest(c->active)];
    for (unsigned l = 0; l < HD_LANES; l++)
        t |= (uint32_t)(to[l] == pc) << l;
    t &= c->active;
    r = c->active & ~t;
    if (c->again) {
        c->again = false;
        c->alt |= r;
        c->rdy |= r;
        set_at(c, r, c->pc);
        run(c, t, pc);
    } else if (count(t) <= count(r) || !r) {
        defer(c, r, c->pc);
        run(c, t, pc);
    } else {
        defer(c, t, c->pc);
        c->active = r;
        c->again = true;
    }
}

/* Rule 3. */
void conv_bssy(struct conv *c, uint32_t exec, unsigned b)
{
    c->b[b] |= exec;
    c->pc += CONV_INSN;
}

uint32_t conv_bsync_past(const struct conv *c, uint32_t active, unsigned b, uint32_t here)
{
    uint32_t stay = active & c->b[b], pass = active & ~stay;
    uint32_t others = c->b[b] & c->live & ~(stay | c->blocked | c->wsync);
    if (!stay || (others && (pass || c->rdy)))
        return pass;
    return active | lanes_at(c, c->arrived[b] & c->b[b], here);
}

/* Rule 4. */
void conv_bsync(struct conv *c, unsigned b)
{
    uint32_t here = c->pc, stay = c->active & c->b[b], pass = c->active & ~stay;
    uint32_t past = conv_bsync_past(c, c->active, b, here);
    c->pc = here + CONV_INSN;
    if (!stay)
        return;
    set_at(c, stay, here);
    c->arrived[b] |= stay;
    c->blocked |= stay;
    c->active = pass;
    if (past & stay) {
        uint32_t woken = c->b[b] & (c->yld | c->blocked) & ~past;
        empty(c, b);
        c->joined = 1;
        wake(c, woken);
        go(c, past, c->pc, c->ptr);
        c->released &= ~pass;
    } else if (!pass) {
        pick(c);
    }
}

/* Rule 5. */
void conv_break(struct conv *c, uint32_t exec, unsigned b)
{
    uint32_t rest = c->b[b] & ~exec & c->live;
    c->b[b] &= ~exec;
    c->pc += CONV_INSN;
    if (!exec || rest & ~c->blocked)
        return;
    empty(c, b);
    if (!rest)
        return;
    c->steps++;
    c->joined = 1;
    push_alt(c);
    if (count(rest) < count(c->active)) {
        defer(c, c->active, c->pc);
        wake_and_go(c, rest, c->ptr);
    } else {
        wake(c, rest);
        push(c, lowest(rest));
        settle(c, c->ptr);
    }
}

/* Rule 6.  The block barrier may be complete without these lanes, which comes first. */
void conv_exit(struct conv *c, uint32_t exec)
{
    c->live &= ~exec;
    c->active &= ~exec;
    c->pc += CONV_INSN;
}

void conv_exited(struct conv *c)
{
    for (unsigned b = 0; b < HD_BARRIERS; b++) {
        uint32_t rest = c->b[b] & c->live;
        c->steps += c->arrived[b] != 0;
        if (!rest || rest & ~c->arrived[b])
            continue;
        empty(c, b);
        c->joined = 1;
        c->steps++;
        wake_and_go(c, rest, c->ptr);
        return;
    }
    conv_next(c);
}

/* Rule 7: participants change, arrivals do not. */
void conv_bmov(struct conv *c, unsigned b, uint32_t participants)
{
    c->b[b] = participants;
    c->pc += CONV_INSN;
}

void conv_warpsync(struct conv *c, uint32_t mask)
{
    uint32_t here = c->active;
    c->pc += CONV_INSN;
    if (!(mask & c->live & ~here))
        return;
    set_at(c, here, c->pc);
    for (unsigned l = 0; l < HD_LANES; l++)
        c->sync[l] = here >> l & 1 ? mask : c->sync[l];
    c->wsync |= here;
    c->active = 0;
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
    if (active == c->live) {                        /* none waits */
        for (unsigned l = 0; l < HD_LANES; l++) {
            npc[l] = ALL(active, l) & c->pc;
            wait[l] = active >> l & 1 ? HD_WAIT_NONE : HD_WAIT_EXITED;
        }
        return;
    }
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

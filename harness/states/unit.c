/* The convergence unit of an H200: every rule follows from recorded states (tests/silicon/states),
 * docs/convergence.md has them as a table.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A blocked lane stands at its BSYNC, and executes it again when it is woken.  A
 * BSYNC whose register is empty by then lets it pass. */
#include "harness/states/unit.h"
#include <string.h>

static unsigned lowest(uint32_t m)
{
    return (unsigned)__builtin_ctz(m);
}

static unsigned count(uint32_t m)
{
    return (unsigned)__builtin_popcount(m);
}

unsigned unit_control(const struct unit_program *p, unsigned k)
{
    return UNIT_START(k) + (p->insn[k].dense ? 0 : 2);
}

unsigned unit_after(const struct unit_program *p, unsigned k)
{
    return UNIT_START(k) + (p->insn[k].dense ? 4 : 3);
}

unsigned unit_next_insn(const struct unit *u)
{
    return (u->pc + 1u) / 4;
}

static uint32_t lanes_at(const struct unit *u, uint32_t m, unsigned pc)
{
    uint32_t same = 0;
    for (unsigned l = 0; l < UNIT_LANES; l++)
        same |= (uint32_t)(u->at[l] == pc) << l;
    return m & same;
}

static void set_at(struct unit *u, uint32_t m, unsigned pc)
{
    for (unsigned l = 0; l < UNIT_LANES; l++)
        u->at[l] = m >> l & 1 ? (uint16_t)pc : u->at[l];
}

static uint32_t all_blocked(const struct unit *u)
{
    uint32_t m = 0;
    for (unsigned b = 0; b < UNIT_BARRIERS; b++)
        m |= u->blocked[b];
    return m;
}

/* The lanes m become ready where they stand. */
static void wake(struct unit *u, uint32_t m)
{
    u->yielded &= ~m;
    u->ready |= m;
    for (unsigned b = 0; b < UNIT_BARRIERS; b++)
        u->blocked[b] &= ~m;
}

static void run(struct unit *u, uint32_t m, unsigned pc)
{
    wake(u, m);
    u->ready &= ~m;
    u->waiting &= ~m;
    u->active = m;
    u->pc = (uint16_t)pc;
    set_at(u, m, pc);
}

/* Lanes at a WARPSYNC whose mask waits at this very one. */
static uint32_t sync_complete(const struct unit *u)
{
    uint32_t m = 0;
    for (unsigned l = 0; l < UNIT_LANES; l++)
        if (u->waiting >> l & 1 &&
            !(u->sync[l] & ~u->exited & ~lanes_at(u, u->waiting, u->at[l])))
            m |= 1u << l;
    return m;
}

/* The first lane of m from lane `from` on, round the warp; m is not empty. */
static unsigned first_from(unsigned from, uint32_t m)
{
    uint32_t high = m & ~0u << from;
    return lowest(high ? high : m);
}

/* The pointer goes on, from lane `from`, to one that lives and does not run; entries of lanes that
 * are no longer ready leave the stack. */
static void settle(struct unit *u, unsigned from)
{
    uint32_t others = ~(u->active | u->exited);
    unsigned n = 0;
    for (unsigned i = 0; i < u->depth && !u->alt_on_top; i++)
        if (u->ready >> u->stack[i] & 1)
            u->stack[n++] = u->stack[i];
    if (!u->alt_on_top)
        u->depth = (uint8_t)n;
    if (others)
        u->pointer = (uint8_t)first_from(from, others);
}

static void push(struct unit *u, uint32_t m, unsigned pc)
{
    u->alt = m;
    u->alt_pc = (uint16_t)pc;
    u->alt_on_top = true;
    u->stack[u->depth++] = (uint8_t)lowest(m);
}

static void defer(struct unit *u, uint32_t m, unsigned pc)
{
    u->ready |= m;
    set_at(u, m, pc);
    push(u, m, pc);
}

static void bsync(struct unit *u, unsigned k);
static void indirect(struct unit *u, unsigned k);

/* Runs the lanes m at pc.  Lanes that were woken or deferred at an instruction execute it again. */
static void go(struct unit *u, uint32_t m, unsigned pc, unsigned from)
{
    unsigned k = pc / 4;
    run(u, m, pc);
    settle(u, from);
    if (k >= u->program->n || u->program->insn[k].dense || pc != unit_control(u->program, k))
        return;                         /* a dense one is come to as any other */
    if (u->program->insn[k].op == UNIT_BSYNC)
        bsync(u, k);
    else
        indirect(u, k);
}

/* The barriers that lanes of m are blocked on give way. */
static void give_way(struct unit *u, uint32_t m)
{
    for (unsigned b = 0; b < UNIT_BARRIERS; b++)
        if (u->blocked[b] & m)
            u->members[b] = 0;
}

/* Pops the stack.  False: no entry's lane is ready. */
static bool pop(struct unit *u)
{
    while (u->depth) {
        unsigned l = u->stack[--u->depth];
        bool exact = u->alt_on_top && u->alt_pc != UNIT_PLACE_NONE;
        uint32_t m = u->alt & u->ready;
        u->alt_on_top = false;
        if (exact && m)
            return go(u, m, u->alt_pc, u->pointer), true;
        if (exact || !(u->ready >> l & 1))
            continue;
        unsigned pc = u->at[l];
        m = lanes_at(u, u->ready | u->yielded | all_blocked(u), pc);
        if (!u->depth)
            give_way(u, m);
        return go(u, m, pc, u->pointer), true;
    }
    return false;
}

/* Picks the group that runs next. */
static void next(struct unit *u)
{
    u->active = 0;
    if (pop(u))
        return;
    uint32_t some = u->ready | u->yielded | all_blocked(u) | sync_complete(u);
    if (!some)
        return;
    unsigned l = first_from(u->pointer, some), pc = u->at[l];
    uint32_t m = lanes_at(u, some, pc);
    give_way(u, m);
    go(u, m, pc, l);
}

static void branch(struct unit *u, uint32_t taken, unsigned target)
{
    uint32_t other = u->active & ~taken;
    unsigned after = u->pc;
    if (!taken)
        return;
    if (!other) {
        run(u, taken, target);
    } else if (count(taken) < count(other)) {
        defer(u, other, after);
        run(u, taken, target);
    } else {
        defer(u, taken, target);
        run(u, other, after);
    }
}

static uint32_t same_target(const struct unit_insn *i, uint32_t m)
{
    uint32_t same = 0;
    for (unsigned l = 0; l < UNIT_LANES; l++)
        same |= (uint32_t)(i->word[l] == i->word[lowest(m)]) << l;
    return m & same;
}

/* One target's lanes go; all others are deferred at this instruction. */
static void indirect(struct unit *u, unsigned k)
{
    const struct unit_insn *i = &u->program->insn[k];
    uint32_t all = u->active, first = same_target(i, all);
    if (first != all && count(first) > count(all & ~first))
        first = same_target(i, all & ~first);
    if (all != first)
        defer(u, all & ~first, unit_control(u->program, k));
    run(u, first, UNIT_START(i->word[lowest(first)]));
}

static void bsync(struct unit *u, unsigned k)
{
    unsigned b = u->program->insn[k].arg, here = unit_control(u->program, k);
    uint32_t stay = u->active & u->members[b], pass = u->active & ~stay;
    u->pc = (uint16_t)unit_after(u->program, k);
    set_at(u, u->active, u->pc);
    if (!stay)
        return;
    u->blocked[b] |= stay;
    set_at(u, stay, here);
    if ((u->members[b] & ~u->exited & ~u->waiting & ~all_blocked(u)) && (pass || u->ready)) {
        u->active = pass;
        if (!pass)
            next(u);
        return;
    }
    uint32_t members = u->members[b], go_on = u->blocked[b] & members;
    if (u->joined_late[b])
        go_on = lanes_at(u, go_on, here);
    u->members[b] = 0;
    u->blocked[b] &= ~go_on;
    wake(u, members & (u->yielded | all_blocked(u)));
    run(u, go_on | pass, unit_after(u->program, k));
    settle(u, u->pointer);
}

static void break_barrier(struct unit *u, unsigned b, uint32_t exec)
{
    u->members[b] &= ~exec;
    uint32_t rest = u->members[b] & ~u->exited, active = u->active;
    if (!exec || (rest & ~all_blocked(u)))
        return;
    u->members[b] = 0;
    if (!rest)
        return;
    wake(u, rest);
    if (count(rest) < count(active)) {
        defer(u, active, u->pc);
        unsigned pc = u->at[lowest(rest)];
        go(u, lanes_at(u, rest, pc), pc, u->pointer);
    } else {
        push(u, rest, UNIT_PLACE_NONE);
        settle(u, u->pointer);
    }
}

static void leave(struct unit *u, uint32_t exec)
{
    u->exited |= exec;
    u->active &= ~exec;
    if (u->active)
        return;
    for (unsigned b = 0; exec && b < UNIT_BARRIERS; b++) {
        uint32_t rest = u->members[b] & ~u->exited;
        if (!rest || (rest & ~u->blocked[b]))
            continue;
        u->members[b] = 0;
        wake(u, rest);
        unsigned pc = u->at[lowest(rest)];
        go(u, lanes_at(u, rest, pc), pc, u->pointer);
        return;
    }
    next(u);
}

static void warpsync(struct unit *u, uint32_t mask)
{
    if (!(mask & ~u->exited & ~u->active))
        return;
    for (unsigned l = 0; l < UNIT_LANES; l++)
        u->sync[l] = u->active >> l & 1 ? mask : u->sync[l];
    u->waiting |= u->active;
    next(u);
}

void unit_start(struct unit *u, const struct unit_program *p)
{
    memset(u, 0, sizeof *u);
    u->program = p;
    u->active = ~0u >> (UNIT_LANES - p->lanes);
    u->exited = ~u->active;
    u->alt_pc = UNIT_PLACE_NONE;
}

void unit_step(struct unit *u, unsigned k, uint32_t exec)
{
    const struct unit_insn *i = &u->program->insn[k];
    unsigned b = i->arg % UNIT_BARRIERS;
    u->pc = (uint16_t)unit_after(u->program, k);
    set_at(u, u->active, u->pc);
    switch (i->op) {
    case UNIT_BRA:
    case UNIT_CALL:
        branch(u, exec, UNIT_START(i->arg));
        break;
    case UNIT_BRX:
    case UNIT_RET:
        indirect(u, k);
        break;
    case UNIT_BSSY:
        u->joined_late[b] = u->members[b] != 0;
        u->members[b] |= u->active;
        break;
    case UNIT_BSYNC:
        bsync(u, k);
        break;
    case UNIT_BREAK:
        break_barrier(u, b, exec);
        break;
    case UNIT_YIELD:
        u->yielded |= u->active;
        next(u);
        break;
    case UNIT_EXIT:
        leave(u, exec);
        break;
    case UNIT_WARPSYNC:
        warpsync(u, i->word[0]);
        break;
    case UNIT_BMOV:
        u->members[b] = i->word[0];
        u->joined_late[b] = true;
        break;
    case UNIT_BMOV_CLEAR:
        u->members[b] = 0;
        break;
    case UNIT_NOP:
    case UNIT_BAR:                      /* of a block of one warp */
        break;
    }
}

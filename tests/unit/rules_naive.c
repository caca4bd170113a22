/* The convergence rules, lane by lane.  Sets are arrays of flags, groups are found by searching;
 * nothing is shared with cmodel/machine/barriers.c but the text of the rules.
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules_naive.h"
#include <string.h>

#define EACH(l) for (int l = 0; l < 32; l++)

uint32_t naive_mask(const struct lane_set *s)
{
    uint32_t m = 0;
    EACH(l) if (s->in[l]) m |= 1u << l;
    return m;
}

uint32_t naive_state(const struct naive *n, enum lane_state s)
{
    uint32_t m = 0;
    EACH(l) if (n->lane[l].state == s) m |= 1u << l;
    return m;
}

static int size(const struct lane_set *s)
{
    return __builtin_popcount(naive_mask(s));
}

static int first_lane(const struct lane_set *s)
{
    EACH(l) if (s->in[l]) return l;
    return -1;
}

static struct lane_set in_state(const struct naive *n, enum lane_state st)
{
    struct lane_set s = { 0 };
    EACH(l) s.in[l] = n->lane[l].state == st;
    return s;
}

/* The part of s that continues at pc; and the other part. */
static struct lane_set standing(const struct naive *n, struct lane_set s, uint32_t pc, bool there)
{
    EACH(l) s.in[l] = s.in[l] && (n->lane[l].pc == pc) == there;
    return s;
}

bool naive_runs(const struct naive *n)
{
    return naive_state(n, RUNS) != 0;
}

static void move(struct naive *n, struct lane_set s, enum lane_state st)
{
    EACH(l) if (s.in[l]) {
        if (n->lane[l].state == READY && st != READY)
            n->in_stk[l] = n->due.in[l] = false;
        n->lane[l].state = st;
    }
}

static void defer(struct naive *n, struct lane_set s)
{
    if (!size(&s))
        return;
    move(n, s, READY);
    if (n->has_alt) {
        int l = first_lane(&n->alt);
        n->stk[n->nstk++] = l;
        n->in_stk[l] = true;
    }
    n->has_alt = true;
    n->alt = s;
}

static void defer_by_pc(struct naive *n, struct lane_set s)
{
    while (size(&s)) {
        uint32_t pc = n->lane[first_lane(&s)].pc;
        defer(n, standing(n, s, pc, true));
        s = standing(n, s, pc, false);
    }
}

/* Rule 4's test. */
static bool is_complete(const struct naive *n, int b)
{
    bool anybody = false;
    EACH(l) {
        bool arrived = n->lane[l].state == BLOCKED && n->lane[l].barrier == b;
        if (!n->b[b].in[l])
            continue;
        anybody |= arrived;
        if (!arrived && n->lane[l].state != EXITED && n->lane[l].state != YIELDED)
            return false;
    }
    return anybody;
}

static void no_longer_yielded(struct naive *n, struct lane_set s)
{
    EACH(l) if (s.in[l]) {
        n->open.in[l] = false;
        for (int q = n->head; q < n->tail; q++)
            n->queue[q].in[l] = false;
    }
}

/* The blocked lanes of b (giving way: all; else the participants) become ready; so do yielded
 * ones. */
static struct lane_set let_go(struct naive *n, int b, bool all)
{
    struct lane_set out = { 0 }, y = in_state(n, YIELDED);
    EACH(l)
    out.in[l] = n->lane[l].state == BLOCKED && n->lane[l].barrier == b && (all || n->b[b].in[l]);
    memset(&n->b[b], 0, sizeof n->b[b]);
    move(n, out, READY);
    move(n, y, READY);
    no_longer_yielded(n, y);
    EACH(l) n->released.in[l] |= out.in[l] || y.in[l];
    return out;
}

/* Splits off those that blocked last; the others are deferred. */
static struct lane_set blocked_last(struct naive *n, int b, struct lane_set out)
{
    uint32_t pc = n->last[b].pc;
    struct lane_set here = standing(n, out, pc, true);
    if (!size(&here))
        pc = n->lane[first_lane(&out)].pc;
    defer_by_pc(n, standing(n, out, pc, false));
    return standing(n, out, pc, true);
}

static bool warpsync_done(const struct naive *n, uint32_t mask)
{
    EACH(l)
        if (mask >> l & 1 && n->lane[l].state != EXITED && n->lane[l].state != AT_WARPSYNC)
            return false;
    return true;
}

static void warpsync_go(struct naive *n, uint32_t mask, struct lane_set arriving, uint32_t pc,
                        bool have_pc)
{
    struct lane_set out = { 0 };
    EACH(l) out.in[l] = n->lane[l].state == AT_WARPSYNC && (mask >> l & 1 || arriving.in[l]);
    if (!have_pc)
        pc = n->lane[first_lane(&out)].pc;
    EACH(l) n->released.in[l] |= out.in[l];
    move(n, out, READY);
    defer_by_pc(n, standing(n, out, pc, false));
    move(n, standing(n, out, pc, true), RUNS);
}

static bool next_complete(struct naive *n)
{
    for (int b = 0; b < 16; b++)
        if (is_complete(n, b)) {
            move(n, blocked_last(n, b, let_go(n, b, false)), RUNS);
            return true;
        }
    EACH(l)
        if (n->lane[l].state == AT_WARPSYNC && warpsync_done(n, n->lane[l].mask)) {
            struct lane_set me = { 0 };
            me.in[l] = true;
            warpsync_go(n, n->lane[l].mask, me, 0, false);
            return true;
        }
    return false;
}

static void next_yielded(struct naive *n)
{
    while (!size(&n->queue[n->head]))
        n->head++;
    struct lane_set set = n->queue[n->head], all = in_state(n, YIELDED);
    uint32_t pc = n->lane[first_lane(&set)].pc;
    struct lane_set group = standing(n, all, pc, true), rest = standing(n, set, pc, false);
    no_longer_yielded(n, group);
    no_longer_yielded(n, set);
    EACH(l) n->released.in[l] |= group.in[l] || rest.in[l];
    defer_by_pc(n, rest);
    move(n, group, RUNS);
}

static void next_gives_way(struct naive *n)
{
    int b = -1;
    EACH(l) if (n->lane[l].state == BLOCKED) {
        int x = n->lane[l].barrier;
        if (b < 0 || n->last[x].when > n->last[b].when)
            b = x;
    }
    n->gave_way = true;
    move(n, blocked_last(n, b, let_go(n, b, true)), RUNS);
}

static void close_set(struct naive *n)
{
    if (size(&n->open))
        n->queue[n->tail++] = n->open;
    memset(&n->open, 0, sizeof n->open);
}

void naive_next(struct naive *n)
{
    struct lane_set rdy = in_state(n, READY);
    if (n->has_alt) {
        n->has_alt = false;
        move(n, n->alt, RUNS);
        return;
    }
    while (n->nstk && !(n->in_stk[n->stk[n->nstk - 1]] && rdy.in[n->stk[n->nstk - 1]]))
        n->nstk--;
    if (n->nstk || !size(&rdy))
        close_set(n);
    if (n->nstk) {
        int l = n->stk[--n->nstk];
        move(n, standing(n, rdy, n->lane[l].pc, true), RUNS);
    } else if (size(&rdy)) {
        if (!size(&n->due))
            n->due = rdy;
        move(n, standing(n, rdy, n->lane[first_lane(&n->due)].pc, true), RUNS);
    } else if (next_complete(n)) {
        return;
    } else if (naive_state(n, YIELDED)) {
        next_yielded(n);
    } else if (naive_state(n, BLOCKED) && !naive_state(n, AT_BLOCK_BARRIER)) {
        next_gives_way(n);
    }
}

void naive_start(struct naive *n, uint32_t lanes, uint32_t entry)
{
    memset(n, 0, sizeof *n);
    EACH(l) {
        n->lane[l].state = lanes >> l & 1 ? RUNS : EXITED;
        n->lane[l].pc = entry;
    }
}

static struct lane_set set_of(uint32_t m)
{
    struct lane_set s;
    EACH(l) s.in[l] = m >> l & 1;
    return s;
}

static void rule1(struct naive *n, struct lane_set taken, struct lane_set other)
{
    bool taken_first = size(&taken) < size(&other);
    if (size(&taken) && size(&other))
        defer(n, taken_first ? other : taken);
}

static void rule2(struct naive *n, struct lane_set active, uint32_t here)
{
    uint32_t target = n->lane[first_lane(&active)].pc;
    struct lane_set t = standing(n, active, target, true), r = standing(n, active, target, false);
    bool first = n->first;
    n->first = false;
    if (!size(&r))
        return;
    EACH(l) if (r.in[l]) n->lane[l].pc = here;
    if (first || size(&t) <= size(&r)) {
        defer(n, r);
    } else {
        defer(n, t);
        n->first = true;
    }
}

static void rule4(struct naive *n, int b, struct lane_set active)
{
    struct lane_set p = active;
    EACH(l) p.in[l] = active.in[l] && n->b[b].in[l];
    if (!size(&p))
        return;
    uint32_t behind = n->lane[first_lane(&active)].pc;
    move(n, p, BLOCKED);
    EACH(l) if (p.in[l]) n->lane[l].barrier = b;
    n->last[b].pc = behind;
    n->last[b].when = ++n->now;
    if (is_complete(n, b)) {
        struct lane_set out = let_go(n, b, false);
        defer_by_pc(n, standing(n, out, behind, false));
        move(n, standing(n, out, behind, true), RUNS);
    } else if (!naive_runs(n)) {
        naive_next(n);
    }
}

static void rule5(struct naive *n, int b, struct lane_set exec, struct lane_set active)
{
    bool any = false;
    EACH(l) if (exec.in[l] && n->b[b].in[l]) {
        n->b[b].in[l] = false;
        any = true;
    }
    if (!any || !is_complete(n, b))
        return;
    struct lane_set last = blocked_last(n, b, let_go(n, b, false));
    bool released_first = size(&last) < size(&active);
    defer(n, released_first ? active : last);
    move(n, released_first ? last : active, RUNS);
}

static void rule7_warpsync(struct naive *n, struct lane_set active, uint32_t mask)
{
    uint32_t behind = n->lane[first_lane(&active)].pc;
    EACH(l) if (active.in[l]) n->lane[l].mask = mask;
    move(n, active, AT_WARPSYNC);
    if (warpsync_done(n, mask))
        warpsync_go(n, mask, active, behind, true);
    else
        naive_next(n);
}

void naive_block_release(struct naive *n, int x)
{
    struct lane_set out = { 0 };
    EACH(l) out.in[l] = n->lane[l].state == AT_BLOCK_BARRIER && n->lane[l].barrier == x;
    EACH(l) n->released.in[l] |= out.in[l];
    move(n, out, READY);
}

void naive_step(struct naive *n, const struct hd_insn *in, uint32_t exec_m,
                const uint32_t value[32])
{
    struct lane_set active = in_state(n, RUNS), exec = set_of(exec_m), other = active;
    uint32_t here = n->lane[first_lane(&active)].pc;
    int lowest = first_lane(&exec);
    memset(&n->released, 0, sizeof n->released);
    n->gave_way = false;
    EACH(l) other.in[l] = active.in[l] && !exec.in[l];
    EACH(l) if (active.in[l]) n->lane[l].pc = here + 16;
    switch (in->op) {
    case OP_BRA: case OP_CALL:
        EACH(l) if (exec.in[l]) n->lane[l].pc = in->imm;
        rule1(n, exec, other);
        break;
    case OP_BRX: case OP_CALLR: case OP_RET:
        EACH(l) if (exec.in[l]) n->lane[l].pc = value[l];
        rule2(n, active, here);
        break;
    case OP_BSSY: EACH(l) n->b[in->bx].in[l] |= exec.in[l]; break;
    case OP_BSYNC: rule4(n, in->bx, active); break;
    case OP_BREAK: rule5(n, in->bx, exec, active); break;
    case OP_EXIT:
        move(n, exec, EXITED);
        EACH(l) for (int b = 0; b < 16; b++) n->b[b].in[l] &= !exec.in[l];
        break;
    case OP_BMOVB: if (lowest >= 0) n->b[in->bx] = set_of(value[lowest]); break;
    case OP_WARPSYNC: rule7_warpsync(n, active, value[first_lane(&active)]); break;
    case OP_BAR:
        EACH(l) if (active.in[l]) n->lane[l].barrier = in->bx;
        move(n, active, AT_BLOCK_BARRIER);
        break;
    case OP_YIELD:
        move(n, active, YIELDED);
        EACH(l) n->open.in[l] |= active.in[l];
        naive_next(n);
        break;
    default: break;
    }
}

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

static struct lane_set in_state(const struct naive *n, enum lane_state st)
{
    struct lane_set s = { 0 };
    EACH(l) s.in[l] = n->lane[l].state == st;
    return s;
}

uint32_t naive_state(const struct naive *n, enum lane_state st)
{
    struct lane_set s = in_state(n, st);
    return naive_mask(&s);
}

static bool blocked_at(const struct naive *n, int l, int b)
{
    return n->lane[l].state == BLOCKED && n->lane[l].barrier == b;
}

uint32_t naive_arrived(const struct naive *n, int b)
{
    struct lane_set s = { 0 };
    EACH(l) s.in[l] = blocked_at(n, l, b);
    return naive_mask(&s);
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

static bool lives(const struct naive *n, int l)
{
    return n->lane[l].state != EXITED;
}

static void leave_stk(struct naive *n, int l)
{
    int kept = 0;
    for (int i = 0; i < n->nstk; i++)
        if (n->stk[i] != l)
            n->stk[kept++] = n->stk[i];
    n->nstk = kept;
}

static void move(struct naive *n, struct lane_set s, enum lane_state st)
{
    EACH(l) if (s.in[l]) {
        enum lane_state was = n->lane[l].state;
        if (was == READY && st != READY)
            leave_stk(n, l);
        if (was != RUNS && was != READY && (st == READY || st == RUNS))
            n->released.in[l] = true;
        n->lane[l].state = st;
    }
}

static void push_alt(struct naive *n)
{
    if (n->has_alt)
        n->stk[n->nstk++] = first_lane(&n->alt);
    n->has_alt = false;
}

static void defer(struct naive *n, struct lane_set s)
{
    if (!size(&s))
        return;
    move(n, s, READY);
    push_alt(n);
    n->has_alt = true;
    n->alt = s;
}

static void set_ptr(struct naive *n, int from)
{
    for (int k = 0; k < 32; k++) {
        int l = (from + k) % 32;
        if (lives(n, l) && n->lane[l].state != RUNS) {
            n->ptr = l;
            return;
        }
    }
}

/* A WARPSYNC with this mask: all live lanes of it wait at one. */
static bool warpsync_complete(const struct naive *n, uint32_t mask)
{
    EACH(l)
        if (mask >> l & 1 && lives(n, l) && n->lane[l].state != AT_WARPSYNC)
            return false;
    return true;
}

/* Cases 2 and 3: all ready, yielded and blocked lanes at pc run; whether some were blocked, and
 * their barrier, if it is to give way, is cleared. */
static bool run_all_at(struct naive *n, uint32_t pc, bool give_way)
{
    struct lane_set here = { 0 };
    bool any_blocked = false;
    EACH(l) {
        enum lane_state st = n->lane[l].state;
        here.in[l] = (st == READY || st == YIELDED || st == BLOCKED) && n->lane[l].pc == pc;
        if (here.in[l] && st == BLOCKED) {
            any_blocked = true;
            if (give_way)
                memset(&n->b[n->lane[l].barrier], 0, sizeof n->b[0]);
        }
    }
    move(n, here, RUNS);
    return any_blocked;
}

static void next_from_stack(struct naive *n)
{
    int l = n->stk[--n->nstk];
    run_all_at(n, n->lane[l].pc, n->nstk == 0);
    set_ptr(n, n->ptr);
}

static bool can_be_picked(const struct naive *n, int l)
{
    switch (n->lane[l].state) {
    case READY: case YIELDED: case BLOCKED: return true;
    case AT_WARPSYNC: return warpsync_complete(n, n->lane[l].mask);
    default: return false;
    }
}

/* The lanes that go on with this one, whose WARPSYNC is complete. */
static struct lane_set warpsync_lanes(const struct naive *n, int picked)
{
    struct lane_set out = { 0 };
    EACH(l)
    out.in[l] = n->lane[l].state == AT_WARPSYNC &&
                (n->lane[picked].mask >> l & 1 || l == picked);
    return out;
}

static void next_round(struct naive *n)
{
    bool nobody = !naive_state(n, READY) && !naive_state(n, YIELDED);
    for (int k = 0; k < 32; k++) {
        int l = (n->ptr + k) % 32;
        if (!can_be_picked(n, l))
            continue;
        struct lane_set out = { 0 };
        if (n->lane[l].state == AT_WARPSYNC)
            out = warpsync_lanes(n, l);
        struct lane_set elsewhere = standing(n, out, n->lane[l].pc, false);
        move(n, out, READY);
        if (size(&elsewhere))
            move(n, standing(n, out, n->lane[first_lane(&out)].pc, true), RUNS);
        else
            n->gave_way = run_all_at(n, n->lane[l].pc, true) && nobody;
        set_ptr(n, l);
        return;
    }
}

void naive_next(struct naive *n)
{
    if (n->has_alt) {
        n->has_alt = false;
        move(n, n->alt, RUNS);
        set_ptr(n, n->ptr);
    } else if (n->nstk) {
        next_from_stack(n);
    } else {
        next_round(n);
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
    bool again = n->again;
    n->again = false;
    if (!size(&r))
        return;
    EACH(l) if (r.in[l]) n->lane[l].pc = here;
    if (again) {
        move(n, r, READY);
        EACH(l) n->alt.in[l] |= r.in[l];
    } else if (size(&t) <= size(&r)) {
        defer(n, r);
    } else {
        EACH(l) if (t.in[l]) n->lane[l].pc = here;
        defer(n, t);
        n->again = true;
    }
}

/* Participants that live and are not among s: whether all of them are blocked, at b or anywhere,
 * and how many they are. */
static bool others_blocked(const struct naive *n, int b, bool at_b, int *count)
{
    *count = 0;
    EACH(l) if (n->b[b].in[l] && lives(n, l)) {
        if (n->lane[l].state != BLOCKED || (at_b && n->lane[l].barrier != b))
            return false;
        ++*count;
    }
    return true;
}

static void clear(struct naive *n, int b)
{
    memset(&n->b[b], 0, sizeof n->b[b]);
}

static void rule4_release(struct naive *n, int b, struct lane_set active, uint32_t here)
{
    struct lane_set on = { 0 }, out = { 0 };
    EACH(l) {
        enum lane_state st = n->lane[l].state;
        on.in[l] = n->b[b].in[l] && blocked_at(n, l, b) && n->lane[l].pc == here;
        out.in[l] = n->b[b].in[l] && !on.in[l] && (st == BLOCKED || st == YIELDED);
        if (on.in[l] || active.in[l])
            n->lane[l].pc = here + 16;
    }
    clear(n, b);
    move(n, on, RUNS);
    move(n, out, READY);
    set_ptr(n, n->ptr);
}

static void rule4(struct naive *n, int b, struct lane_set active, uint32_t here)
{
    struct lane_set p = active;
    bool missing = false, others_run = false;
    EACH(l) p.in[l] = active.in[l] && n->b[b].in[l];
    if (!size(&p))
        return;
    EACH(l) {
        enum lane_state st = n->lane[l].state;
        missing |= n->b[b].in[l] && !p.in[l] && st != EXITED && st != BLOCKED && st != AT_WARPSYNC;
        others_run |= st == READY || (active.in[l] && !p.in[l]);
    }
    move(n, p, BLOCKED);
    EACH(l) if (p.in[l]) {
        n->lane[l].barrier = b;
        n->lane[l].pc = here;
    }
    if (!missing || !others_run)
        rule4_release(n, b, active, here);
    else if (!naive_runs(n))
        naive_next(n);
}

static void rule5(struct naive *n, int b, struct lane_set exec, struct lane_set active)
{
    int left;
    struct lane_set out;
    EACH(l) if (exec.in[l]) n->b[b].in[l] = false;
    if (!size(&exec) || !others_blocked(n, b, false, &left))
        return;
    EACH(l) out.in[l] = n->b[b].in[l] && lives(n, l);
    clear(n, b);
    if (!left)
        return;
    move(n, out, READY);
    if (size(&out) < size(&active)) {
        defer(n, active);
        move(n, standing(n, out, n->lane[first_lane(&out)].pc, true), RUNS);
    } else {
        push_alt(n);
        n->stk[n->nstk++] = first_lane(&out);
    }
    set_ptr(n, n->ptr);
}

void naive_exited(struct naive *n)
{
    for (int b = 0; b < 16; b++) {
        int left;
        struct lane_set out;
        if (!others_blocked(n, b, true, &left) || !left)
            continue;
        EACH(l) out.in[l] = n->b[b].in[l] && lives(n, l);
        clear(n, b);
        move(n, out, READY);
        move(n, standing(n, out, n->lane[first_lane(&out)].pc, true), RUNS);
        set_ptr(n, n->ptr);
        return;
    }
    naive_next(n);
}

static void rule7_warpsync(struct naive *n, struct lane_set active, uint32_t mask)
{
    bool all = true;
    EACH(l) all &= !(mask >> l & 1) || !lives(n, l) || active.in[l];
    if (all)
        return;
    EACH(l) if (active.in[l]) n->lane[l].mask = mask;
    move(n, active, AT_WARPSYNC);
    naive_next(n);
}

void naive_block_release(struct naive *n, int x)
{
    struct lane_set out = { 0 };
    EACH(l) out.in[l] = n->lane[l].state == AT_BLOCK_BARRIER && n->lane[l].barrier == x;
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
    case OP_BSYNC: rule4(n, in->bx, active, here); break;
    case OP_BREAK: rule5(n, in->bx, exec, active); break;
    case OP_EXIT: move(n, exec, EXITED); break;
    case OP_BMOVB: if (lowest >= 0) n->b[in->bx] = set_of(value[lowest]); break;
    case OP_WARPSYNC: rule7_warpsync(n, active, value[first_lane(&active)]); break;
    case OP_BAR:
        EACH(l) if (active.in[l]) n->lane[l].barrier = in->bx;
        move(n, active, AT_BLOCK_BARRIER);
        break;
    case OP_YIELD:
        move(n, active, YIELDED);
        naive_next(n);
        break;
    default: break;
    }
}

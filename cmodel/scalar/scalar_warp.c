/* Lanes that talk to lanes, thread by thread: shuffles, votes and matches.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Subtle: a shuffle, vote or match needs the other threads of its warp.  A thread stops at it.
 * After a WARPSYNC of all live threads it waits there until they all stand at the same one, and
 * they execute it together.  Others don't wait, and what they get is tainted: which lanes took
 * part is the schedule's affair.  So they go first, and may yet come to where the others wait.
 * If threads wait at different ones, it is unknown how often each has come to which: what
 * the warp gets from then on is tainted. */
#include "cmodel/scalar/scalar_core.h"
#include <string.h>

bool scalar_is_warp_op(unsigned op)
{
    return hd_ops[op].flags & F_LANES;
}

static struct thread *lane(const struct scalar *s, u32 warp, u32 l)
{
    u32 i = warp * HD_LANES + l;
    return i < s->launch.threads ? &s->thread[i] : NULL;
}

/* The value that lane l gets from a shuffle among `who`; *in: the source lane is in range. */
static u32 shuffled(const struct scalar *s, const struct hd_insn *i, u32 warp, u32 who, u32 l,
                    bool *in)
{
    const struct thread *t = lane(s, warp, l);
    u32 b = scalar_second(s, t, i) & 31, c = t->r[i->rc], clamp = c & 31, seg = c >> 8 & 31;
    u32 lowest = l & seg, limit = lowest | (clamp & ~seg);
    int from = i->shfl == SHFL_UP ? (int)l - (int)b : i->shfl == SHFL_DOWN ? (int)(l + b)
             : i->shfl == SHFL_BFLY ? (int)(l ^ b) : (int)(lowest | (b & ~seg));
    *in = i->shfl == SHFL_UP ? from >= (int)limit : from <= (int)limit;
    if (*in && !(who >> from & 1))
        return 0;
    return lane(s, warp, *in ? (u32)from : l)->r[i->ra];
}

static void together(struct scalar *s, const struct hd_insn *i, u32 warp, u32 who, bool taint)
{
    u32 value[HD_LANES] = { 0 }, yes = 0;
    bool pred[HD_LANES] = { false }, tainted = taint, same = true;
    const struct thread *first = lane(s, warp, (u32)__builtin_ctz(who));
    for (u32 l = 0; l < HD_LANES; l++) {
        if (!(who >> l & 1))
            continue;
        const struct thread *t = lane(s, warp, l);
        tainted |= scalar_tainted(t, i);
        yes |= (u32)((t->p >> i->ps ^ i->sn) & 1) << l;
        same &= t->r[i->ra] == first->r[i->ra];
    }
    for (u32 l = 0; l < HD_LANES; l++) {
        const struct thread *t = lane(s, warp, l);
        if (!(who >> l & 1))
            continue;
        switch (i->op) {
        case OP_VOTE:
            value[l] = yes;
            pred[l] = i->vote == VOTE_ALL ? yes == who
                    : i->vote == VOTE_ANY ? yes != 0 : yes == who || !yes;
            break;
        case OP_SHFL:
            value[l] = shuffled(s, i, warp, who, l, &pred[l]);
            break;
        case OP_MATCHN:
            for (u32 k = 0; k < HD_LANES; k++)
                value[l] |= (u32)(who >> k & 1 && lane(s, warp, k)->r[i->ra] == t->r[i->ra]) << k;
            break;
        default:
            value[l] = same ? who : 0;
            pred[l] = same;
        }
    }
    for (u32 l = 0; l < HD_LANES; l++)
        if (who >> l & 1) {
            struct thread *t = lane(s, warp, l);
            scalar_set(t, i->rd, value[l], tainted);
            if (strchr(hd_ops[i->op].operands, 'p'))
                scalar_set_pred(t, i->pd, pred[l], tainted);
        }
}

static u32 lanes_in(const struct scalar *s, u32 warp, bool (*is)(const struct thread *))
{
    u32 lanes = 0;
    for (u32 l = 0; l < HD_LANES; l++) {
        const struct thread *t = lane(s, warp, l);
        lanes |= (u32)(t && is(t)) << l;
    }
    return lanes;
}

static bool is_live(const struct thread *t) { return t->state != THREAD_ENDED; }
static bool is_at_op(const struct thread *t) { return t->state == THREAD_WARP_OP; }

/* Of the lanes `at` a warp operation those at the lowest PC where one does not wait for all that
 * live; where all do, at the lowest.  *waits: of the lanes, those that do. */
static u32 next_to_meet(const struct scalar *s, u32 warp, u32 at, u32 live, u32 *waits)
{
    u32 pc[2] = { UINT32_MAX, UINT32_MAX }, in = 0;
    *waits = 0;
    for (u32 l = 0; l < HD_LANES; l++) {
        const struct thread *t = at >> l & 1 ? lane(s, warp, l) : NULL;
        if (!t)
            continue;
        bool all = (t->synced & live) == live;
        *waits |= (u32)all << l;
        pc[all] = t->pc < pc[all] ? t->pc : pc[all];
    }
    for (u32 l = 0; l < HD_LANES; l++)
        if (at >> l & 1)
            in |= (u32)(lane(s, warp, l)->pc == pc[*waits == at]) << l;
    *waits &= in;
    return in;
}

bool scalar_meet(struct scalar *s, u32 warp)
{
    u32 live = lanes_in(s, warp, is_live), who = 0, waits;
    u32 in = next_to_meet(s, warp, lanes_in(s, warp, is_at_op), live, &waits);
    if (!in)
        return false;
    u32 pc = lane(s, warp, (u32)__builtin_ctz(in))->pc;
    const struct hd_insn *i = &s->code[pc / HD_INSN_BYTES].i;
    s->apart |= (u32)(waits && in != live) << warp;
    bool taint = waits != live || s->apart >> warp & 1;
    for (u32 l = 0; l < HD_LANES; l++) {
        struct thread *t = in >> l & 1 ? lane(s, warp, l) : NULL;
        if (!t)
            continue;
        t->state = THREAD_RUNS;
        who |= (u32)scalar_guard(t, i) << l;
    }
    if (who)
        together(s, i, warp, who, taint);
    for (u32 l = 0; l < HD_LANES; l++)
        if (in >> l & 1) {
            struct thread *t = lane(s, warp, l);
            t->pc += HD_INSN_BYTES;
            if (i->pop && !scalar_pop(s, t, FRAME_SYNC, &t->pc))
                return false;
        }
    return true;
}

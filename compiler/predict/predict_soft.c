/* Soft barriers (paper A, section 4.6, Figure 6): a threshold of lanes is enough.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The prediction's barrier becomes bTemp, whose participants are written rather than joined; bAll
 * holds the lanes of the region, bCount those that have come to the label:
 *
 *     start:  JoinBarrier(bAll); bTemp = bAll
 *     label:  JoinBarrier(bCount); p = arrivedThreads(bCount) <= threshold
 *             @p  CancelBarrier(bPdom)          they wait: the others must not wait for them
 *                                               elsewhere
 *             @!p bTemp = bCount                 enough: all that wait at bTemp have come, and they
 *                                                are all
 *             WaitBarrier(bTemp); CancelBarrier(bCount); bTemp = bAll
 *             @p  RejoinBarrier(bPdom)
 *     exit:   CancelBarrier(bAll); CancelBarrier(bTemp)
 *
 * arrivedThreads is BMOV and POPC; a copy is two BMOVs.  The copy comes before the wait, because a
 * BSSY on a register with blocked lanes makes a GPU forget them (tests/silicon/probes.txt).  p is
 * the same in all lanes of a group, so the figure's blocks BB4 and BB5 are guards.  Three things
 * are not in its text as we have it.  Those that waited join bPdom again (where all lanes come in
 * it, and it is live), or each would later go through epilog and prolog alone, as no lane waits for
 * it there. bCount is left after the wait: a lane that comes again must not be counted already.
 * And at the exit bAll is left first: BREAK may release the lanes at bTemp, which then run first,
 * copy bAll, and would wait for a lane that is gone.  Where the region-exit barrier collects the
 * lanes after it, the text's bAll has no second duty.
 *
 * Barriers of the region get registers of their own, if there are enough: lanes of different
 * iterations are in them at one time.  The three above always do, or baralloc.c drops them
 * together.
 *
 * Requires: finished joins, waits, rejoins, cancels, conflicts.
 * Ensures:  a prediction with a threshold has its three barriers; fn.vb_own; edges stay. */
#include <string.h>
#include "compiler/predict.h"

struct soft { struct fn *f; const struct prediction *p; struct blk *b; };

static struct opd reg(int r) { return (struct opd){ .kind = O_REG, .reg = r, .reg2 = -1 }; }
static struct opd imm(uint64_t k)
{
    return (struct opd){ .kind = O_IMM, .reg = -1, .reg2 = -1, .imm = k };
}

/* A register of ours, the same in all lanes that run together; named, for --show. */
static int new_reg(struct fn *f, enum ptype type)
{
    int r = reg_new(f, type);
    size_t n = (size_t)r;
    f->regs[r].name = arena_printf(f->m->arena, "%%simt%d", r);
    if (f->reg_divergent) f->reg_divergent = arena_grow(f->m->arena, f->reg_divergent, n, n + 1);
    return r;
}

static struct ins *put(struct soft *s, struct ins *at, enum pop op, int vb, const struct ins *near)
{
    struct ins *i = predict_op(s->f, op, vb, near);
    ins_before(s->b, at, i);
    return i;
}

static int read_barrier(struct soft *s, struct ins *at, int vb, const struct ins *near)
{
    struct ins *i = put(s, at, P_BMOV_SAVE, vb, near);
    int r = new_reg(s->f, T_B32);
    i->type = T_B32;
    i->nops = 1;
    i->o[0] = reg(r);
    return r;
}

static struct ins *write_barrier(struct soft *s, struct ins *at, int vb, int r,
                                 const struct ins *near)
{
    struct ins *i = put(s, at, P_BMOV_LOAD, vb, near);
    i->nops = 1;
    i->o[0] = reg(r);
    return i;
}

/* bTemp = bAll */
static void copy_all(struct soft *s, struct ins *at, const struct ins *near)
{
    write_barrier(s, at, s->p->vb, read_barrier(s, at, s->p->all, near), near);
}

static void join(struct soft *s, struct ins *i)
{
    i->vb = s->p->all;
    copy_all(s, i->next, i);
}

static void cancel(struct soft *s, struct ins *i)
{
    struct ins *first = put(s, i, P_BREAK, s->p->all, i);
    first->guard = i->guard;
    first->guard_neg = i->guard_neg;
    first->sub = i->sub;
}

/* p = arrivedThreads(bCount) <= threshold */
static int too_few(struct soft *s, struct ins *at, int arrived)
{
    struct ins *count = put(s, at, P_POPC, -1, at), *cmp = put(s, at, P_SETP, -1, at);
    int n = new_reg(s->f, T_U32), p = new_reg(s->f, T_PRED);
    count->type = T_B32;
    count->nops = 2;
    count->o[0] = reg(n);
    count->o[1] = reg(arrived);
    cmp->type = T_U32;
    cmp->cmp = CMP_LE;
    cmp->nops = 3;
    cmp->o[0] = reg(p);
    cmp->o[1] = reg(n);
    cmp->o[2] = imm((uint64_t)s->p->threshold);
    return p;
}

static struct ins *own_rejoin(const struct soft *s, const struct ins *w)
{
    for (struct ins *i = w->next; i && i->op == P_BSSY; i = i->next)
        if (i->vb == s->p->vb) return i;
    return NULL;
}

/* Those that left bPdom to wait are in it again, if all were; by now that is known, as every
 * prediction has its BREAKs. */
static void join_again(struct soft *s, struct ins *at, const struct ins *left)
{
    if (!predict_always(s->f, left->vb, s->b)) return;
    struct ins *i = predict_join(s->f, left->vb, REJOIN, s->b, left);
    i->guard = left->guard;
    ins_before(s->b, at, i);
}

static void wait(struct soft *s, struct ins *w)
{
    struct ins *first = w, *after = w->next, *again = own_rejoin(s, w);
    while (first->prev && first->prev->op == P_BREAK && first->prev->sub != CANCEL)
        first = first->prev;
    ins_before(s->b, first, predict_join(s->f, s->p->count, JOIN, s->b, w));
    int arrived = read_barrier(s, first, s->p->count, w), p = too_few(s, first, arrived);
    for (struct ins *i = first; i != w; i = i->next)
        if (i->sub >= WAITER) i->guard = p;
    struct ins *enough = write_barrier(s, w, s->p->vb, arrived, w);
    enough->guard = p;
    enough->guard_neg = true;
    put(s, after, P_BREAK, s->p->count, w);
    copy_all(s, after, w);
    for (struct ins *i = first; i != w; i = i->next)
        if (i->op == P_BREAK && i->sub == WAITER_BACK) join_again(s, after, i);
    if (again) {
        ins_remove(s->b, again);                        /* they have never left bAll */
    } else {
        put(s, after, P_BREAK, s->p->all, w);
        put(s, after, P_BREAK, s->p->vb, w);
    }
}

void predict_soften(struct fn *f, struct prediction *p)
{
    struct soft s = { .f = f, .p = p };
    if (!p->threshold) return;
    p->count = f->nvb++;
    p->all = f->nvb++;
    for (int k = 0; k < f->nblocks; k++) {
        s.b = f->blocks[k];
        struct ins *w = predict_wait(s.b, p->vb), *again = w ? own_rejoin(&s, w) : NULL;
        for (struct ins *i = s.b->first, *next; i; i = next) {
            next = i->next;
            if (i->vb != p->vb || i == again) continue;
            if (i->op == P_BSSY) join(&s, i);
            if (i->op == P_BREAK) cancel(&s, i);
        }
        if (w) wait(&s, w);
    }
}

/* Barriers that lanes may be in somewhere in the region of a soft barrier. */
void predict_own_registers(struct fn *f)
{
    unsigned char *own = arena_alloc(f->m->arena, (size_t)f->nvb + 1);
    bool *in = arena_alloc(f->m->arena, (size_t)f->nblocks), soft = false;
    for (int k = 0; k < f->npredictions; k++) {
        const struct prediction *p = &f->predictions[k];
        if (!p->threshold) continue;
        const bool *region = predict_region(f, p);
        for (int b = 0; b < f->nblocks; b++) in[b] |= region[b];
        soft = true;
        own[p->vb] = own[p->count] = own[p->all] = 2;
    }
    for (int vb = 0; vb < f->nvb && soft; vb++) {
        const struct flags joined = predict_joined(f, vb, true, NULL);
        for (int b = 0; b < f->nblocks && !own[vb]; b++)
            own[vb] = in[b] && (joined.in[b] || joined.out[b]);
    }
    f->vb_own = soft ? own : NULL;
}

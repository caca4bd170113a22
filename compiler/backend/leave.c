/* How lanes leave a barrier register that only counts.
 * SPDX-License-Identifier: Apache-2.0
 *
 * No lane waits at bAll of a soft barrier (predict_soft.c), so its other participants are all
 * blocked elsewhere at times, and a BREAK would then release them and clear it (rule 5).  It is
 * written instead: what it holds, less the lanes that execute this.
 *
 * Requires: barrier registers are numbered and verified, as which a BREAK is plainer.
 * Ensures:  none of these barriers has a BREAK. */
#include "compiler/predict.h"
#include "compiler/select/minsn.h"

static struct mins *put(struct mfn *mf, struct mblk *b, struct mins *at, enum hd_op op)
{
    struct mins *m = mins_new(mf, op);
    m->r[R_D] = mreg_new(mf, 1);
    m->sfile = at->sfile, m->sline = at->sline, m->home = at->home;
    mins_before(b, at, m);
    return m;
}

static struct mins *combine(struct mfn *mf, struct mblk *b, struct mins *at, enum hd_op op,
                            const struct mins *x, const struct mins *y)
{
    struct mins *m = put(mf, b, at, op);
    m->r[R_A] = x->r[R_D];
    m->r[R_B] = y->r[R_D];
    return m;
}

static void write_left(struct mfn *mf, struct mblk *b, struct mins *leave)
{
    struct mins *all = put(mf, b, leave, OP_BMOVR), *lanes = put(mf, b, leave, OP_VOTE);
    all->vb = leave->vb;
    all->i.bx = leave->i.bx;
    lanes->p[PR_S] = leave->p[PR_G];
    lanes->i.sn = leave->i.pn;
    lanes->i.vote = VOTE_ANY;
    const struct mins *either = combine(mf, b, leave, OP_OR, all, lanes);
    leave->r[R_B] = combine(mf, b, leave, OP_XOR, either, lanes)->r[R_D];
    leave->i.op = OP_BMOVB;
}

void leave_run(struct mfn *mf)
{
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next)
            if (m->i.op == OP_BREAK && predict_counts(mf->f, m->vb)) write_left(mf, mf->blks[k], m);
}

/* Selection of the operations between the lanes of a warp.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The machine's forms work among the executing lanes; placement has brought those of the member
 * mask together (WARPSYNC), so the mask itself is not looked at here. */
#include "compiler/select/minsn.h"

static int pred_of(const struct opd *o, int reg) { return o->kind == O_REG ? reg : -1; }

static void vote(struct sel *s)
{
    struct ins *in = s->in;
    struct pval p = sel_pred(s, &in->o[1]);
    bool ballot = in->sub == PV_BALLOT;
    struct mins *m = sel_op(s, OP_VOTE, ballot ? sel_dst(s, &in->o[0]) : VZERO, VZERO, VZERO,
                            VZERO);
    if (!ballot) m->p[PR_D] = pred_of(&in->o[0], in->o[0].reg);
    m->p[PR_S] = p.p;
    m->i.sn = p.neg;
    m->i.vote = (uint8_t)(in->sub == PV_ALL ? VOTE_ALL : in->sub == PV_UNI ? VOTE_UNI : VOTE_ANY);
    sel_guard(s, m);
}

static void shuffle(struct sel *s)
{
    struct ins *in = s->in;
    struct val d = sel_dst(s, &in->o[0]);
    struct mins *m = sel_op(s, OP_SHFL, d, sel_src(s, &in->o[1], 1), sel_src(s, &in->o[2], 1),
                            sel_src(s, &in->o[3], 1));
    m->p[PR_D] = in->o[0].reg2;
    m->i.shfl = (uint8_t)(in->sub - PS_UP + SHFL_UP);
    sel_guard(s, m);
}

static void match(struct sel *s)
{
    struct ins *in = s->in;
    int words = type_size(in->type) == 8 ? 2 : 1, q = in->o[0].reg2;
    bool all = in->sub == PM_ALL;
    struct val a = sel_src(s, &in->o[1], words), d = VZERO;
    int p[2] = { -1, -1 };
    for (int k = 0; k < words; k++) {
        struct val w = sel_do(s, all ? OP_MATCHL : OP_MATCHN, v_word(a, k), VZERO, VZERO);
        if (all) s->last->p[PR_D] = p[k] = sel_ptmp(s);
        sel_guard(s, s->last);
        d = k ? sel_do(s, OP_AND, d, w, VZERO) : w;
    }
    sel_put(s, &in->o[0], d);
    if (all && q >= 0) sel_plop(s, q, (struct pval){ p[0], false }, p[words - 1], 8);
}

bool select_warp(struct sel *s)
{
    struct ins *in = s->in;
    switch (in->op) {
    case P_VOTE: vote(s); return true;
    case P_SHFL: shuffle(s); return true;
    case P_MATCH: match(s); return true;
    case P_ACTIVEMASK: {
        struct mins *m = sel_op(s, OP_VOTE, sel_dst(s, &in->o[0]), VZERO, VZERO, VZERO);
        m->i.vote = VOTE_ANY;
        return true;
    }
    default: return false;
    }
}

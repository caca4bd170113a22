/* Selection of the operations between the lanes of a warp.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The machine's forms work among the executing lanes; placement has brought those of the member
 * mask together (WARPSYNC).  Lanes that name different masks may execute together, as two halves of
 * a warp do: a mask that lanes may have differently is applied to the result. */
#include "compiler/select/minsn.h"

static int pred_of(const struct opd *o, int reg) { return o->kind == O_REG ? reg : -1; }

/* The executing lanes where p holds. */
static struct val ballot(struct sel *s, struct pval p)
{
    struct val d = sel_tmp(s, 1);
    struct mins *m = sel_op(s, OP_VOTE, d, VZERO, VZERO, VZERO);
    m->p[PR_S] = p.p;
    m->i.sn = p.neg;
    m->i.vote = VOTE_ANY;
    return d;
}

/* Whether lanes that execute together may name different masks. */
static bool masks_differ(const struct sel *s, const struct opd *mask)
{
    return mask->kind == O_REG && s->f->reg_divergent[mask->reg];
}

/* Of these lanes, those of the member mask. */
static struct val members(struct sel *s, struct val lanes, const struct opd *mask)
{
    if (!masks_differ(s, mask)) return lanes;
    return sel_do(s, OP_AND, lanes, sel_src(s, mask, 1), VZERO);
}

static void test(struct sel *s, int pd, struct val a, int cmp, struct val b)
{
    sel_setp(s, OP_ISETP, pd, a, b, P_TRUE)->i.icmp = (uint8_t)cmp;
}

/* Each lane counts the votes of its own members. */
static void vote_members(struct sel *s, struct pval p)
{
    struct ins *in = s->in;
    const struct opd *mask = &in->o[2];
    struct val yes = members(s, ballot(s, p), mask);
    if (in->sub == PV_BALLOT) {
        sel_put(s, &in->o[0], yes);
    } else if (in->sub == PV_ANY) {
        test(s, in->o[0].reg, yes, ICMP_NE, VZERO);
    } else {
        struct val no = members(s, ballot(s, (struct pval){ p.p, !p.neg }), mask);
        if (in->sub == PV_UNI) {       /* fewer in one of them than one: none */
            struct val few = sel_do(s, OP_IMINU, yes, no, VZERO);
            test(s, in->o[0].reg, few, ICMP_EQ, VZERO);
        } else {
            test(s, in->o[0].reg, no, ICMP_EQ, VZERO);
        }
    }
}

static void vote(struct sel *s)
{
    struct ins *in = s->in;
    struct pval p = sel_pred(s, &in->o[1]);
    bool to_word = in->sub == PV_BALLOT;
    if (in->sync && masks_differ(s, &in->o[2])) {
        vote_members(s, p);
        return;
    }
    struct mins *m = sel_op(s, OP_VOTE, to_word ? sel_dst(s, &in->o[0]) : VZERO, VZERO, VZERO,
                            VZERO);
    if (!to_word) m->p[PR_D] = pred_of(&in->o[0], in->o[0].reg);
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
    bool all = in->sub == PM_ALL, apart = masks_differ(s, &in->o[2]);
    struct val a = sel_src(s, &in->o[1], words), d = VZERO;
    int p[2] = { -1, -1 };
    for (int k = 0; k < words; k++) {
        struct val w = sel_do(s, all && !apart ? OP_MATCHL : OP_MATCHN, v_word(a, k), VZERO, VZERO);
        if (all && !apart) s->last->p[PR_D] = p[k] = sel_ptmp(s);
        d = k ? sel_do(s, OP_AND, d, w, VZERO) : w;
    }
    d = members(s, d, &in->o[2]);
    if (all && apart) {                /* all members, or none */
        p[0] = sel_ptmp(s), words = 1;
        test(s, p[0], d, ICMP_EQ, members(s, ballot(s, P_TRUE), &in->o[2]));
        struct val had = d;
        d = sel_tmp(s, 1);
        sel_sel(s, d, had, VZERO, (struct pval){ p[0], false });
    }
    sel_put(s, &in->o[0], d);
    if (all && q >= 0) sel_plop(s, q, (struct pval){ p[0], false }, p[words - 1], 8);
}

static struct val bits_of(struct sel *s, int sreg)
{
    struct val d = sel_tmp(s, 1);
    sel_op(s, OP_S2R, d, VZERO, VZERO, VZERO)->i.imm = (uint32_t)sreg;
    return d;
}

/* v as the first lane of `lanes` has it; where there is none, anything. */
static struct val from_first(struct sel *s, struct val v, struct val lanes)
{
    struct val low = sel_do(s, OP_BREV, lanes, VZERO, VZERO), d = sel_tmp(s, 1);
    struct val first = sel_do(s, OP_CLZ, low, VZERO, VZERO);
    sel_op(s, OP_SHFL, d, v, first, v_imm(31))->i.shfl = SHFL_IDX;
    return d;
}

/* A tree over the lanes that execute, whichever these are: in each of five steps every other one of
 * those left takes what the next one has, and that one leaves. */
static void redux(struct sel *s)
{
    static const enum hd_op ops[2][6] = {
        { OP_IADD, OP_IMINU, OP_IMAXU, OP_AND, OP_OR, OP_XOR },
        { OP_IADD, OP_IMINS, OP_IMAXS, OP_AND, OP_OR, OP_XOR },
    };
    struct ins *in = s->in;
    enum hd_op op = ops[type_signed(in->type)][in->sub];
    struct val v = sel_src(s, &in->o[1], 1);
    struct val all = members(s, ballot(s, P_TRUE), &in->o[2]), left = all;
    struct val below = bits_of(s, SREG_LANEMASK_LT), above = bits_of(s, SREG_LANEMASK_GT);
    struct val self = bits_of(s, SREG_LANEMASK_EQ);
    for (int step = 0; step < 5; step++) {
        struct val next = sel_do(s, OP_AND, left, above, VZERO), sum = sel_tmp(s, 1);
        struct val with = sel_do(s, op, v, from_first(s, v, next), VZERO);
        int none = sel_ptmp(s), stays = sel_ptmp(s);
        test(s, none, next, ICMP_EQ, VZERO);
        sel_sel(s, sum, v, with, (struct pval){ none, false });
        v = sum;
        /* one of those left, and even in their order */
        struct val rank = sel_do(s, OP_POPC, sel_do(s, OP_AND, left, below, VZERO), VZERO, VZERO);
        struct val odd = sel_do(s, OP_AND, rank, v_imm(1), VZERO);
        struct val here = sel_do(s, OP_AND, left, self, VZERO);
        int even = sel_ptmp(s);
        test(s, even, odd, ICMP_EQ, VZERO);
        sel_setp(s, OP_ISETP, stays, here, VZERO, (struct pval){ even, false })->i.icmp = ICMP_NE;
        left = members(s, ballot(s, (struct pval){ stays, false }), &in->o[2]);
    }
    sel_put(s, &in->o[0], from_first(s, v, all));
}

/* ---- among lanes of several places (meet.c): calls of softlib/meet.cu ------------------------ */

static void call_shuffle(struct sel *s)
{
    static const char *const name[] = { "__hd_shfl_up", "__hd_shfl_down", "__hd_shfl_bfly",
                                        "__hd_shfl_idx" };
    struct ins *in = s->in;
    struct val d = sel_lib(s, name[in->sub], 2, 4, sel_src(s, &in->o[1], 1),
                           sel_src(s, &in->o[2], 1), sel_src(s, &in->o[3], 1),
                           sel_src(s, &in->o[4], 1));
    sel_put(s, &in->o[0], LO(d));
    if (in->o[0].reg2 >= 0) test(s, in->o[0].reg2, HI(d), ICMP_NE, VZERO);
}

static void call_vote(struct sel *s)
{
    static const char *const name[] = { "__hd_vote_all", "__hd_vote_any", "__hd_vote_uni",
                                        "__hd_vote_ballot" };
    struct ins *in = s->in;
    struct val a = sel_tmp(s, 1);
    sel_sel(s, a, v_imm(1), VZERO, sel_pred(s, &in->o[1]));
    struct val d = sel_lib(s, name[in->sub], 1, 2, a, sel_src(s, &in->o[2], 1));
    if (in->sub == PV_BALLOT) sel_put(s, &in->o[0], d);
    else test(s, in->o[0].reg, d, ICMP_NE, VZERO);
}

static void call_match(struct sel *s)
{
    static const char *const name[2][2] = { { "__hd_match_any32", "__hd_match_any64" },
                                            { "__hd_match_all32", "__hd_match_all64" } };
    struct ins *in = s->in;
    bool wide = type_size(in->type) == 8, all = in->sub == PM_ALL;
    struct val d = sel_lib(s, name[all][wide], 1, 2, sel_src(s, &in->o[1], wide ? 2 : 1),
                           sel_src(s, &in->o[2], 1));
    sel_put(s, &in->o[0], d);
    if (all && in->o[0].reg2 >= 0) test(s, in->o[0].reg2, d, ICMP_NE, VZERO);
}

static void call_redux(struct sel *s)
{
    static const char *const name[2][6] = {
        { "__hd_redux_add", "__hd_redux_minu", "__hd_redux_maxu", "__hd_redux_and", "__hd_redux_or",
          "__hd_redux_xor" },
        { "__hd_redux_add", "__hd_redux_mins", "__hd_redux_maxs", "__hd_redux_and", "__hd_redux_or",
          "__hd_redux_xor" },
    };
    struct ins *in = s->in;
    sel_put(s, &in->o[0], sel_lib(s, name[type_signed(in->type)][in->sub], 1, 2,
                                  sel_src(s, &in->o[1], 1), sel_src(s, &in->o[2], 1)));
}

static bool select_call_warp(struct sel *s)
{
    switch (s->in->op) {
    case P_VOTE: call_vote(s); return true;
    case P_SHFL: call_shuffle(s); return true;
    case P_MATCH: call_match(s); return true;
    case P_REDUX: call_redux(s); return true;
    default: return false;
    }
}

bool select_warp(struct sel *s)
{
    struct ins *in = s->in;
    if (in->meets == MEETS_CALL) return select_call_warp(s);
    switch (in->op) {
    case P_VOTE: vote(s); return true;
    case P_SHFL: shuffle(s); return true;
    case P_MATCH: match(s); return true;
    case P_REDUX: redux(s); return true;
    case P_ACTIVEMASK: {
        struct mins *m = sel_op(s, OP_VOTE, sel_dst(s, &in->o[0]), VZERO, VZERO, VZERO);
        m->i.vote = VOTE_ANY;
        return true;
    }
    default: return false;
    }
}

/* Pops carried by instructions: what a NOP.S would do after them, `.S` does at once.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A carrier executes before it pops (docs/stack.md), and the pop leads where the token says.  So a
 * block that only goes on to a pad, by a jump or by falling into it, needs neither: its last
 * instruction pops.  If that is a control instruction, which can't, a NOP.S takes the jump's
 * place.  Pads that are not needed any more go; those of loops stay, because a guarded branch leads
 * there.
 *
 * Requires: final code (frame.c), still in blocks; edges need not be true any more.
 * Ensures:  the same pops in fewer instructions; blocks that are not needed are empty. */
#include "compiler/select/minsn.h"

/* The first block from k on that is not empty. */
static struct mblk *settled(const struct mfn *mf, int k)
{
    while (k < mf->nblks && !mf->blks[k]->first) k++;
    return k < mf->nblks ? mf->blks[k] : NULL;
}

static bool pops(const struct mins *m) { return m && m->i.op == OP_NOP && m->i.pop; }
static bool can_carry(const struct mins *m)
{
    return m && !m->i.pop && hd_ops[m->i.op].unit != UNIT_CTL;
}
static const struct mins *next_ins(const struct mfn *mf, int k)
{
    const struct mblk *b = settled(mf, k);
    return b ? b->first : NULL;
}

static void carry(struct mfn *mf, struct mblk *b)
{
    struct mins *m = b->last;
    bool jumps = m && m->i.op == OP_BRA && m->i.pg == HD_PT && pops(next_ins(mf, m->target->id));
    if (!m) return;
    if ((jumps || pops(m)) && can_carry(m->prev)) {
        m->prev->i.pop = 1;
        mins_remove(b, m);
    } else if (jumps) {
        m->i = hd_insn_make(OP_NOP);
        m->i.pop = 1;
    } else if (can_carry(m) && pops(next_ins(mf, b->id + 1))) {
        m->i.pop = 1;
    }
}

/* Marks the blocks that are led to. */
static void find_needed(const struct mfn *mf, bool *needed)
{
    for (int k = 0; k < mf->nblks; k++) {
        const struct mblk *to;
        for (const struct mins *m = mf->blks[k]->first; m; m = m->next) {
            if (m->target && !m->i.pop && (to = settled(mf, m->target->id))) needed[to->id] = true;
            for (int t = 0; t < m->ntable; t++)
                if ((to = settled(mf, m->table[t]->id))) needed[to->id] = true;
        }
        const struct mins *last = mf->blks[k]->last;
        if (last && !mins_ends(last) && (to = settled(mf, k + 1))) needed[to->id] = true;
    }
}

void carrier_run(struct mfn *mf)
{
    if (!mf->be->opt->stack_mode) return;
    bool *needed = arena_alloc(mf->be->a, (size_t)mf->nblks + 1);
    for (int k = 0; k < mf->nblks; k++) carry(mf, mf->blks[k]);
    find_needed(mf, needed);
    for (int k = 1; k < mf->nblks; k++) {
        struct mblk *b = mf->blks[k];
        if (!needed[k] && b->first && b->first == b->last && pops(b->first))
            mins_remove(b, b->first);
    }
}

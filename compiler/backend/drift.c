/* Where the lanes of a warp may be apart although barriers stand between them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A barrier need not wait for lanes that yield (rule 4).  From a YIELD on, some lanes may go on,
 * through the code after the loop and round the loops about it, while others still wait in theirs:
 * no barrier but the block's brings them together again.
 *
 * Requires: selected code with edges and virtual barriers; callees went through this before, but
 *           for recursion (such functions yield themselves).
 * Ensures:  mfn.yields, mfn.waits_block; drift_find says of each block whether lanes may come there
 *           while others are anywhere past the YIELD; NULL: there is no YIELD, or no lane waits
 *           for its block. */
#include "compiler/select/minsn.h"

static void spread(bool *at, struct mblk **todo, int n)
{
    while (n) {
        const struct mblk *b = todo[--n];
        for (int j = 0; j < b->nsucc + b->ntable; j++) {
            struct mblk *to = j < b->nsucc ? b->succ[j] : b->table[j - b->nsucc];
            if (at[to->id]) continue;
            at[to->id] = true;
            todo[n++] = to;
        }
    }
}

bool drift_returns(struct mfn *mf, struct arena *a, struct mblk *b)
{
    bool *at = arena_alloc(a, (size_t)mf->nblks + 1);
    struct mblk **todo = arena_alloc(a, ((size_t)mf->nblks + 1) * sizeof *todo);
    todo[0] = b;
    spread(at, todo, 1);
    return at[b->id];
}

/* Of a call by address anything is possible.  (A return has a `call', too: what it reads.) */
static bool calls_any(const struct mins *m)
{
    return m->i.op == OP_CALLR;
}

bool drift_waits_block(const struct mins *m)
{
    return m->i.op == OP_BAR || calls_any(m) ||
           (m->i.op == OP_CALL && m->call->callee->waits_block);
}

static bool yields(const struct mins *m)
{
    return m->i.op == OP_YIELD || calls_any(m) || (m->i.op == OP_CALL && m->call->callee->yields);
}

void drift_note(struct mfn *mf)
{
    for (int k = 0; k < mf->nblks; k++)
        for (const struct mins *m = mf->blks[k]->first; m; m = m->next) {
            mf->waits_block |= drift_waits_block(m);
            mf->yields |= yields(m);
        }
}

bool *drift_find(const struct mfn *mf, struct arena *a)
{
    if (!mf->yields || !mf->waits_block) return NULL;
    bool *at = arena_alloc(a, (size_t)mf->nblks + 1);
    struct mblk **todo = arena_alloc(a, ((size_t)mf->nblks + 1) * sizeof(struct mblk *));
    int n = 0;
    for (int k = 0; k < mf->nblks; k++)
        for (const struct mins *m = mf->blks[k]->first; m; m = m->next) {
            if (!yields(m) || at[k]) continue;
            todo[n++] = mf->blks[k];
            at[k] = true;
        }
    spread(at, todo, n);
    return at;
}

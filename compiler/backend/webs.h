/* Barriers found again in finished code: what recovers them (webs.c) and what proves them
 * (verify_code.c).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A web is all BSSY, BSYNC, BREAK and BMOV that mean one barrier; its number is the event of its
 * first BSSY. */
#ifndef WEBS_H
#define WEBS_H
#include "compiler/select/minsn.h"

/* READ: BMOV into a general register, from where a BMOV of the same block writes another barrier;
 * that is a JOIN, as lanes of the first are in the second from then on (paper A, Figure 6). */
enum what { JOIN, WAIT, LEAVE, SAVE, LOAD, READ, CALLS, RETURNS, WORK };
/* How lanes may be in a barrier: in its register, there and in a copy, in the copy alone. */
enum { SEEN = 1, IN = 2, HELD = 4, PARKED = 8, ANY = IN | HELD | PARKED, QUEUED = 16 };
enum { ALWAYS = -1, SOMETIMES = -2 };      /* edge of a LEAVE, else that on which lanes have left */

/* An instruction that counts; several that only work are one event. */
struct event {
    const struct mins *m; enum what what;
    int bar, edge, blk, web, next /* JOIN of the web */, from /* a copied JOIN: its READ */;
};

struct webs {
    struct mfn *mf; struct arena *a;
    struct event *ev; int *first, nev;        /* of block k: ev[first[k]] to ev[first[k + 1] - 1] */
    uint16_t *must;                       /* registers that every lane which enters a block is in */
    uint16_t saved;                                /* given back to the callers as they were */
    int *copied;             /* by general register: the event that saved into it, -1, -2 several */
    /* of the last walk: states in which blocks are entered */
    unsigned char *is; int *region, n, *stack;
};

/* Event j is met by lanes that are in `web`. */
typedef void see_event(void *user, int j, int web, int state);

struct webs *webs_find(struct mfn *, struct arena *);
int web_of(struct webs *, int j);                  /* -1: none */
/* Visits what lanes of a web do from its BSSYs on; a block again if they come in another state. */
void web_walk(struct webs *, int web, see_event *see, void *user);
/* The state on the s-th edge out of block k, for a web in register `bar`. */
int web_edge(const struct webs *, int k, int s, int bar, int state);
/* registers that every lane which comes to event j is in */
uint16_t webs_must_at(const struct webs *, int j);
static inline bool webs_names_barrier(const struct mins *m)
{
    return m->i.op == OP_BSSY || m->i.op == OP_BSYNC || m->i.op == OP_BREAK ||
           m->i.op == OP_BMOVR || m->i.op == OP_BMOVB;
}
static inline int webs_nsucc(const struct webs *w, int k)
{
    return w->mf->blks[k]->nsucc + w->mf->blks[k]->ntable;
}
static inline int webs_succ(const struct webs *w, int k, int s)
{
    const struct mblk *b = w->mf->blks[k];
    return (s < b->nsucc ? b->succ[s] : b->table[s - b->nsucc])->id;
}
#endif

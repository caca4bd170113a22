/* Where the barriers of a function are in use: what barflow.c finds for those that number them.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef BARS_H
#define BARS_H
#include "compiler/select/minsn.h"

struct bars {
    struct mfn *mf;
    struct arena *a;
    int n, limit;
    struct livelist wanted, joined;
    struct lists meets;
    int *colour;
    bool *left;        /* lanes leave early (BREAK): wanted till its end, whatever those lanes do */
    bool any_left, endless;                          /* endless: and that is the function's end */
    int own;                /* from this value of fn.vb_own on: shares its register with no other */
};

/* The barriers now in a state: a list and its inverse. */
struct bars_now { int *list, *at, n; };

static inline bool bars_is_def(const struct mins *m)
{
    return m->i.op == OP_BSSY || m->i.op == OP_BMOVB;
}
static inline bool bars_is_end(const struct mins *m) { return m->i.op == OP_NOP; }
static inline bool bars_ends_joined(const struct bars *x, const struct mins *m)
{
    return (bars_is_end(m) || m->i.op == OP_BSYNC) && !(x->endless && x->left[m->vb]);
}

void bars_find_left(struct bars *);                  /* left, any_left */
void bars_flow(struct bars *);                       /* wanted, joined */
void bars_find_meets(struct bars *);                 /* meets: requires bars_flow */
/* Those that lanes may be in: at the start of a block, then after instruction m. */
struct bars_now bars_now(struct bars *);
void bars_at_block(struct bars_now *, const struct bars *, int blk);
void bars_step(struct bars_now *, const struct bars *, const struct mins *m);
#endif

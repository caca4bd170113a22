/* Liveness as lists: for every block the variables that are live at its ends.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a variable is, the caller decides: registers, words of registers, barriers.  It supplies the
 * edges, and block by block, in order, what is used and what is overwritten. */
#ifndef LIVELIST_H
#define LIVELIST_H
#include "compiler/all.h"

struct pair { int key, item; };
struct pairs { struct pair *p; int n, cap; };
struct lists { int *first, *item; };         /* of k: item[first[k]] .. item[first[k + 1] - 1] */
struct livelist {
    struct arena *a;
    int nblks, nvars;
    struct pairs edges, uses, kills;         /* to: from; variable: block */
    int *used_in, *killed_in;                /* last block + 1 that did */
    struct lists in, out;                    /* the result, ascending */
};

struct livelist livelist_new(struct arena *, int nblks, int nvars);
void livelist_edge(struct livelist *, int from, int to);
void livelist_use(struct livelist *, int blk, int var);
void livelist_kill(struct livelist *, int blk, int var);
void livelist_solve(struct livelist *);

/* The building block: lists by key out of pairs in any order; items keep theirs. */
void pairs_add(struct arena *, struct pairs *, int key, int item);
struct lists pairs_sort(struct arena *, const struct pairs *, int nkeys);
bool lists_has(const struct lists *, int key, int item);     /* of ascending items */
#endif

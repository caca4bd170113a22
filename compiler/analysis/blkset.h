/* A set of blocks that costs what it holds: to fill, to walk and to clear.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Blocks are known by their ids, so a set lives no longer than these. */
#ifndef BLKSET_H
#define BLKSET_H
#include "compiler/all.h"

struct blkset { bool *has; struct blk **list; int n; };      /* list: in the order of adding */

static inline struct blkset blkset_new(const struct fn *f)
{
    size_t n = (size_t)f->nblocks + 1;
    return (struct blkset){ arena_alloc(f->m->arena, n),
                            arena_alloc(f->m->arena, n * sizeof(struct blk *)), 0 };
}

static inline bool blkset_add(struct blkset *s, struct blk *b)     /* false: it was there */
{
    if (s->has[b->id]) return false;
    s->has[b->id] = true;
    s->list[s->n++] = b;
    return true;
}

static inline void blkset_clear(struct blkset *s)
{
    while (s->n) s->has[s->list[--s->n]->id] = false;
}
#endif

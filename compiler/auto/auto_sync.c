/* Metric 3 of section 4.5: synchronization that forbids collecting lanes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Collecting changes which lanes of a warp are where.  A program that says nothing about that
 * allows it; one that depends on its neighbours may not: block barriers (lanes that wait at the
 * label never come to them), operations among the lanes of a warp, fences and volatile or acquiring
 * accesses, the result of an atomic operation (it tells the order of arrival; without result, order
 * does not matter), and loops that may wait for another lane.  Section 6: "this requirement ...
 * would inhibit automatic Speculative Reconvergence".
 *
 * Requires: a candidate of auto_find.c; loop.spins (wait.c), fn.recursive (callgraph.c).
 * Ensures:  the instruction that forbids it and why, or NULL; changes nothing. */
#include "compiler/auto/auto.h"

struct walk { const struct module *m; const char **why; bool *seen; };

static const char *forbids(const struct fn *f, const struct ins *i)
{
    switch (i->op) {
    case P_BAR: case P_BARRED: return "the loop has a block barrier";
    case P_BARWARP: return "the loop has a warp barrier";
    case P_SHFL:
    case P_VOTE:
    case P_MATCH:
    case P_REDUX:
    case P_ACTIVEMASK: return "lanes of a warp exchange values in the loop";
    case P_MEMBAR: case P_FENCE: return "the loop has a fence";
    case P_ATOM:
        return ins_unread(f, i) ? NULL
                                : "an atomic operation tells the order in which lanes arrive";
    case P_LD: case P_ST: return i->vol ? "the loop has a volatile access" : NULL;
    case P_NANOSLEEP: return "the loop sleeps";
    case P_PRAGMA: return NULL;
    default: return NULL;
    }
}

static const struct ins *in_block(struct walk *w, const struct fn *f, const struct blk *b);

/* A function that is called: all of it. */
static const struct ins *in_callee(struct walk *w, const struct ins *call)
{
    const struct fn *f = call->o[0].kind == O_SYM ? call->o[0].sym->fn : NULL;
    if (!f || !f->defined || f->recursive) {
        *w->why = f && f->recursive ? "it calls a recursive function"
                                    : "it calls a function that is not known here";
        return call;
    }
    for (int k = 0; k < w->m->nfns; k++)
        if (w->m->fns[k] == f) {
            if (w->seen[k]) return NULL;
            w->seen[k] = true;
        }
    for (int k = 0; k < f->nloops; k++)
        if (f->loops[k]->spins) {
            *w->why = "a function that it calls may wait for another lane";
            return call;
        }
    for (int b = 0; b < f->nblocks; b++)
        if (in_block(w, f, f->blocks[b])) return call;
    return NULL;
}

static const struct ins *in_block(struct walk *w, const struct fn *f, const struct blk *b)
{
    for (const struct ins *i = b->first; i; i = i->next) {
        *w->why = forbids(f, i);
        if (*w->why) return i;
        if (i->op == P_CALL && in_callee(w, i)) return i;
    }
    return NULL;
}

const struct ins *auto_sync(const struct cand *c, const char **why)
{
    struct fn *f = c->f;
    struct walk w = { f->m, why, arena_alloc(f->m->arena, (size_t)f->m->nfns) };
    for (int k = 0; k < c->outer->nblocks; k++) {
        const struct ins *i = in_block(&w, f, c->outer->blocks[k]);
        if (i) return i;
    }
    for (int k = 0; k < f->nloops; k++)
        if (loop_has(c->outer, f->loops[k]->header) && f->loops[k]->spins) {
            *why = "the loop may wait for another lane";
            return f->loops[k]->header->first;
        }
    return NULL;
}

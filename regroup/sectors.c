/* Memory that the accesses of a run touch, by block, in any order of the threads.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An access costs more for each sector of 32 bytes after its first.  Which threads share sectors,
 * only addresses say.  So the first EACH addresses are kept of every thread and memory instruction;
 * lanes of a warp in another order are taken to execute it for the first, second... time together.
 * Grids that are too large for this have the sectors of the run, for each lane that executed the
 * block, in any order. */
#include "regroup/regroup.h"
#include "cmodel/timing/timing.h"
#include <stdlib.h>
#include <string.h>

enum { EACH = 8, MOST_THREADS = 1 << 17 };
struct first { uint32_t n; uint64_t at[EACH]; };
struct instruction {
    uint32_t pc, block;
    bool stored;
    uint64_t lanes, extra;          /* executions by lanes; sectors after the first, of the run */
    struct first *first;            /* by thread; NULL: too many */
};
struct sectors {
    const struct bbv *b;
    uint64_t left;
    uint64_t *lanes;                /* by block: executions by lanes */
    uint32_t n;
    struct instruction *list;
    bool lost;                      /* memory ran out */
};

struct sectors *sectors_new(const struct bbv *b, uint64_t most)
{
    struct sectors *s = calloc(1, sizeof *s);
    uint64_t *lanes = s ? calloc((size_t)b->nblocks + 1, sizeof *lanes) : NULL;
    if (!lanes) {
        free(s);
        return NULL;
    }
    *s = (struct sectors){ .b = b, .left = most, .lanes = lanes };
    return s;
}

/* The block that the PC stands in; nblocks: none. */
static uint32_t block_of(const struct bbv *b, uint32_t pc)
{
    uint32_t low = 0, high = b->nblocks;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (b->blocks[mid].pc <= pc)
            low = mid + 1;
        else
            high = mid;
    }
    bool in = low && (pc - b->blocks[low - 1].pc) / HD_INSN_BYTES < b->blocks[low - 1].insns;
    return in ? low - 1 : b->nblocks;
}

static struct instruction *instruction(struct sectors *s, const struct hd_commit *c, uint32_t block)
{
    for (uint32_t k = 0; k < s->n; k++)
        if (s->list[k].pc == c->pc)
            return &s->list[k];
    struct instruction *more = realloc(s->list, (s->n + 1) * sizeof *more);
    if (!more) {
        s->lost = true;
        return NULL;
    }
    s->list = more;
    more[s->n] = (struct instruction){ .pc = c->pc,
                                       .block = block,
                                       .stored = c->mem > 1,
                                       .first = s->b->threads <= MOST_THREADS
                                                    ? calloc(s->b->threads, sizeof(struct first))
                                                    : NULL };
    return &more[s->n++];
}

static void note(struct sectors *s, const struct hd_commit *c, uint32_t block)
{
    uint32_t count[TIMING_EVENT_COUNT];
    struct instruction *i = instruction(s, c, block);
    if (!i)
        return;
    timing_events(c, count);
    i->extra += count[TIMING_sector];
    i->lanes += (unsigned)__builtin_popcount(c->exec);
    uint64_t thread = (uint64_t)c->block * s->b->threads_block + c->warp * WARP;
    for (unsigned l = 0; i->first && l < WARP; l++) {
        struct first *f = &i->first[thread + l < s->b->threads ? thread + l : 0];
        if (c->exec >> l & 1 && f->n < EACH)
            f->at[f->n++] = c->addr[l];
    }
}

bool sectors_see(struct sectors *s, const struct hd_commit *c)
{
    uint32_t k = block_of(s->b, c->pc);
    if (k < s->b->nblocks && c->pc == s->b->blocks[k].pc)
        s->lanes[k] += (unsigned)__builtin_popcount(c->active);
    if (c->mem && c->space != SPACE_SHARED && c->space != SPACE_CONST && k < s->b->nblocks)
        note(s, c, k);
    return s->left && --s->left && !s->lost;
}

/* The different ones of n numbers. */
static uint32_t distinct(const uint64_t *v, uint32_t n)
{
    uint32_t different = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = 0;
        while (i < k && v[i] != v[k])
            i++;
        different += i == k;
    }
    return different;
}

/* A block's last warp may be smaller. */
static uint64_t end_of_warp(uint64_t first, uint64_t part)
{
    uint64_t block = first - first % part + part;
    return first + WARP < block ? first + WARP : block;
}

/* Sectors after the first for each lane, of warps in this order. */
static double each_lane(const struct sectors *s, const struct instruction *i,
                        const struct sectors_order *o)
{
    uint64_t extra = 0, lanes = 0;
    const uint64_t part = s->b->threads_block;
    for (uint64_t first = 0; i->first && first < s->b->threads; first = end_of_warp(first, part))
        for (uint32_t k = 0; k < EACH; k++) {
            uint64_t v[WARP];
            uint32_t n = 0;
            for (uint64_t p = first; p < end_of_warp(first, part); p++) {
                const struct first *f = &i->first[o->order[p]];
                if (f->n > k)
                    v[n++] = (o->moved ? o->moved(o->user, o->order[p], (uint32_t)p, f->at[k])
                                       : f->at[k]) /
                             32;
            }
            extra += n ? distinct(v, n) - 1 : 0;
            lanes += n;
        }
    return lanes      ? (double)extra / (double)lanes
           : i->lanes ? (double)i->extra / (double)i->lanes
                      : 0;
}

void sectors_cost(const struct sectors *s, const struct timing *t, const struct sectors_order *o,
                  struct cost *blocks)
{
    for (uint32_t k = 0; k < s->b->nblocks; k++)
        blocks[k].lane = 0;
    for (const struct instruction *i = s->list; t && i < s->list + s->n; i++)
        if (s->lanes[i->block])
            blocks[i->block].lane += each_lane(s, i, o) * t->busy_sector[i->stored] / 100 *
                                     (double)i->lanes / (double)s->lanes[i->block];
}

void sectors_free(struct sectors *s)
{
    for (uint32_t k = 0; s && k < s->n; k++)
        free(s->list[k].first);
    if (s) {
        free(s->list);
        free(s->lanes);
    }
    free(s);
}

/* Memory that the accesses of a run touch, by block.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An access costs more for each sector of 32 bytes after its first.  Neighbours that are scattered, and those that
 * stand side by side, touch about as many sectors as their number says.  So sectors are counted for each lane that
 * executes the block, and go with it into another warp. */
#include "regroup/regroup.h"
#include "cmodel/timing/timing.h"
#include <stdlib.h>

struct seen { uint64_t loaded, stored, lanes; };
struct sectors {
    const struct bbv *b;
    uint64_t left;
    struct seen *block;
};

struct sectors *sectors_new(const struct bbv *b, uint64_t most)
{
    struct sectors *s = calloc(1, sizeof *s);
    struct seen *block = s ? calloc((size_t)b->nblocks + 1, sizeof *block) : NULL;
    if (!block) {
        free(s);
        return NULL;
    }
    *s = (struct sectors){ b, most, block };
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

bool sectors_see(struct sectors *s, const struct hd_commit *c)
{
    uint32_t k = block_of(s->b, c->pc), count[TIMING_EVENT_COUNT];
    struct seen *at = &s->block[k];
    if (c->pc == s->b->blocks[k < s->b->nblocks ? k : 0].pc)
        at->lanes += (unsigned)__builtin_popcount(c->active);
    if (c->mem) {
        timing_events(c, count);
        *(c->mem > 1 ? &at->stored : &at->loaded) += count[TIMING_sector];
    }
    return s->left && --s->left;
}

void sectors_cost(const struct sectors *s, const struct timing *t, struct cost *blocks)
{
    for (uint32_t k = 0; t && k < s->b->nblocks; k++) {
        const struct seen *at = &s->block[k];
        double cycles = (double)at->loaded * t->busy_sector[0] + (double)at->stored * t->busy_sector[1];
        blocks[k].lane = at->lanes ? cycles / (double)at->lanes : 0;
    }
}

void sectors_free(struct sectors *s)
{
    if (s)
        free(s->block);
    free(s);
}

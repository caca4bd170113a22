/* The shared-port schedule: resident warps go on together, as fast as the issue port lets them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A warp by itself wants the port for a part of its time, and so the unit that takes one instruction at a time.
 * While the parts of all resident warps add up to less than one, each goes at its own speed; beyond, all are slowed
 * down by the same factor, that of the one of which more is wanted.  So
 * time is kept as progress: a clock that every warp sees alike and that stands for `progress` cycles of
 * a warp by itself.  A warp ends when that clock has advanced by its own cycles, whichever warps come or go
 * in between: one heap by ends is enough. */
#include "regroup/regroup.h"
#include <stdlib.h>

struct running { double end, part, unit; uint32_t slot; };
struct core {
    struct running *heap;           /* by end */
    uint32_t n;
    uint32_t *left;                 /* by slot: warps that have not ended */
    double progress, time, parts, units;     /* what the resident warps want of the port, of the unit */
};

static void push(struct core *c, struct running w)
{
    uint32_t at = c->n++;
    while (at && c->heap[(at - 1) / 2].end > w.end) {
        c->heap[at] = c->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    c->heap[at] = w;
}

static struct running pop(struct core *c)
{
    struct running first = c->heap[0], w = c->heap[--c->n];
    uint32_t at = 0, child;
    while ((child = 2 * at + 1) < c->n) {
        if (child + 1 < c->n && c->heap[child + 1].end < c->heap[child].end)
            child++;
        if (c->heap[child].end >= w.end)
            break;
        c->heap[at] = c->heap[child];
        at = child;
    }
    c->heap[at] = w;
    return first;
}

static void place(struct core *c, const struct port_warp *w, uint32_t warps, uint32_t slot)
{
    c->left[slot] = warps;
    for (uint32_t k = 0; k < warps; k++) {
        double part = w[k].alone > 0 ? w[k].port / w[k].alone : 0;
        double unit = w[k].alone > 0 ? w[k].unit / w[k].alone : 0;
        c->parts += part;
        c->units += unit;
        push(c, (struct running){ c->progress + w[k].alone, part, unit, slot });
    }
}

/* The next warp ends; its slot, where it was the last of its block, else UINT32_MAX. */
static uint32_t finish(struct core *c)
{
    struct running w = pop(c);
    double most = c->parts > c->units ? c->parts : c->units;
    c->time += (w.end - c->progress) * (most > 1 ? most : 1);
    c->progress = w.end;
    c->parts = c->n ? c->parts - w.part : 0;
    c->units = c->n ? c->units - w.unit : 0;
    return --c->left[w.slot] ? UINT32_MAX : w.slot;
}

double port_schedule(const struct port_warp *w, uint64_t nblocks, uint32_t warps_block, uint32_t slots)
{
    struct core c = { .heap = calloc((size_t)slots * warps_block, sizeof *c.heap),
                      .left = calloc(slots, sizeof *c.left) };
    uint64_t next = 0;
    if (c.heap && c.left) {
        for (uint32_t s = 0; s < slots && next < nblocks; s++)
            place(&c, w + next++ * warps_block, warps_block, s);
        while (c.n) {
            uint32_t slot = finish(&c);
            if (slot != UINT32_MAX && next < nblocks)
                place(&c, w + next++ * warps_block, warps_block, slot);
        }
    } else {
        c.time = -1;
    }
    free(c.heap);
    free(c.left);
    return c.time;
}

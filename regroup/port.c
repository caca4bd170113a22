/* The shared-port schedule: resident warps of a core go on together, as fast as its issue ports let
 * them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A warp by itself wants the port for a part of its time, and so the unit that takes one
 * instruction at a time.  While the parts of all resident warps add up to less than there is, each
 * goes at its own speed; beyond, all are slowed down by the same factor, that of the one of which
 * more is wanted.  Cores have nothing in common but the blocks that wait.  So time is kept as
 * progress: a clock that every warp sees alike and that stands for `progress` cycles of a warp by
 * itself.  A warp ends when that clock has advanced by its own cycles, whichever warps come or go
 * in between: one heap by ends is enough. */
#include "regroup/regroup.h"
#include <math.h>
#include <stdlib.h>

struct running { double end, part, unit; uint32_t slot; };
struct core {
    struct running *heap;           /* by end */
    uint32_t n;
    uint32_t *left;                 /* by slot: warps that have not ended */
    double progress, time, parts, units; /* what the resident warps want of the port, of the unit */
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

/* By how much more the resident warps want than there is, at least 1. */
static double slowed(const struct core *c, uint32_t ports)
{
    return fmax(1, fmax(c->parts / ports, c->units));
}

/* The next warp ends; its slot, where it was the last of its block, else UINT32_MAX. */
static uint32_t finish(struct core *c, uint32_t ports)
{
    double slow = slowed(c, ports);
    struct running w = pop(c);
    c->time += (w.end - c->progress) * slow;
    c->progress = w.end;
    c->parts = c->n ? c->parts - w.part : 0;
    c->units = c->n ? c->units - w.unit : 0;
    return --c->left[w.slot] ? UINT32_MAX : w.slot;
}

/* When the core's next warp ends; never, where it has none. */
static double next_end(const struct core *c, uint32_t ports)
{
    return c->n ? c->time + (c->heap[0].end - c->progress) * slowed(c, ports) : INFINITY;
}

static bool cores_new(struct core *c, const struct machine *m, uint32_t warps_block)
{
    bool ok = true;
    for (uint32_t k = 0; k < m->cores; k++) {
        c[k].heap = calloc((size_t)m->slots * warps_block, sizeof *c->heap);
        c[k].left = calloc(m->slots, sizeof *c->left);
        ok = ok && c[k].heap && c[k].left;
    }
    return ok;
}

double port_schedule(const struct port_warp *w, uint64_t nblocks, uint32_t warps_block,
                     const struct machine *m)
{
    struct core *c = calloc(m->cores, sizeof *c);
    uint64_t next = 0, busy = 0;
    double end = c && cores_new(c, m, warps_block) ? 0 : -1;
    for (uint64_t s = 0; end >= 0 && s < (uint64_t)m->slots * m->cores && next < nblocks;
         s++, busy++)
        place(&c[s % m->cores], w + next++ * warps_block, warps_block, (uint32_t)(s / m->cores));
    while (busy) {
        struct core *first = c;
        for (uint32_t k = 1; k < m->cores; k++)
            if (next_end(&c[k], m->ports) < next_end(first, m->ports))
                first = &c[k];
        uint32_t slot = finish(first, m->ports);
        end = first->time;                           /* cores end in the order of time */
        if (slot != UINT32_MAX && next < nblocks)
            place(first, w + next++ * warps_block, warps_block, slot);
        else
            busy -= slot != UINT32_MAX;
    }
    for (uint32_t k = 0; c && k < m->cores; k++) {
        free(c[k].heap);
        free(c[k].left);
    }
    free(c);
    return end;
}

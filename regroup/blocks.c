/* Which block a warp runs in, by the shared-port schedule.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block keeps its slot until its last warp ends, and the warps of a core slow each other down.
 * So what an order costs also depends on which warps share a block, and on which blocks start
 * first. Warps stay as they are: only their places change, and the schedule says which places end
 * first. */
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_LOOKS = 2000, WARPS_LOOKED_AT = 2000000 };  /* together a second or so */

struct places {
    struct port_warp *warp;         /* by warp of the order as it was */
    struct port_warp *placed;       /* the same in their places */
    uint32_t *at;                   /* by place: which warp */
    uint32_t *other;                /* a candidate */
    uint64_t warps;
    uint32_t block;                 /* warps of one */
    const struct machine *m;
    double end;                     /* of `at` */
    uint32_t random;
};

static double ends(struct places *p, const uint32_t *at)
{
    for (uint64_t k = 0; k < p->warps; k++)
        p->placed[k] = p->warp[at[k]];
    return port_schedule(p->placed, p->warps / p->block, p->block, p->m);
}

/* Takes the candidate where it ends before what there is. */
static bool try(struct places *p)
{
    double end = ends(p, p->other);
    if (end < 0 || end >= p->end * (1 - 1e-9))
        return false;
    memcpy(p->at, p->other, p->warps * sizeof *p->at);
    p->end = end;
    return true;
}

struct key { double value; uint32_t warp; };

static int falling(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    return x->value > y->value ? -1 : x->value < y->value ? 1
         : (x->warp > y->warp) - (x->warp < y->warp);
}

/* Warps in falling cycles, by themselves or of the port: in this order, or dealt to the blocks, to
 * and fro, so that blocks are alike. */
static void candidate(struct places *p, struct key *key, bool by_port, bool dealt)
{
    const uint64_t blocks = p->warps / p->block;
    for (uint32_t k = 0; k < p->warps; k++)
        key[k] = (struct key){ by_port ? p->warp[k].port : p->warp[k].alone, k };
    qsort(key, p->warps, sizeof *key, falling);
    for (uint64_t k = 0; k < p->warps; k++) {
        uint64_t round = k / blocks, in = k % blocks, to = round & 1 ? blocks - 1 - in : in;
        p->other[dealt ? to * p->block + round : k] = key[k].warp;
    }
}

static uint64_t below(struct places *p, uint64_t n)
{
    p->random ^= p->random << 13, p->random ^= p->random >> 17, p->random ^= p->random << 5;
    return p->random % n;
}

/* Exchanges n warps from x and y on, in the candidate. */
static void exchange(struct places *p, uint64_t x, uint64_t y, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t t = p->other[x + k];
        p->other[x + k] = p->other[y + k];
        p->other[y + k] = t;
    }
}

/* Exchanges two blocks, or two warps of two blocks, as long as that is better. */
static void improve(struct places *p)
{
    const uint64_t blocks = p->warps / p->block;
    uint64_t looks = WARPS_LOOKED_AT / p->warps;
    looks = looks < MOST_LOOKS ? looks : MOST_LOOKS;
    memcpy(p->other, p->at, p->warps * sizeof *p->other);
    for (uint64_t k = 0; k < looks; k++) {
        uint64_t x = below(p, blocks) * p->block, y = below(p, blocks) * p->block;
        const bool one = k & 1;
        x += one ? below(p, p->block) : 0;
        y += one ? below(p, p->block) : 0;
        if (x / p->block == y / p->block)
            continue;
        exchange(p, x, y, one ? 1 : p->block);
        if (!try(p))
            exchange(p, x, y, one ? 1 : p->block);
    }
}

static void search(struct places *p, struct key *key)
{
    for (uint32_t k = 0; k < p->warps; k++)
        p->at[k] = k;
    p->end = ends(p, p->at);
    for (unsigned k = 0; k < 4; k++) {
        candidate(p, key, k & 1, k & 2);
        try(p);
    }
    improve(p);
}

bool order_blocks(const struct bbv *b, const struct cost *columns, const struct machine *m,
                  uint32_t *order)
{
    const uint64_t warps = b->threads / WARP, blocks = b->threads / b->threads_block;
    if (b->threads_block % WARP || blocks <= (uint64_t)m->cores * m->slots * (m->cores == 1) ||
        blocks < 2)
        return true;
    struct places p = { .warps = warps, .block = b->threads_block / WARP, .m = m,
                        .random = 2463534242u,
                        .warp = malloc(warps * sizeof *p.warp),
                        .placed = malloc(warps * sizeof *p.placed),
                        .at = malloc(warps * sizeof *p.at),
                        .other = malloc(warps * sizeof *p.other) };
    struct key *key = malloc(warps * sizeof *key);
    uint32_t *was = spill_alloc(b->within, (size_t)b->threads * sizeof *was);
    bool ok = p.warp && p.placed && p.at && p.other && key && was &&
              port_warps(b, columns, order, p.warp);
    if (ok) {
        search(&p, key);
        ok = p.end >= 0;
        memcpy(was, order, (size_t)b->threads * sizeof *was);
        for (uint64_t k = 0; k < warps; k++)
            memcpy(order + k * WARP, was + (size_t)p.at[k] * WARP, WARP * sizeof *was);
    }
    spill_free(b->within, was);
    free(key);
    free(p.warp);
    free(p.placed);
    free(p.at);
    free(p.other);
    return ok;
}

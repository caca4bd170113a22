/* The rows of a block slot: who has arrived at each block barrier, and who has not.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lanes are those of the warps' commits.  How many a barrier waits for stands in a register of the
 * last one that arrived, which no record shows: that is the model's. */
#include "harness/wave/rows.h"
#include "cmodel/base/counted.h"
#include <stdio.h>
#include <string.h>

void block_rows_new(const struct fst_out *f, struct block_rows *b, unsigned slot)
{
    char name[32];
    *b = (struct block_rows){ 0 };
    snprintf(name, sizeof name, "b%02u", slot);
    f->scope(f->ctx, name);
    b->where = row_new_text(f, "block");
    for (unsigned n = 0; n < BLOCK_BARRIERS; n++) {
        snprintf(name, sizeof name, "bar%u", n);
        b->count[n] = row_new_text(f, name);
        snprintf(name, sizeof name, "bar%u_arrived", n);
        b->arrived[n] = row_new_text(f, name);
        snprintf(name, sizeof name, "bar%u_absent", n);
        b->absent[n] = row_new_text(f, name);
    }
    f->scope(f->ctx, NULL);
}

/* `w00, w01 0000ffff': of a warp that is not there with all its lanes, which. */
static void write_lanes(const struct fst_out *f, struct row *r, uint64_t key,
                        const struct lanes *const *warp, unsigned first, unsigned warps,
                        const uint32_t mask[HD_LANES])
{
    char text[HD_LANES * 16] = "";
    size_t at = 0;
    if (!row_stale(r, key))
        return;
    for (unsigned w = 0; w < warps; w++) {
        const char *comma = at ? ", " : "";
        if (mask[w] && mask[w] == warp[w]->live)
            at += (size_t)snprintf(text + at, sizeof text - at, "%sw%02u", comma, first + w);
        else if (mask[w])
            at += (size_t)snprintf(text + at, sizeof text - at, "%sw%02u %08x", comma, first + w,
                                   mask[w]);
    }
    row_text(f, r, key, text);
}

/* Lanes that the barrier waits for; 0: not known. */
static uint32_t needed(const struct model *golden, const struct lanes *const *warp, unsigned first,
                       unsigned warps, unsigned n)
{
    struct warp_view v = { .used = false };
    for (unsigned w = 0; golden && w < warps && !v.used; w++)
        if (warp[w]->used)
            model_view(golden, first + w, &v);
    return v.used ? v.needed[n] : 0;
}

static void write_barrier(const struct fst_out *f, struct block_rows *b, unsigned n,
                          const struct lanes *const *warp, unsigned first, unsigned warps,
                          const struct model *golden)
{
    uint32_t there[HD_LANES] = { 0 }, absent[HD_LANES] = { 0 };
    uint64_t key = 0;
    unsigned lanes = 0;
    for (unsigned w = 0; w < warps; w++) {
        there[w] = lanes_waiting(warp[w], HD_WAIT_BLOCK + n);
        lanes += (unsigned)__builtin_popcount(there[w]);
        key = (key ^ ((uint64_t)there[w] << 32 | warp[w]->live)) * 0x100000001b3u;
    }
    key = lanes ? key | 1 : 0;
    if (!row_stale(&b->count[n], key))
        return;
    for (unsigned w = 0; w < warps && lanes; w++)
        absent[w] = warp[w]->live & ~there[w];
    char text[32] = "";
    uint32_t of = lanes ? needed(golden, warp, first, warps, n) : 0;
    if (of)
        snprintf(text, sizeof text, "%u of %u %s", lanes, COUNTED(of, "lane"));
    else if (lanes)
        snprintf(text, sizeof text, "%u %s", COUNTED(lanes, "lane"));
    row_text(f, &b->count[n], key, text);
    write_lanes(f, &b->arrived[n], key, warp, first, warps, there);
    write_lanes(f, &b->absent[n], key, warp, first, warps, absent);
}

static uint32_t barriers_of(const struct lanes *w)
{
    uint32_t set = 0;
    for (uint32_t m = w->live; m; m &= m - 1) {
        unsigned wait = w->wait[__builtin_ctz(m)];
        set |= (wait & 0x30) == HD_WAIT_BLOCK ? 1u << (wait & 15) : 0;
    }
    return set;
}

void block_rows_write(const struct fst_out *f, struct block_rows *b,
                      const struct lanes *const *warp, unsigned first, unsigned warps,
                      const struct model *golden)
{
    uint32_t now = 0, used = 0;
    char text[24] = "";
    for (unsigned w = 0; w < warps; w++) {
        now |= barriers_of(warp[w]);
        used |= (uint32_t)warp[w]->used << w;
    }
    uint64_t where = used ? warp[__builtin_ctz(used)]->block : UINT64_MAX;
    if (row_stale(&b->where, where) && used)
        snprintf(text, sizeof text, "block %u", warp[__builtin_ctz(used)]->block);
    row_text(f, &b->where, where, text);
    uint32_t all = b->begun ? now | b->shown : (1u << BLOCK_BARRIERS) - 1;
    b->begun = true;
    for (uint32_t m = all; m; m &= m - 1)
        write_barrier(f, b, (unsigned)__builtin_ctz(m), warp, first, warps, golden);
    b->shown = now;
}

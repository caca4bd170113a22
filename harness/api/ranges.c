/* What a launch may touch, as the core's ranges.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The core checks LAUNCH_RANGES ranges.  Where there are more allocations, those with the smallest
 * gaps between them share one: then the core does not see an access to such a gap.  A write is
 * found afterwards, since gaps hold zeros; a read gives zero. */
#include <stdio.h>
#include <string.h>
#include "harness/api/parts.h"

static uint64_t end_of(const struct alloc *a)
{
    return a->addr + a->bytes;
}

/* The gap after allocation i, and which of two gaps is the larger: of equal ones the earlier. */
static bool larger(const hd_device *d, size_t i, size_t than)
{
    uint64_t a = d->allocs[i + 1].addr - end_of(&d->allocs[i]),
             b = d->allocs[than + 1].addr - end_of(&d->allocs[than]);
    return a != b ? a > b : i < than;
}

/* The n largest gaps, which end a range, as a sorted list of the allocations before them. */
static size_t cuts(const hd_device *d, size_t n, size_t out[LAUNCH_RANGES])
{
    size_t found = 0;
    for (size_t i = 0; i + 1 < d->nallocs; i++) {
        size_t at = found;
        while (at && larger(d, i, out[at - 1]))
            at--;
        if (at >= n)
            continue;
        found += found < n;
        memmove(&out[at + 1], &out[at], (found - 1 - at) * sizeof *out);
        out[at] = i;
    }
    return found;
}

static bool is_cut(size_t i, const size_t *cut, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (cut[k] == i)
            return true;
    return false;
}

void ranges_add(hd_device *d)
{
    size_t cut[LAUNCH_RANGES], room, n;
    uint32_t own = d->image->gdata_size;
    if (d->nimages > 1 && d->gdata_size) {       /* one area for all of them, from LAUNCH_DATA on */
        d->launch.nranges = 0;
        own = 0;
    }
    if (!own && d->gdata_size)
        launch_add_range(&d->launch, LAUNCH_DATA, d->gdata_size, true);
    room = LAUNCH_RANGES - d->launch.nranges;
    n = d->nallocs <= room ? 0 : cuts(d, room - 1, cut);
    for (size_t i = 0, first = 0; i < d->nallocs; i++) {
        if (i + 1 < d->nallocs && d->nallocs > room && !is_cut(i, cut, n))
            continue;
        launch_add_range(&d->launch, d->allocs[first].addr,
                         end_of(&d->allocs[i]) - d->allocs[first].addr, true);
        first = i + 1;
    }
}

/* Within one range of the launch. */
static bool shared_range(const hd_device *d, uint64_t first, uint64_t end)
{
    for (uint32_t i = 0; i < d->launch.nranges; i++)
        if (first >= d->launch.range[i].base && end <= d->launch.range[i].limit)
            return true;
    return false;
}

/* The first byte that is not zero; bytes: there is none. */
static size_t first_set(const uint8_t *p, size_t bytes)
{
    if (!bytes || (!*p && !memcmp(p, p + 1, bytes - 1)))
        return bytes;
    size_t i = 0;
    while (!p[i])
        i++;
    return i;
}

bool ranges_gaps_hold(hd_device *d)
{
    bool hold = true;
    if (d->launch.nranges > d->nallocs)
        return true;
    for (size_t i = 0; i + 1 < d->nallocs; i++) {
        uint64_t from = end_of(&d->allocs[i]), to = d->allocs[i + 1].addr;
        if (!shared_range(d, from, to))
            continue;
        size_t bytes = (size_t)(to - from), at = first_set(device_memory(d) + from, bytes);
        if (at == bytes)
            continue;
        if (hold)
            snprintf(
                d->error, sizeof d->error,
                "a write outside all buffers: to address 0x%llx, %zu bytes after the end of "
                "buffer %zu, "
                "[0x%08llx, 0x%08llx); found after the launch, so who wrote is not known",
                (unsigned long long)(from + at), at, i,
                (unsigned long long)d->allocs[i].addr,
                (unsigned long long)from);
        hold = false;
        if (d->model)
            memset(model_memory(d->model) + from, 0, bytes);
        if (d->rtl)
            memset(d->rtl->bytes + from, 0, bytes);
    }
    return hold;
}

/* What everything that works on a device asks of it: memory and its areas.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/device/device.h"

uint8_t *device_memory(const hd_device *d)
{
    return d->rtl ? d->rtl->bytes : model_memory(d->model);
}

bool device_area(const hd_device *d, size_t i, uint64_t *addr, size_t *bytes)
{
    const struct { uint64_t addr; size_t bytes; } fixed[AREA_ALLOCS] = {
        [AREA_CODE] = { LAUNCH_CODE, d->text_size },
        [AREA_CONST] = { LAUNCH_CONST, d->launch.const_size },
        [AREA_LOCAL] = { d->launch.local_base,
                         (size_t)d->launch.local_size * HD_LANES * d->limits.warps },
        [AREA_DATA] = { LAUNCH_DATA, d->gdata_size },
        [AREA_SPILL] = { d->launch.spill_base,
                         d->launch.mode ? (size_t)d->launch.spill_size * d->limits.warps : 0 },
    };
    const size_t n = AREA_ALLOCS;
    if (i >= n + d->nallocs)
        return false;
    *addr = i < n ? fixed[i].addr : d->allocs[i - n].addr;
    *bytes = i < n ? fixed[i].bytes : d->allocs[i - n].bytes;
    return true;
}

bool device_mapped(const hd_device *d, uint64_t addr, size_t bytes)
{
    uint64_t end = addr + bytes, constants = LAUNCH_CONST + HD_CONST_DATA;
    if (d->image && addr >= LAUNCH_DATA && end <= (uint64_t)LAUNCH_DATA + d->gdata_size)
        return true;
    if (d->image && addr >= constants && end <= constants + d->cdata_size)
        return true;
    for (size_t i = 0; i < d->nallocs; i++)
        if (addr >= d->allocs[i].addr && end <= d->allocs[i].addr + d->allocs[i].bytes)
            return true;
    return false;
}

void device_cycle(hd_device *d)
{
    struct hd_issue why;
    if (d->on_cycle && rtl_why(d->rtl, &why))
        d->on_cycle(d->cycle_user, &why);
}

/* What everything that works on a device asks of it: names, time, memory and its areas.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/device/device.h"
#include <time.h>

const char *hd_strerror(enum hd_status s)
{
    static const char *const text[] = {
        [HD_OK] = "ended", [HD_MISMATCH] = "RTL and model differ", [HD_FAULT] = "the kernel faulted",
        [HD_DEADLOCK] = "deadlock", [HD_LIMIT] = "the limit was reached", [HD_STOPPED] = "stopped",
        [HD_BAD_ARGUMENT] = "bad argument", [HD_BAD_IMAGE] = "bad image", [HD_NO_MEMORY] = "no memory",
        [HD_NO_KERNEL] = "no such kernel", [HD_TOO_BIG] = "needs more than the core has",
        [HD_NO_RTL] = "the RTL cannot be loaded", [HD_INTERNAL] = "internal fault",
    };
    return (unsigned)s < sizeof text / sizeof text[0] && text[s] ? text[s] : "unknown status";
}

const char *hd_fault_name(enum hd_fault f)
{
    static const char *const text[HD_FAULT_COUNT] = {
#define FAULT(name, what) what,
#include "cmodel/isa/commit.def"
    };
    return (unsigned)f < HD_FAULT_COUNT ? text[f] : "unknown fault";
}

double device_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

uint8_t *device_memory(hd_device *d)
{
    return d->rtl ? d->rtl->bytes : model_memory(d->model);
}

bool device_area(const hd_device *d, size_t i, uint32_t *addr, size_t *bytes)
{
    const struct { uint32_t addr; size_t bytes; } fixed[AREA_ALLOCS] = {
        [AREA_CODE] = { LAUNCH_CODE, d->text_size },
        [AREA_CONST] = { LAUNCH_CONST, d->launch.const_size },
        [AREA_LOCAL] = { LAUNCH_LOCAL, (size_t)d->launch.local_size * HD_LANES * LAUNCH_WARPS },
        [AREA_DATA] = { LAUNCH_DATA, d->gdata_size },
        [AREA_SPILL] = { LAUNCH_SPILL, d->launch.mode ? (size_t)d->launch.spill_size * LAUNCH_WARPS : 0 },
    };
    const size_t n = AREA_ALLOCS;
    if (i >= n + d->nallocs)
        return false;
    *addr = i < n ? fixed[i].addr : d->allocs[i - n].addr;
    *bytes = i < n ? fixed[i].bytes : d->allocs[i - n].bytes;
    return true;
}

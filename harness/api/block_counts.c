/* Block counts of a device, and how many blocks of a launch are resident at once.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/device/device.h"
#include "cmodel/base/counted.h"
#include "cmodel/fast/bbv.h"
#include <stdlib.h>

#define FAIL(d, status, ...) (snprintf((d)->error, sizeof (d)->error, __VA_ARGS__), (status))

enum hd_status hd_occupancy(hd_device *d, const struct hd_launch *l, uint32_t *blocks)
{
    struct launch k;
    if (!d->image)
        return FAIL(d, HD_BAD_ARGUMENT, "no image is loaded");
    enum hd_status s = launch_prepare(&k, device_memory(d), d->image, l, &d->limits, d->error,
                                      sizeof d->error);
    *blocks = s == HD_OK ? k.block_slots : 0;
    return s;
}

enum hd_status hd_count_blocks(hd_device *d, bool on)
{
    uint32_t n = 0, *entry = NULL;
    if (!d->model)
        return FAIL(d, HD_BAD_ARGUMENT, "the RTL alone counts no blocks");
    if (!d->image)
        return FAIL(d, HD_BAD_ARGUMENT, "no image is loaded, so there are no blocks to count");
    if (on && !(entry = bbv_entries(d->image, &n)))
        return FAIL(d, HD_NO_MEMORY, "no memory");
    bool ok = fast_count_blocks(d->model, entry, n, UINT32_MAX, d->cfg.within);
    free(entry);
    return ok ? HD_OK : FAIL(d, HD_NO_MEMORY, "no memory for the counts of %u %s",
                                     COUNTED(n, "block"));
}

enum hd_status hd_block_counts(hd_device *d, struct bbv **out)
{
    *out = NULL;
    if (!d->model)
        return FAIL(d, HD_BAD_ARGUMENT, "the RTL alone counts no blocks");
    *out = fast_block_counts(d->model, d->error, sizeof d->error);
    if (!*out)
        return HD_BAD_ARGUMENT;
    (*out)->shape = hd_image_shape(d->image);
    return HD_OK;
}

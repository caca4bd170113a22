/* Where things are on a device: warp slots, and physical addresses.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_PLACES_H
#define HD_PLACES_H

enum { LAUNCH_WARPS = 32 };      /* warp slots of a core */

/* Physical addresses of what an image and a launch need besides allocations.  The first 64 KiB are
 * never mapped: a null pointer faults.  Allocations lie in [LAUNCH_HEAP, LAUNCH_HEAP_END). */
enum {
    LAUNCH_CODE = 0x00010000, LAUNCH_CODE_MAX = 0x00ff0000,
    LAUNCH_CONST = 0x01000000, LAUNCH_CONST_MAX = 0x00100000,
    LAUNCH_SPILL = 0x02000000, LAUNCH_SPILL_WARP = 0x00001000,
    LAUNCH_LOCAL = 0x04000000, LAUNCH_LOCAL_MAX = 0x04000000,
    LAUNCH_DATA = 0x08000000, LAUNCH_DATA_MAX = 0x08000000,
    LAUNCH_HEAP = 0x10000000
};
#define LAUNCH_HEAP_END 0xffff0000u
#endif

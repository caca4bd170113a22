/* Where things are on a device: warp slots, and physical addresses.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_PLACES_H
#define HD_PLACES_H
#include <stdint.h>

enum { LAUNCH_WARPS = 32 };      /* warp slots of a core */

/* Bits of a physical address (rtl/address.vh has the same number).  An address with a bit above
 * them is in no range, so it faults. */
#define HD_ADDR_BITS 40
#define HD_ADDR_END  ((uint64_t)1 << HD_ADDR_BITS)
/* How much of it there is, from address 0: all, where reserving costs nothing; where pointers have
 * 32 bits, what such a host holds once for the model and once for the core.  What lies above
 * answers with an error, and no allocation is there. */
#define HD_MEMORY    (sizeof(void *) > 4 ? HD_ADDR_END : (uint64_t)320 << 20)

/* Physical addresses of what an image and a launch need besides allocations.  The first 64 KiB are
 * never mapped: a null pointer faults.  Code, constants, local memory, spill areas and data lie
 * below 4 GiB.  Allocations lie in [LAUNCH_HEAP, LAUNCH_HEAP_END) and [LAUNCH_HIGH,
 * LAUNCH_HIGH_END): between them are the addresses that are shared and local memory in generic
 * accesses. */
enum {
    LAUNCH_CODE = 0x00010000, LAUNCH_CODE_MAX = 0x00ff0000,
    LAUNCH_CONST = 0x01000000, LAUNCH_CONST_MAX = 0x00100000,
    LAUNCH_SPILL = 0x02000000, LAUNCH_SPILL_WARP = 0x00001000,
    LAUNCH_LOCAL = 0x04000000, LAUNCH_LOCAL_MAX = 0x04000000,
    LAUNCH_DATA = 0x08000000, LAUNCH_DATA_MAX = 0x08000000,
    LAUNCH_HEAP = 0x10000000
};
#define LAUNCH_HEAP_END ((uint32_t)(HD_MEMORY < 0xffff0000u ? HD_MEMORY : 0xffff0000u))
#define LAUNCH_HIGH     ((uint64_t)3 << 32)
#define LAUNCH_HIGH_END (HD_ADDR_END - 0x10000)
#endif

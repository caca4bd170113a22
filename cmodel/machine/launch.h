/* One launch as the core sees it: the registers of csr.def, computed once for model and RTL.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_LAUNCH_H
#define HD_LAUNCH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"

enum { LAUNCH_RANGES = 16, LAUNCH_WARPS = 32 };

struct launch_range { uint32_t base, limit; bool writable; };   /* [base, limit) */

/* Names as in csr.def. */
struct launch {
    uint32_t mode;                          /* 0 barrier mode, 1 stack mode */
    uint32_t code_base, code_size, entry;
    uint32_t const_base, const_size;
    uint32_t local_base, local_size;        /* bytes a lane, a multiple of 16 */
    uint32_t spill_base, spill_size;        /* spill areas; bytes of one warp's */
    uint32_t stack_depth;                   /* tokens of a warp on chip */
    struct hd_dim3 grid, block;
    uint32_t threads, warps_block, block_slots;
    uint32_t shared_size;                   /* a multiple of 128 */
    uint64_t clock;                         /* in the grid's first cycle */
    uint32_t nranges;
    struct launch_range range[LAUNCH_RANGES];
};

/* What a core has. */
struct launch_limits { uint32_t warps, regs, shared_bytes, stack_depth; bool no_barriers; };

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

/* Writes code, constants and data of an image to a physical address space, relocated. */
enum hd_status launch_load(uint8_t *mem, const struct hd_image *img, char *why, size_t why_size);
/* Fills everything but the ranges of allocations (launch_add_range), and writes the parameters to
 * the constant bank in mem.  Returns HD_OK, or why not, with a sentence in `why`. */
enum hd_status launch_prepare(struct launch *out, uint8_t *mem, const struct hd_image *img,
                              const struct hd_launch *l, const struct launch_limits *limits,
                              char *why, size_t why_size);
/* Adds a range, keeping them sorted and joining neighbours of one kind that touch; false: full. */
bool launch_add_range(struct launch *l, uint32_t base, uint32_t bytes, bool writable);
/* Blocks of the grid. */
static inline uint64_t launch_blocks(const struct launch *l)
{
    return (uint64_t)l->grid.x * l->grid.y * l->grid.z;
}
#endif

/* One launch as the core sees it: the registers of csr.def, computed once for model and RTL.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_LAUNCH_H
#define HD_LAUNCH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"

enum { LAUNCH_RANGES = 16 };

struct launch_range { uint64_t base, limit; bool writable; };   /* [base, limit) */

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
    uint32_t core, cores;                   /* whose launch it is, of so many; 0 cores: 1 */
    uint32_t nranges;
    struct launch_range range[LAUNCH_RANGES];
};

/* What a core has.  no_units: bit UNIT_* for each unit that it lacks, HD_CONSTANTS without a
 * constant cache.  addr_bits: of a physical address; 0: HD_ADDR_BITS. */
struct launch_limits {
    uint32_t warps, regs, shared_bytes, stack_depth, no_units, addr_bits;
    bool no_barriers;
};

/* Writes code, constants and data of an image to a physical address space, relocated. */
enum hd_status launch_load(uint8_t *mem, const struct hd_image *img, char *why, size_t why_size);
/* The same, its data at an address of its own within those of data. */
enum hd_status launch_load_at(uint8_t *mem, const struct hd_image *img, uint32_t data, char *why,
                              size_t why_size);
/* Fills everything but the ranges of allocations (launch_add_range), and writes the parameters to
 * the constant bank in mem.  Returns HD_OK, or why not, with a sentence in `why`. */
enum hd_status launch_prepare(struct launch *out, uint8_t *mem, const struct hd_image *img,
                              const struct hd_launch *l, const struct launch_limits *limits,
                              char *why, size_t why_size);
/* Adds a range, keeping them sorted and joining neighbours of one kind that touch; false: full. */
bool launch_add_range(struct launch *l, uint64_t base, uint64_t bytes, bool writable);
/* Blocks of the grid. */
static inline uint64_t launch_blocks(const struct launch *l)
{
    return (uint64_t)l->grid.x * l->grid.y * l->grid.z;
}
#endif

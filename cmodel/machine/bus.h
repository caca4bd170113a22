/* Which physical addresses answer with an error, and how.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_BUS_H
#define HD_BUS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BUS_SECTOR = 32, BUS_AREAS = 16 };

struct bus {
    unsigned n;
    struct { uint64_t first, last; unsigned how; } area[BUS_AREAS];       /* sectors; enum hd_bus */
};

/* Every sector that the bytes touch; false: no room, or beyond the physical addresses. */
bool bus_add(struct bus *b, uint64_t addr, size_t bytes, unsigned how);
/* What AXI answers in RRESP or BRESP: 0, 2 (SLVERR) or 3 (DECERR). */
unsigned bus_answer(const struct bus *b, uint64_t addr, bool write);
#endif

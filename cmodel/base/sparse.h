/* Large memory of which little was ever touched: compares and copies it, and leaves the rest alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory of mmap, private and anonymous, is zero where no page is.  /proc/self/pagemap says where
 * pages are, in memory or swapped out; where that cannot be read, or the two do not begin at the
 * same byte of a page, all of it counts as touched. */
#ifndef HD_SPARSE_H
#define HD_SPARSE_H
#include <stddef.h>
#include <stdint.h>

enum { SPARSE_PAGE = 4096 };

/* The first byte that differs; bytes: none does. */
size_t sparse_differs(const uint8_t *a, const uint8_t *b, size_t bytes);
/* Makes `to` equal to `from`. */
void sparse_copy(uint8_t *to, const uint8_t *from, size_t bytes);
#endif

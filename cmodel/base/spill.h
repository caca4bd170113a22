/* Large arrays within a limit of memory: what does not fit is a file, mapped, which the system
 * writes out as it needs to.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The files are in TMPDIR, else /tmp, without a name, as large as the arrays from the beginning: a
 * full disk is found here and not at an access. */
#ifndef HD_SPILL_H
#define HD_SPILL_H
#include <stddef.h>
#include <stdint.h>

/* Of all arrays together; 0: none.  Before the first of them, if at all. */
void spill_limit(uint64_t bytes);
/* Zeroed.  NULL: no memory, or no room for the file. */
void *spill_alloc(size_t bytes);
/* The array p of `old` bytes with more of them, the new ones undefined.  NULL: p is as before. */
void *spill_grow(void *p, size_t old, size_t bytes);
/* Also of malloc's. */
void spill_free(void *p);
/* Of files so far. */
uint64_t spill_bytes(void);
/* Why there was no file; NULL: there always was. */
const char *spill_why(void);
#endif

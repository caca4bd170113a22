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

/* Arrays that share a limit.  Everywhere below NULL is one without a limit: malloc's. */
struct spill;
/* Of all its arrays together, which it must outlive.  NULL: no memory. */
struct spill *spill_open(uint64_t limit);
void spill_close(struct spill *);
/* Zeroed.  NULL: no memory, or no room for the file. */
void *spill_alloc(struct spill *, size_t bytes);
/* The array p of `old` bytes with more of them, the new ones undefined.  NULL: p is as before. */
void *spill_grow(struct spill *, void *p, size_t old, size_t bytes);
void spill_free(struct spill *, void *p);
/* Of files so far. */
uint64_t spill_bytes(const struct spill *);
/* Why there was no file; NULL: there always was. */
const char *spill_why(const struct spill *);
#endif

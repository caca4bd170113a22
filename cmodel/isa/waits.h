/* How views show why a lane does not run: the rows WAIT of commit.def as data.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_WAITS_H
#define HD_WAITS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cmodel/isa/commit.h"

/* Names as in commit.def; brief and words may have a %u, the number of the barrier. */
struct wait_form { uint8_t code; char letter, mark; const char *brief, *where, *words; };
extern const struct wait_form wait_forms[];
extern const unsigned wait_nforms;

/* The row of what a record holds in `wait`; of a code that no row has, the one of READY. */
const struct wait_form *wait_form(unsigned wait);
/* In a token of the stack: a record does not say where the lane goes on. */
static inline bool wait_in_token(unsigned wait) { return (wait & ~3u) == HD_WAIT_STACK; }
/* One of its texts, with the number. */
void wait_text(const char *form, unsigned wait, char *out, size_t n);
#endif

/* One input to one parser: what AFL++ mutates, and what the corpus replays.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef AFL_H
#define AFL_H
#include <stddef.h>
#include <stdint.h>

/* Reads n bytes as afl_ptx.c or afl_image.c defines it; aborts on what no input may cause.  True:
 * accepted. */
int afl_one(const uint8_t *buf, size_t n);
#endif

/* Paper C's emulator: Algorithms 1 and 2 on its Listings 3 and 4, with the spills of section IV.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reference for our machine, so it shares nothing with it: neither code nor instruction set. */
#ifndef EMULATOR_H
#define EMULATOR_H
#include <stdint.h>

enum { EMU_CHIP = 16, EMU_CHUNK = 4, EMU_HISTORY = 1 << 14 };   /* tokens on chip, and of a chunk */

struct emulation {
    unsigned insns, pushes, pops, deepest, spills, fills;
    uint8_t depth[EMU_HISTORY];          /* of the stack, after each instruction */
};
/* Runs the listing of the single or double loop for n diverging threads; `chip` tokens fit on
 * chip. */
void emulate(int twice, unsigned n, unsigned chip, struct emulation *out);
#endif

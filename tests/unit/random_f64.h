/* Random f64 operands, by class, so that every case of the arithmetic is met often.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef RANDOM_F64_H
#define RANDOM_F64_H
#include "cmodel/fp/fp64.h"
#include "random_f32.h"

/* Corners; subnormals; near one; few bits; one exponent apart; the edges of integers; anything. */
static inline u64 random_f64(u64 *s)
{
    static const u64 corner[] = {
        0, 1, 2, F64_QUIET * 2 - 1, F64_QUIET * 2, F64_QUIET * 2 + 1, F64_ONE, F64_ONE - 1,
        F64_ONE + 1, F64_INF, F64_INF - 1, F64_INF - 2, F64_INF | 1, F64_INF | F64_QUIET,
        ~F64_SIGN, 0x4330000000000000, 0x433fffffffffffff, 0x43e0000000000000,
        0x43dfffffffffffff, 0x43f0000000000000, 0x43efffffffffffff, 0x41e0000000000000,
        0x41dfffffffc00000, 0x41efffffffe00000, 0x3fe0000000000000, 0x3fdfffffffffffff,
        0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x380fffffffffffff,
        0x36a0000000000000, 0x3690000000000000, 0x3690000000000001, 0x1ff0000000000000,
        0x2000000000000000, 0x5fe0000000000000, 0x3cb0000000000000 };
    u64 x = random_next(s), r = random_next(s), sign = r << 63;
    switch (r >> 8 & 7) {
    case 0: return sign | corner[x % (sizeof corner / sizeof *corner)];
    case 1: return sign | (x & 0x001fffffffffffff) >> (r >> 16 & 31);
    case 2: return sign | (0x3fe0000000000000 + (x & 0x003fffffffffffff));
    case 3: return sign | (x & 0x7ff0000000000000) | (1ull << (x & 63) & 0xfffffffffffff);
    case 4: return sign | ((x & 0x7ff0000000000000) - (x & 3)) % F64_INF;
    case 5: return sign | (0x3ff0000000000000 + ((r >> 16 & 127) << 52) + (x & 0xfffffffffffff));
    case 6: return sign | (0x3800000000000000 + (x & 0x0fffffffffffffff));
    default: return x;
    }
}
#endif

/* Random operands for the tests of floating point.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef RANDOM_F32_H
#define RANDOM_F32_H
#include "cmodel/fp/fp32.h"

static inline u64 random_next(u64 *s)
{
    *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
    return *s * 0x2545f4914f6cdd1dull;
}

/* Operands where things happen: special values, ties, neighbours of powers of two, equal
 * exponents. */
static inline u32 random_f32(u64 *s)
{
    static const u32 corner[] = {0, 1, 2, 3, 0x7fffff, 0x800000, 0x800001, 0xffffff, 0x1000000,
        0x3f800000, 0x3f7fffff, 0x3f800001, 0x3f000000, 0x4b000000, 0x4b7fffff, 0x4b800000,
        0x4f000000, 0x5f000000, 0x4effffff, 0x7f7fffff, 0x7f7ffffe, 0x7f800000, 0x7f800001,
        0x7fc00000, 0x7fffffff, 0x33800000, 0x33000000, 0x387fe000, 0x33000001, 0x477fefff};
    u64 r = random_next(s);
    u32 x = (u32)r, kind = (u32)(r >> 32) & 7, sign = (u32)(r >> 35) << 31;
    switch (kind) {
    case 0: return corner[x % (sizeof corner / sizeof *corner)] | sign;
    case 1: return (x & 0x807fffff);                                /* subnormal */
    case 2: return (x & 0x80ffffff) | 0x3f000000;                   /* near one */
    case 3: return sign | ((x & 0xff) << 23) | (1u << (x >> 8 & 31) & 0x7fffff);
    case 4: return sign | (((x & 0xff) << 23) - (x >> 8 & 3)) % F32_INF;
    case 5: return (x & 0x87ffffff) | 0x3c000000;
    default: return x;
    }
}

#endif

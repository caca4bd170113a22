/* The arguments on which header functions are judged: the same on a GPU, on Heddle, in the judge.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Case i of CASES: a quarter of the cases take special values alone (zeros, subnormal numbers, the
 * largest and least, infinities, NaNs, ties, borders of integers and of conversions, powers of
 * two), a quarter those and their neighbours, a quarter random bits, a quarter numbers of ordinary
 * size, every other time near each other.  C and C++, host alone. */
#ifndef HEDDLE_HEADERS_ARGUMENTS_H
#define HEDDLE_HEADERS_ARGUMENTS_H
#include <string.h>
#define HEADERS_UNUSED __attribute__((unused))
typedef unsigned long long word;
enum { CASES = 1024 };
/* What an argument is made of; a pair or a vector has several. */
enum kind { INT8, INT16, INT32, INT64, F16, BF16, F32, F64, BIT, ORDER, LANE, OFFSET };

static const unsigned special_f32[] = {
    0x00000000, 0x00000001, 0x00000002, 0x00400000, 0x007fffff, 0x00800000, 0x00800001, 0x01000000,
    0x0a000000, 0x20000000, 0x33000000, 0x33000001, 0x337fffff, 0x33800000, 0x33c00000, 0x38000000,
    0x387fc000, 0x387fe000, 0x38800000, 0x3a800000, 0x3e800000, 0x3effffff, 0x3f000000, 0x3f000001,
    0x3f7fffff, 0x3f800000, 0x3f800001, 0x3f801000, 0x3f803000, 0x3f808000, 0x3f818000, 0x3fc00000,
    0x3fc90fdb, 0x40000000, 0x40200000, 0x40400000, 0x40490fdb, 0x40e00000, 0x41200000, 0x42b17218,
    0x42cff1b4, 0x42feff00, 0x42ff0000, 0x43000000, 0x437f8000, 0x43800000, 0x43160000, 0x44fff000,
    0x46fffe00, 0x46ffff00, 0x47000000, 0x477fe000, 0x477fefff, 0x477ff000, 0x477fff80, 0x47800000,
    0x4affffff, 0x4b000000, 0x4b7fffff, 0x4b800000, 0x4b800001, 0x4effffff, 0x4f000000, 0x4f7fffff,
    0x4f800000, 0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000, 0x7e800000, 0x7e800001, 0x7f000000,
    0x7f7f0000, 0x7f7f7fff, 0x7f7f8000, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7f800001, 0x7fffffff,
};
static const word special_f64[] = {                  /* beside those of f32 */
    0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x3690000000000000,
    0x3690000000000001, 0x36a0000000000000, 0x380fffffe0000000, 0x3810000000000000,
    0x3e60000000000001, 0x3f10000000000000, 0x3fefffffffffffff, 0x3ff0000000000001,
    0x3ff0000010000000, 0x3ff0000030000000, 0x3ff0020000000001, 0x3ff0020000000000,
    0x3ff0100000000001, 0x3ff00fffffffffff, 0x40effdfffffffffe, 0x40effe0000000000,
    0x40862e42fefa39ef, 0x40874910d52d3051, 0x41dfffffffc00000, 0x41efffffffe00000,
    0x43dfffffffffffff, 0x43e0000000000000, 0x43efffffffffffff, 0x43f0000000000000,
    0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x47f0000000000000,
    0x7fd0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000,
    0x7ff0000000000001, 0x3fe0000000000000, 0x400921fb54442d18, 0x433fffffffffffff,
};
static const unsigned short special_f16[] = {
    0x0000, 0x0001, 0x0002, 0x0200, 0x03ff, 0x0400, 0x0401, 0x0800, 0x1400, 0x37ff, 0x3800, 0x3801,
    0x3bff, 0x3c00, 0x3c01, 0x3e00, 0x4000, 0x4100, 0x4200, 0x4248, 0x4700, 0x4900, 0x57f0, 0x5800,
    0x5bf8, 0x5c00, 0x63ff, 0x6400, 0x6401, 0x77ff, 0x7800, 0x7bfe, 0x7bff, 0x7c00, 0x7e00, 0x7fff,
    0x7c01, 0x32b3, 0x5cb0, 0x6800,
};
static const unsigned short special_bf16[] = {
    0x0000, 0x0001, 0x0002, 0x0040, 0x007f, 0x0080, 0x0081, 0x0100, 0x2000, 0x3300, 0x3dff, 0x3e80,
    0x3eff, 0x3f00, 0x3f01, 0x3f7f, 0x3f80, 0x3f81, 0x3fc0, 0x4000, 0x4020, 0x4040, 0x4049, 0x40e0,
    0x42fe, 0x42ff, 0x4300, 0x437f, 0x4380, 0x46ff, 0x4700, 0x477f, 0x4780, 0x4f00, 0x4f80, 0x5f00,
    0x5f80, 0x7e80, 0x7f00, 0x7f7f, 0x7f80, 0x7fc0, 0x7fff, 0x7f81, 0x4396, 0x42b2,
};
static const word special_int[] = {
    0, 1, 2, 3, 4, 7, 8, 15, 16, 24, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 300,
    2047, 2049, 2051, 4097, 32767, 32768, 65504, 65519, 65520, 65535, 65536, 16777215, 16777217,
    16842753, 0x7fffff, 0x800000, 0x7f7f7f7f, 0x80808080, 0x01020304, 0x7fff7fff, 0x80008000,
    0x55555555, 0xaaaaaaaa, 0x7fffffbf, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
    0x20000000000001, 0x5555555555555555, 0x7fffff4000000000, 0x7fffffbfffffffff,
    0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffbff,
};
#define SPECIALS(A) ((unsigned)(sizeof (A) / sizeof *(A)))

HEADERS_UNUSED static word mixed(word x)
{
    x += 0x9e3779b97f4a7c15ull, x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}
HEADERS_UNUSED static word double_bits(double d) { word w; memcpy(&w, &d, sizeof w); return w; }
HEADERS_UNUSED static word widened(unsigned bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    if (f != f) return (word)(bits >> 31) << 63 | 0x7ff8000000000000ull;
    return double_bits((double)f);
}
/* The k-th special value, of either sign. */
HEADERS_UNUSED static word special_of(enum kind t, unsigned k)
{
    unsigned minus = k & 1;
    k >>= 1;
    switch (t) {
    case F16: return special_f16[k % SPECIALS(special_f16)] | minus << 15;
    case BF16: return special_bf16[k % SPECIALS(special_bf16)] | minus << 15;
    case F32: return special_f32[k % SPECIALS(special_f32)] | minus << 31;
    case F64:
        k %= SPECIALS(special_f32) + SPECIALS(special_f64);
        return (k < SPECIALS(special_f64) ? special_f64[k]
                                          : widened(special_f32[k - SPECIALS(special_f64)])) |
               (word)minus << 63;
    default:
        k %= SPECIALS(special_int);
        return minus ? 0 - special_int[k] : special_int[k];
    }
}
/* A number of ordinary size: 2^-8 to 2^8, or an integer of any length. */
HEADERS_UNUSED static word ordinary_of(enum kind t, word r)
{
    word fraction = r >> 12;
    unsigned e = (unsigned)(r & 15) - 8, minus = r >> 4 & 1;
    switch (t) {
    case F16: return minus << 15 | (15 + e) << 10 | (unsigned)(fraction >> 42);
    case BF16: return minus << 15 | (127 + e) << 7 | (unsigned)(fraction >> 45);
    case F32: return minus << 31 | (127 + e) << 23 | (unsigned)(fraction >> 29);
    case F64: return (word)minus << 63 | (word)(1023 + (int)e) << 52 | fraction;
    default: return (minus ? ~mixed(r) : mixed(r)) >> (r >> 5 & 63);
    }
}
/* Of n arguments the one at `place', in case i. */
HEADERS_UNUSED static word argument_of(enum kind t, int n, int place, int i)
{
    word r = mixed((word)i << 16 | (word)place << 8 | (word)t), v;
    unsigned at = n == 1 ? (unsigned)(i >> 2) : (unsigned)(mixed(r) >> 20);
    switch (t) {
    case BIT: return r & 1;
    case ORDER: return (r & 7) == 0 ? r >> 8 & 127 : (r & 7) == 1 ? 0 - (r >> 8 & 1) : r >> 8 & 7;
    case LANE: return r & 31;
    case OFFSET: return (r & 63) - 32;
    default: break;
    }
    switch (i & 3) {
    case 0: return special_of(t, at);
    case 1: return special_of(t, n == 1 ? at + 256 : at) + (r & 8 ? 0 : (r & 7) - 3);
    case 2: return r;
    default:
        v = ordinary_of(t, r);
        if (n > 1 && place > 0 && (i & 4))           /* near the first, or its opposite */
            v = (argument_of(t, 1, 0, i & ~7) + (r & 3) - 1) ^
                (r & 8 ? 1ull << (t == F64 ? 63 : t == F32 ? 31 : 15) : 0);
        return v;
    }
}
#endif

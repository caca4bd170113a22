/* The frequent f32 operations on 32 lanes, with the host's own arithmetic; written for the
 * compiler's vectoriser.  The host rounds to nearest and keeps subnormals; only its NaN patterns
 * differ from ours.  Fusing a multiply with an add here would be wrong: build without contraction.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fp/fp32.h"
#include "cmodel/fp/fpround.h"
#include <string.h>

enum { LANES = 32 };

static inline float as_float(u32 u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline u32 as_bits(float f)
{
    u32 u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static inline u32 canonical(float f)
{
    return f != f ? F32_NAN : as_bits(f);
}

/* No lane depends on another: d is a source itself or apart from it. */
#define EACH_LANE _Pragma("GCC ivdep") for (int l = 0; l < LANES; l++)

void fp_add32(u32 *d, const u32 *a, const u32 *b)
{
    EACH_LANE d[l] = canonical(as_float(a[l]) + as_float(b[l]));
}

void fp_mul32(u32 *d, const u32 *a, const u32 *b)
{
    EACH_LANE d[l] = canonical(as_float(a[l]) * as_float(b[l]));
}

void fp_fma32(u32 *d, const u32 *a, const u32 *b, const u32 *c)
{
#ifdef __FMA__
    EACH_LANE d[l] = canonical(__builtin_fmaf(as_float(a[l]), as_float(b[l]), as_float(c[l])));
#else
    EACH_LANE d[l] = fp_fma(a[l], b[l], c[l], FP_RN, false, false);
#endif
}

/* Integer order of numbers; NaN is made to lose. */
static inline s32 order_or(u32 a, s32 nan)
{
    s32 key = (s32)(a ^ ((u32)((s32)a >> 31) & ~F32_SIGN));
    return (a & ~F32_SIGN) > F32_INF ? nan : key;
}

static inline u32 from_order(s32 key, s32 nan)
{
    return key == nan ? F32_NAN : (u32)key ^ ((u32)(key >> 31) & ~F32_SIGN);
}

void fp_min32(u32 *d, const u32 *a, const u32 *b)
{
    EACH_LANE {
        s32 x = order_or(a[l], INT32_MAX), y = order_or(b[l], INT32_MAX);
        d[l] = from_order(x < y ? x : y, INT32_MAX);
    }
}

void fp_max32(u32 *d, const u32 *a, const u32 *b)
{
    EACH_LANE {
        s32 x = order_or(a[l], INT32_MIN), y = order_or(b[l], INT32_MIN);
        d[l] = from_order(x > y ? x : y, INT32_MIN);
    }
}

/* Two of less, equal and greater, and a choice whether NaN counts, make every comparison. */
u32 fp_cmp32(const u32 *a, const u32 *b, unsigned cmp)
{
    static const unsigned char want[16] = { /* bits: less, equal, greater, unordered */
        2, 5, 1, 3, 4, 6, 7, 8, 10, 13, 9, 11, 12, 14, 0, 0};
    u32 w = want[cmp & 15], r = 0;
    u32 on_lt = 0 - (w & 1), on_eq = 0 - (w >> 1 & 1), on_gt = 0 - (w >> 2 & 1),
        on_un = 0 - (w >> 3);
    for (int l = 0; l < LANES; l++) {
        float x = as_float(a[l]), y = as_float(b[l]);
        u32 hit = x < y ? on_lt : x == y ? on_eq : x > y ? on_gt : on_un;
        r |= hit & (1u << l);
    }
    return r;
}

void fp_from_s32x32(u32 *d, const u32 *a)
{
    EACH_LANE d[l] = as_bits((float)(s32)a[l]);
}

void fp_from_u32x32(u32 *d, const u32 *a)
{
    EACH_LANE d[l] = as_bits((float)a[l]);
}

/* The host rounds; out of range it is undefined, so the operand is brought into range first. */
static inline u32 clamp_s32(float x)
{
    // cppcheck-suppress incorrectLogicOperator ; it misreads hexadecimal floats
    s32 r = (s32)(x >= -0x1p31f && x < 0x1p31f ? x : 0);
    return (u32)(x >= 0x1p31f ? INT32_MAX : x < -0x1p31f ? INT32_MIN : r);
}

static inline u32 clamp_u32(float x)
{
    u32 r = (u32)(x >= 0 && x < 0x1p32f ? x : 0);
    return x >= 0x1p32f ? UINT32_MAX : r;
}

#define EACH_LANE_ROUNDED(clamp)                                                     \
    switch (rm) {                                                                    \
    case FP_RN: EACH_LANE d[l] = clamp(__builtin_rintf(as_float(a[l]))); break;      \
    case FP_RZ: EACH_LANE d[l] = clamp(as_float(a[l])); break;                       \
    case FP_RM: EACH_LANE d[l] = clamp(__builtin_floorf(as_float(a[l]))); break;     \
    default: EACH_LANE d[l] = clamp(__builtin_ceilf(as_float(a[l]))); break;         \
    }

void fp_to_s32x32(u32 *d, const u32 *a, unsigned rm)
{
    EACH_LANE_ROUNDED(clamp_s32)
}

void fp_to_u32x32(u32 *d, const u32 *a, unsigned rm)
{
    EACH_LANE_ROUNDED(clamp_u32)
}

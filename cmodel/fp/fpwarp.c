/* The frequent f32 operations on 32 lanes: those of fplane.h, one after the other.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fp/fplane.h"

enum { LANES = 32 };

/* No lane depends on another: d is a source itself or apart from it. */
#define EACH_LANE _Pragma("GCC ivdep") for (int l = 0; l < LANES; l++)

void fp_add32(u32 *d, const u32 *a, const u32 *b)
{
    EACH_LANE d[l] = fp_lane_add(a[l], b[l]);
}

void fp_mul32(u32 *d, const u32 *a, const u32 *b)
{
    EACH_LANE d[l] = fp_lane_mul(a[l], b[l]);
}

void fp_fma32(u32 *d, const u32 *a, const u32 *b, const u32 *c)
{
    EACH_LANE d[l] = fp_lane_fma(a[l], b[l], c[l]);
}

void fp_min32(u32 *d, const u32 *a, const u32 *b)
{
    EACH_LANE d[l] = fp_lane_min(a[l], b[l]);
}

void fp_max32(u32 *d, const u32 *a, const u32 *b)
{
    EACH_LANE d[l] = fp_lane_max(a[l], b[l]);
}

u32 fp_cmp32(const u32 *a, const u32 *b, unsigned cmp)
{
    u32 r = 0;
    for (int l = 0; l < LANES; l++)
        r |= fp_lane_cmp(a[l], b[l], cmp) << l;
    return r;
}

void fp_from_s32x32(u32 *d, const u32 *a)
{
    EACH_LANE d[l] = fp_lane_from_s32(a[l]);
}

void fp_from_u32x32(u32 *d, const u32 *a)
{
    EACH_LANE d[l] = fp_lane_from_u32(a[l]);
}

void fp_to_s32x32(u32 *d, const u32 *a, unsigned rm)
{
    EACH_LANE d[l] = fp_lane_to_s32(a[l], rm);
}

void fp_to_u32x32(u32 *d, const u32 *a, unsigned rm)
{
    EACH_LANE d[l] = fp_lane_to_u32(a[l], rm);
}

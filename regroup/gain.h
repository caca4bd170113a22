/* Gain of two groups, paper B's (8) to (10), on rows that are multiplied by lat already.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Benefit - Cost = sum of 2 * Min - Max over both.  Eight sums side by side, so that it becomes
 * vector code.  Sums are exact, and so do not depend on their order, while they stay below 2^53. */
#ifndef REGROUP_GAIN_H
#define REGROUP_GAIN_H
#include <stdint.h>

enum { GAIN_LANES = 8 };
/* Columns of such a row: the rest up to a multiple of eight is zero. */
static inline uint32_t gain_columns(uint32_t n)
{
    return (n + GAIN_LANES - 1) / GAIN_LANES * GAIN_LANES;
}

static inline double gain(const double *min1, const double *max1, const double *min2,
                          const double *max2, uint32_t n)
{
    double sum[GAIN_LANES] = { 0 };
    for (uint32_t c = 0; c < n; c += GAIN_LANES)
        for (uint32_t k = 0; k < GAIN_LANES; k++) {
            double lo = min1[c + k] < min2[c + k] ? min1[c + k] : min2[c + k];
            double hi = max1[c + k] > max2[c + k] ? max1[c + k] : max2[c + k];
            sum[k] += 2 * lo - hi;
        }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* A vector as such a row. */
static inline void gain_row(double *to, const uint32_t *counts, const double *lat, uint32_t columns)
{
    for (uint32_t c = 0; c < gain_columns(columns); c++)
        to[c] = c < columns ? lat[c] * counts[c] : 0;
}
#endif

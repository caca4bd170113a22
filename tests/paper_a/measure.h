/* Every workload in every placement: what Figures 7 to 10 are drawn from.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PAPER_A_MEASURE_H
#define PAPER_A_MEASURE_H
#include "run.h"
#include <stdio.h>

/* Placements that every workload has, then the thresholds of Figure 9, for two of them. */
enum { AS_OFF, AS_USER, AS_STATIC, AS_AUTO, AS_PROFILE, PLACEMENTS };
enum { THRESHOLDS = 6, MAX_RUNS = 128 };
extern const struct placement placements[PLACEMENTS];
extern const unsigned thresholds[THRESHOLDS];          /* lanes that are enough; the last: all 32 */

struct measurement {
    unsigned workload;           /* index into workloads */
    unsigned placement;          /* PLACEMENTS + t: thresholds[t] */
    struct outcome o;
};
struct measured { unsigned n; struct measurement run[MAX_RUNS]; };

/* All of them, at the RTL's size, two at a time; in lockstep, or on the model alone.  `folder`
 * holds the profiles, NAME.json of `heddle profile --save`. */
struct measured *measure_all(const char *folder, bool lockstep);
/* The threshold with the fewest cycles at the model's size, on the model. */
unsigned measure_fastest(const char *workload);
void measured_free(struct measured *m);
/* NULL: this workload was not run so. */
const struct outcome *measured_get(const struct measured *m, const char *workload,
                                   unsigned placement);
/* Efficiency and speed over those of `off`; 0: not run. */
double measured_efficiency(const struct measured *m, const char *workload, unsigned placement);
double measured_speed(const struct measured *m, const char *workload, unsigned placement);

/* data.c: columns for plots.gp and the page's table.  False: cannot be written. */
bool measured_write(const struct measured *m, const char *folder);
/* claims.c: prints a line a claim.  True: none differs but those of differs.txt, and these do. */
bool measured_claims(const struct measured *m, bool lockstep);
#endif

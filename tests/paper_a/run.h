/* One run of a workload: compiled with some placement, launched, compared with the host.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PAPER_A_RUN_H
#define PAPER_A_RUN_H
#include "workload.h"
#include "cmodel/heddle.h"

/* What the kernel is compiled with: options of `heddle`, and a name for tables. */
struct placement { const char *name; const char *const *options; };

struct outcome {
    bool ran, right;             /* right: memory is the host's, byte for byte */
    struct hd_counters count;
};
/* On the model, with the core's timing profile, or in lockstep.  Says on stderr what went wrong. */
struct outcome workload_run(const struct workload *w, const struct problem *p,
                            const struct placement *with, bool lockstep);
double outcome_efficiency(const struct outcome *o);      /* percent */
#endif

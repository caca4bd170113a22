/* One run of a workload in some order: predicted, applied, compared with the host.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PAPER_B_RUN_H
#define PAPER_B_RUN_H
#include "workload.h"
#include "regroup/regroup.h"

struct outcome {
    bool ran, right;             /* right: memory is the host's, byte for byte */
    bool layout;                 /* elements moved; else the kernel was redirected, or the order is the original one */
    struct hd_counters count;
    struct prediction p;
    double bound;                /* no order's weighted cost is lower */
    double seconds;              /* of the host, to find the order */
};
/* Resident warps at most; on the model, with the core's timing profile, or in lockstep.  Says on stderr what went
 * wrong. */
struct outcome workload_run(const struct workload *w, const struct problem *p, enum order_by by, unsigned warps, bool lockstep);
/* Mean square error of equation (1), fitted to the counts of the first threads by their own elements; -1: it went
 * wrong, which stderr says. */
double workload_fit(const struct workload *w, const struct problem *p, unsigned threads);
/* A workload's kernel as PTX, zero-ended, to be freed; NULL: err. */
char *workload_ptx(const struct workload *w, size_t *len, struct hd_err *err);
#endif

/* One run of a workload in some order: predicted, applied, compared with the host.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PAPER_B_RUN_H
#define PAPER_B_RUN_H
#include "workload.h"
#include "regroup/regroup.h"

struct outcome {
    bool ran, right;             /* right: memory is the host's, byte for byte */
    /* elements moved; else the kernel was redirected, or the order is the original one */
    bool layout;
    struct hd_counters count;
    struct prediction p;
    double bound;                /* no order's weighted cost is lower */
    double seconds;              /* of a processor, to find the order */
};
/* Resident warps at most; on the model, with the core's timing profile, or in lockstep.  Says on
 * stderr what went wrong. */
struct outcome workload_run(const struct workload *w, const struct problem *p, enum order_by by,
                            unsigned warps, bool lockstep);
/* Mean square error of equation (1), fitted to the counts of the first threads by their own
 * elements; -1: it went wrong, which stderr says. */
double workload_fit(const struct workload *w, const struct problem *p, unsigned threads);
/* Counts by the kernel's slice (docs/slice.md), cheap or not, and by equation (1) with what the
 * slice loads as inputs, fitted to the first `samples` threads. */
struct sliced {
    bool ran;
    double share;                /* warp instructions, of the kernel's */
    double error, fit;           /* mean square errors of both; fit -1: there are too few samples */
    double fit_own;            /* the fit's, in blocks of the kernel without those of the library */
    uint32_t inputs;
};
struct sliced workload_slice(const struct workload *w, const struct problem *p, unsigned samples);
/* The problem on a device of its own, and its launch; on stderr what went wrong.  at.d is the
 * caller's to close. */
struct placed {
    hd_device *d;
    struct hd_launch l;
    uint64_t block[MAX_BUFFERS + 1];
    uint64_t at[MAX_BUFFERS + 1];
};
bool workload_place(struct placed *k, const struct problem *p, const struct hd_image *img,
                    const struct hd_config *cfg);
/* A workload's kernel as PTX, zero-ended, to be freed; NULL: err. */
char *workload_ptx(const struct workload *w, size_t *len, struct hd_err *err);
#endif

/* Every workload in every order: what Figures 7 to 10 are drawn from.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PAPER_B_MEASURE_H
#define PAPER_B_MEASURE_H
#include "run.h"

enum { RESIDENTS = 2, SIGMAS = 6, MAX_RUNS = 128, MOST_WORKLOADS = 8 };
extern const unsigned residents[RESIDENTS];              /* warps that the core holds at most */
extern const float sigmas[SIGMAS];                       /* of nw's lengths, for the last figure */

struct measurement {
    unsigned workload;           /* index into workloads */
    unsigned resident;           /* index into residents */
    int sigma;                   /* index into sigmas; -1: the workload's own */
    enum order_by by;
    struct outcome o;
};
struct measured {
    unsigned n;
    struct measurement run[MAX_RUNS];
    double fit;                  /* of mc: equation (1) by the threads' own elements */
    struct sliced slice[MOST_WORKLOADS];
};

/* All of them, at the RTL's size, two at a time; in lockstep, or on the model alone.  NULL: no
 * memory. */
struct measured *measure_all(bool lockstep);
void measured_free(struct measured *m);
/* NULL: it was not run so, or went wrong. */
const struct outcome *measured_get(const struct measured *m, unsigned workload, unsigned resident,
                                   enum order_by by);
const struct outcome *measured_sigma(const struct measured *m, int sigma, enum order_by by);

/* What a metric says of an outcome: cycles, predicted or of the run. */
enum metric { M_TIME, M_WEIGHTED, M_SCHEDULED, M_OURS, M_WARPS, M_BRANCHES, METRICS };
extern const char *const metric_names[METRICS];
double outcome_metric(const struct outcome *o, enum metric which, bool lockstep);
/* Speed-up over the original order, and per cent saved of it, as a metric has them. */
double measured_speed(const struct measured *m, unsigned workload, unsigned resident,
                      enum order_by by, enum metric which, bool lockstep);
double measured_saved(const struct measured *m, unsigned workload, unsigned resident,
                      enum order_by by, enum metric which, bool lockstep);

/* data.c: columns for plots.gp and the page's table.  False: cannot be written. */
bool measured_write(const struct measured *m, const char *folder, bool lockstep);
/* claims.c: prints a line a claim.  True: none differs but those of differs.txt, and these do. */
bool measured_claims(const struct measured *m, bool lockstep);
#define PAPER_B_DIFFERS "tests/paper_b/differs.txt"

/* h200.c: the claims on a GPU, a line each, from what the recipe has printed.  False: the file
 * cannot be read. */
struct claims;
bool h200_claims(struct claims *c, const char *path);
/* The same; true: those that differ are known, or there is no such file. */
bool h200_known(const char *path);
/* Its table for the page, and the columns of its figure, h200.md and h200.dat; false: cannot be
 * read or written. */
bool h200_write(const char *path, const char *folder);
#endif

/* Rows that the recipe in tests/paper_b/h200 has printed.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PAPER_B_H200_ROWS_H
#define PAPER_B_H200_ROWS_H
#include "tests/paper_b/measure.h"

enum { ROWS = 256 };
struct row {
    char workload[16], mechanism[16], order[16];
    double time, predicted[3], host;
    int right;
};
struct counts { char workload[16], order[16]; double warps, branches, bound; };
struct file {
    unsigned n, ncounts;
    struct row row[ROWS];
    struct counts counts[ROWS];
};

/* False: stderr says which line is none. */
bool rows_read(struct file *f, FILE *in, const char *path);
/* NULL: there is none. */
const struct row *find(const struct file *f, const char *workload, const char *mechanism,
                       const char *order);
/* By the mechanism that is faster. */
const struct row *fastest(const struct file *f, const char *workload, const char *order);
const struct row *original(const struct file *f, const char *workload);
const struct counts *counted(const struct file *f, const char *workload, const char *order);
#endif

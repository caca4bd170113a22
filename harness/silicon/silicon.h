/* What `heddle silicon` checks, and how it shares the work.  SPDX-License-Identifier: Apache-2.0 */
#ifndef SILICON_H
#define SILICON_H
#include "harness/cli/cli.h"

struct tally { unsigned total, good; };
struct silicon_result {
    struct tally kernels, outputs, sequences, no_yield, operations, approx, states;
    unsigned surprises;          /* what is not as ops/inexact.tsv, ordered.tsv and
                                  * states/differs.txt say, and
                                  * operations that did not run */
};

/* Calls fn(user, i) for i in [0, n) in two processes; results must lie in memory from
 * shared_alloc. */
void jobs_run(const char *what, unsigned n, void (*fn)(void *user, unsigned i), void *user);
void *shared_alloc(size_t bytes);
void shared_free(void *p, size_t bytes);

/* Each prints a line for whatever is not as recorded.  False: what is recorded is not whole, err
 * says where. */
bool silicon_kernels(struct cli *c, const char *dir, struct silicon_result *r, struct hd_err *err);
bool silicon_ops(struct cli *c, const char *dir, struct silicon_result *r, struct hd_err *err);
bool silicon_states(const char *dir, struct silicon_result *r, struct hd_err *err);
/* approx.c: true when `got` is within the bound of function `name` for operands a and b (f32 bits);
 * the error goes to *err, in units in the last place of the exact value or as the bound is
 * stated. */
bool approx_within(const char *name, uint32_t a, uint32_t b, uint32_t got, double *error,
                   const char **unit);
#endif

/* Equation (1): what the files of fits share.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FIT_H
#define FIT_H
#include "regroup/regroup.h"

static inline uint32_t fit_terms(uint32_t inputs) { return inputs + 2; }
/* The term's value: 1, an input, the thread's number. */
static inline double fit_term(const double *input, uint32_t ninputs, uint64_t thread, uint32_t k)
{
    return k == 0 ? 1 : k <= ninputs ? input[k - 1] : (double)thread;
}

/* fit_plan.c: what is to be computed for some threads.  column: by block; by column its
 * coefficients, and least and most counts that are the same or between which all are; of: the
 * columns that vary. */
enum { FIT_CHUNK = 512 };
struct plan { uint32_t terms, columns, varying, *column, *of, *least, *most; const double **beta; };
bool plan_make(struct plan *, const struct fit *, const struct inputs *in);   /* false: no memory */
void plan_free(struct plan *);
/* A column's counts of n threads from the first one on, at most a chunk. */
void plan_counts(const struct plan *, const struct inputs *in, uint32_t column, uint64_t first,
                 uint32_t n, uint32_t *to);

/* fit_file.c: all zeros.  NULL: no memory. */
struct fit *fit_new(uint64_t shape, uint32_t ninputs, uint32_t nblocks);
#endif

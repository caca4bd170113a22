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
/* fit_file.c: all zeros.  NULL: no memory. */
struct fit *fit_new(uint64_t shape, uint32_t ninputs, uint32_t nblocks);
#endif

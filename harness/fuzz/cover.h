/* Pairs of values of a list of dimensions: which are legal, planned, met; plans that hold those
 * that no plan has held before. SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_COVER_H
#define HD_COVER_H
#include <stdio.h>
#include "harness/fuzz/fuzz.h"

enum { COVER_DIMS = 28 };
struct cover_dim { const char *name; unsigned n; const char *value[32]; };
struct cover {
    char name[64];
    unsigned ndims, values;              /* of all dimensions together */
    struct cover_dim dim[COVER_DIMS];
    unsigned first[COVER_DIMS + 1];      /* numbers of a dimension's values */
    uint8_t *pair;                       /* values x values: COVER_ILLEGAL, or what was done */
    unsigned legal, illegal, planned, met;
    /* Why a plan of two values, all others being the first of their dimension, cannot be; and a
     * whole plan.  NULL: it can. */
    const char *(*why)(const struct cover *c, const unsigned *plan);
    const void *user;
};
enum { COVER_ILLEGAL = 1, COVER_PLANNED = 2, COVER_MET = 4 };

/* name, dim, ndims, why and user are set. */
void cover_open(struct cover *c);
void cover_close(struct cover *c);
/* A plan with at least one pair that was not planned; false: there is none. */
bool cover_plan(struct cover *c, struct rng *r, unsigned *plan);
/* No pair is planned any more; what was met stays. */
void cover_again(struct cover *c);
/* All pairs of a plan have been run and are right. */
void cover_met(struct cover *c, const unsigned *plan);
/* What was not met, a line each; true: nothing. */
bool cover_missing(const struct cover *c, FILE *out);
/* Illegal pairs, by their reasons. */
void cover_reasons(const struct cover *c, FILE *out);
/* met / of, by pairs of dimensions. */
void cover_table(const struct cover *c, FILE *out);
#endif

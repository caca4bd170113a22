/* Equation (1): a block's count as a weighted sum of the thread's inputs and its number, by least
 * squares.
 * SPDX-License-Identifier: Apache-2.0
 *
 * All blocks at once, for they have the same inputs.  Columns are scaled to at most one before;
 * inputs that depend on each other are no trouble, since dgelsy finds the rank and gives the
 * smallest solution. */
#include "regroup/fit.h"
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Solves for the samples: threads 0 to n.  a: n rows of terms, y: n rows of blocks, which become
 * the answer. */
static bool solve(struct fit *f, double *a, double *y, double *scale, lapack_int *pivot, uint32_t n)
{
    const uint32_t p = fit_terms(f->ninputs);
    lapack_int rank;
    for (uint32_t k = 0; k < p; k++) {
        scale[k] = 0;
        for (uint32_t t = 0; t < n; t++)
            scale[k] = fmax(scale[k], fabs(a[(size_t)t * p + k]));
        for (uint32_t t = 0; t < n && scale[k] > 0; t++)
            a[(size_t)t * p + k] /= scale[k];
    }
    memset(pivot, 0, p * sizeof *pivot);
    if (LAPACKE_dgelsy(LAPACK_ROW_MAJOR, (lapack_int)n, (lapack_int)p, (lapack_int)f->nblocks, a,
                       (lapack_int)p, y, (lapack_int)f->nblocks, pivot, 1e-10, &rank))
        return false;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t k = 0; k < p; k++)
            f->beta[(size_t)b * p + k] = scale[k] > 0 ? y[(size_t)k * f->nblocks + b] / scale[k]
                                                      : 0;
    return true;
}

struct fit *fit_make(const struct bbv *b, const struct inputs *in, uint32_t samples,
                     struct hd_err *err)
{
    const uint32_t p = fit_terms(in->n);
    if (samples > b->threads || samples < p) {
        hd_err_set(err, 2, "%u samples of %llu threads for %u coefficients: there are too few",
                   samples, (unsigned long long)b->threads, p);
        return NULL;
    }
    struct fit *f = fit_new(b->shape, in->n, b->nblocks);
    double *a = malloc((size_t)samples * p * sizeof *a),
           *y = malloc((size_t)samples * b->nblocks * sizeof *y);
    double *scale = malloc(p * sizeof *scale);
    lapack_int *pivot = malloc(p * sizeof *pivot);
    bool ok = f && a && y && scale && pivot;
    for (uint32_t k = 0; ok && k < in->n; k++) {
        f->input[k] = in->input[k];
        ok = (f->input[k].name = strdup(in->input[k].name)) != NULL;
    }
    for (uint32_t t = 0; ok && t < samples; t++) {
        for (uint32_t k = 0; k < p; k++)
            a[(size_t)t * p + k] = fit_term(in->value + (size_t)t * in->n, in->n, t, k);
        for (uint32_t k = 0; k < b->nblocks; k++)
            y[(size_t)t * b->nblocks + k] = bbv_row(b, t)[b->blocks[k].column];
    }
    for (uint32_t k = 0; ok && k < b->nblocks; k++) {
        f->pc[k] = b->blocks[k].pc;
        f->insns[k] = b->blocks[k].insns;
    }
    ok = ok && solve(f, a, y, scale, pivot, samples);
    free(a);
    free(y);
    free(scale);
    free(pivot);
    if (ok)
        return f;
    fit_free(f);
    hd_err_set(err, 4, "no memory for %u samples", samples);
    return NULL;
}

double fit_error(const struct bbv *counted, const struct bbv *fitted)
{
    double sum = 0;
    uint64_t n = 0;
    for (uint32_t k = 0; k < counted->nblocks; k++) {
        uint32_t j = 0;
        while (j < fitted->nblocks && fitted->blocks[j].pc != counted->blocks[k].pc)
            j++;
        for (uint64_t t = 0; t < counted->threads; t++, n++) {
            double f = j < fitted->nblocks ? bbv_row(fitted, t)[fitted->blocks[j].column] : 0;
            double d = f - bbv_row(counted, t)[counted->blocks[k].column];
            sum += d * d;
        }
    }
    return sum / (double)n;
}

/* Equation (1): a block's count as a weighted sum of the thread's inputs and its number, by least squares.
 * SPDX-License-Identifier: Apache-2.0
 *
 * All blocks at once, for they have the same inputs.  Columns are scaled to at most one before; inputs that
 * depend on each other are no trouble, since dgelsy finds the rank and gives the smallest solution. */
#include "regroup/regroup.h"
#include "cmodel/base/infile.h"
#include <inttypes.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t terms(uint32_t inputs) { return inputs + 2; }

void fit_free(struct fit *f)
{
    if (!f)
        return;
    for (uint32_t k = 0; f->input && k < f->ninputs; k++)
        free(f->input[k].name);
    free(f->input);
    free(f->pc);
    free(f->insns);
    free(f->beta);
    free(f);
}

static struct fit *fit_new(uint64_t shape, uint32_t ninputs, uint32_t nblocks)
{
    struct fit *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->shape = shape;
    f->ninputs = ninputs;
    f->nblocks = nblocks;
    f->input = calloc((size_t)ninputs + 1, sizeof *f->input);
    f->pc = calloc((size_t)nblocks + 1, sizeof *f->pc);
    f->insns = calloc((size_t)nblocks + 1, sizeof *f->insns);
    f->beta = calloc((size_t)nblocks * terms(ninputs) + 1, sizeof *f->beta);
    if (f->input && f->pc && f->insns && f->beta)
        return f;
    fit_free(f);
    return NULL;
}

/* The term's value: 1, an input, the thread's number. */
static double term(const double *input, uint32_t ninputs, uint64_t thread, uint32_t k)
{
    return k == 0 ? 1 : k <= ninputs ? input[k - 1] : (double)thread;
}

/* Solves for the samples: threads 0 to n.  a: n rows of terms, y: n rows of blocks, which become the answer. */
static bool solve(struct fit *f, double *a, double *y, double *scale, lapack_int *pivot, uint32_t n)
{
    const uint32_t p = terms(f->ninputs);
    lapack_int rank;
    for (uint32_t k = 0; k < p; k++) {
        scale[k] = 0;
        for (uint32_t t = 0; t < n; t++)
            scale[k] = fmax(scale[k], fabs(a[(size_t)t * p + k]));
        for (uint32_t t = 0; t < n && scale[k] > 0; t++)
            a[(size_t)t * p + k] /= scale[k];
    }
    memset(pivot, 0, p * sizeof *pivot);
    if (LAPACKE_dgelsy(LAPACK_ROW_MAJOR, (lapack_int)n, (lapack_int)p, (lapack_int)f->nblocks, a, (lapack_int)p, y,
                       (lapack_int)f->nblocks, pivot, 1e-10, &rank))
        return false;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t k = 0; k < p; k++)
            f->beta[(size_t)b * p + k] = scale[k] > 0 ? y[(size_t)k * f->nblocks + b] / scale[k] : 0;
    return true;
}

struct fit *fit_make(const struct bbv *b, const struct inputs *in, uint32_t samples, struct hd_err *err)
{
    const uint32_t p = terms(in->n);
    if (samples > b->threads || samples < p) {
        hd_err_set(err, 2, "%u samples of %llu threads for %u coefficients: there are too few", samples,
                   (unsigned long long)b->threads, p);
        return NULL;
    }
    struct fit *f = fit_new(b->shape, in->n, b->nblocks);
    double *a = malloc((size_t)samples * p * sizeof *a), *y = malloc((size_t)samples * b->nblocks * sizeof *y);
    double *scale = malloc(p * sizeof *scale);
    lapack_int *pivot = malloc(p * sizeof *pivot);
    bool ok = f && a && y && scale && pivot;
    for (uint32_t k = 0; ok && k < in->n; k++) {
        f->input[k] = in->input[k];
        ok = (f->input[k].name = strdup(in->input[k].name)) != NULL;
    }
    for (uint32_t t = 0; ok && t < samples; t++) {
        for (uint32_t k = 0; k < p; k++)
            a[(size_t)t * p + k] = term(in->value + (size_t)t * in->n, in->n, t, k);
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

/* ---- counts by it ------------------------------------------------------------------------------- */

struct sorted { const uint32_t *rows; uint32_t columns; };

static int by_row(const void *a, const void *b, void *user)
{
    const struct sorted *s = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int c = memcmp(s->rows + (size_t)x * s->columns, s->rows + (size_t)y * s->columns, s->columns * sizeof *s->rows);
    return c ? c : (x > y) - (x < y);
}

/* rows: of every thread.  Equal ones become one vector. */
static bool share(struct bbv *b, const uint32_t *rows)
{
    const uint32_t n = (uint32_t)b->threads, bytes = b->ncolumns * (uint32_t)sizeof *rows;
    uint32_t *at = malloc((size_t)n * sizeof *at);
    struct sorted s = { rows, b->ncolumns };
    if (!at)
        return false;
    for (uint32_t t = 0; t < n; t++)
        at[t] = t;
    qsort_r(at, n, sizeof *at, by_row, &s);
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t *row = rows + (size_t)at[k] * b->ncolumns;
        if (!k || memcmp(row, rows + (size_t)at[k - 1] * b->ncolumns, bytes))
            memcpy(b->counts + (size_t)b->nvectors++ * b->ncolumns, row, bytes);
        b->of[at[k]] = b->nvectors - 1;
    }
    free(at);
    return true;
}

static uint32_t whole(double count) { return !(count > 0.5) ? 0 : count > 4e9 ? 4000000000u : (uint32_t)(count + 0.5); }

struct bbv *fit_counts(const struct fit *f, const struct inputs *in, struct hd_dim3 grid, struct hd_dim3 block)
{
    const uint32_t p = terms(f->ninputs);
    struct bbv *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    *b = (struct bbv){ .shape = f->shape, .grid = grid, .block = block, .threads_block = block.x * block.y * block.z,
                       .threads = in->threads, .nblocks = f->nblocks, .ncolumns = f->nblocks };
    uint32_t *rows = malloc((size_t)b->threads * b->ncolumns * sizeof *rows);
    b->blocks = calloc(b->nblocks, sizeof *b->blocks);
    b->counts = malloc((size_t)b->threads * b->ncolumns * sizeof *b->counts);
    b->of = malloc((size_t)b->threads * sizeof *b->of);
    bool ok = rows && b->blocks && b->counts && b->of;
    for (uint64_t t = 0; ok && t < b->threads; t++)
        for (uint32_t k = 0; k < f->nblocks; k++) {
            double sum = 0;
            for (uint32_t i = 0; i < p; i++)
                sum += f->beta[(size_t)k * p + i] * term(in->value + t * in->n, in->n, t, i);
            rows[t * b->ncolumns + k] = whole(sum);
        }
    for (uint32_t k = 0; ok && k < f->nblocks; k++)
        b->blocks[k] = (struct bbv_block){ .pc = f->pc[k], .insns = f->insns[k], .column = k };
    ok = ok && share(b, rows);
    free(rows);
    if (ok)
        return b;
    bbv_free(b);
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

/* ---- the file ------------------------------------------------------------------------------------ */

void fit_put(const struct fit *f, FILE *out)
{
    const uint32_t p = terms(f->ninputs);
    fprintf(out, "heddle-fit 1\nshape %016" PRIx64 "\ninputs %u\nblocks %u\n", f->shape, f->ninputs, f->nblocks);
    for (uint32_t k = 0; k < f->ninputs; k++)
        fprintf(out, "%s %u %u\n", f->input[k].name, f->input[k].elements, f->input[k].which);
    for (uint32_t k = 0; k < f->nblocks; k++) {
        fprintf(out, "%u %u", f->pc[k], f->insns[k]);
        for (uint32_t i = 0; i < p; i++)
            fprintf(out, " %.17g", f->beta[(size_t)k * p + i]);
        fprintf(out, "\n");
    }
}

static bool read_rows(struct fit *f, FILE *in)
{
    const uint32_t p = terms(f->ninputs);
    bool ok = true;
    for (uint32_t k = 0; ok && k < f->ninputs; k++) {
        char name[128];
        ok = fscanf(in, "%127s %u %u", name, &f->input[k].elements, &f->input[k].which) == 3 &&
             f->input[k].which < f->input[k].elements && (f->input[k].name = strdup(name));
    }
    for (uint32_t k = 0; ok && k < f->nblocks; k++) {
        ok = fscanf(in, "%u %u", &f->pc[k], &f->insns[k]) == 2 && f->insns[k] && (!k || f->pc[k] > f->pc[k - 1]);
        for (uint32_t i = 0; ok && i < p; i++)
            ok = fscanf(in, "%lf", &f->beta[(size_t)k * p + i]) == 1 && isfinite(f->beta[(size_t)k * p + i]);
    }
    char rest;
    return ok && fscanf(in, " %c", &rest) == EOF;
}

struct fit *fit_read(const char *path, uint64_t shape, struct hd_err *err)
{
    enum { MOST_INPUTS = 4096, MOST_BLOCKS = 1 << 20 };
    FILE *in = infile_open(path, err);
    struct fit *f = NULL;
    uint64_t of = 0;
    uint32_t ninputs = 0, nblocks = 0;
    if (!in)
        return NULL;
    if (fscanf(in, "heddle-fit 1 shape %" SCNx64 " inputs %u blocks %u", &of, &ninputs, &nblocks) != 3 ||
        ninputs > MOST_INPUTS || !nblocks || nblocks > MOST_BLOCKS || (uint64_t)ninputs * nblocks > MOST_BLOCKS * 16)
        hd_err_set(err, 2, "%s: this is no fit of block counts (heddle bbv --fit)", path);
    else if (of != shape)
        hd_err_set(err, 2, "%s: a fit of another source, or of other options", path);
    else if (!(f = fit_new(of, ninputs, nblocks)))
        hd_err_set(err, 4, "no memory");
    else if (!read_rows(f, in)) {
        hd_err_set(err, 2, "%s: is cut off or broken: a row of its %u inputs and %u blocks is none", path, ninputs, nblocks);
        fit_free(f);
        f = NULL;
    }
    fclose(in);
    return f;
}

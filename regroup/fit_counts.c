/* Counts of a launch by a fit: equation (1) the other way.  Nothing of LAPACK is needed for it.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/fit.h"
#include <stdlib.h>
#include <string.h>

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
    const uint32_t p = fit_terms(f->ninputs);
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
                sum += f->beta[(size_t)k * p + i] * fit_term(in->value + t * in->n, in->n, t, i);
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

/* Elements change places (access.h).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: what access_find found; the launch's threads and parameters; an order that is a permutation.
 * Ensures:  layout_check: nobody is taken across a bound; layout_move: the buffer in the other order. */
#include <inttypes.h>
#include <string.h>
#include "compiler/regroup/access.h"

#define FAIL(err, ...) (hd_err_set(err, 2, __VA_ARGS__), false)

static uint64_t rows_of(int rows, uint64_t threads, const uint64_t *value)
{
    return rows == ACCESS_GRID ? threads : (uint32_t)value[rows];
}

/* How often thread i stands on the first side of the bound. */
static uint64_t side(const struct access_bound *b, uint64_t i, uint64_t threads, const uint64_t *value)
{
    uint64_t n = (uint32_t)value[b->param], rows = b->strided ? rows_of(b->rows, threads, value) : 0;
    if (i >= n) return 0;
    return rows ? (n - i + rows - 1) / rows : 1;
}

bool layout_check(const struct access *x, const uint32_t *d, uint64_t threads, const uint64_t *value, struct hd_err *err)
{
    for (int p = 0; p < x->nparams; p++)
        for (int q = 0; q < p; q++)
            if (x->buffer[p].used && x->buffer[q].used && value[p] == value[q] &&
                (x->buffer[p].form || x->buffer[q].form))
                return FAIL(err, "no layout: parameters %d and %d are one buffer", q + 1, p + 1);
    for (int k = 0; k < x->nbounds; k++)
        for (uint64_t i = 0; i < threads; i++)
            if (side(&x->bound[k], i, threads, value) != side(&x->bound[k], d[i], threads, value))
                return FAIL(err, "no layout: the order takes thread %" PRIu64 " to %" PRIu32
                            ", across the bound of %" PRIu32, i, d[i], (uint32_t)value[x->bound[k].param]);
    return true;
}

void layout_move(const struct access *x, int p, const uint32_t *d, uint64_t threads, const uint64_t *value, const void *from,
                 void *to, size_t bytes, bool back)
{
    const struct access_buffer *b = &x->buffer[p];
    size_t size = (size_t)b->size;
    memcpy(to, from, bytes);                     /* what is no thread's stays */
    if (b->form == ACCESS_FREE) return;
    uint64_t elements = bytes / size, rows = b->form == ACCESS_STRIDED ? rows_of(b->rows, threads, value) : elements;
    for (uint64_t row = 0; rows && row < elements; row += rows)
        for (uint64_t i = 0; i < threads && i < rows; i++) {
            uint64_t here = row + i, there = row + d[i];
            if (here >= elements || there >= elements) continue;
            if (back) memcpy((char *)to + there * size, (const char *)from + here * size, size);
            else memcpy((char *)to + here * size, (const char *)from + there * size, size);
        }
}

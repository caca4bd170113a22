/* Paper B's Sorting: vectors in lexicographic order, columns as blocks come in the code.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

static int by_row(const void *a, const void *b, void *user)
{
    const struct pool *p = user;
    const uint32_t *x = pool_row(p, *(const uint32_t *)a), *y = pool_row(p, *(const uint32_t *)b);
    for (uint32_t c = 0; c < p->b->ncolumns; c++)
        if (x[c] != y[c])
            return x[c] < y[c] ? -1 : 1;
    return 0;
}

bool order_sorting(const struct pool *p, uint32_t *out)
{
    uint32_t *v = malloc(((size_t)p->n + 1) * sizeof *v);
    if (!v)
        return false;
    for (uint32_t k = 0; k < p->n; k++)
        v[k] = k;
    qsort_r(v, p->n, sizeof *v, by_row, (void *)p);
    for (uint32_t k = 0; k < p->n; k++) {
        uint32_t n = p->start[v[k] + 1] - p->start[v[k]];
        memcpy(out, p->thread + p->start[v[k]], n * sizeof *out);
        out += n;
    }
    free(v);
    return true;
}

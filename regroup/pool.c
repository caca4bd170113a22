/* The distinct vectors of some threads.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

bool pool_make(struct pool *p, const struct bbv *b, const double *lat, const uint32_t *threads,
               uint32_t n)
{
    uint32_t *where = spill_alloc(b->within, (size_t)b->nvectors * sizeof *where);
    *p = (struct pool){ .b = b, .lat = lat,
                        .vector = spill_alloc(b->within, ((size_t)n + 1) * sizeof *p->vector),
                        .start = spill_alloc(b->within, ((size_t)n + 2) * sizeof *p->start),
                        .thread = spill_alloc(b->within, ((size_t)n + 1) * sizeof *p->thread) };
    if (!where || !p->vector || !p->start || !p->thread) {
        spill_free(b->within, where);
        pool_free(p);
        return false;
    }
    memset(where, 0xff, (size_t)b->nvectors * sizeof *where);
    for (uint32_t t = 0; t < n; t++) {
        uint32_t *v = &where[b->of[threads[t]]];
        if (*v == UINT32_MAX) {
            *v = p->n;
            p->vector[p->n++] = b->of[threads[t]];
        }
        p->start[*v + 2]++;
    }
    for (uint32_t v = 2; v <= p->n; v++)         /* start[v + 1]: where the next thread of v goes */
        p->start[v] += p->start[v - 1];
    for (uint32_t t = 0; t < n; t++)
        p->thread[p->start[where[b->of[threads[t]]] + 1]++] = threads[t];
    spill_free(b->within, where);
    return true;
}

void pool_free(struct pool *p)
{
    struct spill *within = p->b ? p->b->within : NULL;
    spill_free(within, p->vector);
    spill_free(within, p->start);
    spill_free(within, p->thread);
    *p = (struct pool){ 0 };
}

double pool_lat(const struct pool *p, uint32_t v)
{
    const uint32_t *row = pool_row(p, v);
    double sum = 0;
    for (uint32_t c = 0; c < p->b->ncolumns; c++)
        sum += p->lat[c] * row[c];
    return sum;
}

/* Paper B's Greedy-Max (Algorithm 2): a group begins with the thread that takes longest, and takes
 * in what gains most.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The paper looks first for a thread that is identical to a member.  Such a thread is one of the
 * vector that was taken last, for the others' threads are all in the group by then.  Where
 * latencies or gains are equal, the vector with the lowest thread left goes first. */
#include "regroup/gain.h"
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

struct max {
    const struct pool *p;
    uint32_t columns, n;            /* vectors with threads left, in `left` */
    uint32_t *left, *next;    /* next: by vector, its lowest thread left, as a place in p->thread */
    double *rows, *lat;             /* by vector */
    double *min, *hi;               /* of the group */
};

static double *row_of(const struct max *m, uint32_t v) { return m->rows + (size_t)v * m->columns; }
static uint32_t low_of(const struct max *m, uint32_t v) { return m->p->thread[m->next[v]]; }

/* The best vector that is left, as a place in `left`: by latency (group empty) or by gain. */
static uint32_t choose(const struct max *m, bool empty)
{
    uint32_t best = 0;
    double most = 0;
    for (uint32_t k = 0; k < m->n; k++) {
        const double *row = row_of(m, m->left[k]);
        double value = empty ? m->lat[m->left[k]] : gain(m->min, m->hi, row, row, m->columns);
        if (!k || value > most ||
            (value == most && low_of(m, m->left[k]) < low_of(m, m->left[best]))) {
            best = k;
            most = value;
        }
    }
    return best;
}

static void widen(struct max *m, uint32_t v, bool empty)
{
    const double *row = row_of(m, v);
    for (uint32_t c = 0; c < m->columns; c++) {
        m->min[c] = empty || row[c] < m->min[c] ? row[c] : m->min[c];
        m->hi[c] = empty || row[c] > m->hi[c] ? row[c] : m->hi[c];
    }
}

static void fill(struct max *m, uint32_t *out)
{
    for (uint32_t n = 0; m->n; n %= WARP) {
        uint32_t k = choose(m, !n), v = m->left[k], end = m->p->start[v + 1];
        widen(m, v, !n);
        while (n < WARP && m->next[v] < end) {
            *out++ = m->p->thread[m->next[v]++];
            n++;
        }
        if (m->next[v] == end)
            m->left[k] = m->left[--m->n];
    }
}

bool order_greedy_max(const struct pool *p, uint32_t *out)
{
    struct max m = { .p = p, .columns = gain_columns(p->b->ncolumns), .n = p->n };
    m.left = malloc(((size_t)p->n + 1) * sizeof *m.left);
    m.next = malloc(((size_t)p->n + 1) * sizeof *m.next);
    m.rows = malloc(((size_t)p->n + 2) * m.columns * sizeof *m.rows);
    m.lat = malloc(((size_t)p->n + 1) * sizeof *m.lat);
    bool ok = m.left && m.next && m.rows && m.lat;
    for (uint32_t v = 0; ok && v < p->n; v++) {
        m.left[v] = v;
        m.next[v] = p->start[v];
        m.lat[v] = pool_lat(p, v);
        gain_row(row_of(&m, v), pool_row(p, v), p->lat, p->b->ncolumns);
    }
    if (ok) {
        m.min = row_of(&m, p->n);
        m.hi = row_of(&m, p->n + 1);
        fill(&m, out);
    }
    free(m.left);
    free(m.next);
    free(m.rows);
    free(m.lat);
    return ok;
}

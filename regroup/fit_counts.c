/* Counts of a launch by a fit: equation (1) the other way.  Nothing of LAPACK is needed for it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only rows of what varies are computed, and shared by a table of their hashes. */
#include "regroup/fit.h"
#include <stdlib.h>
#include <string.h>

static void compute_rows(const struct plan *p, const struct inputs *in, uint32_t *rows)
{
    uint32_t count[FIT_CHUNK];
    for (uint64_t first = 0; first < in->threads; first += FIT_CHUNK) {
        const uint32_t n = in->threads - first < FIT_CHUNK ? (uint32_t)(in->threads - first)
                                                           : FIT_CHUNK;
        for (uint32_t k = 0; k < p->varying; k++) {
            plan_counts(p, in, p->of[k], first, n, count);
            for (uint32_t t = 0; t < n; t++)
                rows[(first + t) * p->varying + k] = count[t];
        }
    }
}

/* The distinct rows so far.  place: by hash, a vector's number and one; 0: none. */
struct table { uint32_t *place, *first, size, n; };

static uint32_t hash_of(const uint32_t *row, uint32_t n)
{
    uint64_t h = 0;
    for (uint32_t k = 0; k < n; k++)
        h = (h ^ row[k]) * 0x9e3779b97f4a7c15u, h ^= h >> 32;
    return (uint32_t)h;
}

static bool same(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    uint32_t differ = 0;
    for (uint32_t k = 0; k < n; k++)
        differ |= a[k] ^ b[k];
    return !differ;
}

static uint32_t *place_of(const struct table *t, const uint32_t *rows, uint32_t width,
                          const uint32_t *row)
{
    uint32_t at = hash_of(row, width) & (t->size - 1);
    while (t->place[at] && !same(rows + (size_t)t->first[t->place[at] - 1] * width, row, width))
        at = (at + 1) & (t->size - 1);
    return &t->place[at];
}

static bool grow(struct table *t, const uint32_t *rows, uint32_t width)
{
    const uint32_t size = t->size ? 4 * t->size : 1024;
    uint32_t *first = realloc(t->first, size / 2 * sizeof *first),
             *place = calloc(size, sizeof *place);
    t->first = first ? first : t->first;
    if (!first || !place) {
        free(place);
        return false;
    }
    free(t->place);
    t->place = place;
    t->size = size;
    for (uint32_t v = 0; v < t->n; v++)
        *place_of(t, rows, width, rows + (size_t)first[v] * width) = v + 1;
    return true;
}

/* Equal rows become one vector, numbered as they come. */
static bool share_rows(struct bbv *b, const struct plan *p, const uint32_t *rows, struct table *t)
{
    const uint32_t width = p->varying;
    for (uint32_t thread = 0; thread < b->threads; thread++) {
        if (2 * t->n >= t->size && !grow(t, rows, width))
            return false;
        const uint32_t *row = rows + (size_t)thread * width;
        uint32_t *place = place_of(t, rows, width, row);
        if (!*place) {
            t->first[t->n++] = thread;
            *place = t->n;
        }
        b->of[thread] = *place - 1;
    }
    return true;
}

static bool make_vectors(struct bbv *b, const struct plan *p, const uint32_t *rows,
                         const struct table *t)
{
    b->nvectors = t->n;
    b->counts = spill_alloc(b->within, ((size_t)t->n * b->ncolumns + 1) * sizeof *b->counts);
    for (uint32_t v = 0; b->counts && v < t->n; v++) {
        uint32_t *to = b->counts + (size_t)v * b->ncolumns;
        memcpy(to, p->least, b->ncolumns * sizeof *to);
        for (uint32_t k = 0; k < p->varying; k++)
            to[p->of[k]] = rows[(size_t)t->first[v] * p->varying + k];
    }
    return b->counts;
}

static bool count(struct bbv *b, const struct inputs *in, const struct plan *p)
{
    struct table t = { 0 };
    uint32_t *rows = spill_alloc(b->within, ((size_t)b->threads * p->varying + 1) * sizeof *rows);
    if (rows)
        compute_rows(p, in, rows);
    bool ok = rows && share_rows(b, p, rows, &t) && make_vectors(b, p, rows, &t);
    spill_free(b->within, rows);
    free(t.place);
    free(t.first);
    return ok;
}

bool fit_holds(const struct bbv *b, struct hd_err *err)
{
    for (size_t k = 0; k < (size_t)b->nvectors * b->ncolumns; k++)
        for (uint32_t i = 0; b->counts[k] == FIT_MOST && i < b->nblocks; i++)
            if (b->blocks[i].column == k % b->ncolumns) {
                hd_err_set(err, 2,
                           "by equation (1) a thread executes the block at PC 0x%x %u times or "
                           "more, which these counts do not hold",
                           b->blocks[i].pc, FIT_MOST);
                return false;
            }
    return true;
}

struct bbv *fit_counts(const struct fit *f, const struct inputs *in, struct hd_dim3 grid,
                       struct hd_dim3 block, struct spill *within)
{
    struct bbv *b = calloc(1, sizeof *b);
    struct plan p;
    if (!b || !plan_make(&p, f, in)) {
        free(b);
        return NULL;
    }
    *b = (struct bbv){ .within = within,
                       .shape = f->shape,
                       .grid = grid,
                       .block = block,
                       .threads_block = block.x * block.y * block.z,
                       .threads = in->threads,
                       .nblocks = f->nblocks,
                       .ncolumns = p.columns };
    b->blocks = calloc(f->nblocks, sizeof *b->blocks);
    b->of = spill_alloc(within, (size_t)b->threads * sizeof *b->of);
    for (uint32_t k = 0; b->blocks && k < f->nblocks; k++)
        b->blocks[k] = (struct bbv_block){ .pc = f->pc[k],
                                           .insns = f->insns[k],
                                           .column = p.column[k] };
    bool ok = b->blocks && b->of && count(b, in, &p);
    plan_free(&p);
    if (ok)
        return b;
    bbv_free(b);
    return NULL;
}

/* Elements change places (access.h).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A bound, and the end of a buffer, cut the threads into sides: thread g does something so many
 * times, and this number falls with g.  So threads of the same numbers follow each other.
 *
 * Requires: what access_find found; the launch's threads and parameters; an order that is a
 * permutation.  Ensures:  layout_check: nobody is taken across a bound; layout_move: the buffer in
 * the other order. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/regroup/access.h"

#define FAIL(err, ...) (hd_err_set(err, 2, __VA_ARGS__), false)

static uint64_t rows_of(const struct layout *l, int rows)
{
    return rows == ACCESS_GRID ? l->threads : (uint32_t)l->value[rows];
}

/* How many of i, i + rows, ... are below n; rows 0: of i alone. */
static uint64_t below(uint64_t i, uint64_t n, uint64_t rows)
{
    if (i >= n) return 0;
    return rows ? (n - i + rows - 1) / rows : 1;
}

static uint64_t at_bound(const struct layout *l, int k, uint64_t i)
{
    const struct access_bound *b = &l->x->bound[k];
    return below(i, (uint32_t)l->value[b->param], b->strided ? rows_of(l, b->rows) : 0);
}

/* Whole elements of thread i that the buffer of parameter p has. */
static uint64_t at_end(const struct layout *l, int p, uint64_t i)
{
    const struct access_buffer *b = &l->x->buffer[p];
    if (b->form == ACCESS_FREE) return 0;
    return below(i, l->bytes[p] / (uint64_t)b->size,
                 b->form == ACCESS_STRIDED ? rows_of(l, b->rows) : 0);
}

bool layout_launch(const struct layout *l, struct hd_err *err)
{
    const struct access *x = l->x;
    for (int p = 0; p < x->nparams; p++) {
        if (!x->buffer[p].used) continue;
        if (!l->bytes[p])
            return FAIL(err, "no layout: parameter %d is an address, and no buffer of the launch",
                        p + 1);
        for (int q = 0; q < p; q++)
            if (x->buffer[q].used && l->value[p] == l->value[q] &&
                (x->buffer[p].form || x->buffer[q].form))
                return FAIL(err, "no layout: parameters %d and %d are one buffer", q + 1, p + 1);
    }
    return true;
}

bool layout_check(const struct layout *l, const uint32_t *d, struct hd_err *err)
{
    const struct access *x = l->x;
    if (!layout_launch(l, err)) return false;
    for (uint64_t i = 0; i < l->threads; i++) {
        for (int k = 0; k < x->nbounds; k++)
            if (at_bound(l, k, i) != at_bound(l, k, d[i]))
                return FAIL(err,
                            "no layout: the order takes thread %" PRIu64 " to %" PRIu32
                            ", across the bound of %" PRIu32,
                            i, d[i], (uint32_t)l->value[x->bound[k].param]);
        for (int p = 0; p < x->nparams; p++)
            if (at_end(l, p, i) != at_end(l, p, d[i]))
                return FAIL(err,
                            "no layout: the order takes thread %" PRIu64 " to %" PRIu32
                            ", across the end of parameter %d",
                            i, d[i], p + 1);
    }
    return true;
}

/* Whether thread i is on another side than i - 1. */
static bool side_begins(const struct layout *l, uint64_t i)
{
    bool other = false;
    for (int k = 0; k < l->x->nbounds; k++) other |= at_bound(l, k, i) != at_bound(l, k, i - 1);
    for (int p = 0; p < l->x->nparams; p++) other |= at_end(l, p, i) != at_end(l, p, i - 1);
    return other;
}

bool layout_fit(const struct layout *l, uint32_t *d, uint32_t part)
{
    enum { GROUP = 32 };
    uint64_t n = l->threads, sides = 0;
    uint32_t *side = malloc((n + 1) * sizeof *side), *old = malloc((n + 1) * sizeof *old),
             *at = malloc((n + 1) * sizeof *at);
    bool ok = side && old && at;
    for (uint64_t i = 0; ok && i < n; i++) {
        bool begins = !i || (part && i % part == 0) || side_begins(l, i);
        if (begins) at[sides++] = (uint32_t)i;
        side[i] = (uint32_t)sides - 1;
        old[i] = d[i];
    }
    /* Groups of one side first, so that they stay whole; then what is left. */
    for (int rest = 0; ok && rest < 2; rest++)
        for (uint64_t g = 0; g < n; g += GROUP) {
            uint64_t end = g + GROUP < n ? g + GROUP : n;
            bool whole = true;
            for (uint64_t i = g + 1; i < end; i++) whole &= side[old[i]] == side[old[g]];
            for (uint64_t i = g; whole == !rest && i < end; i++) d[at[side[old[i]]]++] = old[i];
        }
    free(side);
    free(old);
    free(at);
    return ok;
}

void layout_move(const struct layout *l, int p, const uint32_t *d, const void *from, void *to,
                 bool back)
{
    const struct access_buffer *b = &l->x->buffer[p];
    size_t size = (size_t)b->size;
    memcpy(to, from, l->bytes[p]);               /* what is no thread's stays */
    if (b->form == ACCESS_FREE) return;
    uint64_t elements = l->bytes[p] / size,
             rows = b->form == ACCESS_STRIDED ? rows_of(l, b->rows) : elements;
    for (uint64_t row = 0; rows && row < elements; row += rows)
        for (uint64_t i = 0; i < l->threads && i < rows; i++) {
            uint64_t here = row + i, there = row + d[i];
            if (here >= elements || there >= elements) continue;
            if (back) memcpy((char *)to + there * size, (const char *)from + here * size, size);
            else memcpy((char *)to + here * size, (const char *)from + there * size, size);
        }
}

uint64_t layout_address(const struct layout *l, uint32_t thread, uint32_t place, uint64_t addr)
{
    for (int p = 0; p < l->x->nparams; p++) {
        const struct access_buffer *b = &l->x->buffer[p];
        if (b->form != ACCESS_FREE && addr >= l->value[p] && addr < l->value[p] + l->bytes[p])
            return addr + ((uint64_t)place - thread) * (uint64_t)b->size;
    }
    return addr;
}

int layout_allows(const struct layout *l, uint64_t g, uint64_t addr, unsigned bytes)
{
    for (int p = 0; p < l->x->nparams; p++) {
        const struct access_buffer *b = &l->x->buffer[p];
        if (b->form == ACCESS_FREE || addr >= l->value[p] + l->bytes[p] ||
            addr + bytes <= l->value[p])
            continue;
        uint64_t off = addr - l->value[p], size = (uint64_t)b->size,
                 rows = b->form == ACCESS_STRIDED ? rows_of(l, b->rows) : 0;
        uint64_t element = rows ? off / size % rows : off / size;
        return addr >= l->value[p] && element == g && off % size + bytes <= size ? -1 : p;
    }
    return -1;
}

/* Paper B's Sorting by a fit, without counts of their own: made to be quick, because it is done
 * while a kernel runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * As many of a thread's counts that vary as fit are packed into a key, each with the bits of its
 * range; keys are sorted digit by digit.  Of threads with the same key the next counts are looked
 * at, in the same way. */
#include "regroup/fit.h"
#include "regroup/keyed.h"
#include <stdlib.h>
#include <string.h>

struct sorting { const struct plan *p; const struct inputs *in; };

static uint32_t column_bits(const struct plan *p, uint32_t k)
{
    return keyed_bits(p->most[p->of[k]] - p->least[p->of[k]]);
}

/* The end of the varying columns that one key holds, from k on, and their bits. */
static uint32_t key_end(const struct plan *p, uint32_t k, uint32_t *bits)
{
    for (*bits = 0; k < p->varying && *bits + column_bits(p, k) <= 64; k++)
        *bits += column_bits(p, k);
    return k;
}

static void sort_keys(struct keyed *key, struct keyed *other, uint32_t n, uint32_t bits)
{
    if (keyed_sort(key, other, n, bits) != key)
        memcpy(key, other, n * sizeof *key);
}

/* Sorts threads that are the same in the varying columns before k. */
static void settle(const struct sorting *s, struct keyed *key, struct keyed *other, uint32_t n,
                   uint32_t k);

static void settle_equal(const struct sorting *s, struct keyed *key, struct keyed *other,
                         uint32_t n, uint32_t k)
{
    for (uint32_t from = 0, to; k < s->p->varying && from < n; from = to) {
        for (to = from + 1; to < n && key[to].key == key[from].key; to++)
            ;
        if (to > from + 1)
            settle(s, key + from, other + from, to - from, k);
    }
}

static void settle(const struct sorting *s, struct keyed *key, struct keyed *other, uint32_t n,
                   uint32_t k)
{
    uint32_t bits, count, end = key_end(s->p, k, &bits);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t now = 0;
        for (uint32_t c = k; c < end; c++) {
            plan_counts(s->p, s->in, s->p->of[c], key[i].v, 1, &count);
            now = now << column_bits(s->p, c) | (count - s->p->least[s->p->of[c]]);
        }
        key[i].key = now;
    }
    sort_keys(key, other, n, bits);
    settle_equal(s, key, other, n, end);
}

/* All threads, a chunk at a time. */
static void settle_all(const struct sorting *s, struct keyed *key, struct keyed *other)
{
    uint32_t count[FIT_CHUNK], bits, end = key_end(s->p, 0, &bits);
    for (uint64_t first = 0; first < s->in->threads; first += FIT_CHUNK) {
        const uint32_t n = s->in->threads - first < FIT_CHUNK ? (uint32_t)(s->in->threads - first)
                                                              : FIT_CHUNK;
        for (uint32_t t = 0; t < n; t++)
            key[first + t] = (struct keyed){ 0, (uint32_t)(first + t) };
        for (uint32_t k = 0; k < end; k++) {
            const uint32_t least = s->p->least[s->p->of[k]], more = column_bits(s->p, k);
            plan_counts(s->p, s->in, s->p->of[k], first, n, count);
            for (uint32_t t = 0; t < n; t++)
                key[first + t].key = key[first + t].key << more | (count[t] - least);
        }
    }
    sort_keys(key, other, (uint32_t)s->in->threads, bits);
    settle_equal(s, key, other, (uint32_t)s->in->threads, end);
}

uint32_t *fit_order(const struct fit *f, const struct inputs *in)
{
    const size_t n = (size_t)in->threads;
    struct plan p;
    if (!plan_make(&p, f, in))
        return NULL;
    struct keyed *key = malloc((n + 1) * sizeof *key), *other = malloc((n + 1) * sizeof *key);
    uint32_t *order = malloc((n + 1) * sizeof *order);
    if (key && other && order)
        settle_all(&(struct sorting){ &p, in }, key, other);
    for (size_t t = 0; key && other && order && t < n; t++)
        order[t] = key[t].v;
    if (!key || !other) {
        free(order);
        order = NULL;
    }
    free(key);
    free(other);
    plan_free(&p);
    return order;
}

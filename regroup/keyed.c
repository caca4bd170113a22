/* Things with keys of 64 bits, sorted by their highest two digits from the lower one, then those in
 * which these are alike by the digits below; a few by insertion.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/keyed.h"
#include <stdbool.h>
#include <string.h>

enum {
    DIGIT = 11,
    HIGH = 2 * DIGIT,
    MASK = (1 << DIGIT) - 1,
    FEW = 64 /* of which an insertion is quicker */
};

static bool sorted(const struct keyed *k, uint32_t n)
{
    uint32_t i = 1;
    while (i < n && k[i - 1].key <= k[i].key)
        i++;
    return i >= n;
}

static void insert(struct keyed *k, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const struct keyed now = k[i];
        uint32_t at = i;
        for (; at && k[at - 1].key > now.key; at--)
            k[at] = k[at - 1];
        k[at] = now;
    }
}

/* One pass over the digit at `shift`, into `other`; false: all have the same. */
static bool pass(const struct keyed *k, struct keyed *other, uint32_t n, uint32_t shift)
{
    uint32_t start[1 << DIGIT] = { 0 }, sum = 0;
    for (uint32_t i = 0; i < n; i++)
        start[k[i].key >> shift & MASK]++;
    if (start[k[0].key >> shift & MASK] == n)
        return false;
    for (uint32_t d = 0; d <= MASK; d++) {
        uint32_t here = start[d];
        start[d] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < n; i++)
        other[start[k[i].key >> shift & MASK]++] = k[i];
    return true;
}

/* Those whose bits from `shift` up are alike, by the lower ones.  They stay in k; other: room. */
static void sort_below(struct keyed *k, struct keyed *other, uint32_t n, uint32_t shift)
{
    for (uint32_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && k[to].key >> shift == k[from].key >> shift; to++)
            ;
        struct keyed *at = keyed_sort(k + from, other + from, to - from, shift);
        if (at != k + from)
            memcpy(k + from, at, (to - from) * sizeof *k);
    }
}

struct keyed *keyed_sort(struct keyed *k, struct keyed *other, uint32_t n, uint32_t bits)
{
    if (n < FEW) {
        insert(k, n);
        return k;
    }
    if (sorted(k, n))
        return k;
    /* the highest digits tell most of n apart */
    uint32_t low = bits > HIGH ? bits - HIGH : 0;
    for (uint32_t shift = low; shift < bits; shift += DIGIT)
        if (pass(k, other, n, shift)) {
            struct keyed *swap = k;
            k = other;
            other = swap;
        }
    if (low)
        sort_below(k, other, n, low);
    return k;
}

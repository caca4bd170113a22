/* Things with keys of 64 bits, sorted digit by digit from the lowest; a few by insertion.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/keyed.h"
#include <stdbool.h>

enum { DIGIT = 11, MASK = (1 << DIGIT) - 1, FEW = 64 };       /* of which an insertion is quicker */

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

struct keyed *keyed_sort(struct keyed *k, struct keyed *other, uint32_t n, uint32_t bits)
{
    if (sorted(k, n))
        return k;
    if (n < FEW) {
        insert(k, n);
        return k;
    }
    for (uint32_t shift = 0; shift < bits; shift += DIGIT) {
        uint32_t start[1 << DIGIT] = { 0 }, sum = 0;
        for (uint32_t i = 0; i < n; i++)
            start[k[i].key >> shift & MASK]++;
        if (start[k[0].key >> shift & MASK] == n)    /* all have the same */
            continue;
        for (uint32_t d = 0; d <= MASK; d++) {
            uint32_t here = start[d];
            start[d] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < n; i++)
            other[start[k[i].key >> shift & MASK]++] = k[i];
        struct keyed *swap = k;
        k = other;
        other = swap;
    }
    return k;
}

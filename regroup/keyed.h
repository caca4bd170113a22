/* Things with keys of 64 bits, sorted digit by digit.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef KEYED_H
#define KEYED_H
#include <stdint.h>

struct keyed { uint64_t key; uint32_t v; };

/* Bits that numbers up to this one need. */
static inline uint32_t keyed_bits(uint32_t most)
{
    return most ? 32 - (uint32_t)__builtin_clz(most) : 0;
}
/* By the lowest so many bits of the key; of equal ones the first stays first.  The result is in k
 * or in other, both with n places, and returned. */
struct keyed *keyed_sort(struct keyed *k, struct keyed *other, uint32_t n, uint32_t bits);
#endif

// What masks.ptx computes, by the words of the PTX ISA.
// SPDX-License-Identifier: Apache-2.0
#include "host.h"

static uint32_t ones_from(uint32_t n) { return n > 31 ? 0 : ~0u << n; }
static uint32_t bmsk(uint32_t a, uint32_t b, bool wrap)
{
    if (wrap) a &= 31, b &= 31;
    uint64_t end = (uint64_t)a + b;
    return ones_from(a) & ~ones_from(end > 31 ? 32 : (uint32_t)end);
}
static uint32_t szext(uint32_t a, uint32_t n, bool wrap, bool sign)
{
    if (wrap) n &= 31;
    if (n > 31) return a;
    uint32_t mask = ~0u << n;
    return (a & ~mask) | (sign && n && a >> (n - 1) & 1 ? mask : 0);
}

int main()
{
    std::vector<unsigned> out(560);
    for (uint32_t block = 0; block < 2; block++)
        for (uint32_t t = 0; t < 40; t++) {
            uint32_t i = 40 * block + t, a = i * 0x9e3779b9, b = 7 * t, n = 0, *o = &out[7 * i];
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t count = 0;
                for (uint32_t j = 0; j < 40; j++) count += (40 * block + j + k) % 3 == 0;
                n = 100 * n + count;
            }
            o[0] = bmsk(t, b, false), o[1] = bmsk(t, b, true);
            o[2] = szext(a, t, false, true) ^ szext(a, b, true, false);
            o[3] = szext(a, b, false, false) - szext(a, t, true, true);
            o[4] = n;
            o[5] = block ? 2 + 4 : 1;           /* the last thread of the last block has number 79 */
            o[6] = t < 32 ? 27 : 0;
        }
    print_hash("out", out);
}

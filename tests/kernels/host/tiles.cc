// What tiles.cu computes: of each lane, by the lanes of its own mask alone.
// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include <functional>

static uint32_t those(uint32_t mask, const std::function<bool(uint32_t)> &holds)
{
    uint32_t found = 0;
    for (uint32_t l = 0; l < 32; l++)
        if (mask >> l & 1 && holds(l)) found |= 1u << l;
    return found;
}

int main()
{
    std::vector<unsigned> out(320);
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t half = l < 16 ? 0xffff : 0xffff0000, kind = l * l % 5;
        uint32_t group = those(~0u, [=](uint32_t k) { return k * k % 5 == kind; });
        auto high = [](uint32_t k) { return k >> 4 ? k : 7; };
        auto wide = [](uint32_t k) { return k * k % 5 != 1 ? 9 : k; };
        bool same = those(half, [=](uint32_t k) { return high(k) == high(l); }) == half;
        bool alike = those(group, [=](uint32_t k) { return wide(k) == wide(l); }) == group;
        uint32_t above = those(group, [](uint32_t k) { return k > 2; });
        out[l] = those(half, [](uint32_t k) { return k == 3; }) != 0;
        out[32 + l] = those(half, [](uint32_t k) { return k < 20; }) == half;
        out[64 + l] = those(half, [](uint32_t k) { return k & 1; });
        out[96 + l] = those(half, [=](uint32_t k) { return (k & 2) == (l & 2); });
        out[128 + l] = those(half, [=](uint32_t k) { return (k & 5) == (l & 5); });
        out[160 + l] = same ? half : 0;
        out[192 + l] = same + 2 * alike;
        out[224 + l] = alike;
        out[256 + l] = those(group, [](uint32_t k) { return k > 9; });
        out[288 + l] = above == 0 || above == group;
    }
    print_hash("out", out);
}

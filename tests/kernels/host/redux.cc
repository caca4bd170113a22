// What redux.ptx computes, by the words of the PTX ISA.
// SPDX-License-Identifier: Apache-2.0
#include "host.h"

int main()
{
    std::vector<unsigned> out(1152);
    for (uint32_t first = 0; first < 128; first += 32) {
        uint32_t a[32], all = 0, least = 0x7fffffff, most = 0, both = ~0u, any = 0, rest = 0, differ = 0;
        int32_t high = INT32_MIN;
        uint32_t low = ~0u;
        for (uint32_t l = 0; l < 32; l++) {
            uint32_t v = a[l] = (first + l) * 0x9e3779b9;
            all += v;
            least = (int32_t)v < (int32_t)least ? v : least;
            most = v > most ? v : most;
            if (l % 3) both &= v | 0x100, rest += v;
            else any |= v & 0xffff, differ ^= v;
            if (l == 5 || l == 17 || l == 31) {
                high = (int32_t)v > high ? (int32_t)v : high;
                low = v < low ? v : low;
            }
        }
        for (uint32_t l = 0; l < 32; l++) {
            uint32_t *o = &out[9 * (first + l)];
            bool q = l == 5 || l == 17 || l == 31;
            o[0] = all, o[1] = least, o[2] = most;
            o[3] = l % 3 ? both : any, o[4] = l % 3 ? rest : differ;
            o[5] = q ? (uint32_t)high : 7, o[6] = q ? low : a[l];
            o[7] = a[l], o[8] = 96;
        }
    }
    print_hash("out", out);
}

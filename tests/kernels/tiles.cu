// The halves of a warp vote and match each by itself, and so do the groups that hold one value: lanes that execute
// together name different masks.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 out:u32[320]
// LANES: 4
// HASH: out a005582f
extern "C" __global__ void tiles(unsigned *out)
{
    unsigned l = threadIdx.x, half = l < 16 ? 0xffff : 0xffff0000, group = __match_any_sync(0xffffffff, l * l % 5);
    int p, q, u;
    out[l] = __any_sync(half, l == 3);
    out[32 + l] = __all_sync(half, l < 20);
    out[64 + l] = __ballot_sync(half, l & 1);
    out[96 + l] = __match_any_sync(half, l & 2);
    out[128 + l] = __match_any_sync(half, (unsigned long long)(l & 4) << 32 | (l & 1));
    out[160 + l] = __match_all_sync(half, l >> 4 ? l : 7, &p);
    unsigned long long wide = (unsigned long long)(l * l % 5 != 1 ? 9 : l) << 32;
    out[192 + l] = p + 2 * !!__match_all_sync(group, wide, &q);
    out[224 + l] = q;
    out[256 + l] = __ballot_sync(group, l > 9);
    asm("{ .reg .pred p, q; setp.gt.u32 p, %1, 2; vote.sync.uni.pred q, p, %2; selp.s32 %0, 1, 0, q; }"
        : "=r"(u) : "r"(l), "r"(group));
    out[288 + l] = u;
}

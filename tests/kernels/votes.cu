// Votes and matches among the lanes that are there.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 out:u32[96]
// EXPECT: out[0:4] = 1431655765 1431655765 1431655765 1431655765
// EXPECT: out[32:40] = 16 1 16 3 16 5 16 7
// EXPECT: out[64:68] = 32 31 30 30
extern "C" __global__ void votes(unsigned *out)
{
    unsigned l = threadIdx.x, mask = __activemask();
    out[l] = __ballot_sync(mask, (l & 1) == 0);
    unsigned r = l;
    if ((l & 1) == 0)
        r = __popc(__activemask());
    __syncwarp();
    out[32 + l] = r;
    out[64 + l] = __clz(l) + (__all_sync(mask, 1) ? 0 : 1);
}

// Parameters of 32,762 bytes: read from the first to the last, at constant places and at those that a lane computes.  The
// constant that follows them keeps its place.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 64 out:u32[64] big:bytes[32700]=iota in:u32[64]=fill:1000 near:i32=5 n:u16=7
// EXPECT: out[0:4] = 1200 1402 1348 1294
// EXPECT: out[60:64] = 1228 1430 1376 1322
// LANES: 4 32
struct Big { unsigned char b[32700]; };
__constant__ unsigned char table[4] = { 1, 2, 3, 4 };
extern "C" __global__ void params_large(unsigned *out, const Big big, const unsigned *in, int near, unsigned short n)
{
    unsigned i = threadIdx.x;
    out[i] = in[i] + near + n + big.b[32699] + table[i & 3] + big.b[i * 457];
}

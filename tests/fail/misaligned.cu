// A 32-bit load from an odd address.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 in:u8[256]=iota out:u32[32]
// EXIT: 1
// MESSAGE: misaligned access
// MESSAGE: misaligned.cu:11
// MESSAGE: lane 5
extern "C" __global__ void misaligned(const unsigned char *in, unsigned *out)
{
    unsigned i = threadIdx.x;
    out[i] = *(const volatile unsigned *)(in + 4 * i + (i == 5));
}

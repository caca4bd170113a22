// A buffer that is too small: the report names kernel, line, lane and address.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 64 in:u32[40]=iota out:u32[64]
// EXIT: 1
// MESSAGE: out-of-range access at address 0x
// MESSAGE: kernel too_small, range.cu:14
// MESSAGE: lane 8
// RUN: --grid 1 --block 64 in:u32[64]=iota out:u32[40]
// EXIT: 1
// MESSAGE: out-of-range access
extern "C" __global__ void too_small(const unsigned *in, unsigned *out)
{
    unsigned i = threadIdx.x;
    unsigned v = in[i];
    out[i] = v + 1;
}

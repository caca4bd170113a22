// What a function that is not here does with its thread is not known.
// SPDX-License-Identifier: Apache-2.0
// LANES: none
// RUN: --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect_calls.cu:10: not regrouped: elsewhere is a function that is not known here
extern "C" __device__ void elsewhere(unsigned *out);
extern "C" __global__ void calls(unsigned *out)
{
    elsewhere(out);
}

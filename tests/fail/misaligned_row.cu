// A row of ldmatrix that is aligned to 8 bytes, not to 16.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 out:u32[32]
// EXIT: 1
// MESSAGE: misaligned access
// MESSAGE: misaligned_row.cu:13
extern "C" __global__ void misaligned_row(unsigned *out)
{
    __shared__ __attribute__((aligned(16))) unsigned s[64];
    unsigned i = threadIdx.x, r, at = (unsigned)(unsigned long long)(__attribute__((address_space(3))) void *)(void *)s;
    s[i] = i, s[i + 32] = i;
    __syncthreads();
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at + 16 * (i & 7) + 8 * (i == 3)) : "memory");
    out[i] = r;
}

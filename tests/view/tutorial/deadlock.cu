// Each half of a block swaps with the other half: each takes its own lock first, then the other's.
// SPDX-License-Identifier: Apache-2.0
__global__ void swap(unsigned *lock, unsigned *value)
{
    unsigned mine = threadIdx.x >> 5, other = mine ^ 1u;
    if (threadIdx.x & 31u)
        return;
    while (atomicCAS(&lock[mine], 0u, 1u)) {
    }
    while (atomicCAS(&lock[other], 0u, 1u)) {
    }
    unsigned kept = value[mine];
    value[mine] = value[other];
    value[other] = kept;
    atomicExch(&lock[other], 0u);
    atomicExch(&lock[mine], 0u);
}

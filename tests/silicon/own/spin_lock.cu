// A lock for which the lanes of a warp spin, each until the one before it has left.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void spin_lock(unsigned *lock, volatile unsigned *count, unsigned *out)
{
    unsigned block = blockIdx.x;
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock[block], 0u, 1u) == 0) {
            unsigned v = count[block];
            out[blockIdx.x * blockDim.x + threadIdx.x] = v;
            count[block] = v + 1 + (threadIdx.x & 1);
            __threadfence();
            atomicExch(&lock[block], 0u);
            done = true;
        }
    }
}

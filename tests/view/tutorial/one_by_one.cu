// A histogram under one lock: the lanes run one by one.  With -D ATOMIC they do not.
// SPDX-License-Identifier: Apache-2.0
__global__ void one_by_one(const unsigned *in, unsigned *bins, unsigned *lock)
{
    unsigned bin = in[threadIdx.x] >> 30;
#ifdef ATOMIC
    atomicAdd(&bins[bin], 1u);
#else
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0u, 1u) == 0u) {
            bins[bin] = bins[bin] + 1u;
            atomicExch(lock, 0u);
            done = true;
        }
#endif
}

// Kernels whose threads can't change places: every reason, with the line that gives it.
// SPDX-License-Identifier: Apache-2.0
// LANES: none
// RUN: --kernel exchange --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:72: not regrouped: lanes of a warp exchange values
// MESSAGE: shfl.sync
// RUN: --kernel vote --grid 1 --block 32 out:u32[32] --redirect block
// EXIT: 2
// MESSAGE: redirect.cu:77: not regrouped: lanes of a warp exchange values
// RUN: --kernel match --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:82: not regrouped: lanes of a warp exchange values
// RUN: --kernel active --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:87: not regrouped: lanes of a warp exchange values
// RUN: --kernel lane --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:93: not regrouped: %laneid tells where in its warp a thread is
// RUN: --kernel warp --grid 1 --block 32 out:u32[32] --redirect block
// EXIT: 2
// MESSAGE: redirect.cu:100: not regrouped: %warpid tells in which warp a thread is
// RUN: --kernel warp_barrier --grid 1 --block 32 out:u32[32] --redirect block
// EXIT: 2
// MESSAGE: redirect.cu:107: not regrouped: a warp barrier names lanes of a warp
// RUN: --kernel result --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:113: not regrouped: the result of an atomic tells the order in which threads arrive
// RUN: --kernel sum --grid 1 --block 32 out:f32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:118: not regrouped: the sum of an atomic float depends on the order of the threads
// RUN: --kernel last --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:123: not regrouped: what this atomic leaves depends on the order of the threads
// RUN: --kernel fence --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:129: not regrouped: a fence orders what other threads see
// RUN: --kernel watched --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:134: not regrouped: a volatile access lets threads wait for each other
// RUN: --kernel naps --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:139: not regrouped: a thread that sleeps waits for another
// RUN: --kernel waits --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:146: not regrouped: the loop may wait for another thread
// RUN: --kernel deep --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:152: not regrouped: lanes of a warp exchange values
// RUN: --kernel meets --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:162: not regrouped: the block barrier needs the threads of the block (--redirect block keeps them)
// RUN: --kernel part --grid 1 --block 32 out:u32[32] --redirect block
// EXIT: 2
// MESSAGE: redirect.cu:168: not regrouped: a barrier for a part of the block
// RUN: --kernel hands --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: redirect.cu:175: not regrouped: shared memory needs the threads of the block (--redirect block keeps them)
// RUN: --kernel fine --grid 2,2 --block 32 out:u32[128] --redirect grid
// EXIT: 2
// MESSAGE: the launch has 2 dimensions, the redirected kernel reads %tid and %ctaid in 1
// RUN: --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: name the kernel (--kernel): there are several
// RUN: --kernel other --grid 1 --block 32 out:u32[32] --redirect grid
// EXIT: 2
// MESSAGE: there is no kernel other
#define KERNEL(name) extern "C" __global__ void name(unsigned *out)

KERNEL(exchange)
{
    out[threadIdx.x] = __shfl_sync(0xffffffffu, out[threadIdx.x], 3);
}

KERNEL(vote)
{
    out[threadIdx.x] = __any_sync(0xffffffffu, out[threadIdx.x]);
}

KERNEL(match)
{
    out[threadIdx.x] = __match_any_sync(0xffffffffu, out[threadIdx.x]);
}

KERNEL(active)
{
    out[threadIdx.x] = __activemask();
}

KERNEL(lane)
{
    unsigned id;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
    out[threadIdx.x] = id;
}

KERNEL(warp)
{
    unsigned id;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(id));
    out[threadIdx.x] = id;
}

KERNEL(warp_barrier)
{
    out[threadIdx.x] = 1;
    __syncwarp();
    out[threadIdx.x ^ 1] += 1;
}

KERNEL(result)
{
    out[threadIdx.x] = atomicAdd(out, 1);
}

extern "C" __global__ void sum(float *out)
{
    atomicAdd(out, out[threadIdx.x]);
}

KERNEL(last)
{
    atomicExch(out, threadIdx.x);
}

KERNEL(fence)
{
    out[threadIdx.x] = 1;
    __threadfence();
}

KERNEL(watched)
{
    out[threadIdx.x] = *(volatile unsigned *)out;
}

KERNEL(naps)
{
    __nanosleep(100);
}

KERNEL(waits)
{
    unsigned *flag = out + 7;
    if (threadIdx.x)
        for (; *flag == 0;)
            out[threadIdx.x & 8] = 1;
}

static __device__ __attribute__((noinline)) unsigned inner(unsigned v)
{
    return __ballot_sync(0xffffffffu, v);
}
KERNEL(deep)
{
    out[threadIdx.x] = inner(out[threadIdx.x]);
}

KERNEL(meets)
{
    out[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x ^ 1] += 1;
}

KERNEL(part)
{
    asm volatile("bar.sync 1, 32;");
    out[threadIdx.x] = 1;
}

KERNEL(hands)
{
    extern __shared__ unsigned s[];
    s[threadIdx.x] = out[threadIdx.x];
    out[threadIdx.x] = s[threadIdx.x & 3];
}

KERNEL(fine)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

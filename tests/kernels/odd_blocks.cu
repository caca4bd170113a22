// Blocks of more than 512 threads that are no multiple of a warp, and of any length in y and in z.
// SPDX-License-Identifier: Apache-2.0
// Each thread puts its indices, x in bits 9:0, y above, z above that, where they belong, and is counted.
// LANES: 32 4
// RUN: --grid 2 --block 1000 place:u32[1000] n:u32[1]
// EXPECT: place[997:1000] = 997 998 999
// EXPECT: n[0:1] = 2000
// RUN: --grid 2 --block 1,1,1000 place:u32[1000] n:u32[1]
// EXPECT: place[63:66] = 66060288 67108864 68157440
// EXPECT: place[997:1000] = 1045430272 1046478848 1047527424
// EXPECT: n[0:1] = 2000
// RUN: --grid 1 --block 3,299,1 place:u32[897] n:u32[1]
// EXPECT: place[894:897] = 305152 305153 305154
// EXPECT: n[0:1] = 897
extern "C" __global__ void odd(unsigned *place, unsigned *n)
{
    unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    place[x + blockDim.x * (y + blockDim.y * z)] = x | y << 10 | z << 20;
    atomicAdd(n, 1);
}

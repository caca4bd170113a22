// What needs independent thread scheduling: barrier mode gets through, stack mode tells the deadlock, in
// whatever order the sides of a branch run.
// SPDX-License-Identifier: Apache-2.0
// LANES: none
// RUN: --mode barrier --kernel chain --grid 1 --block 32 flag:u32[33]=zero
// EXPECT: flag[28:33] = 28 29 30 31 32
// RUN: --mode stack --kernel chain --grid 1 --block 32 flag:u32[33]=zero
// EXIT: 3
// MESSAGE: every warp that runs loops forever
// MESSAGE: are in a SYNC token
// MESSAGE: spin forever, from PC
// RUN: --mode barrier --kernel ball --grid 1 --block 32 ball:u32[1]=zero
// EXPECT: ball[0:1] = 10
// RUN: --mode stack --kernel ball --grid 1 --block 32 ball:u32[1]=zero
// EXIT: 3
// MESSAGE: every warp that runs loops forever
// MESSAGE: spin forever, from PC
// RUN: --mode barrier --kernel two_sites --grid 1 --block 32 out:u32[32]
// EXPECT: out[0:4] = 1 0 3 2
// RUN: --mode stack --kernel two_sites --grid 1 --block 32 out:u32[32]
// EXIT: 3
// MESSAGE: no warp can ever run again
// MESSAGE: lanes aaaaaaaa
// MESSAGE: wait at WARPSYNC for lanes
// MESSAGE: the mask of a collective or __syncwarp names lanes on another side of a branch
// RUN: --mode barrier --kernel votes --grid 1 --block 32 out:u32[32]
// EXPECT: out[0:4] = 1431655769 1431655768 1431655769 1431655768
// RUN: --mode stack --kernel votes --grid 1 --block 32 out:u32[32]
// EXIT: 3
// MESSAGE: no warp can ever run again
// MESSAGE: the mask of a collective or __syncwarp names lanes on another side of a branch

// Each lane waits for the one before it; who has seen its flag waits for the others after the loop.
extern "C" __global__ void chain(volatile unsigned *flag)
{
    unsigned lane = threadIdx.x;
    while (lane && !flag[lane])
        ;
    flag[lane + 1] = lane + 1;
}

// Two lanes hand a ball to and fro.
extern "C" __global__ void ball(volatile unsigned *ball)
{
    unsigned lane = threadIdx.x;
    if (lane < 2)
        for (unsigned round = 0; round < 5; round++) {
            while (*ball % 2 != lane)
                ;
            *ball = *ball + 1;
        }
}

// Halves of the warp meet at __syncwarp from two places.
extern "C" __global__ void two_sites(volatile unsigned *out)
{
    unsigned lane = threadIdx.x;
    if (lane & 1) {
        out[lane - 1] = lane;
        __syncwarp();
    } else {
        out[lane + 1] = lane;
        __syncwarp();
    }
}

// Halves of the warp vote in one ballot, from two places.
extern "C" __global__ void votes(unsigned *out)
{
    unsigned lane = threadIdx.x;
    if (lane & 1) out[lane] = __ballot_sync(0xffffffff, lane < 3) + 1;
    else out[lane] = __ballot_sync(0xffffffff, lane < 40) + 2;
}

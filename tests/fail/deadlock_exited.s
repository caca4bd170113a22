// A block barrier asks for the 64 lanes that the block began with; the producer's warp has exited.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 64 out:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: no warp can ever run again
// MESSAGE: block 0 warp 0 (slot 0): waits
// MESSAGE: wait at block barrier 0: 32 lanes are there, 64 are needed; 32 of the block's lanes live
.text
.kernel deadlock
.regs 8
.param out u64 8
    S2R R0, SR_WARPID
    ISETP.EQ.U32.AND P0, R0, 1, PT
    @P0 EXIT
    BAR.SYNC B0, 64
    EXIT

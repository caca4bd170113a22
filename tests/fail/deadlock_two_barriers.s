// Warp 0 waits at one block barrier, warp 1 at another, each for all lanes of the block.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 64 out:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: no warp can ever run again
// MESSAGE: wait at block barrier 0: 32 lanes are there, 64 are needed
// MESSAGE: wait at block barrier 1: 32 lanes are there, 64 are needed
.text
.kernel deadlock
.regs 8
.param out u64 8
    S2R R0, SR_WARPID
    ISETP.EQ.U32.AND P0, R0, 0, PT
    @P0 BRA first
    BAR.SYNC B1, 0
    EXIT
first:
    BAR.SYNC B0, 0
    EXIT

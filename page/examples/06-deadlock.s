// Deadlock: two lanes wait for each other, and nothing can release them.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 2 out:u32[2]
// EXIT: 3
// MESSAGE: deadlock of the program
// Lane 0 waits at WARPSYNC for both; lane 1 waits at a block
// barrier for 64 threads.
.text
.kernel deadlock
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    ISETP.EQ.U32.AND P0, R0, 0, PT
    @P0 BRA first
    BAR.SYNC B1, 64
    EXIT
first:
    WARPSYNC 3
    EXIT

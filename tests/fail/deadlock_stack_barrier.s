// Stack mode: half of a warp waits at a block barrier; the other half is in a token and cannot come.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 64 out:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: no warp can ever run again
// MESSAGE: lanes 0000ffff at PC 0x60 wait at block barrier 0: 32 lanes are there, 64 are needed
// MESSAGE: lanes ffff0000
// MESSAGE: are in a DIV token
.mode stack
.text
.kernel deadlock
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    SSY join
    ISETP.LT.U32.AND P0, R0, 16, PT
    @P0 BRA side
    NOP.S
side:
    BAR.SYNC B0, 0
    NOP.S
join:
    EXIT

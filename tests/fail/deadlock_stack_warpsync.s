// Stack mode: lanes wait at WARPSYNC for lanes of their warp that are in a token below them.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 out:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: no warp can ever run again
// MESSAGE: lanes 000000ff at PC 0x60 wait at WARPSYNC for lanes ffffff00
// MESSAGE: are in a DIV token
.mode stack
.text
.kernel deadlock
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    SSY join
    ISETP.LT.U32.AND P0, R0, 8, PT
    @P0 BRA side
    NOP.S
side:
    WARPSYNC 0xffffffff
    NOP.S
join:
    EXIT

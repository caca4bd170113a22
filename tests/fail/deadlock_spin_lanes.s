// Lanes spin, without a YIELD, until another lane of their warp has stored; it is ready and never gets its turn.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 flag:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: every warp that runs loops forever
// MESSAGE: lanes 0000ffff at PC 0x80 are ready
// MESSAGE: spin forever, from PC 0x40 to PC 0x60
// MESSAGE: reading 0x10000000
.text
.kernel deadlock
.regs 8
.param flag u64 8
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    ISETP.LT.U32.AND P0, R0, 16, PT
    @P0 BRA store
spin:
    LDG R4, [R2]
    ISETP.EQ.U32.AND P1, R4, 0, PT
    @P1 BRA spin
    EXIT
store:
    STG [R2], R0
    EXIT

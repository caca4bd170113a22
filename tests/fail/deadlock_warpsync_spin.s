// Lanes wait at WARPSYNC for lanes that spin, yielding, on what would be stored after it.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 flag:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: every warp that runs loops forever
// MESSAGE: lanes 000000ff at PC 0x90 wait at WARPSYNC for lanes ffffff00
// MESSAGE: spin forever
.text
.kernel deadlock
.regs 8
.param flag u64 8
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    ISETP.LT.U32.AND P0, R0, 8, PT
    @P0 BRA wait
spin:
    YIELD
    LDG R4, [R2]
    ISETP.EQ.U32.AND P1, R4, 0, PT
    @P1 BRA spin
wait:
    WARPSYNC 0xffffffff
    MOV R1, 1
    STG [R2], R1
    EXIT

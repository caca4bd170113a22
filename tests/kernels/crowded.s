// Warps that never stop computing must not keep the loads of another one from finishing: its results need
// free cycles of the register file.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4
// RUN: --grid 8 --block 128 out:u32[1024]
// EXPECT: out[0:2] = 1 2
// EXPECT: out[1022:1024] = 1023 1024
.text
.kernel crowded
.regs 16
.param out u64 8
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    IMAD R0, R1, 128, R0
    ISETP.EQ.U32.AND P0, R1, 3, PT
    MOV R3, 0
    @P0 BRA load
more:
    IADD R2, R2, R3
    IADD R3, R3, 1
    ISETP.LT.U32.AND P1, R3, 300, PT
    @P1 BRA more
load:
    LDC.64 R4, [RZ]
    IMAD.W.U32 R6, R0, 4, R4
    LDG R8, [R6]
    IADD R8, R8, R0
    IADD R8, R8, 1
    STG [R6], R8
    EXIT

// A few lanes wait at a block barrier while the others of their warp pass another one, which nobody has waited at: the
// warp is let go from that one, and the few still wait.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// RUN: --grid 1 --block 32 out:u32[32]
// EXPECT: out[0:2] = 7 7
// EXPECT: out[30:32] = 7 7
.text
.kernel k
.regs 20
.barriers 2
.shared 256
.param out u64 8
    S2R R0, SR_TID_X
    LDC.64 R4, [RZ]
    IMAD.W.U32 R4, R0, 4, R4
    SHL R6, R0, 2
    ISETP.LT.U32.AND P1, R0, 8, PT
    @P1 BRA all
    BAR.SYNC B0, 1
    MOV R9, 7
    STS [R6], R9
all:
    BAR.SYNC B1, 0
// what the lane at the other end has written
    MOV R7, 124
    ISUB R7, R7, R6
    LDS R9, [R7]
    @!P1 MOV R9, 7
    STG [R4], R9
    EXIT

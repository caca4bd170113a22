// More blocks than block slots, which end all at different times: one begins while warps of others exit.  A block
// that lost count of its lanes would pass its barrier too early, or never.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// RUN: --grid 400 --block 64 out:u32[400]
// EXPECT: out[0:4] = 1 1 1 1
// EXPECT: out[396:400] = 1 1 1 1
.text
.kernel many_blocks
.regs 16
.shared 16
.param out u64 8
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    ISETP.LT.U32 P0, R0, 32, PT
    @P0 BRA first
    SHL R4, R1, 2                   // warp 1 takes 0 to 15 rounds to write the word
    IADD R4, R4, R1
    LOP.AND R4, R4, 15
wait:
    ISETP.EQ.U32 P1, R4, 0, PT
    @P1 BRA write
    ISUB R4, R4, 1
    BRA wait
write:
    MOV R6, 1
    STS [RZ], R6
    BAR.SYNC B0, 0
    EXIT
first:                              // warp 0 reads it, and ends some rounds later
    MOV R6, 0
    STS [RZ+4], R6
    BAR.SYNC B0, 0
    LDS R8, [RZ]
    STS [RZ], R6
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R1, 4, R2
    STG [R2], R8
    LOP.AND R4, R1, 7
last:
    ISETP.EQ.U32 P1, R4, 0, PT
    @P1 EXIT
    ISUB R4, R4, 1
    BRA last

// Stores in a row by lanes that lie apart: in columns of their own, or over each other's words;
// and one that is misaligned.
// SPDX-License-Identifier: Apache-2.0
.mode barrier
.text
.kernel columns
.regs 20
.param at u64 8 0
.param size u32 4 8
    BAR.SYNC 0, RZ
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    LDC R4, [RZ+8]
    LOP3 R1, R0, 5, RZ, 0x3c        // lane ^ 5: no row
    IMAD.W.U32 R6, R1, R4, R2
    ISETP.NE.U32 P0, R0, 9, PT
    IADD R8, R0, 100
    IADD R9, R0, 200
    IADD R10, R0, 300
    @P0 STG [R6], R8
    @P0 STG [R6+128], R9
    SHL R11, R0, 3
    STG [R6], R9                    // one store before others: these are apart, by the next line
    IADD R12, R11, 7
    STG [R6+128], R11
    STG [R6+256], R12
    STG [R6+384], R10
    SHL R13, R0, 4
    STG [R6+512], R13
    SHL R14, R0, 5
    STG [R6+512], R9                // by as much as a lane of 132 bytes: not in columns
    STG [R6+644], R14
    IADD R15, R14, 3
    STG [R6+640], R8                // more than are done at once
    STG [R6+768], R9
    STG [R6+896], R10
    STG [R6+1024], R11
    SHL R16, R0, 6
    STG [R6+1026], R16              // misaligned
    EXIT

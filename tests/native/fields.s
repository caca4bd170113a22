// Words of structures that lie apart: the sectors that each access needs, and one that is misaligned.
// SPDX-License-Identifier: Apache-2.0
.mode barrier
.text
.kernel fields
.regs 24
.param at u64 8 0
.param size u32 4 8
    BAR.SYNC 0, RZ
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    LDC R4, [RZ+8]
    LOP3 R1, R0, 5, RZ, 0x3c        // lane ^ 5: no row
    IMAD.W.U32 R6, R1, R4, R2
    ISETP.NE.U32 P0, R0, 9, PT
    LDG R8, [R6]
    LDG R9, [R6+4]
    LDG R10, [R6+20]
    LDG R11, [R6+28]
    LDG R12, [R6+64]
    LDG R13, [R6+36]
    @P0 STG [R6], R9
    @P0 STG [R6+12], R10
    @P0 STG [R6+32], R11
    @P0 STG [R6+44], R12
    STG [R6+4], R13
    STG [R6+8], R0
    STG [R6+24], R8
    LDG R6, [R6+8]
    IMAD.W.U32 R14, R6, R4, R2
    LDG R16, [R14+60]
    STG [R14+16], R16
    @!P0 STG [R14+20], R16
    STG [R14+2], R16
    EXIT

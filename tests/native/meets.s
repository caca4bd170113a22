// Lanes that join a barrier while others do not, and that wait at WARPSYNC for others, which store first.
// SPDX-License-Identifier: Apache-2.0
.mode barrier
.text
.kernel meets
.regs 16
.barriers 1
.param out u64 8
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    IMAD.W.U32 R6, R0, 4, R2
    BAR.SYNC 0, RZ                  // ends the sweep that a kernel begins with
    ISETP.LT.U32 P0, R0, 20, PT
    MOV R5, 7
    @P0 BSSY B0, join
    MOV R5, 8
    BMOV.R R4, B0                   // lanes 0 to 19
    @P0 BRA low
    STG [R6], R4                    // lanes 20 to 31
    MOV R8, 1
    WARPSYNC 0xffffffff
    MOV R9, 2
    LDG R9, [R2]                    // what lane 0 has stored
    IADD R9, R9, R4
    STG [R6], R9
    EXIT
low:
    IADD R9, R4, 100
    STG [R6], R9
    MOV R8, 3
    WARPSYNC 0xffffffff
    MOV R9, 4
join:
    BSYNC B0
    STG [R6+0x80], R9
    EXIT

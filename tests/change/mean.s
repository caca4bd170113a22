// A kernel of the trial instruction: IAVG(x, x), but not in lane 1, and IAVG(x, 5) of x = lane - 2.
// SPDX-License-Identifier: Apache-2.0
.text
.kernel mean
.regs 16
.param out u64 8
    S2R R0, SR_LANEID
    LDC.64 R4, [RZ]
    IMAD.W.U32 R4, R0, 8, R4
    IADD R6, R0, -2
    MOV R8, 0
    ISETP.NE.U32 P0, R0, 1, PT
    @P0 IAVG R8, R6, R6
    IAVG R9, R6, 5
    STG.64 [R4], R8
    EXIT

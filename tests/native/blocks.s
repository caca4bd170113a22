// Blocks that begin in the midst of straight code: at another kernel, and after an EXIT of some lanes.
// SPDX-License-Identifier: Apache-2.0
// RUN: --kernel outer --grid 3 --block 70
// RUN: --kernel inner --grid 40 --block 64
.text
.kernel outer
.regs 8
    S2R R1, SR_TID_X
    IADD R2, R1, 1
    IADD R3, R2, R2
.kernel inner
.regs 8
    S2R R1, SR_TID_X
    IMAD R4, R1, 5, R1
    ISETP.GE.S32 P0, R1, 33, PT
    @P0 EXIT
    IADD R5, R4, 1
    ISETP.LT.S32 P1, R5, 0, PT
    @P1 EXIT
    ISETP.LT.S32 P3, R5, -7, PT
    @P3 EXIT
    @P1 EXIT
    IADD R6, R5, R4
    MOV R7, 0
top:
    IADD R7, R7, 1
    ISETP.NE.S32 P0, R7, R1, PT
    ISETP.LT.S32 P2, R7, 64, P0
    @P2 BRA top
    EXIT

// Lanes part at one branch of a loop and exit in a function that the loop calls, where nothing parts:
// of the odd lanes all do after 3 rounds, of the even ones after 50.
// SPDX-License-Identifier: Apache-2.0
.text
.kernel exits_called
.regs 8
    S2R R0, SR_TID_X
    LOP.AND R2, R0, 1
    ISETP.EQ.U32.AND P0, R2, 0, PT
    MOV R1, 0
    MOV R3, 3
    @P0 MOV R3, 50
ROUND:
    @P0 BRA EVEN
    CALL R4, look
    BRA ROUND
EVEN:
    CALL R4, look
    BRA ROUND
look:
    IADD R1, R1, 1
    ISETP.GE.U32.AND P1, R1, R3, PT
    @P1 EXIT
    RET R4

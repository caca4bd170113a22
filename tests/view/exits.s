// Lanes part at one branch of a loop and leave the loop at another, where nothing parts: of the odd
// lanes all do after 3 rounds, of the even ones after 50.  First to a barrier, then to their end.
// SPDX-License-Identifier: Apache-2.0
.kernel exits
    S2R R0, SR_TID_X
    LOP.AND R2, R0, 1
    ISETP.EQ.U32.AND P0, R2, 0, PT
    MOV R1, 0
    BSSY B0, MET
TO_BARRIER:
    @P0 BRA EVEN
    IADD R1, R1, 1
    ISETP.GE.U32.AND P1, R1, 3, PT
    @P1 BRA MEET
    BRA TO_BARRIER
EVEN:
    IADD R1, R1, 1
    ISETP.GE.U32.AND P1, R1, 50, PT
    @P1 BRA MEET
    BRA TO_BARRIER
MEET:
    BSYNC B0
MET:
    MOV R1, 0
TO_END:
    @P0 BRA EVEN_END
    IADD R1, R1, 1
    ISETP.GE.U32.AND P1, R1, 3, PT
    @P1 EXIT
    BRA TO_END
EVEN_END:
    IADD R1, R1, 1
    ISETP.GE.U32.AND P1, R1, 50, PT
    @P1 EXIT
    BRA TO_END

// CALL and RET: a function called from two places, and the return that leads back to both (rule 2).
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 2:13
.text
.kernel k
.regs 8
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    @P0 BRA few
    CALL R4, double
    IADD R1, R1, 1
    EXIT
few:
    CALL R4, double
    IADD R1, R1, 2
    EXIT
double:
    IADD R1, R0, R0
    RET R4

// BREAK: lanes that leave the barrier are not waited for (rule 5).
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 3:15
.text
.kernel k
.regs 4
.barriers 1
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 8, PT
    ISETP.GE.U32 P1, R0, 20, PT
    BSSY B0, join
    @P1 BRA join
    @P0 BRA leave
    IADD R1, R0, 1
    BRA join
leave:
    BREAK B0
    IADD R1, R0, 2
    EXIT
join:
    BSYNC B0
    IADD R1, R1, 3
    EXIT

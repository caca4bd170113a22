// BSSY and BSYNC: who arrives waits until every participant is there (rules 3 and 4).
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 2:12
.text
.kernel k
.regs 4
.barriers 1
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 10, PT
    BSSY B0, join
    @P0 BRA few
    IADD R1, R0, 1
    IADD R1, R1, 1
    BRA join
few:
    IADD R1, R0, 2
join:
    BSYNC B0
    IADD R1, R1, 3
    EXIT

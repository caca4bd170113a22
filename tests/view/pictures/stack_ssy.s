// SSY, a branch and .S: the lanes that branch run first, the others wait in a DIV token; the SYNC token of SSY joins them.
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 2:9
.mode stack
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    SSY join
    @P0 BRA few
    IADD R1, R0, 1
    IADD.S R1, R1, 1
few:
    IADD.S R1, R0, 2
join:
    IADD R1, R1, 3
    EXIT

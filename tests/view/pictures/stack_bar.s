// BAR.SYNC: only active lanes arrive; those in tokens come later, and the barrier here asks for 12.
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 2:8
.mode stack
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    SSY join
    @P0 BRA few
    IADD.S R1, R0, 1
few:
    BAR.SYNC B0, 12
    IADD.S R1, R0, 2
join:
    EXIT

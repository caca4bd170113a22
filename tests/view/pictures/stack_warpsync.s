// WARPSYNC: it passes where every live lane of the mask is active, and nothing waits.
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
    IADD.S R1, R0, 1
few:
    WARPSYNC 0x00000fff
    IADD.S R1, R0, 2
join:
    WARPSYNC 0xffffffff
    EXIT

// WARPSYNC: the lanes of the mask meet, wherever in the code they wait (rule 7).
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 2:10
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    @P0 BRA one
    IADD R1, R0, 1
    WARPSYNC 0xffffffff
    IADD R1, R1, 2
    EXIT
one:
    WARPSYNC 0xffffffff
    IADD R1, R0, 3
    EXIT

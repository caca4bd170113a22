// BAR.SYNC: lanes wait for those of the whole block; here half of the warp comes first (rule 7).
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 2:10
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    @P0 BRA few
    IADD R1, R0, 1
    IADD R1, R1, 1
    BAR.SYNC B0, 0
    EXIT
few:
    BAR.SYNC B0, 0
    IADD R1, R0, 2
    EXIT

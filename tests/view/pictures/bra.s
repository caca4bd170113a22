// A branch: the side with fewer lanes runs first (rule 1).
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 2:7
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 10, PT
    @P0 BRA few
    IADD R1, R0, 1
    EXIT
few:
    IADD R1, R0, 2
    EXIT

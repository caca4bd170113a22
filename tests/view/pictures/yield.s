// YIELD: the lanes step back; the others run, then they go on (rule 9).
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 2:9
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    @P0 BRA few
    IADD R1, R0, 1
    IADD R1, R1, 1
    EXIT
few:
    YIELD
    IADD R1, R0, 2
    EXIT

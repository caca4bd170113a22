// BRX: lanes with the lowest lane's target against the rest; the smaller part first (rule 2).
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 3:16
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    SHR.U32 R1, R0, 3
    SHL R1, R1, 5
    IADD R1, R1, 0x50
    BRX R1
    IADD R2, R0, 1
    EXIT
    IADD R2, R0, 2
    EXIT
    IADD R2, R0, 3
    EXIT
    IADD R2, R0, 4
    EXIT

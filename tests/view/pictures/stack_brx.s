// BRX: lanes with the lowest lane's target run; the others wait at this same instruction.
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 4:18
.mode stack
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    SHR.U32 R1, R0, 3
    SHL R1, R1, 5
    IADD R1, R1, 0x60
    SSY join
    BRX R1
    IADD R2, R0, 1
    NOP.S
    IADD R2, R0, 2
    NOP.S
    IADD R2, R0, 3
    NOP.S
    IADD R2, R0, 4
    NOP.S
join:
    EXIT

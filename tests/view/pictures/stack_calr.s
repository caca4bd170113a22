// CAL.R: lanes that call another function wait in a DIV token at this same instruction.
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 4:15
.mode stack
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    MOV R2, 0x70
    SEL R1, R2, 0x90, P0
    SSY join
    CAL.R R1
    NOP.S
    IADD R2, R0, 1
    RET.T
    IADD R2, R0, 2
    RET.T
join:
    EXIT

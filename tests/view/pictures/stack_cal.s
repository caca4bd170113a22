// CAL and RET.T: the CALL token holds the lanes that come back, and where to.
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 2:10
.mode stack
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    SSY join
    @P0 BRA few
    CAL double
    NOP.S
few:
    NOP.S
join:
    EXIT
double:
    IADD R1, R0, R0
    RET.T

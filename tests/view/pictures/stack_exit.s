// EXIT: when the last active lane ends, the stack unwinds to a token with lanes that live.
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 3:14
.mode stack
.text
.kernel k
.regs 4
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    ISETP.LT.U32 P1, R0, 4, PT
    SSY outer
    @P0 BRA some
    IADD R1, R0, 1
    NOP.S
some:
    SSY inner
    @P1 BRA few
    EXIT
few:
    EXIT
inner:
    NOP.S
outer:
    IADD R1, R1, 3
    EXIT

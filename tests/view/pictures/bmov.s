// BMOV: a barrier register is kept in a general one, and used for something else meanwhile (rule 7).
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 3:14
.text
.kernel k
.regs 8
.barriers 1
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    ISETP.LT.U32 P1, R0, 4, PT
    BSSY B0, outer
    @P0 BRA outer
    BMOV.R R2, B0
    BMOV.B B0, 0
    BSSY B0, inner
    NOP
inner:
    BSYNC B0
    BMOV.B B0, R2
outer:
    BSYNC B0
    EXIT

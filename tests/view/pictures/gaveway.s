// Rule 8: two groups wait for each other; the barrier on which lanes blocked last gives way.
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 2:11
.text
.kernel k
.regs 4
.barriers 2
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    BSSY B0, a
    BSSY B1, b
    @P0 BRA b
a:
    BSYNC B0
    BSYNC B1
    EXIT
b:
    BSYNC B1
    BSYNC B0
    EXIT

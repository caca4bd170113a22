// EXIT: lanes that end leave every barrier, which may complete it (rule 6).
// SPDX-License-Identifier: Apache-2.0
// COMMITS: 2:11
.text
.kernel k
.regs 4
.barriers 1
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 12, PT
    BSSY B0, join
    @P0 BRA join
    IADD R1, R0, 1
    IADD R1, R1, 1
    EXIT
join:
    BSYNC B0
    IADD R1, R0, 3
    EXIT

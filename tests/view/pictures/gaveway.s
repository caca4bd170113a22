// Rule 8: half of a warp waits for lanes that wait for it at a block barrier; its barrier gives way.
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
    BAR.SYNC B0, 32
    BSYNC B0
    EXIT
join:
    BSYNC B0
    BAR.SYNC B0, 32
    EXIT

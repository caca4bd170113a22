// The lanes of a warp wait for each other at two WARPSYNCs: all of them go on, those at the PC of the lowest lane first.
// SPDX-License-Identifier: Apache-2.0
// Each thread stores the ticket that it draws after its WARPSYNC: even lanes come first.
// LANES: 32 4
// RUN: --grid 1 --block 64 out:u32[64]
// EXPECT: out[0:4] = 0 16 1 17
// EXPECT: out[28:32] = 14 30 15 31
// EXPECT: out[32:34] = 0 16
.text
.kernel k
.regs 20
.shared 8
.param out u64 8
    S2R R0, SR_TID_X
    S2R R1, SR_LANEID
    LDC.64 R4, [RZ]
    IMAD.W.U32 R4, R0, 4, R4
    SHR.U32 R2, R0, 5
    SHL R2, R2, 2
    STS [R2], RZ
    LOP.AND R6, R1, 1
    ISETP.NE.U32.AND P1, R6, 0, PT
    MOV R8, 1
    @P1 BRA odd
    WARPSYNC -1
    ATOMS.ADD R7, [R2], R8
    BRA join
odd:
    WARPSYNC -1
    ATOMS.ADD R7, [R2], R8
join:
    STG [R4], R7
    EXIT

// An instruction reads the predicate that it is the first of its block to write. It is 0 there, whatever the block
// before has left in the warp slot, also in lanes that are read when the first ones have been written.
// SPDX-License-Identifier: Apache-2.0
// Blocks with a blockIdx.x of 0 set P4 in all lanes; the others store what !P4 was, which is 1.
// LANES: 32 4 1
// RUN: --grid 2 --block 32 --warps 1 out:u32[32]
// EXPECT: out[0:8] = 1 1 1 1 1 1 1 1
// EXPECT: out[24:32] = 1 1 1 1 1 1 1 1
.text
.kernel k
.regs 12
.param out u64 8 0
.paramsize 8
    S2R R0, SR_CTAID_X
    ISETP.EQ.S32.AND P0, R0, 0x0, PT
    @P0 BRA .L_first
    ISETP.EQ.S32.OR P4, R0, 0x0, !P4
    MOV R1, 0x0
    @P4 MOV R1, 0x1
    S2R R2, SR_TID_X
    LDC.64 R4, [RZ]
    IMAD.W.U32 R4, R2, 0x4, R4
    STG [R4], R1
    EXIT
.L_first:
    ISETP.EQ.S32.AND P4, R0, 0x0, PT
    EXIT

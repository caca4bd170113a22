// The last lanes that a BSYNC waits for leave the barrier by BREAK: the smaller part of both goes on first, and
// where they are as many, those that left (rule 5).  Each lane stores how many have counted before it.
// SPDX-License-Identifier: Apache-2.0
// MODE: barrier
// LANES: 32 4
// RUN: --grid 1 --block 32 count:u32[1] out:u32[32] n:u32=15
// EXPECT: out[0:16] = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// EXPECT: out[30:32] = 30 31
// RUN: --grid 1 --block 32 count:u32[1] out:u32[32] n:u32=16
// EXPECT: out[0:2] = 16 17
// EXPECT: out[15:18] = 31 0 1
.text
.kernel break_sizes
.regs 16
.barriers 1
.param count u64 8
.param out u64 8
.param n u32 4
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    LDC.64 R4, [RZ+8]
    LDC R6, [RZ+16]
    IMAD.W.U32 R4, R0, 4, R4
    MOV R7, 1
    ISETP.LT.U32 P0, R0, R6, PT
    BSSY B0, released
    @!P0 BRA leave                  // the others go on: they are fewer, or as many
    BSYNC B0
released:
    ATOMG.ADD R8, [R2], R7
    STG [R4], R8
    EXIT
leave:
    BREAK B0
    ATOMG.ADD R8, [R2], R7
    STG [R4], R8
    EXIT

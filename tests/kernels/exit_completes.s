// An EXIT that completes barriers: that of the block, for its own warp and another; two of its warp at once.
// SPDX-License-Identifier: Apache-2.0
// One EXIT never completes two block barriers: each would have to hold all lanes that live.
// LANES: 32 4
// RUN: --kernel block --grid 2 --block 64 out:u32[64]
// EXPECT: out[0:2] = 1 1
// EXPECT: out[30:50] = 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0
// EXPECT: out[62:64] = 0 0
// RUN: --kernel two --grid 1 --block 32 out:u32[32]
// EXPECT: out[0:12] = 1 1 1 1 1 1 1 1 1 1 2 2
// EXPECT: out[18:22] = 2 2 0 0
// EXPECT: out[30:32] = 0 0
// RUN: --kernel odd --grid 2 --block 64 out:u32[64]
// EXPECT: out[0:2] = 1 1
// EXPECT: out[62:64] = 1 1
.text
.kernel block                       // lanes 16 to 31 of warp 1 work for a while and end; all others wait
.regs 16
.param out u64 8
    S2R R0, SR_TID_X
    ISETP.GE.U32 P0, R0, 48, PT
    MOV R8, 1
    @P0 BRA leave
    BAR.SYNC B0, 0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R0, 4, R2
    STG [R2], R8
    EXIT
leave:
    IADD R4, R4, 1
    ISETP.LT.U32 P1, R4, 50, PT
    @P1 BRA leave
    EXIT
.kernel two                         // lanes 0 to 9 wait at B0, 10 to 19 at B1, 20 to 31 take part in both
.regs 16
.barriers 2
.param out u64 8
    S2R R0, SR_LANEID
    ISETP.LT.U32 P0, R0, 10, PT
    ISETP.GE.U32 P1, R0, 20, PT
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R0, 4, R2
    BSSY B0, first
    BSSY B1, second
    @P1 BRA last
    @P0 BRA one
    BREAK B0
    MOV R8, 2
    BSYNC B1
second:
    STG [R2], R8
    EXIT
one:
    BREAK B1
    MOV R8, 1
    BSYNC B0
first:
    STG [R2], R8
    EXIT
last:
    IADD R4, R4, 1
    ISETP.LT.U32 P1, R4, 50, PT
    @P1 BRA last
    EXIT
.kernel odd                         // counts that are no multiple of a warp: who comes with the 33rd lane lets all go
.regs 16
.param out u64 8
    S2R R0, SR_TID_X
    MOV R8, 1
    BAR.SYNC B15, 33
    BAR.SYNC B0, 1
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R0, 4, R2
    STG [R2], R8
    EXIT

// Addresses that answer with an error: who faults, where, and what has been written all the same.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4 32
// A load: lanes of one sector; of two areas the lowest lane is named; of local memory each word.
// RUN: --kernel load --grid 1 --block 32 --bus-error data[8:16]=read data:u32[64]=iota
// EXIT: 1
// MESSAGE: fault: bus error at address 0x10000020: kernel load, PC 0x30, lane 8 (block 0, thread 8; lanes 0000ff00)
// EXPECT: data[0:4] = 0 1 2 3
// RUN: --kernel load --grid 1 --block 32 --bus-error data[8:16]=read,decerr --bus-error data[1:2]=read data:u32[64]=iota
// EXIT: 1
// MESSAGE: fault: bus error at address 0x10000000: kernel load, PC 0x30, lane 0 (block 0, thread 0; lanes 0000ffff)
// RUN: --kernel local --grid 1 --block 32 --bus-error .local[160:192]=read data:u32[64]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x40000a0: kernel local, PC 0x80, lane 8 (block 0, thread 8; lanes 0000ff00)
// RUN: --kernel local --grid 1 --block 32 --bus-error .local[128:256]=read --bus-error .local[0:64] data:u32[64]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x4000000: kernel local, PC 0x70, lane 0 (block 0, thread 0; lanes 0000ffff)
// A store: the sector that errs is left alone, and all others are written.
// RUN: --kernel store --grid 1 --block 32 --bus-error data[8:16]=write data:u32[64]=fill:99
// EXIT: 1
// MESSAGE: fault: bus error at address 0x10000020: kernel store, PC 0xd0, lane 8 (block 0, thread 8; lanes 0000ff00)
// EXPECT: data[5:11] = 5 6 7 99 99 99
// EXPECT: data[14:18] = 99 99 16 17
// EXPECT: data[31:33] = 31 99
// RUN: --kernel store --grid 1 --block 32 --bus-error data[8:16]=read data:u32[64]=fill:99
// EXIT: 0
// EXPECT: data[14:18] = 14 15 16 17
// Lanes in global, local and shared memory: all three spaces are served.
// RUN: --kernel spaces --grid 1 --block 32 --bus-error data[0:8] --bus-error .local[64:96]=write data:u32[64]=fill:99
// EXIT: 1
// MESSAGE: fault: bus error at address 0x10000000: kernel spaces
// MESSAGE: lane 0 (block 0, thread 0; lanes 00ff00ff)
// EXPECT: data[7:10] = 99 8 9
// An atomic: the lanes whose sector errs, on the way there or back, do nothing.
// RUN: --kernel atomic --grid 1 --block 32 --bus-error data[0:8]=write --bus-error data[16:24]=read data:u32[64]=fill:99
// EXIT: 1
// MESSAGE: fault: bus error at address 0x10000000: kernel atomic
// MESSAGE: lane 0 (block 0, thread 0; lanes 00ff00ff)
// EXPECT: data[6:10] = 99 99 107 108
// EXPECT: data[15:17] = 114 99
// EXPECT: data[23:25] = 99 123
// A constant.
// RUN: --kernel load --grid 1 --block 32 --bus-error .const[0:1] data:u32[64]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x1000000: kernel load, PC 0x0, lane 0 (block 0, thread 0; lanes ffffffff)
// An instruction: it faults when it is executed, and only then; either half of a cache line.
// RUN: --kernel load --grid 1 --block 32 --bus-error .text[32:33] data:u32[64]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x10020: kernel load, PC 0x20, lane 0 (block 0, thread 0; lanes ffffffff)
// RUN: --kernel load --grid 1 --block 32 --bus-error .text[0:1] data:u32[64]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x10000: kernel load, PC 0x0, lane 0 (block 0, thread 0; lanes ffffffff)
// RUN: --kernel load --grid 1 --block 32 --bus-error .text[64:96]=write,decerr data:u32[64]=iota
// EXIT: 0
// EXPECT: data[0:2] = 0 1
// RUN: --kernel jump --grid 1 --block 32 --bus-error .text[608:672] data:u32[64]
// EXIT: 0
// EXPECT: data[0:2] = 5 5
// RUN: --kernel jump --grid 1 --block 32 --bus-error .text[672:673] data:u32[64]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x102a0: kernel jump, PC 0x2a0, lane 0 (block 0, thread 0; lanes ffffffff)
// EXPECT: data[0:2] = 5 5
.text
.kernel load
.regs 8
.param data u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_TID_X
    IMAD.W.U32 R4, R0, 4, R2
    LDG R6, [R4]
    EXIT
.kernel local
.regs 8
.local 16
.param data u64 8
    MOV R2, 7
    MOV R3, 8
    STL.64 [RZ], R2
    LDL.64 R4, [RZ]
    EXIT
.kernel store
.regs 8
.param data u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_TID_X
    IMAD.W.U32 R4, R0, 4, R2
    STG [R4], R0
    EXIT
.kernel spaces
.regs 8
.local 16
.shared 128
.param data u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_TID_X
    IMAD.W.U32 R4, R0, 4, R2
    SHR.U32 R6, R0, 4
    ISETP.EQ.U32.AND P0, R6, 1, PT           // local: lanes 16 to 31,
    SHR.U32 R6, R0, 3
    ISETP.EQ.U32.AND P1, R6, 3, PT           // but shared: 24 to 31
    @P0 MOV R4, 0
    @P0 MOV R5, 2
    @P1 MOV R5, 1
    ST [R4], R0
    EXIT
.kernel atomic
.regs 8
.param data u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_TID_X
    IMAD.W.U32 R4, R0, 4, R2
    ATOMG.ADD R6, [R4], R0
    EXIT
.kernel jump
.regs 8
.param data u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_TID_X
    IMAD.W.U32 R4, R0, 4, R2
    MOV R6, 5
    STG [R4], R6
    BRA over
    NOP
    NOP
    NOP
    NOP
over:
    EXIT

// Constants whose address is in the instruction, of which only the LSU can say why they fault: after the bank,
// before it, misaligned, and where the bus errs in one half of a line of the constant cache.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4 32
// RUN: --kernel behind --grid 1 --block 32 data:u32[32]
// EXIT: 1
// MESSAGE: fault: out-of-range access at address 0x8030: kernel behind, PC 0x10, lane 0 (block 0, thread 0; lanes ffffffff)
// RUN: --kernel before --grid 1 --block 32 data:u32[32]
// EXIT: 1
// MESSAGE: fault: out-of-range access at address 0xfffffff8: kernel before, PC 0x30, lane 0 (block 0, thread 0; lanes ffffffff)
// RUN: --kernel misaligned --grid 1 --block 32 data:u32[32]
// EXIT: 1
// MESSAGE: fault: misaligned access at address 0x8004: kernel misaligned, PC 0x50, lane 0 (block 0, thread 0; lanes ffffffff)
// RUN: --kernel halves --grid 1 --block 32 --bus-error .const[32800:32801]=read data:u32[32]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x1008022: kernel halves, PC 0x80, lane 0 (block 0, thread 0; lanes ffffffff)
// RUN: --kernel halves --grid 1 --block 32 --bus-error .const[32768:32769]=read data:u32[32]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x1008008: kernel halves, PC 0x70, lane 0 (block 0, thread 0; lanes ffffffff)
// An error that no lane meets, since none reads there.
// RUN: --kernel other --grid 1 --block 32 --bus-error .const[32800:32801]=read data:u32[32]
// EXIT: 0
// EXPECT: data[30:32] = 5 5
.const
.word 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
.text
.kernel behind
.regs 8
.param data u64 8
    LDC R4, [RZ+32812]
    LDC.64 R2, [RZ+32816]
    EXIT
.kernel before
.regs 8
.param data u64 8
    LDC.64 R4, [RZ-8]
    EXIT
.kernel misaligned
.regs 8
.param data u64 8
    LDC.64 R2, [RZ+32772]
    EXIT
.kernel halves
.regs 8
.param data u64 8
    LDC.64 R2, [RZ+32776]
    LDC.U16 R4, [RZ+32802]
    EXIT
.kernel other
.regs 8
.param data u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_TID_X
    IMAD.W.U32 R2, R0, 4, R2
    LDC R6, [RZ+32784]
    ISETP.NE.U32.AND P0, R0, R0, PT
    @P0 LDC R6, [RZ+32804]
    STG [R2], R6
    EXIT

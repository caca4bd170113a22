// Constants as second sources where there are none: after the bank, and where the bus errs.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4 32
// RUN: --kernel after --grid 1 --block 32 data:u32[32] n:u32=3
// EXIT: 1
// MESSAGE: c[0x10] lies after the constant bank, which has 16 bytes
// RUN: --kernel after --grid 1 --block 32 --bus-error .const[0:1]=read data:u32[32] n:u32=3
// EXIT: 1
// MESSAGE: the bus answered c[0x8] with an error
// RUN: --kernel before --grid 1 --block 32 --bus-error .const[32:33]=read data:u32[32] n:bytes[40]=iota
// EXIT: 1
// MESSAGE: the bus answered c[0x20] with an error
// RUN: --kernel wide --grid 1 --block 32 data:u32[32] n:u32=3
// EXIT: 1
// MESSAGE: c[0x10] lies after the constant bank, which has 16 bytes
.kernel after
.regs 8
.param data u64 8
.param n u32 4
    MOV R0, c[0x8]
    @!PT MOV R1, c[0x10]
    EXIT
.kernel before
.regs 8
.param data u64 8
.param n b8 40
    MOV R0, c[0x18]
    IADD R1, R0, c[0x20]
    EXIT
.kernel wide
.regs 8
.param data u64 8
.param n u32 4
    MOV R4, 1
    MOV R5, 1.0
    IADD R6, R4, R5
    DADD R4, R4, c[0x10]
    IADD R6, R6, R4
    EXIT

// Generic addresses beyond the windows, whose low 34 or 40 bits would lie within one.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// RUN: --kernel bit34 --grid 1 --block 32 buf:u32[1]
// EXIT: 1
// MESSAGE: at address 0x410000000: kernel bit34
// RUN: --kernel bit35 --grid 1 --block 32 buf:u32[1]
// EXIT: 1
// MESSAGE: at address 0x810000000: kernel bit35
// RUN: --kernel bit40 --grid 1 --block 32 buf:u32[1]
// EXIT: 1
// MESSAGE: at address 0x10010000000: kernel bit40
// RUN: --kernel bit47 --grid 1 --block 32 buf:u32[1]
// EXIT: 1
// MESSAGE: at address 0x800010000000: kernel bit47
// RUN: --kernel bit63 --grid 1 --block 32 buf:u32[1]
// EXIT: 1
// MESSAGE: at address 0x8000000010000000: kernel bit63
.text
.kernel bit34
.regs 16
.param buf u64 8
    LDC.64 R4, [RZ]
    MOV R5, 0x4
    LD R6, [R4]
    EXIT
.kernel bit35
.regs 16
.param buf u64 8
    LDC.64 R4, [RZ]
    MOV R5, 0x8
    LD R6, [R4]
    EXIT
.kernel bit40
.regs 16
.param buf u64 8
    LDC.64 R4, [RZ]
    MOV R5, 0x100
    LD R6, [R4]
    EXIT
.kernel bit47
.regs 16
.param buf u64 8
    LDC.64 R4, [RZ]
    MOV R5, 0x8000
    LD R6, [R4]
    EXIT
.kernel bit63
.regs 16
.param buf u64 8
    LDC.64 R4, [RZ]
    MOV R5, 0x80000000
    LD R6, [R4]
    EXIT

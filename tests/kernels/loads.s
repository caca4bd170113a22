// Loads that follow loads without a use between them: those of a word, a pair and four words, one whose address
// another one brings, one into a register that another one brings, too, and a store after them.
// SPDX-License-Identifier: Apache-2.0
// Each lane reads x[lane .. lane + 7], which are lane .. lane + 7; y[lane] = their sum and x[1], whose address a
// load brings, and x[x[lane] + 8].
// LANES: 32 4 1
// RUN: --grid 1 --block 32 x:u32[64]=iota y:u32[64]
// EXPECT: y[0:8] = 29 37 45 53 61 69 77 85
// EXPECT: y[24:32] = 221 229 237 245 253 261 269 277
// EXPECT: y[32:40] = 8 9 10 11 12 13 14 15
.text
.kernel k
.regs 32
.param x u64 8 0
.param y u64 8 8
.paramsize 16
    LDC.64 R2, [RZ]
    LDC.64 R4, [RZ+0x8]
    S2R R0, SR_TID_X
    IMAD.W.U32 R6, R0, 0x4, R2
    IMAD.W.U32 R8, R0, 0x4, R4
    LDG R10, [R6]
    LDG R11, [R6+0x4]
    LDG R12, [R6+0x8]
    LDG R13, [R6+0xc]
    LDG.128 R20, [R2]
    LDG.64 R14, [R2+0x8]
    LDG R14, [R6+0x10]
    LDG R15, [R6+0x14]
    LDG R16, [R6+0x18]
    LDG R17, [R6+0x1c]
    MOV R28, 0x0
    LDG R29, [R6]
    LDC.64 R26, [R28]
    LDG R30, [R26+0x4]
    IADD R10, R10, R11
    IADD R12, R12, R13
    IADD R14, R14, R15
    IADD R16, R16, R17
    IADD R10, R10, R12
    IADD R14, R14, R16
    IADD R10, R10, R14
    IADD R10, R10, R20
    IADD R10, R10, R30
    STG [R8], R10
    LDG R18, [R6]
    SHL R18, R18, 0x2
    IADD R18, R18, 0x20
    LDC.64 R24, [RZ]
    IMAD.W.U32 R24, R18, 0x1, R24
    LDG R24, [R24]
    STG [R8+0x80], R24
    EXIT

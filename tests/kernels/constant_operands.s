// Constants as second sources: words and pairs, with signs, in every unit that takes them, under guards, in the first
// instruction of a group that parts or meets, and the last word that an instruction reaches.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4 1
// RUN: --kernel constant_operands --grid 2 --block 64 out:u32[2048] word:u32=7 real:f32=1.5 wide:u64=4294967299 double:f64=-2.5 last:bytes[224]=iota
// EXPECT: out[0:8] = 7 4294967289 5 24 1069547520 1065353216 3 1
// EXPECT: out[8:16] = 0 3222536192 0 8 0 7 3755924956 0
// EXPECT: out[496:504] = 38 24 222 24 1107427328 3258318848 34 1
// EXPECT: out[504:512] = 0 3222536192 3 35 30 5 3755924956 1
.kernel constant_operands
.regs 40
.param out u64 8
.param word u32 4
.param real f32 4
.param wide u64 8
.param double f64 8
.param last b8 224
    S2R R0, SR_LANEID
    MOV R1, 5
    S2R R4, SR_TID_X
    S2R R5, SR_CTAID_X
    IMAD R6, R5, 64, R4
    IMAD.W.U32 R6, R6, 64, RZ
    IADD.64 R2, R6, c[0x0]
    I2F.U32 R30, R0
    MOV R31, 1.0
    IADD R8, R0, c[0x8]
    ISUB R9, R0, c[0x8]
    IMAD R10, R0, c[0x8], R1
    MOV R11, 3
    SHL R11, R11, c[0x10]
    FADD R12, R30, |c[0xc]|
    FFMA R13, R30, -c[0xc], R31
    MOV R14, R0
    MOV R15, RZ
    IADD.64 R14, R14, c[0x10]
    MOV R16, RZ
    MOV R17, 2.0
    DMUL R16, R16, c[0x18]
    ISETP.LT.U32.AND P0, R0, c[0x8], PT
    SEL R18, R0, c[0x10], P0
    BSSY B0, joined
    @P0 BRA few
    IADD R19, R0, c[0x10]
    BRA joined
few:
    MOV R19, c[0x8]
joined:
    BSYNC B0
    IADD R19, R19, c[0x14]
    SHFL.UP R20, PT, R0, c[0x14], RZ
    @P0 MOV R21, c[0x8]
    @!P0 MOV R21, 5
    MOV R22, c[0xfc]
    ISETP.GT.S32.AND P1, R0, c[0x8], PT
    SEL R23, R31, RZ, P1
    @P1 MOV R23, 1
    STG.128 [R2], R8
    STG.128 [R2+16], R12
    STG.128 [R2+32], R16
    STG.128 [R2+48], R20
    EXIT
// A line that has the place of the first one in the cache of 2048 bytes is not kept.
// RUN: --kernel large --grid 1 --block 64 out:u32[64] word:u32=7 last:bytes[4000]=iota
// EXPECT: out[0:2] = 4092785143 4092785144
.kernel large
.regs 12
.param out u64 8
.param word u32 4
.param last b8 4000
    LDC R4, [RZ+2048]
    LDC R5, [RZ+4]
    S2R R0, SR_TID_X
    IMAD.W.U32 R2, R0, 4, RZ
    IADD.64 R2, R2, c[0x0]
    IADD R4, R4, c[0x8]
    IADD R4, R4, R0
    STG [R2], R4
    EXIT

// Loads and stores of every size at the last byte of each space: global, shared, local, constant.
// SPDX-License-Identifier: Apache-2.0
// What a store leaves there a load of the same size brings back; of the constant bank the last parameters.
// LANES: 32 4
// The load of 16 bytes brings back four words, the load of n bytes the first n of them, little endian; the
// first word grows by one from each store to the next.
// RUN: --grid 1 --block 32 buf:u8[48] out:u32[80] tail:u64=578437695752307201 tail2:u64=1735880461161533969
// EXPECT: out[0:20] = 1145258561 1212630597 1280002633 1347374669 1145258562 1212630597 0 0 1145258563 0 0 0 16964 0 0 0 69 0 0 0
// EXPECT: out[20:40] = 1145258566 1212630597 1280002633 1347374669 1145258567 1212630597 0 0 1145258568 0 0 0 16969 0 0 0 74 0 0 0
// EXPECT: out[40:60] = 1145258571 1212630597 1280002633 1347374669 1145258572 1212630597 0 0 1145258573 0 0 0 16974 0 0 0 79 0 0 0
// EXPECT: out[60:80] = 67305985 134678021 336794129 404166165 336794129 404166165 0 0 404166165 0 0 0 6167 0 0 0 24 0 0 0
// EXPECT: buf[31:48] = 0 65 66 67 68 69 70 71 72 66 66 67 68 67 66 68 69
.text
.kernel edges
.regs 24
.shared 128
.local 16
.param buf u64 8
.param out u64 8
.param tail u64 8
.param tail2 u64 8
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC.64 R2, [RZ]
    LDC.64 R4, [RZ+8]
    MOV R8, 0x44434241
    MOV R9, 0x48474645
    MOV R10, 0x4c4b4a49
    MOV R11, 0x504f4e4d
    MOV R6, 32
    SEL R7, R6, RZ, P0
    IMAD.W.U32 R12, R7, 1, R2
    @P0 STG.128 [R12], R8
    @P0 LDG.128 R16, [R12]
    @P0 STG.128 [R4+0], R16
    @P0 IADD R8, R8, 1
    MOV R6, 40
    SEL R7, R6, RZ, P0
    IMAD.W.U32 R12, R7, 1, R2
    @P0 STG.64 [R12], R8
    @P0 LDG.64 R16, [R12]
    @P0 STG.64 [R4+16], R16
    @P0 IADD R8, R8, 1
    MOV R6, 44
    SEL R7, R6, RZ, P0
    IMAD.W.U32 R12, R7, 1, R2
    @P0 STG [R12], R8
    @P0 LDG R16, [R12]
    @P0 STG [R4+32], R16
    @P0 IADD R8, R8, 1
    MOV R6, 46
    SEL R7, R6, RZ, P0
    IMAD.W.U32 R12, R7, 1, R2
    @P0 STG.U16 [R12], R8
    @P0 LDG.U16 R16, [R12]
    @P0 STG [R4+48], R16
    @P0 IADD R8, R8, 1
    MOV R6, 47
    SEL R7, R6, RZ, P0
    IMAD.W.U32 R12, R7, 1, R2
    @P0 STG.U8 [R12], R8
    @P0 LDG.U8 R16, [R12]
    @P0 STG [R4+64], R16
    @P0 IADD R8, R8, 1
    MOV R6, 112
    SEL R7, R6, RZ, P0
    @P0 STS.128 [R7], R8
    @P0 LDS.128 R16, [R7]
    @P0 STG.128 [R4+80], R16
    @P0 IADD R8, R8, 1
    MOV R6, 120
    SEL R7, R6, RZ, P0
    @P0 STS.64 [R7], R8
    @P0 LDS.64 R16, [R7]
    @P0 STG.64 [R4+96], R16
    @P0 IADD R8, R8, 1
    MOV R6, 124
    SEL R7, R6, RZ, P0
    @P0 STS [R7], R8
    @P0 LDS R16, [R7]
    @P0 STG [R4+112], R16
    @P0 IADD R8, R8, 1
    MOV R6, 126
    SEL R7, R6, RZ, P0
    @P0 STS.U16 [R7], R8
    @P0 LDS.U16 R16, [R7]
    @P0 STG [R4+128], R16
    @P0 IADD R8, R8, 1
    MOV R6, 127
    SEL R7, R6, RZ, P0
    @P0 STS.U8 [R7], R8
    @P0 LDS.U8 R16, [R7]
    @P0 STG [R4+144], R16
    @P0 IADD R8, R8, 1
    MOV R6, 0
    SEL R7, R6, RZ, P0
    @P0 STL.128 [R7], R8
    @P0 LDL.128 R16, [R7]
    @P0 STG.128 [R4+160], R16
    @P0 IADD R8, R8, 1
    MOV R6, 8
    SEL R7, R6, RZ, P0
    @P0 STL.64 [R7], R8
    @P0 LDL.64 R16, [R7]
    @P0 STG.64 [R4+176], R16
    @P0 IADD R8, R8, 1
    MOV R6, 12
    SEL R7, R6, RZ, P0
    @P0 STL [R7], R8
    @P0 LDL R16, [R7]
    @P0 STG [R4+192], R16
    @P0 IADD R8, R8, 1
    MOV R6, 14
    SEL R7, R6, RZ, P0
    @P0 STL.U16 [R7], R8
    @P0 LDL.U16 R16, [R7]
    @P0 STG [R4+208], R16
    @P0 IADD R8, R8, 1
    MOV R6, 15
    SEL R7, R6, RZ, P0
    @P0 STL.U8 [R7], R8
    @P0 LDL.U8 R16, [R7]
    @P0 STG [R4+224], R16
    @P0 IADD R8, R8, 1
    MOV R6, 16
    SEL R7, R6, RZ, P0
    LDC.128 R16, [R7]
    @P0 STG.128 [R4+240], R16
    MOV R6, 24
    SEL R7, R6, RZ, P0
    LDC.64 R16, [R7]
    @P0 STG.64 [R4+256], R16
    MOV R6, 28
    SEL R7, R6, RZ, P0
    LDC R16, [R7]
    @P0 STG [R4+272], R16
    MOV R6, 30
    SEL R7, R6, RZ, P0
    LDC.U16 R16, [R7]
    @P0 STG [R4+288], R16
    MOV R6, 31
    SEL R7, R6, RZ, P0
    LDC.U8 R16, [R7]
    @P0 STG [R4+304], R16
    EXIT

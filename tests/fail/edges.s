// Loads and stores of every size, one byte after the last byte of each space: lane 17 faults there.
// SPDX-License-Identifier: Apache-2.0
// The buffer has 47 bytes, so a wide access that begins within it ends a byte too far; shared memory has
// 128 bytes, local memory 16, and the constant bank 16, where the parameters take 12.
// LANES: 4
// RUN: --kernel g_ld1 --grid 1 --block 32 buf:u8[47] off:u32=47
// EXIT: 1
// MESSAGE: out-of-range access at address 0x1000002f: kernel g_ld1, PC 0x60, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel g_ld2 --grid 1 --block 32 buf:u8[47] off:u32=46
// EXIT: 1
// MESSAGE: out-of-range access at address 0x1000002e: kernel g_ld2, PC 0xe0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel g_ld4 --grid 1 --block 32 buf:u8[47] off:u32=44
// EXIT: 1
// MESSAGE: out-of-range access at address 0x1000002c: kernel g_ld4, PC 0x160, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel g_ld8 --grid 1 --block 32 buf:u8[47] off:u32=40
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10000028: kernel g_ld8, PC 0x1e0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel g_ld16 --grid 1 --block 32 buf:u8[47] off:u32=32
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10000020: kernel g_ld16, PC 0x260, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel g_st1 --grid 1 --block 32 buf:u8[47] off:u32=47
// EXIT: 1
// MESSAGE: out-of-range access at address 0x1000002f: kernel g_st1, PC 0x2e0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel g_st2 --grid 1 --block 32 buf:u8[47] off:u32=46
// EXIT: 1
// MESSAGE: out-of-range access at address 0x1000002e: kernel g_st2, PC 0x360, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel g_st4 --grid 1 --block 32 buf:u8[47] off:u32=44
// EXIT: 1
// MESSAGE: out-of-range access at address 0x1000002c: kernel g_st4, PC 0x3e0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel g_st8 --grid 1 --block 32 buf:u8[47] off:u32=40
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10000028: kernel g_st8, PC 0x460, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel g_st16 --grid 1 --block 32 buf:u8[47] off:u32=32
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10000020: kernel g_st16, PC 0x4e0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel s_ld1 --grid 1 --block 32 buf:u8[47] off:u32=128
// EXIT: 1
// MESSAGE: out-of-range access at address 0x80: kernel s_ld1, PC 0x560, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel s_ld2 --grid 1 --block 32 buf:u8[47] off:u32=128
// EXIT: 1
// MESSAGE: out-of-range access at address 0x80: kernel s_ld2, PC 0x5e0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel s_ld4 --grid 1 --block 32 buf:u8[47] off:u32=128
// EXIT: 1
// MESSAGE: out-of-range access at address 0x80: kernel s_ld4, PC 0x660, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel s_ld8 --grid 1 --block 32 buf:u8[47] off:u32=128
// EXIT: 1
// MESSAGE: out-of-range access at address 0x80: kernel s_ld8, PC 0x6e0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel s_ld16 --grid 1 --block 32 buf:u8[47] off:u32=128
// EXIT: 1
// MESSAGE: out-of-range access at address 0x80: kernel s_ld16, PC 0x760, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel s_st1 --grid 1 --block 32 buf:u8[47] off:u32=128
// EXIT: 1
// MESSAGE: out-of-range access at address 0x80: kernel s_st1, PC 0x7e0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel s_st2 --grid 1 --block 32 buf:u8[47] off:u32=128
// EXIT: 1
// MESSAGE: out-of-range access at address 0x80: kernel s_st2, PC 0x860, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel s_st4 --grid 1 --block 32 buf:u8[47] off:u32=128
// EXIT: 1
// MESSAGE: out-of-range access at address 0x80: kernel s_st4, PC 0x8e0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel s_st8 --grid 1 --block 32 buf:u8[47] off:u32=128
// EXIT: 1
// MESSAGE: out-of-range access at address 0x80: kernel s_st8, PC 0x960, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel s_st16 --grid 1 --block 32 buf:u8[47] off:u32=128
// EXIT: 1
// MESSAGE: out-of-range access at address 0x80: kernel s_st16, PC 0x9e0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel l_ld1 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel l_ld1, PC 0xa60, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel l_ld2 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel l_ld2, PC 0xae0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel l_ld4 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel l_ld4, PC 0xb60, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel l_ld8 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel l_ld8, PC 0xbe0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel l_ld16 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel l_ld16, PC 0xc60, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel l_st1 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel l_st1, PC 0xce0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel l_st2 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel l_st2, PC 0xd60, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel l_st4 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel l_st4, PC 0xde0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel l_st8 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel l_st8, PC 0xe60, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel l_st16 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel l_st16, PC 0xee0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel c_ld1 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel c_ld1, PC 0xf60, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel c_ld2 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel c_ld2, PC 0xfe0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel c_ld4 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel c_ld4, PC 0x1060, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel c_ld8 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel c_ld8, PC 0x10e0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel c_ld16 --grid 1 --block 32 buf:u8[47] off:u32=16
// EXIT: 1
// MESSAGE: out-of-range access at address 0x10: kernel c_ld16, PC 0x1160, lane 17 (block 0, thread 17; lanes 00020000)
// At the end of 32 bits the sum of address and size is a small number again.
// RUN: --kernel s_ld4 --grid 1 --block 32 buf:u8[47] off:u32=4294967292
// EXIT: 1
// MESSAGE: out-of-range access at address 0xfffffffc: kernel s_ld4, PC 0x660, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel s_st1 --grid 1 --block 32 buf:u8[47] off:u32=4294967295
// EXIT: 1
// MESSAGE: out-of-range access at address 0xffffffff: kernel s_st1, PC 0x7e0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel l_st4 --grid 1 --block 32 buf:u8[47] off:u32=4294967292
// EXIT: 1
// MESSAGE: out-of-range access at address 0xfffffffc: kernel l_st4, PC 0xde0, lane 17 (block 0, thread 17; lanes 00020000)
// RUN: --kernel c_ld8 --grid 1 --block 32 buf:u8[47] off:u32=4294967288
// EXIT: 1
// MESSAGE: out-of-range access at address 0xfffffff8: kernel c_ld8, PC 0x10e0, lane 17 (block 0, thread 17; lanes 00020000)
.text
.kernel g_ld1
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDG.U8 R8, [R2]
    EXIT
.kernel g_ld2
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDG.U16 R8, [R2]
    EXIT
.kernel g_ld4
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDG R8, [R2]
    EXIT
.kernel g_ld8
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDG.64 R8, [R2]
    EXIT
.kernel g_ld16
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDG.128 R8, [R2]
    EXIT
.kernel g_st1
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STG.U8 [R2], R8
    EXIT
.kernel g_st2
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STG.U16 [R2], R8
    EXIT
.kernel g_st4
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STG [R2], R8
    EXIT
.kernel g_st8
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STG.64 [R2], R8
    EXIT
.kernel g_st16
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STG.128 [R2], R8
    EXIT
.kernel s_ld1
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDS.U8 R8, [R5]
    EXIT
.kernel s_ld2
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDS.U16 R8, [R5]
    EXIT
.kernel s_ld4
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDS R8, [R5]
    EXIT
.kernel s_ld8
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDS.64 R8, [R5]
    EXIT
.kernel s_ld16
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDS.128 R8, [R5]
    EXIT
.kernel s_st1
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STS.U8 [R5], R8
    EXIT
.kernel s_st2
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STS.U16 [R5], R8
    EXIT
.kernel s_st4
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STS [R5], R8
    EXIT
.kernel s_st8
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STS.64 [R5], R8
    EXIT
.kernel s_st16
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STS.128 [R5], R8
    EXIT
.kernel l_ld1
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDL.U8 R8, [R5]
    EXIT
.kernel l_ld2
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDL.U16 R8, [R5]
    EXIT
.kernel l_ld4
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDL R8, [R5]
    EXIT
.kernel l_ld8
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDL.64 R8, [R5]
    EXIT
.kernel l_ld16
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDL.128 R8, [R5]
    EXIT
.kernel l_st1
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STL.U8 [R5], R8
    EXIT
.kernel l_st2
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STL.U16 [R5], R8
    EXIT
.kernel l_st4
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STL [R5], R8
    EXIT
.kernel l_st8
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STL.64 [R5], R8
    EXIT
.kernel l_st16
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    STL.128 [R5], R8
    EXIT
.kernel c_ld1
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDC.U8 R8, [R5]
    EXIT
.kernel c_ld2
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDC.U16 R8, [R5]
    EXIT
.kernel c_ld4
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDC R8, [R5]
    EXIT
.kernel c_ld8
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDC.64 R8, [R5]
    EXIT
.kernel c_ld16
.regs 16
.shared 128
.local 16
.param buf u64 8
.param off u32 4
    S2R R0, SR_LANEID
    ISETP.EQ.U32 P0, R0, 17, PT
    LDC R4, [RZ+8]
    SEL R5, R4, RZ, P0
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R5, 1, R2
    LDC.128 R8, [R5]
    EXIT

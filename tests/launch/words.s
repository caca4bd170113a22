// What a launch hands to its threads: special registers but the clock, parameters of every size.
// SPDX-License-Identifier: Apache-2.0
// words.pl launches these kernels and knows what they must find.  A thread stores at the place of a
// ticket, so no special register decides where.
.text
// Another kernel first: no entry is 0.
.kernel first
.regs 8
    EXIT

.kernel words
.regs 64
.param tickets u64 8
.param out u64 8
.param a u8 1
.param b u16 2
.param c u32 4
.param d u64 8
.param e f32 4
.param f f64 8
.param g u16 2
store:
    S2R R32, SR_TID_X
    S2R R33, SR_TID_Y
    S2R R34, SR_TID_Z
    S2R R35, SR_NTID_X
    S2R R36, SR_NTID_Y
    S2R R37, SR_NTID_Z
    S2R R38, SR_CTAID_X
    S2R R39, SR_CTAID_Y
    S2R R40, SR_CTAID_Z
    S2R R41, SR_NCTAID_X
    S2R R42, SR_NCTAID_Y
    S2R R43, SR_NCTAID_Z
    S2R R44, SR_LANEID
    S2R R45, SR_WARPID
    S2R R46, SR_NWARPID
    S2R R47, SR_SMID
    S2R R48, SR_NSMID
    S2R R49, SR_GRIDID
    S2R R50, SR_LANEMASK_EQ
    S2R R51, SR_LANEMASK_LT
    S2R R52, SR_LANEMASK_LE
    S2R R53, SR_LANEMASK_GT
    S2R R54, SR_LANEMASK_GE
    LDC.U8 R55, [RZ+16]
    LDC.64 R56, [RZ+24]
    LDC.U16 R58, [RZ+18]
    LDC R59, [RZ+20]
    LDC.64 R60, [RZ+40]
    LDC R62, [RZ+32]
    LDC.U16 R63, [RZ+48]
    LDC.64 R2, [RZ]
    MOV R4, 1
    ATOMG.ADD R5, [R2], R4
    LDC.64 R2, [RZ+8]
    IMAD.W.U32 R2, R5, 128, R2
    STG.128 [R2], R32
    STG.128 [R2+16], R36
    STG.128 [R2+32], R40
    STG.128 [R2+48], R44
    STG.128 [R2+64], R48
    STG.128 [R2+80], R52
    STG.128 [R2+96], R56
    STG.128 [R2+112], R60
    EXIT

// The last block in each dimension stores, the others do nothing.
.kernel last
.regs 64
.param tickets u64 8
.param out u64 8
.param a u8 1
.param b u16 2
.param c u32 4
.param d u64 8
.param e f32 4
.param f f64 8
.param g u16 2
    S2R R0, SR_CTAID_X
    S2R R1, SR_NCTAID_X
    IADD R0, R0, 1
    ISETP.NE.U32 P0, R0, R1, PT
    @P0 EXIT
    S2R R0, SR_CTAID_Y
    S2R R1, SR_NCTAID_Y
    IADD R0, R0, 1
    ISETP.NE.U32 P0, R0, R1, PT
    @P0 EXIT
    S2R R0, SR_CTAID_Z
    S2R R1, SR_NCTAID_Z
    IADD R0, R0, 1
    ISETP.NE.U32 P0, R0, R1, PT
    @P0 EXIT
    BRA store

// One byte at an offset of each space: where it ends is a launch word.
.kernel shared
.regs 8
.shared 100
.param off u32 4
    LDC R0, [RZ]
    STS.U8 [R0], R0
    EXIT
.kernel local
.regs 8
.local 48
.param off u32 4
    LDC R0, [RZ]
    STL.U8 [R0], R0
    EXIT
.kernel const
.regs 8
.param off u32 4
    LDC R0, [RZ]
    LDC.U8 R1, [R0]
    EXIT
.kernel code
.regs 8
.param pc u32 4
    LDC R0, [RZ]
    BRX R0
.kernel global
.regs 8
.param off u32 4
.param buf u64 8
    LDC R0, [RZ]
    LDC.64 R2, [RZ+8]
    IMAD.W.U32 R2, R0, 1, R2
    STG.U8 [R2], R0
    EXIT

// Every block waits until `blocks` blocks have come: they must all be resident at once.
.kernel meet
.regs 16
.shared 100
.param come u64 8
.param blocks u32 4
    LDC.64 R2, [RZ]
    LDC R6, [RZ+8]
    S2R R0, SR_TID_X
    ISETP.NE.U32 P0, R0, 0, PT
    @P0 EXIT
    MOV R4, 1
    ATOMG.ADD R5, [R2], R4
wait:
    LDG R5, [R2]
    ISETP.LT.U32 P0, R5, R6, PT
    @P0 BRA wait
    EXIT

// Addresses that are known when the image is loaded: in instructions, constants and global data.
.kernel relocated
.regs 16
.param out u64 8
    MOV R2, &table+8
    MOV R3, 0
    LDG R8, [R2]
    MOV R4, &const_pointer
    LDC.64 R2, [R4]
    LDG R9, [R2]
    MOV R2, &pointer
    MOV R3, 0
    LDG.64 R2, [R2]
    LDG R10, [R2]
    MOV R4, &const_seven
    LDC R4, [R4]
    BRX R4
.func seven
    MOV R11, 77
    LDC.64 R2, [RZ]
    STG.128 [R2], R8
    EXIT
.const
.object numbers
    .word 1, 2, 3, 4, 5
.align 8
.object const_pointer
    .quad table+12
.object const_seven
    .word seven
.global
.object table
    .word 11, 22, 33, 44
.object pointer
    .quad table+4

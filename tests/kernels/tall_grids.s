// Grids beyond 65,535 in y and in z: the last blocks know their place.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32
// RUN: --kernel tall --grid 1,65538,1 --block 1 out:u32[4] size:u32[4]
// EXPECT: out[0:4] = 65534 65535 65536 65537
// EXPECT: size[0:4] = 65538 65538 65538 65538
// RUN: --kernel deep --grid 1,1,65538 --block 1 out:u32[4] size:u32[4]
// EXPECT: out[0:4] = 65534 65535 65536 65537
// EXPECT: size[0:4] = 65538 65538 65538 65538
.text
.kernel tall
.regs 16
.param out u64 8
.param size u64 8
    S2R R0, SR_CTAID_Y
    ISUB R1, R0, 65534
    ISETP.LT.S32 P0, R1, 0, PT
    @P0 EXIT
    S2R R4, SR_NCTAID_Y
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R1, 4, R2
    STG [R2], R0
    LDC.64 R2, [RZ+8]
    IMAD.W.U32 R2, R1, 4, R2
    STG [R2], R4
    EXIT
.kernel deep
.regs 16
.param out u64 8
.param size u64 8
    S2R R0, SR_CTAID_Z
    ISUB R1, R0, 65534
    ISETP.LT.S32 P0, R1, 0, PT
    @P0 EXIT
    S2R R4, SR_NCTAID_Z
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R1, 4, R2
    STG [R2], R0
    LDC.64 R2, [RZ+8]
    IMAD.W.U32 R2, R1, 4, R2
    STG [R2], R4
    EXIT

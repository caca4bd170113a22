// R254, the last register, written and read by every unit: integer, float, load, operation between lanes, barriers.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// RUN: --grid 1 --block 32 out:u32[8]
// EXPECT: out[0:6] = 254 509 1065353216 509 31 7
.text
.kernel last_register
.regs 255
.barriers 2
.param out u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_LANEID
    MOV R254, 254
    STG [R2], R254
    IADD R254, R254, 255
    STG [R2+4], R254
    MOV R8, 0x3f000000
    FADD R254, R8, R8
    STG [R2+8], R254
    LDG R254, [R2+4]
    STG [R2+12], R254
    MOV R10, 31
    SHFL.IDX R254, P0, R0, 31, R10
    STG [R2+16], R254
    MOV R8, 7
    BMOV.B B1, R8
    BMOV.R R254, B1
    STG [R2+20], R254
    EXIT

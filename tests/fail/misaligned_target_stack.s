// Stack mode: some lanes branch to a place inside an instruction, the others to its beginning: they part, and those that run first fault.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// RUN: --grid 1 --block 32 out:u32[32]
// EXIT: 1
// MESSAGE: PC 0x88, lane 20
.mode stack
.text
.kernel k                           // lanes 20 to 31: 8 bytes too far
.regs 16
.param out u64 8
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R0, 4, R2
    ISETP.GE.U32 P0, R0, 20, PT
    MOV R4, there
    @P0 IADD R4, R4, 8
    BRX R4
    EXIT
there:
    STG [R2], R0
    EXIT

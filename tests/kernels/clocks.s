// Clock reads one behind the other, of which some are seen by nobody: each commit comes well behind its read.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4 1
// RUN: --grid 1 --block 32 out:u32[32]
// EXPECT: out[0:4] = 1 1 1 1
.text
.kernel clocks
.regs 16
.param out u64 8
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    IMAD.W.U32 R6, R0, 4, R2
    ISETP.LT.U32 P0, R0, 0, PT      // holds for nobody
    S2R R4, SR_CLOCKHI
    S2R R5, SR_CLOCKLO
    S2R RZ, SR_CLOCKHI
    S2R RZ, SR_CLOCKLO
    @P0 S2R R4, SR_CLOCKLO
    S2R R9, SR_CLOCKLO
    ISETP.LT.U32 P1, R5, R9, PT
    MOV R8, 0
    @P1 MOV R8, 1
    STG [R6], R8
    EXIT

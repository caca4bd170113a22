// Clock reads one after the other, some of which are not stored, and the turn of the low word.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4 1
// RUN: --grid 1 --block 32 out:u32[32]
// EXPECT: out[0:4] = 1 1 1 1
// The low word turns during the loop, with any LANES and any memory latency: the first reads come before the
// turn, and the loop takes longer than what is left until then.
// RUN: --grid 1 --block 32 out:u32[32] --clock 0xabcdef12fffff900
// EXPECT: out[0:4] = 3 3 3 3
// RUN: --grid 1 --block 32 out:u32[32] --clock 0xfffffffffffff900
// EXPECT: out[0:4] = 3 3 3 3
.text
.kernel clocks
.regs 16
.param out u64 8
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    IMAD.W.U32 R6, R0, 4, R2
    ISETP.LT.U32 P0, R0, 0, PT      // holds for no lane
    S2R R4, SR_CLOCKHI
    S2R R5, SR_CLOCKLO
    S2R RZ, SR_CLOCKHI
    S2R RZ, SR_CLOCKLO
    @P0 S2R R4, SR_CLOCKLO
    MOV R8, 0
    MOV R9, 400
again:
    S2R R10, SR_CLOCKLO
    S2R R11, SR_CLOCKHI
    S2R R12, SR_CLOCKHI
    IADD3 R9, R9, -1, RZ
    ISETP.NE.U32 P1, R9, 0, PT
    @P1 BRA again
    ISETP.NE.U32 P1, R4, R11, PT    // the high word has changed
    @P1 LOP3 R8, R8, 2, RZ, 0xfc
    ISETP.NE.U32 P1, R5, R10, PT    // and the low word
    @P1 LOP3 R8, R8, 1, RZ, 0xfc
    STG [R6], R8
    EXIT

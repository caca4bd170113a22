// Stack mode: recursion that lanes leave at different depths, in one of two functions that each lane chooses.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// RUN: --grid 2 --block 64 --stack-depth 4 sum:u32[128] calls:u32[128]
// EXPECT: sum[0:18] = 0 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120 0 1
// EXPECT: calls[60:70] = 112 13 114 15 100 1 102 3 104 5
// RUN: --grid 2 --block 64 --stack-depth 64 sum:u32[128] calls:u32[128]
// EXPECT: sum[110:118] = 105 120 0 1 3 6 10 15
// EXPECT: calls[96:100] = 100 1 102 3
.mode stack
.text
.kernel calls
.regs 16
.param sum u64 8
.param calls u64 8
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    IMAD R1, R1, 64, R0
    LOP.AND R5, R0, 15          // how deep this lane goes
    MOV R6, 0
    MOV R7, 0
    LOP.AND R8, R0, 1
    SHL R8, R8, 5
    IADD R8, R8, 0xc0           // even threads call `even`, odd ones `odd`
    SSY done
    CAL.R R8
    NOP.S
even:                           // 0xc0
    IADD R7, R7, 100
    NOP
odd:                            // 0xe0
    CAL count
    RET.T
done:
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R1, 4, R2
    STG [R2], R6
    LDC.64 R2, [RZ+8]
    IMAD.W.U32 R2, R1, 4, R2
    STG [R2], R7
    EXIT
count:
    SSY back
    ISETP.EQ.U32 P0, R5, 0, PT
    @P0 BRA leave
    IADD R6, R6, R5
    ISUB R5, R5, 1
    CAL count
    IADD R7, R7, 1
leave:
    NOP.S
back:
    RET.T

// Stack mode: two nested loops, each left at a time of its own by every lane, with lanes that end inside.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// RUN: --grid 1 --block 96 --stack-depth 4 --warps 3 out:u32[96]
// EXPECT: out[0:12] = 0 1 3 6 10 15 21 28 36 45 55 66
// EXPECT: out[28:36] = 406 435 465 777 0 1 3 6
// RUN: --grid 1 --block 96 out:u32[96]
// EXPECT: out[92:96] = 406 435 465 777
.mode stack
.text
.kernel loops
.regs 16
.param out u64 8
    S2R R0, SR_LANEID
    S2R R1, SR_TID_X
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R1, 4, R2
    MOV R6, 0
    MOV R4, 0
    SSY done
outer:
    ISETP.GE.U32 P0, R4, R0, PT
    @!P0 BRA body
    NOP.S                       // the lane has had its turns
body:
    IADD R4, R4, 1
    ISETP.EQ.U32 P1, R4, 31, PT
    @P1 BRA end
    MOV R5, 0
    SSY next
inner:
    IADD R6, R6, 1
    IADD R5, R5, 1
    ISETP.LT.U32 P2, R5, R4, PT
    @P2 BRA inner
    NOP.S
next:
    BRA outer
end:                            // lane 31 in its last turn
    MOV R6, 777
    STG [R2], R6
    EXIT
done:
    STG [R2], R6
    EXIT

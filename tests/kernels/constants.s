// Constants whose address is in the instruction, of every size: what the constant cache brings, and what it leaves
// to the LSU, is the same.  The second round finds what the first has brought.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// Bytes and halves with and without sign, a word, a pair, a word of an odd register; a line whose place in the cache
// another one has, an address in a register, the bank's last bytes; what only lane 31 reads, what no lane reads;
// four words.
// RUN: --grid 2 --block 64 out:u32[2048] odd:u32=305419896
// EXPECT: out[0:6] = 129 4294967186 46499 4294956612 2291772091 1
// EXPECT: out[6:16] = 2 3 77 305419896 88 0 12 2 3 1
// EXPECT: out[496:512] = 129 4294967186 46499 4294956612 2291772091 1 2 3 77 305419896 88 77 12 2 3 1
.const
.byte 0x81, 0x92, 0xa3, 0xb5, 0x44, 0xd6, 0, 0
.word 0x8899aabb, 1
.word 2, 3, 1, 2
.word 3, 0, 0, 0
.zero 2000
.word 77, 0, 0, 0
.word 88
.text
.kernel constants
.regs 40
.param out u64 8
.param odd u32 4
    MOV R31, 2
    MOV R30, 8
again:
    LDC.64 R2, [RZ]
    S2R R4, SR_TID_X
    S2R R5, SR_CTAID_X
    IMAD R4, R5, 64, R4
    SHL R4, R4, 6
    IMAD.W.U32 R2, R4, 1, R2
    S2R R5, SR_LANEID
    ISETP.EQ.U32.AND P0, R5, 31, PT
    LDC.U8 R8, [RZ+32768]
    LDC.S8 R9, [RZ+32769]
    LDC.U16 R10, [RZ+32770]
    LDC.S16 R11, [RZ+32772]
    LDC R12, [RZ+32776]
    LDC R13, [RZ+32780]
    LDC.64 R14, [RZ+32784]
    LDC R16, [RZ+34816]
    LDC R17, [R30]
    LDC R18, [RZ+34832]
    MOV R19, 0
    MOV R20, 12
    @P0 LDC R19, [RZ+34816]
    ISETP.EQ.U32.AND P1, R5, 32, PT
    @P1 LDC R20, [RZ+34832]
    STG.128 [R2], R8
    STG.128 [R2+16], R12
    STG.128 [R2+32], R16
    LDC.128 R24, [RZ+32784]
    STG [R2+48], R20
    STG [R2+52], R24
    STG [R2+56], R25
    STG [R2+60], R26
    IADD R31, R31, -1
    ISETP.NE.U32.AND P2, R31, 0, PT
    @P2 BRA again
    EXIT

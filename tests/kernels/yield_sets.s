// Two sets of lanes yield, and the BSYNC of the others makes them ready (rule 4), thousands of times: they fall behind.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32
// RUN: --grid 1 --block 32 out:u32[80] n:u32=2047
// EXPECT: out[0:6] = 28 0 0 0 0 1
// RUN: --grid 1 --block 32 out:u32[80] n:u32=2048
// EXPECT: out[0:6] = 28 0 0 0 0 1
.text
.kernel yield_sets
.regs 16
.param out u64 8
.param n u32 4
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    LDC R5, [RZ+8]
    ISETP.LT.U32 P0, R0, 4, PT      // A: lanes 0 to 3, of these
    ISETP.EQ.U32 P1, R0, 0, PT      // A2: lane 0
    MOV R4, 0
    MOV R10, 1
    IMAD.W.U32 R6, R0, 4, R2
loop:
    BSSY B1, join
    @P0 BRA a
    BSSY B0, free                   // the others: a barrier of their own, which keeps nobody
free:
    BSYNC B0
    BRA join
a:
    @P1 BRA a2
    YIELD
    BRA join
a2:
    YIELD
join:
    BSYNC B1
    IADD R4, R4, 1
    ISETP.LT.U32 P2, R4, R5, PT
    @P2 BRA loop
    @P0 BRA b                       // now no barrier releases lanes that yield: who comes here first is first
    YIELD                           // 28 lanes
    ATOMG.ADD R9, [R2+256], R10, RZ
    BRA last
b:
    @P1 BRA b2
    BRA last
b2:
    YIELD                           // lane 0: the last one
    ATOMG.ADD R9, [R2+256], R10, RZ
last:
    STG [R6], R9
    EXIT

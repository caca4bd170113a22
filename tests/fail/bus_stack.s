// Tokens that cannot be spilled or filled: the pop that needs them faults, whatever pops.  A chunk is four
// tokens, a sector.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4 32
// The fifth push spills the four lowest tokens.  A fill that cannot read them: the carrier's pop.
// RUN: --kernel carrier --grid 1 --block 32 --stack-depth 4 --bus-error .spill[0:32]=read out:u32[32]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x2000000: kernel carrier, PC 0x90, lane 0 (block 0, thread 0; lanes ffffffff)
// EXPECT: out[0:2] = 0 0
// The same where the spill could not be written.
// RUN: --kernel carrier --grid 1 --block 32 --stack-depth 4 --bus-error .spill[0:32]=write,decerr out:u32[32]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x2000000: kernel carrier, PC 0x90, lane 0 (block 0, thread 0; lanes ffffffff)
// No lane comes back for what is not spilled.
// RUN: --kernel carrier --grid 1 --block 32 --stack-depth 5 --bus-error .spill[0:32] out:u32[32]
// EXIT: 0
// EXPECT: out[0:2] = 7 7
// Only the second chunk is lost: the first pop that needs it, at a depth of two chunks.
// RUN: --kernel two --grid 1 --block 32 --stack-depth 4 --bus-error .spill[32:64]=write out:u32[32]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x2000020: kernel two
// RUN: --kernel two --grid 1 --block 32 --stack-depth 4 --bus-error .spill[0:32]=write out:u32[32]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x2000000: kernel two
// A carrier that loads: its own fault comes first, and nothing is loaded or stored when the pop fails.
// RUN: --kernel stores --grid 1 --block 32 --stack-depth 4 --bus-error .spill[0:32]=read out:u32[32]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x2000000: kernel stores
// EXPECT: out[0:2] = 0 0
// RUN: --kernel stores --grid 1 --block 32 --stack-depth 4 --bus-error .spill[0:32]=read out:u32[16]
// EXIT: 1
// MESSAGE: fault: out-of-range access at address 0x10000040: kernel stores
// RUN: --kernel stores --grid 1 --block 32 --stack-depth 4 --bus-error out[0:8] out:u32[32]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x10000000: kernel stores
// EXPECT: out[7:10] = 0 7 7
// RET.T, and EXIT whose last active lanes end.
// RUN: --kernel returns --grid 1 --block 32 --stack-depth 4 --bus-error .spill[0:32]=read out:u32[32]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x2000000: kernel returns
// RUN: --kernel leaves --grid 1 --block 32 --stack-depth 4 --bus-error .spill[0:32]=write out:u32[32]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x2000000: kernel leaves
// MESSAGE: lane 0 (block 0, thread 0; lanes 00000001)
// A pop without an instruction: all lanes of the tokens on chip have ended.
// RUN: --kernel unwinds --grid 1 --block 32 --stack-depth 4 --bus-error .spill[0:32]=read out:u32[32]
// EXIT: 1
// MESSAGE: fault: bus error at address 0x2000000: kernel unwinds
// MESSAGE: lane 1 (block 0, thread 1; lanes fffffffe)
// A warp that starts in the slot of one that lost tokens has lost none; each area is its slot's own.
// RUN: --kernel next --grid 40 --block 32 --warps 1 --stack-depth 4 --bus-error .spill[0:32]=write out:u32[32]
// EXIT: 0
// EXPECT: out[0:1] = 40
.mode stack
.text
.kernel carrier
.regs 8
.param out u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_TID_X
    IMAD.W.U32 R4, R0, 4, R2
    SSY a1
    SSY a2
    SSY a3
    SSY a4
    SSY a5
    NOP.S
a5: NOP.S
a4: NOP.S
a3: NOP.S
a2: NOP.S
a1: MOV R6, 7
    STG [R4], R6
    EXIT
.kernel two
.regs 8
.param out u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_TID_X
    IMAD.W.U32 R4, R0, 4, R2
    MOV R6, 7
    SSY b1
    SSY b2
    SSY b3
    SSY b4
    SSY b5
    SSY b6
    SSY b7
    SSY b8
    SSY b9
    NOP.S
b9: NOP.S
b8: NOP.S
b7: NOP.S
b6: NOP.S
b5: NOP.S
b4: NOP.S
b3: NOP.S
b2: NOP.S
b1: EXIT
.kernel stores
.regs 8
.param out u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_TID_X
    IMAD.W.U32 R4, R0, 4, R2
    MOV R6, 7
    SSY c1
    SSY c2
    SSY c3
    SSY c4
    SSY c5
    NOP.S
c5: STG.S [R4], R6
c4: NOP.S
c3: NOP.S
c2: NOP.S
c1: EXIT
.kernel returns
.regs 8
.param out u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_TID_X
    IMAD.W.U32 R4, R0, 4, R2
    MOV R6, 7
    SSY d1
    SSY d1
    SSY d1
    CAL d2
d1: EXIT
d2: SSY d3
    NOP.S
d3: RET.T
.kernel leaves
.regs 8
.param out u64 8
    S2R R0, SR_TID_X
    ISETP.EQ.U32.AND P0, R0, 0, PT
    SSY e1
    SSY e1
    SSY e1
    @P0 BRA e2
e1: EXIT
e2: SSY e3
    NOP.S
e3: EXIT
.kernel unwinds
.regs 8
.param out u64 8
    S2R R0, SR_TID_X
    ISETP.EQ.U32.AND P0, R0, 0, PT
    SSY f1
    SSY f1
    SSY f1
    @P0 BRA f2
f1: EXIT
f2: SSY f3
f3: EXIT
.kernel next
.regs 8
.param out u64 8
    LDC.64 R2, [RZ]
    S2R R0, SR_TID_X
    IMAD.W.U32 R4, R0, 4, R2
    MOV R6, 7
    SSY g1
    SSY g1
    SSY g1
    SSY g1
    SSY g1
    MOV R6, 1
    ISETP.EQ.U32.AND P0, R0, 0, PT
    @P0 ATOMG.ADD R7, [R2], R6
g1: EXIT

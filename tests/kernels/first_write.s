// RUN: --warps 1 --grid 3 --block 32 out:u32[96]
// LANES: 1 4 32
// EXPECT: out[0:4] = 7 7 7 7
// EXPECT: out[60:64] = 7 7 7 7
// EXPECT: out[92:96] = 7 7 7 7
// An instruction reads the register that it writes first, in a warp slot that another block has used: its
// later beats read zero like its first one, not what that block left.
.kernel k
.regs 16
.param out u64 8
    IADD R8, R8, 7
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    SHL R1, R1, 5
    IADD R0, R0, R1
    LDC.64 R2, [RZ]
    IMAD.W.U32 R2, R0, 4, R2
    STG [R2], R8
    EXIT

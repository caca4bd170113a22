// Half of a warp waits at a BSYNC for the other half, which waits at a block barrier: nothing else of the warp can run, so
// the BSYNC gives way (rule 8), whatever the other warp will do.  An H200 runs such lanes at once, too.
// SPDX-License-Identifier: Apache-2.0
// Each thread stores what its warp's upper half has written to shared memory: the lower half comes before it (0).
// LANES: 32 4
// RUN: --grid 2 --block 64 out:u32[128]
// EXPECT: out[0:4] = 0 0 0 0
// EXPECT: out[12:20] = 0 0 0 0 7 7 7 7
// EXPECT: out[124:128] = 7 7 7 7
.text
.kernel k
.regs 20
.barriers 1
.shared 256
.param out u64 8
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_LANEID
    IMAD R3, R1, 64, R0
    LDC.64 R4, [RZ]
    IMAD.W.U32 R4, R3, 4, R4
    SHL R6, R0, 2
    STS [R6], RZ
    ISETP.LT.U32.AND P1, R2, 16, PT
    ISETP.LT.U32.AND P2, R0, 32, PT
    BSSY B0, join
    @P1 BRA join
// the upper half; warp 1 comes late
    MOV R8, 1
    @P2 BRA here
    MOV R8, 200
wait:
    ISUB R8, R8, 1
    ISETP.GT.S32.AND P3, R8, 0, PT
    @P3 BRA wait
here:
    BAR.SYNC B1, 32
    MOV R9, 7
    STS [R6], R9
join:
    BSYNC B0
    LOP.OR R10, R6, 64
    LDS R11, [R10]
    STG [R4], R11
    EXIT

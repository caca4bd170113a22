// Lanes wait at BSYNC for lanes that spin until one of those after the BSYNC has stored.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 flag:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: every warp that runs loops forever
// MESSAGE: wait at BSYNC B5 for lanes fffffff0
// MESSAGE: lanes fffffff0
// MESSAGE: spin forever
.text
.kernel deadlock
.regs 8
.barriers 6
.param flag u64 8
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    BSSY B5, join
    ISETP.LT.U32.AND P0, R0, 4, PT
    @P0 BRA join
spin:
    LDG R4, [R2]
    ISETP.EQ.U32.AND P1, R4, 0, PT
    @P1 BRA spin
join:
    BSYNC B5
    MOV R1, 1
    STG [R2], R1
    EXIT

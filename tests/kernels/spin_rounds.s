// Lanes 0 and 1 wait, each in a loop of its own, for what lane 2 stores.  Each turn of a loop releases a barrier
// and so makes the other lane ready: lane 2 runs only if ready lanes get their turns in rounds (next(), step 3).
// SPDX-License-Identifier: Apache-2.0
// MODE: barrier
// RUN: --grid 1 --block 3 flag:u32[1] --limit 4000
// EXPECT: flag[0:1] = 9
.text
.kernel spin_rounds
.regs 8
.param flag u64 8
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    ISETP.EQ.U32 P0, R0, 0, PT
    ISETP.EQ.U32 P1, R0, 1, PT
    MOV R5, 9
    @P0 BRA first
    @P1 BRA second
    YIELD
    YIELD
    YIELD
    YIELD
    STG [R2], R5
    EXIT
first:
    YIELD
    BSSY B0, first_joined
    BSYNC B0
first_joined:
    LDG R4, [R2]
    ISETP.EQ.U32 P2, R4, 0, PT
    @P2 BRA first
    EXIT
second:
    YIELD
    BSSY B1, second_joined
    BSYNC B1
second_joined:
    LDG R4, [R2]
    ISETP.EQ.U32 P2, R4, 0, PT
    @P2 BRA second
    EXIT

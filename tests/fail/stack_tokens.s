// Faults of the reconvergence stack, each with the lanes that it names; core and model agree on all of them.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32
// RUN: --kernel ret_empty --grid 1 --block 32 --stack-depth 4 out:u32[2]
// EXIT: 1
// MESSAGE: fault: wrong or missing token: kernel ret_empty
// MESSAGE: lanes ffffffff)
// RUN: --kernel ret_sync --grid 1 --block 32 --stack-depth 4 out:u32[2]
// EXIT: 1
// MESSAGE: fault: wrong or missing token: kernel ret_sync
// MESSAGE: lanes ffffffff)
// RUN: --kernel pop_empty --grid 1 --block 32 --stack-depth 4 out:u32[2]
// EXIT: 1
// MESSAGE: fault: wrong or missing token: kernel pop_empty
// MESSAGE: lanes ffffffff)
// RUN: --kernel pop_call --grid 1 --block 32 --stack-depth 4 out:u32[2]
// EXIT: 1
// MESSAGE: fault: wrong or missing token: kernel pop_call
// RUN: --kernel lost --grid 1 --block 32 --stack-depth 4 out:u32[2]
// EXIT: 1
// MESSAGE: fault: wrong or missing token: kernel lost
// MESSAGE: lanes 00000fff)
// RUN: --kernel lost_last --grid 1 --block 32 --stack-depth 4 out:u32[2]
// EXIT: 1
// MESSAGE: fault: wrong or missing token: kernel lost_last
// MESSAGE: lanes 00000fff)
// RUN: --kernel lost_unwinding --grid 1 --block 32 --stack-depth 4 out:u32[2]
// EXIT: 1
// MESSAGE: fault: wrong or missing token: kernel lost_unwinding
// MESSAGE: lanes 00000fff)
// RUN: --kernel both --grid 1 --block 32 --stack-depth 4 out:u32[2]
// EXIT: 1
// MESSAGE: out-of-range access at address 0x0
.mode stack
.text

// RET.T without a token
.kernel ret_empty
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    ISETP.LT.U32.AND P0, R0, 12, PT
    RET.T

// RET.T on a SYNC token
.kernel ret_sync
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    ISETP.LT.U32.AND P0, R0, 12, PT
    SSY ret_sync_j
    RET.T
ret_sync_j:
    EXIT

// .S without a token
.kernel pop_empty
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    ISETP.LT.U32.AND P0, R0, 12, PT
    @P0 NOP.S

// .S on a CALL token: the instruction has not executed either
.kernel pop_call
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    ISETP.LT.U32.AND P0, R0, 12, PT
    LDC.64 R2, [RZ]
    CAL pop_call_f
pop_call_f:
    STG.S [R2], R0

// lanes that a pop dropped, and no lane is left: EXIT
.kernel lost
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    ISETP.LT.U32.AND P0, R0, 12, PT
    @P0 BRA lost_a
    EXIT
lost_a:
    NOP.S

// the same where the last token holds only lanes that exit
.kernel lost_last
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    ISETP.LT.U32.AND P0, R0, 12, PT
    @P0 BRA lost_last_a
    SSY lost_last_j
    EXIT
lost_last_a:
    NOP.S
lost_last_j:
    EXIT

// the same while the stack unwinds
.kernel lost_unwinding
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    ISETP.LT.U32.AND P0, R0, 12, PT
    @P0 BRA lost_unwinding_a
    SSY lost_unwinding_j
    SSY lost_unwinding_j
    EXIT
lost_unwinding_a:
    NOP.S
lost_unwinding_j:
    EXIT

// an access and a pop: the access faults
.kernel both
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    ISETP.LT.U32.AND P0, R0, 12, PT
    STG.S [RZ], R0

// A fault in a block beyond the first 65,536: the core's register names it in full.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32
// RUN: --grid 65540 --block 1 out:u32[1]
// EXIT: 1
// MESSAGE: fault: trap
// MESSAGE: block 65539
.text
.kernel late
.regs 8
.param out u64 8
    S2R R0, SR_CTAID_X
    ISETP.LT.U32 P0, R0, 65539, PT
    @P0 EXIT
    BPT.TRAP

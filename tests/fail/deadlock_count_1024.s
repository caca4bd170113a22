// A barrier asks for 1024 lanes; the block has 992, in 31 warps.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 2 --block 992 out:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: no warp can ever run again
// MESSAGE: wait at block barrier 15: 992 lanes are there, 1024 are needed
// MESSAGE: 1 block has not started: every block slot is taken
.text
.kernel deadlock
.regs 8
.param out u64 8
    BAR.SYNC B15, 1024
    EXIT

// A block barrier asks for 96 lanes; the block has 64.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 2 --block 64 out:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: no warp can ever run again
// MESSAGE: block 0 warp 1 (slot 1): waits
// MESSAGE: lanes ffffffff at PC 0x10 wait at block barrier 2: 64 lanes are there, 96 are needed
.text
.kernel deadlock
.regs 8
.param out u64 8
    BAR.SYNC B2, 96
    EXIT

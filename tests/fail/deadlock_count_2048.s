// Barriers ask for more lanes than eleven bits count: no lane ever passes, whatever the low bits say.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4
// RUN: --kernel none --grid 1 --block 64 out:u32[1]
// EXIT: 3
// MESSAGE: wait at block barrier 2: 64 lanes are there, 2048 are needed
// RUN: --kernel all --grid 1 --block 64 out:u32[1]
// EXIT: 3
// MESSAGE: wait at block barrier 3: 64 lanes are there, 2112 are needed
// RUN: --kernel high --grid 1 --block 64 out:u32[1]
// EXIT: 3
// MESSAGE: wait at block barrier 4: 64 lanes are there, 2147483712 are needed
.text
.kernel none
.regs 8
.param out u64 8
    BAR.SYNC B2, 2048
    EXIT
.kernel all
.regs 8
.param out u64 8
    BAR.SYNC B3, 2112
    EXIT
.kernel high
.regs 8
.param out u64 8
    BAR.SYNC B4, 0x80000040
    EXIT

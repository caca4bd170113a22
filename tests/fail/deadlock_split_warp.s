// The lanes of one warp wait at two block barriers for each other.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 out:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: no warp can ever run again
// MESSAGE: lanes 0000ffff at PC 0x60 wait at block barrier 3: 16 lanes are there, 32 are needed
// MESSAGE: lanes ffff0000 at PC 0x40 wait at block barrier 4: 16 lanes are there, 32 are needed
.text
.kernel deadlock
.regs 8
.param out u64 8
    S2R R0, SR_LANEID
    ISETP.LT.U32.AND P0, R0, 16, PT
    @P0 BRA first
    BAR.SYNC B4, 0
    EXIT
first:
    BAR.SYNC B3, 0
    EXIT

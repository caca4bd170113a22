// Tokens that no instruction pops: the spill area ends after 512 of them.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// RUN: --grid 1 --block 32 out:u32[2]
// EXIT: 1
// MESSAGE: fault: reconvergence stack overflow: kernel overflow, PC 0x0, lane 0 (block 0, thread 0; lanes ffffffff)
.mode stack
.text
.kernel overflow
.regs 8
.param out u64 8
more:
    SSY more
    BRA more

// A word that is no instruction.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 out:u32[2]
// EXIT: 1
// MESSAGE: illegal instruction
.text
.kernel illegal
.regs 8
.param out u64 8
    .insn 0x1ff, 0, 0, 0
    EXIT

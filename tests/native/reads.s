// Reads the clock for ever, and makes nothing of it.
// SPDX-License-Identifier: Apache-2.0
.text
.kernel reads
.regs 4
again:
    MOV R0, 1
    S2R RZ, SR_CLOCKLO
    BRA again

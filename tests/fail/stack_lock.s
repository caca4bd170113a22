// A spin lock between lanes of a warp, in stack mode: the lane that holds it waits in a token for those
// that spin.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// RUN: --grid 1 --block 64 lock:u32[1]
// EXIT: 3
// MESSAGE: every warp that runs loops forever
// MESSAGE: lanes 00000001 at PC 0x80 are in a DIV token
// MESSAGE: spin forever, from PC 0x50 to PC 0x70
.mode stack
.text
.kernel lock
.regs 16
.param lock u64 8
    S2R R0, SR_LANEID
    LDC.64 R2, [RZ]
    MOV R4, 0
    MOV R5, 1
    SSY join
try:
    ATOMG.CAS R6, [R2], R4, R5
    ISETP.NE.U32.AND P0, R6, 0, PT
    @P0 BRA try
    STG [R2], R4
    NOP.S
join:
    EXIT

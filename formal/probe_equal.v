// The core with its probe and the core without are the same netlist.  So the probe changes nothing
// of what it shows.  Without: no instance of probe.v (SYNTHESIS) and PROBE 0, which takes away
// what other units keep or read for it only.  What feeds no output of the core is removed from
// both; then they are equal, up to the names that Yosys invents and the order of cells.  Units
// without PROBE, and the probe itself, are black boxes: whatever they do, they do the same when
// their inputs are the same.
// UNIT: simt_core LANES=4 WARPS=2
// RTL: simt_core.v converge.v conv.v conv_lanes.v stack.v stack_mem.v execute.v writeback.v retire.v dispatcher.v
// PROVE: same PROBE=0 SYNTHESIS
// COVER: 0
// BUG: simt_core.v: s/^  slots_t slots;/  wire back;\n&/;s/\.k_valid\(\)/.k_valid(back)/;s/\.done_ready_i\(lsu_take_ready\)/.done_ready_i(lsu_take_ready || back)/ -- the record makes the LSU go on
// BUG: conv.v: s/wire stall = /&view_o.live[0] \&\& / -- an instruction waits for a warp that the probe looks at
// BUG: simt_core.v: s/^  slots_t slots;/  wire back;\n&/;s/(lsu_record\), \.c_valid\()/\1back/;s/\.ls_hold_i\(hold\.mem\)/.ls_hold_i(hold.mem || back)/ -- the probe says what retires
// SPDX-License-Identifier: Apache-2.0

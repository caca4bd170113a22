// The ports that both mechanisms have, conv.v and stack.v: the interface of converge.v to whichever
// there is; include it at the head of the module's list of ports, after converge.vh.
// SPDX-License-Identifier: Apache-2.0
  input  wire           clk, rst_n,
  input  wire           clear_i,
  // there is a control instruction, the head of the queue:
  input  wire           some_i,
  input  control_t      head_i,
  input  start_t        start_i,
  output wire           start_ready_o,
  output wire [4:0]     warp_o,              // the step's warp,
  input  block_t        block_i,             // and its block
  output step_t         step_o,
  input  slots_t        slots_i,
  output hold_t         hold_o,
  // an instruction, or an unwinding, retires in this cycle
  output logic          commit_valid_o,
  output control_commit_t commit_o,          // next_pc: of a carrier that pops, too
  input  wire [4:0]     probe_warp_i, pipe_warp_i,
  output view_t         view_o, pipe_view_o,

// What the harness sees of the core besides commit records (probe.v): which ports have one, blocks
// that start, warps that read the clock, bounds that are broken.  Nothing in the core reads it.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module probe_events (
  // an instruction retires through the pipeline's port, through the units'
  input  wire          pipe_valid_i, unit_valid_i,
  // E1: the first beat that reads a special register
  input  wire          k_valid_i,
  input  wire [4:0]    k_warp_i, k_num_i,
  // a block starts
  input  wire          p_valid_i,
  input  wire [4:0]    p_slot_i,
  input  wire [31:0]   p_block_i,
  input  wire [8:0]    reads_i, writes_i,    // sectors of the LSU's retiring instruction
  input  wire [71:0]   late_i,               // see bound.v
  // a byte a port, in the order of their commits: 1: its record is valid
  output wire [15:0]   p_commits,
  output wire          p_valid,
  output wire [7:0]    p_slot,
  output wire [31:0]   p_block,
  // the clock is read in this cycle, by an instruction of this warp slot: its low or its high word
  output wire          k_valid,
  output wire [7:0]    k_slot,
  output wire          k_high,
  output wire [15:0]   p_reads, p_writes,
  output logic [7:0]   p_late,               // 0, or 1 + the number of the bound that is broken
  output logic [4:0]   p_late_slot           // and by which warp slot, where it is a warp
);
  `include "isa_gen.vh"
  assign p_commits = {7'd0, unit_valid_i, 7'd0, pipe_valid_i};
  assign p_valid = p_valid_i;
  assign p_reads  = {7'd0, reads_i};
  assign p_writes = {7'd0, writes_i};
  assign p_slot  = {3'd0, p_slot_i};
  assign p_block = p_block_i;
  assign k_valid = k_valid_i && (k_num_i == SREG_CLOCKLO || k_num_i == SREG_CLOCKHI);
  assign k_slot  = {3'd0, k_warp_i};
  assign k_high  = k_num_i == SREG_CLOCKHI;
  always_comb begin
    {p_late, p_late_slot} = 13'd0;
    for (int i = 0; i < 12; i = i + 1)
      if (late_i[6*i + 5]) begin
        p_late      = 8'(i + 1);
        p_late_slot = late_i[6*i +: 5];
      end
  end
endmodule
`default_nettype wire

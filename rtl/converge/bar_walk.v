// The release of block barriers, the same in both modes.  BAR and EXIT change the counts of their
// block (bar_block.v); where barriers are complete then, lanes of all its warps go on.  So whatever
// was issued retires first, that commits of those warps lie clearly before or after this one; then
// a walk visits every warp of the block, once for each of those barriers.
//
//   CHECK - some barrier is complete -> HOLD - nothing is on its way -> WALK - all visited -> END
//      `--- none: the instruction ends                               the instruction ends ---'
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
module bar_walk (
  input  wire        clk, rst_n,
  input  wire        clear_i,
  input  wire        go_i,                   // the step is written back
  input  wire        step_i,                 // it is one of these
  input  wire        passed_i,               // it has dealt with the warp that is visited
  input  wire        finish_i,               // it ends the instruction
  input  wire [4:0]  warp_i, own_i,          // the step's warp, the instruction's
  input  block_t     block_i,
  input  wire        none_i,                 // nothing is on its way to retire
  output wire        held_o,                 // nothing else issues or retires
  output wire        walking_o,
  output wire        visit_o,             // this step releases the lanes of warp_i at barrier bar_o
  output wire        end_o,   // no barrier is left in this step: the instruction goes on to its end
  output wire [3:0]  bar_o,
  output logic       release_o,              // the whole block has been visited for bar_o
  output logic [4:0] next_o                  // the next step's warp
);
  `include "conv_fn.vh"
  localparam [1:0] W_CHECK = 2'd0, W_HOLD = 2'd1, W_WALK = 2'd2, W_END = 2'd3;
  logic [1:0]  at_q, at_d;
  logic [15:0] bars_q, bars_d;               // barriers to release
  logic [4:0]  index_q, index_d;             // of the warp that is visited, in its block
  assign held_o    = at_q != W_CHECK;
  assign walking_o = at_q == W_WALK;
  assign visit_o   = step_i && at_q == W_WALK;
  assign end_o     = step_i && (at_q == W_END || (at_q == W_CHECK && block_i.complete == 16'd0));
  assign bar_o     = 4'(low({16'd0, bars_q}));
  always_comb begin
    {at_d, bars_d, index_d} = {at_q, bars_q, index_q};
    next_o    = warp_i;
    release_o = 1'b0;
    if (step_i && at_q == W_CHECK && block_i.complete != 16'd0)
      {at_d, bars_d, index_d} = {W_HOLD, block_i.complete, 5'd0};
    if (step_i && at_q == W_HOLD && none_i)
      {at_d, next_o} = {W_WALK, block_i.first};
    if (passed_i) begin
      index_d = index_q + 5'd1;
      next_o  = warp_i + 5'd1;
      if ({1'b0, index_q} + 6'd1 == block_i.warps) begin
        release_o = 1'b1;
        bars_d    = bars_q & (bars_q - 16'd1);
        index_d   = 5'd0;
        next_o    = block_i.first;
        if (bars_d == 16'd0)
          {at_d, next_o} = {W_END, own_i};
      end
    end
    if (finish_i)
      at_d = W_CHECK;
  end
  always @(posedge clk) begin
    if (go_i) begin
      at_q    <= at_d;
      bars_q  <= bars_d;
      index_q <= index_d;
    end
    if (!rst_n || clear_i)
      at_q <= W_CHECK;
  end
endmodule
`default_nettype wire

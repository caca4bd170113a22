// Predicates P0 to P6 of every warp, 32 lanes each; P7 is true.  Three reads in RR, one write.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module predfile #(
  parameter WARPS = 32, LANES = 32
) (
  input  wire             clk,
  input  wire             clear_i,           // a block starts in this warp slot
  input  wire [4:0]       clear_warp_i,
  input  wire [4:0]       rd_warp_i, rd_beat_i,
  input  wire [2:0]       pg_i, ps_i, pt_i,
  output wire [LANES-1:0] pg_o, ps_o, pt_o,  // lanes of the beat
  input  wire             wr_en_i,
  input  wire [4:0]       wr_warp_i, wr_beat_i,
  input  wire [2:0]       wr_pd_i,
  input  wire [LANES-1:0] wr_mask_i, wr_data_i
);
  `include "isa_gen.vh"
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  logic [255:0] p_q [0:WARPS-1];
  wire [255:0]  p  = p_q[rd_warp_i[WB-1:0]];
  wire [4:0]    rl = 5'(rd_beat_i * LANES[5:0]), wl = 5'(wr_beat_i * LANES[5:0]);
  assign pg_o = p[{pg_i, rl} +: LANES];
  assign ps_o = p[{ps_i, rl} +: LANES];
  assign pt_o = p[{pt_i, rl} +: LANES];
  wire [WB-1:0] ww = wr_warp_i[WB-1:0];
  always @(posedge clk) begin
    if (wr_en_i && wr_pd_i != PT)
      p_q[ww][{wr_pd_i, wl} +: LANES] <=
          (wr_data_i & wr_mask_i) | (p_q[ww][{wr_pd_i, wl} +: LANES] & ~wr_mask_i);
    if (clear_i)
      p_q[clear_warp_i[WB-1:0]] <= {32'hffff_ffff, 224'd0};
  end
  wire unused = &{1'b0, rd_warp_i, clear_warp_i, wr_warp_i};
endmodule
`default_nettype wire

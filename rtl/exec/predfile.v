// Predicates P0 to P6 of every warp, 32 lanes each; P7 is true.  Three reads in RR, one write of
// all beats, in order.  A memory with a row for each beat: what a block finds there is of another,
// so that a predicate counts as 0 until it has been written.  Beats of the first write are written
// while others are read, also by the instruction that writes: beats that are still to come count as
// 0.
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
  localparam BN = $clog2(32 / LANES), AB = WB + 3 + BN;
  logic [LANES-1:0] p_q [0:(1<<AB)-1];       // by warp, predicate, beat
  logic [7:0]   some_q [0:WARPS-1];          // have been written, their first beat at least
  // What is being written had not been: of whom, and the beat that was written last.
  logic         first_q;
  logic [WB-1:0] first_warp_q;
  logic [2:0]   first_pd_q;
  logic [4:0]   first_beat_q;
  wire [WB-1:0] rw = rd_warp_i[WB-1:0], ww = wr_warp_i[WB-1:0];
  wire [7:0]    some = some_q[rw];
  wire [AB-1:0] to = AB'({ww, wr_pd_i, 5'd0} >> (5 - BN)) | AB'(wr_beat_i);
  wire          first = wr_beat_i == 5'd0 ? !some_q[ww][wr_pd_i] : first_q;
  wire [LANES-1:0] was = first ? {LANES{1'b0}} : p_q[to];
  wire [8:0]    asked = {pt_i, ps_i, pg_i};
  wire [3*LANES-1:0] read;
  genvar k;
  generate
    for (k = 0; k < 3; k = k + 1) begin : g_read
      wire [2:0]    p  = asked[3*k +: 3];
      wire [AB-1:0] at = AB'({rw, p, 5'd0} >> (5 - BN)) | AB'(rd_beat_i);
      wire          early = first_q && first_warp_q == rw && first_pd_q == p
                            && rd_beat_i > first_beat_q;
      assign read[LANES*k +: LANES] = p == PT ? {LANES{1'b1}}
                                    : some[p] && !early ? p_q[at] : {LANES{1'b0}};
    end
  endgenerate
  assign {pt_o, ps_o, pg_o} = read;
  always @(posedge clk) begin
    if (wr_en_i && wr_pd_i != PT) begin
      p_q[to] <= (wr_data_i & wr_mask_i) | (was & ~wr_mask_i);
      some_q[ww][wr_pd_i] <= 1'b1;
      first_q <= first && wr_beat_i != 5'(32 / LANES - 1);
      {first_warp_q, first_pd_q, first_beat_q} <= {ww, wr_pd_i, wr_beat_i};
    end
    if (clear_i)
      some_q[clear_warp_i[WB-1:0]] <= 8'd0;
  end
  wire unused = &{1'b0, rd_warp_i, clear_warp_i, wr_warp_i};
endmodule
`default_nettype wire

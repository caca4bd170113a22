// Result beats: the rows of a load's or an atomic's data as beats of the register write port, twice
// for 128 bits.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_result #(
  parameter LANES = 32
) (
  input  wire                  clk,
  input  wire                  clear_i,      // from the first beat of the first pass
  input  wire                  valid_i,      // results are written
  output wire                  end_o,        // the last of them is taken
  input  wire  [2:0]           lg_i,         // bytes a lane: 1 << lg
  input  wire  [7:0]           rd_i,
  input  wire  [31:0]          mask_i,
  output logic [4:0]           beat_o,       // the row that is wanted:
  input  wire  [128*LANES-1:0] data_i,       // word w of lane l at 32*LANES*w + 32*l
  // beats, one pair of registers a pass
  input  wire                  wb_ready_i,
  output wire                  wb_last_o,
  output logic                 wb_pass_o,
  output wire  [6:0]           wb_pair_o,
  output wire  [1:0]           wb_half_o,
  output wire  [LANES-1:0]     wb_mask_o,
  output logic [64*LANES-1:0]  wb_data_o
);
  localparam BEATS = 32 / LANES;
  localparam LB    = $clog2(LANES);
  assign wb_last_o = beat_o == 5'(BEATS - 1);
  assign wb_pair_o = rd_i[7:1] | 7'(wb_pass_o);
  assign wb_half_o = lg_i >= 3'd3 ? 2'b11 : rd_i[0] ? 2'b10 : 2'b01;
  assign wb_mask_o = LANES'(mask_i >> (beat_o << LB));
  assign end_o     = valid_i && wb_ready_i && wb_last_o && (lg_i != 3'd4 || wb_pass_o);
  always_ff @(posedge clk)
    if (clear_i) begin
      beat_o    <= '0;
      wb_pass_o <= 1'b0;
    end else if (valid_i && wb_ready_i) begin
      beat_o <= wb_last_o ? 5'd0 : beat_o + 5'd1;
      if (wb_last_o) wb_pass_o <= 1'b1;
    end
  always_comb begin
    wb_data_o = '0;
    if (valid_i)
      for (int l = 0; l < LANES; l++) begin
        wb_data_o[64*l +: 32] = wb_pass_o ? data_i[64*LANES + 32*l +: 32] : data_i[32*l +: 32];
        wb_data_o[64*l+32 +: 32] = wb_pass_o ? data_i[96*LANES + 32*l +: 32]
                                 : lg_i >= 3'd3 ? data_i[32*LANES + 32*l +: 32]
                                 : data_i[32*l +: 32];
      end
  end
endmodule
`default_nettype wire

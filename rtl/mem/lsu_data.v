// The data of an instruction, a row for each of its beats: what comes in with the request, from a
// sector or the banks of shared memory, and what an atomic leaves in its lane.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_data #(
  parameter LANES = 32,
  parameter BANKS = 32
) (
  input  wire                  clk,
  input  wire  [4:0]           beat_i,       // the row
  output wire  [128*LANES-1:0] data_o,       // word w of lane l at 32*LANES*w + 32*l
  // a beat of the request; its second pass is the upper half of a 128-bit store
  input  wire                  take_i, pass_i,
  input  wire  [64*LANES-1:0]  b_i, c_i,
  // words that a load has read: lsu_extract.v
  input  wire                  sector_we_i, banks_we_i,
  input  wire                  shared_i, local_i, signed_i,
  input  wire  [2:0]           lg_i,
  input  wire  [LANES-1:0]     mask_i,
  input  wire  [1:0]           word_i,
  input  wire  [32*LANES-1:0]  addr_i,
  input  wire  [255:0]         sector_i,
  input  wire  [32*BANKS-1:0]  banks_i,
  // what an atomic found
  input  wire                  l_valid_i,
  input  wire  [4:0]           l_lane_i,
  input  wire  [63:0]          l_old_i
);
  localparam BEATS = 32 / LANES;
  wire  [128*LANES-1:0] extracted;
  logic [128*LANES-1:0] data_d;
  /* verilator lint_off PINCONNECTEMPTY */
  lsu_rows #(.WIDTH(128*LANES), .ROWS(BEATS)) u_rows (
    .clk(clk), .we_i(take_i || sector_we_i || banks_we_i || l_valid_i), .row_i(beat_i),
    .d_i(data_d), .q_o(data_o), .row2_i(beat_i), .q2_o());
  /* verilator lint_on PINCONNECTEMPTY */
  lsu_extract #(.LANES(LANES), .BANKS(BANKS)) u_extract (
    .en_i(sector_we_i || banks_we_i), .shared_i(shared_i), .local_i(local_i), .mask_i(mask_i),
    .beat_i(beat_i), .word_i(word_i), .lg_i(lg_i), .signed_i(signed_i), .addr_i(addr_i),
    .sector_i(sector_i), .banks_i(banks_i), .data_i(data_o), .data_o(extracted));
  always_comb begin
    data_d = extracted;
    if (take_i)
      for (int l = 0; l < LANES; l++) begin
        {data_d[32*LANES + 32*l +: 32], data_d[32*l +: 32]} =
          pass_i ? {data_o[32*LANES + 32*l +: 32], data_o[32*l +: 32]} : b_i[64*l +: 64];
        {data_d[96*LANES + 32*l +: 32], data_d[64*LANES + 32*l +: 32]} =
          pass_i ? b_i[64*l +: 64] : c_i[64*l +: 64];
      end
    else if (l_valid_i) begin
      data_d = data_o;
      for (int l = 0; l < LANES; l++)
        if (l_lane_i == 5'(l)) begin
          data_d[32*l +: 32] = l_old_i[31:0];
          data_d[32*LANES + 32*l +: 32] = l_old_i[63:32];
        end
    end
  end
endmodule
`default_nettype wire

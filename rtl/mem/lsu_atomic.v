// Works off the atomics of one group on the sector that was read for it, a lane a cycle, in order.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module lsu_atomic #(
  parameter LANES = 32
) (
  input  wire                  clk,
  input  wire                  rst_n,
  input  wire  [3:0]           op_i,
  input  wire                  wide_i,
  output wire                  idle_o,     // the next sector is taken
  input  wire                  s_valid_i,  // a sector, and the lanes that act on it
  input  wire  [255:0]         s_data_i,
  input  wire  [`ADDR_BITS-6:0] s_sector_i,
  input  wire  [4:0]           s_beat_i,
  input  wire  [LANES-1:0]     s_mask_i,
  // the rows of beat_o
  output wire  [4:0]           beat_o,
  input  wire  [32*LANES-1:0]  addr_i,
  input  wire  [128*LANES-1:0] data_i,     // word w of lane l at 32*LANES*w + 32*l: b in words 0,
                                           // 1; c in 2, 3
  // one lane has acted
  output wire                  l_valid_o,
  output wire  [4:0]           l_lane_o,   // within the beat
  output logic [63:0]          l_old_o,
  output wire  [63:0]          l_new_o,
  // all have: the sector, and the bytes that changed hands
  output wire                  w_valid_o,
  input  wire                  w_ready_i,
  output wire  [`ADDR_BITS-6:0] w_sector_o,
  output wire  [255:0]         w_data_o,
  output wire  [31:0]          w_strb_o,
  output wire  [LANES-1:0]     w_mask_o    // the lanes that did
);
  logic             busy_q;
  logic [LANES-1:0] mask_q, all_q;           // lanes that have yet to act; all of the group
  logic [`ADDR_BITS-6:0] sector_q;
  logic [4:0]       beat_q;
  logic [255:0]     data_q;
  logic [31:0]      strb_q;

  logic [4:0]  lane;
  logic [2:0]  at;                           // the sector's word that the lane acts on
  logic [63:0] pair, b, c;
  always_comb begin
    {lane, at, pair, b, c, l_old_o} = '0;
    if (l_valid_o) begin
      for (int l = LANES - 1; l >= 0; l--)
        if (mask_q[l]) lane = 5'(l);
      at = addr_i[32*lane+2 +: 3];
      pair = data_q[{at[2:1], 6'd0} +: 64];
      l_old_o = wide_i ? pair : at[0] ? {32'd0, pair[63:32]} : {32'd0, pair[31:0]};
      b = {data_i[32*LANES + 32*lane +: 32], data_i[32*lane +: 32]};
      c = {data_i[96*LANES + 32*lane +: 32], data_i[64*LANES + 32*lane +: 32]};
    end
  end
  atomic u_atomic (
    .op_i(op_i), .wide_i(wide_i), .old_i(l_old_o), .b_i(b), .c_i(c), .new_o(l_new_o));

  assign idle_o     = !busy_q;
  assign beat_o     = beat_q;
  assign l_valid_o  = busy_q && mask_q != '0;
  assign l_lane_o   = lane;
  assign w_valid_o  = busy_q && mask_q == '0;
  assign w_sector_o = sector_q;
  assign w_data_o   = data_q;
  assign w_strb_o   = strb_q;
  assign w_mask_o   = all_q;

  always_ff @(posedge clk)
    if (!rst_n) busy_q <= 1'b0;
    else if (!busy_q) begin
      if (s_valid_i) begin
        busy_q   <= 1'b1;
        mask_q   <= s_mask_i;
        all_q    <= s_mask_i;
        sector_q <= s_sector_i;
        beat_q   <= s_beat_i;
        data_q   <= s_data_i;
        strb_q   <= '0;
      end
    end else if (l_valid_o) begin
      mask_q[lane[($clog2(LANES) > 0 ? $clog2(LANES) : 1)-1:0]] <= 1'b0;
      for (int j = 0; j < 4; j++)
        if (at[2:1] == 2'(j)) begin
          if (wide_i || !at[0]) begin
            data_q[64*j +: 32] <= l_new_o[31:0];
            strb_q[8*j +: 4]   <= 4'hf;
          end
          if (wide_i || at[0]) begin
            data_q[64*j+32 +: 32] <= wide_i ? l_new_o[63:32] : l_new_o[31:0];
            strb_q[8*j+4 +: 4]    <= 4'hf;
          end
        end
    end else if (w_ready_i) busy_q <= 1'b0;
endmodule
`default_nettype wire

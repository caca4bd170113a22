// For tests/rtl/flags.pl: a memory in each of 32 lanes (LANE = 1), or one memory whose rows hold
// all lanes.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module flags #(
  parameter LANE = 0
) (
  input  wire          clk,
  input  wire [31:0]   we_i,
  input  wire [4:0]    to_i,
  input  wire [1023:0] d_i,
  output wire [1023:0] o
);
  genvar l;
  generate
    if (LANE != 0) begin : g_lanes
      for (l = 0; l < 32; l = l + 1) begin : g_lane
        reg [31:0] word_q [0:31];
        assign o[32*l +: 32] = word_q[to_i];
        always @(posedge clk)
          if (we_i[l]) word_q[to_i] <= d_i[32*l +: 32];
      end
    end else begin : g_row
      reg [1023:0] row_q [0:31];
      assign o = row_q[to_i];
      always @(posedge clk)
        if (we_i != 32'd0) row_q[to_i] <= d_i;
    end
  endgenerate
endmodule
`default_nettype wire

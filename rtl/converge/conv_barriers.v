// The barrier registers of all warps: which lanes participate.  A row is the registers of a warp.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module conv_barriers #(
  parameter WARPS = 32
) (
  input  wire         clk,
  input  wire  [4:0]  warp_i,
  input  wire  [3:0]  sel_i,                 // the register looked at, written
  output wire  [31:0] now_o,
  // in a step that is written back, one of these:
  input  wire         go_i,
  input  wire         start_i,               // all of the warp are empty
  input  wire         we_i,
  input  wire  [31:0] put_i,
  // BMOV.R
  input  wire  [4:0]  bmov_warp_i,
  input  wire  [3:0]  bmov_bx_i,
  output wire  [31:0] bmov_o
);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  logic [511:0] b_mem [0:WARPS-1];
  wire  [511:0] bs   = b_mem[warp_i[WB-1:0]];
  wire  [511:0] bmov = b_mem[bmov_warp_i[WB-1:0]];
  assign now_o  = bs[{sel_i, 5'd0} +: 32];
  assign bmov_o = bmov[{bmov_bx_i, 5'd0} +: 32];
  logic [511:0] bs_next;
  always_comb begin
    bs_next = start_i ? 512'd0 : bs;
    for (int k = 0; k < 16; k = k + 1)
      if (we_i && sel_i == 4'(k))
        bs_next[32*k +: 32] = put_i;
  end
  always @(posedge clk)
    if (go_i && (start_i || we_i))
      b_mem[warp_i[WB-1:0]] <= bs_next;
  wire unused = &{1'b0, warp_i, bmov_warp_i};
endmodule
`default_nettype wire

// Set when a request has waited for PATIENCE cycles, until after the cycle in which it is served.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module starve #(
  parameter PATIENCE = 8
) (
  input  wire clk, rst_n,
  input  wire wait_i,
  output wire late_o
);
  localparam P = $clog2(PATIENCE + 1);
  logic [P-1:0] count_q;
  assign late_o = count_q == P'(PATIENCE);
  always @(posedge clk)
    if (!rst_n || !wait_i)
      count_q <= {P{1'b0}};
    else if (!late_o)
      count_q <= count_q + P'(1);
endmodule
`default_nettype wire

// Says so for one cycle when somebody has waited for eight.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module starve (
  input  wire clk,
  input  wire wait_i,
  output wire starved_o
);
  logic [2:0] count_q;
  assign starved_o = wait_i && count_q == 3'd7;
  always @(posedge clk)
    count_q <= wait_i ? count_q + 3'd1 : 3'd0;
endmodule
`default_nettype wire

// One of those who ask, in turn: the first after the one that was taken last.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module share_pick #(
  parameter N = 2
) (
  input  wire         clk, rst_n,
  input  wire [N-1:0] ask_i,
  input  wire         take_i,                // who is picked in this cycle goes to the end
  output wire [N-1:0] pick_o                 // a bit, or none
);
  logic [N-1:0] after_q;                     // numbers above that one
  wire  [N-1:0] later = ask_i & after_q;
  wire  [N-1:0] from = later != {N{1'b0}} ? later : ask_i;
  assign pick_o = from & (~from + 1'b1);
  always @(posedge clk)
    if (!rst_n)
      after_q <= {N{1'b0}};
    else if (take_i && pick_o != {N{1'b0}})
      after_q <= ~(pick_o | (pick_o - 1'b1));
endmodule
`default_nettype wire

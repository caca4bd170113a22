// Gives the grid's blocks to several cores, in order, each to one that has room for it.  Every core
// counts all blocks (dispatcher.v): while one starts a block no other may, and when it has, all
// others skip it.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module share_blocks #(
  parameter CORES = 2
) (
  input  wire             clk, rst_n,
  input  wire [CORES-1:0] ask_i, placing_i, done_i,
  output wire [CORES-1:0] give_o, skip_o
);
  wire [CORES-1:0] first;
  wire             free = placing_i == {CORES{1'b0}};
  share_pick #(.N(CORES)) u_pick (
    .clk(clk), .rst_n(rst_n), .ask_i(ask_i), .take_i(free), .pick_o(first));
  assign give_o = free ? first : {CORES{1'b0}};
  assign skip_o = done_i != {CORES{1'b0}} ? ~done_i : {CORES{1'b0}};
endmodule
`default_nettype wire

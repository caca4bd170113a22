// Whose turn it is among N that want the same thing.  The turn goes round; one that waits keeps it
// until it is served.  When others have been served PATIENCE times meanwhile it is urgent: it goes
// before them.  So no warp waits for longer than N turns, in whatever rhythm the resource is free.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module turn #(
  parameter N = 32, PATIENCE = 32
) (
  input  wire         clk, rst_n,
  input  wire [N-1:0] want_i,
  input  wire [N-1:0] served_i,              // of those that want
  input  wire         chance_i,              // a warp could be served in this cycle
  output wire [N-1:0] urgent_oh_o
);
  localparam B = N > 1 ? $clog2(N) : 1;
  localparam P = $clog2(PATIENCE + 1);
  logic [B-1:0] which_q;
  logic [P-1:0] count_q;
  wire waits = want_i[which_q] && !served_i[which_q];
  assign urgent_oh_o = want_i[which_q] && count_q == P'(PATIENCE) ?
                       {{N-1{1'b0}}, 1'b1} << which_q : {N{1'b0}};
  always @(posedge clk) begin
    if (!waits) begin
      which_q <= which_q == B'(N - 1) ? {B{1'b0}} : which_q + B'(1);
      count_q <= {P{1'b0}};
    end else if (chance_i && count_q != P'(PATIENCE))
      count_q <= count_q + P'(1);
    if (!rst_n) begin
      which_q <= {B{1'b0}};
      count_q <= {P{1'b0}};
    end
  end
endmodule
`default_nettype wire

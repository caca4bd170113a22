// In which order N things of each warp were last touched, as age.v has it, one a cycle: a list, the
// youngest first.  What is touched moves to its head; a mask's youngest is the first one in the
// list that is in the mask.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module age_serial #(
  parameter N = 32, WARPS = 4
) (
  input  wire                 clk,
  input  wire                 clear_i,
  input  wire                 on_i, go_i,    // a step is under way; it ends in this cycle
  input  wire  [4:0]          warp_i,
  input  wire                 en_i,          // youngest_o is wanted, and the mask is known
  input  wire  [N-1:0]        mask_i,
  output logic [$clog2(N)-1:0] youngest_o,
  input  wire                 touch_i,       // in the same step only after youngest_o is found
  input  wire  [$clog2(N)-1:0] which_i,
  output wire                 found_o, ready_o
);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  localparam B  = $clog2(N);
  wire  [WB-1:0] w = warp_i[WB-1:0];
  logic [B-1:0]  list [0:WARPS*N-1];
  logic [B:0]    length_q [0:WARPS-1];       // things touched so far
  logic [B:0]    at_q;
  logic          found_q, touched_q;
  logic [B-1:0]  moved_q;                    // what was at the place before
  wire  [B-1:0]  here  = list[{w, at_q[B-1:0]}];
  wire           ended = at_q == length_q[w];
  wire           finds = on_i && en_i && !found_q;
  wire           moves = on_i && touch_i && found_o && !touched_q;
  assign found_o = !en_i || found_q;
  assign ready_o = found_o && (!touch_i || touched_q);
  integer k;
  always @(posedge clk) begin
    if (finds) begin
      youngest_o <= here;
      found_q    <= ended || mask_i[here];
      at_q       <= ended || mask_i[here] ? {B+1{1'b0}} : at_q + 1'd1;
    end
    if (moves) begin
      list[{w, at_q[B-1:0]}] <= at_q == {B+1{1'b0}} ? which_i : moved_q;
      moved_q   <= here;
      at_q      <= at_q + 1'd1;
      touched_q <= ended || here == which_i;
      if (ended)
        length_q[w] <= at_q + 1'd1;
    end
    if (!on_i || go_i)
      {found_q, touched_q, at_q} <= {B+3{1'b0}};
    if (clear_i)
      for (k = 0; k < WARPS; k = k + 1)
        length_q[k] <= {B+1{1'b0}};
  end
  wire unused = &{1'b0, warp_i};
endmodule
`default_nettype wire

// Remembers, for every warp, in which order N things were last touched: bit j of row i, for j above
// i, says that j was touched after i.  A mask picks the youngest of any subset, so nothing is ever
// removed.  This is the reconvergence stack STK (lanes; members are the mask) and the order in
// which barriers were blocked on; a stack of lane ids would need holes to be closed when a lane
// leaves its middle.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module age #(
  parameter N = 32, WARPS = 32
) (
  input  wire                 clk,
  input  wire  [4:0]          warp_i,
  input  wire                 en_i,          // youngest_o is wanted
  input  wire  [N-1:0]        mask_i,
  output logic [$clog2(N)-1:0] youngest_o,
  input  wire                 touch_i,
  input  wire  [$clog2(N)-1:0] which_i
);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  localparam B  = $clog2(N);
  wire [WB-1:0] w = warp_i[WB-1:0];
  wire [N*N-1:0] younger;                    // rows, 0 where there is no bit
  assign younger[N*N-1 -: N] = {N{1'b0}};
  genvar i;
  generate
    for (i = 0; i < N - 1; i = i + 1) begin : g_row
      logic [N-2-i:0] row_q [0:WARPS-1];
      wire  [N-1:0]   row = {row_q[w], {i+1{1'b0}}};
      wire  [N-1:0]   touched = which_i == B'(i) ? {N{1'b0}}
                              : row | ({{N-1{1'b0}}, 1'b1} << which_i);
      assign younger[N*i +: N] = row;
      always @(posedge clk)
        if (touch_i)
          row_q[w] <= touched[N-1:i+1];
      wire unused = &{1'b0, touched[i:0]};
    end
  endgenerate
  logic [N-1:0] after;                       // a whole row: those touched after k
  always_comb begin
    youngest_o = {B{1'b0}};
    after      = {N{1'b0}};
    if (en_i)
      for (int k = 0; k < N; k = k + 1)
        if (mask_i[k]) begin
          after = younger[N*k +: N];
          for (int j = 0; j < k; j = j + 1)
            after[j] = !younger[N*j + k];
          if ((after & mask_i) == {N{1'b0}})
            youngest_o = youngest_o | B'(k);
        end
  end
  wire unused = &{1'b0, warp_i};
endmodule
`default_nettype wire

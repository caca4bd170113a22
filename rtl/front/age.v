// Remembers, for every warp, in which order N things were last touched: bit j of row i says that j
// was touched after i.  A mask picks the youngest of any subset, so nothing is ever removed.  This
// is the reconvergence stack STK (lanes; members are the mask) and the order in which barriers were
// blocked on; a stack of lane ids would need holes to be closed when a lane leaves its middle.
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
  wire [N*N-1:0] younger;
  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_row
      logic [N-1:0] row_q [0:WARPS-1];
      assign younger[N*i +: N] = row_q[w];
      always @(posedge clk)
        if (touch_i)
          row_q[w] <= which_i == B'(i) ? {N{1'b0}} : younger[N*i +: N]
                                                  | ({{N-1{1'b0}}, 1'b1} << which_i);
    end
  endgenerate
  always_comb begin
    youngest_o = {B{1'b0}};
    if (en_i)
      for (int k = 0; k < N; k = k + 1)
        if (mask_i[k] && (younger[N*k +: N] & mask_i) == {N{1'b0}})
          youngest_o = B'(k);
  end
  wire unused = &{1'b0, warp_i};
endmodule
`default_nettype wire

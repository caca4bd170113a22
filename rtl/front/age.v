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
  // Rows i and N - 2 - i, which have N bits together, are word i of the warp's row of a memory:
  // bits above i are those of row i, the others those of row N - 2 - i.
  localparam WORDS = N / 2;
  logic [WORDS*N-1:0] row_q [0:WARPS-1];
  always @(posedge clk)
    if (touch_i)
      row_q[w] <= touched(row_q[w]);
  // What row i has of its word.
  function automatic [N-1:0] upper(input [N-1:0] word, input integer i);
    upper = word & ({N{1'b1}} << (i + 1));
  endfunction
  function automatic [WORDS*N-1:0] touched(input [WORDS*N-1:0] rows);
    reg [N-1:0] which;
    begin
      which = {{N-1{1'b0}}, 1'b1} << which_i;
      for (int i = 0; i < WORDS; i = i + 1) begin
        touched[N*i +: N] = {N{1'b0}};
        if (which_i != B'(i))
          touched[N*i +: N] = upper(rows[N*i +: N] | which, i);
        if (i != N - 2 - i && which_i != B'(N - 2 - i))
          touched[N*i +: N] = touched[N*i +: N]
            | ((rows[N*i +: N] | which >> (N - 1 - i)) & ~upper({N{1'b1}}, i));
      end
    end
  endfunction
  logic [WORDS*N-1:0] rows;
  logic [N-1:0] row, left;                   // row k; those that may be the youngest
  always_comb begin
    youngest_o = {B{1'b0}};
    {row, left} = {2*N{1'b0}};
    rows = {WORDS*N{1'b0}};
    if (en_i) begin
      rows = row_q[w];
      left = mask_i;
      for (int k = 0; k < N; k = k + 1)
        if (mask_i[k]) begin
          row = k == N - 1 ? {N{1'b0}} : k < WORDS ? upper(rows[N*k +: N], k)
              : rows[N*(N - 2 - k) +: N] << (k + 1);
          left = left & ~upper(~row, k);     // those above k that were touched before it
          if ((row & mask_i) != {N{1'b0}})
            left[k] = 1'b0;
        end
      for (int k = 0; k < N; k = k + 1)
        if (left[k])
          youngest_o = youngest_o | B'(k);
    end
  end
  wire unused = &{1'b0, warp_i};
endmodule
`default_nettype wire

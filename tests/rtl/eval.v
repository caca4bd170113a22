// Inputs of every width that Verilator knows, for tests/rtl/eval.sh: each goes to outputs at once
// and through registers.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module eval (
  input  wire         clk, rst_n,
  input  wire [7:0]   a_i,
  input  wire [15:0]  b_i,
  input  wire [31:0]  c_i,
  input  wire [39:0]  d_i,
  input  wire [255:0] e_i,
  output wire [255:0] o,
  output wire [31:0]  sum_o,
  output reg  [31:0]  sum_q
);
  reg [255:0] q;
  assign o     = {216'd0, d_i} ^ e_i ^ q ^ {224'd0, sum_o};
  assign sum_o = {24'd0, a_i} + {16'd0, b_i} + c_i + (rst_n ? sum_q : 32'd7);
  always @(posedge clk)
    if (!rst_n) {q, sum_q} <= 288'd0;
    else        {q, sum_q} <= {o + {q[254:0], q[255]}, sum_o};
endmodule
`default_nettype wire

// The instructions at which groups have lately begun, with their PCs: when a group begins there
// again, fetch has the first one in the cycle in which the convergence unit says so, two cycles
// sooner than from the instruction cache.  Direct mapped.  What may not be kept is fetch's affair;
// what is kept stays right until the next grid, since nothing writes .text.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module targets #(
  parameter COUNT = 16                       // a power of two, 2 or more
) (
  input  wire         clk, rst_n,
  input  wire         clear_i,               // a new grid: forget everything
  input  wire  [31:0] pc_i,
  output wire         hit_o,                 // in the same cycle
  output wire [127:0] word_o,
  output wire         constant_o,            // its operand is in the constant cache
  input  wire         put_i,
  input  wire  [31:0] put_pc_i,
  input  wire [127:0] put_word_i,
  input  wire         put_constant_i
);
  localparam IB = $clog2(COUNT);
  logic [128:0]     word_q [0:COUNT-1];
  logic [27-IB:0]   tag_q  [0:COUNT-1];
  logic [COUNT-1:0] valid_q;
  wire  [IB-1:0]    at = pc_i[3+IB:4], put_at = put_pc_i[3+IB:4];
  assign hit_o  = valid_q[at] && tag_q[at] == pc_i[31:4+IB] && pc_i[3:0] == 4'd0;
  assign {constant_o, word_o} = word_q[at];
  always @(posedge clk) begin
    if (put_i) begin
      word_q[put_at]  <= {put_constant_i, put_word_i};
      tag_q[put_at]   <= put_pc_i[31:4+IB];
      valid_q[put_at] <= 1'b1;
    end
    if (clear_i || !rst_n)
      valid_q <= {COUNT{1'b0}};
  end
  wire unused = &{1'b0, put_pc_i[3:0]};
endmodule
`default_nettype wire

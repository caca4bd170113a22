// One beat-wide row of per-lane values for each beat of the instructions in the LSU.
// A single row is a plain register; more are a small memory, read without a clock.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_rows #(
  parameter WIDTH = 32,
  parameter ROWS  = 1
) (
  input  wire              clk,
  input  wire              we_i,
  input  wire  [8:0]       to_i,     // written
  input  wire  [WIDTH-1:0] d_i,
  input  wire  [8:0]       row_i,    // read
  output wire  [WIDTH-1:0] q_o,
  input  wire  [8:0]       row2_i,   // second read port
  output wire  [WIDTH-1:0] q2_o
);
  generate
    if (ROWS == 1) begin : g_one
      logic [WIDTH-1:0] row_q;
      always_ff @(posedge clk) if (we_i) row_q <= d_i;
      assign q_o  = row_q;
      assign q2_o = row_q;
      wire unused = &{1'b0, to_i, row_i, row2_i};
    end else begin : g_many
      localparam B = $clog2(ROWS);
      logic [WIDTH-1:0] row_q [0:ROWS-1];
      always_ff @(posedge clk) if (we_i) row_q[to_i[B-1:0]] <= d_i;
      assign q_o  = row_q[row_i[B-1:0]];
      assign q2_o = row_q[row2_i[B-1:0]];
      if (B < 9) begin : g_unused
        wire unused = &{1'b0, to_i[8:B], row_i[8:B], row2_i[8:B]};
      end
    end
  endgenerate
endmodule
`default_nettype wire

// Rows of words like lsu_rows.v's, of which each word is written or not by itself: what is not is
// kept without a multiplexer.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_words #(
  parameter WORDS = 4,                   // of a row
  parameter ROWS  = 1
) (
  input  wire                clk,
  input  wire  [8:0]         row_i,      // read, without a clock, and written
  input  wire  [WORDS-1:0]   we_i,
  input  wire  [32*WORDS-1:0] d_i,
  output wire  [32*WORDS-1:0] q_o
);
  localparam B = ROWS > 1 ? $clog2(ROWS) : 1;
  localparam [B-1:0] LAST = B'(ROWS - 1);
  wire  [B-1:0] row = row_i[B-1:0] & LAST;
  logic [32*WORDS-1:0] row_q [0:ROWS-1];
  always_ff @(posedge clk)
    for (int w = 0; w < WORDS; w++)
      if (we_i[w]) row_q[row][32*w +: 32] <= d_i[32*w +: 32];
  assign q_o = row_q[row];
  wire unused = &{1'b0, row_i};
endmodule
`default_nettype wire

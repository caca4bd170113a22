// Shared memory: BANKS banks of 32-bit words with byte strobes; a word read comes one cycle later.
// It starts as zero, and keeps its content from block to block and from launch to launch.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module shared_mem #(
  parameter BANKS = 32,
  parameter BYTES = 65536,
  parameter ROWS  = BYTES / (4 * BANKS),
  parameter RB    = $clog2(ROWS)
) (
  input  wire                  clk,
  input  wire  [BANKS-1:0]     en_i,       // one access a bank
  input  wire                  write_i,
  input  wire  [RB*BANKS-1:0]  row_i,
  input  wire  [32*BANKS-1:0]  data_i,     // byte i of bank b at 8*BANKS*i + 8*b
  input  wire  [4*BANKS-1:0]   strb_i,     // at BANKS*i + b
  output wire  [32*BANKS-1:0]  data_o
);
  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
      logic [31:0]  word_q [0:ROWS-1];
      logic [31:0]  read_q;
      wire [RB-1:0] row = row_i[RB*b +: RB];
`ifndef SYNTHESIS                          // block RAM starts as zero by itself
      initial
        for (int i = 0; i < ROWS; i++) word_q[i] = 32'd0;
`endif
      // A blocking write: only this block sees the words, and simulation is faster by far.
      // verilator lint_off BLKSEQ
      always @(posedge clk)
        if (en_i[b]) begin
          if (!write_i) read_q <= word_q[row];
          else
            for (int i = 0; i < 4; i++)
              if (strb_i[BANKS*i + b]) word_q[row][8*i +: 8] = data_i[8*BANKS*i + 8*b +: 8];
        end
      // verilator lint_on BLKSEQ
      assign data_o[32*b +: 32] = read_q;
    end
  endgenerate
endmodule
`default_nettype wire

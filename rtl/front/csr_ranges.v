// The memory ranges of a launch: a base, a limit and whether it may be written, three words each
// of the launch registers.  All of them are there at a time, for ranges.v; or, with SERIAL, they
// are in a memory, where ranges_serial.v looks at one in a cycle.  After a reset that memory takes
// 16 cycles to become zero.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "launch.vh"
module csr_ranges #(
  parameter SERIAL = 0
) (
  input  wire         clk, rst_n,
  output wire         ready_o,               // no access before
  input  wire         we_i,
  input  wire  [5:0]  we_word_i, rd_word_i,  // {range, word of it}
  input  wire  [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic [511:0] base_o, limit_o,      // range r in bits 32 r +: 32; 0 with SERIAL
  output logic [15:0] write_o,
  input  wire  [3:0]  look_i,                // with SERIAL
  output range_t      look_o
);
  generate
    if (SERIAL == 0) begin : g_all
      assign ready_o = 1'b1;
      assign look_o  = {$bits(look_o){1'b0}};
      always_ff @(posedge clk)
        if (!rst_n)
          {base_o, limit_o, write_o} <= 1040'd0;
        else if (we_i)
          for (int r = 0; r < 16; r = r + 1)
            if (we_word_i[5:2] == 4'(r))
              case (we_word_i[1:0])
                2'd0: base_o[32*r +: 32]  <= wdata_i;
                2'd1: limit_o[32*r +: 32] <= wdata_i;
                2'd2: write_o[r]          <= wdata_i[0];
                default: ;
              endcase
      always_comb
        case (rd_word_i[1:0])
          2'd0: rdata_o = base_o[{rd_word_i[5:2], 5'd0} +: 32];
          2'd1: rdata_o = limit_o[{rd_word_i[5:2], 5'd0} +: 32];
          2'd2: rdata_o = {31'd0, write_o[rd_word_i[5:2]]};
          default: rdata_o = 32'd0;
        endcase
      wire unused = &{1'b0, look_i};
    end else begin : g_memory
      logic [31:0] base_q [0:15];
      logic [31:0] limit_q [0:15];
      logic        write_q [0:15];
      logic [4:0]  clear_q;                  // rows that are zero
      assign ready_o = clear_q[4];
      assign {base_o, limit_o, write_o} = 1040'd0;
      wire  [3:0]  row   = ready_o ? we_word_i[5:2] : clear_q[3:0];
      wire  [31:0] data  = ready_o ? wdata_i : 32'd0;
      wire  [2:0]  words = !ready_o ? 3'b111 : we_i ? 3'b001 << we_word_i[1:0] : 3'b000;
      always_ff @(posedge clk) begin
        if (words[0]) base_q[row]  <= data;
        if (words[1]) limit_q[row] <= data;
        if (words[2]) write_q[row] <= data[0];
        clear_q <= !rst_n ? 5'd0 : clear_q + 5'(!ready_o);
      end
      assign look_o = {write_q[look_i], limit_q[look_i], base_q[look_i]};
      always_comb
        case (rd_word_i[1:0])
          2'd0: rdata_o = base_q[rd_word_i[5:2]];
          2'd1: rdata_o = limit_q[rd_word_i[5:2]];
          2'd2: rdata_o = {31'd0, write_q[rd_word_i[5:2]]};
          default: rdata_o = 32'd0;
        endcase
    end
  endgenerate
endmodule
`default_nettype wire

// The memory ranges of a launch: a base, a limit, whether it may be written, and the upper bits of
// base and limit, four words each of the launch registers.  All of them are there at a time, for
// ranges.v; or, with SERIAL, they are in a memory, where ranges_serial.v looks at one in a cycle.
// After a reset that memory takes 16 cycles to become zero.
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
  output logic [16*`ADDR_BITS-1:0] base_o, limit_o,    // range r in bits AB r +: AB; 0 with SERIAL
  output logic [15:0] write_o,
  input  wire  [3:0]  look_i,                // with SERIAL
  output range_t      look_o
);
  localparam AB = `ADDR_BITS;
  // The bits that there are of an address whose words are these.
  function automatic [AB-1:0] address(input [15:0] upper, input [31:0] low);
    address = AB'({upper, low});
  endfunction
  function automatic [31:0] upper_of(input [AB-1:0] limit, input [AB-1:0] base);
    upper_of = {16'(48'(limit) >> 32), 16'(48'(base) >> 32)};
  endfunction
  generate
    if (SERIAL == 0) begin : g_all
      assign ready_o = 1'b1;
      assign look_o  = {$bits(look_o){1'b0}};
      always_ff @(posedge clk)
        if (!rst_n)
          {base_o, limit_o, write_o} <= '0;
        else if (we_i)
          for (int r = 0; r < 16; r = r + 1)
            if (we_word_i[5:2] == 4'(r))
              case (we_word_i[1:0])
                2'd0: base_o[AB*r +: 32]  <= wdata_i;
                2'd1: limit_o[AB*r +: 32] <= wdata_i;
                2'd2: write_o[r]          <= wdata_i[0];
                default: begin
                  base_o[AB*r +: AB]  <= address(wdata_i[15:0], base_o[AB*r +: 32]);
                  limit_o[AB*r +: AB] <= address(wdata_i[31:16], limit_o[AB*r +: 32]);
                end
              endcase
      always_comb
        case (rd_word_i[1:0])
          2'd0: rdata_o = base_o[AB*rd_word_i[5:2] +: 32];
          2'd1: rdata_o = limit_o[AB*rd_word_i[5:2] +: 32];
          2'd2: rdata_o = {31'd0, write_o[rd_word_i[5:2]]};
          default: rdata_o = upper_of(limit_o[AB*rd_word_i[5:2] +: AB],
                                      base_o[AB*rd_word_i[5:2] +: AB]);
        endcase
      wire unused = &{1'b0, look_i};
    end else begin : g_memory
      logic [31:0] base_q [0:15];
      logic [31:0] limit_q [0:15];
      logic        write_q [0:15];
      logic [31:0] upper_q [0:15];           // of both, as it is written
      logic [4:0]  clear_q;                  // rows that are zero
      assign ready_o = clear_q[4];
      assign base_o  = '0;
      assign limit_o = '0;
      assign write_o = '0;
      wire  [3:0]  row   = ready_o ? we_word_i[5:2] : clear_q[3:0];
      wire  [31:0] data  = ready_o ? wdata_i : 32'd0;
      wire  [3:0]  words = !ready_o ? 4'b1111 : we_i ? 4'b0001 << we_word_i[1:0] : 4'b0000;
      always_ff @(posedge clk) begin
        if (words[0]) base_q[row]  <= data;
        if (words[1]) limit_q[row] <= data;
        if (words[2]) write_q[row] <= data[0];
        if (words[3])
          upper_q[row] <= upper_of(address(data[31:16], 32'd0), address(data[15:0], 32'd0));
        clear_q <= !rst_n ? 5'd0 : clear_q + 5'(!ready_o);
      end
      wire  [31:0] upper = upper_q[look_i];
      assign look_o = {write_q[look_i], address(upper[31:16], limit_q[look_i]),
                       address(upper[15:0], base_q[look_i])};
      always_comb
        case (rd_word_i[1:0])
          2'd0: rdata_o = base_q[rd_word_i[5:2]];
          2'd1: rdata_o = limit_q[rd_word_i[5:2]];
          2'd2: rdata_o = {31'd0, write_q[rd_word_i[5:2]]};
          default: rdata_o = upper_q[rd_word_i[5:2]];
        endcase
    end
  endgenerate
endmodule
`default_nettype wire

// A serial line, 8 bits, no parity, one stop bit: bytes to it and from it.  It has no flow control,
// so what comes is kept in a memory that holds all that a host has under way (board.h).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module uart #(
  parameter CLOCKS = 4,                      // of a bit, at least 4
            ROOM   = 1024                    // bytes, a power of two
) (
  input  wire         clk, rst_n,
  input  wire         rx_i,
  output logic        tx_o,
  output logic        valid_o,               // a byte from the line
  output logic [7:0]  byte_o,
  input  wire         take_i,
  input  wire         valid_i,               // a byte for it
  input  wire [7:0]   byte_i,
  output wire         ready_o
);
  localparam A = $clog2(ROOM), C = $clog2(CLOCKS + CLOCKS / 2);
  localparam [C-1:0] BIT = C'(CLOCKS - 1), MIDDLE = C'(CLOCKS + (CLOCKS - 1) / 2 - 1);
  // ---- from the line ----
  logic [2:0]   line_q;
  logic [C-1:0] in_wait_q;
  logic [3:0]   in_left_q;                   // bits to come, with the stop bit
  logic [7:0]   in_q;
  logic         got_q;
  always @(posedge clk) begin
    line_q <= {line_q[1:0], rx_i};
    got_q  <= 1'b0;
    if (in_left_q == 4'd0) begin
      // from the edge to the middle of the first bit
      in_wait_q <= MIDDLE;
      if (line_q[2] && !line_q[1])
        in_left_q <= 4'd9;
    end else if (in_wait_q != '0)
      in_wait_q <= in_wait_q - C'(1);
    else begin
      in_wait_q <= BIT;
      in_left_q <= in_left_q - 4'd1;
      if (in_left_q == 4'd1)
        got_q <= line_q[1];
      else
        in_q <= {line_q[1], in_q[7:1]};
    end
    if (!rst_n)
      {line_q, in_left_q, got_q} <= {3'b111, 5'd0};
  end

  // ---- what waits ----
  logic [7:0]   kept_q [0:ROOM-1];
  logic [7:0]   front_q;
  logic [A-1:0] put_q, get_q;
  logic         front_valid_q;
  wire          some = put_q != get_q;
  wire          next = some && (!front_valid_q || !valid_o || take_i);
  always @(posedge clk) begin
    if (got_q)
      kept_q[put_q] <= in_q;
    if (next)
      front_q <= kept_q[get_q];
  end
  always @(posedge clk) begin
    put_q <= put_q + A'(got_q);
    get_q <= get_q + A'(next);
    if (!valid_o || take_i)
      {valid_o, byte_o, front_valid_q} <= {front_valid_q, front_q, 1'b0};
    if (next)
      front_valid_q <= 1'b1;
    if (!rst_n)
      {put_q, get_q, valid_o, front_valid_q} <= '0;
  end

  // ---- to the line ----
  logic [C-1:0] out_wait_q;
  logic [3:0]   out_left_q;
  logic [8:0]   out_q;
  assign ready_o = out_left_q == 4'd0;
  assign tx_o    = out_q[0];
  always @(posedge clk) begin
    if (ready_o) begin
      out_wait_q <= BIT;
      if (valid_i)
        {out_left_q, out_q} <= {4'd10, byte_i, 1'b0};
    end else if (out_wait_q != '0)
      out_wait_q <= out_wait_q - C'(1);
    else
      {out_wait_q, out_left_q, out_q} <= {BIT, out_left_q - 4'd1, 1'b1, out_q[8:1]};
    if (!rst_n)
      {out_left_q, out_q} <= {4'd0, 9'h1ff};
  end
endmodule
`default_nettype wire

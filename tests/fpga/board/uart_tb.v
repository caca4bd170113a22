// The serial line against one whose clock is another, a little faster or slower: bytes both ways at
// once, and as many at a time as it has room for.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`timescale 1ns/1ps
module uart_tb;
  parameter PERCENT = 0, BYTES = 300;        // how much longer its bits are
  localparam real PERIOD = 83.333, BIT = 4 * PERIOD * (1 + PERCENT / 100.0);
  reg         clk = 0, rst_n = 0, rx = 1, take = 0, valid = 0;
  reg  [7:0]  in_byte = 0;
  wire        tx, got, ready;
  wire [7:0]  out_byte;
  always #(PERIOD / 2) clk = !clk;
  uart #(.CLOCKS(4), .ROOM(512)) u_uart (
    .clk(clk), .rst_n(rst_n), .rx_i(rx), .tx_o(tx), .valid_o(got), .byte_o(out_byte),
    .take_i(take), .valid_i(valid), .byte_i(in_byte), .ready_o(ready)
  );
  function [7:0] nth(input integer n);
    nth = 8'(n * 167 + n / 13);
  endfunction
  integer     sent = 0, taken = 0, heard = 0, errors = 0, i, k;
  reg  [7:0]  heard_byte;
  // to the board
  initial begin
    repeat (4) @(posedge clk);
    rst_n <= 1;
    #(17 * PERIOD);
    for (sent = 0; sent < BYTES; sent = sent + 1) begin
      rx = 0;
      #(BIT);
      for (i = 0; i < 8; i = i + 1) begin
        rx = nth(sent) >> i;
        #(BIT);
      end
      rx = 1;
      #(BIT);
      if (sent % 7 == 0) #(BIT * 0.37);
    end
  end
  // nothing is taken until all has come, or most
  always @(posedge clk) begin
    take <= got && !take && (sent == BYTES || taken > 0);
    if (take && got) begin
      if (out_byte !== nth(taken)) errors = errors + 1;
      taken = taken + 1;
    end
    // from the board
    valid <= rst_n && heard + (valid ? 1 : 0) < BYTES;
    in_byte <= nth(k);
    if (valid && ready) begin
      k = k + 1;
      in_byte <= nth(k);
    end
  end
  initial k = 0;
  initial
    while (heard < BYTES) begin
      @(negedge tx);
      #(BIT * 1.5);
      for (int j = 0; j < 8; j = j + 1) begin
        heard_byte[j] = tx;
        #(BIT);
      end
      if (tx !== 1'b1 || heard_byte !== nth(heard)) errors = errors + 1;
      heard = heard + 1;
    end
  initial begin
    #(BIT * BYTES * 14);
    $display("uart: %0d%%: %0d taken, %0d heard, %0d errors", PERCENT, taken, heard, errors);
    $finish;
  end
endmodule
`default_nettype wire

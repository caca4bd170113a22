// What a board learns of a running grid: in each cycle the schedule, which nothing but the core can
// know, and of all else a digest (cmodel/isa/digest.h) that steps from commit to commit.  Nothing
// in the core reads it.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "commit_port.vh"
module commit_port (
  input  wire         clk, rst_n,
  input  wire         start_i,               // a grid begins
  input  port_ask_t   ask_i,
  input  wire         busy_i, issued_i,
  // instructions that retire, in this order: their warp slots, a word and the sums of their records
  input  wire         pipe_valid_i, unit_valid_i,
  input  wire [4:0]   pipe_slot_i, unit_slot_i,
  input  wire [31:0]  pipe_word_i, unit_word_i,
  input  wire [63:0]  pipe_sums_i, unit_sums_i,
  input  wire         place_valid_i, clock_valid_i,
  input  wire [4:0]   place_slot_i, clock_slot_i,
  input  wire [63:0]  clock_i,
  output port_t       port_o
);
  function automatic [63:0] step(input [63:0] digest, sums);
    step = digest ^ (digest << 13);
    step = step ^ (step >> 7);
    step = step ^ (step << 17) ^ sums;
  endfunction
  logic [63:0] count_q, digest_q;
  logic [15:0] left_q;                       // commits until a digest is due
  wire [63:0]  first  = pipe_valid_i ? step(digest_q, pipe_sums_i) : digest_q;
  wire [63:0]  second = unit_valid_i ? step(first, unit_sums_i) : first;
  wire [1:0]   n = {1'b0, pipe_valid_i} + {1'b0, unit_valid_i};
  wire         due = {14'd0, n} >= left_q;
  always_comb begin
    port_o = {$bits(port_o){1'b0}};
    {port_o.busy, port_o.issued} = {busy_i, issued_i};
    {port_o.pipe, port_o.unit, port_o.place, port_o.clock} = {pipe_valid_i, unit_valid_i,
        place_valid_i, clock_valid_i};
    {port_o.pipe_slot, port_o.unit_slot, port_o.place_slot, port_o.clock_slot}
      = {pipe_slot_i, unit_slot_i, place_slot_i, clock_slot_i};
    port_o.time_now  = clock_i;
    port_o.count     = count_q;
    port_o.digest    = digest_q;
    port_o.sign      = n != 2'd0 && due;
    port_o.early     = left_q == 16'd1 && pipe_valid_i;
    port_o.signature = port_o.early ? first : second;
    {port_o.pipe_word, port_o.unit_word} = {pipe_word_i, unit_word_i};
  end
  always @(posedge clk) begin
    digest_q <= second;
    count_q  <= count_q + {62'd0, n};
    left_q   <= left_q - {14'd0, n} + (due ? ask_i.every : 16'd0);
    if (start_i || !rst_n) begin
      digest_q <= 64'd0;
      count_q  <= 64'd0;
      left_q   <= ask_i.every;
    end
  end
  wire unused = &{1'b0, ask_i};
endmodule
`default_nettype wire

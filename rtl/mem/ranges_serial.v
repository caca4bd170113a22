// Looks up a run of bytes in the memory ranges of the launch, as ranges.v does, but at one range in
// a cycle.  It begins at the range that it found last, where most runs are.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
`include "launch.vh"
module ranges_serial (
  input  wire         clk, rst_n,
  input  wire  [4:0]  count_i,       // ranges in use
  output wire  [3:0]  look_o,        // this one is looked at
  input  range_t      range_i,
  input  wire         en_i,          // the outputs are 0 without it
  input  wire         wants_i,       // one that may be written is looked for
  input  wire  [`ADDR_BITS-1:0] first_i, // the run, with both ends, until it is judged and taken
  input  wire  [`ADDR_BITS-1:0] last_i,
  input  wire         taken_i,       // the next cycle has another run, or none
  output wire         judged_o,      // what follows is the answer
  output wire         inside_o,
  output wire         write_o,
  output wire  [`ADDR_BITS-1:0] base_o,        // where the range that holds it begins and ends
  output wire  [`ADDR_BITS-1:0] limit_o
);
  logic [3:0] at_q;
  logic [4:0] looked_q;              // ranges that have been looked at for this run,
  logic       inside_q;              // one of them held it, but may not be written
  // One look more than there are ranges: the first may be of a launch that had more.
  wire  hit  = en_i && {1'b0, at_q} < count_i && first_i >= range_i.base && last_i < range_i.limit;
  wire  good = hit && (range_i.write || !wants_i);
  wire  over = looked_q == 5'd16;
  assign look_o   = at_q;
  assign judged_o = en_i && (good || over);
  assign inside_o = judged_o && (hit || inside_q);
  assign write_o  = judged_o && hit && range_i.write;
  assign base_o   = range_i.base & {`ADDR_BITS{hit}};
  assign limit_o  = range_i.limit & {`ADDR_BITS{hit}};
  always_ff @(posedge clk) begin
    if (en_i && !judged_o) begin
      at_q     <= {1'b0, at_q} + 5'd1 >= count_i ? 4'd0 : at_q + 4'd1;
      looked_q <= looked_q + 5'd1;
      inside_q <= inside_q || hit;
    end
    if (taken_i)
      {looked_q, inside_q} <= 6'd0;
    if (!rst_n)
      {at_q, looked_q, inside_q} <= 10'd0;
  end
endmodule
`default_nettype wire

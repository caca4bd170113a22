// Runs stack_place.v, as RTL or as what was placed, and prints its signature every 1000 cycles; of
// the RTL also what the unit did.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module stack_place_tb;
  reg          clk = 1'b0, rst_n = 1'b0;
  wire [31:0]  signature;
  wire         some;
  integer      cycles, i;
  stack_place u (.clk(clk), .rst_n(rst_n), .signature_o(signature), .some_o(some));
`ifdef RTL
  integer pushed = 0, popped = 0, spilled = 0, filled = 0;
  integer faults = 0, commits = 0, ended = 0, released = 0;
  always @(posedge clk)
    if (rst_n) begin
      pushed   = pushed + u.record.pushed;
      popped   = popped + u.record.popped;
      spilled  = spilled + u.record.spilled;
      filled   = filled + u.record.filled;
      commits  = commits + u.commit_valid;
      faults   = faults + u.faults;
      ended    = ended + u.step.ended;
      released = released + u.step.release_bar;
    end
`endif
  initial begin
    if (!$value$plusargs("cycles=%d", cycles)) cycles = 10000;
    for (i = 0; i < cycles + 4; i = i + 1) begin
      if (i == 4) rst_n = 1'b1;
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      if (i >= 4 && (i - 3) % 1000 == 0) $display("%0d %h", i - 3, signature);
    end
`ifdef RTL
    $display("did: %0d commits, %0d pushes, %0d pops, %0d spills, %0d fills",
             commits, pushed, popped, spilled, filled);
    $display("and: %0d faults, %0d ends, %0d releases", faults, ended, released);
`endif
    $finish;
  end
endmodule

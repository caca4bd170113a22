// Nothing retires after a fault, and no unit beside the one that faults in its cycle, until a grid
// starts; its code stays.  The pipeline's instruction of that cycle
// comes before the fault.
// UNIT: retire SLOTS=2
// RTL: retire.v
// PROVE: induction 1
// COVER: 8
// BUG: retire.v: s/pipe_valid_o = from_wb && !halted_o/pipe_valid_o = from_wb/ -- what the pipeline holds retires after a fault
// BUG: retire.v: s/from_lsu_o\) && !halted_o/from_lsu_o)/ -- what the convergence unit has done retires after a fault
// BUG: retire.v: s/!ls_hold_i && !halted_o/!ls_hold_i/ -- the LSU goes on after a fault
// BUG: retire.v: s/= !cv_valid_i && !ls_hold_i/= !ls_hold_i/ -- the LSU retires in the cycle of another unit's fault
// BUG: retire.v: s/if \(valid_o && fault_o/if (from_conv_o \&\& valid_o \&\& fault_o/ -- a fault of the LSU halts nothing
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "launch.vh"
module fault_last (
  input wire         clk, start, stop, busy, wb_valid, wb_last, cv_valid, ls_issue, ls_valid,
  input wire         popped, hold,
  input wire [63:0]  clock, ls_fault_addr,
  input wire [31:0]  ls_fault_m,
  input wire [3:0]   ls_fault,
  input wire [4:0]   ls_warp,
  input uop_t        wb_uop, ls_uop,
  input control_commit_t cv,
  input place_t      place
);
  `include "codes_gen.vh"
  reg          rst_n = 1'b0, after, kept;
  wire         pop, ready, pipe_valid, valid, from_conv, from_lsu, halted;
  wire [4:0]   warp;
  wire [3:0]   fault;
  wire [31:0]  fault_m;
  wire [63:0]  fault_addr, cycle, count;
  fault_t      first;
  wire [3:0]   code = first.code;
  reg  [3:0]   was;
  retire u (
    .clk(clk), .rst_n(rst_n), .start_i(start), .stop_i(stop), .busy_i(busy), .clock_i(clock),
    .wb_valid_i(wb_valid), .wb_last_i(wb_last), .wb_uop_i(wb_uop), .cv_valid_i(cv_valid), .cv_i(cv),
    .ls_pop_o(pop), .ls_popped_i(popped), .ls_issue_i(ls_issue), .ls_issue_slot_i(4'd0),
    .ls_uop_i(ls_uop), .ls_valid_i(ls_valid), .ls_ready_o(ready), .ls_hold_i(hold),
    .ls_slot_i(4'd0), .ls_warp_i(ls_warp), .ls_fault_i(ls_fault), .ls_fault_m_i(ls_fault_m),
    .ls_fault_addr_i(ls_fault_addr), .pipe_valid_o(pipe_valid), .valid_o(valid),
    .from_conv_o(from_conv), .from_lsu_o(from_lsu), .warp_o(warp), .place_i(place),
    .fault_o(fault), .fault_m_o(fault_m), .fault_addr_o(fault_addr), .halted_o(halted),
    .cycle_o(cycle), .count_o(count), .first_o(first));

  wire faults = valid && fault != FAULT_NONE;
  always @(posedge clk) begin
    rst_n     <= 1'b1;
    after     <= rst_n && !start && (after || faults);
    was       <= code;
    kept      <= rst_n && !start && after;      // the fault's own cycle writes it
  end
  always @* begin
    if (rst_n) begin
      assert (!(from_conv && from_lsu));
      if (after) begin
        assert (halted);
        assert (!pipe_valid && !valid && !ready && !faults);
      end
      if (kept) assert (code == was);
      cover (faults && from_conv && pipe_valid);
      cover (faults && from_lsu);
      cover (after && wb_valid && cv_valid && ls_valid);
    end
  end
  wire unused = &{1'b0, pop, warp, fault_m, fault_addr, cycle, count, first};
endmodule
`default_nettype wire

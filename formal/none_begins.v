// In barrier mode, too, no control instruction is begun in the cycle in which an instruction of
// any unit retires with a fault, nor after it: it would change its warp, and not retire. Those that
// are under way go on (conv.v), but nothing retires then (fault_last). All units but these are
// arbitrary.
// UNIT: simt_core LANES=4 WARPS=2 STACK_DEPTH=0
// RTL: simt_core.v converge.v conv.v retire.v
// FREE: csr dispatcher fetch issue execute sreg starve bound lsu axi_arb
// FREE: probe probe_events bar_block conv_barriers conv_lanes age
// FREE: conv_exec next_group conv_release conv_block bar_walk
// PROVE: induction 1
// COVER: 6
// BUG: simt_core.v: s/ \|\| \(lsu_take && end_fault != FAULT_NONE\)\)/)/ -- one is begun in the cycle of an LSU's fault
// BUG: simt_core.v: s/!busy \|\| faults \|\| \(lsu_take/!busy || (lsu_take/ -- one is begun in the cycle of another one's fault
// BUG: simt_core.v: s/halt_i\(stop \|\| halted \|\| /halt_i(stop || / -- one is begun after a fault
// BUG: converge.v: s/\(put_q != get_q \|\| early_i\) && !halt_i/(put_q != get_q \&\& !halt_i || early_i)/ -- one that reads no register is begun all the same
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module none_begins (
  input wire clk
);
  `include "codes_gen.vh"
  reg rst_n = 1'b0;
  simt_core u (.clk(clk), .rst_n(rst_n));
  (* hierconn *) wire \u.re_valid , \u.halted , \u.lsu_take , \u.u_converge.early_i ;
  (* hierconn *) wire [3:0] \u.re_fault ;
  (* hierconn *) wire \u.u_converge.some , \u.start ;
  (* hierconn *) wire [2:0] \u.u_converge.put_q , \u.u_converge.get_q ;
  wire faults = \u.re_valid && \u.re_fault != FAULT_NONE;
  wire waits  = \u.u_converge.put_q != \u.u_converge.get_q ;
  reg  after;
  always @(posedge clk) begin
    rst_n <= 1'b1;
    after <= rst_n && !\u.start && (after || faults);
  end
  always @* begin
    if (rst_n) begin
      if (after) assert (\u.halted );
      if (faults || after) assert (!\u.u_converge.some );
      cover (faults && \u.lsu_take && waits);
      cover (faults && !\u.lsu_take && waits);
      cover (faults && \u.lsu_take && \u.u_converge.early_i );
      cover (!faults && \u.u_converge.some );
    end
  end
endmodule
`default_nettype wire

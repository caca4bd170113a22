// A grid starts only while nothing of the LSU is under way: in the cycle of the clear no answer is
// due to it and no group waits to ask memory for anything.  So a clear may put it back as a reset
// does (formal/clear), and no answer to what was asked before comes after it.  That none is due
// where reads and writes are idle say lsu_read_port and lsu_write_port.
// UNIT: simt_core LANES=1 WARPS=2 STACK_DEPTH=0 LSU_SLOTS=2
// RTL: simt_core.v csr.v csr_ranges.v lsu.v lsu_device.v lsu_read.v lsu_write.v lsu_walk.v
// FREE: dispatcher fetch issue execute sreg starve bound converge axi_arb retire probe probe_events
// FREE: lsu_address lsu_known lsu_rows lsu_shared lsu_atomic lsu_data lsu_fault lsu_result
// FREE: lsu_debug lsu_sectors lsu_insert ranges
// SEEN: fifo_q
// PROVE: induction 1
// COVER: 7
// BUG: csr.v: s/start_o <= wdata_q\[0\] \&\& !busy_i/start_o <= wdata_q[0]/ -- a grid starts while another one is at work
// BUG: simt_core.v: s/lsu_way \|\| lsu_busy \|\|/lsu_way || (lsu_busy \&\& spill_busy) ||/ -- a grid starts while the LSU is at work
// BUG: lsu.v: s/ \|\| !read_idle$// -- reads under way do not keep the LSU busy
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module clear_idle (
  input wire clk,
  input wire awvalid, wvalid,
  input wire [11:0] awaddr,
  input wire [31:0] wdata
);
  reg rst_n = 1'b0;
  simt_core u (
    .clk(clk), .rst_n(rst_n), .s_axil_awvalid(awvalid), .s_axil_wvalid(wvalid),
    .s_axil_awaddr(awaddr), .s_axil_wdata(wdata), .s_axil_bready(1'b1));
  (* hierconn *) wire \u.start , \u.lsu_busy , \u.u_lsu.read_idle , \u.u_lsu.write_idle ,
                      \u.u_lsu.g_held , \u.u_lsu.in_device , \u.u_lsu.u_device.u_write.m_bvalid_i ;
  (* hierconn *) wire [31:0] \u.u_lsu.u_device.u_walk.left_q ;
  reg was_busy = 1'b0;
  always @(posedge clk) begin
    rst_n    <= 1'b1;
    was_busy <= \u.lsu_busy ;
  end
  always @* if (\u.u_lsu.write_idle ) assume (! \u.u_lsu.u_device.u_write.m_bvalid_i );
  always @* if (rst_n) begin
    if (\u.start ) begin
      assert (!was_busy);
      assert (\u.u_lsu.read_idle && \u.u_lsu.write_idle );
      assert (! \u.u_lsu.g_held );
    end
    // Why it is so, for the induction.
    if (! \u.u_lsu.in_device ) assert (\u.u_lsu.u_device.u_walk.left_q == 32'd0);
    cover (\u.start );
    cover (! \u.u_lsu.read_idle );
  end
endmodule
`default_nettype wire

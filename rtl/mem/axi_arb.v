// Joins the ports of the instruction cache (reads), the LSU and the stack unit (reads and writes) into
// the core's AXI4 port.  The two top bits of an ID say whose it is: 1x cache, 01 stack, 00 LSU.
// Reads: the cache goes first, then the stack: they ask rarely, and for all lanes of a warp.
// Writes are single beats.  Their data follow in the order of their addresses, so the port belongs to
// one of the two until both have been taken.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module axi_arb (
  input  wire         clk, rst_n,
  // instruction cache
  input  wire         ic_arvalid_i,
  output wire         ic_arready_o,
  input  wire [31:0]  ic_araddr_i,
  output wire         ic_rvalid_o,
  // LSU
  input  wire         ls_arvalid_i,
  output wire         ls_arready_o,
  input  wire [31:0]  ls_araddr_i,
  input  wire [3:0]   ls_arid_i,
  input  wire [7:0]   ls_arlen_i,
  output wire         ls_rvalid_o,
  input  wire         ls_rready_i,
  input  wire         ls_awvalid_i,
  output wire         ls_awready_o,
  input  wire [31:0]  ls_awaddr_i,
  input  wire         ls_wvalid_i,
  output wire         ls_wready_o,
  input  wire [255:0] ls_wdata_i,
  input  wire [31:0]  ls_wstrb_i,
  output wire         ls_bvalid_o,
  // stack unit: takes every answer at once
  input  wire         st_arvalid_i,
  output wire         st_arready_o,
  input  wire [31:0]  st_araddr_i,
  output wire         st_rvalid_o,
  input  wire         st_awvalid_i,
  output wire         st_awready_o,
  input  wire [31:0]  st_awaddr_i,
  input  wire         st_wvalid_i,
  output wire         st_wready_o,
  input  wire [255:0] st_wdata_i,
  output wire         st_bvalid_o,
  // the core's port
  output wire         m_arvalid_o,
  input  wire         m_arready_i,
  output wire [4:0]   m_arid_o,
  output wire [31:0]  m_araddr_o,
  output wire [7:0]   m_arlen_o,
  input  wire         m_rvalid_i,
  output wire         m_rready_o,
  input  wire [4:0]   m_rid_i,
  output wire         m_awvalid_o,
  input  wire         m_awready_i,
  output wire [4:0]   m_awid_o,
  output wire [31:0]  m_awaddr_o,
  output wire         m_wvalid_o,
  input  wire         m_wready_i,
  output wire [255:0] m_wdata_o,
  output wire [31:0]  m_wstrb_o,
  input  wire         m_bvalid_i,
  input  wire [4:0]   m_bid_i,
  output wire [17:0]  late_o                 // see bound.v: reads of the LSU, of the stack, writes of the LSU
);
  // ---- reads: an address that was offered stays until it is taken ----
  logic busy_q, ic_q, st_q;                  // an offer was not taken; whose it is
  wire  ic = busy_q ? ic_q : ic_arvalid_i;
  wire  st = busy_q ? st_q : !ic_arvalid_i && st_arvalid_i;
  always @(posedge clk) begin
    busy_q <= rst_n && m_arvalid_o && !m_arready_i;
    ic_q   <= ic;
    st_q   <= st;
  end
  assign m_arvalid_o  = ic ? ic_arvalid_i : st ? st_arvalid_i : ls_arvalid_i;
  assign m_arid_o     = ic ? 5'd16 : st ? 5'd8 : {1'b0, ls_arid_i};
  assign m_araddr_o   = ic ? ic_araddr_i : st ? st_araddr_i : ls_araddr_i;
  assign m_arlen_o    = ic ? 8'd1 : st ? 8'd0 : ls_arlen_i;
  assign ic_arready_o = m_arready_i && ic;
  assign st_arready_o = m_arready_i && st;
  assign ls_arready_o = m_arready_i && !ic && !st;
  assign ic_rvalid_o  = m_rvalid_i && m_rid_i[4];
  assign st_rvalid_o  = m_rvalid_i && m_rid_i[4:3] == 2'b01;
  assign ls_rvalid_o  = m_rvalid_i && m_rid_i[4:3] == 2'b00;
  assign m_rready_o   = m_rid_i[4:3] != 2'b00 || ls_rready_i;

  // ---- writes ----
  logic open_q, mine_q;                      // a write is half taken, or offered; it is the stack's
  logic aw_q, w_q;                           // its address, its data have been taken
  wire  mine = open_q ? mine_q : st_awvalid_i;
  wire  aw = mine ? st_awvalid_i : ls_awvalid_i, wd = mine ? st_wvalid_i : ls_wvalid_i;
  wire  aw_done = aw_q || (aw && m_awready_i), w_done = w_q || (wd && m_wready_i);
  always @(posedge clk) begin
    open_q <= rst_n && (open_q || aw || wd) && !(aw_done && w_done);
    mine_q <= mine;
    aw_q   <= rst_n && aw_done && !w_done;
    w_q    <= rst_n && w_done && !aw_done;
  end
  assign m_awvalid_o  = aw && !aw_q;
  assign m_awid_o     = mine ? 5'd8 : 5'd0;
  assign m_awaddr_o   = mine ? st_awaddr_i : ls_awaddr_i;
  assign m_wvalid_o   = wd && !w_q;
  assign m_wdata_o    = mine ? st_wdata_i : ls_wdata_i;
  assign m_wstrb_o    = mine ? 32'hffff_ffff : ls_wstrb_i;
  assign st_awready_o = m_awready_i && mine && !aw_q;
  assign st_wready_o  = m_wready_i && mine && !w_q;
  assign ls_awready_o = m_awready_i && !mine && !aw_q;
  assign ls_wready_o  = m_wready_i && !mine && !w_q;
  assign st_bvalid_o  = m_bvalid_i && m_bid_i[3];
  assign ls_bvalid_o  = m_bvalid_i && !m_bid_i[3];
  bound #(.MAX(32)) u_bound_ls_read (
    .clk(clk), .rst_n(rst_n), .wait_i(ls_arvalid_i && !ls_arready_o), .tick_i(m_arvalid_o && m_arready_i),
    .late_o(late_o[5:0])
  );
  bound #(.MAX(32)) u_bound_st_read (
    .clk(clk), .rst_n(rst_n), .wait_i(st_arvalid_i && !st_arready_o), .tick_i(m_arvalid_o && m_arready_i),
    .late_o(late_o[11:6])
  );
  bound #(.MAX(32)) u_bound_ls_write (
    .clk(clk), .rst_n(rst_n), .wait_i(ls_awvalid_i && !ls_awready_o), .tick_i(m_awvalid_o && m_awready_i),
    .late_o(late_o[17:12])
  );
  wire unused = &{1'b0, m_rid_i[2:0], m_bid_i[4], m_bid_i[2:0]};
endmodule
`default_nettype wire

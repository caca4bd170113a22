// Joins the ports of the instruction cache (reads), the LSU and the stack unit (reads and writes)
// into the core's AXI4 port.  The two top bits of an ID say whose it is: 1x cache, 01 stack, 00
// LSU. Reads: the cache goes first, then the stack: they ask rarely, and for all lanes of a warp.
// Writes are single beats.  Their data follow in the order of their addresses, so the port belongs
// to one of the two until all of both have been taken.  Up to two addresses may be ahead of their
// data; when the stack asks, the LSU offers no further one.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "axi.vh"
module axi_arb (
  input  wire         clk, rst_n,
  input  axi_read_t         ic_read_i,       // instruction cache
  output axi_read_answer_t  ic_read_o,
  input  axi_read_t         ls_read_i,       // LSU
  output axi_read_answer_t  ls_read_o,
  input  axi_write_t        ls_write_i,
  output axi_write_answer_t ls_write_o,
  input  axi_read_t         st_read_i,       // stack unit: takes every answer at once
  output axi_read_answer_t  st_read_o,
  input  axi_write_t        st_write_i,
  output axi_write_answer_t st_write_o,
  // the core's port
  output wire         m_arvalid_o,
  input  wire         m_arready_i,
  output wire [4:0]   m_arid_o,
  output wire [`ADDR_BITS-1:0] m_araddr_o,
  output wire [7:0]   m_arlen_o,
  input  wire         m_rvalid_i,
  output wire         m_rready_o,
  input  wire [4:0]   m_rid_i,
  input  wire [255:0] m_rdata_i,
  input  wire         m_rlast_i, m_rerror_i,
  output wire         m_awvalid_o,
  input  wire         m_awready_i,
  output wire [4:0]   m_awid_o,
  output wire [`ADDR_BITS-1:0] m_awaddr_o,
  output wire         m_wvalid_o,
  input  wire         m_wready_i,
  output wire [255:0] m_wdata_o,
  output wire [31:0]  m_wstrb_o,
  input  wire         m_bvalid_i, m_berror_i,
  input  wire [4:0]   m_bid_i,
  output wire [17:0]  late_o       // see bound.v: reads of the LSU, of the stack, writes of the LSU
);
  // ---- reads: an address that was offered stays until it is taken ----
  logic busy_q, ic_q, st_q;                  // an offer was not taken; whose it is
  wire  ic = busy_q ? ic_q : ic_read_i.arvalid;
  wire  st = busy_q ? st_q : !ic_read_i.arvalid && st_read_i.arvalid;
  always @(posedge clk) begin
    busy_q <= rst_n && m_arvalid_o && !m_arready_i;
    ic_q   <= ic;
    st_q   <= st;
  end
  assign m_arvalid_o  = ic ? ic_read_i.arvalid : st ? st_read_i.arvalid : ls_read_i.arvalid;
  assign m_arid_o     = ic ? 5'd16 : st ? 5'd8 : {1'b0, ls_read_i.arid};
  assign m_araddr_o   = ic ? ic_read_i.araddr : st ? st_read_i.araddr : ls_read_i.araddr;
  assign m_arlen_o    = ic ? ic_read_i.arlen : st ? st_read_i.arlen : ls_read_i.arlen;
  axi_read_answer_t answer;                  // what all of them are answered
  assign answer = {2'b00, m_rlast_i, m_rerror_i, m_rid_i[3:0], m_rdata_i};
  always_comb begin
    ic_read_o = answer;
    st_read_o = answer;
    ls_read_o = answer;
    ic_read_o.arready = m_arready_i && ic;
    st_read_o.arready = m_arready_i && st;
    ls_read_o.arready = m_arready_i && !ic && !st;
    ic_read_o.rvalid  = m_rvalid_i && m_rid_i[4];
    st_read_o.rvalid  = m_rvalid_i && m_rid_i[4:3] == 2'b01;
    ls_read_o.rvalid  = m_rvalid_i && m_rid_i[4:3] == 2'b00;
  end
  assign m_rready_o   = m_rid_i[4:3] != 2'b00 || ls_read_i.rready;

  // ---- writes ----
  logic       open_q, mine_q;                // a write is half taken, or offered; it is the stack's
  logic       aw_q;                          // an address was offered and not taken
  logic [1:0] ahead_q;                       // addresses taken without their data
  logic       w_q;                           // data taken without their address
  wire  mine = open_q ? mine_q : st_write_i.awvalid;
  wire  asks = mine ? st_write_i.awvalid : ls_write_i.awvalid;
  wire  aw = asks && (aw_q || (ahead_q != 2'd2 && (mine || !st_write_i.awvalid)) || w_q);
  wire  wd = (mine ? st_write_i.wvalid : ls_write_i.wvalid) && !w_q && (ahead_q != 2'd0 || aw);
  wire  aw_took = aw && m_awready_i, w_took = wd && m_wready_i;
  wire  early = ahead_q == 2'd0 && (w_q || w_took) && !aw_took;
  wire  [1:0] ahead = w_q || early ? 2'd0 : ahead_q + {1'b0, aw_took} - {1'b0, w_took};
  always @(posedge clk) begin
    w_q     <= rst_n && early;
    aw_q    <= rst_n && aw && !m_awready_i;
    ahead_q <= rst_n ? ahead : 2'd0;
    open_q  <= rst_n && ((aw && !m_awready_i) || (wd && !m_wready_i) || ahead != 2'd0 || early);
    mine_q  <= mine;
  end
  assign m_awvalid_o  = aw;
  assign m_awid_o     = mine ? 5'd8 : 5'd0;
  assign m_awaddr_o   = mine ? st_write_i.awaddr : ls_write_i.awaddr;
  assign m_wvalid_o   = wd;
  assign m_wdata_o    = mine ? st_write_i.wdata : ls_write_i.wdata;
  assign m_wstrb_o    = mine ? st_write_i.wstrb : ls_write_i.wstrb;
  always_comb begin
    st_write_o.awready = aw_took && mine;
    st_write_o.wready  = w_took && mine;
    ls_write_o.awready = aw_took && !mine;
    ls_write_o.wready  = w_took && !mine;
    st_write_o.bvalid  = m_bvalid_i && m_bid_i[3];
    ls_write_o.bvalid  = m_bvalid_i && !m_bid_i[3];
    st_write_o.berror  = m_berror_i;
    ls_write_o.berror  = m_berror_i;
  end
  bound #(.MAX(32)) u_bound_ls_read (
    .clk(clk), .rst_n(rst_n), .wait_i(ls_read_i.arvalid && !ls_read_o.arready),
    .tick_i(m_arvalid_o && m_arready_i), .late_o(late_o[5:0])
  );
  bound #(.MAX(32)) u_bound_st_read (
    .clk(clk), .rst_n(rst_n), .wait_i(st_read_i.arvalid && !st_read_o.arready),
    .tick_i(m_arvalid_o && m_arready_i), .late_o(late_o[11:6])
  );
  bound #(.MAX(32)) u_bound_ls_write (
    .clk(clk), .rst_n(rst_n), .wait_i(ls_write_i.awvalid && !ls_write_o.awready),
    .tick_i(m_awvalid_o && m_awready_i), .late_o(late_o[17:12])
  );
  wire unused = &{1'b0, ic_read_i, st_read_i, m_bid_i[4], m_bid_i[2:0]};
endmodule
`default_nettype wire

// Several cores behind one memory port and one launch port.  Bits 14:12 of a launch register's
// address say whose it is; bit 15: all cores', a read is answered by core 0.  Local memory and
// tokens of each core need an area of their own (LOCAL_BASE, SPILL_BASE); all other registers are
// written to all, and a grid is started and stopped in all at once.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module simt_cores #(
  parameter CORES        = 2,                // 1 to 8
  parameter LANES        = 32,               // the others are simt_core's
  parameter WARPS        = 32,
  parameter NREGS        = 256,
  parameter SHARED_BYTES = 65536,
  parameter ICACHE_BYTES = 16384,
  parameter CONST_BYTES  = 2048,
  parameter TARGETS      = 16,
  parameter BARRIER_MODE = 1,
  parameter STACK_DEPTH  = 16,
  parameter F64_LANES    = 1,
  parameter FLOAT_LANES  = 32,
  parameter SFU          = 1,
  parameter MATCH_SERIAL = 0,
  parameter CONV_QUEUE   = 4,
  parameter CONV_LANES   = 32,
  parameter TRACK        = 1,
  parameter LSU_SLOTS    = 16,
  parameter RANGE_SERIAL = 0,
  parameter PROBE        = 0
) (
  input  wire         clk,
  input  wire         rst_n,
  // AXI4-Lite: launch and status.  One access at a time.
  input  wire         s_axil_awvalid, s_axil_wvalid, s_axil_arvalid, s_axil_bready, s_axil_rready,
  output wire         s_axil_awready, s_axil_wready, s_axil_arready, s_axil_bvalid, s_axil_rvalid,
  input  wire [15:0]  s_axil_awaddr, s_axil_araddr,
  input  wire [31:0]  s_axil_wdata,
  input  wire [3:0]   s_axil_wstrb,
  output wire [1:0]   s_axil_bresp, s_axil_rresp,
  output wire [31:0]  s_axil_rdata,
  // AXI4: memory; reads
  output wire         m_axi_arvalid,
  input  wire         m_axi_arready,
  output wire [7:0]   m_axi_arid,
  output wire [`ADDR_BITS-1:0] m_axi_araddr,
  output wire [7:0]   m_axi_arlen,
  output wire [2:0]   m_axi_arsize,
  output wire [1:0]   m_axi_arburst,
  input  wire         m_axi_rvalid, m_axi_rlast,
  output wire         m_axi_rready,
  input  wire [7:0]   m_axi_rid,
  input  wire [255:0] m_axi_rdata,
  input  wire [1:0]   m_axi_rresp,
  // writes
  output wire         m_axi_awvalid, m_axi_wvalid, m_axi_wlast, m_axi_bready,
  input  wire         m_axi_awready, m_axi_wready, m_axi_bvalid,
  output wire [7:0]   m_axi_awid,
  output wire [`ADDR_BITS-1:0] m_axi_awaddr,
  output wire [31:0]  m_axi_wstrb,
  output wire [7:0]   m_axi_awlen,
  output wire [2:0]   m_axi_awsize,
  output wire [1:0]   m_axi_awburst,
  output wire [255:0] m_axi_wdata,
  input  wire [7:0]   m_axi_bid,
  input  wire [1:0]   m_axi_bresp
);
  wire [CORES-1:0] ask, placing, placed, give, skip, want, lock, halted, stop;
  wire [CORES-1:0] arvalid, arready, rvalid, rready, awvalid, awready, wvalid, wready, bvalid;
  wire [5*CORES-1:0]   arid, awid;
  wire [8*CORES-1:0]   arlen;
  logic [64*CORES-1:0] araddr, awaddr;       // of core c in bits 64 c and up
  wire [`ADDR_BITS*CORES-1:0] narrow_ar, narrow_aw;
  always_comb begin
    {araddr, awaddr} = '0;
    for (int c = 0; c < CORES; c = c + 1) begin
      araddr[64*c +: `ADDR_BITS] = narrow_ar[`ADDR_BITS*c +: `ADDR_BITS];
      awaddr[64*c +: `ADDR_BITS] = narrow_aw[`ADDR_BITS*c +: `ADDR_BITS];
    end
  end
  wire [32*CORES-1:0]  wstrb;
  wire [256*CORES-1:0] wdata;
  assign m_axi_arsize  = 3'd5;
  assign m_axi_arburst = 2'd1;
  assign m_axi_awsize  = 3'd5;
  assign m_axi_awburst = 2'd1;
  assign m_axi_awlen   = 8'd0;
  assign m_axi_wlast   = 1'b1;
  assign m_axi_bready  = 1'b1;
  assign s_axil_bresp  = 2'd0;
  assign s_axil_rresp  = 2'd0;

  // ---- launch port ----
  wire [CORES-1:0] to = s_axil_awaddr[15] ? {CORES{1'b1}} : CORES'(8'd1 << s_axil_awaddr[14:12]);
  wire [CORES-1:0] of = s_axil_araddr[15] ? CORES'(1) : CORES'(8'd1 << s_axil_araddr[14:12]);
  wire [CORES-1:0] s_awready, s_wready, s_bvalid, s_arready, s_rvalid;
  wire [32*CORES-1:0] s_rdata;
  logic [31:0]     rdata;
  // An address and its data are taken together, so that both go to the same cores.
  wire both = s_axil_awvalid && s_axil_wvalid && (s_awready & s_wready) == {CORES{1'b1}};
  assign s_axil_awready = both;
  assign s_axil_wready  = both;
  assign s_axil_bvalid  = s_bvalid != {CORES{1'b0}};
  assign s_axil_arready = (s_arready & of) != {CORES{1'b0}};
  assign s_axil_rvalid  = s_rvalid != {CORES{1'b0}};
  assign s_axil_rdata   = rdata;
  always_comb begin
    rdata = 32'd0;
    for (int i = 0; i < CORES; i = i + 1)
      if (s_rvalid[i]) rdata = rdata | s_rdata[32*i +: 32];
  end

  genvar c;
  generate
    for (c = 0; c < CORES; c = c + 1) begin : g_core
      wire [7:0] m_awlen;
      wire [2:0] m_arsize, m_awsize;
      wire [1:0] m_arburst, m_awburst, s_bresp, s_rresp;
      wire       m_wlast, m_bready;
      simt_core #(
        .LANES(LANES), .WARPS(WARPS), .NREGS(NREGS), .SHARED_BYTES(SHARED_BYTES),
        .ICACHE_BYTES(ICACHE_BYTES), .CONST_BYTES(CONST_BYTES), .TARGETS(TARGETS),
        .BARRIER_MODE(BARRIER_MODE),
        .STACK_DEPTH(STACK_DEPTH), .F64_LANES(F64_LANES), .FLOAT_LANES(FLOAT_LANES), .SFU(SFU),
        .MATCH_SERIAL(MATCH_SERIAL), .CONV_QUEUE(CONV_QUEUE), .CONV_LANES(CONV_LANES),
        .TRACK(TRACK), .LSU_SLOTS(LSU_SLOTS), .RANGE_SERIAL(RANGE_SERIAL), .PROBE(PROBE)
      ) u_core (
        .clk(clk), .rst_n(rst_n), .core_i(3'(c)), .cores_i(4'(CORES)), .block_ask_o(ask[c]),
        .block_placing_o(placing[c]), .block_done_o(placed[c]), .block_give_i(give[c]),
        .block_skip_i(skip[c]), .lock_o(want[c]), .lock_i(lock[c]), .halted_o(halted[c]),
        .stop_i(stop[c]),
        .s_axil_awvalid(both && to[c]), .s_axil_wvalid(both && to[c]),
        .s_axil_bready(s_axil_bready),
        .s_axil_arvalid(s_axil_arvalid && of[c]), .s_axil_rready(s_axil_rready),
        .s_axil_awready(s_awready[c]), .s_axil_wready(s_wready[c]), .s_axil_arready(s_arready[c]),
        .s_axil_bvalid(s_bvalid[c]), .s_axil_rvalid(s_rvalid[c]),
        .s_axil_awaddr(s_axil_awaddr[11:0]),
        .s_axil_araddr(s_axil_araddr[11:0]), .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bresp(s_bresp), .s_axil_rresp(s_rresp), .s_axil_rdata(s_rdata[32*c +: 32]),
        .m_axi_arvalid(arvalid[c]), .m_axi_arready(arready[c]), .m_axi_arid(arid[5*c +: 5]),
        .m_axi_araddr(narrow_ar[`ADDR_BITS*c +: `ADDR_BITS]), .m_axi_arlen(arlen[8*c +: 8]),
        .m_axi_arsize(m_arsize), .m_axi_arburst(m_arburst), .m_axi_rvalid(rvalid[c]),
        .m_axi_rlast(m_axi_rlast),
        .m_axi_rready(rready[c]), .m_axi_rid(m_axi_rid[4:0]), .m_axi_rdata(m_axi_rdata),
        .m_axi_rresp(m_axi_rresp), .m_axi_awvalid(awvalid[c]), .m_axi_wvalid(wvalid[c]),
        .m_axi_wlast(m_wlast), .m_axi_bready(m_bready), .m_axi_awready(awready[c]),
        .m_axi_wready(wready[c]), .m_axi_bvalid(bvalid[c]), .m_axi_awid(awid[5*c +: 5]),
        .m_axi_awaddr(narrow_aw[`ADDR_BITS*c +: `ADDR_BITS]), .m_axi_wstrb(wstrb[32*c +: 32]),
        .m_axi_awlen(m_awlen), .m_axi_awsize(m_awsize), .m_axi_awburst(m_awburst),
        .m_axi_wdata(wdata[256*c +: 256]),
        .m_axi_bid(m_axi_bid[4:0]), .m_axi_bresp(m_axi_bresp));
      wire unused = &{1'b0, m_awlen, m_arsize, m_awsize, m_arburst, m_awburst, m_wlast, m_bready,
                      s_bresp, s_rresp};
    end
  endgenerate

  share #(.CORES(CORES)) u_share (
    .clk(clk), .rst_n(rst_n), .block_ask_i(ask), .block_placing_i(placing), .block_done_i(placed),
    .block_give_o(give), .block_skip_o(skip), .lock_i(want), .halted_i(halted), .lock_o(lock),
    .stop_o(stop), .arvalid_i(arvalid), .rready_i(rready), .awvalid_i(awvalid), .wvalid_i(wvalid),
    .arready_o(arready), .rvalid_o(rvalid), .awready_o(awready), .wready_o(wready),
    .bvalid_o(bvalid),
    .arid_i(arid), .awid_i(awid), .arlen_i(arlen), .araddr_i(araddr), .awaddr_i(awaddr),
    .wstrb_i(wstrb), .wdata_i(wdata), .m_arvalid_o(m_axi_arvalid), .m_rready_o(m_axi_rready),
    .m_awvalid_o(m_axi_awvalid), .m_wvalid_o(m_axi_wvalid), .m_arready_i(m_axi_arready),
    .m_rvalid_i(m_axi_rvalid), .m_awready_i(m_axi_awready), .m_wready_i(m_axi_wready),
    .m_bvalid_i(m_axi_bvalid), .m_arid_o(m_axi_arid), .m_awid_o(m_axi_awid),
    .m_arlen_o(m_axi_arlen),
    .m_araddr_o(m_axi_araddr), .m_awaddr_o(m_axi_awaddr), .m_wstrb_o(m_axi_wstrb),
    .m_wdata_o(m_axi_wdata), .m_rid_i(m_axi_rid), .m_bid_i(m_axi_bid));
endmodule
`default_nettype wire

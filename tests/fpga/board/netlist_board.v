// The netlist of a board of 32 address bits, with the ports of board.v.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module netlist_board (
  input  wire         clk, rst_n, rx_valid_i, tx_ready_i,
  input  wire [7:0]   rx_byte_i,
  output wire         rx_ready_o, tx_valid_o, stands_o,
  output wire [7:0]   tx_byte_o,
  input  wire         m_axi_arready, m_axi_rvalid, m_axi_rlast, m_axi_awready, m_axi_wready,
      m_axi_bvalid,
  input  wire [4:0]   m_axi_rid, m_axi_bid,
  input  wire [255:0] m_axi_rdata,
  input  wire [1:0]   m_axi_rresp, m_axi_bresp,
  output wire         m_axi_arvalid, m_axi_rready, m_axi_awvalid, m_axi_wvalid, m_axi_wlast,
      m_axi_bready,
  output wire [4:0]   m_axi_arid, m_axi_awid,
  output wire [39:0]  m_axi_araddr, m_axi_awaddr,
  output wire [7:0]   m_axi_arlen, m_axi_awlen,
  output wire [2:0]   m_axi_arsize, m_axi_awsize,
  output wire [1:0]   m_axi_arburst, m_axi_awburst,
  output wire [31:0]  m_axi_wstrb,
  output wire [255:0] m_axi_wdata
);
  assign {m_axi_araddr[39:32], m_axi_awaddr[39:32]} = 16'd0;
  board_net u_net (.m_axi_araddr(m_axi_araddr[31:0]), .m_axi_awaddr(m_axi_awaddr[31:0]), .*);
endmodule
`default_nettype wire

// A board as its pins have it, with a chip of SDRAM and the host's end of the serial line: the
// ports are those of board.v, for the harness that drives that (harness/core/board_shim.cpp); its
// memory port is idle.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`ifndef BOARD_PARAMS
`define BOARD_PARAMS .LANES(4)
`endif
module pins_board (
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
  wire        to_board, to_host, cke, cs_n, ras_n, cas_n, we_n, drive;
  wire [1:0]  ba, dqm;
  wire [12:0] a;
  wire [15:0] to_chip, from_chip;
  wire [31:0] wrong;
  uart #(.CLOCKS(4)) u_host (
    .clk(clk), .rst_n(rst_n), .rx_i(to_host), .tx_o(to_board),
    .valid_o(tx_valid_o), .byte_o(tx_byte_o), .take_i(tx_ready_i),
    .valid_i(rx_valid_i), .byte_i(rx_byte_i), .ready_o(rx_ready_o)
  );
  pins #(`BOARD_PARAMS) u_pins (
    .clk(clk), .rst_n(rst_n), .rx_i(to_board), .tx_o(to_host), .stands_o(stands_o),
    .sdram_cke_o(cke), .sdram_cs_n_o(cs_n), .sdram_ras_n_o(ras_n), .sdram_cas_n_o(cas_n),
        .sdram_we_n_o(we_n),
    .sdram_ba_o(ba), .sdram_dqm_o(dqm), .sdram_a_o(a), .sdram_d_o(to_chip), .sdram_d_drive_o(drive),
    .sdram_d_i(from_chip)
  );
  sdram_chip u_chip (
    .clk(!clk), .cke_i(cke), .cs_n_i(cs_n), .ras_n_i(ras_n), .cas_n_i(cas_n), .we_n_i(we_n),
        .ba_i(ba),
    .dqm_i(dqm), .a_i(a), .d_i(drive ? to_chip : 16'hbeef), .d_o(from_chip), .wrong_o(wrong)
  );
  // A broken rule of the chip ends the simulation.
  always @(posedge clk)
    if (wrong != 0)
      $fatal(1, "sdram: %0d rules broken", wrong);
  assign {m_axi_arvalid, m_axi_rready, m_axi_awvalid, m_axi_wvalid, m_axi_wlast,
      m_axi_bready} = 6'd0;
  assign {m_axi_arid, m_axi_awid, m_axi_araddr, m_axi_awaddr, m_axi_arlen, m_axi_awlen,
      m_axi_arsize, m_axi_awsize,
          m_axi_arburst, m_axi_awburst, m_axi_wstrb, m_axi_wdata} = '0;
  wire unused = &{1'b0, m_axi_arready, m_axi_rvalid, m_axi_rlast, m_axi_awready, m_axi_wready,
      m_axi_bvalid,
                  m_axi_rid, m_axi_bid, m_axi_rdata, m_axi_rresp, m_axi_bresp};
endmodule
`default_nettype wire

// A board as its pins have it: board.v between a serial line and an SDRAM of 32 MB.  The host's
// physical addresses (cmodel/places.h) are spread over 4 GB; the chip holds a piece of each kind.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module pins #(
  parameter LANES = 4, WARPS = 4, NREGS = 64, SHARED_BYTES = 16384, ICACHE_BYTES = 4096,
      CONST_BYTES = 0,
            TARGETS = 0, BARRIER_MODE = 1, STACK_DEPTH = 0, F64_LANES = 0, FLOAT_LANES = 1, SFU = 1,
            MATCH_SERIAL = 1, CONV_QUEUE = 1, CONV_LANES = 1, TRACK = 0, LSU_SLOTS = 1,
                RANGE_SERIAL = 1,
            KHZ = 12000, BAUD_CLOCKS = 4
) (
  input  wire         clk, rst_n,
  input  wire         rx_i,
  output wire         tx_o,
  output wire         stands_o,
  output wire         sdram_cke_o, sdram_cs_n_o, sdram_ras_n_o, sdram_cas_n_o, sdram_we_n_o,
  output wire [1:0]   sdram_ba_o, sdram_dqm_o,
  output wire [12:0]  sdram_a_o,
  output wire [15:0]  sdram_d_o,
  output wire         sdram_d_drive_o,
  input  wire [15:0]  sdram_d_i
);
  wire         in_valid, in_ready, out_valid, out_ready;
  wire [7:0]   in_byte, out_byte;
  uart #(.CLOCKS(BAUD_CLOCKS)) u_uart (
    .clk(clk), .rst_n(rst_n), .rx_i(rx_i), .tx_o(tx_o),
    .valid_o(in_valid), .byte_o(in_byte), .take_i(in_ready),
    .valid_i(out_valid), .byte_i(out_byte), .ready_o(out_ready)
  );

  wire         arvalid, arready, rvalid, rready, rlast, awvalid, awready, wvalid, wready, bvalid,
      bready;
  wire [4:0]   arid, awid, id;
  wire [`ADDR_BITS-1:0] araddr, awaddr;
  wire [7:0]   arlen;
  wire [255:0] rdata, wdata;
  wire [31:0]  wstrb;
  wire [1:0]   resp;
  /* verilator lint_off PINCONNECTEMPTY */
  board #(.LANES(LANES), .WARPS(WARPS), .NREGS(NREGS), .SHARED_BYTES(SHARED_BYTES),
      .ICACHE_BYTES(ICACHE_BYTES), .CONST_BYTES(CONST_BYTES), .TARGETS(TARGETS),
      .BARRIER_MODE(BARRIER_MODE), .STACK_DEPTH(STACK_DEPTH), .F64_LANES(F64_LANES),
      .FLOAT_LANES(FLOAT_LANES), .SFU(SFU), .MATCH_SERIAL(MATCH_SERIAL), .CONV_QUEUE(CONV_QUEUE),
      .CONV_LANES(CONV_LANES), .TRACK(TRACK), .LSU_SLOTS(LSU_SLOTS), .RANGE_SERIAL(RANGE_SERIAL))
  u_board (
    .clk(clk), .rst_n(rst_n), .rx_valid_i(in_valid), .rx_byte_i(in_byte), .rx_ready_o(in_ready),
    .tx_valid_o(out_valid), .tx_byte_o(out_byte), .tx_ready_i(out_ready), .stands_o(stands_o),
    .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr),
    .m_axi_arlen(arlen), .m_axi_arsize(), .m_axi_arburst(),
    .m_axi_rvalid(rvalid), .m_axi_rlast(rlast), .m_axi_rready(rready), .m_axi_rid(id),
    .m_axi_rdata(rdata), .m_axi_rresp(resp),
    .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr),
    .m_axi_awlen(), .m_axi_awsize(), .m_axi_awburst(),
    .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wlast(), .m_axi_wdata(wdata),
    .m_axi_wstrb(wstrb),
    .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_bid(id), .m_axi_bresp(resp)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // An address's highest bit says of which kind it is: 16 MB of allocations, 8 of data, 4 of local
  // memory, 2 of spilled tokens, 1 of constants, 1 of code.  {there is no such place, where}
  function automatic [25:0] place(input [`ADDR_BITS-1:0] a);
    if (a >= `ADDR_BITS'h10000000)      place = {a >= `ADDR_BITS'h11000000, 1'd1, a[23:0]};
    else if (a >= `ADDR_BITS'h08000000) place = {a >= `ADDR_BITS'h08800000, 2'd1, a[22:0]};
    else if (a >= `ADDR_BITS'h04000000) place = {a >= `ADDR_BITS'h04400000, 3'd1, a[21:0]};
    else if (a >= `ADDR_BITS'h02000000) place = {a >= `ADDR_BITS'h02200000, 4'd1, a[20:0]};
    else if (a >= `ADDR_BITS'h01000000) place = {a >= `ADDR_BITS'h01100000, 5'd1, a[19:0]};
    else                                place = {a >= `ADDR_BITS'h00100000, 5'd0, a[19:0]};
  endfunction
  wire [25:0]  ar = place(araddr), aw = place(awaddr);
  sdram #(.KHZ(KHZ)) u_sdram (
    .clk(clk), .rst_n(rst_n), .arvalid_i(arvalid), .ar_wrong_i(ar[25]), .awvalid_i(awvalid),
    .aw_wrong_i(aw[25]), .wvalid_i(wvalid), .rready_i(rready), .bready_i(bready),
    .araddr_i(ar[24:0]), .awaddr_i(aw[24:0]), .arid_i(arid), .awid_i(awid), .arlen_i(arlen),
    .wdata_i(wdata), .wstrb_i(wstrb), .arready_o(arready), .awready_o(awready), .wready_o(wready),
    .rvalid_o(rvalid), .rlast_o(rlast), .bvalid_o(bvalid), .id_o(id), .resp_o(resp),
        .rdata_o(rdata),
    .cke_o(sdram_cke_o), .cs_n_o(sdram_cs_n_o), .ras_n_o(sdram_ras_n_o), .cas_n_o(sdram_cas_n_o),
    .we_n_o(sdram_we_n_o), .ba_o(sdram_ba_o), .dqm_o(sdram_dqm_o), .a_o(sdram_a_o), .d_o(sdram_d_o),
    .d_drive_o(sdram_d_drive_o), .d_i(sdram_d_i)
  );
endmodule
`default_nettype wire

// A ULX3S with an ECP5-85: 25 MHz outside, 12 within, which is four clocks of a bit of 3 Mbaud.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`ifndef BOARD_PARAMS
`define BOARD_PARAMS .LANES(2)
`endif
module ulx3s (
  input  wire         clk_25mhz,
  input  wire [0:0]   btn,                   // 0 while it is pressed: reset
  output wire         ftdi_rxd,              // to the host
  input  wire         ftdi_txd,
  output wire [7:0]   led,
  output wire         wifi_gpio0,            // 1: the ESP32 leaves the board alone
  output wire         sdram_clk, sdram_cke, sdram_csn, sdram_rasn, sdram_casn, sdram_wen,
  output wire [1:0]   sdram_ba, sdram_dqm,
  output wire [12:0]  sdram_a,
  inout  wire [15:0]  sdram_d
);
  // 25 / 5 * 12 = 60 MHz, of which 600 / 10; ours: 600 / 50.
  wire clk, locked, fast;
  (* FREQUENCY_PIN_CLKI="25", FREQUENCY_PIN_CLKOP="60", FREQUENCY_PIN_CLKOS="12" *)
  EHXPLLL #(
    .CLKI_DIV(5), .CLKFB_DIV(12), .CLKOP_DIV(10), .CLKOS_DIV(50), .CLKOP_CPHASE(9),
        .CLKOS_CPHASE(49),
    .CLKOP_ENABLE("ENABLED"), .CLKOS_ENABLE("ENABLED"), .CLKOS2_ENABLE("DISABLED"),
    .CLKOS3_ENABLE("DISABLED"), .FEEDBK_PATH("CLKOP"), .OUTDIVIDER_MUXA("DIVA"),
    .OUTDIVIDER_MUXB("DIVB"), .PLLRST_ENA("DISABLED"), .STDBY_ENABLE("DISABLED"),
    .INTFB_WAKE("DISABLED"), .DPHASE_SOURCE("DISABLED")
  ) u_pll (
    .CLKI(clk_25mhz), .CLKFB(fast), .CLKOP(fast), .CLKOS(clk), .LOCK(locked), .RST(1'b0),
    .STDBY(1'b0), .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1),
    .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0), .ENCLKOS(1'b0)
  );
  logic [3:0] reset_q = 4'd0;
  always @(posedge clk)
    reset_q <= !locked || !btn[0] ? 4'd0 : reset_q + 4'(reset_q != 4'hf);
  wire rst_n = reset_q == 4'hf;

  wire [15:0] d;
  wire        drive, stands;
  pins #(`BOARD_PARAMS, .KHZ(12000), .BAUD_CLOCKS(4)) u_pins (
    .clk(clk), .rst_n(rst_n), .rx_i(ftdi_txd), .tx_o(ftdi_rxd), .stands_o(stands),
    .sdram_cke_o(sdram_cke), .sdram_cs_n_o(sdram_csn), .sdram_ras_n_o(sdram_rasn),
    .sdram_cas_n_o(sdram_casn), .sdram_we_n_o(sdram_wen), .sdram_ba_o(sdram_ba),
    .sdram_dqm_o(sdram_dqm), .sdram_a_o(sdram_a), .sdram_d_o(d), .sdram_d_drive_o(drive),
    .sdram_d_i(sdram_d)
  );
  assign sdram_d    = drive ? d : 16'hzzzz;
  ODDRX1F u_clock (.SCLK(clk), .RST(1'b0), .D0(1'b0), .D1(1'b1), .Q(sdram_clk));
  assign wifi_gpio0 = 1'b1;
  assign led        = {4'd0, !ftdi_txd, !ftdi_rxd, stands, rst_n};
endmodule
`default_nettype wire

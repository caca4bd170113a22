// A clock with pulses left out: on_i, while clk is low, says whether the next one comes.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module clock_gate (
  input  wire  clk, on_i,
  output logic on_o,                         // on_i, from the falling edge on
  output wire  clk_o
);
`ifdef FPGA_ECP5
  // The family's own gate, which is glitch-free and drives a clock net.
  always @(negedge clk)
    on_o <= on_i;
  DCCA u_gate (.CLKI(clk), .CE(on_o), .CLKO(clk_o));
`else
  always @(negedge clk)
    on_o <= on_i;
  assign clk_o = clk & on_o;
`endif
endmodule
`default_nettype wire

// Cells of an ECP5 that Yosys has no model of, as far as synth_ecp5 uses them, for the simulation
// of a netlist.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
// A gate of a clock: CE is a register of the falling edge (clock_gate.v).
module DCCA(input wire CLKI, CE, output wire CLKO);
  assign CLKO = CLKI & CE;
endmodule

`define PINS18(x) \
    x``17, x``16, x``15, x``14, x``13, x``12, x``11, x``10, x``9, x``8, x``7, x``6, x``5, x``4, \
    x``3, x``2, x``1, x``0
`define PINS14(x) \
    x``13, x``12, x``11, x``10, x``9, x``8, x``7, x``6, x``5, x``4, x``3, x``2, x``1, x``0
module MULT18X18D #(
  parameter REG_INPUTA_CLK = "NONE", REG_INPUTB_CLK = "NONE", REG_OUTPUT_CLK = "NONE"
) (
  input  wire `PINS18(A), `PINS18(B), `PINS18(C), SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  output wire P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19,
              P18, `PINS18(P)
);
  wire signed [18:0] a = {SIGNEDA & A17, `PINS18(A)}, b = {SIGNEDB & B17, `PINS18(B)};
  wire signed [37:0] p = a * b;
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
          `PINS18(P)} = p[35:0];
endmodule

// 2,048 places of nine bits; narrower ports have eight of them, wider ones two or four places.  A
// write of 36 bits is by port A, whose lowest address bits say which places; of a read of 36 the
// lower half is at A.
module DP16KD #(
  parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18, CLKAMUX = "CLKA", CLKBMUX = "CLKB",
            WRITEMODE_A = "NORMAL", WRITEMODE_B = "NORMAL", REGMODE_A = "NOREG",
            REGMODE_B = "NOREG", RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC",
            CSDECODE_A = "0b000", CSDECODE_B = "0b000", GSR = "AUTO",
`define INITS(d) \
    parameter [319:0] INITVAL_``d``0 = 0, parameter [319:0] INITVAL_``d``1 = 0, \
    parameter [319:0] INITVAL_``d``2 = 0, parameter [319:0] INITVAL_``d``3 = 0, \
    parameter [319:0] INITVAL_``d``4 = 0, parameter [319:0] INITVAL_``d``5 = 0, \
    parameter [319:0] INITVAL_``d``6 = 0, parameter [319:0] INITVAL_``d``7 = 0, \
    parameter [319:0] INITVAL_``d``8 = 0, parameter [319:0] INITVAL_``d``9 = 0, \
    parameter [319:0] INITVAL_``d``A = 0, parameter [319:0] INITVAL_``d``B = 0, \
    parameter [319:0] INITVAL_``d``C = 0, parameter [319:0] INITVAL_``d``D = 0, \
    parameter [319:0] INITVAL_``d``E = 0, parameter [319:0] INITVAL_``d``F = 0
  `INITS(0), `INITS(1), `INITS(2), `INITS(3)
) (
  input  wire `PINS18(DIA), `PINS14(ADA), CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output wire `PINS18(DOA),
  input  wire `PINS18(DIB), `PINS14(ADB), CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output wire `PINS18(DOB)
);
`define INIT4(d) \
    INITVAL_``d``F, INITVAL_``d``E, INITVAL_``d``D, INITVAL_``d``C, \
    INITVAL_``d``B, INITVAL_``d``A, INITVAL_``d``9, INITVAL_``d``8, \
    INITVAL_``d``7, INITVAL_``d``6, INITVAL_``d``5, INITVAL_``d``4, \
    INITVAL_``d``3, INITVAL_``d``2, INITVAL_``d``1, INITVAL_``d``0
  localparam [20479:0] INIT = {`INIT4(3), `INIT4(2), `INIT4(1), `INIT4(0)};
  reg  [8:0]  word_q [0:2047];
  initial
    for (int i = 0; i < 2048; i = i + 1)
      word_q[i] = INIT[20 * (i / 2) + 9 * (i % 2) +: 9];
  wire [17:0] da = {`PINS18(DIA)}, db = {`PINS18(DIB)};
  wire [13:0] aa = {`PINS14(ADA)}, ab = {`PINS14(ADB)};
  reg  [35:0] qa = 0, qb = 0;
  assign {`PINS18(DOA)} = DATA_WIDTH_B == 36 ? qb[17:0] : qa[17:0];
  assign {`PINS18(DOB)} = DATA_WIDTH_B == 36 ? qb[35:18] : qb[17:0];
  // What a port of this width reads there.
  function automatic [35:0] read(input integer width, input [13:0] at);
    case (width)
      1:  read = {35'd0, word_q[at[13:3]][{1'b0, at[2:0]}]};
      2:  read = {34'd0, word_q[at[13:3]][{1'b0, at[2:1], 1'b0} +: 2]};
      4:  read = {32'd0, word_q[at[13:3]][{1'b0, at[2], 2'd0} +: 4]};
      9:  read = {27'd0, word_q[at[13:3]]};
      18: read = {18'd0, word_q[{at[13:4], 1'b1}], word_q[{at[13:4], 1'b0}]};
      default: read = {word_q[{at[13:5], 2'd3}], word_q[{at[13:5], 2'd2}],
                       word_q[{at[13:5], 2'd1}], word_q[{at[13:5], 2'd0}]};
    endcase
  endfunction
  // A port: its clock, width, address, data
`define PORT(clock, width, mode, q, a, d, ce, we, rst) \
  always @(posedge clock) \
    if (ce) begin \
      if (!we || mode == "READBEFOREWRITE") \
        q <= read(width, a); \
      if (we) \
        case (width) \
          1:  word_q[a[13:3]][{1'b0, a[2:0]}] <= d[0]; \
          2:  word_q[a[13:3]][{1'b0, a[2:1], 1'b0} +: 2] <= d[1:0]; \
          4:  word_q[a[13:3]][{1'b0, a[2], 2'd0} +: 4] <= d[3:0]; \
          9:  word_q[a[13:3]] <= d[8:0]; \
          18: begin \
            if (a[0]) word_q[{a[13:4], 1'b0}] <= d[8:0]; \
            if (a[1]) word_q[{a[13:4], 1'b1}] <= d[17:9]; \
          end \
          default: begin \
            if (a[0]) word_q[{a[13:5], 2'd0}] <= d[8:0]; \
            if (a[1]) word_q[{a[13:5], 2'd1}] <= d[17:9]; \
            if (a[2]) word_q[{a[13:5], 2'd2}] <= d[26:18]; \
            if (a[3]) word_q[{a[13:5], 2'd3}] <= d[35:27]; \
          end \
        endcase \
      if (rst) \
        q <= 36'd0; \
    end
  wire        clka = CLKAMUX == "INV" ? !CLKA : CLKA, clkb = CLKBMUX == "INV" ? !CLKB : CLKB;
  wire [35:0] wide = {db, da}, narrow = {18'd0, db};
  `PORT(clka, DATA_WIDTH_A, WRITEMODE_A, qa, aa, wide, CEA, WEA, RSTA)
  `PORT(clkb, DATA_WIDTH_B, WRITEMODE_B, qb, ab, narrow, CEB, WEB, RSTB)
endmodule

// A board's clock and its pins: no delays.
module EHXPLLL #(
  parameter CLKI_DIV = 1, CLKFB_DIV = 1, CLKOP_DIV = 1, CLKOS_DIV = 1, CLKOP_CPHASE = 0,
            CLKOS_CPHASE = 0, CLKOP_ENABLE = "", CLKOS_ENABLE = "", CLKOS2_ENABLE = "",
            CLKOS3_ENABLE = "", FEEDBK_PATH = "", OUTDIVIDER_MUXA = "", OUTDIVIDER_MUXB = "",
            PLLRST_ENA = "", STDBY_ENABLE = "", INTFB_WAKE = "", DPHASE_SOURCE = ""
) (
  input  wire CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG,
              PLLWAKESYNC, ENCLKOP, ENCLKOS,
  output wire CLKOP, CLKOS, LOCK
);
  assign {CLKOP, CLKOS, LOCK} = {1'b0, CLKI, 1'b1};
endmodule
module ODDRX1F(input wire SCLK, RST, D0, D1, output wire Q);
  assign Q = SCLK ? D0 : D1;
endmodule
`default_nettype wire

// Tables, multiplexers and carries of an ECP5 as expressions.
// SPDX-License-Identifier: Apache-2.0
module LUT4(input A, B, C, D, output Z);
  parameter [15:0] INIT = 16'd0;
  \$lut #(.WIDTH(4), .LUT(INIT)) u (.A({D, C, B, A}), .Y(Z));
endmodule
module PFUMX(input ALUT, BLUT, C0, output Z);
  assign Z = C0 ? ALUT : BLUT;
endmodule
module L6MUX21(input D0, D1, SD, output Z);
  assign Z = SD ? D1 : D0;
endmodule
module CCU2C(input CIN, A0, B0, C0, D0, A1, B1, C1, D1, output S0, S1, COUT);
  parameter [15:0] INIT0 = 16'd0, INIT1 = 16'd0;
  parameter INJECT1_0 = "YES", INJECT1_1 = "YES";
  wire four0, four1, two0, two1, middle;
  \$lut #(.WIDTH(4), .LUT(INIT0)) u_four0 (.A({D0, C0, B0, A0}), .Y(four0));
  \$lut #(.WIDTH(4), .LUT(INIT1)) u_four1 (.A({D1, C1, B1, A1}), .Y(four1));
  \$lut #(.WIDTH(2), .LUT(INIT0[3:0])) u_two0 (.A({B0, A0}), .Y(two0));
  \$lut #(.WIDTH(2), .LUT(INIT1[3:0])) u_two1 (.A({B1, A1}), .Y(two1));
  assign S0     = four0 ^ (INJECT1_0 == "YES" ? 1'b0 : CIN);
  assign middle = four0 ? CIN : INJECT1_0 == "YES" ? 1'b0 : two0;
  assign S1     = four1 ^ (INJECT1_1 == "YES" ? 1'b0 : middle);
  assign COUT   = four1 ? middle : INJECT1_1 == "YES" ? 1'b0 : two1;
endmodule

// MUFU's table as synthesis takes it, a case, and as simulation does, one constant: the same rows.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`define SYNTHESIS
module mufu_case (input wire [9:0] row, output wire [72:0] d);
  `include "mufu_table.vh"
  assign d = row_of(row);
endmodule
`undef SYNTHESIS
module mufu_constant (input wire [9:0] row, output wire [72:0] d);
  `include "mufu_table.vh"
  assign d = {row_c0(row), row_c12(row)};
endmodule

module mufu_rom;
  reg  [9:0]  row;
  wire [72:0] synthesised, simulated;
  integer     same = 0, other = 0;
  mufu_case     u_case (.row(row), .d(synthesised));
  mufu_constant u_constant (.row(row), .d(simulated));
  initial begin
    for (row = 0; row < `ROWS; row = row + 1) begin
      #1;
      if (synthesised === simulated && ^simulated !== 1'bx) same = same + 1;
      else other = other + 1;
    end
    if (other != 0) $display("FAIL %0d rows of MUFU's table are others for synthesis", other);
    $display("mufu: %0d passed, %0d failed", same, other);
  end
endmodule
`default_nettype wire

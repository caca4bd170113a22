// The barrier registers of all warps, as conv_barriers.v has them, one a cycle: where a warp
// starts, each of the sixteen is written in turn.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module conv_barriers_serial #(
  parameter WARPS = 4
) (
  input  wire         clk,
  input  wire  [4:0]  warp_i,
  input  wire  [3:0]  sel_i,                 // the register looked at, written
  output wire  [31:0] now_o,                 // not while all are written
  input  wire         on_i,                  // a step is under way
  input  wire         go_i,
  input  wire         start_i,               // all of the warp are empty
  input  wire         we_i,                  // when it goes
  input  wire  [31:0] put_i,
  output wire         ready_o,               // all are
  // BMOV.R
  input  wire  [4:0]  bmov_warp_i,
  input  wire  [3:0]  bmov_bx_i,
  output wire  [31:0] bmov_o
);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  wire  [WB-1:0] w = warp_i[WB-1:0];
  logic [31:0] b_mem [0:WARPS*16-1];
  logic [4:0]  at_q;                         // 16: all have been written
  wire         sweep = on_i && start_i && !at_q[4];
  wire  [3:0]  sel   = sweep ? at_q[3:0] : sel_i;
  assign now_o   = b_mem[{w, sel}];
  assign bmov_o  = b_mem[{bmov_warp_i[WB-1:0], bmov_bx_i}];
  assign ready_o = !sweep;
  always @(posedge clk) begin
    if (sweep || (go_i && we_i))
      b_mem[{w, sel}] <= sweep ? 32'd0 : put_i;
    at_q <= !on_i || go_i || !start_i ? 5'd0 : sweep ? at_q + 5'd1 : at_q;
  end
  wire unused = &{1'b0, warp_i, bmov_warp_i};
endmodule
`default_nettype wire

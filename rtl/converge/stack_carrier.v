// Carriers of `.S`, before they issue: whether the token is on chip, and whether the pop will fault.
// Both are known when the carrier enters its warp's buffer, or when the tokens that it needs arrive,
// since nothing can change the warp's stack until the carrier itself pops.
//
// It faults where there is no token, for a CALL token, and where a fill met a bus error.  That live lanes get lost with the last
// token, as by an EXIT, cannot happen to it: the lanes of a SYNC token hold all that became active above
// it, the carrier's among them; those of a DIV token were never active above it, so they still live.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "stack.vh"
module stack_carrier #(
  parameter WARPS = 32
) (
  input  wire             clk, rst_n,
  input  wire             clear_i,
  // one enters; what its warp's stack looks like
  input  wire             look_i,
  input  wire [WARPS > 1 ? $clog2(WARPS)-1 : 0:0] warp_i,
  input  wire [63:0]      top_i,
  input  wire             has_i, none_i,
  output wire             fill_o,
  // its tokens arrive
  input  wire             arrives_i,
  input  wire [WARPS > 1 ? $clog2(WARPS)-1 : 0:0] arrives_warp_i,
  input  wire [63:0]      arrives_top_i,
  input  wire             arrives_broken_i,
  output logic [WARPS-1:0] bad_o              // its pop faults
);
  `include "codes_gen.vh"
  assign fill_o = look_i && !has_i && !none_i;
  always @(posedge clk) begin
    if (look_i)
      bad_o[warp_i] <= !fill_o && (none_i || top_i[33:32] == TOKEN_CALL);
    if (arrives_i)
      bad_o[arrives_warp_i] <= arrives_broken_i || arrives_top_i[33:32] == TOKEN_CALL;
    if (clear_i || !rst_n)
      bad_o <= {WARPS{1'b0}};
  end
  wire unused = &{1'b0, top_i, arrives_top_i};
endmodule
`default_nettype wire

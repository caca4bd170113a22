// Carriers of `.S`, before they issue: whether the token is on chip, and whether the pop will
// fault. Both are known when the carrier enters its warp's buffer, or when the tokens that it needs
// arrive, since nothing can change the warp's stack until the carrier itself pops.
//
// It faults where there is no token, for a CALL token, and where a fill met a bus error.  That live
// lanes get lost with the last token, as by an EXIT, cannot happen to it: the lanes of a SYNC token
// hold all that became active above it, the carrier's among them; those of a DIV token were never
// active above it, so they still live.
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
  input  wire [4:0]       warp_i,
  input  looked_t         top_i,
  output wire             fill_o,
  // its tokens arrive
  input  fill_t           arrives_i,
  output logic [WARPS-1:0] bad_o              // its pop faults
);
  `include "codes_gen.vh"
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  assign fill_o = look_i && !top_i.has && !top_i.none;
  always @(posedge clk) begin
    if (look_i)
      bad_o[warp_i[WB-1:0]] <= !fill_o && (top_i.none || top_i.kind == TOKEN_CALL);
    if (arrives_i.valid)
      bad_o[arrives_i.warp[WB-1:0]] <= arrives_i.broken || arrives_i.kind == TOKEN_CALL;
    if (clear_i || !rst_n)
      bad_o <= {WARPS{1'b0}};
  end
  wire unused = &{1'b0, warp_i, top_i, arrives_i};
endmodule
`default_nettype wire

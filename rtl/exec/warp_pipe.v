// Operations between lanes: the operands of all lanes come with the last beat in E1, the results
// leave beat by beat from E2 on.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module warp_pipe #(
  parameter LANES = 32
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,
  // E1
  input  wire          start_i,
  input  beat_t        beat_i,
  input  wire [31:0]   ps_i,                 // of all lanes
  input  wire [1023:0] a_i, b_i, c_i,
  // E2 and on
  output logic         valid_o,
  output beat_t        beat_o,
  output wire [64*LANES-1:0] d_o,
  output wire [LANES-1:0]    pd_o
);
  localparam N = 32 / LANES;
  uop_t          uop_q;
  logic [4:0]    beat_q;
  logic [31:0]   exec_q, ps_q;
  logic [1023:0] a_q, b_q, c_q;
  wire           last = beat_q == 5'(N - 1);
  always @(posedge clk) begin
    if (valid_o) begin
      beat_q <= beat_q + 5'd1;
      if (last)
        valid_o <= 1'b0;
    end
    if (start_i) begin
      valid_o <= 1'b1;
      beat_q  <= 5'd0;
      uop_q   <= beat_i.uop;
      {exec_q, ps_q, a_q, b_q, c_q} <= {beat_i.exec, ps_i, a_i, b_i, c_i};
    end
    if (!rst_n || clear_i)
      valid_o <= 1'b0;
  end
  assign beat_o = {last, beat_q, exec_q, uop_q};
  wire [32*LANES-1:0] d;
  warpops #(.LANES(LANES)) u_warpops (
    .en_i(valid_o), .op_i(uop_q.word[`INSN_OP]), .vote_i(uop_q.word[`INSN_VOTE]),
    .shfl_i(uop_q.word[`INSN_SHFL]), .beat_i(beat_q), .exec_i(exec_q), .ps_i(ps_q), .a_i(a_q),
    .b_i(b_q), .c_i(c_q), .d_o(d), .pd_o(pd_o)
  );
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_wide
      assign d_o[64*l +: 64] = {32'd0, d[32*l +: 32]};
    end
  endgenerate
  wire unused = &{1'b0, beat_i};
endmodule
`default_nettype wire

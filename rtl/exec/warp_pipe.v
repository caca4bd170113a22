// Operations between lanes: the last beat is in E1 with the first source of all lanes, the results
// leave beat by beat from E2 on.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module warp_pipe #(
  parameter LANES = 32, MATCH = 1
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,
  // E1
  input  wire          valid_i,              // a beat
  input  beat_t        beat_i,
  input  wire [64*LANES-1:0] a_i, b_i, c_i,  // its operands
  input  wire [31:0]   all_ps_i,             // of all lanes, with the last beat
  input  wire [1023:0] all_a_i,
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
  logic [1023:0] a_q;
  logic          half_q;                     // of the memories
  wire           start = valid_i && beat_i.last;
  wire           last = beat_q == 5'(N - 1);
  always @(posedge clk) begin
    if (valid_o) begin
      beat_q <= beat_q + 5'd1;
      if (last)
        valid_o <= 1'b0;
    end
    if (start) begin
      valid_o <= 1'b1;
      beat_q  <= 5'd0;
      uop_q   <= beat_i.uop;
      half_q  <= !half_q;
      {exec_q, ps_q} <= {beat_i.exec, all_ps_i};
      a_q     <= MATCH != 0 ? all_a_i : 1024'd0;
    end
    if (!rst_n || clear_i)
      {valid_o, half_q} <= 2'd0;
  end
  assign beat_o = {last, beat_q, exec_q, uop_q};
  wire [32*LANES-1:0] d;
  warpops #(.LANES(LANES), .MATCH(MATCH)) u_warpops (
    .clk(clk), .put_i(valid_i), .put_beat_i(beat_i.beat), .put_a_i(a_i), .put_b_i(b_i),
    .put_c_i(c_i), .half_i(half_q), .en_i(valid_o), .op_i(uop_q.word[`INSN_OP]),
    .vote_i(uop_q.word[`INSN_VOTE]), .shfl_i(uop_q.word[`INSN_SHFL]), .beat_i(beat_q),
    .exec_i(exec_q), .ps_i(ps_q), .a_i(a_q), .d_o(d), .pd_o(pd_o)
  );
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_wide
      assign d_o[64*l +: 64] = {32'd0, d[32*l +: 32]};
    end
  endgenerate
  wire unused = &{1'b0, beat_i, all_a_i};
endmodule
`default_nettype wire

// The float unit of a core that has fewer of them than lanes: a warp goes through FLOAT_LANES of
// its lanes, an FPU and a MUFU each, as serial_pipe.v says.  SFU=0: without MUFUs.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module float_serial #(
  parameter LANES = 32, FLOAT_LANES = 1, SFU = 1
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,
  // E1
  input  wire          valid_i,              // a beat for this unit
  input  beat_t        beat_i,
  input  wire [LANES-1:0]    ps_i,
  input  wire [64*LANES-1:0] a_i, b_i, c_i,
  // issue
  output wire          done_o,               // all results are there and have no slots yet
  input  wire          take_i,
  // as E2 and on
  output wire          valid_o,
  output beat_t        beat_o,
  output wire [64*LANES-1:0] d_o,
  output wire [LANES-1:0]    pd_o
);
  `include "isa_gen.vh"
  localparam F = FLOAT_LANES;
  wire         step;
  wire [127:0] word;
  wire [F-1:0] ps, pd;
  wire [64*F-1:0] a, d;
  wire [32*F-1:0] b, c;
  serial_pipe #(.LANES(LANES), .F(F), .LATENCY(4), .W(32)) u_serial (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .valid_i(valid_i), .beat_i(beat_i), .ps_i(ps_i),
    .a_i(a_i), .b_i(b_i), .c_i(c_i), .step_o(step), .word_o(word), .step_ps_o(ps), .step_a_o(a),
    .step_b_o(b), .step_c_o(c), .back_d_i(d), .back_pd_i(pd), .done_o(done_o), .take_i(take_i),
    .valid_o(valid_o), .beat_o(beat_o), .d_o(d_o), .pd_o(pd_o)
  );
  // One instruction at a time: its word is there from the first lane in to the last one out.
  wire sfu = SFU != 0 && word[`INSN_OP] == OP_MUFU;
  logic [3:1] fpu_q, sfu_q;
  always @(posedge clk) begin
    fpu_q <= {fpu_q[2:1], step && !sfu};
    sfu_q <= {sfu_q[2:1], step && sfu};
  end
  genvar l;
  generate
    for (l = 0; l < F; l = l + 1) begin : g_lane
      wire [63:0] fpu_d;
      wire [31:0] mufu_d;
      fpu u_fpu (
        .clk(clk), .en_i(step && !sfu), .en_q_i(fpu_q),
        .op_i(word[`INSN_OP]), .rm_i(word[`INSN_RM]),
        .ftz_i(word[`INSN_FTZ]), .sat_i(word[`INSN_SAT]), .fcmp_i(word[`INSN_FCMP]),
        .fbop_i(word[`INSN_FBOP]), .na_i(word[`INSN_NA]), .aa_i(word[`INSN_AA]),
        .nb_i(word[`INSN_NB]), .ab_i(word[`INSN_AB]), .nc_i(word[`INSN_NC]), .ps_i(ps[l]),
        .a_i(a[64*l +: 64]), .b_i(b[32*l +: 32]), .c_i(c[32*l +: 32]),
        .d_o(fpu_d), .pd_o(pd[l])
      );
      if (SFU != 0) begin : g_mufu
        mufu u_mufu (
          .clk(clk), .en_i(step && sfu), .en_q_i(sfu_q),
          .op_i(word[`INSN_MUFU]), .na_i(word[`INSN_NA]), .aa_i(word[`INSN_AA]),
          .a_i(a[64*l +: 32]), .d_o(mufu_d)
        );
      end else begin : g_none
        assign mufu_d = 32'd0;
      end
      assign d[64*l +: 64] = sfu ? {32'd0, mufu_d} : fpu_d;
    end
  endgenerate
  wire unused = &{1'b0, word};
endmodule
`default_nettype wire

// The float pipeline of all lanes: an FPU and a MUFU each, and the instruction beside them, from E1
// to WB.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module float_pipe #(
  parameter LANES = 32, SFU = 1              // SFU=0: without MUFUs
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,
  // E1
  input  wire          valid_i,              // a beat, of any unit
  input  beat_t        beat_i,
  input  wire [LANES-1:0]    ps_i,
  input  wire [64*LANES-1:0] a_i, b_i, c_i,
  // the cycle before WB, and WB
  output wire          f3_valid_o, f4_valid_o,
  output beat_t        f3_o, f4_o,
  output logic [64*LANES-1:0] d_o,
  output wire [LANES-1:0]    pd_o
);
  `include "isa_gen.vh"
  wire [127:0] word = beat_i.uop.word;
  wire         is_fpu = valid_i && beat_i.uop.dec.unit == UNIT_FPU;
  wire         is_sfu = valid_i && beat_i.uop.dec.unit == UNIT_SFU;
  wire [64*LANES-1:0] fpu_d;
  wire [32*LANES-1:0] mufu_d;
  logic [3:1]  fpu_q, sfu_q;
  always @(posedge clk) begin
    fpu_q <= {fpu_q[2:1], is_fpu};
    sfu_q <= {sfu_q[2:1], is_sfu};
  end
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_float
      fpu u_fpu (
        .clk(clk), .en_i(is_fpu), .en_q_i(fpu_q), .op_i(word[`INSN_OP]), .rm_i(word[`INSN_RM]),
        .ftz_i(word[`INSN_FTZ]), .sat_i(word[`INSN_SAT]), .fcmp_i(word[`INSN_FCMP]),
        .fbop_i(word[`INSN_FBOP]), .na_i(word[`INSN_NA]), .aa_i(word[`INSN_AA]),
        .nb_i(word[`INSN_NB]), .ab_i(word[`INSN_AB]), .nc_i(word[`INSN_NC]), .ps_i(ps_i[l]),
        .a_i(a_i[64*l +: 64]), .b_i(b_i[64*l +: 32]), .c_i(c_i[64*l +: 32]),
        .d_o(fpu_d[64*l +: 64]), .pd_o(pd_o[l])
      );
      if (SFU != 0) begin : g_mufu
        mufu u_mufu (
          .clk(clk), .en_i(is_sfu), .en_q_i(sfu_q), .op_i(word[`INSN_MUFU]), .na_i(word[`INSN_NA]),
          .aa_i(word[`INSN_AA]), .a_i(a_i[64*l +: 32]), .d_o(mufu_d[32*l +: 32])
        );
      end else begin : g_none
        assign mufu_d[32*l +: 32] = 32'd0;
      end
    end
  endgenerate

  logic [4:1] valid_q;
  beat_t      f1_q, f2_q;
  always @(posedge clk) begin
    valid_q <= {valid_q[3:1], is_fpu || is_sfu} & {4{rst_n && !clear_i}};
    if (is_fpu || is_sfu) f1_q <= beat_i;
    if (valid_q[1]) f2_q <= f1_q;
    if (valid_q[2]) f3_o <= f2_q;
    if (valid_q[3]) f4_o <= f3_o;
  end
  assign f3_valid_o = valid_q[3];
  assign f4_valid_o = valid_q[4];
  always_comb begin
    d_o = fpu_d;
    if (f4_valid_o && f4_o.uop.dec.unit == UNIT_SFU)
      for (int i = 0; i < LANES; i = i + 1)
        d_o[64*i +: 64] = {32'd0, mufu_d[32*i +: 32]};
  end
  wire unused = &{1'b0, word, b_i, c_i};
endmodule
`default_nettype wire

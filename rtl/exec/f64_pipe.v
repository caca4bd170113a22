// The f64 unit: a warp goes through F64_LANES of its lanes (f64_lane.v), as serial_pipe.v says.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module f64_pipe #(
  parameter LANES = 32, F64_LANES = 1
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
  localparam F = F64_LANES < LANES ? F64_LANES : LANES;
  wire         step;
  wire [127:0] word;
  wire [F-1:0] ps, pd;
  wire [64*F-1:0] a, b, c, d;
  serial_pipe #(.LANES(LANES), .F(F), .LATENCY(5), .W(64)) u_serial (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .valid_i(valid_i), .beat_i(beat_i), .ps_i(ps_i),
    .a_i(a_i), .b_i(b_i), .c_i(c_i), .step_o(step), .word_o(word), .step_ps_o(ps), .step_a_o(a),
    .step_b_o(b), .step_c_o(c), .back_d_i(d), .back_pd_i(pd), .done_o(done_o), .take_i(take_i),
    .valid_o(valid_o), .beat_o(beat_o), .d_o(d_o), .pd_o(pd_o)
  );
  genvar l;
  generate
    for (l = 0; l < F; l = l + 1) begin : g_lane
      f64_lane u_lane (
        .clk(clk), .en_i(step), .op_i(word[`INSN_OP]), .rm_i(word[`INSN_RM]),
        .fcmp_i(word[`INSN_FCMP]), .fbop_i(word[`INSN_FBOP]), .na_i(word[`INSN_NA]),
        .aa_i(word[`INSN_AA]), .nb_i(word[`INSN_NB]), .ab_i(word[`INSN_AB]), .nc_i(word[`INSN_NC]),
        .ps_i(ps[l]), .a_i(a[64*l +: 64]), .b_i(b[64*l +: 64]), .c_i(c[64*l +: 64]),
        .d_o(d[64*l +: 64]), .pd_o(pd[l])
      );
    end
  endgenerate
  wire unused = &{1'b0, word};
endmodule
`default_nettype wire

// The integer pipeline of all lanes: ALU and products in E1, sums in E2; a result whose slot was
// taken waits for two cycles more.  Control instructions pass through it, those that write a
// register with their result.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module int_pipe #(
  parameter LANES = 32, LATE = 1             // LATE=0: none is late
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,
  // E1
  input  wire          valid_i,              // a beat, of any unit
  input  beat_t        beat_i,
  input  wire [LANES-1:0]    ps_i, pt_i,
  input  wire [64*LANES-1:0] a_i, b_i, c_i,
  input  wire [32*LANES-1:0] sreg_i,         // values from outside: the special register, the
                                             // barrier register
  input  wire [31:0]   barrier_i,
  // E2: results in time
  output wire          e2_valid_o,
  output beat_t        e2_o,
  output wire [64*LANES-1:0]  e2_d_o,
  output logic [LANES-1:0]    e2_pd_o,
  // two cycles later: late ones
  output logic         l2_valid_o,
  output beat_t        l2_o,
  output logic [64*LANES-1:0] l2_d_o,
  output logic [LANES-1:0]    l2_pd_o
);
  `include "isa_gen.vh"
  // ---- E1 ----
  wire [127:0] word = beat_i.uop.word;
  wire [8:0]   op1  = word[`INSN_OP];
  wire [2:0]   unit = beat_i.uop.dec.unit;
  wire         mine = valid_i && (unit == UNIT_ALU || unit == UNIT_MUL || unit == UNIT_CTL);
  wire         computes = mine && (unit != UNIT_CTL || beat_i.uop.dec.writes_rd);
  wire [31:0]  behind = beat_i.uop.pc + 32'd16;
  wire [64*LANES-1:0] d;
  wire [LANES-1:0]    pd;
  alu #(.LANES(LANES)) u_alu (
    .en_i(computes), .op_i(op1), .lut_i(word[`INSN_LUT]), .icmp_i(word[`INSN_ICMP]),
    .sg_i(word[`INSN_SG]), .bop_i(word[`INSN_BOP]), .a_i(a_i), .b_i(b_i), .c_i(c_i), .ps_i(ps_i),
    .pt_i(pt_i), .sreg_i(sreg_i), .other_i(op1 == OP_BMOVR ? barrier_i : behind), .d_o(d), .pd_o(pd)
  );

  // ---- E2 ----
  logic        valid_q;
  logic [64*LANES-1:0] d_q, c_q;
  always @(posedge clk) begin
    valid_q <= mine && rst_n && !clear_i;
    if (mine) begin
      e2_o    <= beat_i;
      d_q     <= d;
      e2_pd_o <= pd;
      c_q     <= unit == UNIT_MUL ? c_i : {64*LANES{1'b0}};
    end
  end
  // One sum serves all: of what is no product nothing is added to.
  wire [8:0] op2  = e2_o.uop.word[`INSN_OP];
  wire       mul  = e2_o.uop.dec.unit == UNIT_MUL;
  wire       wide = !mul || op2 == OP_IMADWU || op2 == OP_IMADWS;
  wire       high = mul && !wide && op2 != OP_IMAD;
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_sum
      wire [63:0] p = d_q[64*l +: 64], c = c_q[64*l +: 64];
      wire [63:0] sum = {p[63:32], high ? p[63:32] : p[31:0]} + c;
      assign e2_d_o[64*l +: 64] = {wide ? sum[63:32] : 32'd0, sum[31:0]};
    end
  endgenerate
  wire late = LATE != 0 && e2_o.uop.late;
  assign e2_valid_o = valid_q && !late;

  // ---- late results wait here ----
  logic        l1_valid_q;
  beat_t       l1_q;
  logic [64*LANES-1:0] l1_d_q;
  logic [LANES-1:0]    l1_pd_q;
  always @(posedge clk) begin
    l1_valid_q <= valid_q && late && rst_n && !clear_i;
    l2_valid_o <= LATE != 0 && l1_valid_q && rst_n && !clear_i;
    if (valid_q && late)
      {l1_q, l1_d_q, l1_pd_q} <= {e2_o, e2_d_o, e2_pd_o};
    if (l1_valid_q)
      {l2_o, l2_d_o, l2_pd_o} <= {l1_q, l1_d_q, l1_pd_q};
  end
  wire unused = &{1'b0, word};
endmodule
`default_nettype wire

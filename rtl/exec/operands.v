// RR and E1: the registers and predicates of a beat, and the operands of its lanes.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module operands #(
  parameter WARPS = 32, NREGS = 256, LANES = 32
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,
  input  wire          start_i,              // a block starts in this warp slot
  input  wire [4:0]    start_warp_i,
  // RR
  input  wire          rr_valid_i, rr_first_i, rr_last_i, rr_pass_i,
  input  uop_t         rr_uop_i,
  input  wire [4:0]    rr_beat_i,
  input  wire [63:0]   constant_i,           // E1: c[], or of an LDC that is no memory instruction
  // E1: a beat
  output logic         valid_o,
  output logic         first_o, last_o,      // of the instruction's beats
  output logic         pass_o,               // its second pass
  output uop_t         uop_o,
  output logic [4:0]   beat_o,
  output logic [LANES-1:0]    exec_o,        // lanes whose guard holds
  output logic [LANES-1:0]    ps_o, pt_o,    // source predicates
  output wire [64*LANES-1:0]  a_o, b_o, c_o, // pairs, or 32 bits in the low word
  // the write port
  input  wire          wr_en_i, wr_lsu_i, wr_pd_en_i,
  input  wire [4:0]    wr_warp_i, wr_beat_i,
  input  wire [6:0]    wr_pair_i,
  input  wire [1:0]    wr_half_i,
  input  wire [LANES-1:0]    wr_mask_i,
  input  wire [64*LANES-1:0] wr_data_i,
  input  wire [2:0]    wr_pd_i,
  input  wire [LANES-1:0]    wr_pd_data_i
);
  `include "isa_gen.vh"
  wire [127:0] rr_word = rr_uop_i.word;
  wire [7:0]   rr_ra = rr_word[`INSN_RA], rr_rb = rr_word[`INSN_RB], rr_rc = rr_word[`INSN_RC];
  wire [31:0]  rr_active = rr_uop_i.active;
  wire [4:0]   rr_lane = 5'(rr_beat_i * LANES[5:0]);
  wire [64*LANES-1:0] a_row, b_row, c_row;   // pairs of registers
  wire [1:0]   a_valid, b_valid, c_valid;   // halves that have been written since the block started
  wire [LANES-1:0] pg, ps, pt;
  regfile #(.WARPS(WARPS), .NREGS(NREGS), .LANES(LANES)) u_regfile (
    .clk(clk), .clear_i(start_i), .clear_warp_i(start_warp_i), .rd_en_i(rr_valid_i),
    .rd_warp_i(rr_uop_i.warp), .rd_beat_i(rr_beat_i),
    .rd_use_i({rr_uop_i.dec.reads_c && rr_rc != RZ, rr_uop_i.dec.reads_b && rr_rb != RZ,
               rr_uop_i.dec.reads_a && rr_ra != RZ}),
    .rd_a_i(rr_ra[7:1]), .rd_b_i(rr_rb[7:1] | {6'd0, rr_pass_i}), .rd_c_i(rr_rc[7:1]),
    .a_o(a_row), .b_o(b_row), .c_o(c_row), .a_valid_o(a_valid), .b_valid_o(b_valid),
    .c_valid_o(c_valid), .wr_en_i(wr_en_i), .wr_lsu_i(wr_lsu_i), .wr_warp_i(wr_warp_i),
    .wr_beat_i(wr_beat_i), .wr_pair_i(wr_pair_i), .wr_half_i(wr_half_i), .wr_mask_i(wr_mask_i),
    .wr_data_i(wr_data_i)
  );
  predfile #(.WARPS(WARPS), .LANES(LANES)) u_predfile (
    .clk(clk), .clear_i(start_i), .clear_warp_i(start_warp_i), .rd_warp_i(rr_uop_i.warp),
    .rd_beat_i(rr_beat_i), .pg_i(rr_word[`INSN_PG]), .ps_i(rr_word[`INSN_PS]),
    .pt_i(rr_word[`INSN_PQ]), .pg_o(pg), .ps_o(ps), .pt_o(pt), .wr_en_i(wr_pd_en_i),
    .wr_warp_i(wr_warp_i), .wr_beat_i(wr_beat_i), .wr_pd_i(wr_pd_i), .wr_mask_i(wr_mask_i),
    .wr_data_i(wr_pd_data_i)
  );
  always @(posedge clk) begin
    valid_o <= rr_valid_i && rst_n && !clear_i;
    if (rr_valid_i) begin
      first_o <= rr_first_i && !rr_pass_i;
      last_o  <= rr_last_i && (rr_pass_i || !rr_uop_i.dec.b_quad);
      pass_o  <= rr_pass_i;
      uop_o   <= rr_uop_i;
      beat_o  <= rr_beat_i;
      exec_o  <= rr_active[rr_lane +: LANES] & (pg ^ {LANES{rr_word[`INSN_PN]}});
      ps_o    <= ps ^ {LANES{rr_word[`INSN_SN]}};
      pt_o    <= pt;
    end
  end

  // ---- E1: words in place, and immediates ----
  wire [7:0]  ra = uop_o.word[`INSN_RA], rb = uop_o.word[`INSN_RB], rc = uop_o.word[`INSN_RC];
  wire [31:0] imm = uop_o.word[`INSN_IMM];
  wire        constant = uop_o.word[`INSN_CB]
                      || (uop_o.word[`INSN_OP] == OP_LDC && uop_o.dec.unit == UNIT_ALU);
  wire [31:0] sign = {32{uop_o.dec.b_sext && imm[31]}};
  // Which half of a pair goes to which word, the same for all lanes: low to low, high to low, high
  // to high.  As masks: choices in each lane would be branches in a simulator.
  wire        b_reg = !constant && !uop_o.dec.b_imm, b_pair = uop_o.dec.b_pair || uop_o.dec.b_quad;
  wire [31:0] a_ll = {32{a_valid[0] && (uop_o.dec.a_pair || !ra[0])}},
              a_hl = {32{a_valid[1] && !uop_o.dec.a_pair && ra[0]}},
              a_hh = {32{a_valid[1] && uop_o.dec.a_pair}};
  wire [31:0] b_ll = {32{b_valid[0] && b_reg && (b_pair || !rb[0])}},
              b_hl = {32{b_valid[1] && b_reg && !b_pair && rb[0]}},
              b_hh = {32{b_valid[1] && b_reg && b_pair}};
  wire [63:0] b_same = constant ? constant_i : uop_o.dec.b_imm ? {sign, imm} : 64'd0;
  wire [31:0] c_ll = {32{c_valid[0] && (uop_o.dec.c_pair || !rc[0])}},
              c_hl = {32{c_valid[1] && !uop_o.dec.c_pair && rc[0]}},
              c_hh = {32{c_valid[1] && uop_o.dec.c_pair}};
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_lane
      wire [31:0] a_low = a_row[64*l +: 32], a_high = a_row[64*l+32 +: 32];
      wire [31:0] b_low = b_row[64*l +: 32], b_high = b_row[64*l+32 +: 32];
      wire [31:0] c_low = c_row[64*l +: 32], c_high = c_row[64*l+32 +: 32];
      assign a_o[64*l +: 32]    = (a_low & a_ll) | (a_high & a_hl);
      assign a_o[64*l+32 +: 32] = a_high & a_hh;
      assign b_o[64*l +: 32]    = (b_low & b_ll) | (b_high & b_hl) | b_same[31:0];
      assign b_o[64*l+32 +: 32] = (b_high & b_hh) | b_same[63:32];
      assign c_o[64*l +: 32]    = (c_low & c_ll) | (c_high & c_hl);
      assign c_o[64*l+32 +: 32] = c_high & c_hh;
    end
  endgenerate
  wire unused = &{1'b0, rr_word, ra, rb, rc};
endmodule
`default_nettype wire

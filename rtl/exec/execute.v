// E1 to WB: instances only.
//   E1  operands (operands.v), the first of all lanes where they are wanted together (gather.v); ALU; FPU, MUFU, LSU and
//       convergence unit get theirs
//   E2  sums of products (int_pipe.v); operations between lanes, once all beats are there (warp_pipe.v)
//   WB  one result beat (writeback.v): ALU (4 cycles after IS), lanes (4 + N - 1), float (6,
//       float_pipe.v), f64 (4 after it is taken, f64_pipe.v; so are floats where there are fewer units than lanes,
//       float_serial.v), or the LSU's where no instruction has reserved the slot
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module execute #(
  parameter WARPS = 32, NREGS = 256, LANES = 32, F64_LANES = 1, FLOAT_LANES = 32, SFU = 1, MATCH_SERIAL = 0,
            PROBE = 1
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,
  input  wire          start_i,              // a block starts in this warp slot
  input  wire [4:0]    start_warp_i,
  // RR
  input  wire          rr_valid_i, rr_first_i, rr_last_i, rr_pass_i,
  input  uop_t         rr_uop_i,
  input  wire [4:0]    rr_beat_i,
  // E1: values from outside
  input  wire [63:0]   e1_constant_i,
  output wire [4:0]    e1_warp_o,
  output wire [3:0]    e1_bx_o,
  output wire          e1_sreg_o,            // a special register is read
  output wire [4:0]    e1_sreg_num_o, e1_beat_o,
  input  wire [32*LANES-1:0] e1_sreg_i,
  input  wire [31:0]   e1_barrier_i,
  // E1 to the LSU
  output wire          lsu_valid_o, lsu_first_o, lsu_last_o, lsu_pass_o,
  output uop_t         lsu_uop_o,
  output wire [LANES-1:0]    lsu_mask_o,
  output wire [64*LANES-1:0] lsu_a_o, lsu_b_o, lsu_c_o,
  // E1 to the convergence unit, with the last beat
  output wire          conv_valid_o,
  output uop_t         conv_uop_o,
  output wire [31:0]   all_exec_o,           // lanes whose guard holds
  output wire [31:0]   conv_b_o,             // the lowest executing lane's second source
  output wire [31:0]   conv_same_o, conv_target_o,     // of an indirect branch, see same_target.v
  // f64, and floats and MATCH that go lane by lane: results wait for slots, have them
  output wire          serial_done_o,
  input  wire          serial_take_i,
  // the scoreboard: written in the next cycle
  output wire          done_o,
  output uop_t         done_uop_o,           // its warp, dec, registers
  // a carrier of `.S` retires in the next cycle
  output wire          pop_o,
  output wire [4:0]    pop_warp_o,
  // results of the LSU
  input  wire          slot_write_i,
  input  wire          lw_valid_i,
  output wire          lw_ready_o,
  input  wire [4:0]    lw_warp_i, lw_beat_i,
  input  wire [6:0]    lw_pair_i,
  input  wire [1:0]    lw_half_i,
  input  wire [LANES-1:0]    lw_mask_i,
  input  wire [64*LANES-1:0] lw_data_i,
  // WB: what retires
  output wire          wb_valid_o,
  output wire          wb_last_o,            // of its beats
  output wire [4:0]    wb_beat_o,
  output uop_t         wb_uop_o,             // without PROBE its warp and dec
  output wire [31:0]   wb_exec_o,            // all lanes, with the last beat
  output wire [64*LANES-1:0] wb_data_o,
  output wire [LANES-1:0]    wb_pd_o
);
  `include "isa_gen.vh"

  // ---- RR, E1: a beat with its operands ----
  wire         e1_valid, e1_first, e1_last, e1_pass;
  uop_t        e1_uop;
  wire [LANES-1:0]    e1_exec, e1_ps, e1_pt;
  wire [64*LANES-1:0] e1_a, e1_b, e1_c;
  wire         wr_en, wr_pd_en;
  wire [4:0]   wr_warp, wr_beat;
  wire [6:0]   wr_pair;
  wire [1:0]   wr_half;
  wire [LANES-1:0]    wr_mask;
  wire [64*LANES-1:0] wr_data;
  operands #(.WARPS(WARPS), .NREGS(NREGS), .LANES(LANES)) u_operands (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .start_i(start_i), .start_warp_i(start_warp_i),
    .rr_valid_i(rr_valid_i), .rr_first_i(rr_first_i), .rr_last_i(rr_last_i), .rr_pass_i(rr_pass_i),
    .rr_uop_i(rr_uop_i), .rr_beat_i(rr_beat_i), .constant_i(e1_constant_i), .valid_o(e1_valid), .first_o(e1_first), .last_o(e1_last),
    .pass_o(e1_pass), .uop_o(e1_uop), .beat_o(e1_beat_o), .exec_o(e1_exec), .ps_o(e1_ps), .pt_o(e1_pt),
    .a_o(e1_a), .b_o(e1_b), .c_o(e1_c), .wr_en_i(wr_en), .wr_lsu_i(!wb_valid_o), .wr_pd_en_i(wr_pd_en),
    .wr_warp_i(wr_warp), .wr_beat_i(wr_beat), .wr_pair_i(wr_pair), .wr_half_i(wr_half), .wr_mask_i(wr_mask),
    .wr_data_i(wr_data), .wr_pd_i(wb_uop.word[`INSN_PD]), .wr_pd_data_i(wb_pd_o)
  );
  wire [31:0]  e1_imm  = e1_uop.word[`INSN_IMM];
  wire [2:0]   e1_unit = e1_uop.dec.unit;
  wire         e1_warp_op = e1_valid && e1_unit == UNIT_WARP;
  wire         e1_control = e1_valid && e1_unit == UNIT_CTL;
  assign e1_warp_o     = e1_uop.warp;
  assign e1_bx_o       = e1_uop.word[`INSN_BX];
  assign e1_sreg_o     = e1_valid && e1_uop.word[`INSN_OP] == OP_S2R;
  assign e1_sreg_num_o = e1_imm[4:0];

  assign lsu_valid_o = e1_valid && e1_unit == UNIT_LSU;
  assign lsu_first_o = e1_first;
  assign lsu_last_o  = e1_last;
  assign lsu_pass_o  = e1_pass;
  assign lsu_uop_o   = e1_uop;
  assign lsu_mask_o  = e1_exec;
  assign {lsu_a_o, lsu_b_o, lsu_c_o} = {e1_a, e1_b, e1_c};

  // ---- all lanes of it ----
  wire [31:0]   all_ps;
  wire [1023:0] all_a;
  gather #(.LANES(LANES), .ALL(32'(MATCH_SERIAL == 0))) u_gather (
    .clk(clk), .valid_i(e1_valid), .sources_i(e1_warp_op), .control_i(e1_control), .first_i(e1_first),
    .beat_i(e1_beat_o), .exec_i(e1_exec), .ps_i(e1_ps), .a_i(e1_a), .b_i(e1_b), .exec_o(all_exec_o),
    .ps_o(all_ps), .a_o(all_a), .low_b_o(conv_b_o)
  );
  wire [8:0] op = e1_uop.word[`INSN_OP];
  same_target #(.LANES(LANES)) u_same (
    .clk(clk), .en_i(e1_control && (op == OP_BRX || op == OP_RET || op == OP_CALLR || op == OP_CALR)),
    .first_i(e1_first), .beat_i(e1_beat_o),
    .active_i(e1_uop.active), .behind_i(e1_uop.pc + 32'd16), .exec_i(e1_exec), .a_i(e1_a),
    .target_o(conv_target_o), .same_o(conv_same_o)
  );
  assign conv_valid_o = e1_control && e1_last;
  assign conv_uop_o   = e1_uop;

  // ---- the pipelines ----
  beat_t       e1, e2, l2, w, m, g, s, x, f3, f4, wb;
  wire [64*LANES-1:0] e2_d, l2_d, w_d, m_d, g_d, s_d, x_d, f4_d;
  wire [LANES-1:0]    e2_pd, l2_pd, w_pd, m_pd, g_pd, s_pd, x_pd, f4_pd;
  wire         e2_valid, l2_valid, w_valid, m_valid, g_valid, s_valid, x_valid, f3_valid, f4_valid;
  assign e1 = {e1_last, e1_beat_o, all_exec_o, e1_uop};
  int_pipe #(.LANES(LANES), .LATE(FLOAT_LANES >= LANES)) u_int (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .valid_i(e1_valid), .beat_i(e1), .ps_i(e1_ps), .pt_i(e1_pt),
    .a_i(e1_a), .b_i(e1_b), .c_i(e1_c), .sreg_i(e1_sreg_i), .barrier_i(e1_barrier_i), .e2_valid_o(e2_valid),
    .e2_o(e2), .e2_d_o(e2_d), .e2_pd_o(e2_pd), .l2_valid_o(l2_valid), .l2_o(l2), .l2_d_o(l2_d), .l2_pd_o(l2_pd)
  );
  warp_pipe #(.LANES(LANES), .MATCH(MATCH_SERIAL == 0)) u_warp (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .valid_i(e1_warp_op), .beat_i(e1), .a_i(e1_a), .b_i(e1_b),
    .c_i(e1_c), .all_ps_i(all_ps), .all_a_i(all_a), .valid_o(w_valid), .beat_o(w), .d_o(w_d), .pd_o(w_pd)
  );
  // Of f64, and floats and MATCH that go lane by lane, one instruction at a time is in any.
  wire         serial  = e1_valid && e1_unit == UNIT_SERIAL;
  wire         match   = e1_uop.word[`INSN_OP] == OP_MATCHN || e1_uop.word[`INSN_OP] == OP_MATCHL;
  wire         g_done, s_done, m_done;
  assign       serial_done_o = g_done || s_done || m_done;
  localparam   SERIAL = FLOAT_LANES != 0 && FLOAT_LANES < LANES;
  generate
    if (F64_LANES == 0) begin : g_no_f64
      assign {g_done, g_valid} = 2'd0;
      assign {g, g_d, g_pd} = {s, s_d, s_pd};
    end else begin : g_f64
      f64_pipe #(.LANES(LANES), .F64_LANES(F64_LANES)) u_f64 (
        .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .valid_i(serial && e1_uop.dec.f64),
        .beat_i(e1), .ps_i(e1_ps), .a_i(e1_a), .b_i(e1_b), .c_i(e1_c), .done_o(g_done),
        .take_i(serial_take_i && g_done), .valid_o(g_valid), .beat_o(g), .d_o(g_d), .pd_o(g_pd)
      );
    end
  endgenerate
  generate
    if (SERIAL) begin : g_float_serial
      float_serial #(.LANES(LANES), .FLOAT_LANES(FLOAT_LANES), .SFU(SFU)) u_float (
        .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .valid_i(serial && !e1_uop.dec.f64 && !match), .beat_i(e1),
        .ps_i(e1_ps), .a_i(e1_a), .b_i(e1_b), .c_i(e1_c), .done_o(s_done), .take_i(serial_take_i && s_done),
        .valid_o(s_valid), .beat_o(s), .d_o(s_d), .pd_o(s_pd)
      );
    end else begin : g_no_serial
      assign {s_done, s_valid} = 2'd0;
      assign {s, s_d, s_pd} = {w, w_d, w_pd};
    end
    if (MATCH_SERIAL != 0) begin : g_match
      match_serial #(.LANES(LANES)) u_match (
        .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .valid_i(serial && match), .beat_i(e1), .a_i(e1_a),
        .done_o(m_done), .take_i(serial_take_i && m_done), .valid_o(m_valid), .beat_o(m), .d_o(m_d), .pd_o(m_pd)
      );
    end else begin : g_no_match
      assign {m_done, m_valid} = 2'd0;
      assign {m, m_d, m_pd} = {w, w_d, w_pd};
    end
    if (FLOAT_LANES < LANES) begin : g_no_float
      assign {f3_valid, f4_valid, f4_d, f4_pd} = {65*LANES+2{1'b0}};
      assign {f3, f4} = {w, w};
    end else begin : g_float
      float_pipe #(.LANES(LANES), .SFU(SFU)) u_float (
        .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .valid_i(e1_valid), .beat_i(e1), .ps_i(e1_ps), .a_i(e1_a),
        .b_i(e1_b), .c_i(e1_c), .f3_valid_o(f3_valid), .f4_valid_o(f4_valid), .f3_o(f3), .f4_o(f4), .d_o(f4_d), .pd_o(f4_pd)
      );
    end
  endgenerate
  // All leave as soon as their slots say: never together.
  assign x_valid = w_valid || m_valid || g_valid || s_valid;
  assign {x, x_d, x_pd} = g_valid ? {g, g_d, g_pd} : s_valid ? {s, s_d, s_pd} : m_valid ? {m, m_d, m_pd} : {w, w_d, w_pd};

  // ---- WB ----
  writeback #(.LANES(LANES)) u_writeback (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .e2_valid_i(e2_valid), .l2_valid_i(l2_valid), .x_valid_i(x_valid),
    .f3_valid_i(f3_valid), .f4_valid_i(f4_valid), .e2_i(e2), .l2_i(l2), .x_i(x), .f3_i(f3), .f4_i(f4),
    .e2_d_i(e2_d), .l2_d_i(l2_d), .x_d_i(x_d), .f4_d_i(f4_d), .e2_pd_i(e2_pd), .l2_pd_i(l2_pd), .x_pd_i(x_pd),
    .f4_pd_i(f4_pd), .slot_write_i(slot_write_i), .lw_valid_i(lw_valid_i), .lw_ready_o(lw_ready_o),
    .lw_warp_i(lw_warp_i), .lw_beat_i(lw_beat_i), .lw_pair_i(lw_pair_i), .lw_half_i(lw_half_i), .lw_mask_i(lw_mask_i),
    .lw_data_i(lw_data_i), .done_o(done_o), .pop_o(pop_o), .done_uop_o(done_uop), .pop_warp_o(pop_warp_o),
    .valid_o(wb_valid_o), .beat_o(wb), .d_o(wb_data_o), .pd_o(wb_pd_o), .wr_en_o(wr_en), .wr_pd_en_o(wr_pd_en),
    .wr_warp_o(wr_warp), .wr_beat_o(wr_beat), .wr_pair_o(wr_pair), .wr_half_o(wr_half), .wr_mask_o(wr_mask),
    .wr_data_o(wr_data)
  );
  // Nobody looks at the rest: no multiplexers for it.
  localparam [64:0] NO_PLACE = 65'd0;        // pc, active, late
  uop_t         wb_uop, done_uop;
  logic [127:0] registers;
  always_comb begin
    registers = 128'd0;
    registers[`INSN_RD] = done_uop.word[`INSN_RD];
    registers[`INSN_PD] = done_uop.word[`INSN_PD];
  end
  assign {wb_last_o, wb_beat_o, wb_exec_o, wb_uop} = wb;
  assign wb_uop_o   = PROBE != 0 ? wb_uop : {wb_uop.warp, NO_PLACE, wb_uop.dec, 128'd0};
  assign done_uop_o = {done_uop.warp, NO_PLACE, done_uop.dec, registers};
  wire unused = &{1'b0, e1_imm, serial_take_i, match, done_uop, wb_uop};
endmodule
`default_nettype wire

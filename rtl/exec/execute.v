// E1 to WB: operands, integer and float lanes, operations between lanes, the write port.
//   E1  operands from the register file; ALU; FPU, MUFU, LSU and convergence unit get theirs
//   E2  sums of products; operations between lanes (once all beats are there)
//   WB  one result beat: ALU (4 cycles after IS), lanes (4 + N - 1), float (6), or the LSU's where
//       no instruction has reserved the slot
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module execute #(
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
  // E1: values from outside
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
  output wire [31:0]   conv_exec_o,          // lanes whose guard holds
  output wire [31:0]   conv_b_o,             // the lowest executing lane's second source
  output wire [1023:0] conv_a_o,             // first source of all lanes
  // the scoreboard: written in the next cycle
  output wire          done_o,
  output uop_t         done_uop_o,
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
  output logic         wb_valid_o,
  output logic         wb_last_o,            // of its beats
  output logic [4:0]   wb_beat_o,
  output uop_t         wb_uop_o,
  output logic [31:0]  wb_exec_o,            // all lanes, with the last beat
  output logic [64*LANES-1:0] wb_data_o,
  output logic [LANES-1:0]    wb_pd_o
);
  `include "isa_gen.vh"
  localparam N = 32 / LANES;
  genvar l;

  // ---- RR to E1 ----
  logic        e1_valid_q, e1_first_q, e1_last_q, e1_pass_q;
  uop_t        e1_q;
  logic [4:0]  e1_beat_q;
  logic [LANES-1:0] e1_exec_q, e1_ps_q, e1_pt_q;
  wire  [LANES-1:0] pg, ps, pt;
  wire  [4:0]  rr_lane = 5'(rr_beat_i * LANES[5:0]);
  wire  [127:0] rw = rr_uop_i.word;
  wire  [7:0]   rr_ra = rw[`INSN_RA], rr_rb = rw[`INSN_RB], rr_rc = rw[`INSN_RC];
  wire  [31:0]  rr_active = rr_uop_i.active;
  wire  [64*LANES-1:0] ra, rb, rc;
  wire  [1:0]  va, vb, vc;
  logic        wr_en;
  logic [4:0]  wr_warp, wr_beat;
  logic [6:0]  wr_pair;
  logic [1:0]  wr_half;
  logic [LANES-1:0]    wr_mask;
  logic [64*LANES-1:0] wr_data;
  wire  [LANES-1:0]    wb_mask;
  regfile #(.WARPS(WARPS), .NREGS(NREGS), .LANES(LANES)) u_regfile (
    .clk(clk), .clear_i(start_i), .clear_warp_i(start_warp_i), .rd_en_i(rr_valid_i),
    .rd_warp_i(rr_uop_i.warp), .rd_beat_i(rr_beat_i),
    .rd_use_i({rr_uop_i.dec.reads_c && rr_rc != RZ, rr_uop_i.dec.reads_b && rr_rb != RZ,
               rr_uop_i.dec.reads_a && rr_ra != RZ}),
    .rd_a_i(rr_ra[7:1]), .rd_b_i(rr_rb[7:1] | {6'd0, rr_pass_i}), .rd_c_i(rr_rc[7:1]),
    .a_o(ra), .b_o(rb), .c_o(rc), .a_valid_o(va), .b_valid_o(vb), .c_valid_o(vc),
    .wr_en_i(wr_en), .wr_lsu_i(!wb_valid_o), .wr_warp_i(wr_warp), .wr_beat_i(wr_beat), .wr_pair_i(wr_pair),
    .wr_half_i(wr_half), .wr_mask_i(wr_mask), .wr_data_i(wr_data)
  );
  predfile #(.WARPS(WARPS), .LANES(LANES)) u_predfile (
    .clk(clk), .clear_i(start_i), .clear_warp_i(start_warp_i), .rd_warp_i(rr_uop_i.warp),
    .rd_beat_i(rr_beat_i), .pg_i(rw[`INSN_PG]), .ps_i(rw[`INSN_PS]), .pt_i(rw[`INSN_PQ]), .pg_o(pg), .ps_o(ps),
    .pt_o(pt), .wr_en_i(wb_valid_o && wb_uop_o.dec.writes_pd), .wr_warp_i(wb_uop_o.warp),
    .wr_beat_i(wb_beat_o), .wr_pd_i(wb_uop_o.word[`INSN_PD]), .wr_mask_i(wb_mask), .wr_data_i(wb_pd_o)
  );
  always @(posedge clk) begin
    e1_valid_q <= rr_valid_i && rst_n && !clear_i;
    if (rr_valid_i) begin
      e1_first_q <= rr_first_i && !rr_pass_i;
      e1_last_q  <= rr_last_i && (rr_pass_i || !rr_uop_i.dec.b_quad);
      e1_pass_q  <= rr_pass_i;
      e1_q       <= rr_uop_i;
      e1_beat_q  <= rr_beat_i;
      e1_exec_q  <= rr_active[rr_lane +: LANES] & (pg ^ {LANES{rw[`INSN_PN]}});
      e1_ps_q    <= ps ^ {LANES{rw[`INSN_SN]}};
      e1_pt_q    <= pt;
    end
  end

  // ---- E1 ----
  wire [127:0] w1  = e1_q.word;
  wire [2:0]   u1  = e1_q.dec.unit;
  wire [4:0]   e1_lane = 5'(e1_beat_q * LANES[5:0]);
  wire [8:0]   op1 = w1[`INSN_OP];
  wire [31:0]  imm1 = w1[`INSN_IMM];
  wire [7:0]   ra1 = w1[`INSN_RA], rb1 = w1[`INSN_RB], rc1 = w1[`INSN_RC];
  wire is_alu  = e1_valid_q && (u1 == UNIT_ALU || u1 == UNIT_MUL || (u1 == UNIT_CTL && e1_q.dec.writes_rd));
  wire is_fpu  = e1_valid_q && u1 == UNIT_FPU;
  wire is_sfu  = e1_valid_q && u1 == UNIT_SFU;
  wire is_warp = e1_valid_q && u1 == UNIT_WARP;
  wire is_lsu  = e1_valid_q && u1 == UNIT_LSU;
  wire is_ctl  = e1_valid_q && u1 == UNIT_CTL;
  assign e1_warp_o     = e1_q.warp;
  assign e1_bx_o       = w1[`INSN_BX];
  assign e1_beat_o     = e1_beat_q;
  assign e1_sreg_o     = e1_valid_q && op1 == OP_S2R;
  assign e1_sreg_num_o = imm1[4:0];

  wire [64*LANES-1:0] a1, b1, c1;            // pairs, or 32 bits in the low word
  wire [31:0] bsign = {32{e1_q.dec.b_sext && imm1[31]}};
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_operands
      wire [31:0] alo = va[0] ? ra[64*l +: 32] : 32'd0, ahi = va[1] ? ra[64*l+32 +: 32] : 32'd0;
      wire [31:0] blo = vb[0] ? rb[64*l +: 32] : 32'd0, bhi = vb[1] ? rb[64*l+32 +: 32] : 32'd0;
      wire [31:0] clo = vc[0] ? rc[64*l +: 32] : 32'd0, chi = vc[1] ? rc[64*l+32 +: 32] : 32'd0;
      assign a1[64*l +: 64] = e1_q.dec.a_pair ? {ahi, alo} : {32'd0, ra1[0] ? ahi : alo};
      assign b1[64*l +: 64] = e1_q.dec.b_imm ? {bsign, imm1}
                            : e1_q.dec.b_pair || e1_q.dec.b_quad ? {bhi, blo}
                            : {32'd0, rb1[0] ? bhi : blo};
      assign c1[64*l +: 64] = e1_q.dec.c_pair ? {chi, clo} : {32'd0, rc1[0] ? chi : clo};
    end
  endgenerate

  assign lsu_valid_o = is_lsu;
  assign lsu_first_o = e1_first_q;
  assign lsu_last_o  = e1_last_q;
  assign lsu_pass_o  = e1_pass_q;
  assign lsu_uop_o   = e1_q;
  assign lsu_mask_o  = e1_exec_q;
  assign lsu_a_o     = a1;
  assign lsu_b_o     = b1;
  assign lsu_c_o     = c1;

  // ---- all lanes of an instruction, with the last beat ----
  wire [31:0]   exec1;
  wire [1023:0] full_a, full_b, full_c;
  wire [31:0]   full_ps;
  logic [31:0]  low_b, low_q;
  logic         found, found_q;
  always_comb begin
    found = !e1_first_q && found_q;
    low_b = found ? low_q : 32'd0;
    if (is_ctl)
      for (int i = 0; i < LANES; i = i + 1)
        if (!found && e1_exec_q[i]) begin
          low_b = b1[64*i +: 32];
          found = 1'b1;
        end
  end
  always @(posedge clk)
    if (is_ctl) begin
      low_q   <= low_b;
      found_q <= found;
    end
  generate
    if (N == 1) begin : g_whole
      assign exec1   = e1_exec_q;
      assign full_ps = e1_ps_q;
      for (l = 0; l < 32; l = l + 1) begin : g_lane
        assign full_a[32*l +: 32] = a1[64*l +: 32];
        assign full_b[32*l +: 32] = b1[64*l +: 32];
        assign full_c[32*l +: 32] = c1[64*l +: 32];
      end
    end else begin : g_gather
      logic [31:0]   exec_q, ps_q, exec_d, ps_d;
      logic [1023:0] a_q, b_q, c_q, a_d, b_d, c_d;
      always_comb begin
        exec_d = exec_q;
        ps_d   = ps_q;
        {a_d, b_d, c_d} = {a_q, b_q, c_q};
        exec_d[e1_lane +: LANES] = e1_exec_q;
        ps_d[e1_lane +: LANES]   = e1_ps_q;
        if (is_warp || is_ctl)
          for (int i = 0; i < LANES; i = i + 1) begin
            a_d[{e1_lane + i[4:0], 5'd0} +: 32] = a1[64*i +: 32];
            b_d[{e1_lane + i[4:0], 5'd0} +: 32] = b1[64*i +: 32];
            c_d[{e1_lane + i[4:0], 5'd0} +: 32] = c1[64*i +: 32];
          end
      end
      always @(posedge clk)
        if (e1_valid_q)
          {exec_q, ps_q, a_q, b_q, c_q} <= {exec_d, ps_d, a_d, b_d, c_d};
      assign {exec1, full_ps, full_a, full_b, full_c} = {exec_d, ps_d, a_d, b_d, c_d};
    end
  endgenerate
  assign conv_valid_o = is_ctl && e1_last_q;
  assign conv_uop_o   = e1_q;
  assign conv_exec_o  = exec1;
  assign conv_b_o     = low_b;
  assign conv_a_o     = full_a;

  // ---- ALU: E1, E2 ----
  wire  [64*LANES-1:0] alu_d;
  wire  [LANES-1:0]    alu_pd;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_alu
      alu u_alu (
        .en_i(is_alu), .op_i(op1), .lut_i(w1[`INSN_LUT]), .icmp_i(w1[`INSN_ICMP]), .sg_i(w1[`INSN_SG]),
        .bop_i(w1[`INSN_BOP]), .a_i(a1[64*l +: 64]), .b_i(b1[64*l +: 64]), .c_i(c1[64*l +: 32]),
        .ps_i(e1_ps_q[l]), .pt_i(e1_pt_q[l]),
        .special_i(op1 == OP_S2R ? e1_sreg_i[32*l +: 32] : op1 == OP_BMOVR ? e1_barrier_i : e1_q.pc + 32'd16),
        .d_o(alu_d[64*l +: 64]), .pd_o(alu_pd[l])
      );
    end
  endgenerate
  logic        e2_valid_q, e2_last_q;
  uop_t        e2_q;
  logic [4:0]  e2_beat_q;
  logic [31:0] e2_exec_q;
  logic [64*LANES-1:0] e2_d_q, e2_c_q;
  logic [LANES-1:0]    e2_pd_q;
  wire         alu_class = u1 == UNIT_ALU || u1 == UNIT_MUL || u1 == UNIT_CTL;
  always @(posedge clk) begin
    e2_valid_q <= e1_valid_q && alu_class && rst_n && !clear_i;
    if (e1_valid_q && alu_class) begin
      e2_last_q <= e1_last_q;
      e2_q      <= e1_q;
      e2_beat_q <= e1_beat_q;
      e2_exec_q <= exec1;
      e2_d_q    <= alu_d;
      e2_pd_q   <= alu_pd;
      if (u1 == UNIT_MUL)
        e2_c_q <= c1;
    end
  end
  wire [8:0] op2 = e2_q.word[`INSN_OP];
  wire [64*LANES-1:0] e2_d;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_sum
      wire [63:0] p = e2_d_q[64*l +: 64], c = e2_c_q[64*l +: 64];
      wire [31:0] lo = (op2 == OP_IMAD ? p[31:0] : p[63:32]) + c[31:0];
      assign e2_d[64*l +: 64] = e2_q.dec.unit != UNIT_MUL ? p : op2 == OP_IMADWU || op2 == OP_IMADWS ? p + c
                              : {32'd0, lo};
    end
  endgenerate

  // ---- late results wait here for two cycles ----
  logic        l1_valid_q, l1_last_q, l2_valid_q, l2_last_q;
  uop_t        l1_q, l2_q;
  logic [4:0]  l1_beat_q, l2_beat_q;
  logic [31:0] l1_exec_q, l2_exec_q;
  logic [64*LANES-1:0] l1_d_q, l2_d_q;
  logic [LANES-1:0]    l1_pd_q, l2_pd_q;
  always @(posedge clk) begin
    l1_valid_q <= e2_valid_q && e2_q.late && rst_n && !clear_i;
    l2_valid_q <= l1_valid_q && rst_n && !clear_i;
    if (e2_valid_q && e2_q.late)
      {l1_q, l1_last_q, l1_beat_q, l1_exec_q, l1_d_q, l1_pd_q}
        <= {e2_q, e2_last_q, e2_beat_q, e2_exec_q, e2_d, e2_pd_q};
    if (l1_valid_q)
      {l2_q, l2_last_q, l2_beat_q, l2_exec_q, l2_d_q, l2_pd_q}
        <= {l1_q, l1_last_q, l1_beat_q, l1_exec_q, l1_d_q, l1_pd_q};
  end

  // ---- between lanes: all operands in E1, results beat by beat from E2 on ----
  logic          x_valid_q;
  uop_t          x_q;
  logic [4:0]    x_beat_q;
  logic [31:0]   x_exec_q, x_ps_q;
  logic [1023:0] x_a_q, x_b_q, x_c_q;
  wire  [32*LANES-1:0] x_d;
  wire  [LANES-1:0]    x_pd;
  wire  x_last = x_beat_q == 5'(N - 1);
  always @(posedge clk) begin
    if (x_valid_q) begin
      x_beat_q <= x_beat_q + 5'd1;
      if (x_last)
        x_valid_q <= 1'b0;
    end
    if (is_warp && e1_last_q) begin
      x_valid_q <= 1'b1;
      x_beat_q  <= 5'd0;
      x_q       <= e1_q;
      {x_exec_q, x_ps_q, x_a_q, x_b_q, x_c_q} <= {exec1, full_ps, full_a, full_b, full_c};
    end
    if (!rst_n || clear_i)
      x_valid_q <= 1'b0;
  end
  warpops #(.LANES(LANES)) u_warpops (
    .en_i(x_valid_q), .op_i(x_q.word[`INSN_OP]), .vote_i(x_q.word[`INSN_VOTE]), .shfl_i(x_q.word[`INSN_SHFL]),
    .beat_i(x_beat_q), .exec_i(x_exec_q),
    .ps_i(x_ps_q), .a_i(x_a_q), .b_i(x_b_q), .c_i(x_c_q), .d_o(x_d), .pd_o(x_pd)
  );

  // ---- float: E1 to WB ----
  wire  [64*LANES-1:0] fpu_d;
  wire  [LANES-1:0]    fpu_pd;
  wire  [32*LANES-1:0] mufu_d;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_float
      fpu u_fpu (
        .clk(clk), .en_i(is_fpu), .op_i(op1), .rm_i(w1[`INSN_RM]), .ftz_i(w1[`INSN_FTZ]), .sat_i(w1[`INSN_SAT]),
        .fcmp_i(w1[`INSN_FCMP]), .fbop_i(w1[`INSN_FBOP]), .na_i(w1[`INSN_NA]), .aa_i(w1[`INSN_AA]), .nb_i(w1[`INSN_NB]),
        .ab_i(w1[`INSN_AB]), .nc_i(w1[`INSN_NC]), .ps_i(e1_ps_q[l]), .a_i(a1[64*l +: 64]), .b_i(b1[64*l +: 32]),
        .c_i(c1[64*l +: 32]), .d_o(fpu_d[64*l +: 64]), .pd_o(fpu_pd[l])
      );
      mufu u_mufu (
        .clk(clk), .en_i(is_sfu), .op_i(w1[`INSN_MUFU]), .na_i(w1[`INSN_NA]), .aa_i(w1[`INSN_AA]), .a_i(a1[64*l +: 32]),
        .d_o(mufu_d[32*l +: 32])
      );
    end
  endgenerate
  localparam F = 4;                          // stage F is WB
  logic [F:1]  f_valid_q, f_last_q;
  uop_t        f1_q, f2_q, f3_q, f4_q;
  logic [5*F-1:0]  f_beat_q;
  logic [32*F-1:0] f_exec_q;
  always @(posedge clk) begin
    f_valid_q <= {f_valid_q[F-1:1], is_fpu || is_sfu} & {F{rst_n && !clear_i}};
    f_last_q  <= {f_last_q[F-1:1], e1_last_q};
    f_beat_q  <= {f_beat_q[5*F-6:0], e1_beat_q};
    f_exec_q  <= {f_exec_q[32*F-33:0], exec1};
    if (is_fpu || is_sfu) f1_q <= e1_q;
    if (f_valid_q[1]) f2_q <= f1_q;
    if (f_valid_q[2]) f3_q <= f2_q;
    if (f_valid_q[3]) f4_q <= f3_q;
  end

  // ---- WB: the reservation lets at most one of them through ----
  wire e2_first = e2_valid_q && !e2_q.late && e2_beat_q == 5'd0;
  wire l2_first = l2_valid_q && l2_beat_q == 5'd0;
  wire x_first  = x_valid_q && x_beat_q == 5'd0;
  wire f_first  = f_valid_q[3] && f_beat_q[14:10] == 5'd0;
  assign done_o     = e2_first || l2_first || x_first || f_first;
  assign done_uop_o = e2_first ? e2_q : l2_first ? l2_q : x_first ? x_q : f3_q;
  wire e2_pop = e2_valid_q && !e2_q.late && e2_last_q && e2_q.word[`INSN_POP] && e2_q.dec.unit != UNIT_CTL;
  wire l2_pop = l2_valid_q && l2_last_q && l2_q.word[`INSN_POP] && l2_q.dec.unit != UNIT_CTL;
  wire x_pop  = x_valid_q && x_last && x_q.word[`INSN_POP];
  wire f_pop  = f_valid_q[3] && f_last_q[3] && f3_q.word[`INSN_POP];
  assign pop_o      = e2_pop || l2_pop || x_pop || f_pop;
  assign pop_warp_o = e2_pop ? e2_q.warp : l2_pop ? l2_q.warp : x_pop ? x_q.warp : f3_q.warp;

  logic        a_valid_q, a_last_q;
  uop_t        a_q;
  logic [4:0]  a_beat_q;
  logic [31:0] a_exec_q;
  logic [64*LANES-1:0] a_d_q;
  logic [LANES-1:0]    a_pd_q;
  always @(posedge clk) begin
    a_valid_q <= ((e2_valid_q && !e2_q.late) || l2_valid_q || x_valid_q) && rst_n && !clear_i;
    if (l2_valid_q)
      {a_q, a_last_q, a_beat_q, a_exec_q, a_d_q, a_pd_q}
        <= {l2_q, l2_last_q, l2_beat_q, l2_exec_q, l2_d_q, l2_pd_q};
    else if (e2_valid_q && !e2_q.late) begin
      a_q <= e2_q;
      a_last_q <= e2_last_q;
      a_beat_q <= e2_beat_q;
      a_exec_q <= e2_exec_q;
      a_d_q    <= e2_d;
      a_pd_q   <= e2_pd_q;
    end else if (x_valid_q) begin
      a_q <= x_q;
      a_last_q <= x_last;
      a_beat_q <= x_beat_q;
      a_exec_q <= x_exec_q;
      a_pd_q   <= x_pd;
      for (int i = 0; i < LANES; i = i + 1)
        a_d_q[64*i +: 64] <= {32'd0, x_d[32*i +: 32]};
    end
  end
  logic [7:0] wb_rd;
  always_comb begin
    wb_valid_o = a_valid_q || f_valid_q[F];
    wb_last_o  = a_valid_q ? a_last_q : f_last_q[F];
    wb_beat_o  = a_valid_q ? a_beat_q : f_beat_q[5*F-1 -: 5];
    wb_uop_o   = a_valid_q ? a_q : f4_q;
    wb_rd      = wb_uop_o.word[`INSN_RD];
    wb_exec_o  = a_valid_q ? a_exec_q : f_exec_q[32*F-1 -: 32];
    wb_pd_o    = a_valid_q ? a_pd_q : fpu_pd;
    wb_data_o  = a_d_q;
    if (!a_valid_q && f_valid_q[F])
      wb_data_o = fpu_d;
    if (!a_valid_q && f_valid_q[F] && f4_q.dec.unit == UNIT_SFU)
      for (int i = 0; i < LANES; i = i + 1)
        wb_data_o[64*i +: 64] = {32'd0, mufu_d[32*i +: 32]};
    // A single result goes to the half that its register is.
    if (!wb_uop_o.dec.rd_size[0] && wb_rd[0])
      for (int i = 0; i < LANES; i = i + 1)
        wb_data_o[64*i+32 +: 32] = wb_data_o[64*i +: 32];
  end

  wire [4:0] wb_lane = 5'(wb_beat_o * LANES[5:0]);
  assign wb_mask = wb_exec_o[wb_lane +: LANES];
  assign lw_ready_o = !slot_write_i;
  wire wb_writes = wb_valid_o && wb_uop_o.dec.writes_rd && wb_rd != RZ;
  always_comb begin
    if (wb_valid_o) begin
      wr_en   = wb_writes;
      wr_warp = wb_uop_o.warp;
      wr_beat = wb_beat_o;
      wr_pair = wb_rd[7:1];
      wr_half = wb_uop_o.dec.rd_size[0] ? 2'b11 : {wb_rd[0], !wb_rd[0]};
      wr_mask = wb_mask;
      wr_data = wb_data_o;
    end else begin
      wr_en   = lw_valid_i && lw_ready_o;
      wr_warp = lw_warp_i;
      wr_beat = lw_beat_i;
      wr_pair = lw_pair_i;
      wr_half = lw_half_i;
      wr_mask = lw_mask_i;
      wr_data = lw_data_i;
    end
  end
  wire unused = &{1'b0, rw, w1, e1_lane, ra1, rb1, rc1};
endmodule
`default_nettype wire

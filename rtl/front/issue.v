// Buffers, decode and issue: picks one warp a time, in turn, and walks its instruction through the
// register read stage, beat by beat.
//
//   IS picks | RR reads registers | E1 ... | WB writes, retires
//   latency from IS to the first WB: 4 (ALU, MUL, CTL; 6 where that slot is taken), 6 (FPU, SFU),
//   4 + N - 1 (operations between lanes)
// An instruction of a serial unit is issued without slots, one at a time, and its warp waits.  When the unit has
// all results, they are booked as those of an ALU instruction that issued then; until there is room
// for them nothing issues.  These are f64, floats where FLOAT_LANES is below LANES, and MATCH (MATCH_SERIAL): all are
// UNIT_SERIAL here.
//
// The write port and the retire slot are booked at issue (slots.v).  Ready warps go in turn; but a warp can
// be ready only when another one's turn has come, its unit being free in just such cycles.  So each class of
// units keeps a turn of its own (turn.v): LSU, convergence unit, and what needs no more than slots.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
module issue #(
  parameter WARPS = 32, NREGS = 256, LANES = 32, F64_LANES = 1, FLOAT_LANES = 32, SFU = 1, MATCH_SERIAL = 0,
            CONV_QUEUE = 4, TRACK = 1, DEPTH = 4
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,
  input  wire          mode_stack_i,
  // fetch
  input  fetched_t     push_i,
  output wire          push_stop_o,          // nothing may follow it until the convergence unit says so
  output wire          push_look_o,          // it will pop the reconvergence stack
  output wire          pop_o,
  output wire [4:0]    pop_warp_o,
  // running groups
  input  wire          run_i,                // the lanes next_active_i of run_warp_i run from now on
  input  wire [4:0]    run_warp_i,
  input  wire [31:0]   next_active_i,
  output logic [32*WARPS-1:0] active_o,
  // who cannot take more
  input  wire          hold_i,               // nothing may issue
  input  wire [4:0]    lsu_free_i,           // instructions that the LSU can take, those on their way to it among them
  input  wire          lsu_last_i,           // the LSU got the last beat of what was issued
  input  wire          conv_done_i,          // the convergence unit has finished an instruction
  input  wire          follow_i,             // a warp's loads may follow its loads
  input  wire          mem_done_i,           // a memory instruction has retired
  input  wire [4:0]    mem_done_warp_i,
  output wire          lsu_way_o,            // some are on their way to the LSU
  output logic         early_o,              // rr_uop_o goes to the convergence unit in this cycle
  // a serial unit: all results wait for slots, and have them
  input  wire          serial_done_i,
  output wire          serial_take_o,
  // the scoreboard: a result is written in the next cycle
  input  wire          done_i,
  input  uop_t         done_uop_i,
  // register read
  output logic         rr_valid_o,
  output uop_t         rr_uop_o,
  output logic [4:0]   rr_beat_o,
  output wire          rr_first_o, rr_last_o,  // of its pass
  output logic         rr_pass_o,
  // slots
  output wire          slot_write_o,         // the pipeline writes in this cycle
  output slots_t       slots_o,
  input  wire          lsu_late_i, lsu_result_i, conv_late_i,
  // carriers: warps whose token is on the way; whose pop faults
  input  wire [WARPS-1:0] filling_i, bad_i,
  output wire [17:0]   late_o,               // see bound.v: LSU, convergence unit, others
  output wire [5:0]    serial_bound_o
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  localparam N  = 32 / LANES;
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  localparam DB = $clog2(DEPTH);
  localparam [6:0] LAT_ALU = 7'd4, LAT_FPU = 7'd6, LAT_LSU = 7'd3, LAT_WARP = 7'(4 + N - 1), LAT_EARLY = 7'd2;

  // ---- decode at the push ----
  wire [127:0] push_word = push_i.word;
  wire [WB-1:0] pw = push_i.warp[WB-1:0];
  dec_t       de;
  wire        legal, all_lanes;
  wire [2:0]  unit;
  /* verilator lint_off PINCONNECTEMPTY */
  wire reads_a, a_pair, reads_b, b_pair, b_quad, reads_c, c_pair, b_imm, b_const, b_sext, writes_rd, writes_pd;
  wire reads_ps, reads_pt, load, store, atom;
  wire [1:0] rd_size;
  wire [2:0] space;
  decode_gen u_decode (
    .insn_i(push_word), .mode_stack_i(mode_stack_i), .legal_o(legal), .unit_o(unit), .all_lanes_o(all_lanes),
    .reads_a_o(reads_a), .reads_b_o(reads_b), .reads_c_o(reads_c), .a_pair_o(a_pair), .b_pair_o(b_pair),
    .b_quad_o(b_quad), .c_pair_o(c_pair), .b_is_imm_o(b_imm), .b_is_const_o(b_const), .b_sext_o(b_sext),
    .writes_rd_o(writes_rd), .rd_size_o(rd_size), .writes_pd_o(writes_pd),
    .reads_ps_o(reads_ps), .reads_pt_o(reads_pt), .uses_bx_o(), .is_load_o(load), .is_store_o(store),
    .is_atom_o(atom), .space_o(space), .mem_size_o(), .noguard_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */
  // Units of the pipeline: rows that need all lanes have one of their own; a fence does nothing, and an LDC
  // whose operand is in the constant cache moves it.
  wire is_fence = unit == UNIT_LSU && !load && !store && !atom;
  localparam SERIAL = FLOAT_LANES != 0 && FLOAT_LANES < LANES;
  wire is_float = unit == UNIT_FPU || unit == UNIT_SFU;
  wire is_match = push_word[`INSN_OP] == OP_MATCHN || push_word[`INSN_OP] == OP_MATCHL;
  wire no_unit  = (unit == UNIT_F64 && F64_LANES == 0) || (unit == UNIT_SFU && SFU == 0)
               || (is_float && FLOAT_LANES == 0);
  always_comb begin
    de = {`DEC_BITS{1'b0}};
    if (push_i.bad_pc || push_i.bus || !legal || no_unit || (b_const && !push_i.constant)) begin
      de.unit  = UNIT_CTL;
      de.fault = push_i.bad_pc ? FAULT_PC : push_i.bus || (legal && !no_unit && push_i.const_bus) ? FAULT_BUS
               : FAULT_ILLEGAL;
    end else begin
      de.unit = MATCH_SERIAL != 0 && is_match ? UNIT_SERIAL : all_lanes ? UNIT_WARP : is_fence || (load && push_i.constant) ? UNIT_ALU
              : SERIAL && is_float ? UNIT_SERIAL : unit;
      de.f64  = unit == UNIT_F64;
      {de.reads_a, de.a_pair, de.reads_b, de.b_pair, de.b_quad, de.reads_c, de.c_pair}
        = {reads_a, a_pair, reads_b, b_pair, b_quad, reads_c, c_pair};
      {de.b_imm, de.b_sext, de.writes_rd, de.rd_size, de.writes_pd, de.reads_ps, de.reads_pt}
        = {b_imm, b_sext, writes_rd, rd_size, writes_pd, reads_ps, reads_pt};
      {de.load, de.store, de.atom, de.space} = {load && !push_i.constant, store, atom, space};
    end
  end

  wire is_carrier = push_word[`INSN_POP] && de.unit != UNIT_CTL;
  assign push_stop_o = de.unit == UNIT_CTL || is_carrier;
  assign push_look_o = push_i.valid && !push_i.again && (is_carrier || (de.unit == UNIT_CTL && de.fault == FAULT_NONE
                                                 && push_word[`INSN_OP] == OP_RETT));

  // ---- buffers ----
  localparam H = `NEED_BITS;
  logic [127:0]     word_q [0:WARPS*DEPTH-1];
  logic [31:0]      pc_q   [0:WARPS*DEPTH-1];
  logic [H-1:0]     need_q [0:WARPS*DEPTH-1];
  logic [DB-1:0]    rd_q   [0:WARPS-1];
  logic [DB-1:0]    wr_q   [0:WARPS-1];
  logic [WARPS-1:0] some_q;                  // the buffer is not empty
  need_t push_need;
  always_comb begin
    push_need.ra = push_word[`INSN_RA];
    push_need.rb = push_word[`INSN_RB];
    push_need.rc = push_word[`INSN_RC];
    push_need.rd = push_word[`INSN_RD];
    push_need.pg = push_word[`INSN_PG];
    push_need.pd = push_word[`INSN_PD];
    push_need.pq = push_word[`INSN_PQ];
    push_need.ps = push_word[`INSN_PS];
    push_need.pop = is_carrier;
    push_need.plain = de.unit == UNIT_CTL && de.fault == FAULT_NONE && !reads_a && !reads_b && !reads_c && !b_imm
                   && !writes_rd && push_word[`INSN_PG] == PT && !push_word[`INSN_PN];
    push_need.dec = de;
  end
  // Of it the scoreboard looks at the unit alone, unless it tracks registers.
  localparam [H-1:0] LOOKED_AT = TRACK != 0 ? {H{1'b1}} : H'(7) << (`DEC_BITS - 3);
  logic [WARPS*H-1:0] heads;
  always_comb begin
    heads = {WARPS*H{1'b0}};
    for (int w = 0; w < WARPS; w = w + 1)
      heads[w*H +: H] = need_q[w*DEPTH + {{32-DB{1'b0}}, rd_q[w]}] & LOOKED_AT;
  end

  // ---- slots ----
  wire       issue_valid, free_alu, free_fpu, free_warp;
  wire [2:0] issue_unit;
  wire [6:0] issue_first;
  slots #(.LANES(LANES)) u_slots (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i),
    .book_i((issue_valid && !early && issue_unit != UNIT_LSU && issue_unit != UNIT_SERIAL) || serial_take_o),
    .retires_i(issue_unit != UNIT_CTL || serial_take_o), .first_i(serial_take_o ? LAT_ALU : issue_first),
    .free_alu_o(free_alu), .free_fpu_o(free_fpu),
    .free_warp_o(free_warp), .lsu_late_i(lsu_late_i), .lsu_result_i(lsu_result_i), .conv_late_i(conv_late_i),
    .write_o(slot_write_o), .keep_o(slots_o.keep), .none_o(slots_o.none)
  );

  // ---- issue ----
  logic [6:0]  busy_q;                       // cycles until the next issue
  logic [1:0]  lsu_q;                        // instructions on their way to the LSU
  logic [2:0]  conv_q;                       // ... on their way to, or in, the convergence unit
  logic [4:0]  mem_q;                        // ... or in it
  logic        serial_q;                     // one on its way to, or in, a serial unit; its warp
  logic [WB-1:0] serial_warp_q;
  assign serial_take_o = serial_done_i && free_alu && !hold_i;
  wire can       = busy_q == 7'd0 && !hold_i && !serial_done_i;
  wire conv_room = conv_q < 3'(CONV_QUEUE);
  // An integer result that finds its slot taken by a float's is written as late as a float's.
  wire       late     = !free_alu && FLOAT_LANES >= LANES;
  wire       free_int = free_alu || (free_fpu && FLOAT_LANES >= LANES);
  wire [6:0] lat_int  = late ? LAT_FPU : LAT_ALU;
  wire [7:0] unit_ok = {can && free_warp, can && !serial_q, can && free_int && conv_room,
                        can && {3'd0, lsu_q} < lsu_free_i && lsu_q != 2'd3, can && free_fpu, can && free_fpu,
                        can && free_int, can && free_int};
  localparam [6:0] L1 = 7'(N - 1);
  // Longer than all that may be under way, shorter than it takes (take_i says when it retires).
  localparam [6:0] LAT_SERIAL = (LAT_WARP > LAT_FPU ? LAT_WARP : LAT_FPU) + 7'd1;
  wire [8*7-1:0] unit_commit = {LAT_WARP + L1, LAT_SERIAL + L1, LAT_ALU + L1, LAT_LSU + L1,
                                LAT_FPU + L1, LAT_FPU + L1,
                                lat_int + L1, lat_int + L1};
  assign lsu_way_o = lsu_q != 2'd0;
  // Whose operands are there, by the class of unit that they want; those whose unit is free, too.  A carrier
  // whose pop faults needs the convergence unit besides, unless the LSU reports it.
  wire [WARPS-1:0] want_lsu, want_ctl, want_serial, want_pipe, has_unit;
  wire [WARPS-1:0] ready = has_unit & ~(unit_ok[UNIT_CTL] ? {WARPS{1'b0}} : bad_i & ~want_lsu);
  // An urgent one keeps those of its class from its unit, and where it only waits for slots, every other one from taking any.
  wire [WARPS-1:0] served = issue_valid ? {{WARPS-1{1'b0}}, 1'b1} << who : {WARPS{1'b0}};
  wire [WARPS-1:0] first_lsu, first_ctl, first_serial, first_pipe;
  turn #(.N(WARPS), .PATIENCE(64)) u_turn_lsu (
    .clk(clk), .rst_n(rst_n && !clear_i), .want_i(want_lsu), .served_i(served), .chance_i(can), .urgent_oh_o(first_lsu)
  );
  turn #(.N(WARPS), .PATIENCE(32)) u_turn_ctl (
    .clk(clk), .rst_n(rst_n && !clear_i), .want_i(want_ctl), .served_i(served), .chance_i(can), .urgent_oh_o(first_ctl)
  );
  generate
    if (F64_LANES == 0 && !SERIAL && MATCH_SERIAL == 0) begin : g_no_serial
      assign first_serial   = {WARPS{1'b0}};
      assign serial_bound_o = 6'd0;
    end else begin : g_serial
      turn #(.N(WARPS), .PATIENCE(64)) u_turn (
        .clk(clk), .rst_n(rst_n && !clear_i), .want_i(want_serial), .served_i(served), .chance_i(can),
        .urgent_oh_o(first_serial)
      );
      bound #(.N(WARPS), .MAX(16 * WARPS)) u_bound (
        .clk(clk), .rst_n(rst_n && !clear_i), .wait_i(want_serial & ~served),
        .tick_i(issue_valid && issue_unit == UNIT_SERIAL), .late_o(serial_bound_o)
      );
    end
  endgenerate
  turn #(.N(WARPS), .PATIENCE(WARPS)) u_turn_pipe (
    .clk(clk), .rst_n(rst_n && !clear_i), .want_i(want_pipe), .served_i(served), .chance_i(can), .urgent_oh_o(first_pipe)
  );
  logic [WARPS-1:0] go;
  always_comb begin
    go = ready;
    if (first_pipe != {WARPS{1'b0}} && (conv_room || (first_pipe & bad_i) == {WARPS{1'b0}}))
      go = go & (first_pipe | want_lsu | want_serial);
    else if (first_ctl != {WARPS{1'b0}} && conv_room)
      go = go & (first_ctl | (free_int ? ~want_ctl : want_lsu | want_serial));
    if (first_lsu != {WARPS{1'b0}})
      go = go & (first_lsu | ~want_lsu);
    if (first_serial != {WARPS{1'b0}})
      go = go & (first_serial | ~want_serial);
  end
  logic [WB-1:0]   last_q;
  wire  [WB-1:0]   who;
  pick #(.N(WARPS)) u_pick (.request_i(go), .last_i(last_q), .any_o(issue_valid), .which_o(who));
  wire [WB+DB-1:0] at = {who, rd_q[who]};
  need_t           issue_need;
  // A carrier whose pop faults goes to the convergence unit as a fault.  In the LSU its own faults
  // come first, so there it goes on.
  always_comb begin
    issue_need = need_q[at];
    if (issue_need.pop && bad_i[who] && issue_need.dec.unit != UNIT_LSU) begin
      issue_need.plain = 1'b0;
      issue_need.dec = {`DEC_BITS{1'b0}};
      issue_need.dec.unit  = UNIT_CTL;
      issue_need.dec.fault = FAULT_TOKEN;
    end
  end
  assign     issue_unit   = issue_need.dec.unit;
  wire       issue_twice  = issue_need.dec.b_quad;   // operands come in two passes
  assign     issue_first  = issue_unit == UNIT_WARP ? LAT_WARP : issue_unit == UNIT_FPU || issue_unit == UNIT_SFU ? LAT_FPU
                       : lat_int;
  // Control that needs no operands, where nothing else is on its way to the convergence unit, goes there at once;
  // all that its warp has issued before has retired by then.
  wire [WARPS-1:0] quiet;
  wire       early  = issue_valid && issue_need.plain && conv_q == 3'd0 && quiet[who];
  assign pop_o      = issue_valid;
  assign pop_warp_o = 5'(who);

  wire [WARPS-1:0] in_serial = serial_q ? {{WARPS-1{1'b0}}, 1'b1} << serial_warp_q : {WARPS{1'b0}};
  scoreboard #(.WARPS(WARPS), .NREGS(NREGS), .BEATS(N), .TRACK(TRACK)) u_scoreboard (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .head_valid_i(some_q & ~filling_i & ~in_serial),
    .head_i(heads),
    .unit_ok_i(unit_ok), .ready_o(has_unit), .quiet_o(quiet), .want_lsu_o(want_lsu), .want_ctl_o(want_ctl),
    .want_serial_o(want_serial), .want_pipe_o(want_pipe), .take_i(serial_take_o),
    .take_warp_i(5'(serial_warp_q)),    .take_commit_i(LAT_ALU + L1),
    .issue_i(issue_valid), .issue_warp_i(5'(who)),
    .issue_need_i(issue_need), .issue_commit_i(early ? LAT_EARLY : unit_commit[issue_unit*7 +: 7]),
    .unit_commit_i(unit_commit),
    .done_i(done_i), .done_warp_i(done_uop_i.warp), .done_rd_i(done_uop_i.word[`INSN_RD]),
    .done_writes_rd_i(done_uop_i.dec.writes_rd), .done_pair_i(done_uop_i.dec.rd_size[0]),
    .done_writes_pd_i(done_uop_i.dec.writes_pd), .done_pd_i(done_uop_i.word[`INSN_PD]),
    .follow_i(follow_i), .mem_done_i(mem_done_i), .mem_done_warp_i(mem_done_warp_i)
  );

  bound #(.N(WARPS), .MAX(16 * WARPS)) u_bound_lsu (
    .clk(clk), .rst_n(rst_n && !clear_i), .wait_i(want_lsu & ~served), .tick_i(issue_valid && issue_unit == UNIT_LSU),
    .late_o(late_o[5:0])
  );
  bound #(.N(WARPS), .MAX(64 * WARPS)) u_bound_ctl (
    .clk(clk), .rst_n(rst_n && !clear_i), .wait_i(want_ctl & ~served), .tick_i(issue_valid && issue_unit == UNIT_CTL),
    .late_o(late_o[11:6])
  );
  bound #(.N(WARPS), .MAX(64 * WARPS)) u_bound_pipe (
    .clk(clk), .rst_n(rst_n && !clear_i), .wait_i(want_pipe & ~served), .tick_i(can), .late_o(late_o[17:12])
  );

  assign slots_o.mem_busy = mem_q != 5'd0;
  assign rr_first_o = rr_beat_o == 5'd0;
  assign rr_last_o  = rr_beat_o == 5'(N - 1);
  wire rr_end = rr_last_o && (rr_pass_o || !rr_uop_o.dec.b_quad);
  always @(posedge clk) begin
    if (busy_q != 7'd0)
      busy_q <= busy_q - 7'd1;
    if (rr_valid_o) begin
      rr_beat_o <= rr_last_o ? 5'd0 : rr_beat_o + 5'd1;
      if (rr_last_o)
        rr_pass_o <= 1'b1;
      if (rr_end)
        rr_valid_o <= 1'b0;
    end
    early_o <= early;
    if (issue_valid) begin
      last_q          <= who;
      busy_q          <= early ? 7'd0 : issue_twice ? 7'(2 * N - 1) : 7'(N - 1);
      rr_valid_o      <= !early;
      rr_beat_o       <= 5'd0;
      rr_pass_o       <= 1'b0;
      rr_uop_o.warp   <= 5'(who);
      rr_uop_o.pc     <= pc_q[at];
      rr_uop_o.word   <= word_q[at];
      rr_uop_o.active <= active_o[32*who +: 32];
      rr_uop_o.dec    <= issue_need.dec;
      rr_uop_o.late   <= late;
      rd_q[who]       <= rd_q[who] + {{DB-1{1'b0}}, 1'b1};
    end
    lsu_q  <= lsu_q + 2'(issue_valid && issue_unit == UNIT_LSU) - 2'(lsu_last_i);
    if (serial_take_o)
      serial_q <= 1'b0;
    if (issue_valid && issue_unit == UNIT_SERIAL)
      {serial_q, serial_warp_q} <= {1'b1, who};
    conv_q <= conv_q + 3'(issue_valid && issue_unit == UNIT_CTL) - 3'(conv_done_i);
    mem_q  <= mem_q + 5'(issue_valid && issue_unit == UNIT_LSU) - 5'(mem_done_i);
    if (push_i.valid) begin
      word_q[{pw, wr_q[pw]}] <= push_word;
      pc_q[{pw, wr_q[pw]}]   <= push_i.pc;
      need_q[{pw, wr_q[pw]}] <= push_need;
      wr_q[pw]               <= wr_q[pw] + {{DB-1{1'b0}}, 1'b1};
    end
    if (issue_valid)
      some_q[who] <= rd_q[who] + {{DB-1{1'b0}}, 1'b1} != wr_q[who];
    if (push_i.valid)
      some_q[pw] <= 1'b1;
    if (run_i)
      active_o[32*run_warp_i[WB-1:0] +: 32] <= next_active_i;
    if (clear_i || !rst_n) begin
      busy_q     <= 7'd0;
      rr_valid_o <= 1'b0;
      early_o    <= 1'b0;
      lsu_q      <= 2'd0;
      serial_q   <= 1'b0;
      conv_q     <= 3'd0;
      mem_q      <= 5'd0;
      some_q     <= {WARPS{1'b0}};
      last_q     <= {WB{1'b0}};
      for (int w = 0; w < WARPS; w = w + 1) begin
        rd_q[w] <= {DB{1'b0}};
        wr_q[w] <= {DB{1'b0}};
      end
    end
  end
  wire unused = &{1'b0, run_warp_i, push_i, issue_need, done_uop_i};
endmodule
`default_nettype wire

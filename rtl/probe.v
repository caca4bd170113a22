// The commit record of one port through which instructions retire, as wires: the fields of cmodel/isa/commit.def,
// valid in the cycle in which an instruction retires (c_valid).  Nothing in the core reads it.
// Beats that were written before the last one, results of loads, and what the LSU's instructions
// were are kept here until then.  Wide wires are zero, and cost nothing, while c_valid is 0.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "launch.vh"
`include "lsu.vh"
module probe #(
  parameter SLOTS = 16, LANES = 32,          // SLOTS: of the LSU
  parameter PIPE = 0                         // the pipeline's port; 0: that of the convergence unit and the LSU
) (
  input  wire          clk,
  // retire
  input  wire          valid_i, from_conv_i, from_lsu_i,
  input  wire [4:0]    warp_i,
  input  wire [3:0]    fault_i,
  input  wire [31:0]   fault_m_i,
  input  wire [63:0]   fault_addr_i,
  input  wire [63:0]   cycle_i, count_i,
  input  place_t       place_i,
  // pipeline
  input  wire          wb_valid_i,
  input  uop_t         wb_uop_i,
  input  wire [4:0]    wb_beat_i,
  input  wire [31:0]   wb_exec_i,
  input  wire [64*LANES-1:0] wb_data_i,
  input  wire [LANES-1:0]    wb_pd_i,
  // convergence unit
  input  control_commit_t cv_i,
  input  wire          stack_i,              // stack mode
  input  stack_record_t stack_record_i,
  input  view_t        view_i,               // of warp_i: where its lanes are, and its tokens,
  input  wire [31:0]   active_i,             // and which of them run
  // LSU: the request's last beat, result beats, what it did; their slots
  input  wire          lq_valid_i,
  input  wire [3:0]    lq_slot_i, ls_slot_i,
  input  uop_t         lq_uop_i,
  input  wire [31:0]   lq_exec_i,
  input  wire          lw_valid_i, lw_pass_i,
  input  wire [4:0]    lw_beat_i,
  input  wire [64*LANES-1:0] lw_data_i,
  input  wire [LANES-1:0]    lw_mask_i,
  input  lsu_record_t  ls_record_i,
`ifdef COMMIT_PORT
  // for rtl/fpga/commit_port.v: a word of the record, and its sums (cmodel/isa/digest.h); where
  // COMMIT_THIN is defined, no words, nor any register or wire for those of each lane
  input  wire [1:0]    lw_half_i,            // of a pair, the registers that a load's beat is for
  input  wire [8:0]    at_i,
  output logic [31:0]  word_o, parity_o, weighed_o,
`endif
  output wire          c_valid                // the record is valid
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  `include "commit.vh"                       // c_seq and the other wires of the record
  localparam SB = SLOTS > 1 ? $clog2(SLOTS) : 1;
  assign c_valid = valid_i;
  wire from_conv = PIPE == 0 && from_conv_i, from_lsu = PIPE == 0 && from_lsu_i;
  // What the stack unit did in the step before was for one of the ports.
  stack_record_t did;
  assign did = stack_record_i.pipe == (PIPE != 0) ? stack_record_i : {$bits(did){1'b0}};

  // ---- what is kept ----
  localparam U = `UOP_BITS;
  logic [U-1:0]  lsu_uop_q  [0:SLOTS-1];
  logic [31:0]   lsu_exec_q [0:SLOTS-1];
  logic [4095:0] load_q;                     // loaded words of the instruction in the LSU
  logic [2047:0] beat_q;                     // earlier beats of the pipeline, {word 1, word 0}
  logic [31:0]   pd_q;
  wire [4:0] lw_lane = 5'(lw_beat_i * LANES[5:0]), wb_lane = 5'(wb_beat_i * LANES[5:0]);
  always @(posedge clk) begin
    if (lq_valid_i && PIPE == 0) begin
      lsu_uop_q[lq_slot_i[SB-1:0]]  <= lq_uop_i;
      lsu_exec_q[lq_slot_i[SB-1:0]] <= lq_exec_i;
    end
    if (lw_valid_i && PIPE == 0)
      for (int i = 0; i < LANES; i = i + 1) begin
        load_q[{lw_pass_i, 1'b0, lw_lane + i[4:0], 5'd0} +: 32] <= lw_mask_i[i] ? lw_data_i[64*i +: 32] : 32'd0;
        load_q[{lw_pass_i, 1'b1, lw_lane + i[4:0], 5'd0} +: 32] <= lw_mask_i[i] ? lw_data_i[64*i+32 +: 32] : 32'd0;
      end
    if (wb_valid_i && PIPE != 0 && LANES != 32) begin
      pd_q[wb_lane +: LANES] <= wb_pd_i;
      for (int i = 0; i < LANES; i = i + 1) begin
        beat_q[{1'b0, wb_lane + i[4:0], 5'd0} +: 32] <= wb_data_i[64*i +: 32];
        beat_q[{1'b1, wb_lane + i[4:0], 5'd0} +: 32] <= wb_data_i[64*i+32 +: 32];
      end
    end
  end

  // ---- the record ----
  wire [31:0]    live = view_i.live, rdy = view_i.rdy, blocked = view_i.blocked, yld = view_i.yld;
  wire [31:0]    wsync = view_i.wsync, bar = view_i.bar;
  wire [1023:0]  at = view_i.at;
  wire [127:0]   bar_at = view_i.bar_at;
  uop_t          u;
  assign u = from_lsu ? lsu_uop_q[ls_slot_i[SB-1:0]] : from_conv ? cv_i.uop : wb_uop_i;
  wire [31:0]    exec = !valid_i ? 32'd0 : from_lsu ? lsu_exec_q[ls_slot_i[SB-1:0]] : from_conv ? cv_i.exec
                      : wb_exec_i;
  wire [8:0]     opc = u.word[`INSN_OP];
  wire [7:0]     rd  = u.word[`INSN_RD];
  wire [31:0]    imm = u.word[`INSN_IMM];
  wire           ends = valid_i && fault_i == FAULT_NONE;
  // Registers written.
  wire           writes = ends && u.dec.writes_rd && rd != RZ;
  wire           pair = u.dec.rd_size != 2'd0;
  wire           link = from_conv && (opc == OP_CALL || opc == OP_CALLR);
  wire           bmov = from_conv && opc == OP_BMOVR;
  wire           constant = PIPE != 0 && opc == OP_LDC; // an LDC that is no memory instruction
  logic [4095:0] val;
  logic [31:0]   p0, p1;
  always_comb begin
    val = 4096'd0;
    {p0, p1} = 64'd0;
`ifndef COMMIT_THIN
    if (writes)
      for (int l = 0; l < 32; l = l + 1)
        if (exec[l]) begin
          if (from_lsu) begin
            p0 = load_q[32*l +: 32];
            p1 = load_q[1024 + 32*l +: 32];
          end else if (PIPE != 0 && LANES == 32) begin
            p0 = wb_data_i[64*(l % LANES) +: 32];
            p1 = wb_data_i[64*(l % LANES) + 32 +: 32];
          end else if (PIPE != 0) begin
            p0 = beat_q[32*l +: 32];
            p1 = beat_q[1024 + 32*l +: 32];
            if (5'(l) >= wb_lane) begin
              p0 = wb_data_i[64*(l % LANES) +: 32];
              p1 = wb_data_i[64*(l % LANES) + 32 +: 32];
            end
          end
          if (link) p0 = u.pc + 32'd16;
          if (bmov) p0 = cv_i.bbefore;
          val[32*l +: 32] = !pair && rd[0] && !from_conv ? p1 : p0;
          if (pair)
            val[1024 + 32*l +: 32] = p1;
          if (u.dec.rd_size[1]) begin
            val[2048 + 32*l +: 32] = load_q[2048 + 32*l +: 32];
            val[3072 + 32*l +: 32] = load_q[3072 + 32*l +: 32];
          end
        end
`endif
  end
  // All of it.
  logic [31:0]   next_active, next_pc, pd;
  logic [31:0]   goes, stays;                // lanes that run next; that continue where they are, later
  logic          moves;
  always_comb begin
    `COMMIT_RECORD = 0;
    {next_active, next_pc, goes, stays, pd, moves} = 0;
    if (valid_i) begin
      moves       = from_conv || did.popped;    // the latter: by a carrier of `.S`
      next_active = fault_i != FAULT_NONE || !moves ? u.active : active_i;
      next_pc     = fault_i != FAULT_NONE ? u.pc : moves ? cv_i.next_pc : u.pc + 32'd16;
      c_seq    = count_i;
      c_cycle  = cycle_i;
      c_block  = place_i.block;
      c_warp   = {11'd0, place_i.warp};
      c_slot   = {11'd0, warp_i};
      c_pc     = u.pc;
      c_insn   = u.word;
      c_exec   = exec;
      c_active = u.active;
      c_live   = live;
      c_fault  = {4'd0, fault_i};
      c_fault_m = fault_m_i;
      c_fault_addr = fault_addr_i;
      c_unwind = {7'd0, did.unwind};
      goes  = live & next_active;
      stays = live & ~next_active & (rdy | blocked | yld | wsync | bar);
`ifndef COMMIT_THIN
      for (int l = 0; l < 32; l = l + 1)
        c_npc[32*l +: 32] = (next_pc & {32{goes[l]}}) | (at[32*l +: 32] & {32{stays[l]}});
      for (int l = 0; l < 32; l = l + 1)
        c_wait[8*l +: 8] = goes[l] ? WAIT_NONE : !live[l] ? WAIT_EXITED : rdy[l] ? WAIT_READY
                         : yld[l] ? WAIT_YIELD : wsync[l] ? WAIT_WARPSYNC
                         : bar[l] ? WAIT_BLOCK | {4'd0, bar_at[4*l +: 4]}
                         : blocked[l] ? WAIT_BARRIER | {4'd0, bar_at[4*l +: 4]} : WAIT_STACK;
`endif
    end
    if (ends) begin
      c_next_active = next_active;
      if (writes) begin
        c_nd  = u.dec.rd_size[1] ? 8'd4 : u.dec.rd_size[0] ? 8'd2 : 8'd1;
        c_rd  = rd;
        c_val = val;
      end
      if (u.dec.writes_pd && u.word[`INSN_PD] != PT) begin
        pd = pd_q;
        pd[wb_lane +: LANES] = wb_pd_i;
        c_npd  = 8'd1;
        c_pd   = {5'd0, u.word[`INSN_PD]};
        c_pval = pd & exec;
      end
      if (constant) begin
        c_mem   = 8'd1;
        c_space = {5'd0, exec != 32'd0 ? SPACE_CONST : SPACE_GLOBAL};
`ifndef COMMIT_THIN
        for (int l = 0; l < 32; l = l + 1)
          c_addr[64*l +: 64] = exec[l] ? {40'd0, u.word[`INSN_OFF]} : 64'd0;
`endif
      end else if (from_lsu) begin
        c_mem      = u.dec.load ? 8'd1 : u.dec.store ? 8'd2 : 8'd3;
        c_space    = {5'd0, ls_record_i.space};
        c_addr     = ls_record_i.addr;
        c_wdata    = ls_record_i.wdata;
        c_shared_m = ls_record_i.shared_m;
        c_local_m  = ls_record_i.local_m;
      end
      if (from_lsu || constant) begin
        if (u.dec.atom)
          c_size = u.word[`INSN_AW] == AW_64 ? 8'd8 : 8'd4;
        else
          case (u.word[`INSN_SZ])
            SZ_U8, SZ_S8:   c_size = 8'd1;
            SZ_U16, SZ_S16: c_size = 8'd2;
            SZ_64:          c_size = 8'd8;
            SZ_128:         c_size = 8'd16;
            default:        c_size = 8'd4;
          endcase
      end
      if (from_conv) begin
        c_released = cv_i.released;
        c_gaveway  = {7'd0, cv_i.gaveway};
        c_emptied  = cv_i.emptied;
        c_let_go   = cv_i.let_go;
        case (opc)
          OP_BSSY, OP_BSYNC, OP_BREAK, OP_BMOVR, OP_BMOVB: begin
            c_conv    = 8'd1;
            c_bx      = {4'd0, u.word[`INSN_BX]};
            c_bbefore = cv_i.bbefore;
            c_bafter  = cv_i.bafter;
          end
          default: ;
        endcase
      end
      if (stack_i) begin
        c_depth   = view_i.depth;
        c_pushed  = {7'd0, did.pushed};
        c_popped  = {7'd0, did.popped};
        c_spilled = {5'd0, did.spilled, 2'd0};
        c_filled  = {5'd0, did.filled, 2'd0};
        if (did.pushed) c_push = did.token;
        if (did.popped) c_pop  = did.token;
        if (did.spilled || did.filled)
          {c_moved, c_moved_addr} = {did.moved, did.addr};
      end
      c_is_clock = {7'd0, !from_conv && !from_lsu && opc == OP_S2R
                          && (imm[4:0] == SREG_CLOCKLO || imm[4:0] == SREG_CLOCKHI)};
    end
  end
`ifdef COMMIT_PORT
  // ---- its sums ----
  `include "sums.vh"
  localparam [31:0] X_96 = x_to(96);
  localparam [31:0] X_ADDRESS = x_to(2 * LANES);         // addresses have two words a lane
  // The same word in these lanes; the last lane has weight 1.
  function automatic [63:0] same_sums(input [31:0] lanes, word);
    logic [31:0] weights;
    for (int l = 0; l < 32; l = l + 1)
      weights[31-l] = lanes[l];
    same_sums = {times(word, weights), ^lanes ? word : 32'd0};
  endfunction
  // What beats have brought: of the pipeline, with the addresses of an LDC that is no memory
  // instruction; of a load.
  logic [63:0]   wb_sums_q, lw_sums_q, val_sums, addr_sums, wdata_sums;
  logic [31:0]   off_q;
  logic [32*LANES-1:0] first, second;
  logic [31:0]   lanes_weigh;                // x in the lanes that execute
  wire  [31:0]   offset = {8'd0, wb_uop_i.word[`INSN_OFF]};
  always_comb begin
    lanes_weigh = 32'd0;
    for (int i = 0; i < LANES; i = i + 1) begin
      first[32*i +: 32]  = PIPE == 0 ? (lw_half_i == 2'b10 ? lw_data_i[64*i+32 +: 32] : lw_data_i[64*i +: 32])
                         : !pair && rd[0] ? wb_data_i[64*i+32 +: 32] : wb_data_i[64*i +: 32];
      second[32*i +: 32] = PIPE == 0 ? lw_data_i[64*i+32 +: 32] : wb_data_i[64*i+32 +: 32];
      if (PIPE == 0 ? lw_half_i != 2'b11 : !pair)
        second[32*i +: 32] = 32'd0;
      if (PIPE == 0 ? !lw_mask_i[i] : !wb_exec_i[5'(wb_lane + i[4:0])])
        {first[32*i +: 32], second[32*i +: 32]} = 64'd0;
      lanes_weigh = times_x(times_x(lanes_weigh)) ^ {30'd0, wb_exec_i[5'(wb_lane + i[4:0])], 1'b0};
    end
  end
  wire [63:0]    beat_sums = sums_both(sums_of(first), sums_of(second));
  wire           wb_first = wb_beat_i == 5'd0;
  wire [63:0]    wb_sums  = beat_sums ^ sums_before(wb_sums_q, wb_first, 1'b0);
  wire [31:0]    off      = (wb_first ? 32'd0 : times(off_q, X_ADDRESS)) ^ times(offset, lanes_weigh);
  always @(posedge clk) begin
    if (wb_valid_i && PIPE != 0)
      {wb_sums_q, off_q} <= {wb_sums, off};
    if (lw_valid_i && PIPE == 0)
      lw_sums_q <= beat_sums ^ sums_before(lw_sums_q, lw_beat_i == 5'd0, lw_pass_i);
  end
  logic [63:0]   wrote;                      // by the convergence unit
  always_comb begin
    {val_sums, addr_sums, wdata_sums, wrote} = 256'd0;
    if (writes && PIPE != 0)
      val_sums = {times(wb_sums[63:32], X_64), wb_sums[31:0]};
    else if (writes && from_lsu && exec != 32'd0)
      val_sums = {u.dec.rd_size[1] ? lw_sums_q[63:32] : times(lw_sums_q[63:32], X_64), lw_sums_q[31:0]};
    else if (writes && !from_lsu) begin
      wrote    = same_sums(exec, bmov ? cv_i.bbefore : link ? u.pc + 32'd16 : 32'd0);
      val_sums = {times(wrote[63:32], X_96), wrote[31:0]};
    end
    if (ends && constant)
      addr_sums = {off, ^exec ? offset : 32'd0};
    else if (ends && from_lsu)
      {addr_sums, wdata_sums} = {ls_record_i.addr_sums, ls_record_i.wdata_sums};
  end
  `include "commit_wire.vh"
  wire unused_wire = &{1'b0, at_i, c_cycle, c_npc, c_wait, c_val, c_addr, c_wdata, next_pc, goes, stays};
`endif
  wire unused = &{1'b0, ls_record_i.reads, ls_record_i.writes, fault_m_i, fault_addr_i, did, load_q, wb_valid_i, wb_exec_i, wb_data_i,
                  wb_pd_i, place_i, lq_uop_i, lq_slot_i, ls_slot_i, u, beat_q, imm, cv_i, at, bar_at, p0, p1};
endmodule
`default_nettype wire

// The convergence unit, stack mode: executes control instructions, and the pops of carriers, by
// docs/stack.md.  This file: the state of all warps, which step comes next and what becomes of it.
// Where the tokens lie: stack_mem.v.  What an instruction does: stack_exec.v.
//
// A step is a cycle and concerns one warp.  What steps, the first that can of:
//   a carrier (`.S`) that retires in the next cycle: it pops
//   an instruction that is being done: EXIT and BAR.SYNC where block barriers complete, and faults
//   a warp that unwinds: one more pop, one more record
//   the instruction at the head of the queue
//   the dispatcher's new warp
// After a step of unwinding the others come first, and where carriers have kept them waiting for long, a cycle is booked in
// which none retires (slots.v).
// A step that ends in a commit is done in a cycle before which nobody else retires: then the steps of
// carriers, which the pipeline has reserved, never meet another one.
//
// Fills: whoever is going to pop says so early (look_i), when it enters its warp's buffer, and stays
// there until the token is on chip.  Nothing can change the stack meanwhile: fetch stops behind it.
// EXIT knows late whether it pops; it waits at the head of the queue.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "stack.vh"
`include "axi.vh"
module stack #(
  parameter WARPS = 32, DEPTH = 16, PROBE = 1
) (
  input  wire           clk, rst_n,
  input  wire           clear_i,
  input  wire           halt_i,              // no step is done: what steps now would not retire
  input  wire [31:0]    depth_i, spill_base_i, spill_size_i,
  // the head of the queue
  input  wire           some_i,
  input  uop_t          op,
  input  wire [31:0]    exec_i, operand_i,
  input  wire [1023:0]  target_i,
  // the dispatcher starts a warp
  input  wire           start_i,
  output wire           start_ready_o,
  input  wire [4:0]     start_warp_i,
  input  wire [31:0]    start_lanes_i, start_pc_i,
  // block barriers
  output wire           arrive_o, leave_o, release_o,
  output wire [3:0]     bar_o,
  output logic [5:0]    bar_lanes_o,
  input  wire [15:0]    complete_i,
  input  wire [5:0]     warps_block_i,
  output wire [4:0]     cur_warp_o,          // whose tables are wanted:
  input  wire [4:0]     cur_first_i,         // the first warp slot of its block
  output wire           warp_end_o,          // all lanes of cur_warp_o have exited
  // running lanes
  output wire           run_o,
  output wire [31:0]    run_m_o, run_pc_o,
  // carriers: one enters a buffer; warps that must not issue; whose carrier faults instead
  input  wire           look_i,
  input  wire [4:0]     look_warp_i,
  output wire [WARPS-1:0] filling_o, bad_o,
  // they retire in the next cycle: from the pipeline; from the LSU, if this unit says so
  input  wire           pop_i,
  input  wire [4:0]     pop_warp_i,
  input  wire           lsu_pop_i,
  input  wire [4:0]     lsu_warp_i,
  output wire           lsu_pop_o,
  input  wire [4:0]     bad_warp_i,          // is it by a bus error that its carrier faults, and where
  output wire           bad_bus_o,
  output wire [31:0]    bad_addr_o,
  // retire
  input  wire           slot_retire_i, slot_keep_i, slot_none_i, mem_busy_i,
  output wire           late_o,              // somebody has waited for long for a cycle in which no carrier retires
  output wire           hold_issue_o, hold_mem_o,
  output wire           done_o,              // the instruction leaves the queue
  output logic          c_valid_o,           // an instruction, or an unwinding, retires in this cycle
  output uop_t          c_uop_o,
  output logic [31:0]   c_exec_o, c_released_o, c_pc_o, c_fault_m_o,
  output logic [3:0]    c_fault_o,
  output logic [31:0]   c_fill_o,            // the address, where it faults because a fill did
  output stack_record_t c_stack_o,           // of what retires in this cycle, carriers too
  // the probe's view of a warp
  input  wire [4:0]     probe_warp_i,
  output wire [31:0]    probe_pc_o, probe_live_o, probe_bar_o, probe_syn_o,
  output wire [3:0]     probe_num_o,
  output wire [31:0]    probe_depth_o,
  output wire           mem_busy_o,          // spills or fills are under way
  // AXI4
  output axi_read_t     axi_read_o,
  input  axi_read_answer_t axi_read_i,
  output axi_write_t    axi_write_o,
  input  axi_write_answer_t axi_write_i
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  `include "conv_fn.vh"
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  localparam [2:0] T_EXEC = 3'd0, T_BARCHK = 3'd1, T_HOLD = 3'd2, T_WALK = 3'd3, T_END = 3'd4, T_FAULT = 3'd5;

  wire [8:0]  opc = op.word[`INSN_OP];
  wire [31:0] act = op.active, behind = op.pc + 32'd16;
  wire [31:0] rest = opc == OP_EXIT ? act & ~exec_i : 32'd0;

  // ---- which step ----
  logic [2:0]       step_q, step;
  logic             unwound_q;               // the step's instruction is an unwinding
  logic [4:0]       cur_q, cur;
  logic [WARPS-1:0] unwind_q;                // act is empty, tokens are left
  logic             resumed_q;               // the last step was one of unwinding
  wire  [WARPS-1:0] unwinding = unwind_q & ~filling_o;
  wire  idle     = step_q == T_EXEC;
  wire  popping  = (pop_i || lsu_pop_o) && !halt_i;
  wire  resuming = !popping && idle && !halt_i && unwinding != {WARPS{1'b0}} && !(resumed_q && (some_i || start_i));
  wire  doing    = !popping && !resuming && idle && some_i;
  wire  starting = !popping && !resuming && idle && !some_i && start_i;
  wire  [WB-1:0] next_unwind;
  logic [WB-1:0] unwound_warp_q;
  /* verilator lint_off PINCONNECTEMPTY */
  pick #(.N(WARPS)) u_unwind (
    .request_i(resuming ? unwinding : {WARPS{1'b0}}), .last_i(unwound_warp_q), .any_o(), .which_o(next_unwind)
  );
  /* verilator lint_on PINCONNECTEMPTY */
  wire [4:0]    w5 = popping ? (pop_i ? pop_warp_i : lsu_warp_i) : !idle ? cur_q : resuming ? 5'(next_unwind)
                   : some_i ? op.warp : start_warp_i;
  wire [WB-1:0] w = w5[WB-1:0];
  wire          is_own = w5 == op.warp;
  assign cur_warp_o    = w5;
  assign start_ready_o = starting;
  assign lsu_pop_o     = lsu_pop_i && !pop_i && !slot_retire_i && !hold_mem_o && !late_o;

  // ---- a warp ----
  logic [31:0] live_q [0:WARPS-1];
  logic [31:0] wait_q [0:WARPS-1];           // lanes at a block barrier or a WARPSYNC
  logic [31:0] pc_q   [0:WARPS-1];           // where they continue; of an unwinding, the token's before
  logic [5:0]  at_q   [0:WARPS-1];           // {at a block barrier, at a WARPSYNC, number}
  wire  [31:0] live = live_q[w];

  // ---- its stack ----
  stack_effect_t e;
  wire  [63:0] top, look_top, arrives_top;
  wire         ready, full, has, none, last, spills, filled, look_has, look_none, arrives, look_fill;
  wire         broken, arrives_broken;       // tokens that came with a bus error
  wire  [255:0] row;
  wire  [31:0] addr;
  wire  [4:0]  arrives_warp;
  wire         go;                           // the step is written back
  wire  [6:0]  depth = depth_i < 32'd4 || depth_i > DEPTH ? 7'(DEPTH) : depth_i[6:0];
  stack_mem #(.WARPS(WARPS), .DEPTH(DEPTH)) u_mem (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .depth_i(depth), .base_i(spill_base_i), .size_i(spill_size_i),
    .warp_i(w5), .empty_i(starting && go), .push_i(e.push && go), .push_token_i(e.token), .pop_i(e.pop && go),
    .fill_i(e.fill && !halt_i), .push_ready_o(ready), .push_full_o(full), .top_o(top), .has_o(has), .none_o(none),
    .last_o(last), .spills_o(spills), .filled_o(filled), .row_o(row), .addr_o(addr),
    .look_warp_i(look_warp_i), .look_fill_i(look_fill), .look_top_o(look_top), .look_has_o(look_has),
    .look_none_o(look_none), .count_warp_i(probe_warp_i), .count_o(probe_depth_o),
    .filling_o(filling_o), .arrives_o(arrives), .arrives_warp_o(arrives_warp), .arrives_top_o(arrives_top),
    .busy_o(mem_busy_o), .axi_read_o(axi_read_o), .axi_read_i(axi_read_i), .axi_write_o(axi_write_o), .axi_write_i(axi_write_i),
    .broken_o(broken), .arrives_broken_o(arrives_broken), .bad_warp_i(bad_warp_i), .bad_o(bad_bus_o),
    .bad_addr_o(bad_addr_o)
  );

  // ---- carriers ----
  stack_carrier #(.WARPS(WARPS)) u_carrier (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .look_i(look_i), .warp_i(look_warp_i[WB-1:0]),
    .top_i(look_top), .has_i(look_has), .none_i(look_none),
    .fill_o(look_fill), .arrives_i(arrives),
    .arrives_warp_i(arrives_warp[WB-1:0]), .arrives_top_i(arrives_top),
    .arrives_broken_i(arrives_broken), .bad_o(bad_o)
  );

  // ---- the step ----
  stack_effect_t ex_e;
  stack_exec u_exec (
    .en_i(doing), .op(op), .exec(exec_i), .operand(operand_i), .target_i(target_i), .live(live),
    .filling(filling_o[w]), .top(top), .has(has), .none(none), .last(last), .broken(broken), .e(ex_e)
  );
  logic        held_q, held_d;
  logic [15:0] bars_q, bars_d;               // block barriers to release
  logic [4:0]  index_q, index_d;             // warp of the block in the walk
  logic [3:0]  fault_q;
  logic [31:0] fault_m_q, released_q, fill_q;
  logic        closing;                      // the last step of an EXIT or a BAR.SYNC
  logic        released, unwinds;            // its own lanes go on; a pop left none active
  logic [3:0]  bar_n;                        // the block barrier being released
  always_comb begin
    e       = ex_e;
    bar_n   = 4'd0;
    if (step_q == T_WALK)
      bar_n = 4'(low({16'd0, bars_q}));
    step    = step_q;
    cur     = w5;
    held_d  = held_q;
    bars_d  = bars_q;
    index_d = index_q;
    {closing, released, unwinds} = 3'd0;
    if (popping || resuming)
      e.pop = 1'b1;
    else if (doing) begin
      if (e.check)
        step = T_BARCHK;
    end else if (starting) begin
      {e.live_we, e.live, e.wait_we} = {1'b1, start_lanes_i, 1'b1};
      {e.run, e.run_m, e.run_pc} = {1'b1, start_lanes_i, start_pc_i};
    end else if (!idle)
      case (step_q)
        T_BARCHK:                            // the counts are those after the instruction
          if (complete_i != 16'd0) begin
            bars_d  = complete_i;
            index_d = 5'd0;
            held_d  = 1'b1;
            step    = T_HOLD;
          end else
            closing = 1'b1;
        T_HOLD: if (slot_none_i) begin
          cur  = cur_first_i;
          step = T_WALK;
        end
        T_WALK: begin                        // one warp of the block after the other
          if (at_q[w] == {2'b10, bar_n}) begin
            {e.run, e.run_m, e.run_pc, e.wait_we} = {1'b1, wait_q[w], pc_q[w], 1'b1};
            released = is_own;
          end
          cur     = cur_q + 5'd1;
          index_d = index_q + 5'd1;
          if ({1'b0, index_q} + 6'd1 == warps_block_i) begin
            e.release_bar = 1'b1;
            bars_d  = bars_q & (bars_q - 16'd1);
            index_d = 5'd0;
            cur     = cur_first_i;
            if (bars_d == 16'd0) begin
              step = T_END;
              cur  = op.warp;
            end
          end
        end
        T_END: closing = 1'b1;
        default: if (slot_none_i && !mem_busy_i)               // T_FAULT
          e.finish = 1'b1;
      endcase
    if (closing) begin
      if (opc == OP_BAR)
        {e.run, e.finish, e.run_m, e.run_pc} = {released_q == 32'd0, 1'b1, 32'd0, behind};
      else if (rest != 32'd0)
        {e.run, e.finish, e.run_m, e.run_pc} = {2'b11, rest, behind};
      else if (live != 32'd0)
        e.pop = 1'b1;
      else
        {e.run, e.finish, e.ended} = 3'b111;
    end
    if (e.pop && !has)                       // only an unwinding comes here without a token on chip
      {e.pop, e.stay, e.fill} = 3'b011;
    else if (e.pop && !popping && broken)    // an unwinding's, too
      {e.pop, e.fault, e.code, e.lanes} = {2'b01, FAULT_BUS, live};
    else if (e.pop && !popping && last && (top[31:0] & live) == 32'd0)
      {e.pop, e.fault, e.code, e.lanes} = {2'b01, FAULT_TOKEN, live};
    if (e.pop) begin
      {e.run, e.finish, e.run_m, e.run_pc} = {1'b1, !popping, top[31:0] & live, top[63:34], 2'b00};
      e.token = top;
      unwinds = e.run_m == 32'd0;
    end
    if (e.push && full)
      {e.push, e.fault, e.code, e.lanes} = {2'b01, FAULT_SPILL, act};
    if (e.fault) begin
      {e.run, e.finish} = 2'b00;
      step = T_FAULT;
    end else if (e.finish) begin
      step   = T_EXEC;
      held_d = 1'b0;
    end
  end

  // ---- writing it back; a step that cannot end now is repeated ----
  wire stall = (e.finish && slot_keep_i) || (e.push && !ready) || e.stay;
  wire busy  = popping || resuming || doing || starting || !idle;
  wire failing = step_q == T_FAULT;
  starve #(.PATIENCE(64)) u_starve (
    .clk(clk), .rst_n(rst_n),
    .wait_i((e.finish && slot_keep_i) || (popping && !hold_mem_o && (!idle || some_i || start_i))), .late_o(late_o)
  );
  assign go = busy && !stall && !halt_i;
  wire own_done = e.finish && go;
  assign run_o        = e.run && go;
  assign run_m_o      = e.run_m;
  assign run_pc_o     = e.run_pc;
  assign done_o       = own_done && !popping && !(resuming || (failing && unwound_q));
  assign warp_end_o   = e.ended && go;
  assign hold_issue_o = held_q || failing;
  assign hold_mem_o   = held_q;
  assign arrive_o     = e.arrive && go;
  assign leave_o      = e.leave && go;
  assign release_o    = e.release_bar && go;
  always_comb begin
    bar_lanes_o = 6'd0;
    if (e.arrive || e.leave)
      bar_lanes_o = count(e.lanes);
  end
  assign bar_o        = e.arrive ? op.word[`INSN_BX] : bar_n;
  always @(posedge clk) begin
    if (go) begin
      if (e.live_we)
        live_q[w] <= e.live;
      if (e.wait_we) begin
        wait_q[w] <= e.wait_m;
        at_q[w]   <= e.at;
      end
      if (unwinds || e.wait_we)
        pc_q[w] <= unwinds ? e.run_pc : behind;
      if (e.pop || starting)
        unwind_q[w] <= unwinds;
    end
    if (go && !popping) begin
      resumed_q <= resuming;
      if (resuming)
        unwound_warp_q <= next_unwind;
      step_q  <= step;
      cur_q   <= cur;
      held_q  <= held_d;
      bars_q  <= bars_d;
      index_q <= index_d;
      if (idle) begin
        released_q <= 32'd0;
        unwound_q  <= resuming;
        fault_q    <= e.code;
        fault_m_q  <= e.lanes;
        fill_q     <= addr;
      end else if (released)
        released_q <= e.run_m;
    end
    if (!rst_n || clear_i) begin
      step_q   <= T_EXEC;
      held_q   <= 1'b0;
      unwind_q <= {WARPS{1'b0}};
      resumed_q      <= 1'b0;
      unwound_warp_q <= {WB{1'b0}};
    end
  end

  // ---- the commit ----
  wire unwound = idle ? resuming : unwound_q;
  always @(posedge clk) begin
    c_valid_o <= own_done && rst_n && !clear_i;
    c_stack_o.unwind  <= own_done && unwound;
    c_stack_o.pushed  <= e.push && go;
    c_stack_o.popped  <= e.pop && go;
    c_stack_o.spilled <= e.push && go && spills;
    c_stack_o.filled  <= e.pop && go && filled;
    if (go && (e.push || e.pop))
      {c_stack_o.token, c_stack_o.moved, c_stack_o.addr} <= {e.token, row, addr};
    if (go && (e.finish || e.pop))
      c_pc_o <= e.run_pc;
    if (own_done) begin
      c_uop_o      <= op;
      c_exec_o     <= op.dec.fault != FAULT_NONE && op.dec.fault != FAULT_TOKEN ? 32'd0 : exec_i;
      c_released_o <= doing && opc == OP_WARPSYNC ? e.run_m : idle ? 32'd0 : released_q;
      c_fault_o    <= failing ? fault_q : FAULT_NONE;
      c_fault_m_o  <= fault_m_q;
      c_fill_o     <= fill_q;
      if (unwound) begin
        c_uop_o      <= {`UOP_BITS{1'b0}};
        c_uop_o.warp <= w5;
        c_uop_o.pc   <= pc_q[w];
        c_exec_o     <= 32'd0;
      end
    end
  end
  wire [WB-1:0] pw = probe_warp_i[WB-1:0];
  assign probe_pc_o   = PROBE == 0 ? 32'd0 : pc_q[pw];
  assign probe_live_o = PROBE == 0 ? 32'd0 : live_q[pw];
  assign probe_bar_o  = PROBE != 0 && at_q[pw][5] ? wait_q[pw] : 32'd0;
  assign probe_syn_o  = PROBE != 0 && at_q[pw][4] ? wait_q[pw] : 32'd0;
  assign probe_num_o  = at_q[pw][3:0];
endmodule
`default_nettype wire

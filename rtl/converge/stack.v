// The convergence unit, stack mode: executes control instructions, and the pops of carriers, by
// docs/stack.md.  This file: the state of all warps, which step comes next and what becomes of it.
// What a step does: stack_exec.v, stack_step.v, bar_walk.v.  Where the tokens lie: stack_mem.v.
//
// A step is a cycle and concerns one warp.  What steps, the first that can of:
//   a carrier (`.S`) that retires in the next cycle: it pops
//   an instruction that is being done: EXIT and BAR.SYNC where block barriers complete, and faults
//   a warp that unwinds: one more pop, one more record
//   the instruction at the head of the queue
//   the dispatcher's new warp
// After a step of unwinding the others come first, and where carriers have kept them waiting for long, a cycle is booked in
// which none retires (slots.v).
// What a carrier pops retires in the cycle after, through the port of the pipeline or the LSU's; so does the
// instruction that another step ends.
//
// Fills: a warp that is going to pop says so early (look), when it enters its warp's buffer, and stays
// there until the token is on chip.  Nothing can change the stack meanwhile: fetch stops after it.
// EXIT knows late whether it pops; it waits at the head of the queue.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "axi.vh"
`include "launch.vh"
module stack #(
  parameter WARPS = 32, DEPTH = 16, PROBE = 1
) (
  `include "mechanism.vh"
`ifdef COMMIT_PORT
  input  wire [WARPS-1:0] later_i,           // warps that must not unwind yet
`endif
  // stack mode
  input  wire           halt_i,              // no step is done: what steps now would not retire
  input  launch_t       launch_i,
  input  look_t         look_i,
  input  carrier_t      carrier_i,
  output wire           lsu_pop_o,           // the LSU's carrier pops, and retires in the next cycle
  output wire [WARPS-1:0] filling_o, bad_o,  // warps that must not issue; whose carrier faults instead
  output wire           bad_bus_o,           // that of bad_warp does by a bus error, and where
  output wire [31:0]    bad_addr_o,
  output stack_record_t record_o,            // of what retires in this cycle, carriers too
  output wire           mem_busy_o,          // spills or fills are under way
  output axi_read_t     axi_read_o,
  input  axi_read_answer_t axi_read_i,
  output axi_write_t    axi_write_o,
  input  axi_write_answer_t axi_write_i
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  `include "conv_fn.vh"
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  localparam [1:0] T_EXEC = 2'd0, T_BLOCK = 2'd1, T_FAULT = 2'd2;

  uop_t op;
  assign op = head_i.uop;
  wire [31:0] exec = head_i.exec;

  // ---- which step ----
  logic [1:0]       step_q;
  logic             unwound_q;               // the step's instruction is an unwinding
  logic [4:0]       cur_q;
  logic [WARPS-1:0] unwind_q;                // no lane is active, tokens are left
  logic             resumed_q;               // the last step was one of unwinding
  hold_t            hold;
`ifdef COMMIT_PORT
  wire  [WARPS-1:0] unwinding = unwind_q & ~filling_o & ~later_i;
`else
  wire  [WARPS-1:0] unwinding = unwind_q & ~filling_o;
`endif
  wire  idle     = step_q == T_EXEC, failing = step_q == T_FAULT;
  wire  popping  = (carrier_i.pop || lsu_pop_o) && !halt_i;
  wire  resuming = !popping && idle && !halt_i && unwinding != {WARPS{1'b0}}
                && !(resumed_q && (some_i || start_i.valid));
  wire  doing    = !popping && !resuming && idle && some_i;
  wire  starting = !popping && !resuming && idle && !some_i && start_i.valid;
  wire  [WB-1:0] next_unwind;
  logic [WB-1:0] unwound_warp_q;
  /* verilator lint_off PINCONNECTEMPTY */
  pick #(.N(WARPS)) u_unwind (
    .request_i(resuming ? unwinding : {WARPS{1'b0}}), .last_i(unwound_warp_q), .any_o(), .which_o(next_unwind)
  );
  /* verilator lint_on PINCONNECTEMPTY */
  wire [4:0]    w5 = popping ? (carrier_i.pop ? carrier_i.pop_warp : carrier_i.lsu_warp) : !idle ? cur_q
                   : resuming ? 5'(next_unwind) : some_i ? op.warp : start_i.warp;
  wire [WB-1:0] w = w5[WB-1:0];
  assign warp_o        = w5;
  assign start_ready_o = starting;
  assign lsu_pop_o     = carrier_i.lsu_pop && !carrier_i.pop && !hold.mem && !hold.late;

  // ---- a warp ----
  logic [31:0] live_q [0:WARPS-1];
  logic [31:0] wait_q [0:WARPS-1];           // lanes at a block barrier or a WARPSYNC
  logic [31:0] pc_q   [0:WARPS-1];           // where they continue; of an unwinding, the token's before
  logic [5:0]  at_q   [0:WARPS-1];           // {at a block barrier, at a WARPSYNC, number}
  wire  [31:0] live = live_q[w];

  // ---- its stack ----
  stack_effect_t e;
  top_t          top;
  looked_t       look_top;
  fill_t         arrives;
  wire           ready, full, spills, filled, look_fill;
  wire  [255:0]  row;
  wire  [31:0]   addr, depth_now, pipe_depth;
  wire           go;                         // the step is written back
  wire  [31:0]   want = launch_i.stack_depth;
  wire  [6:0]    depth = want < 32'd4 || want > DEPTH ? 7'(DEPTH) : want[6:0];
  stack_mem #(.WARPS(WARPS), .DEPTH(DEPTH), .PROBE(PROBE)) u_mem (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .depth_i(depth),
    .base_i(launch_i.spill_base), .size_i(launch_i.spill_size),
    .warp_i(w5), .empty_i(starting && go), .push_i(e.push && go), .push_token_i(e.token), .pop_i(e.pop && go),
    .fill_i(e.fill && !halt_i), .push_ready_o(ready), .push_full_o(full), .top_o(top),
    .spills_o(spills), .filled_o(filled), .row_o(row), .addr_o(addr),
    .look_warp_i(look_i.warp), .look_fill_i(look_fill), .look_o(look_top),
    .count_warp_i(probe_warp_i), .count_o(depth_now), .pipe_warp_i(pipe_warp_i),
    .pipe_count_o(pipe_depth), .filling_o(filling_o), .arrives_o(arrives),
    .bad_warp_i(carrier_i.bad_warp), .bad_o(bad_bus_o), .bad_addr_o(bad_addr_o), .busy_o(mem_busy_o),
    .axi_read_o(axi_read_o), .axi_read_i(axi_read_i), .axi_write_o(axi_write_o), .axi_write_i(axi_write_i)
  );
  stack_carrier #(.WARPS(WARPS)) u_carrier (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .look_i(look_i.valid), .warp_i(look_i.warp),
    .top_i(look_top), .fill_o(look_fill), .arrives_i(arrives), .bad_o(bad_o)
  );

  // ---- the step ----
  logic [31:0] released_q, fault_m_q, fill_q;
  logic [3:0]  fault_q;
  wire         held, walking, visit, at_end, release_bar, unwinds;
  wire  [3:0]  bar_n;
  wire  [4:0]  walk_next;
  wire  [31:0] waiting = at_q[w] == {2'b10, bar_n} ? wait_q[w] : 32'd0;
  stack_effect_t first;
  stack_exec u_exec (
    .en_i(doing), .op(op), .exec(exec), .operand(head_i.operand), .same(head_i.same), .target(head_i.target),
    .live(live),
    .filling(filling_o[w]), .top(top), .e(first)
  );
  stack_step u_step (
    .popping_i(popping), .resuming_i(resuming), .doing_i(doing), .first_i(first), .starting_i(starting),
    .start_i(start_i), .visit_i(visit), .end_i(at_end), .failing_i(failing && !popping), .op(op), .exec(exec),
    .released_i(released_q), .live(live), .waiting_i(waiting), .pc_i(pc_q[w]), .top(top), .full_i(full),
    .slots_i(slots_i), .e(e), .unwinds_o(unwinds)
  );
  bar_walk u_walk (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .go_i(go && !popping), .step_i(step_q == T_BLOCK && !popping),
    .passed_i(e.passed), .finish_i(e.finish), .warp_i(w5), .own_i(op.warp), .block_i(block_i),
    .none_i(slots_i.none), .held_o(held), .walking_o(walking), .visit_o(visit), .end_o(at_end), .bar_o(bar_n),
    .release_o(release_bar), .next_o(walk_next)
  );

  // ---- writing it back; a step that cannot end now is repeated ----
  wire stall = (e.finish && slots_i.keep) || (e.push && !ready) || e.stay;
  wire busy  = popping || resuming || doing || starting || !idle;
  starve #(.PATIENCE(64)) u_starve (
    .clk(clk), .rst_n(rst_n && !clear_i), .late_o(hold.late),
    .wait_i((e.finish && slots_i.keep) || (popping && !hold.mem && (!idle || some_i || start_i.valid)))
  );
  assign go = busy && !stall && !halt_i;
  assign hold.issue = held || failing;
  assign hold.mem   = held;
  assign hold_o     = hold;
  wire finished = e.finish && go;
  always_comb begin
    step_o.done        = finished && !popping && !(resuming || (failing && unwound_q));
    step_o.ended       = e.ended && go;
    step_o.run         = e.run && go;
    step_o.arrive      = e.arrive && go;
    step_o.leave       = e.leave && go;
    step_o.release_bar = release_bar && go;
    step_o.bar         = e.arrive ? op.word[`INSN_BX] : bar_n;
    step_o.lanes       = 6'd0;
    if (e.arrive || e.leave)
      step_o.lanes = count(e.lanes);
    step_o.next_active = e.next_active;
    step_o.next_pc     = e.next_pc;
  end
  always @(posedge clk) begin
    if (go) begin
      if (e.live_we)
        live_q[w] <= e.live;
      if (e.wait_we) begin
        wait_q[w] <= e.wait_m;
        at_q[w]   <= {e.at_bar, e.at_wsync, e.bar_at};
      end
      if (unwinds || e.wait_we)
        pc_q[w] <= unwinds ? e.next_pc : op.pc + 32'd16;
      if (e.pop || starting)
        unwind_q[w] <= unwinds;
    end
    if (go && !popping) begin
      resumed_q <= resuming;
      if (resuming)
        unwound_warp_q <= next_unwind;
      step_q <= e.fault ? T_FAULT : e.finish ? T_EXEC : e.check ? T_BLOCK : step_q;
      cur_q  <= walk_next;
      if (idle) begin
        released_q <= 32'd0;
        unwound_q  <= resuming;
        fault_q    <= e.code;
        fault_m_q  <= e.lanes;
        fill_q     <= addr;
      end else if (visit && waiting != 32'd0 && w5 == op.warp)
        released_q <= waiting;               // its own lanes go on
    end
    if (!rst_n || clear_i) begin
      step_q   <= T_EXEC;
      unwind_q <= {WARPS{1'b0}};
      resumed_q      <= 1'b0;
      unwound_warp_q <= {WB{1'b0}};
    end
  end

  // ---- the commit ----
  logic [31:0] let_go_q;                     // for the probe alone
  always @(posedge clk) begin
    if (go && !popping && visit && waiting != 32'd0)
      let_go_q[w5] <= 1'b1;
    if (!rst_n || clear_i || finished)
      let_go_q <= 32'd0;
  end
  wire unwound = idle ? resuming : unwound_q;
  always @(posedge clk) begin
    commit_valid_o   <= finished && rst_n && !clear_i;
    record_o.pipe    <= carrier_i.pop;
    record_o.unwind  <= finished && unwound;
    record_o.pushed  <= e.push && go;
    record_o.popped  <= e.pop && go;
    record_o.spilled <= e.push && go && spills;
    record_o.filled  <= e.pop && go && filled;
    if (go && (e.push || e.pop))
      {record_o.token, record_o.moved, record_o.addr} <= {e.token, row, addr};
    if (go && (e.finish || e.pop))
      commit_o.next_pc <= e.next_pc;
    if (finished) begin
      commit_o.uop        <= op;
      commit_o.exec       <= op.dec.fault != FAULT_NONE && op.dec.fault != FAULT_TOKEN ? 32'd0 : exec;
      commit_o.released   <= doing && op.word[`INSN_OP] == OP_WARPSYNC ? e.next_active : idle ? 32'd0 : released_q;
      commit_o.fault      <= failing ? fault_q : FAULT_NONE;
      commit_o.fault_m    <= fault_m_q;
      commit_o.fault_addr <= fill_q;
      commit_o.emptied    <= 16'd0;
      commit_o.let_go     <= let_go_q;
      {commit_o.gaveway, commit_o.bbefore, commit_o.bafter} <= 65'd0;     // barrier mode has these
      if (unwound) begin
        commit_o.uop      <= {`UOP_BITS{1'b0}};
        commit_o.uop.warp <= w5;
        commit_o.uop.pc   <= pc_q[w];
        commit_o.exec     <= 32'd0;
      end
    end
  end
  // ---- the probe's views ----
  wire [WB-1:0] pw = probe_warp_i[WB-1:0], iw = pipe_warp_i[WB-1:0];
  always_comb begin
    {view_o, pipe_view_o} = {2*$bits(view_o){1'b0}};
    if (PROBE != 0) begin
      view_o.live   = live_q[pw];
      view_o.bar    = at_q[pw][5] ? wait_q[pw] : 32'd0;
      view_o.wsync  = at_q[pw][4] ? wait_q[pw] : 32'd0;
      view_o.bar_at = {32{at_q[pw][3:0]}};
      view_o.at     = {32{pc_q[pw]}};
      view_o.depth  = depth_now;
      pipe_view_o.live   = live_q[iw];
      pipe_view_o.bar    = at_q[iw][5] ? wait_q[iw] : 32'd0;
      pipe_view_o.wsync  = at_q[iw][4] ? wait_q[iw] : 32'd0;
      pipe_view_o.bar_at = {32{at_q[iw][3:0]}};
      pipe_view_o.at     = {32{pc_q[iw]}};
      pipe_view_o.depth  = pipe_depth;
    end
  end
  wire unused = &{1'b0, head_i, walking, launch_i, depth_now, pipe_depth};
endmodule
`default_nettype wire

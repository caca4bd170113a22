// The convergence unit, barrier mode: executes control instructions and picks the group that runs
// next, by the rules of docs/convergence.md.  One instruction at a time, in the order of the queue,
// which is their commit order; most take one step (a cycle), and each step reads and writes the
// whole state of one warp, so there is nothing to forward.
//
// LANES: how many lanes' places are looked at in a cycle.  If not all, a step is held until it has seen them and has
// written what it writes (conv_lanes_serial.v, conv_barriers_serial.v, age_serial.v).
//
// This file: the state of all warps, what a step looks at and what becomes of it.  The
// steps themselves: conv_exec.v (the instruction), next_group.v, conv_release.v, conv_block.v (block
// barriers).
//
// An instruction ends (`finish`) in the cycle before the one in which it retires, through the units' port.  A block
// barrier that completes changes other warps too: then the pipeline drains first (bar_walk.v).  A fault drains
// memory as well.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "conv.vh"
module conv #(
  parameter WARPS = 32, LANES = 32, PROBE = 1
) (
  `include "mechanism.vh"
  // barrier mode
  input  wire [32*WARPS-1:0] active_i,       // running groups of all warps
  input  wire [4:0]     bmov_warp_i,         // BMOV.R reads a barrier register
  input  wire [3:0]     bmov_bx_i,
  output wire [31:0]    bmov_o
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  `include "conv_fn.vh"
  localparam WB  = WARPS > 1 ? $clog2(WARPS) : 1;

  uop_t  op;
  assign op = head_i.uop;
  wire [31:0]   exec = head_i.exec, operand = head_i.operand;
  wire [8:0]    opc    = op.word[`INSN_OP];
  wire [3:0]    bx     = op.word[`INSN_BX];
  wire [31:0]   active = op.active, behind = op.pc + 32'd16;

  // ---- the step ----
  work_t   q, v;                             // registers and their next values
  lanes_t  m, n;                             // the warp's lanes before and after
  effect_t e;
  wire go;                                   // this step is written back
  wire begun;                                // an instruction's first step is under way: nothing goes before it now
  wire some = some_i || begun;
  wire exec_step = q.step == S_EXEC;         // the first of an instruction
  wire starting  = exec_step && !some && start_i.valid;
  wire [4:0] w5  = !exec_step ? q.cur : some ? op.warp : start_i.warp;
  wire [WB-1:0] w = w5[WB-1:0];
  wire busy = !exec_step || some;
  wire held, walking, visit, at_end, release_bar;   // see bar_walk.v
  wire ready;                                // all that takes several cycles has been done
  assign warp_o        = w5;
  assign start_ready_o = exec_step && !some && ready;

  // ---- state of the warp ----
  localparam M = 8 * 32 + 5 + 2;             // bits of lanes_t
  logic [M-1:0] m_q [0:WARPS-1];
  always_comb begin
    m = {M{1'b0}};
    if (busy)
      m = m_q[w];
  end
  logic [3:0]   b_sel;                       // the barrier looked at, written
  wire  [31:0]  b_now;                       // its participants

  // ---- lanes ----
  wire  [31:0] cmp;
  logic [4:0]  lane;
  wire  [31:0] lane_pc, lane_sync, same, numbered;
  wire  [15:0] present;
  wire [1023:0] view_at, pipe_at;
  wire [127:0]  view_bar_at, pipe_bar_at;
  wire [4:0] top;
  logic      push;                           // the lane looked at goes on STK
  wire [4:0] alt_lane = low(m.alt);
  wire       wants_top = q.step == S_NEXT && m.alt == 32'd0;
  wire [31:0] put_at = e.deferring ? e.def_pc : opc == OP_BSYNC ? op.pc : behind;
  // Barriers at which lanes are blocked; those whose barrier gives way are at one.
  wire [31:0] looked_at = q.step == S_GIVE ? m.blocked & q.fin_m : m.blocked;
  generate
    if (LANES == 32) begin : g_whole
      conv_barriers #(.WARPS(WARPS)) u_barriers (
        .clk(clk), .warp_i(w5), .sel_i(b_sel), .now_o(b_now), .go_i(go), .start_i(starting), .we_i(e.b_we),
        .put_i(e.b_put), .bmov_warp_i(bmov_warp_i), .bmov_bx_i(bmov_bx_i), .bmov_o(bmov_o)
      );
      conv_lanes #(.WARPS(WARPS), .PROBE(PROBE)) u_lanes (
        .clk(clk), .en_i(busy), .warp_i(w5), .put_m_i(go ? e.put_m : 32'd0), .at_we_i(e.at_we), .bar_at_we_i(e.bar_at_we),
        .sync_we_i(e.sync_we), .at_i(put_at), .bar_at_i(bx), .sync_i(operand),
        .lane_i(lane), .pc_o(lane_pc), .sync_o(lane_sync), .cmp_i(cmp), .same_o(same),
        .numcmp_i(b_sel), .num_o(numbered), .present_o(present), .blocked_i(looked_at),
        .probe_warp_i(probe_warp_i), .probe_at_o(view_at), .probe_bar_at_o(view_bar_at),
        .pipe_warp_i(pipe_warp_i), .pipe_at_o(pipe_at), .pipe_bar_at_o(pipe_bar_at)
      );
      age #(.N(32), .WARPS(WARPS)) u_stk (
        .clk(clk), .warp_i(w5), .en_i(wants_top), .mask_i(m.stk), .youngest_o(top),
        .touch_i(push && go), .which_i(lane)
      );
      assign {ready, begun} = 2'b10;
    end else begin : g_serial
      // Which lanes a step looks at may depend on top, and what it writes on what it sees.
      wire looks = exec_step ? some && (opc == OP_BSYNC || opc == OP_WARPSYNC || opc == OP_YIELD)
                 : q.step == S_BLOCK ? visit || (at_end && m.blocked != 32'd0) : q.step != S_FAULT;
      wire seen, found_top, lanes_ready, stk_ready, b_ready;
      wire looked = found_top && seen;
      conv_barriers_serial #(.WARPS(WARPS)) u_barriers (
        .clk(clk), .warp_i(w5), .sel_i(b_sel), .now_o(b_now), .on_i(busy || starting), .go_i(go), .start_i(starting),
        .we_i(e.b_we), .put_i(e.b_put), .ready_o(b_ready),
        .bmov_warp_i(bmov_warp_i), .bmov_bx_i(bmov_bx_i), .bmov_o(bmov_o)
      );
      conv_lanes_serial #(.WARPS(WARPS), .LANES(LANES), .PROBE(PROBE)) u_lanes (
        .clk(clk), .on_i(busy), .go_i(go), .look_i(looks && found_top), .write_i(looked), .looked_o(seen),
        .ready_o(lanes_ready), .warp_i(w5), .put_m_i(e.put_m), .at_we_i(e.at_we), .bar_at_we_i(e.bar_at_we),
        .sync_we_i(e.sync_we), .at_i(put_at), .bar_at_i(bx), .sync_i(operand),
        .lane_i(lane), .pc_o(lane_pc), .sync_o(lane_sync), .cmp_i(cmp), .same_o(same),
        .numcmp_i(b_sel), .num_o(numbered), .present_o(present), .blocked_i(looked_at),
        .probe_warp_i(probe_warp_i), .probe_at_o(view_at), .probe_bar_at_o(view_bar_at),
        .pipe_warp_i(pipe_warp_i), .pipe_at_o(pipe_at), .pipe_bar_at_o(pipe_bar_at)
      );
      age_serial #(.N(32), .WARPS(WARPS)) u_stk (
        .clk(clk), .clear_i(!rst_n || clear_i), .on_i(busy), .go_i(go), .warp_i(w5), .en_i(wants_top), .mask_i(m.stk),
        .youngest_o(top), .touch_i(push && looked), .which_i(lane), .found_o(found_top), .ready_o(stk_ready)
      );
      assign ready = looked && lanes_ready && stk_ready && b_ready;
      logic begun_q;
      assign begun = begun_q;
      always @(posedge clk)
        begun_q <= exec_step && some && !go && rst_n && !clear_i;
    end
  endgenerate

  // ---- what it looks at ----
  wire [3:0]   bar_n;                        // the block barrier that is released
  wire [31:0]  blocked_here = m.blocked & numbered; // lanes in BSYNC of b_sel
  // Lanes that can run although nothing is deferred; with those whose WARPSYNC may be complete.
  wire [31:0]  can  = m.rdy | m.yld | m.blocked, some_lane = can | q.todo;

  // After a pick the pointer goes on to a lane that lives and does not run: in the warp's next step, as a path through two
  // searches would be the longest of the core.
  wire [31:0] waiting = m.rdy | m.yld | m.blocked | m.wsync | m.bar;
  wire [4:0]  past    = waiting == 32'd0 ? m.ptr : first_from(m.ptr, waiting);

  // Which lane, barrier and PC a step looks at.
  always_comb
    case (q.step)
      S_NEXT:  lane = m.alt != 32'd0 ? alt_lane : m.stk != 32'd0 ? top : first_from(m.ptr, some_lane);
      S_REL:   lane = low(q.out);
      default: lane = alt_lane;
    endcase
  always_comb
    case (q.step)
      S_GIVE:  b_sel = 4'(low({16'd0, present}));
      S_SCANB: b_sel = 4'(low({16'd0, q.scan}));
      S_BLOCK: b_sel = bar_n;
      default: b_sel = bx;
    endcase
  assign cmp = exec_step ? op.pc : lane_pc;

  // ---- the four kinds of steps ----
  lanes_t  ex_n, ng_n, re_n, bl_n;
  work_t   ex_v, ng_v, re_v, bl_v;
  effect_t ex_e, ng_e, re_e, bl_e;
  conv_exec u_exec (
    .en_i(some && exec_step), .m(m), .q(q), .op(op), .exec(exec), .operand(operand), .group(head_i.same),
    .target(head_i.target), .b_now(b_now),
    .same(same), .lane_pc(lane_pc), .n(ex_n), .v(ex_v), .e(ex_e)
  );
  next_group u_next (
    .m(m), .q(q), .behind(behind), .lane(lane), .can(can), .some(some_lane), .same(same), .lane_pc(lane_pc),
    .lane_sync(lane_sync), .n(ng_n), .v(ng_v), .e(ng_e)
  );
  conv_release u_release (
    .m(m), .q(q), .active(active), .behind(behind), .blocked_here(blocked_here), .b_now(b_now), .same(same),
    .lane_pc(lane_pc), .n(re_n), .v(re_v), .e(re_e)
  );
  wire own = w5 == op.warp;                  // the step's warp is the instruction's
  wire [4:0] walk_next;
  conv_block u_block (
    .m(m), .q(q), .exits_i(opc == OP_EXIT), .rest(opc == OP_EXIT ? active & ~exec : 32'd0), .present(present),
    .behind(behind), .own_i(own),
    .stands_i(active_i[{w, 5'd0} +: 32] == 32'd0), .visit_i(visit), .end_i(at_end), .numbered(numbered),
    .slots_i(slots_i), .n(bl_n), .v(bl_v), .e(bl_e)
  );

  // ---- what becomes of it ----
  always_comb begin
    {n, v, e} = {ex_n, ex_v, ex_e};
    if (q.step >= S_BLOCK)
      {n, v, e} = {bl_n, bl_v, bl_e};
    else if (q.step >= S_SCANB)
      {n, v, e} = {re_n, re_v, re_e};
    else if (!exec_step)
      {n, v, e} = {ng_n, ng_v, ng_e};
    if (e.empties) begin
      {e.b_we, e.b_put} = {1'b1, 32'd0};
      v.emptied = v.emptied | 16'd1 << b_sel;
    end
    push = e.push || (n.alt != 32'd0 && (e.demote || (e.deferring && !e.joining)));
    if (push)
      n.stk = n.stk | 32'd1 << lane;
    if (e.demote)
      n.alt = 32'd0;
    if (e.deferring) begin
      e.at_we = 1'b1;
      n.rdy = n.rdy | e.put_m;
      n.alt = e.put_m;
    end
    if (m.due && (exec_step || q.step == S_BLOCK))
      {n.due, n.ptr} = {1'b0, past};
    if (e.picked) begin
      {n.rdy, n.yld, n.blocked, n.wsync} = {n.rdy, n.yld, n.blocked, n.wsync} & {4{~e.next_active}};
      n.due = 1'b1;
    end
    if (v.step == S_NEXT && q.step != S_NEXT)
      v.todo = n.wsync;
    if (e.run && own && !exec_step)
      v.own = e.next_active;
    if (e.run && own)
      v.own_pc = e.next_pc;
    n.stk = n.stk & n.rdy;
    if (e.finish && walking) begin           // what ends is the visit
      e.finish = 1'b0;
      e.passed = 1'b1;
    end
    if (walking && !own) begin               // another warp's affair
      {v.released, v.emptied, v.gaveway} = {q.released, q.emptied, q.gaveway};
    end
    if (e.passed)
      v.step = S_BLOCK;
    if (e.finish)
      v.step = S_EXEC;
    if (starting) begin
      n = {M{1'b0}};
      n.live = start_i.lanes;
      {e.run, e.next_active, e.next_pc} = {1'b1, start_i.lanes, start_i.pc};
    end
  end
  bar_walk u_walk (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .go_i(go), .step_i(q.step == S_BLOCK), .passed_i(e.passed),
    .finish_i(e.finish), .warp_i(w5), .own_i(op.warp), .block_i(block_i), .none_i(slots_i.none), .held_o(held),
    .walking_o(walking), .visit_o(visit), .end_o(at_end), .bar_o(bar_n), .release_o(release_bar),
    .next_o(walk_next)
  );

  // ---- writing it back; a step that cannot end now is repeated ----
  wire stall = e.finish && slots_i.keep;
  assign go = (busy || starting) && !stall && ready;
  always_comb begin
    step_o.done        = e.finish && go;
    step_o.ended       = e.ended && go;
    step_o.run         = e.run && go;
    step_o.arrive      = e.arrive && go;
    step_o.leave       = e.leave && go;
    step_o.release_bar = release_bar && go;
    step_o.bar         = e.arrive ? bx : bar_n;
    step_o.lanes       = e.arrive ? count(active) : count(exec);
    step_o.next_active = e.next_active;
    step_o.next_pc     = e.next_pc;
  end
  assign hold_o.issue = held || q.step == S_FAULT;
  assign hold_o.mem   = held;
  assign hold_o.late  = 1'b0;                // a cycle that is the LSU's is followed by others
  always @(posedge clk) begin
    if (go)
      m_q[w] <= n;
    if (go && busy) begin
      q     <= v;
      q.cur <= walk_next;
    end
    if (!rst_n || clear_i)
      q.step <= S_EXEC;
  end
  // ---- the commit ----
  logic [31:0] let_go_q;                     // for the probe alone
  always @(posedge clk) begin
    if (go && visit && bl_v.out != 32'd0)
      let_go_q[w5] <= 1'b1;
    if (!rst_n || clear_i || (go && e.finish))
      let_go_q <= 32'd0;
  end
  wire no_exec = op.dec.fault != FAULT_NONE;
  // The instruction's barrier register after it, if it is of those that name one.
  logic [31:0] after_q;
  wire         b_own   = exec_step || (own && e.b_we && b_sel == bx);
  wire [31:0]  b_after = !b_own ? after_q : e.b_we ? e.b_put : b_now;
  always @(posedge clk) begin
    commit_valid_o <= e.finish && go && rst_n && !clear_i;
    if (exec_step && some)
      commit_o.bbefore <= b_now;
    if (go)
      after_q <= b_after;
    if (e.finish && go) begin
      commit_o.uop        <= op;
      commit_o.exec       <= no_exec ? 32'd0 : exec;
      commit_o.released   <= v.released;
      commit_o.gaveway    <= v.gaveway;
      commit_o.emptied    <= v.emptied;
      commit_o.let_go     <= let_go_q;
      commit_o.next_pc    <= v.own_pc;
      commit_o.bafter     <= b_after;
      commit_o.fault_m    <= no_exec ? active : exec;
      commit_o.fault      <= !e.fault ? FAULT_NONE : no_exec ? op.dec.fault : FAULT_TRAP;
      commit_o.fault_addr <= 32'd0;
    end
  end
  // ---- the probe's views ----
  lanes_t seen, pipe_seen;
  assign seen      = m_q[probe_warp_i[WB-1:0]];
  assign pipe_seen = m_q[pipe_warp_i[WB-1:0]];
  always_comb begin
    {view_o, pipe_view_o} = {2*$bits(view_o){1'b0}};
    if (PROBE != 0) begin
      {view_o.live, view_o.rdy, view_o.blocked} = {seen.live, seen.rdy, seen.blocked};
      {view_o.yld, view_o.wsync, view_o.bar}    = {seen.yld, seen.wsync, seen.bar};
      {view_o.at, view_o.bar_at}                = {view_at, view_bar_at};
      {pipe_view_o.live, pipe_view_o.rdy, pipe_view_o.blocked} = {pipe_seen.live, pipe_seen.rdy, pipe_seen.blocked};
      {pipe_view_o.yld, pipe_view_o.wsync, pipe_view_o.bar}    = {pipe_seen.yld, pipe_seen.wsync, pipe_seen.bar};
      {pipe_view_o.at, pipe_view_o.bar_at}                     = {pipe_at, pipe_bar_at};
    end
  end
  wire unused = &{1'b0, head_i, seen, view_at, view_bar_at, pipe_seen, pipe_at, pipe_bar_at};
endmodule
`default_nettype wire

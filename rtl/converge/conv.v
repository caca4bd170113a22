// The convergence unit, barrier mode: executes control instructions and picks the group that runs
// next, by the rules of docs/convergence.md.  One instruction at a time, in the order of the queue,
// which is their commit order; most take one step (a cycle), and each step reads and writes the
// whole state of one warp, so there is nothing to forward.
//
// This file: the state of all warps, what a step looks at and what becomes of it.  The
// steps themselves: conv_exec.v (the instruction), next_group.v, conv_block.v (block barriers).
//
// An instruction ends (`finish`) in a cycle before one in which nobody else retires.  A block barrier that
// completes changes other warps too: then the pipeline drains first, so that commits of those warps
// lie clearly before or behind it.  A fault drains memory as well.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "conv.vh"
module conv #(
  parameter WARPS = 32, PROBE = 1
) (
  input  wire           clk, rst_n,
  input  wire           clear_i,
  // the head of the queue
  input  wire           some_i,
  input  uop_t          op,
  input  wire [31:0]    exec, operand,
  input  wire [1023:0]  target_i,
  // the dispatcher starts a warp
  input  wire           start_i,
  output wire           start_ready_o,
  input  wire [4:0]     start_warp_i,
  input  wire [31:0]    start_lanes_i, start_pc_i,
  // block barriers
  output wire           arrive_o, leave_o, release_o,
  output wire [3:0]     bar_o,
  output wire [5:0]     bar_lanes_o,
  input  wire [15:0]    complete,
  input  wire [5:0]     warps_block_i,
  output wire [4:0]     cur_warp_o,          // whose tables are wanted:
  input  wire [4:0]     cur_first_i,         // the first warp slot of its block
  output wire           warp_end_o,          // all lanes of cur_warp_o have exited
  // running groups
  output wire           run_o,
  output wire [4:0]     run_warp_o,
  output wire [31:0]    run_m_o, run_pc_o,
  input  wire [32*WARPS-1:0] act_i,
  // retire
  input  wire           slot_keep_i, slot_none_i, mem_busy_i,
  output wire           late_o,              // an instruction has waited for long for a cycle to retire in
  output wire           hold_issue_o, hold_mem_o,
  output wire           done_o,              // an instruction leaves the queue
  output logic          c_valid_o,           // it retires in this cycle
  output uop_t          c_uop_o,
  output logic [31:0]   c_exec_o, c_released_o, c_bbefore_o, c_bafter_o, c_pc_o,
  output logic          c_gaveway_o,
  output logic [3:0]    c_fault_o,
  output logic [31:0]   c_fault_m_o,
  // barrier register for BMOV.R
  input  wire [4:0]     read_warp_i,
  input  wire [3:0]     read_bx_i,
  output wire [31:0]    read_o,
  // the probe's view of a warp
  input  wire [4:0]     probe_warp_i,
  output wire [1023:0]  probe_at_o,
  output wire [127:0]   probe_num_o,
  output wire [191:0]   probe_m_o            // bar, syn, yld, blk, rdy, live
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  `include "conv_fn.vh"
  localparam WB  = WARPS > 1 ? $clog2(WARPS) : 1;

  wire [8:0]    opc   = op.word[`INSN_OP];
  wire [3:0]    bx    = op.word[`INSN_BX];
  wire [31:0]   act   = op.active, behind = op.pc + 32'd16;

  // ---- the step ----
  work_t   q, v;                             // registers and their next values
  lanes_t  m, n;                             // the warp's lanes before and after
  effect_t e;
  wire go;                                   // this step is written back
  wire starting = q.step == S_EXEC && !some_i && start_i;
  wire [4:0] w5 = q.step == S_EXEC ? (some_i ? op.warp : start_warp_i) : q.cur;
  wire [WB-1:0] w = w5[WB-1:0];
  wire busy = q.step != S_EXEC || some_i;
  assign cur_warp_o    = w5;
  assign start_ready_o = q.step == S_EXEC && !some_i;

  // ---- state of the warp ----
  localparam M = 9 * 32 + 1 + 2 * `CONV_TAG; // bits of lanes_t
  logic [M-1:0] m_q [0:WARPS-1];
  always_comb begin
    m = {M{1'b0}};
    if (busy)
      m = m_q[w];
  end
  // Barrier registers: participants, and where the lanes that blocked last continue.
  logic [511:0] b_mem [0:WARPS-1];
  logic [31:0]  bpc_mem [0:WARPS*16-1];
  wire  [511:0] bs = b_mem[w];
  wire  [511:0] bs_read = b_mem[read_warp_i[WB-1:0]];
  assign read_o = bs_read[{read_bx_i, 5'd0} +: 32];
  logic [3:0]   b_sel;                       // the barrier looked at, written, blocked on
  logic [31:0]  b_new;
  wire  [31:0]  b_now = bs[{b_sel, 5'd0} +: 32];

  // Their row with this step's change, of which there is at most one kind.
  logic [511:0] bs_next;
  always_comb begin
    bs_next = starting ? 512'd0 : bs & ~{16{e.leave_m}};
    for (int k = 0; k < 16; k = k + 1)
      if (e.b_we && b_sel == 4'(k))
        bs_next[32*k +: 32] = e.b_put;
  end

  // ---- lanes ----
  wire  [31:0] cmp;
  logic [4:0]  lane;
  wire  [31:0] lane_pc, lane_sync, same, numbered, in_set;
  wire  [15:0] present;
  wire is_indirect = opc == OP_BRX || opc == OP_RET || opc == OP_CALLR;
  wire [31:0] goes = {32{go}};
  conv_lanes #(.WARPS(WARPS), .TAG(`CONV_TAG), .PROBE(PROBE)) u_lanes (
    .clk(clk), .en_i(busy), .warp_i(w5), .at_m_i(e.at_m & goes), .at_i(e.deferring ? e.def_pc : behind),
    .num_m_i(e.num_m & goes), .num_i(bx), .sync_m_i(e.sync_m & goes), .sync_i(operand),
    .tag_m_i(e.tag_m & goes), .tag_i(m.ytail),
    .indirect_i(q.step == S_EXEC && is_indirect), .exec_i(exec), .behind_i(behind),
    .target_i(target_i), .lane_i(lane), .pc_o(lane_pc), .sync_o(lane_sync), .cmp_i(cmp), .same_o(same),
    .numcmp_i(b_sel), .num_o(numbered), .present_o(present), .blocked_i(m.blk), .tagcmp_i(m.yhead),
    .tag_o(in_set), .probe_warp_i(probe_warp_i), .probe_at_o(probe_at_o), .probe_num_o(probe_num_o)
  );
  wire [4:0] top;
  wire [3:0] latest;
  logic      push;                           // ALT's lowest lane goes on STK
  wire [4:0] alt_lane = low(m.alt);
  age #(.N(32), .WARPS(WARPS)) u_stk (
    .clk(clk), .warp_i(w5), .en_i(q.step == S_NEXT && m.alt == 32'd0), .mask_i(m.stk), .youngest_o(top),
    .touch_i(push && go), .which_i(alt_lane)
  );
  age #(.N(16), .WARPS(WARPS)) u_order (
    .clk(clk), .warp_i(w5), .en_i(q.step == S_GIVE), .mask_i(present), .youngest_o(latest),
    .touch_i(e.bpc_we && go), .which_i(bx)
  );

  // ---- block barriers ----
  wire [3:0] bar_n = 4'(low({16'd0, q.bars}));   // the one being released
  assign arrive_o    = e.arrive && go;
  assign leave_o     = e.leave && go;
  assign release_o   = e.release_bar && go;
  assign bar_o       = e.arrive ? bx : bar_n;
  assign bar_lanes_o = e.arrive ? count(act) : count(exec);

  // ---- what it looks at ----
  logic [31:0] bm;
  logic        is_complete;
  wire [31:0] blocked_here = m.blk & numbered; // lanes in BSYNC of b_sel

  // Which lane, barrier and PC a step looks at.
  always_comb
    case (q.step)
      S_EXEC:           lane = low(act);
      S_NEXT:           lane = m.alt != 32'd0 ? alt_lane : m.stk != 32'd0 ? top : low(m.rdy);
      S_SCANW, S_DEFER: lane = low(q.todo);
      S_YRUN, S_OUT:    lane = low(q.out);
      default:          lane = 5'd0;
    endcase
  always_comb
    case (q.step)
      S_SCANB:    b_sel = 4'(low({16'd0, q.scan}));
      S_REL:      b_sel = q.b;
      S_BARWALK:  b_sel = bar_n;
      default:    b_sel = bx;
    endcase
  assign cmp = q.step == S_REL ? bpc_mem[{w, q.b}] : q.step == S_EXEC && !is_indirect ? behind : lane_pc;

  // Rule 4's test for b_sel, with the lanes that arrive or are removed in this step.
  always_comb begin
    bm = blocked_here;
    b_new = b_now;
    if (q.step == S_EXEC) begin
      if (opc == OP_BSYNC) bm = blocked_here | (act & b_now);
      if (opc == OP_BREAK) b_new = b_now & ~exec;
    end
    is_complete = (bm & b_new) != 32'd0 && (b_new & m.live & ~bm & ~m.yld) == 32'd0;
  end
  // ---- the three kinds of steps ----
  lanes_t  ex_n, ng_n, bl_n;
  work_t   ex_v, ng_v, bl_v;
  effect_t ex_e, ng_e, bl_e;
  conv_exec u_exec (
    .en_i(some_i && q.step == S_EXEC), .m(m), .q(q), .op(op), .exec(exec), .operand(operand), .b_now(b_now),
    .b_new(b_new), .bm(bm), .is_complete(is_complete), .same(same), .lane_pc(lane_pc), .n(ex_n), .v(ex_v), .e(ex_e)
  );
  next_group u_next (
    .m(m), .q(q), .act(act), .behind(behind), .present(present), .b_sel(b_sel), .latest(latest),
    .blocked_here(blocked_here), .b_now(b_now), .is_complete(is_complete), .same(same), .lane_pc(lane_pc),
    .cmp(cmp), .lane_sync(lane_sync), .in_set(in_set), .n(ng_n), .v(ng_v), .e(ng_e)
  );
  wire is_own = w5 == op.warp;
  conv_block u_block (
    .m(m), .q(q), .rest(opc == OP_EXIT ? act & ~exec : 32'd0), .behind(behind), .is_own(is_own),
    .stands_i(act_i[{w, 5'd0} +: 32] == 32'd0), .complete(complete), .numbered(numbered),
    .cur_first_i(cur_first_i), .slot_none_i(slot_none_i), .mem_busy_i(mem_busy_i), .n(bl_n), .v(bl_v), .e(bl_e)
  );

  // ---- what becomes of it ----
  always_comb begin
    {n, v, e} = {ex_n, ex_v, ex_e};
    if (q.step >= S_BARCHK)
      {n, v, e} = {bl_n, bl_v, bl_e};
    else if (q.step != S_EXEC)
      {n, v, e} = {ng_n, ng_v, ng_e};
    push = 1'b0;
    if (e.deferring) begin
      e.at_m  = e.at_m | e.def_m;
      n.rdy = n.rdy | e.def_m;
      push  = n.alt != 32'd0;
      if (push)
        n.stk = n.stk | 32'd1 << alt_lane;
      n.alt = e.def_m;
    end
    if (e.run && is_own && q.step != S_EXEC)
      v.own = e.run_m;
    if (e.run && is_own)
      v.own_pc = e.run_pc;
    n.stk = n.stk & n.rdy;
    if (e.finish && q.walk && q.step != S_BAREND) begin
      e.finish = 1'b0;
      e.walked = 1'b1;
    end
    if (q.walk && !is_own) begin       // another warp's affair
      v.released = q.released;
      v.gaveway  = q.gaveway;
    end
    if (e.walked) begin
      v.step = S_BARWALK;
      if ({1'b0, q.index} + 6'd1 == warps_block_i) begin
        e.release_bar = 1'b1;
        v.bars  = q.bars & (q.bars - 16'd1);
        v.index = 5'd0;
        v.cur   = cur_first_i;
        if (v.bars == 16'd0) begin
          v.step = S_BAREND;
          v.cur  = op.warp;
        end
      end else begin
        v.index = q.index + 5'd1;
        v.cur   = q.cur + 5'd1;
      end
    end
    if (e.finish) begin
      v.step = S_EXEC;
      v.held = 1'b0;
    end
    if (starting) begin
      n = {M{1'b0}};
      n.live = start_lanes_i;
      {e.run, e.run_m, e.run_pc} = {1'b1, start_lanes_i, start_pc_i};
    end
  end
  // ---- writing it back; a step that cannot end now is repeated ----
  wire stall = e.finish && slot_keep_i;
  // Mostly a cycle comes that another control instruction leaves; booking one costs an issue slot.
  starve #(.PATIENCE(64)) u_starve (.clk(clk), .rst_n(rst_n), .wait_i(stall), .late_o(late_o));
  assign go  = (busy || starting) && !stall;
  assign run_o        = e.run && go;
  assign run_warp_o   = w5;
  assign run_m_o      = e.run_m;
  assign run_pc_o     = e.run_pc;
  assign done_o       = e.finish && go;
  assign warp_end_o   = e.ended && go;
  assign hold_issue_o = q.held || q.step == S_FAULT;
  assign hold_mem_o   = q.held;
  always @(posedge clk) begin
    if (go)
      m_q[w] <= n;
    if (go && (starting || e.leave_m != 32'd0 || e.b_we))
      b_mem[w] <= bs_next;
    if (go && e.bpc_we)
      bpc_mem[{w, bx}] <= behind;
    if (go && busy)
      q <= v;
    if (!rst_n || clear_i) begin
      q.step <= S_EXEC;
      q.held <= 1'b0;
      q.walk <= 1'b0;
    end
  end
  // ---- the commit ----
  wire no_exec = op.dec.fault != FAULT_NONE;
  always @(posedge clk) begin
    c_valid_o <= done_o && rst_n && !clear_i;
    if (q.step == S_EXEC && some_i)
      c_bbefore_o <= b_now;
    if (done_o) begin
      c_uop_o      <= op;
      c_exec_o     <= no_exec ? 32'd0 : exec;
      c_released_o <= v.released;
      c_gaveway_o  <= v.gaveway;
      c_pc_o       <= v.own_pc;
      c_fault_m_o  <= no_exec ? act : exec;
      c_fault_o    <= !e.fault ? FAULT_NONE : no_exec ? op.dec.fault : FAULT_TRAP;
    end
  end
  wire [511:0] bs_commit = b_mem[c_uop_o.warp[WB-1:0]];
  assign c_bafter_o = bs_commit[{c_uop_o.word[`INSN_BX], 5'd0} +: 32];
  wire [M-1:0] probe_m = m_q[probe_warp_i[WB-1:0]];
  assign probe_m_o = PROBE == 0 ? 192'd0
                   : {probe_m[M-193 -: 32], probe_m[M-161 -: 32], probe_m[M-97 -: 32], probe_m[M-65 -: 32],
                      probe_m[M-33 -: 32], probe_m[M-1 -: 32]};
  wire unused = &{1'b0, probe_m};
endmodule
`default_nettype wire

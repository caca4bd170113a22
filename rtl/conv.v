// The convergence unit, barrier mode: executes control instructions and picks the group that runs
// next, by the rules of docs/convergence.md.  One instruction at a time, in the order of its queue,
// which is their commit order; most take one step (a cycle), and each step reads and writes the
// whole state of one warp, so there is nothing to forward.
//
// Lanes: a live lane is in exactly one of: running, rdy, blk (BSYNC), yld, syn (WARPSYNC), bar (block
// barrier).  todo_q holds lanes that were released and wait to be deferred, group by group.
//
// An instruction ends (`finish`) in a cycle before which nobody else retires.  A block barrier that
// completes changes other warps too: then the pipeline drains first, so that commits of those warps
// lie clearly before or behind it.  A fault drains memory as well.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module conv #(
  parameter WARPS = 32, PROBE = 1
) (
  input  wire           clk, rst_n,
  input  wire           clear_i,
  // queue
  input  wire           push_i,
  input  uop_t          push_uop_i,
  input  wire [31:0]    push_exec_i, push_b_i,
  input  wire [1023:0]  push_a_i,
  // the dispatcher starts a warp
  input  wire           start_i,
  output wire           start_ready_o,
  input  wire [4:0]     start_warp_i,
  input  wire [31:0]    start_lanes_i, start_pc_i,
  // block barriers
  input  wire           block_start_i,
  input  wire [4:0]     block_slot_i,
  input  wire [10:0]    block_lanes_i,
  input  wire [5:0]     warps_block_i,
  output wire [4:0]     cur_warp_o,          // whose tables are wanted:
  input  wire [4:0]     cur_slot_i,          // its block slot,
  input  wire [4:0]     cur_first_i,         // and the first warp slot of the block
  output wire           warp_end_o,          // all lanes of cur_warp_o have exited
  // running groups
  output wire           run_o,
  output wire [4:0]     run_warp_o,
  output wire [31:0]    run_m_o, run_pc_o,
  input  wire [32*WARPS-1:0] act_i,
  // retire
  input  wire           slot_retire_i, slot_none_i, mem_busy_i,
  output wire           hold_issue_o, hold_mem_o,
  output wire           done_o,              // an instruction leaves the queue
  output logic          c_valid_o,           // it retires in this cycle
  output uop_t          c_uop_o,
  output logic [31:0]   c_exec_o, c_released_o, c_bbefore_o, c_bafter_o, c_pc_o,
  output logic          c_gaveway_o,
  output logic [3:0]    c_fault_o,
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
  localparam WB  = WARPS > 1 ? $clog2(WARPS) : 1;
  localparam TAG = 11;                       // of yield sets: fewer than 32 * 32 are ever open
  localparam [3:0] FAULT_TRAP = 4'd3;

  function automatic [4:0] low(input [31:0] m);
    low = 5'd0;
    for (int i = 31; i >= 0; i = i - 1)
      if (m[i])
        low = 5'(i);
  endfunction
  function automatic [5:0] count(input [31:0] m);
    count = 6'd0;
    for (int i = 0; i < 32; i = i + 1)
      count = count + {5'd0, m[i]};
  endfunction

  // ---- queue ----
  uop_t          q_uop  [0:3];
  logic [31:0]   q_exec [0:3];
  logic [31:0]   q_b    [0:3];
  logic [1023:0] q_a    [0:3];
  logic [2:0]    put_q, get_q;
  uop_t          op;
  assign op = q_uop[get_q[1:0]];
  wire [31:0]   exec  = q_exec[get_q[1:0]], operand = q_b[get_q[1:0]];
  wire          some  = put_q != get_q;
  wire [8:0]    opc   = op.word[8:0];
  wire [3:0]    bx    = op.word[85:82];
  wire [31:0]   imm   = op.word[63:32];
  wire [31:0]   act   = op.active, behind = op.pc + 32'd16;

  // ---- steps ----
  localparam [3:0] S_EXEC = 4'd0, S_NEXT = 4'd1, S_SCANB = 4'd2, S_SCANW = 4'd3, S_YHEAD = 4'd4, S_YRUN = 4'd5,
                   S_GIVE = 4'd6, S_REL = 4'd7, S_OUT = 4'd8, S_DEFER = 4'd9, S_FIN = 4'd10, S_BARCHK = 4'd11,
                   S_BARHOLD = 4'd12, S_BARWALK = 4'd13, S_BAREND = 4'd14, S_FAULT = 4'd15;
  logic [3:0]  step_q, step;
  logic        walk_q, walk;                 // inside a block barrier's release
  logic        broke_q, broke;               // the instruction is a BREAK that completed a barrier
  logic        give_q, give;                 // rule 8
  logic [4:0]  cur_q, cur;                   // warp of the next step, unless S_EXEC
  logic [3:0]  b_q, b;
  logic [15:0] scan_q, scan;                 // barriers to look at
  logic [15:0] bars_q, bars;                 // block barriers to release
  logic        held_q, held;                 // ... and nobody else may issue or retire meanwhile
  logic [31:0] todo_q, todo, fin_m_q, fin_m, fin_pc_q, fin_pc, out_q, out;
  logic [31:0] own_q, own;                   // the instruction's warp ran on in the walk: its group
  logic [4:0]  index_q, index;
  logic [31:0] released_q, released;
  logic        gaveway_q, gaveway;
  logic [31:0] own_pc_q, own_pc;

  wire go;                                   // this step is written back
  wire starting = step_q == S_EXEC && !some && start_i;
  wire [4:0] w5 = step_q == S_EXEC ? (some ? op.warp : start_warp_i) : cur_q;
  wire [WB-1:0] w = w5[WB-1:0];
  wire busy = step_q != S_EXEC || some;
  assign cur_warp_o    = w5;
  assign start_ready_o = step_q == S_EXEC && !some;

  // ---- state of the warp ----
  localparam M = 9 * 32 + 1 + 2 * TAG;
  logic [M-1:0] m_q [0:WARPS-1];
  logic [31:0] live, rdy, blk, yld, ys, syn, bar, alt, stk;
  logic        first;
  logic [TAG-1:0] ytail, yhead;
  logic [31:0] live_d, rdy_d, blk_d, yld_d, ys_d, syn_d, bar_d, alt_d, stk_d;
  logic        first_d;
  logic [TAG-1:0] ytail_d, yhead_d;
  always_comb begin
    {live, rdy, blk, yld, ys, syn, bar, alt, stk, first, ytail, yhead} = {M{1'b0}};
    if (busy)
      {live, rdy, blk, yld, ys, syn, bar, alt, stk, first, ytail, yhead} = m_q[w];
  end
  // Barrier registers: participants, and where the lanes that blocked last continue.
  logic [511:0] b_mem [0:WARPS-1];
  logic [31:0]  bpc_mem [0:WARPS*16-1];
  wire  [511:0] bs = b_mem[w];
  wire  [511:0] bs_read = b_mem[read_warp_i[WB-1:0]];
  assign read_o = bs_read[{read_bx_i, 5'd0} +: 32];
  logic [31:0]  leave_m;                     // lanes taken from all barriers
  logic         b_we, bpc_we;
  logic [3:0]   b_sel;                       // the barrier looked at, written, blocked on
  logic [31:0]  b_new, b_put;
  wire  [31:0]  b_now = bs[{b_sel, 5'd0} +: 32];

  // ---- lanes ----
  logic [31:0] at_m, at_v, num_m, sync_m, tag_m;
  wire  [31:0] cmp;
  logic [4:0]  lane;
  logic [3:0]  num_v;
  wire  [31:0] lane_pc, lane_sync, same, numbered, in_set;
  wire  [15:0] present;
  wire is_indirect = opc == OP_BRX || opc == OP_RET || opc == OP_CALLR;
  conv_lanes #(.WARPS(WARPS), .TAG(TAG), .PROBE(PROBE)) u_lanes (
    .clk(clk), .en_i(busy), .warp_i(w5), .at_m_i(at_m & {32{go}}), .at_i(at_v), .num_m_i(num_m & {32{go}}), .num_i(num_v),
    .sync_m_i(sync_m & {32{go}}), .sync_i(operand), .tag_m_i(tag_m & {32{go}}), .tag_i(ytail),
    .indirect_i(step_q == S_EXEC && is_indirect), .exec_i(exec), .behind_i(behind),
    .target_i(q_a[get_q[1:0]]), .lane_i(lane), .pc_o(lane_pc), .sync_o(lane_sync), .cmp_i(cmp), .same_o(same),
    .numcmp_i(b_sel), .num_o(numbered), .present_o(present), .blocked_i(blk), .tagcmp_i(yhead),
    .tag_o(in_set), .probe_warp_i(probe_warp_i), .probe_at_o(probe_at_o), .probe_num_o(probe_num_o)
  );
  wire [4:0] top;
  wire [3:0] latest;
  logic      push;                           // ALT's lowest lane goes on STK
  wire [4:0] alt_lane = low(alt);
  age #(.N(32), .WARPS(WARPS)) u_stk (
    .clk(clk), .warp_i(w5), .en_i(step_q == S_NEXT && alt == 32'd0), .mask_i(stk), .youngest_o(top),
    .touch_i(push && go), .which_i(alt_lane)
  );
  age #(.N(16), .WARPS(WARPS)) u_order (
    .clk(clk), .warp_i(w5), .en_i(step_q == S_GIVE), .mask_i(present), .youngest_o(latest),
    .touch_i(bpc_we && go), .which_i(bx)
  );

  // ---- block barriers ----
  logic        arrive, leave, release_bar;
  wire  [15:0] complete;
  wire  [3:0]  bar_n = 4'(low({16'd0, bars_q}));   // the one being released
  bar_block #(.WARPS(WARPS)) u_bar (
    .clk(clk), .start_i(block_start_i), .start_slot_i(block_slot_i), .start_lanes_i(block_lanes_i),
    .slot_i(cur_slot_i), .arrive_i(arrive && go), .leave_i(leave && go), .release_i(release_bar && go), .n_i(arrive ? bx : bar_n),
    .lanes_i(arrive ? count(act) : count(exec)), .need_i(operand), .complete_o(complete)
  );

  // ---- one step ----
  logic        run, finish, fault, ended, deferring, walked;
  logic [31:0] run_m, run_pc, def_m, def_pc;
  logic [31:0] taken, other, bm;
  logic        is_complete;
  wire [31:0] blocked_here = blk & numbered; // lanes in BSYNC of b_sel

  // What next() does where no group is ready; the barriers have been looked at already.
  logic [3:0] after_scanw, after_scanb;
  always_comb begin
    after_scanw = yld != 32'd0 ? S_YHEAD : blk != 32'd0 && bar == 32'd0 ? S_GIVE : S_FIN;
    after_scanb = syn != 32'd0 ? S_SCANW : after_scanw;
  end

  // Which lane, barrier and PC a step looks at.
  always_comb
    case (step_q)
      S_EXEC:           lane = low(act);
      S_NEXT:           lane = alt != 32'd0 ? alt_lane : stk != 32'd0 ? top : low(rdy);
      S_SCANW, S_DEFER: lane = low(todo_q);
      S_YRUN, S_OUT:    lane = low(out_q);
      default:          lane = 5'd0;
    endcase
  always_comb
    case (step_q)
      S_SCANB:    b_sel = 4'(low({16'd0, scan_q}));
      S_REL:      b_sel = b_q;
      S_BARWALK:  b_sel = bar_n;
      default:    b_sel = bx;
    endcase
  assign cmp = step_q == S_REL ? bpc_mem[{w, b_q}] : step_q == S_EXEC && !is_indirect ? behind : lane_pc;

  // Rule 4's test for b_sel, with the lanes that arrive or are removed in this step.
  always_comb begin
    bm = blocked_here;
    b_new = b_now;
    if (step_q == S_EXEC) begin
      if (opc == OP_BSYNC) bm = blocked_here | (act & b_now);
      if (opc == OP_BREAK) b_new = b_now & ~exec;
    end
    is_complete = (bm & b_new) != 32'd0 && (b_new & live & ~bm & ~yld) == 32'd0;
  end

  always_comb begin
    {live_d, rdy_d, blk_d, yld_d, ys_d, syn_d, bar_d, alt_d, stk_d, first_d, ytail_d, yhead_d}
      = {live, rdy, blk, yld, ys, syn, bar, alt, stk, first, ytail, yhead};
    {at_m, num_m, sync_m, tag_m, leave_m} = {5{32'd0}};
    at_v  = behind;
    num_v = bx;
    {b_we, bpc_we, arrive, leave, release_bar, run, finish, fault, ended, deferring, push, walked} = 12'd0;
    b_put = 32'd0;
    {run_m, run_pc, def_m, def_pc, taken, other} = {6{32'd0}};
    {walk, broke, give, held, cur, b, scan, bars, todo, fin_m, fin_pc, out, own, own_pc, index, released, gaveway}
      = {walk_q, broke_q, give_q, held_q, cur_q, b_q, scan_q, bars_q, todo_q, fin_m_q, fin_pc_q, out_q, own_q,
         own_pc_q, index_q, released_q, gaveway_q};
    step = step_q;
    case (step_q)
      S_EXEC: if (some) begin
        cur      = op.warp;
        walk     = 1'b0;
        broke    = 1'b0;
        give     = 1'b0;
        own      = 32'd0;
        released = 32'd0;
        gaveway  = 1'b0;
        if (op.dec.fault != 2'd0)
          step = S_FAULT;
        else case (opc)
          OP_BRA, OP_CALL: begin                             // rule 1
            taken  = exec;
            other  = act & ~exec;
            run    = 1'b1;
            finish = 1'b1;
            if (taken != 32'd0 && (other == 32'd0 || count(taken) < count(other))) begin
              {run_m, run_pc, def_m, def_pc} = {taken, imm, other, behind};
            end else begin
              {run_m, run_pc, def_m, def_pc} = {other, behind, taken, imm};
            end
            deferring = def_m != 32'd0;
          end
          OP_BRX, OP_RET, OP_CALLR: begin                    // rule 2
            taken  = act & same;
            other  = act & ~same;
            run    = 1'b1;
            finish = 1'b1;
            if (first || count(taken) <= count(other) || other == 32'd0) begin
              {run_m, run_pc, def_m, def_pc} = {taken, lane_pc, other, op.pc};
              first_d = 1'b0;
            end else begin
              {run_m, run_pc, def_m, def_pc} = {other, op.pc, taken, lane_pc};
              first_d = 1'b1;
            end
            deferring = def_m != 32'd0;
          end
          OP_BSSY: begin                                     // rule 3
            {run, finish, b_we, run_m, run_pc} = {3'b111, act, behind};
            b_put = b_now | exec;
          end
          OP_BMOVR:
            {run, finish, run_m, run_pc} = {2'b11, act, behind};
          OP_BMOVB: begin
            {run, finish, b_we, run_m, run_pc} = {2'b11, exec != 32'd0, act, behind};
            b_put = operand;
          end
          OP_BSYNC: begin                                    // rule 4
            taken = act & b_now;
            other = act & ~b_now;
            if (taken == 32'd0)
              {run, finish, run_m, run_pc} = {2'b11, act, behind};
            else begin
              at_m  = taken;
              num_m = taken;
              blk_d = blk | taken;
              bpc_we = 1'b1;
              if (is_complete) begin
                // Those behind this BSYNC and the others of the group go on together.
                out   = bm & b_now;
                todo  = out & ~taken & ~same;
                fin_m = (out & (taken | same)) | other;
                fin_pc = behind;
                b_we  = 1'b1;
                b_put = 32'd0;
                blk_d = blk & ~out;
                rdy_d = rdy | yld;
                yld_d = 32'd0;
                ys_d  = 32'd0;
                released = out | yld;
                if (todo == 32'd0)
                  {run, finish, run_m, run_pc} = {2'b11, fin_m, behind};
                else
                  step = S_DEFER;
              end else if (other != 32'd0)
                {run, finish, run_m, run_pc} = {2'b11, other, behind};
              else
                step = S_NEXT;
            end
          end
          OP_BREAK: begin                                    // rule 5
            b_we    = 1'b1;
            b_put = b_new;
            if ((exec & b_now) != 32'd0 && is_complete) begin
              broke = 1'b1;
              b     = bx;
              step  = S_REL;
            end else
              {run, finish, run_m, run_pc} = {2'b11, act, behind};
          end
          OP_EXIT: begin                                     // rule 6
            live_d  = live & ~exec;
            leave_m = exec;
            leave   = 1'b1;
            if (exec == 32'd0)
              {run, finish, run_m, run_pc} = {2'b11, act, behind};
            else
              step = S_BARCHK;
          end
          OP_BAR: begin
            at_m   = act;
            num_m  = act;
            bar_d  = bar | act;
            arrive = 1'b1;
            step   = S_BARCHK;
          end
          OP_WARPSYNC: begin                                 // rule 7
            at_m   = act;
            sync_m = act;
            syn_d  = syn | act;
            if ((operand & live & ~syn_d) == 32'd0) begin
              out    = (syn_d & operand) | act;
              syn_d  = syn_d & ~out;
              released = out;
              todo   = out & ~act & ~same;
              fin_m  = out & (act | same);
              fin_pc = behind;
              if (todo == 32'd0)
                {run, finish, run_m, run_pc} = {2'b11, fin_m, behind};
              else
                step = S_DEFER;
            end else
              step = S_NEXT;
          end
          OP_YIELD: begin                                    // rule 9
            at_m  = act;
            yld_d = yld | act;
            ys_d  = ys | act;
            step  = S_NEXT;
          end
          default: begin                                     // TRAP
            if (exec != 32'd0)
              step = S_FAULT;
            else
              {run, finish, run_m, run_pc} = {2'b11, act, behind};
          end
        endcase
      end

      S_NEXT:
        if (alt != 32'd0) begin
          {run, finish, run_m, run_pc} = {2'b11, alt, lane_pc};
          rdy_d = rdy & ~alt;
          alt_d = 32'd0;
        end else begin
          if ((stk != 32'd0 || rdy == 32'd0) && ys != 32'd0) begin
            tag_m   = ys;
            ytail_d = ytail + {{TAG-1{1'b0}}, 1'b1};
            ys_d    = 32'd0;
          end
          scan = present;
          todo = syn;
          if (rdy != 32'd0) begin
            {run, finish, run_m, run_pc} = {2'b11, rdy & same, lane_pc};
            rdy_d = rdy & ~same;
          end else if (blk != 32'd0)
            step = S_SCANB;
          else begin
            fin_m = 32'd0;
            step  = after_scanb;
          end
        end

      S_SCANB: begin                         // is a barrier complete?
        b    = b_sel;
        scan = scan_q & (scan_q - 16'd1);
        todo = syn;
        if (is_complete)
          step = S_REL;
        else if (scan == 16'd0) begin
          fin_m = 32'd0;
          step  = after_scanb;
        end
      end

      S_SCANW: begin                         // is a WARPSYNC complete?
        todo = todo_q & (todo_q - 32'd1);
        if ((lane_sync & live & ~syn) == 32'd0) begin
          out      = (syn & lane_sync) | (todo_q & ~todo);
          syn_d    = syn & ~out;
          released = released_q | out;
          step     = S_OUT;
        end else if (todo == 32'd0) begin
          fin_m = 32'd0;
          step  = after_scanw;
        end
      end

      S_YHEAD: begin                         // rule 9: the oldest set that still has lanes
        out = yld & in_set;
        if (out == 32'd0)
          yhead_d = yhead + {{TAG-1{1'b0}}, 1'b1};
        else
          step = S_YRUN;
      end
      S_YRUN: begin
        taken    = yld & same;
        todo     = out_q & ~taken;
        fin_m    = taken;
        fin_pc   = lane_pc;
        yld_d    = yld & ~(out_q | taken);
        released = released_q | out_q | taken;
        if (todo == 32'd0)
          {run, finish, run_m, run_pc} = {2'b11, taken, lane_pc};
        else
          step = S_DEFER;
      end

      S_GIVE: begin                          // rule 8
        b       = latest;
        give    = 1'b1;
        gaveway = 1'b1;
        step    = S_REL;
      end

      S_REL: begin                           // release b; those that blocked last go first
        out   = give_q ? blocked_here : blocked_here & b_now;
        b_we  = 1'b1;
        b_put = 32'd0;
        blk_d = blk & ~out;
        rdy_d = rdy | yld;
        yld_d = 32'd0;
        ys_d  = 32'd0;
        give  = 1'b0;
        released = released_q | out | yld;
        fin_m  = out & same;
        fin_pc = cmp;
        todo   = out & ~same;
        if (fin_m == 32'd0)
          step = S_OUT;
        else if (todo != 32'd0)
          step = S_DEFER;
        else if (broke_q)
          step = S_FIN;
        else
          {run, finish, run_m, run_pc} = {2'b11, fin_m, fin_pc};
      end
      S_OUT: begin                           // those at the PC of the lowest lane go first
        fin_m  = out_q & same;
        fin_pc = lane_pc;
        todo   = out_q & ~same;
        step   = todo != 32'd0 ? S_DEFER : S_FIN;
      end
      S_DEFER: begin
        def_m     = todo_q & same;
        def_pc    = lane_pc;
        deferring = 1'b1;
        todo      = todo_q & ~same;
        if (todo == 32'd0)
          step = S_FIN;
      end
      S_FIN: begin
        finish = 1'b1;
        run    = 1'b1;
        if (broke_q && count(fin_m_q) < count(act)) begin
          deferring = 1'b1;
          {run_m, run_pc, def_m, def_pc} = {fin_m_q, fin_pc_q, act, behind};
        end else if (broke_q) begin
          deferring = 1'b1;
          {run_m, run_pc, def_m, def_pc} = {act, behind, fin_m_q, fin_pc_q};
        end else
          {run_m, run_pc} = {fin_m_q, fin_pc_q};
      end

      S_BARCHK:                              // the counts are those after the instruction
        if (complete != 16'd0) begin
          bars  = complete;
          index = 5'd0;
          held  = 1'b1;
          step  = S_BARHOLD;
        end else if (opc == OP_EXIT && (act & ~exec) != 32'd0)
          {run, finish, run_m, run_pc} = {2'b11, act & ~exec, behind};
        else if (live != 32'd0)
          step = S_NEXT;
        else
          {run, finish, ended} = 3'b111;
      S_BARHOLD: if (slot_none_i) begin
        walk = 1'b1;
        cur  = cur_first_i;
        step = S_BARWALK;
      end
      S_BARWALK: begin                       // barrier b_sel: one warp of the block after the other
        out   = bar & numbered;
        bar_d = bar & ~out;
        rdy_d = rdy | out;
        if (w5 == op.warp)
          released = released_q | out;
        // A warp that stands still picks a group; its next() comes back here.
        if (out != 32'd0 && (w5 == op.warp ? own_q == 32'd0 && !(opc == OP_EXIT && (act & ~exec) != 32'd0)
                                           : act_i[{w, 5'd0} +: 32] == 32'd0))
          step = S_NEXT;
        else
          walked = 1'b1;
      end
      S_BAREND: begin
        walk = 1'b0;
        if (own_q != 32'd0)
          finish = 1'b1;
        else if (opc == OP_EXIT && (act & ~exec) != 32'd0)
          {run, finish, run_m, run_pc} = {2'b11, act & ~exec, behind};
        else if (live != 32'd0)
          step = S_NEXT;
        else
          {run, finish, ended} = 3'b111;
      end
      default: if (slot_none_i && !mem_busy_i) begin         // S_FAULT
        fault  = 1'b1;
        finish = 1'b1;
      end
    endcase

    if (deferring) begin
      at_m  = at_m | def_m;
      at_v  = def_pc;
      rdy_d = rdy_d | def_m;
      push  = alt_d != 32'd0;
      if (push)
        stk_d[alt_lane] = 1'b1;
      alt_d = def_m;
    end
    if (run && w5 == op.warp && step_q != S_EXEC)
      own = run_m;
    if (run && w5 == op.warp)
      own_pc = run_pc;
    stk_d = stk_d & rdy_d;
    if (finish && walk_q && step_q != S_BAREND) begin
      finish = 1'b0;
      walked = 1'b1;
    end
    if (walk_q && w5 != op.warp) begin       // another warp's affair
      released = released_q;
      gaveway  = gaveway_q;
    end
    if (walked) begin
      step = S_BARWALK;
      if ({1'b0, index_q} + 6'd1 == warps_block_i) begin
        release_bar = 1'b1;
        bars  = bars_q & (bars_q - 16'd1);
        index = 5'd0;
        cur   = cur_first_i;
        if (bars == 16'd0) begin
          step = S_BAREND;
          cur  = op.warp;
        end
      end else begin
        index = index_q + 5'd1;
        cur   = cur_q + 5'd1;
      end
    end
    if (finish) begin
      step = S_EXEC;
      held = 1'b0;
    end
    if (starting) begin
      live_d = start_lanes_i;
      {rdy_d, blk_d, yld_d, ys_d, syn_d, bar_d, alt_d, stk_d, first_d, ytail_d, yhead_d} = {M-32{1'b0}};
      {run, run_m, run_pc} = {1'b1, start_lanes_i, start_pc_i};
    end
  end

  // ---- writing it back; a step that cannot end now is repeated ----
  wire stall = finish && slot_retire_i;
  assign go  = (busy || starting) && !stall;
  assign run_o        = run && go;
  assign run_warp_o   = w5;
  assign run_m_o      = run_m;
  assign run_pc_o     = run_pc;
  assign done_o       = finish && go;
  assign warp_end_o   = ended && go;
  assign hold_issue_o = held_q || step_q == S_FAULT;
  assign hold_mem_o   = held_q;
  always @(posedge clk) begin
    if (go)
      m_q[w] <= {live_d, rdy_d, blk_d, yld_d, ys_d, syn_d, bar_d, alt_d, stk_d, first_d, ytail_d, yhead_d};
    if (go && starting)
      b_mem[w] <= 512'd0;
    else if (go && leave_m != 32'd0)
      b_mem[w] <= bs & ~{16{leave_m}};
    else if (go && b_we)
      for (int k = 0; k < 16; k = k + 1)
        if (b_sel == 4'(k))
          b_mem[w][32*k +: 32] <= b_put;
    if (go && bpc_we)
      bpc_mem[{w, bx}] <= behind;
    if (go && busy)
      {walk_q, broke_q, give_q, held_q, cur_q, b_q, scan_q, bars_q, todo_q, fin_m_q, fin_pc_q, out_q, own_q,
       own_pc_q, index_q, released_q, gaveway_q}
        <= {walk, broke, give, held, cur, b, scan, bars, todo, fin_m, fin_pc, out, own, own_pc, index,
            released, gaveway};
    if (go && busy)
      step_q <= step;
    if (!rst_n || clear_i) begin
      step_q <= S_EXEC;
      held_q <= 1'b0;
      walk_q <= 1'b0;
    end
  end
  always @(posedge clk) begin
    if (push_i) begin
      q_uop[put_q[1:0]]  <= push_uop_i;
      q_exec[put_q[1:0]] <= push_exec_i;
      q_b[put_q[1:0]]    <= push_b_i;
      q_a[put_q[1:0]]    <= push_a_i;
      put_q <= put_q + 3'd1;
    end
    if (done_o)
      get_q <= get_q + 3'd1;
    if (!rst_n || clear_i) begin
      put_q <= 3'd0;
      get_q <= 3'd0;
    end
  end

  // ---- the commit ----
  wire no_exec = op.dec.fault != 2'd0;
  always @(posedge clk) begin
    c_valid_o <= done_o && rst_n && !clear_i;
    if (step_q == S_EXEC && some)
      c_bbefore_o <= b_now;
    if (done_o) begin
      c_uop_o      <= op;
      c_exec_o     <= no_exec ? 32'd0 : exec;
      c_released_o <= released;
      c_gaveway_o  <= gaveway;
      c_pc_o       <= own_pc;
      c_fault_o    <= !fault ? 4'd0 : no_exec ? {2'd0, op.dec.fault} : FAULT_TRAP;
    end
  end
  wire [511:0] bs_commit = b_mem[c_uop_o.warp[WB-1:0]];
  assign c_bafter_o = bs_commit[{c_uop_o.word[85:82], 5'd0} +: 32];
  wire [M-1:0] probe_m = m_q[probe_warp_i[WB-1:0]];
  assign probe_m_o = PROBE == 0 ? 192'd0
                   : {probe_m[M-193 -: 32], probe_m[M-161 -: 32], probe_m[M-97 -: 32], probe_m[M-65 -: 32],
                      probe_m[M-33 -: 32], probe_m[M-1 -: 32]};
  wire unused = &{1'b0, probe_m};
endmodule
`default_nettype wire

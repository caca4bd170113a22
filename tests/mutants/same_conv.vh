// What need not be the same in two copies of the convergence unit (barrier mode), WARPS=4; see
// netlist_pair.pl.
// SPDX-License-Identifier: Apache-2.0
  `include "isa_gen.vh"
  `include "conv_fn.vh"
  control_t h;
  uop_t     u;
  lanes_t   w;                               // of the step's warp
  work_t    q, now, then;                    // the step; of it and of the next one what is needed
  assign h = head_i;
  assign u = h.uop;
  assign w = R_m_q[$bits(w)-1:0];
  assign q = S_q;
  conv_needed u_now (.q(S_q), .k(now));
  conv_needed u_then (.q(o_N_q), .k(then));
  // During reset anything may be, in both copies the same: it comes once, before all else.
  wire [$bits(q)-1:0] dead_S_q = rst_n ? ~now : {$bits(q){1'b0}},
                      care_N_q = rst_n ? then : {$bits(q){1'b1}};
  // The walk of bar_walk.v: CHECK, HOLD, WALK, END.
  wire w_check = S_u_walk_at_q == 2'd0, w_hold = S_u_walk_at_q == 2'd1,
       w_walk = S_u_walk_at_q == 2'd2;
  wire lists = w_hold || w_walk, then_lists = o_N_u_walk_at_q == 2'd1 || o_N_u_walk_at_q == 2'd2;
  wire [15:0] dead_S_u_walk_bars_q = {16{!lists}}, care_N_u_walk_bars_q = {16{then_lists}};
  wire [4:0]  dead_S_u_walk_index_q = {5{!lists}}, care_N_u_walk_index_q = {5{then_lists}};

  // What formal/lanes_once.v proves of every state (conv_once.vh), from the promises of
  // conv_env.vh.
  wire        idle = q.step == S_EXEC, own = q.cur == u.warp;
  wire [31:0] active = u.active, exec = h.exec,
              rest = u.word[`INSN_OP] == OP_EXIT ? active & ~exec : 32'd0;
  wire [31:0] stands = w.rdy | w.blocked | w.yld | w.wsync | w.bar;
  wire disjoint = (w.rdy & (w.blocked | w.yld | w.wsync | w.bar)) == 32'd0
               && (w.blocked & (w.yld | w.wsync | w.bar)) == 32'd0
                   && (w.yld & (w.wsync | w.bar)) == 32'd0
               && (w.wsync & w.bar) == 32'd0 && (stands & ~w.live) == 32'd0;
  wire grouped  = ((w.alt | w.stk) & ~w.rdy) == 32'd0 && (w.alt & w.stk) == 32'd0;
  wire promised = u.warp < 5'd4 && (!some_i || active != 32'd0) && (exec & ~active) == 32'd0;
  wire started  = !some_i || (active & (stands | ~w.live)) == 32'd0;
  wire walking  = q.step != S_FAULT && !q.broke && (q.own == 32'd0 || rest == 32'd0);
  wire stepping = some_i && q.cur < 5'd4
               && (w_walk || (S_u_walk_at_q == 2'd3 && q.step == S_BLOCK) ? walking
                   : q.own == 32'd0)
               && (w_walk || own) && (!w_hold || q.step == S_BLOCK)
               && q.step <= S_FAULT
               && (q.step != S_NEXT || (q.todo & ~w.wsync) == 32'd0)
               && (q.step != S_REL || (q.out & (~w.rdy | w.alt)) == 32'd0)
               && (q.step != S_GIVE || ((q.fin_m & (w.bar | ~stands)) | w.alt) == 32'd0);
  wire ok = !rst_n || (disjoint && grouped && promised && (idle ? started && w_check : stepping));

  // Wires whose meaning hangs on another wire.
  step_t s, care_s;
  assign s = o_step_o;
  always_comb begin
    care_s = {$bits(s){1'b1}};
    {care_s.next_active, care_s.next_pc} = {64{s.run}};
    care_s.lanes = {6{s.arrive || s.leave}};
    care_s.bar   = {4{s.arrive || s.release_bar}};
  end
  wire [$bits(s)-1:0] care_step_o = care_s;

  // A commit: its fields while it is there; where it continues if it does; the faulting lanes, if
  // any.  The barrier register before an instruction is kept from its first step on.
  control_commit_t c_now, c_then, k_now, k_then, k_next;
  assign c_now  = S_commit_o;
  assign c_then = o_N_commit_o;
  always_comb begin
    k_now  = {$bits(c_now){S_commit_valid_o}};
    k_then = {$bits(c_now){o_N_commit_valid_o}};
    if (c_now.fault != 4'd0) k_now.next_pc = 32'd0; else k_now.fault_m = 32'd0;
    if (c_then.fault != 4'd0) k_then.next_pc = 32'd0; else k_then.fault_m = 32'd0;
    k_next = k_now;
    k_next.bbefore = 32'hffff_ffff;
    k_then.bbefore = 32'hffff_ffff;
  end
  wire [$bits(c_now)-1:0] care_commit_o = k_now, dead_S_commit_o = ~k_next,
                          care_N_commit_o = k_then;

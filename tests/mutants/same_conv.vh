// What need not be the same in two copies of the convergence unit (barrier mode), WARPS=4; see
// netlist_pair.pl.
// SPDX-License-Identifier: Apache-2.0
  `include "isa_gen.vh"
  `include "conv_fn.vh"
  localparam M = 9 * 32 + 1 + 2 * `CONV_TAG;
  uop_t   u;
  lanes_t w;                                 // of the step's warp
  work_t  q, now, then;                      // the step; of it and of the next one what is needed
  assign u = op;
  assign w = R_m_q[M-1:0];
  assign q = S_q;
  conv_needed u_now (.q(S_q), .k(now));
  conv_needed u_then (.q(o_N_q), .k(then));
  // During reset anything may be, in both copies the same: it comes once, before all else.
  wire [278:0] dead_S_q = rst_n ? ~now : 279'd0, care_N_q = rst_n ? then : ~279'd0;

  // What formal/lanes_once.v proves of every state (conv_once.vh), from the promises of conv_env.vh.
  wire        idle = q.step == S_EXEC, is_own = q.cur == u.warp;
  wire [31:0] act = u.active, rest = u.word[8:0] == OP_EXIT ? act & ~exec : 32'd0;
  wire [31:0] stands = w.rdy | w.blk | w.yld | w.syn | w.bar;
  wire disjoint = (w.rdy & (w.blk | w.yld | w.syn | w.bar)) == 32'd0
               && (w.blk & (w.yld | w.syn | w.bar)) == 32'd0 && (w.yld & (w.syn | w.bar)) == 32'd0
               && (w.syn & w.bar) == 32'd0 && (stands & ~w.live) == 32'd0;
  wire grouped  = ((w.alt | w.stk) & ~w.rdy) == 32'd0 && (w.alt & w.stk) == 32'd0
               && (w.ys & ~w.yld) == 32'd0;
  wire promised = u.warp < 5'd4 && (!some_i || act != 32'd0) && (exec & ~act) == 32'd0;
  wire started  = !some_i || (act & (stands | ~w.live)) == 32'd0;
  wire walking  = q.step != S_BARCHK && q.step != S_BARHOLD && q.step != S_FAULT && !q.broke
               && (q.own == 32'd0 || rest == 32'd0) && (q.step != S_BAREND || is_own);
  wire stepping = some_i && q.cur < 5'd4
               && (q.walk ? walking
                   : is_own && q.own == 32'd0 && q.step != S_BARWALK && q.step != S_BAREND)
               && (q.step != S_DEFER || (q.todo & q.fin_m) == 32'd0)
               && (q.step != S_YRUN || (q.out & ~w.yld) == 32'd0)
               && (q.step != S_SCANW || (q.todo & ~w.syn) == 32'd0)
               && (q.step < S_SCANB || q.step > S_GIVE || (w.ys | w.rdy) == 32'd0);
  wire ok = !rst_n || (disjoint && grouped && promised && (idle ? started && !q.walk : stepping));

  // Wires whose meaning hangs on another wire.
  wire [31:0] care_run_m_o = {32{o_run_o}}, care_run_pc_o = {32{o_run_o}};
  wire [4:0]  care_run_warp_o = {5{o_run_o}};
  wire [5:0]  care_bar_lanes_o = {6{o_arrive_o || o_leave_o}};
  wire [3:0]  care_bar_o = {4{o_arrive_o || o_release_o}};

  // A commit: its fields while it is there; where it continues if it does; the faulting lanes, if any.
  wire goes   = o_N_c_valid_o && o_N_c_fault_o == 4'd0, went = S_c_valid_o && S_c_fault_o == 4'd0;
  wire faults = o_N_c_valid_o && !goes, faulted = S_c_valid_o && !went;
  wire [31:0] care_N_c_exec_o = {32{o_N_c_valid_o}}, care_N_c_released_o = {32{o_N_c_valid_o}},
              care_N_c_pc_o = {32{goes}}, care_N_c_fault_m_o = {32{faults}};
  wire [3:0]  care_N_c_fault_o = {4{o_N_c_valid_o}};
  wire [`UOP_BITS-1:0] care_N_c_uop_o = {`UOP_BITS{o_N_c_valid_o}},
                       dead_S_c_uop_o = {`UOP_BITS{!S_c_valid_o}},
                       care_c_uop_o = {`UOP_BITS{S_c_valid_o}};
  wire        care_N_c_gaveway_o = o_N_c_valid_o;
  wire [31:0] dead_S_c_exec_o = {32{!S_c_valid_o}}, dead_S_c_released_o = {32{!S_c_valid_o}},
              dead_S_c_pc_o = {32{!went}}, dead_S_c_fault_m_o = {32{!faulted}};
  wire [3:0]  dead_S_c_fault_o = {4{!S_c_valid_o}};
  wire        dead_S_c_gaveway_o = !S_c_valid_o;
  wire [31:0] care_c_exec_o = {32{S_c_valid_o}}, care_c_released_o = {32{S_c_valid_o}},
              care_c_pc_o = {32{went}}, care_c_fault_m_o = {32{faulted}};
  wire [3:0]  care_c_fault_o = {4{S_c_valid_o}};
  wire        care_c_gaveway_o = S_c_valid_o;
  wire [31:0] care_c_bafter_o = {32{S_c_valid_o}}, care_c_bbefore_o = {32{S_c_valid_o}};

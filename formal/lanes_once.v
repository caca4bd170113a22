// No lane is lost and none is in two places: at every step of the convergence unit, of both warps, the
// lanes that live are divided among those that run (or are about to, within an instruction's steps),
// the ready, the blocked, the yielded, those at a WARPSYNC and those at a block barrier.  So the masks
// of groups are disjoint, and what is handed to issue as a running group runs nowhere else.
// The lanes' PCs, numbers and orders are arbitrary here: it holds whatever they are.
// ENGINE: sat
// UNIT: conv WARPS=2 PROBE=0
// RTL: conv.v conv_exec.v next_group.v conv_block.v conv_lanes.v age.v
// FREE: conv_lanes age
// CUT: bs bs_read bs_commit cmp
// SEEN: m_q
// PROVE: induction 1
// COVER: 6
// BUG: conv_exec.v: s/n.live  = m.live & ~exec;/n.live = m.live;/ -- EXIT leaves its lanes alive
// BUG: conv.v: s/n.alt = e.def_m;/n.alt = e.def_m | m.alt;/ -- the group deferred before is forgotten as one of its own
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "conv.vh"
module lanes_once (input wire clk);
  `include "conv_env.vh"

  // Lanes on their way within the steps of the warp that is looked at.
  wire [31:0] broke = q.broke ? act : 32'd0;
  reg  [31:0] steps;
  always @*
    case (q.step)
      S_REL:   steps = broke;
      S_OUT:   steps = q.out | broke;
      S_DEFER: steps = q.todo | q.fin_m | broke;
      S_FIN:   steps = q.fin_m | broke;
      S_FAULT: steps = act;
      default: steps = 32'd0;
    endcase
  // While a block barrier is released the instruction's own warp may run already (own), or goes on later (rest).
  wire [31:0] kept = q.walk ? q.own | rest : q.step == S_BARCHK || q.step == S_BARHOLD ? rest : 32'd0;
  wire idle = q.step == S_EXEC;
  wire [31:0] run0 = idle ? act0 : !own ? kept | (q.cur[0] ? 32'd0 : steps) : q.cur[0] || q.step == S_BARWALK ? act0 : steps;
  wire [31:0] run1 = idle ? act1 : own ? kept | (q.cur[0] ? steps : 32'd0) : !q.cur[0] || q.step == S_BARWALK ? act1 : steps;

  wire [31:0] all0 = run0 | m0.rdy | m0.blk | m0.yld | m0.syn | m0.bar;
  wire [31:0] all1 = run1 | m1.rdy | m1.blk | m1.yld | m1.syn | m1.bar;
  wire [31:0] twice0 = (run0 & (m0.rdy | m0.blk | m0.yld | m0.syn | m0.bar)) | (m0.rdy & (m0.blk | m0.yld | m0.syn | m0.bar))
                     | (m0.blk & (m0.yld | m0.syn | m0.bar)) | (m0.yld & (m0.syn | m0.bar)) | (m0.syn & m0.bar);
  wire [31:0] twice1 = (run1 & (m1.rdy | m1.blk | m1.yld | m1.syn | m1.bar)) | (m1.rdy & (m1.blk | m1.yld | m1.syn | m1.bar))
                     | (m1.blk & (m1.yld | m1.syn | m1.bar)) | (m1.yld & (m1.syn | m1.bar)) | (m1.syn & m1.bar);
  wire [31:0] here_act = q.cur[0] ? act1 : act0, own_act = own ? act1 : act0;
  always @* if (rst_n) begin
    assert (all0 == m0.live && twice0 == 32'd0);
    assert (all1 == m1.live && twice1 == 32'd0);
    // ALT and STK are groups of ready lanes, the open yield set is of yielded ones.
    assert ((m0.alt & ~m0.rdy) == 32'd0 && (m0.stk & ~m0.rdy) == 32'd0 && (m0.alt & m0.stk) == 32'd0 && (m0.ys & ~m0.yld) == 32'd0);
    assert ((m1.alt & ~m1.rdy) == 32'd0 && (m1.stk & ~m1.rdy) == 32'd0 && (m1.alt & m1.stk) == 32'd0 && (m1.ys & ~m1.yld) == 32'd0);
    // Where an instruction is, for the induction.
    assert (!(idle && q.walk));
    if (!idle) begin
      assert (some && op.warp < 5'd2 && act != 32'd0 && (exec & ~act) == 32'd0);
      assert (q.cur < 5'd2 && (q.walk ? both || q.cur == op.warp : q.cur == op.warp));
      assert (q.step != S_BARWALK || q.walk);
      assert (q.step != S_FAULT || own_act == act);
      assert (q.step != S_BARHOLD || q.index == 5'd0);
      assert (q.step != S_BAREND || (q.walk && q.cur == op.warp));
      assert (!(q.walk && (q.broke || q.step == S_BARCHK || q.step == S_BARHOLD || q.step == S_FAULT)));
      assert (q.walk ? q.index < (both ? 5'd2 : 5'd1) && q.cur == (both ? q.index : op.warp) || q.step == S_BAREND : q.own == 32'd0);
      assert (q.own == 32'd0 || (rest == 32'd0 && own_act == q.own));
      if (q.walk && q.step != S_BARWALK && q.step != S_BAREND)
        assert (q.cur == op.warp ? q.own == 32'd0 && rest == 32'd0 : here_act == 32'd0);
      if (q.broke) assert (opc == OP_BREAK && (q.step == S_REL || q.step == S_OUT || q.step == S_DEFER || q.step == S_FIN));
      if (q.broke)
        assert ((act & (q.step == S_OUT ? q.out : q.step == S_DEFER ? q.todo | q.fin_m : q.step == S_FIN ? q.fin_m : 32'd0)) == 32'd0);
      if (q.step == S_DEFER) assert ((q.todo & q.fin_m) == 32'd0);
      if (q.step == S_YRUN)  assert ((q.out & ~(q.cur[0] ? m1.yld : m0.yld)) == 32'd0);
      if (q.step == S_SCANW) assert ((q.todo & ~(q.cur[0] ? m1.syn : m0.syn)) == 32'd0);
      if (q.step == S_SCANB || q.step == S_SCANW || q.step == S_YHEAD || q.step == S_YRUN || q.step == S_GIVE)
        assert ((q.cur[0] ? m1.ys | m1.rdy : m0.ys | m0.rdy) == 32'd0);
      if (q.step == S_FAULT || q.broke) assert ((act & ~(own ? m1.live : m0.live)) == 32'd0);
      if (!q.walk && (q.step == S_BARCHK || q.step == S_BARHOLD)) assert (opc == OP_EXIT || opc == OP_BAR);
    end
  end
  (* keep *) wire [1:0] covered = {2{rst_n && go}} & {
    run && q.broke && e.deferring, q.step == S_DEFER && m.alt != 32'd0};
endmodule
`default_nettype wire

// Rule 4, over any run: no lane passes BSYNC before every other participant has arrived, has left,
// has exited or has yielded, unless nothing of the warp can run (rule 8).  Those released are
// exactly the arrived participants, and yielded lanes become ready with them; an arrival that
// completes a barrier releases it at once, a BREAK and an EXIT that do so not later than the next
// time that no group is ready; rule 8 takes no barrier that is complete.
// The reference follows the instructions of an arbitrary warp: who participates in an arbitrary
// barrier register, and who has arrived there.  All 32 lanes and 16 barriers; PCs are arbitrary.
// ENGINE: abc
// UNIT: conv WARPS=2 PROBE=1
// RTL: conv.v conv_exec.v conv_split.v next_group.v conv_release.v conv_block.v conv_lanes.v conv_barriers.v bar_walk.v age.v
// FREE: age
// CUT: cmp lane_pc lane_sync same in_set
// SEEN: m_q g_whole.u_barriers.b_mem
// PROVE: induction 1
// COVER: 14
// BUG: conv_exec.v: s/e.b_put = b_now \| exec;/e.b_put = b_now | active;/ -- BSSY adds lanes whose guard fails
// BUG: conv.v: s/b_new & m.live & ~bm & ~m.yld/b_new \& m.live \& ~bm/ -- yielded lanes are waited for
// BUG: conv_barriers.v: s/\{16\{leave_i \? exec_i : 32.d0\}\}/{32'd0, {15{leave_i ? exec_i : 32'd0}}}/ -- EXIT leaves its lanes in B15
// BUG: conv_lanes.v: s/numbers\[4\*i \+: 4\] = put_m_i\[i\]/numbers[4*i +: 4] = (put_m_i[i] \&\& i != 5)/ -- lane 5 waits at the barrier before
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "conv.vh"
module barrier_waits (input wire clk);
  `include "conv_env.vh"
  `define ONCE assume
  `include "conv_once.vh"

  // ---- the reference ----
  // participants, lanes that wait, lanes that have not exited
  reg  [31:0] part, waits, alive;
  wire starts = mine && starting;
  wire first  = mine && some && q.step == S_EXEC && op.dec.fault == FAULT_NONE;
  wire of_b   = first && op.word[`INSN_BX] == b;
  wire [31:0] arrived = of_b && opc == OP_BSYNC ? waits | (active & part) : waits;
  reg  [31:0] left;                          // participants once the instruction has been executed
  always @* begin
    left = part;
    if (of_b && opc == OP_BSSY)  left = part | exec;
    if (of_b && opc == OP_BREAK) left = part & ~exec;
    if (of_b && opc == OP_BMOVB && exec != 32'd0) left = operand;
    if (first && opc == OP_EXIT) left = part & ~exec;
  end
  wire [31:0] live    = first && opc == OP_EXIT ? alive & ~exec : alive;
  wire complete_b     = (arrived & left) != 32'd0 && (left & live & ~arrived & ~mk.yld) == 32'd0;
  wire [31:0] passing = mine ? arrived & ~n.blocked : 32'd0;
  always @(posedge clk) begin
    part  <= starts || passing != 32'd0 ? 32'd0 : left;
    waits <= starts ? 32'd0 : arrived & ~passing;
    alive <= starts ? start_lanes : live;
    if (!rst_n) {waits, alive} <= 64'd0;
  end

  // ---- it holds ----
  wire gives_way = q.step == S_REL && q.give;
  reg [31:0] blocked;
  integer i;
  always @* if (rst_n) begin
    if (passing != 32'd0) begin
      assert (gives_way ? passing == arrived && mk.rdy == 32'd0 && mk.yld == 32'd0
                          && mk.bar == 32'd0 && !complete_b
                        : passing == (arrived & left)
                          && (left & alive & ~arrived & ~mk.yld) == 32'd0);
      assert (n.yld == 32'd0 && (mk.yld & ~n.rdy) == 32'd0);
      if (op.warp == {4'd0, k}) assert ((passing & ~v.released) == 32'd0);
    end
    if (of_b && opc == OP_BSYNC) begin
      assert ((passing != 32'd0) == ((active & part) != 32'd0 && complete_b));
      assert (e.bpc_we == ((active & part) != 32'd0));        // what rule 8 goes by
    end
    if (of_b && opc == OP_BREAK && (exec & part) != 32'd0 && complete_b)
      assert (v.step == S_REL && v.b == b && !v.give);
    // Nothing is ready, and this barrier is not looked at again.
    if (cur_warp == {4'd0, k} && busy)
      if (q.step == S_SCANW || q.step == S_YHEAD || q.step == S_YRUN || q.step == S_GIVE
          || (q.step == S_SCANB && (!q.scan[b] || v.step == S_FIN))
          || (q.step == S_NEXT && v.step == S_FIN))
        assert (!complete_b);
    // What the unit keeps.
    for (i = 0; i < 32; i = i + 1)
      blocked[i] = mk.blocked[i] && bar_at_q[4*i +: 4] == b;
    assert ((alive == 32'd0 || part_q == part) && blocked == waits && mk.live == alive);
    if (cur_warp == {4'd0, k} && q.step == S_REL && q.b == b)
      assert (q.give ? waits != 32'd0 && mk.rdy == 32'd0 && mk.yld == 32'd0 && mk.bar == 32'd0
                       && !complete_b
                     : complete_b);
    if (cur_warp == {4'd0, k} && q.step == S_SCANB)
      assert (!q.give && !q.broke && (q.scan[b] || !complete_b) && q.scan != 16'd0);
    if (cur_warp == {4'd0, k} && q.step == S_GIVE)
      assert (mk.yld == 32'd0 && mk.bar == 32'd0 && mk.blocked != 32'd0);
    if (!idle)
      assert ((!q.give || q.step == S_REL) && (!q.broke || q.step != S_REL || q.cur == op.warp));
  end
  // Proved of age.v by age_order: what rule 8 takes is a barrier on which lanes are blocked.
  (* hierconn *) wire [15:0] \u.present ;
  (* hierconn *) wire [3:0]  \u.latest ;
  always @* if (q.step == S_GIVE && \u.present != 16'd0) assume ( \u.present [ \u.latest ]);

  (* keep *) wire [2:0] covered = {3{rst_n}} & {
    // the last arrival, some lane has yielded
    passing != 32'd0 && first && mk.yld != 32'd0 && passing != active,
    passing != 32'd0 && q.broke,
    passing != 32'd0 && gives_way};
endmodule
`default_nettype wire

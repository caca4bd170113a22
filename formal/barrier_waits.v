// Rule 4, over any run: no participant passes BSYNC while another one lives that is neither blocked
// nor at a WARPSYNC, and some lane is ready or runs on.  One that does pass takes along exactly the
// participants that are blocked there, and sets the others that are blocked or have yielded free;
// else it waits.  Blocked lanes become ready only as a BSYNC, a BREAK or an EXIT completes a
// barrier in which they participate: BREAK if all that live are blocked, EXIT if they are at this
// barrier, each before next() picks.  next() lets them run at their BSYNC again, and a barrier
// gives way (it loses its participants) only where nothing else is deferred.
// The reference follows the instructions of an arbitrary warp: who participates in an arbitrary
// barrier register, and who is blocked there.  All 32 lanes and 16 barriers; PCs are arbitrary, but
// that lanes blocked at one PC are blocked at one barrier.
// ENGINE: abc
// UNIT: conv WARPS=2 PROBE=1
// RTL: conv.v conv_exec.v conv_split.v next_group.v conv_release.v conv_block.v conv_lanes.v conv_barriers.v bar_walk.v age.v
// FREE: age
// CUT: cmp lane_pc lane_sync same
// SEEN: m_q g_whole.u_barriers.b_mem
// PROVE: induction 1
// COVER: 14
// BUG: conv_exec.v: s/e.b_put = b_now \| exec;/e.b_put = b_now | active;/ @ step -- BSSY adds lanes whose guard fails
// BUG: conv_exec.v: s/~\(taken \| m.blocked \| m.wsync\)/~(taken | m.blocked | m.wsync | m.yld)/ @ step -- yielded lanes are not waited for
// BUG: conv_exec.v: s/rest & ~m.blocked\) == 32.d0/rest \& ~m.blocked \& 32'h7fffffff) == 32'd0/ @ step -- BREAK does not see that lane 31 is to come
// BUG: next_group.v: s/gives = last && /gives = / @ step -- a barrier gives way while a group is deferred
// BUG: conv_lanes.v: s/numbers\[4\*i \+: 4\] = put_m_i\[i\]/numbers[4*i +: 4] = (put_m_i[i] \&\& i != 5)/ @ step -- lane 5 waits at the barrier before
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "conv.vh"
module barrier_waits (input wire clk);
  `include "conv_env.vh"
  `define ONCE assume
  `include "conv_once.vh"
  (* hierconn *) wire [4:0]  \u.lane ;
  (* hierconn *) wire [31:0] \u.same , \u.b_now ;
  (* hierconn *) wire [3:0]  \u.b_sel ;
  wire [31:0] same = \u.same ;

  // ---- the reference ----
  // participants, lanes that are blocked there, lanes that have not exited
  reg  [31:0] part, waits, alive;
  wire starts = mine && starting;
  wire first  = mine && some && q.step == S_EXEC && op.dec.fault == FAULT_NONE;
  wire of_b   = first && op.word[`INSN_BX] == b;
  wire scans  = mine && q.step == S_SCANB && \u.b_sel == b;
  wire [31:0] live = first && opc == OP_EXIT ? alive & ~exec : alive;
  wire [31:0] came = of_b && opc == OP_BSYNC ? active & part : 32'd0, stands = waits | came;
  wire [31:0] missing = part & alive & ~(came | mk.blocked | mk.wsync);
  wire bsync_done = came != 32'd0 && (missing == 32'd0 || (mk.rdy == 32'd0 && came == active));
  wire [31:0] kept_part = part & ~exec;
  wire break_done = of_b && opc == OP_BREAK && exec != 32'd0
                    && (kept_part & alive & ~mk.blocked) == 32'd0;
  wire exit_done  = (part & alive) != 32'd0 && (part & alive & ~waits) == 32'd0;
  wire gives_way  = mine && q.step == S_GIVE && (q.fin_m & waits) != 32'd0;
  reg  [31:0] left;                          // participants after this step
  always @* begin
    left = part;
    if (of_b && opc == OP_BSSY)  left = part | exec;
    if (of_b && opc == OP_BREAK) left = kept_part;
    if (of_b && opc == OP_BMOVB && exec != 32'd0) left = operand;
    if (bsync_done || break_done || (scans && exit_done) || gives_way) left = 32'd0;
  end
  wire [31:0] going = mine ? stands & ~n.blocked : 32'd0;
  always @(posedge clk) begin
    part  <= starts ? 32'd0 : left;
    waits <= starts ? 32'd0 : stands & ~going;
    alive <= starts ? start_lanes : live;
    if (!rst_n) {waits, alive} <= 64'd0;
  end

  // ---- it holds ----
  reg [31:0] blocked;
  integer i;
  always @* if (rst_n) begin
    // Lanes that are blocked at one PC are blocked at one barrier; a lane stands at its PC
    // (age_order: one on STK).
    if (first && opc == OP_BSYNC)
      assume (of_b ? (same & mk.blocked & ~waits) == 32'd0 : (same & waits) == 32'd0);
    if (mine && q.step == S_NEXT) begin
      assume ((same & waits) == 32'd0 || (same & mk.blocked & ~waits) == 32'd0);
      assume (same[\u.lane ] && (m.alt != 32'd0 || m.stk == 32'd0 || m.stk[\u.lane ]));
    end
    if (first && opc == OP_BSYNC) begin
      if (of_b && bsync_done)
        assert (n.blocked == (mk.blocked & ~part) && (n.yld & part) == 32'd0 && e.run
                && next_active == (active | (waits & part & same)));
      else if (of_b)
        assert (going == 32'd0 && (next_active & came & {32{e.run}}) == 32'd0);
      else
        assert ((going & (~\u.b_now | ~n.rdy)) == 32'd0);
    end else if (first && opc == OP_BREAK)
      assert ((going & (~\u.b_now | ~n.rdy)) == 32'd0 && (!of_b || break_done || going == 32'd0));
    else if (mine && q.step == S_SCANB)
      assert (scans && exit_done ? going == (part & alive) && (going & ~n.rdy) == 32'd0
                                 : going == 32'd0);
    else if (mine && q.step == S_NEXT)
      assert ((going & ~next_active) == 32'd0
              && (going == 32'd0 || (e.picked && (m.alt | m.stk) != 32'd0)));
    else if (mine && q.step == S_GIVE)
      assert ((going & ~next_active) == 32'd0 && (going != 32'd0) == gives_way);
    else
      assert (going == 32'd0);
    // An EXIT has looked at all barriers before next() picks.
    if (cur_warp == {4'd0, k} && opc == OP_EXIT && !w_walk
        && (q.step == S_NEXT || (q.step == S_SCANB && !q.scan[b])))
      assert (!exit_done);
    // What the unit keeps.
    for (i = 0; i < 32; i = i + 1)
      blocked[i] = mk.blocked[i] && bar_at_q[4*i +: 4] == b;
    assert ((alive == 32'd0 || part_q == part) && blocked == waits && mk.live == alive);
    if (cur_warp == {4'd0, k} && q.step == S_GIVE)
      assert ((q.fin_m & mk.blocked) != 32'd0 && mk.alt == 32'd0
              && (mk.stk & (mk.stk - 32'd1)) == 32'd0
              && ((q.fin_m & waits) == 32'd0 || (q.fin_m & mk.blocked & ~waits) == 32'd0));
    if (cur_warp == {4'd0, k} && q.step == S_SCANB)
      assert (opc == OP_EXIT && !w_walk && q.scan != 16'd0);
  end

  (* keep *) wire [4:0] covered = {5{rst_n}} & {
    bsync_done && missing != 32'd0,
    bsync_done && missing == 32'd0 && waits != 32'd0 && mk.yld != 32'd0,
    break_done && going != 32'd0, scans && exit_done, gives_way && mk.stk != 32'd0};
endmodule
`default_nettype wire

// Where nothing is deferred, next() goes round the warp: of N lanes, the pointer picks a lane that
// is ready, yielded or blocked after at most N - 1 picks of others, not counting those that
// release a WARPSYNC at several places (the lane picked may become ready only), and 2 * (N - 1)
// with them: whatever runs, ends, waits or is deferred meanwhile.  While there is such a lane
// next() picks a group, so barrier registers alone never deadlock a warp; it takes N steps at most.
// Here N is 4: an arbitrary warp of two has its first four lanes.  Which lanes share a PC and the
// WARPSYNC masks are arbitrary, but that a lane stands at its own PC.
// ENGINE: abc
// UNIT: conv WARPS=2 PROBE=0
// RTL: conv.v conv_exec.v conv_split.v next_group.v conv_release.v conv_block.v conv_lanes.v conv_barriers.v bar_walk.v age.v
// FREE: conv_barriers conv_lanes age
// CUT: cmp
// SEEN: m_q
// PROVE: induction 1
// COVER: 14
// BUG: next_group.v: s/n.ptr = lane;// -- the pointer stays where it is
// BUG: conv.v: s/first_from.m.ptr, some_lane./low(some_lane)/ -- the lowest lane runs
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "conv.vh"
module round_order (input wire clk);
  `include "conv_env.vh"
  `define ONCE assume
  `include "conv_once.vh"
  localparam N = 4;
  (* hierconn *) wire [4:0]  \u.lane ;
  (* hierconn *) wire [31:0] \u.same ;
  wire next = mine && q.step == S_NEXT;
  wire free = m.alt == 32'd0 && m.stk == 32'd0;             // nothing is deferred
  wire pick = mine && (q.step == S_NEXT || q.step == S_GIVE) && free && e.picked;
  wire wide = next && v.step == S_REL;                      // a WARPSYNC at several places
  wire [31:0] can = mk.rdy | mk.yld | mk.blocked;
  reg  [4*N-1:0] picks, wides;               // how many went before a lane that waits
  integer i, j;
  always @(posedge clk)
    for (i = 0; i < N; i = i + 1) begin
      if (pick) picks[4*i +: 4] <= picks[4*i +: 4] + 4'd1;
      if (wide) wides[4*i +: 4] <= wides[4*i +: 4] + 4'd1;
      if (!can[i]) {picks[4*i +: 4], wides[4*i +: 4]} <= 8'd0;
    end

  reg  [3:0] before;                         // live lanes from the pointer on, before lane i
  wire [31:0] waits = can | mk.wsync | mk.bar;
  wire [4:0] ptr = mk.due && waits != 32'd0 ? first_from(mk.ptr, waits) : mk.ptr;
  always @* if (rst_n) begin
    if (start) assume ((start_lanes & ~32'hf) == 32'd0);
    if (q.step == S_NEXT) assume (\u.same [\u.lane ]);
    if (q.step == S_NEXT && m.alt == 32'd0 && m.stk != 32'd0)
      assume (m.stk[\u.lane ]);             // age_order
    assert (((m0.live | m1.live) & ~32'hf) == 32'd0 && ptr < N);
    for (i = 0; i < N; i = i + 1)
      if (can[i]) begin
        before = 4'd0;
        for (j = 0; j < N; j = j + 1)
          if (mk.live[j] && (ptr > i ? ptr <= j || j < i : ptr <= j && j < i))
            before = before + 4'd1;
        assert (picks[4*i +: 4] + before <= N - 1);
        assert (picks[4*i +: 4] + wides[4*i +: 4] + 2 * before
                <= 2 * (N - 1) + (ptr != i && can[ptr]));
      end
    if (cur_warp == {4'd0, k} && q.step != S_EXEC && q.step != S_BLOCK && q.step != S_FAULT)
      assert (!mk.due);
    if (cur_warp == {4'd0, k} && q.step == S_GIVE && mk.stk == 32'd0)
      assert (q.fin_m[ptr]);
    if (next && (can | m.alt) != 32'd0)
      assert (e.picked || v.step == S_NEXT || v.step == S_GIVE || wide);
    if (next && v.step == S_NEXT)
      assert ((v.todo & ~q.todo) == 32'd0 && v.todo != q.todo);
  end
  (* keep *) wire [1:0] covered = {2{rst_n}} & {
    pick && picks[3:0] == 4'd2 && can[0],
    pick && picks[3:0] == 4'd1 && wides[3:0] == 4'd1 && can[0]};
endmodule
`default_nettype wire

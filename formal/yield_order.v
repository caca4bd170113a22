// Rule 9 is fair: the lanes that it makes run are exactly those left of the oldest closed set of
// yielded lanes (and others at their PC), so of N lanes at most N - 1 such picks go before one that
// has yielded; a release of the yielded lanes comes first or not at all.  The tags of sets are
// counted modulo 2048, and the head is searched from the oldest one that there may be: sets lie
// within N * (N + 1) tags, which is 1056 for the core's 32 lanes, so tags never wrap and the search
// takes no more steps than that.  Here N is 4: an arbitrary warp of two has its first four lanes.
// Which lanes share a PC is arbitrary.
// ENGINE: abc
// UNIT: conv WARPS=2 PROBE=0
// RTL: conv.v conv_exec.v conv_split.v next_group.v conv_release.v conv_block.v conv_lanes.v conv_barriers.v bar_walk.v age.v
// FREE: conv_barriers age
// CUT: cmp lane_pc lane_sync same numbered present
// SEEN: m_q g_whole.u_lanes.tag_q
// PROVE: induction 1
// COVER: 16
// BUG: next_group.v: s/n.yhead = m.yhead \+ 1.d1/n.yhead = m.yhead + 2'd2/ -- every other set is passed over
// BUG: next_group.v: s/n.ytail = m.ytail \+ 1.d1;/n.ytail = m.ytail;/ -- two sets become one
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "conv.vh"
module yield_order (input wire clk);
  `include "conv_env.vh"
  `define ONCE assume
  `include "conv_once.vh"
  localparam N = 4;
  (* hierconn *) wire [32*11-1:0] \u.g_whole.u_lanes.tag_q[0] , \u.g_whole.u_lanes.tag_q[1] ;
  wire [32*11-1:0] tags = k ? \u.g_whole.u_lanes.tag_q[1] : \u.g_whole.u_lanes.tag_q[0] ;

  // The reference: of each lane in a closed set, how many sets were closed since, and how often it
  // was passed over.
  wire         close = mine && q.step == S_NEXT && m.alt == 32'd0 && m.ys != 32'd0
                       && (m.stk != 32'd0 || m.rdy == 32'd0);
  wire         taken = mine && q.step == S_YRUN;
  wire [N-1:0] closed = mk.yld[N-1:0] & ~mk.ys[N-1:0];
  reg  [6*N-1:0] since, passed;
  integer i, j;
  always @(posedge clk)
    for (i = 0; i < N; i = i + 1)
      if (close && m.ys[i]) begin
        since[6*i +: 6]  <= 6'd1;
        passed[6*i +: 6] <= 6'd0;
      end else begin
        if (close) since[6*i +: 6] <= since[6*i +: 6] + 6'd1;
        if (taken) passed[6*i +: 6] <= passed[6*i +: 6] + 6'd1;
      end

  wire [10:0] width = mk.ytail - mk.yhead;   // tags that the search may look at
  wire [5:0]  c = {3'd0, {2'd0, closed[0]} + {2'd0, closed[1]}
                         + {2'd0, closed[2]} + {2'd0, closed[3]}};
  reg  [5:0]  before;                        // lanes that closed before lane i
  always @* if (rst_n) begin
    if (start) assume ((start_lanes & ~32'hf) == 32'd0);
    assert (((m0.live | m1.live) & ~32'hf) == 32'd0);
    assert (width <= N * N + {5'd0, c});
    for (i = 0; i < N; i = i + 1)
      if (closed[i]) begin
        before = 6'd0;
        for (j = 0; j < N; j = j + 1)
          if (closed[j] && since[6*j +: 6] > since[6*i +: 6])
            before = before + 6'd1;
        assert (mk.ytail - tags[11*i +: 11] == {5'd0, since[6*i +: 6]});
        assert (since[6*i +: 6] != 6'd0 && {5'd0, since[6*i +: 6]} <= width);
        assert (since[6*i +: 6] <= N * (N - 1 - before) + c);
        assert (passed[6*i +: 6] + before <= N - 1);
        // What is taken is the whole oldest set.
        if (w == k && q.step == S_YRUN)
          for (j = 0; j < N; j = j + 1)
            if (q.out[j]) begin
              assert (closed[j] && since[6*i +: 6] <= since[6*j +: 6]
                      && width == {5'd0, since[6*j +: 6]});
              assert (q.out[i] == (since[6*i +: 6] == since[6*j +: 6]));
            end
      end
    if (w == k && q.step == S_YRUN) assert (q.out != 32'd0);
    if (w == k && q.step == S_YHEAD) assert (closed != {N{1'b0}});
  end
  (* keep *) wire [1:0] covered = {2{rst_n}} & {
    taken && c == 6'd3 && q.out == 32'd4 && since[5:0] == 6'd1,      // three sets
    mine && mk.yld[1:0] == 2'd3 && !mk.ys[0] && n.yld == 32'd0};     // yielded lanes are released
endmodule
`default_nettype wire

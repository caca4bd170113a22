// Ready lanes run in rounds (next(), step 3): while ALT and STK hold nothing, of N lanes at most
// 2 * (N - 1) picks go before a ready one; lanes that become ready meanwhile do not count.  Here N
// is 3: an arbitrary warp of two has its first three lanes.  Which lanes share a PC is arbitrary,
// but that a lane stands at its own.
// ENGINE: abc
// UNIT: conv WARPS=2 PROBE=0
// RTL: conv.v conv_exec.v conv_split.v next_group.v conv_release.v conv_block.v conv_lanes.v conv_barriers.v bar_walk.v age.v
// FREE: conv_barriers age
// CUT: cmp lane_sync same numbered present in_set
// SEEN: m_q
// PROVE: induction 1
// COVER: 16
// BUG: conv.v: s/low.m.due != 32.d0 . m.due : m.rdy./low(m.rdy)/ @ 22 -- the lowest ready lane runs
// BUG: next_group.v: s/m.due == 32.d0 . m.rdy : m.due/m.due == 32'd0 ? m.rdy : m.rdy/ @ 28 -- a round never ends
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "conv.vh"
module ready_order (input wire clk);
  `include "conv_env.vh"
  `define ONCE assume
  `include "conv_once.vh"
  localparam N = 3;
  (* hierconn *) wire [4:0]  \u.lane ;
  (* hierconn *) wire [31:0] \u.same ;
  wire pick = mine && q.step == S_NEXT && m.alt == 32'd0 && m.stk == 32'd0 && m.rdy != 32'd0;
  wire [N-1:0] due = mk.due[N-1:0];
  reg  [4*N-1:0] passed;                     // how often each ready lane was passed over
  integer i;
  always @(posedge clk)
    for (i = 0; i < N; i = i + 1)
      if (!mk.rdy[i]) passed[4*i +: 4] <= 4'd0;
      else if (pick)  passed[4*i +: 4] <= passed[4*i +: 4] + 4'd1;

  reg  [3:0]   before;                       // of the others, how many the round still owes a run
  always @* if (rst_n) begin
    if (start) assume ((start_lanes & ~32'h7) == 32'd0);
    assert (((m0.live | m1.live) & ~32'h7) == 32'd0);
    if (pick) assume (\u.same [\u.lane ]);
    for (i = 0; i < N; i = i + 1)
      if (mk.rdy[i]) begin
        before = count({29'd0, due & ~(3'd1 << i)});
        assert (passed[4*i +: 4] + before <= (due[i] ? 2 * (N - 1) : N - 1));
      end
  end
  (* keep *) wire [1:0] covered = {2{rst_n}} & {
    pick && passed[3:0] == 4'd1 && m.rdy[1], pick && m.due != 32'd0 && (m.rdy & ~m.due) != 32'd0};
endmodule
`default_nettype wire

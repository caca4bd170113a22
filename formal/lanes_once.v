// No lane is lost and none is in two places: at every step of the convergence unit, of both warps,
// the lanes that live are divided among those that run (or are about to, within an instruction's
// steps), the ready, the blocked, the yielded, those at a WARPSYNC and those at a block barrier.
// ALT and STK hold ready lanes only, and none is in both.
// So the masks of groups are disjoint, and what is handed to issue as a running group runs nowhere
// else.  The lanes' PCs, numbers and orders are arbitrary here: it holds whatever they are.
// ENGINE: abc
// UNIT: conv WARPS=2 PROBE=0
// RTL: conv.v conv_exec.v conv_split.v next_group.v conv_release.v conv_block.v conv_lanes.v conv_barriers.v bar_walk.v age.v
// FREE: conv_lanes conv_barriers age
// CUT: cmp
// SEEN: m_q
// PROVE: induction 1
// COVER: 9
// BUG: conv_exec.v: s/n.live  = m.live & ~exec;/n.live = m.live;/ @ step -- EXIT leaves its lanes alive
// BUG: conv.v: s/n.alt = e.put_m;/n.alt = e.put_m | m.alt;/ @ step -- the group deferred before is forgotten as one of its own
// BUG: conv.v: s/n.stk = n.stk & n.rdy;// @ step -- lanes that are no longer ready stay on STK
// BUG: next_group.v: s/n.wsync = m.wsync & ~out;// @ step -- lanes of a WARPSYNC at several places are ready and wait, too
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "conv.vh"
module lanes_once (input wire clk);
  `include "conv_env.vh"

  `define ONCE assert
  `include "conv_once.vh"
  (* keep *) wire [2:0] covered = {3{rst_n && go}} & {
    run && q.broke && e.deferring, q.step == S_GIVE && (q.fin_m & m.wsync) != 32'd0,
    q.step == S_REL && opc == OP_WARPSYNC};
endmodule
`default_nettype wire

// Steps of BAR, EXIT and faults: what concerns more than one warp.
// A block barrier that completes makes lanes of other warps ready.  The walk of its release
// (bar_walk.v) visits every warp of the block; one that stands still picks a group on the way.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "conv.vh"
module conv_block (
  input  lanes_t      m,
  input  work_t       q,
  input  wire         exits_i,               // the instruction is an EXIT
  input  wire [31:0]  rest,                  // lanes of its group that go on
  input  wire [15:0]  present,               // barriers at which lanes are blocked
  input  wire [31:0]  behind,
  input  wire         own_i,                 // the step's warp is the instruction's
  input  wire         stands_i,              // the step's warp runs no group
  input  wire         visit_i, end_i,        // see bar_walk.v
  input  wire [31:0]  numbered,              // lanes at the barrier being released
  input  slots_t      slots_i,
  output lanes_t      n,
  output work_t       v,
  output effect_t     e
);
  `include "conv_fn.vh"
  always_comb begin
    n = m;
    v = q;
    e = {$bits(e){1'b0}};
    if (visit_i) begin
      v.out = m.bar & numbered;
      n.bar = m.bar & ~v.out;
      n.rdy = m.rdy | v.out;
      if (own_i)
        v.released = q.released | v.out;
      // A warp that stands still picks a group; its next() comes back here.
      if (v.out != 32'd0 && (own_i ? q.own == 32'd0 && rest == 32'd0 : stands_i))
        v.step = S_NEXT;
      else
        e.passed = 1'b1;
    end
    if (end_i) begin
      if (q.own != 32'd0)                    // it runs already: the release made its lanes ready
        e.finish = 1'b1;
      else if (rest != 32'd0)
        {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, rest, behind};
      else if (m.live != 32'd0) begin
        v.scan = present;
        v.step = exits_i && present != 16'd0 ? S_SCANB : S_NEXT;
      end
      else
        {e.run, e.finish, e.ended} = 3'b111;
    end
    if (q.step == S_FAULT && slots_i.none && !slots_i.mem_busy)
      {e.fault, e.finish} = 2'b11;
  end
  wire unused = &{1'b0, slots_i};
endmodule
`default_nettype wire

// Releasing the lanes of a barrier for which no BSYNC waits: an EXIT or a BREAK has completed it.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "conv.vh"
module conv_release (
  input  lanes_t      m,
  input  work_t       q,
  input  wire [31:0]  active, behind,        // the instruction's group
  input  wire [31:0]  blocked_here, b_now,   // of the barrier looked at: lanes, participants
  input  wire [31:0]  same, lane_pc,         // lanes at the PC of the lowest one released
  output lanes_t      n,
  output work_t       v,
  output effect_t     e
);
  `include "conv_fn.vh"
  wire [31:0] rest = b_now & m.live;
  always_comb begin
    n = m;
    v = q;
    e = {$bits(e){1'b0}};
    case (q.step)
      S_SCANB: begin                         // rule 6: do all that live wait at this barrier?
        v.scan = q.scan & (q.scan - 16'd1);
        if (rest != 32'd0 && (rest & ~blocked_here) == 32'd0) begin
          e.empties  = 1'b1;
          v.out      = rest;
          n.rdy      = m.rdy | rest;
          n.blocked  = m.blocked & ~rest;
          v.released = q.released | rest;
          v.step     = S_REL;
        end else if (v.scan == 16'd0)
          v.step = S_NEXT;
      end
      S_REL: begin                           // those at the PC of the lowest lane run
        {e.picked, e.run, e.finish, e.next_active, e.next_pc} = {3'b111, q.out & same, lane_pc};
        {e.put_m, e.def_pc} = {active, behind};
        if (q.broke && count(q.out) < count(active))
          e.deferring = 1'b1;
        else if (q.broke)
          {e.push, e.next_active, e.next_pc} = {1'b1, active, behind};
      end
      default: ;
    endcase
  end
endmodule
`default_nettype wire

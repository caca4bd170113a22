// Releasing lanes: the last steps of an instruction.  Those at one PC run next, the others are
// deferred, one group of a PC after the other: todo holds those that still wait for that.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "conv.vh"
module conv_release (
  input  lanes_t      m,
  input  work_t       q,
  input  wire [31:0]  active, behind,        // the instruction's group
  input  wire [31:0]  blocked_here, b_now,  // of the barrier looked at: its lanes, its participants
  input  wire [31:0]  same, lane_pc, cmp,    // lanes at cmp
  output lanes_t      n,
  output work_t       v,
  output effect_t     e
);
  `include "conv_fn.vh"
  always_comb begin
    n = m;
    v = q;
    e = {$bits(e){1'b0}};
    case (q.step)
      S_REL: begin                           // release b; those that blocked last go first
        v.out   = q.give ? blocked_here : blocked_here & b_now;
        e.b_we  = 1'b1;
        e.b_put = 32'd0;
        n.blocked = m.blocked & ~v.out;
        n.rdy = m.rdy | m.yld;
        n.yld = 32'd0;
        n.ys  = 32'd0;
        n.yhead = m.ytail;                    // no set is left
        v.give  = 1'b0;
        v.released = q.released | v.out | m.yld;
        v.fin_m  = v.out & same;
        v.fin_pc = cmp;
        v.todo   = v.out & ~same;
        if (v.fin_m == 32'd0)
          v.step = S_OUT;
        else if (v.todo != 32'd0)
          v.step = S_DEFER;
        else if (q.broke)
          v.step = S_FIN;
        else
          {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, v.fin_m, v.fin_pc};
      end
      S_OUT: begin                           // those at the PC of the lowest lane go first
        v.fin_m  = q.out & same;
        v.fin_pc = lane_pc;
        v.todo   = q.out & ~same;
        v.step   = v.todo != 32'd0 ? S_DEFER : S_FIN;
      end
      S_DEFER: begin
        e.put_m     = q.todo & same;
        e.def_pc    = lane_pc;
        e.deferring = 1'b1;
        v.todo      = q.todo & ~same;
        if (v.todo == 32'd0)
          v.step = S_FIN;
      end
      S_FIN: begin
        e.finish = 1'b1;
        e.run    = 1'b1;
        if (q.broke && count(q.fin_m) < count(active)) begin
          e.deferring = 1'b1;
          {e.next_active, e.next_pc, e.put_m, e.def_pc} = {q.fin_m, q.fin_pc, active, behind};
        end else if (q.broke) begin
          e.deferring = 1'b1;
          {e.next_active, e.next_pc, e.put_m, e.def_pc} = {active, behind, q.fin_m, q.fin_pc};
        end else
          {e.next_active, e.next_pc} = {q.fin_m, q.fin_pc};
      end
      default: ;
    endcase
  end
endmodule
`default_nettype wire

// Which group runs next: steps of an instruction after the first, each a cycle.  Where lanes must
// be released for it, the steps of conv_release.v follow.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "conv.vh"
module next_group (
  input  lanes_t      m,
  input  work_t       q,
  input  wire [15:0]  present,               // barriers on which lanes are blocked
  input  wire [3:0]   b_sel, latest,         // barrier looked at, blocked on last
  input  wire         complete_i,            // the former is, rule 4
  input  wire [31:0]  same, lane_pc,         // lanes at the PC of the lane looked at
  input  wire [31:0]  lane_sync,             // WARPSYNC mask of the lane looked at
  input  wire [31:0]  in_set,                // lanes of the oldest yield set
  output lanes_t      n,
  output work_t       v,
  output effect_t     e
);
  `include "conv_fn.vh"
  // What next() does where no group is ready; the barriers have been looked at already.
  wire [3:0] after_scanw = m.yld != 32'd0 ? S_YHEAD
                         : m.blocked != 32'd0 && m.bar == 32'd0 ? S_GIVE : S_FIN;
  wire [3:0] after_scanb = m.wsync != 32'd0 ? S_SCANW : after_scanw;
  logic [31:0] taken;
  always_comb begin
    n = m;
    v = q;
    e = {$bits(e){1'b0}};
    taken = 32'd0;
    case (q.step)
      S_NEXT:
        if (m.alt != 32'd0) begin
          {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, m.alt, lane_pc};
          n.rdy = m.rdy & ~m.alt;
          n.alt = 32'd0;
        end else begin
          if ((m.stk != 32'd0 || m.rdy == 32'd0) && m.ys != 32'd0) begin
            e.put_m  = m.ys;
            e.tag_we = 1'b1;
            n.ytail = m.ytail + 1'd1;
            n.ys    = 32'd0;
          end
          v.scan = present;
          v.todo = m.wsync;
          if (m.rdy != 32'd0) begin
            {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, m.rdy & same, lane_pc};
            n.rdy = m.rdy & ~same;
            n.due = (m.stk == 32'd0 && m.due == 32'd0 ? m.rdy : m.due) & ~same;
          end else if (m.blocked != 32'd0)
            v.step = S_SCANB;
          else begin
            v.fin_m = 32'd0;
            v.step  = after_scanb;
          end
        end

      S_SCANB: begin                         // is a barrier complete?
        v.b    = b_sel;
        v.scan = q.scan & (q.scan - 16'd1);
        v.todo = m.wsync;
        if (complete_i)
          v.step = S_REL;
        else if (v.scan == 16'd0) begin
          v.fin_m = 32'd0;
          v.step  = after_scanb;
        end
      end

      S_SCANW: begin                         // is a WARPSYNC complete?
        v.todo = q.todo & (q.todo - 32'd1);
        if ((lane_sync & m.live & ~m.wsync) == 32'd0) begin
          v.out      = (m.wsync & lane_sync) | (q.todo & ~v.todo);
          n.wsync    = m.wsync & ~v.out;
          v.released = q.released | v.out;
          v.step     = S_OUT;
        end else if (v.todo == 32'd0) begin
          v.fin_m = 32'd0;
          v.step  = after_scanw;
        end
      end

      S_YHEAD: begin                         // rule 9: the oldest set that still has lanes
        v.out = m.yld & in_set;
        if (v.out == 32'd0)
          n.yhead = m.yhead + 1'd1;
        else
          v.step = S_YRUN;
      end
      S_YRUN: begin
        taken    = m.yld & same;
        v.todo     = q.out & ~taken;
        v.fin_m    = taken;
        v.fin_pc   = lane_pc;
        n.yld    = m.yld & ~(q.out | taken);
        v.released = q.released | q.out | taken;
        if (v.todo == 32'd0)
          {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, taken, lane_pc};
        else
          v.step = S_DEFER;
      end

      S_GIVE: begin                          // rule 8
        v.b       = latest;
        v.give    = 1'b1;
        v.gaveway = 1'b1;
        v.step    = S_REL;
      end
      default: ;
    endcase
  end
endmodule
`default_nettype wire

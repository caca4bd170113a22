// Steps of BAR, EXIT and faults: what concerns more than one warp.
// A block barrier that completes makes lanes of other warps ready.  The pipeline drains first, then a
// walk visits every warp of the block; one that stands still picks a group on the way.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "conv.vh"
module conv_block (
  input  lanes_t      m,
  input  work_t       q,
  input  wire [31:0]  rest,                  // lanes of an EXIT's group that go on
  input  wire [31:0]  behind,
  input  wire         is_own,                // the step's warp is the instruction's
  input  wire         stands_i,              // the step's warp runs no group
  input  wire [15:0]  complete,              // block barriers that are complete
  input  wire [31:0]  numbered,              // lanes at the barrier being released
  input  wire [4:0]   cur_first_i,           // the block's first warp slot
  input  wire         slot_none_i, mem_busy_i,
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
      S_BARCHK:                              // the counts are those after the instruction
        if (complete != 16'd0) begin
          v.bars  = complete;
          v.index = 5'd0;
          v.held  = 1'b1;
          v.step  = S_BARHOLD;
        end else if (rest != 32'd0)
          {e.run, e.finish, e.run_m, e.run_pc} = {2'b11, rest, behind};
        else if (m.live != 32'd0)
          v.step = S_NEXT;
        else
          {e.run, e.finish, e.ended} = 3'b111;
      S_BARHOLD: if (slot_none_i) begin
        v.walk = 1'b1;
        v.cur  = cur_first_i;
        v.step = S_BARWALK;
      end
      S_BARWALK: begin                       // barrier b_sel: one warp of the block after the other
        v.out   = m.bar & numbered;
        n.bar = m.bar & ~v.out;
        n.rdy = m.rdy | v.out;
        if (is_own)
          v.released = q.released | v.out;
        // A warp that stands still picks a group; its next() comes back here.
        if (v.out != 32'd0 && (is_own ? q.own == 32'd0 && rest == 32'd0 : stands_i))
          v.step = S_NEXT;
        else
          e.walked = 1'b1;
      end
      S_BAREND: begin
        v.walk = 1'b0;
        if (q.own != 32'd0)
          e.finish = 1'b1;
        else if (rest != 32'd0)
          {e.run, e.finish, e.run_m, e.run_pc} = {2'b11, rest, behind};
        else if (m.live != 32'd0)
          v.step = S_NEXT;
        else
          {e.run, e.finish, e.ended} = 3'b111;
      end
      default: if (slot_none_i && !mem_busy_i) begin         // S_FAULT
        e.fault  = 1'b1;
        e.finish = 1'b1;
      end
    endcase
  end
endmodule
`default_nettype wire

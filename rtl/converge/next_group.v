// Which group runs next: steps of an instruction after the first, each a cycle.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "conv.vh"
module next_group (
  input  lanes_t      m,
  input  work_t       q,
  input  wire [31:0]  behind,
  input  wire [4:0]   lane,                  // looked at: ALT's, STK's, or from the pointer on
  input  wire [31:0]  can, some,             // nothing is deferred: lanes that can run; that may
  input  wire [31:0]  same, lane_pc,         // lanes at the PC of the lane looked at
  input  wire [31:0]  lane_sync,             // its WARPSYNC mask
  output lanes_t      n,
  output work_t       v,
  output effect_t     e
);
  `include "conv_fn.vh"
  wire [31:0] one   = 32'd1 << lane;
  wire        waits = (m.wsync & one) != 32'd0;
  wire        last  = (m.stk & (m.stk - 32'd1)) == 32'd0;    // of STK
  wire [31:0] out   = waits ? m.wsync & (lane_sync | one) : 32'd0;   // of its WARPSYNC
  logic [31:0] group;
  logic        gives;                        // a barrier that blocks lanes of the group gives way
  always_comb begin
    n = m;
    v = q;
    e = {$bits(e){1'b0}};
    group = 32'd0;
    gives = 1'b0;
    e.next_pc = lane_pc;
    case (q.step)
      S_NEXT: begin
        if (m.alt != 32'd0) begin
          group = m.alt;
          n.alt = 32'd0;
        end else if (m.stk != 32'd0) begin
          group = same & (m.rdy | m.yld | m.blocked);
          gives = last && (group & m.blocked) != 32'd0;
        end else if (some == 32'd0)
          {e.run, e.finish, e.next_pc} = {2'b11, behind};
        else if (waits && (lane_sync & m.live & ~m.wsync) != 32'd0) begin
          v.todo = q.todo & ~one;            // its WARPSYNC is not complete
          if ((some & ~one) == 32'd0)
            {e.run, e.finish, e.next_pc} = {2'b11, behind};
        end else begin
          n.ptr = lane;
          if ((out & ~same) == 32'd0)
            group = same & (can | out);
          else begin                         // of a WARPSYNC at several places
            n.rdy   = m.rdy | out;
            n.wsync = m.wsync & ~out;
            {v.step, v.out} = {S_REL, out};
          end
          gives = (group & m.blocked) != 32'd0;
          v.gaveway = q.gaveway || (gives && (m.rdy | m.yld) == 32'd0);
        end
        v.released = q.released | (group & ~m.rdy) | (m.wsync & ~n.wsync);
        if (gives)
          {v.step, v.fin_m, v.fin_pc} = {S_GIVE, group, lane_pc};
        else if (group != 32'd0)
          {e.picked, e.run, e.finish, e.next_active} = {3'b111, group};
      end
      S_GIVE: begin                        // its lanes pass as they execute their BSYNC again
        e.empties = 1'b1;
        {e.picked, e.run, e.finish, e.next_active, e.next_pc} = {3'b111, q.fin_m, q.fin_pc};
      end
      default: ;
    endcase
  end
endmodule
`default_nettype wire

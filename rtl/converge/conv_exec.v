// The first step of a control instruction: rules 1 to 7 and 9, one case each (1 and 2:
// conv_split.v).  What cannot be decided in one step is handed to the steps of next_group.v,
// conv_release.v and conv_block.v.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "conv.vh"
module conv_exec (
  input  wire         en_i,
  input  lanes_t      m,                     // the warp
  input  work_t       q,
  input  uop_t        op,
  input  wire [31:0]  exec,                  // lanes whose guard holds
  input  wire [31:0]  operand,               // the lowest one's second source
  input  wire [31:0]  group, target,         // of an indirect branch, see same_target.v
  input  wire [31:0]  b_now,                 // participants of bx
  input  wire [31:0]  same, lane_pc,         // lanes at this instruction; where those of ALT stand
  output lanes_t      n,
  output work_t       v,
  output effect_t     e
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  `include "conv_fn.vh"
  wire [8:0]  opc = op.word[`INSN_OP];
  wire [31:0] active = op.active, behind = op.pc + 32'd16;
  logic [31:0] taken, other, rest, out;
  wire         split_again;
  effect_t     split_e;
  conv_split u_split (
    .en_i(en_i), .op(op), .exec(exec), .same(group), .target(target), .again_i(m.again),
    .alt(m.alt), .again_o(split_again), .e(split_e)
  );
  always_comb begin
    n = m;
    v = q;
    e = {$bits(e){1'b0}};
    taken = 32'd0;
    {other, rest, out} = 96'd0;
    if (en_i) begin
      v.broke    = 1'b0;
      v.own      = 32'd0;
      v.released = 32'd0;
      v.emptied  = 16'd0;
      v.gaveway  = 1'b0;
      if (op.dec.fault != FAULT_NONE)
        v.step = S_FAULT;
      else case (opc)
        OP_BRA, OP_CALL, OP_BRX, OP_RET, OP_CALLR:
          {n.again, e} = {split_again, split_e};
        OP_BSSY: begin                                     // rule 3
          {e.run, e.finish, e.b_we, e.next_active, e.next_pc} = {3'b111, active, behind};
          e.b_put = b_now | exec;
        end
        OP_BMOVR:
          {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
        OP_BMOVB: begin
          {e.run, e.finish, e.b_we, e.next_active, e.next_pc} =
              {2'b11, exec != 32'd0, active, behind};
          e.b_put = operand;
        end
        OP_BSYNC: begin                                    // rule 4
          taken = active & b_now;
          other = active & ~b_now;
          rest  = b_now & m.live & ~(taken | m.blocked | m.wsync);
          e.put_m = taken;
          if (taken == 32'd0)
            {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
          else if (rest != 32'd0 && (other != 32'd0 || m.rdy != 32'd0)) begin
            {e.at_we, e.bar_at_we} = 2'b11;
            n.blocked = m.blocked | taken;
            if (other != 32'd0)
              {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, other, behind};
            else
              v.step = S_NEXT;
          end else begin         // those at other BSYNCs, and yielded ones, become ready
            out  = taken | (b_now & m.blocked & same);
            rest = b_now & (m.yld | m.blocked) & ~out;
            e.empties  = 1'b1;
            n.rdy      = m.rdy | rest;
            n.yld      = m.yld & ~rest;
            n.blocked  = m.blocked & ~(rest | out);
            v.released = rest | out;
            {e.picked, e.run, e.finish, e.next_active, e.next_pc} = {3'b111, out | other, behind};
          end
        end
        OP_BREAK: begin                                    // rule 5
          rest    = b_now & ~exec & m.live;
          e.b_we  = 1'b1;
          e.b_put = b_now & ~exec;
          {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
          if (exec != 32'd0 && (rest & ~m.blocked) == 32'd0) begin
            e.empties = 1'b1;
            if (rest != 32'd0) begin
              {e.run, e.finish, e.demote, v.broke} = 4'b0011;
              v.out      = rest;
              n.rdy      = m.rdy | rest;
              n.blocked  = m.blocked & ~rest;
              v.released = rest;
              v.step     = S_REL;
            end
          end
        end
        OP_EXIT: begin                                     // rule 6
          n.live  = m.live & ~exec;
          e.leave = 1'b1;
          if (exec == 32'd0)
            {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
          else
            v.step = S_BLOCK;
        end
        OP_BAR: begin
          e.put_m  = active;
          {e.at_we, e.bar_at_we} = 2'b11;
          n.bar  = m.bar | active;
          e.arrive = 1'b1;
          v.step   = S_BLOCK;
        end
        OP_WARPSYNC:                                       // rule 7
          if ((operand & m.live & ~active) == 32'd0)
            {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
          else begin
            e.put_m = active;
            {e.at_we, e.sync_we} = 2'b11;
            n.wsync = m.wsync | active;
            v.step  = S_NEXT;
          end
        OP_YIELD: begin                                    // rule 9
          e.put_m = active;
          e.at_we = 1'b1;
          n.yld = m.yld | active;
          v.step  = S_NEXT;
        end
        default: begin                                     // TRAP
          if (exec != 32'd0)
            v.step = S_FAULT;
          else
            {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
        end
      endcase
      // The group deferred last runs next without a step of its own: as next_group.v has it.
      if (v.step == S_NEXT && m.alt != 32'd0) begin
        v.step = S_EXEC;
        {e.picked, e.run, e.finish, e.next_active, e.next_pc} = {3'b111, m.alt, lane_pc};
        n.alt  = 32'd0;
      end
    end
  end
  wire unused = &{1'b0, op};
endmodule
`default_nettype wire

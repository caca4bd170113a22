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
  input  wire [31:0]  b_now, b_new,          // participants of bx; without the lanes of a BREAK
  input  wire [31:0]  bm,                    // lanes blocked on it, with those of a BSYNC
  input  wire         complete_i,           // rule 4, with both
  input  wire [31:0]  same, lane_pc,         // lanes at the PC compared, see conv.v
  output lanes_t      n,
  output work_t       v,
  output effect_t     e
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  `include "conv_fn.vh"
  wire [8:0]  opc = op.word[`INSN_OP];
  wire [3:0]  bx  = op.word[`INSN_BX];
  wire [31:0] active = op.active, behind = op.pc + 32'd16;
  logic [31:0] taken, other;
  wire         split_first;
  effect_t     split_e;
  conv_split u_split (
    .en_i(en_i), .op(op), .exec(exec), .same(group), .target(target), .first_i(m.first),
    .first_o(split_first), .e(split_e)
  );
  always_comb begin
    n = m;
    v = q;
    e = {$bits(e){1'b0}};
    taken = 32'd0;
    other = 32'd0;
    if (en_i) begin
      v.broke    = 1'b0;
      v.give     = 1'b0;
      v.own      = 32'd0;
      v.released = 32'd0;
      v.gaveway  = 1'b0;
      if (op.dec.fault != FAULT_NONE)
        v.step = S_FAULT;
      else case (opc)
        OP_BRA, OP_CALL, OP_BRX, OP_RET, OP_CALLR:
          {n.first, e} = {split_first, split_e};
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
          if (taken == 32'd0)
            {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
          else begin
            e.put_m = taken;
            {e.at_we, e.bar_at_we} = 2'b11;
            n.blocked = m.blocked | taken;
            e.bpc_we = 1'b1;
            if (complete_i) begin
              // Those at this BSYNC and the others of the group continue together.
              v.out   = bm & b_now;
              v.todo  = v.out & ~taken & ~same;
              v.fin_m = (v.out & (taken | same)) | other;
              v.fin_pc = behind;
              e.b_we  = 1'b1;
              e.b_put = 32'd0;
              n.blocked = m.blocked & ~v.out;
              n.rdy = m.rdy | m.yld;
              n.yld = 32'd0;
              n.ys  = 32'd0;
              n.yhead = m.ytail;              // no set is left
              v.released = v.out | m.yld;
              if (v.todo == 32'd0)
                {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, v.fin_m, behind};
              else
                v.step = S_DEFER;
            end else if (other != 32'd0)
              {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, other, behind};
            else
              v.step = S_NEXT;
          end
        end
        OP_BREAK: begin                                    // rule 5
          e.b_we    = 1'b1;
          e.b_put = b_new;
          if ((exec & b_now) != 32'd0 && complete_i) begin
            v.broke = 1'b1;
            v.b     = bx;
            v.step  = S_REL;
          end else
            {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
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
        OP_WARPSYNC: begin                                 // rule 7
          e.put_m  = active;
          {e.at_we, e.sync_we} = 2'b11;
          n.wsync  = m.wsync | active;
          if ((operand & m.live & ~n.wsync) == 32'd0) begin
            v.out    = (n.wsync & operand) | active;
            n.wsync  = n.wsync & ~v.out;
            v.released = v.out;
            v.todo   = v.out & ~active & ~same;
            v.fin_m  = v.out & (active | same);
            v.fin_pc = behind;
            if (v.todo == 32'd0)
              {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, v.fin_m, behind};
            else
              v.step = S_DEFER;
          end else
            v.step = S_NEXT;
        end
        OP_YIELD: begin                                    // rule 9
          e.put_m = active;
          e.at_we = 1'b1;
          n.yld = m.yld | active;
          n.ys  = m.ys | active;
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
        {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, m.alt, lane_pc};
        n.rdy  = n.rdy & ~m.alt;
        n.alt  = 32'd0;
      end
    end
  end
  wire unused = &{1'b0, op};
endmodule
`default_nettype wire

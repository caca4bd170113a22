// Rules 1 and 2: a branch splits the group; one part goes on, the other is deferred.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "conv.vh"
module conv_split (
  input  wire         en_i,
  input  uop_t        op,
  input  wire [31:0]  exec,                  // lanes whose guard holds
  input  wire [31:0]  same, target,          // of an indirect branch, see same_target.v
  input  wire         again_i,               // the group repeats a split and runs its T first
  input  wire [31:0]  alt,
  output logic        again_o,
  output effect_t     e
);
  `include "isa_gen.vh"
  `include "conv_fn.vh"
  wire [8:0]  opc = op.word[`INSN_OP];
  wire [31:0] imm = op.word[`INSN_IMM];
  wire [31:0] active = op.active, behind = op.pc + 32'd16;
  logic [31:0] taken, other;
  always_comb begin
    e = {$bits(e){1'b0}};
    {taken, other} = 64'd0;
    again_o = again_i;
    if (en_i)
      case (opc)
        OP_BRA, OP_CALL: begin                             // rule 1: the smaller part goes on
          taken  = exec;
          other  = active & ~exec;
          e.run    = 1'b1;
          e.finish = 1'b1;
          if (taken != 32'd0 && (other == 32'd0 || count(taken) < count(other))) begin
            {e.next_active, e.next_pc, e.put_m, e.def_pc} = {taken, imm, other, behind};
          end else begin
            {e.next_active, e.next_pc, e.put_m, e.def_pc} = {other, behind, taken, imm};
          end
          e.deferring = e.put_m != 32'd0;
        end
        OP_BRX, OP_RET, OP_CALLR: begin                    // rule 2
          taken  = active & same;
          other  = active & ~same;
          e.run    = 1'b1;
          e.finish = 1'b1;
          if (again_i) begin                           // ALT is the T of before, and stands here
            {e.next_active, e.next_pc, e.put_m, e.def_pc} = {taken, target, other | alt, op.pc};
            {e.joining, again_o} = 2'b10;
          end else if (count(taken) <= count(other) || other == 32'd0)
            {e.next_active, e.next_pc, e.put_m, e.def_pc} = {taken, target, other, op.pc};
          else begin
            {e.next_active, e.next_pc, e.put_m, e.def_pc} = {other, op.pc, taken, op.pc};
            again_o = 1'b1;
          end
          e.deferring = e.put_m != 32'd0;
        end
        default: ;
      endcase
  end
  wire unused = &{1'b0, op};
endmodule
`default_nettype wire

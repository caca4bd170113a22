// The first step of an instruction in stack mode: the rows of the table in docs/stack.md, one case
// each.  Pops are left to stack_step.v, which has them from carriers and unwindings as well.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "stack.vh"
module stack_exec (
  input  wire           en_i,
  input  uop_t          op,
  input  wire [31:0]    exec,                // lanes whose guard holds
  input  wire [31:0]    operand,             // the lowest one's second source
  input  wire [31:0]    same, target,        // BRX, CALR: lanes with the lowest one's target
  // the warp
  input  wire [31:0]    live,
  input  wire           filling,             // its tokens are on the way
  input  top_t          top,
  output stack_effect_t e
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  wire [8:0]  opc = op.word[`INSN_OP];
  wire [31:0] imm = op.word[`INSN_IMM];
  wire [31:0] active = op.active, behind = op.pc + 32'd16;

  logic [31:0] after;                        // lanes that live after an EXIT
  logic        pops;                         // it leaves lanes live, but none active
  always_comb begin
    e = {$bits(e){1'b0}};
    after = live & ~exec;
    pops  = (active & ~exec) == 32'd0 && after != 32'd0;
    if (en_i) begin
      if (op.dec.fault == FAULT_TOKEN)       // a carrier whose pop faults
        {e.fault, e.code, e.lanes} = {1'b1, top.broken ? FAULT_BUS : FAULT_TOKEN, active};
      else if (op.dec.fault != FAULT_NONE)
        {e.fault, e.code, e.lanes} = {1'b1, op.dec.fault, active};
      else case (opc)
        OP_SSY: begin
          {e.push, e.token} = {1'b1, imm[31:2], TOKEN_SYNC, active};
          {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
        end
        OP_CAL: begin
          {e.push, e.token} = {1'b1, behind[31:2], TOKEN_CALL, active};
          {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, imm};
        end
        OP_BRA: begin
          e.push  = exec != 32'd0 && exec != active;
          e.token = {behind[31:2], TOKEN_DIV, active & ~exec};
          {e.run, e.finish, e.next_active, e.next_pc} =
              exec == 32'd0 ? {2'b11, active, behind} : {2'b11, exec, imm};
        end
        OP_BRX: begin
          e.push  = same != active;
          e.token = {op.pc[31:2], TOKEN_DIV, active & ~same};
          {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, same, target};
        end
        OP_CALR: begin
          e.push  = 1'b1;
          e.token = same != active ? {op.pc[31:2], TOKEN_DIV, active & ~same}
                                   : {behind[31:2], TOKEN_CALL, active};
          {e.run, e.finish, e.next_active, e.next_pc} =
              {2'b11, same, same != active ? op.pc : target};
        end
        OP_RETT:
          if (top.broken)
            {e.fault, e.code, e.lanes} = {1'b1, FAULT_BUS, active};
          else if (top.none || (top.has && top.token.kind != TOKEN_CALL))
            {e.fault, e.code, e.lanes} = {1'b1, FAULT_TOKEN, active};
          else
            e.pop = 1'b1;
        OP_EXIT:
          if (exec == 32'd0)
            {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
          else if (pops && !top.has && !top.none)
            {e.fill, e.stay} = {!filling, 1'b1};
          else if (pops && top.broken)
            {e.fault, e.code, e.lanes} = {1'b1, FAULT_BUS, active};
          else if (pops && (top.none || (top.last && (top.token.lanes & after) == 32'd0)))
            {e.fault, e.code, e.lanes} = {1'b1, FAULT_TOKEN, after};
          else
            {e.check, e.leave, e.lanes, e.live_we, e.live} = {2'b11, exec, 1'b1, after};
        OP_BAR: begin
          {e.check, e.arrive, e.lanes} = {2'b11, active};
          {e.wait_we, e.wait_m, e.at_bar, e.bar_at} = {1'b1, active, 1'b1, op.word[`INSN_BX]};
        end
        OP_WARPSYNC: begin
          {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
          if ((operand & live & ~active) != 32'd0) begin
            {e.wait_we, e.wait_m, e.at_wsync} = {1'b1, active, 1'b1};
            e.next_active = 32'd0;
          end
        end
        default: begin                       // TRAP
          {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, active, behind};
          if (exec != 32'd0)
            {e.fault, e.code, e.lanes} = {1'b1, FAULT_TRAP, exec};
        end
      endcase
    end
  end
  wire unused = &{1'b0, op, top};
endmodule
`default_nettype wire

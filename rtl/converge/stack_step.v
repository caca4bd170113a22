// What a step of the stack unit does, whosever it is: the first one of an instruction is
// stack_exec.v's; here are the others, and every pop, which carriers, unwindings and some
// instructions share.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
module stack_step (
  // whose step it is, one of these at most
  input  wire           popping_i,           // a carrier's, which retires in the next cycle
  input  wire           resuming_i,          // an unwinding's
  input  wire           doing_i,             // an instruction's first one; this is what it does:
  input  stack_effect_t first_i,
  input  wire           starting_i,          // a new warp's:
  input  start_t        start_i,
  input  wire           visit_i, end_i,      // see bar_walk.v
  input  wire           failing_i,           // a fault waits until all is quiet
  // the instruction
  input  uop_t          op,
  input  wire [31:0]    exec,
  input  wire [31:0]    released_i,  // its lanes that the release of a block barrier has made go on
  // the warp
  input  wire [31:0]    live,
  input  wire [31:0]    waiting_i, pc_i,     // lanes at block barrier bar_o (bar_walk.v), where
                                             // they go on
  input  top_t          top,
  input  wire           full_i,              // a push finds no room
  input  slots_t        slots_i,
  output stack_effect_t e,
  output wire           unwinds_o            // a pop has left no lane active
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  wire [8:0]  opc  = op.word[`INSN_OP];
  wire [31:0] behind = op.pc + 32'd16;
  wire [31:0] rest = opc == OP_EXIT ? op.active & ~exec : 32'd0;
  always_comb begin
    e = {$bits(e){1'b0}};
    if (doing_i)
      e = first_i;
    if (popping_i || resuming_i)
      e.pop = 1'b1;
    if (starting_i) begin
      {e.live_we, e.live, e.wait_we} = {1'b1, start_i.lanes, 1'b1};
      {e.run, e.next_active, e.next_pc} = {1'b1, start_i.lanes, start_i.pc};
    end
    if (visit_i) begin
      e.passed = 1'b1;
      if (waiting_i != 32'd0)
        {e.run, e.next_active, e.next_pc, e.wait_we} = {1'b1, waiting_i, pc_i, 1'b1};
    end
    if (end_i) begin
      if (opc == OP_BAR)
        {e.run, e.finish, e.next_active, e.next_pc} = {released_i == 32'd0, 1'b1, 32'd0, behind};
      else if (rest != 32'd0)
        {e.run, e.finish, e.next_active, e.next_pc} = {2'b11, rest, behind};
      else if (live != 32'd0)
        e.pop = 1'b1;
      else
        {e.run, e.finish, e.ended} = 3'b111;
    end
    if (failing_i && slots_i.none && !slots_i.mem_busy)
      e.finish = 1'b1;

    if (e.pop && !top.has)                   // only an unwinding comes here without a token on chip
      {e.pop, e.stay, e.fill} = 3'b011;
    else if (e.pop && !popping_i && top.broken)    // an unwinding's, too
      {e.pop, e.fault, e.code, e.lanes} = {2'b01, FAULT_BUS, live};
    else if (e.pop && !popping_i && top.last && (top.token.lanes & live) == 32'd0)
      {e.pop, e.fault, e.code, e.lanes} = {2'b01, FAULT_TOKEN, live};
    if (e.pop) begin
      {e.run, e.finish, e.next_active} = {1'b1, !popping_i, top.token.lanes & live};
      e.next_pc = {top.token.pc, 2'b00};
      e.token   = top.token;
    end
    if (e.push && full_i)
      {e.push, e.fault, e.code, e.lanes} = {2'b01, FAULT_SPILL, op.active};
    if (e.fault)
      {e.run, e.finish} = 2'b00;
  end
  assign unwinds_o = e.pop && e.next_active == 32'd0;
  wire unused = &{1'b0, op, slots_i, start_i, top};
endmodule
`default_nettype wire

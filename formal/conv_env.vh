// The convergence unit (barrier mode) with two warps, what the rest of the core promises it, and
// its own state.  Include it in a harness; the state comes through wires that Yosys joins with
// those of the same name when it flattens the design (`hierconn`).
//
// Promised (assumed here): the head of the queue stays until it is done; its warp runs, and its
// `active` lanes are those that run, the guard's among them, all of them for rows that carry no
// guard; a warp is started only when its lanes have ended, with some lanes.  Blocks are one warp
// each, or both warps are one block.  Counts of block barriers, slots and memory are arbitrary.
// SPDX-License-Identifier: Apache-2.0
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  `include "conv_fn.vh"
  (* anyseq *)   wire          some, start, slot_keep, slot_none, mem_busy;
  (* anyseq *)   wire [4:0]    start_warp;
  (* anyseq *)   wire [31:0]   start_lanes, start_pc, exec, operand;
  (* anyseq *)   wire [63:0]   target;       // of an indirect branch: its lanes, it
  (* anyseq *)   wire [15:0]   complete;
  (* anyseq *)   wire [`UOP_BITS-1:0] op_bits;
  (* anyconst *) wire          both;         // the warps are one block
  (* anyconst *) wire          k;            // the warp that a harness looks at,
  (* anyconst *) wire [3:0]    b;            // and the barrier register
  uop_t op;
  assign op = op_bits;
  wire [8:0]  opc = op.word[`INSN_OP];
  wire [31:0] active = op.active, behind = op.pc + 32'd16;
  wire        own = op.warp[0];

  reg  rst_n = 1'b0;
  always @(posedge clk) rst_n <= 1'b1;

  wire         start_ready;
  wire [4:0]   cur_warp;                     // the step's
  wire [31:0]  part_q;                       // participants of b
  reg  [31:0]  active0, active1;             // running lanes, as issue.v keeps them
  step_t       step;
  view_t       view;                         // of warp k, with PROBE=1
  wire [127:0] bar_at_q = view.bar_at;       // the barrier at which each lane waits
  wire         run = step.run, done = step.done;
  wire [31:0]  next_active = step.next_active;
  control_t    head;
  start_t      new_warp;
  block_t      block;
  slots_t      slots;
  assign head     = {op_bits, exec, operand, target};
  assign new_warp = {start, start_warp, start_lanes, start_pc};
  // {first, warps, complete}
  assign block    = {both ? 5'd0 : cur_warp, both ? 6'd2 : 6'd1, complete};
  // {keep, none, mem_busy}
  assign slots    = {slot_keep, slot_none, mem_busy};
  conv u (
    .clk(clk), .rst_n(rst_n), .clear_i(1'b0), .some_i(some), .head_i(head), .start_i(new_warp),
    .start_ready_o(start_ready), .warp_o(cur_warp), .block_i(block), .step_o(step), .slots_i(slots),
    .probe_warp_i({4'd0, k}), .pipe_warp_i(5'd0), .view_o(view), .active_i({active1, active0}),
    .bmov_warp_i({4'd0, k}), .bmov_bx_i(b), .bmov_o(part_q));

  // ---- inside ----
  // lanes of warp 0, of warp 1, of warp k; of the step's warp, before and after it
  lanes_t  m0, m1, mk, m, n;
  work_t   q, v;                             // the step
  effect_t e;
  (* hierconn *) wire [$bits(m)-1:0]  \u.m_q[0] , \u.m_q[1] , \u.m , \u.n ;
  (* hierconn *) wire [$bits(q)-1:0]  \u.q , \u.v ;
  (* hierconn *) wire [$bits(e)-1:0]  \u.e ;
  (* hierconn *) wire                 \u.go , \u.starting , \u.busy ;
  (* hierconn *) wire [1:0]           \u.u_walk.at_q ;
  (* hierconn *) wire [4:0]           \u.u_walk.index_q ;
  assign m0 = \u.m_q[0] ;
  assign m1 = \u.m_q[1] ;
  assign mk = k ? m1 : m0;
  assign m  = \u.m ;
  assign n  = \u.n ;
  assign q  = \u.q ;
  assign v  = \u.v ;
  assign e  = \u.e ;
  // The walk that releases block barriers (bar_walk.v).
  wire [4:0] index = \u.u_walk.index_q ;
  wire w_hold = \u.u_walk.at_q == 2'd1, w_walk = \u.u_walk.at_q == 2'd2,
       w_end  = \u.u_walk.at_q == 2'd3;
  wire in_walk = w_walk || (w_end && q.step == S_BLOCK);
  wire go = \u.go , starting = \u.starting , busy = \u.busy , w = cur_warp[0];
  wire mine = go && cur_warp == {4'd0, k};   // a step of warp k
  wire [31:0] rest = opc == OP_EXIT ? active & ~exec : 32'd0;

  // ---- the promises ----
  reg                  was;                  // the head of the queue has not been done
  reg [`UOP_BITS-1:0]  was_op;
  reg [95:0]           was_rest;
  always @(posedge clk) begin
    if (run && !cur_warp[0]) active0 <= next_active;
    if (run && cur_warp[0])  active1 <= next_active;
    if (!rst_n) {active0, active1} <= 64'd0;
    was      <= rst_n && some && !done;
    was_op   <= op_bits;
    was_rest <= {exec, operand};
  end
  always @* begin
    if (!rst_n) begin
      assume (!some && !start);
      assume (q.step == S_EXEC && \u.u_walk.at_q == 2'd0);  // reset lasts for more than a cycle
      assume (m0 == {$bits(m0){1'b0}} && m1 == {$bits(m0){1'b0}});   // no warp has started
    end
    if (was) assume (some && op_bits == was_op && {exec, operand} == was_rest);
    if (some && q.step == S_EXEC) begin
      assume (op.warp < 5'd2 && active == (own ? active1 : active0) && active != 32'd0);
      assume ((exec & ~active) == 32'd0);
      if (opc == OP_BSYNC || opc == OP_WARPSYNC || opc == OP_YIELD || opc == OP_BAR)
        assume (exec == active);
    end
    if (start) begin
      assume (start_warp < 5'd2 && start_lanes != 32'd0);
      assume ((start_warp[0] ? m1.live : m0.live) == 32'd0);
    end
  end

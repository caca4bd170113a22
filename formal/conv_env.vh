// The convergence unit (barrier mode) with two warps, what the rest of the core promises it, and its
// own state.  Include it in a harness; the state comes through wires that Yosys joins with those of the
// same name when it flattens the design (`hierconn`).
//
// Promised (assumed here): the head of the queue stays until it is done; its warp runs, and its `active`
// lanes are those that run, the guard's among them, all of them for rows that carry no guard; a warp is
// started only when its lanes have ended, with some lanes.  Blocks are one warp each, or both warps are
// one block.  Counts of block barriers, slots and memory are arbitrary.
// SPDX-License-Identifier: Apache-2.0
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  `include "conv_fn.vh"
  (* anyseq *)   wire          some, start, slot_retire, slot_none, mem_busy;
  (* anyseq *)   wire [4:0]    start_warp;
  (* anyseq *)   wire [31:0]   start_lanes, start_pc, exec, operand;
  (* anyseq *)   wire [1023:0] target;
  (* anyseq *)   wire [15:0]   complete;
  (* anyseq *)   wire [`UOP_BITS-1:0] op_bits;
  (* anyconst *) wire          both;         // the warps are one block
  (* anyconst *) wire          k;            // the warp that a harness looks at,
  (* anyconst *) wire [3:0]    b;            // and the barrier register
  uop_t op;
  assign op = op_bits;
  wire [8:0]  opc = op.word[`INSN_OP];
  wire [31:0] act = op.active, behind = op.pc + 32'd16;
  wire        own = op.warp[0];

  reg  rst_n = 1'b0;
  always @(posedge clk) rst_n <= 1'b1;

  wire         start_ready, warp_end, run, done;
  wire [4:0]   cur_warp, run_warp;
  wire [31:0]  run_m, run_pc, part_q;        // participants of b
  wire [1023:0] at_q;                        // of each lane, with PROBE=1: where it continues,
  wire [127:0] num_q;                        // and the barrier it waits at
  reg  [31:0]  act0, act1;                   // running lanes, as issue.v keeps them
  conv u (
    .clk(clk), .rst_n(rst_n), .clear_i(1'b0), .some_i(some), .op(op_bits), .exec(exec), .operand(operand),
    .target_i(target), .start_i(start), .start_ready_o(start_ready), .start_warp_i(start_warp),
    .start_lanes_i(start_lanes), .start_pc_i(start_pc), .complete(complete),
    .warps_block_i(both ? 6'd2 : 6'd1), .cur_warp_o(cur_warp), .cur_first_i(both ? 5'd0 : cur_warp),
    .warp_end_o(warp_end), .run_o(run), .run_warp_o(run_warp), .run_m_o(run_m), .run_pc_o(run_pc),
    .act_i({act1, act0}), .slot_keep_i(slot_retire), .slot_none_i(slot_none), .mem_busy_i(mem_busy),
    .done_o(done), .read_warp_i({4'd0, k}), .read_bx_i(b), .read_o(part_q), .probe_warp_i({4'd0, k}),
    .probe_at_o(at_q), .probe_num_o(num_q));

  // ---- inside ----
  lanes_t  m0, m1, mk, m, n;                 // lanes of warp 0, of warp 1, of warp k; of the step's warp, before and after it
  work_t   q, v;                             // the step
  effect_t e;
  (* hierconn *) wire [$bits(m)-1:0]  \u.m_q[0] , \u.m_q[1] , \u.m , \u.n ;
  (* hierconn *) wire [$bits(q)-1:0]  \u.q , \u.v ;
  (* hierconn *) wire [$bits(e)-1:0]  \u.e ;
  (* hierconn *) wire                 \u.go , \u.starting , \u.busy ;
  assign m0 = \u.m_q[0] ;
  assign m1 = \u.m_q[1] ;
  assign mk = k ? m1 : m0;
  assign m  = \u.m ;
  assign n  = \u.n ;
  assign q  = \u.q ;
  assign v  = \u.v ;
  assign e  = \u.e ;
  wire go = \u.go , starting = \u.starting , busy = \u.busy , w = cur_warp[0];
  wire mine = go && cur_warp == {4'd0, k};   // a step of warp k
  wire [31:0] rest = opc == OP_EXIT ? act & ~exec : 32'd0;

  // ---- the promises ----
  reg                  was;                  // the head of the queue has not been done
  reg [`UOP_BITS-1:0]  was_op;
  reg [95:0]           was_rest;
  always @(posedge clk) begin
    if (run && !run_warp[0]) act0 <= run_m;
    if (run && run_warp[0])  act1 <= run_m;
    if (!rst_n) {act0, act1} <= 64'd0;
    was      <= rst_n && some && !done;
    was_op   <= op_bits;
    was_rest <= {exec, operand};
  end
  always @* begin
    if (!rst_n) begin
      assume (!some && !start);
      assume (q.step == S_EXEC && !q.walk);  // reset lasts for more than a cycle
      assume (m0 == {$bits(m0){1'b0}} && m1 == {$bits(m0){1'b0}});   // no warp has started
    end
    if (was) assume (some && op_bits == was_op && {exec, operand} == was_rest);
    if (some && q.step == S_EXEC) begin
      assume (op.warp < 5'd2 && act == (own ? act1 : act0) && act != 32'd0);
      assume ((exec & ~act) == 32'd0);
      if (opc == OP_BSYNC || opc == OP_WARPSYNC || opc == OP_YIELD || opc == OP_BAR)
        assume (exec == act);
    end
    if (start) begin
      assume (start_warp < 5'd2 && start_lanes != 32'd0);
      assume ((start_warp[0] ? m1.live : m0.live) == 32'd0);
    end
  end

// The convergence unit with two warps, and what the rest of the core promises it.  Include it in a
// harness with inputs as below; properties look at the unit's own state, through wires that Yosys joins
// with those of the same name when it flattens the design (`hierconn`).
//
// Promised (assumed here): a warp is started only when it has ended; it pushes an instruction only while
// it runs and has none in the queue, with the running lanes as `active` and the guard's among them; rows
// that carry no guard have them all.  Blocks are one warp each, or both warps one block.  Answers about
// slots, memory and the probe are arbitrary.
// SPDX-License-Identifier: Apache-2.0
  `include "isa_gen.vh"
  `include "conv_fn.vh"
  (* anyseq *)   wire          push, start, block_start, slot_retire, slot_none, mem_busy;
  (* anyseq *)   wire [4:0]    start_warp, block_slot;
  (* anyseq *)   wire [31:0]   start_lanes, start_pc, push_exec, push_b;
  (* anyseq *)   wire [1023:0] push_a;
  (* anyseq *)   wire [10:0]   block_lanes;
  (* anyseq *)   wire [`UOP_BITS-1:0] push_bits;
  (* anyconst *) wire          both;         // the warps are one block
  uop_t push_uop;
  assign push_uop = push_bits;
  wire [8:0] push_op = push_uop.word[8:0];

  reg        rst_n = 1'b0;
  always @(posedge clk) rst_n <= 1'b1;

  wire         start_ready, warp_end, run, hold_issue, hold_mem, done, c_valid, c_gaveway;
  wire [4:0]   cur_warp, run_warp;
  wire [31:0]  run_m, run_pc, c_exec, c_released, c_bbefore, c_bafter, c_pc, bar_read;
  wire [`UOP_BITS-1:0] c_uop;
  wire [3:0]   c_fault;
  wire [1023:0] probe_at;
  wire [127:0] probe_num;
  wire [191:0] probe_m;
  reg  [31:0]  act0, act1;                   // running lanes, as issue.v keeps them
  conv u (
    .clk(clk), .rst_n(rst_n), .clear_i(1'b0), .push_i(push), .push_uop_i(push_uop), .push_exec_i(push_exec),
    .push_b_i(push_b), .push_a_i(push_a), .start_i(start), .start_ready_o(start_ready),
    .start_warp_i(start_warp), .start_lanes_i(start_lanes), .start_pc_i(start_pc),
    .block_start_i(block_start), .block_slot_i(block_slot), .block_lanes_i(block_lanes),
    .warps_block_i(both ? 6'd2 : 6'd1), .cur_warp_o(cur_warp), .cur_slot_i(both ? 5'd0 : cur_warp),
    .cur_first_i(both ? 5'd0 : cur_warp), .warp_end_o(warp_end), .run_o(run), .run_warp_o(run_warp),
    .run_m_o(run_m), .run_pc_o(run_pc), .act_i({act1, act0}), .slot_retire_i(slot_retire),
    .slot_none_i(slot_none), .mem_busy_i(mem_busy), .hold_issue_o(hold_issue), .hold_mem_o(hold_mem),
    .done_o(done), .c_valid_o(c_valid), .c_uop_o(c_uop), .c_exec_o(c_exec), .c_released_o(c_released),
    .c_bbefore_o(c_bbefore), .c_bafter_o(c_bafter), .c_pc_o(c_pc), .c_gaveway_o(c_gaveway),
    .c_fault_o(c_fault), .read_warp_i(5'd0), .read_bx_i(4'd0), .read_o(bar_read), .probe_warp_i(5'd0),
    .probe_at_o(probe_at), .probe_num_o(probe_num), .probe_m_o(probe_m));

  // ---- inside ----
  lanes_t  m0, m1, m, n;                     // lanes of warp 0, of warp 1; of the step's warp, before and behind it
  work_t   q, v;
  effect_t e;
  uop_t    op;
  (* hierconn *) wire [$bits(m)-1:0]  \u.m_q[0] , \u.m_q[1] , \u.m , \u.n ;
  (* hierconn *) wire [$bits(q)-1:0]  \u.q , \u.v ;
  (* hierconn *) wire [$bits(e)-1:0]  \u.e ;
  (* hierconn *) wire [$bits(op)-1:0] \u.q_uop[0] , \u.q_uop[1] , \u.q_uop[2] , \u.q_uop[3] , \u.op ;
  (* hierconn *) wire [31:0]          \u.q_exec[0] , \u.q_exec[1] , \u.q_exec[2] , \u.q_exec[3] , \u.exec ;
  (* hierconn *) wire [2:0]           \u.put_q , \u.get_q ;
  (* hierconn *) wire                 \u.go , \u.starting , \u.busy , \u.some ;
  (* hierconn *) wire [4:0]           \u.w5 ;
  assign m0 = \u.m_q[0] ;
  assign m1 = \u.m_q[1] ;
  assign m  = \u.m ;
  assign n  = \u.n ;
  assign q  = \u.q ;
  assign v  = \u.v ;
  assign e  = \u.e ;
  assign op = \u.op ;
  wire [31:0] exec = \u.exec , rest = op.word[8:0] == OP_EXIT ? op.active & ~exec : 32'd0;
  wire        go = \u.go , starting = \u.starting , some = \u.some , busy = \u.busy ;
  wire        w = \u.w5 [0], own = op.warp[0];
  wire [8:0]  opc = op.word[8:0];

  // ---- the promises ----
  reg out0, out1;                            // the warp has an instruction in the queue
  always @(posedge clk) begin
    if (run && !run_warp[0]) act0 <= run_m;
    if (run && run_warp[0])  act1 <= run_m;
    if (done && !own) out0 <= 1'b0;
    if (done && own)  out1 <= 1'b0;
    if (push && !push_uop.warp[0]) out0 <= 1'b1;
    if (push && push_uop.warp[0])  out1 <= 1'b1;
    if (!rst_n) begin
      {out0, out1} <= 2'b00;
      {act0, act1} <= 64'd0;
    end
  end
  always @* begin
    if (!rst_n) begin
      assume (!push && !start);
      assume (m0 == {$bits(m0){1'b0}} && m1 == {$bits(m0){1'b0}});   // before its start a warp has no lanes
    end
    if (push) begin
      assume (push_uop.warp < 5'd2 && push_uop.dec.unit == UNIT_CTL);
      assume (push_uop.active == (push_uop.warp[0] ? act1 : act0) && push_uop.active != 32'd0);
      assume (!(push_uop.warp[0] ? out1 : out0));
      assume ((push_exec & ~push_uop.active) == 32'd0);
      if (push_op == OP_BSYNC || push_op == OP_WARPSYNC || push_op == OP_YIELD || push_op == OP_BAR)
        assume (push_exec == push_uop.active);
    end
    if (start) begin
      assume (start_warp < 5'd2 && start_lanes != 32'd0);
      assume ((start_warp[0] ? m1.live : m0.live) == 32'd0 && !(start_warp[0] ? out1 : out0));
    end
  end

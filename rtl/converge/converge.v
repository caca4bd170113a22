// The convergence unit's port, and behind it the two mechanisms: conv.v (barrier mode) and stack.v
// (stack mode).  An image is compiled for one; the mode register says which one works, the other
// stands still.  What both need is here: the queue of control instructions and the block barriers.
// A parameter leaves either out: BARRIER_MODE = 0, STACK_DEPTH = 0.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "stack.vh"
`include "axi.vh"
module converge #(
  parameter WARPS = 32, BARRIER_MODE = 1, STACK_DEPTH = 16, PROBE = 1
) (
  input  wire           clk, rst_n,
  input  wire           clear_i,
  input  wire           halt_i,              // no instruction is begun: it would not retire
  input  wire           mode_stack_i,
  input  wire [31:0]    depth_i, spill_base_i, spill_size_i, code_base_i,
  // queue
  input  wire           push_i,
  input  uop_t          push_uop_i,
  input  wire [31:0]    push_exec_i, push_b_i,
  input  wire [1023:0]  push_a_i,
  // the dispatcher starts a warp
  input  wire           start_i,
  output wire           start_ready_o,
  input  wire [4:0]     start_warp_i,
  input  wire [31:0]    start_lanes_i, start_pc_i,
  // block barriers
  input  wire           block_start_i,
  input  wire [4:0]     block_slot_i,
  input  wire [10:0]    block_lanes_i,
  input  wire [5:0]     warps_block_i,
  output wire [4:0]     cur_warp_o,          // whose tables are wanted:
  input  wire [4:0]     cur_slot_i,          // its block slot,
  input  wire [4:0]     cur_first_i,         // and the first warp slot of the block
  output wire           warp_end_o,          // all lanes of cur_warp_o have exited
  // running groups
  output wire           run_o,
  output wire [4:0]     run_warp_o,
  output wire [31:0]    run_m_o, run_pc_o,
  input  wire [32*WARPS-1:0] act_i,
  // carriers of `.S`: see stack.v
  input  wire           look_i,
  input  wire [4:0]     look_warp_i,
  output wire [WARPS-1:0] filling_o, bad_o,
  input  wire           pop_i,
  input  wire [4:0]     pop_warp_i,
  input  wire           lsu_pop_i,
  input  wire [4:0]     lsu_warp_i,
  output wire           lsu_pop_o,
  input  wire [4:0]     bad_warp_i,
  output wire           bad_bus_o,
  output wire [31:0]    bad_addr_o,
  // retire
  input  wire           slot_retire_i, slot_keep_i, slot_none_i, mem_busy_i,
  output wire           late_o,              // somebody here has waited for long for a cycle to retire in
  output wire [11:0]    bound_o,             // see bound.v: a cycle to retire in, the dispatcher's new warp
  output wire           hold_issue_o, hold_mem_o,
  output wire           done_o,              // an instruction leaves the queue
  output wire           c_valid_o,           // it, or an unwinding, retires in this cycle
  output uop_t          c_uop_o,
  output wire [31:0]    c_exec_o, c_released_o, c_bbefore_o, c_bafter_o, c_pc_o, c_fault_m_o,
  output wire           c_gaveway_o,
  output wire [3:0]     c_fault_o,
  output wire [31:0]    c_fault_addr_o,      // of a bus error
  output stack_record_t c_stack_o,
  // barrier register for BMOV.R
  input  wire [4:0]     read_warp_i,
  input  wire [3:0]     read_bx_i,
  output wire [31:0]    read_o,
  // the probe's view of a warp
  input  wire [4:0]     probe_warp_i,
  output wire [1023:0]  probe_at_o,          // barrier mode
  output wire [31:0]    probe_pc_o,          // stack mode
  output wire [127:0]   probe_num_o,
  output wire [191:0]   probe_m_o,           // bar, syn, yld, blk, rdy, live
  output wire [31:0]    probe_depth_o,
  output wire           spill_busy_o,        // spills or fills are under way
  // AXI4: spills and fills
  output axi_read_t     axi_read_o,
  input  axi_read_answer_t axi_read_i,
  output axi_write_t    axi_write_o,
  input  axi_write_answer_t axi_write_i
);
  // ---- queue ----
  logic [`UOP_BITS-1:0] q_uop [0:3];
  logic [31:0]   q_exec [0:3];
  logic [31:0]   q_b    [0:3];
  logic [1023:0] q_a    [0:3];
  logic [2:0]    put_q, get_q;
  uop_t          op;
  assign op = q_uop[get_q[1:0]];
  wire [31:0]   exec = q_exec[get_q[1:0]], operand = q_b[get_q[1:0]];
  wire [1023:0] target = q_a[get_q[1:0]];
  // A new warp that has waited for long goes before the queue.
  wire          start_late;
  starve u_start (.clk(clk), .rst_n(rst_n), .wait_i(start_i && !start_ready_o), .late_o(start_late));
  bound #(.MAX(16384)) u_bound_start (
    .clk(clk), .rst_n(rst_n && !clear_i), .wait_i(start_i && !start_ready_o), .tick_i(1'b1), .late_o(bound_o[11:6])
  );
  bound #(.MAX(512)) u_bound_retire (
    .clk(clk), .rst_n(rst_n && !clear_i), .wait_i(late_o), .tick_i(1'b1), .late_o(bound_o[5:0])
  );
  wire          some = put_q != get_q && !halt_i && !start_late;
  always @(posedge clk) begin
    if (push_i) begin
      q_uop[put_q[1:0]]  <= push_uop_i;
      q_exec[put_q[1:0]] <= push_exec_i;
      q_b[put_q[1:0]]    <= push_b_i;
      q_a[put_q[1:0]]    <= push_a_i;
      put_q <= put_q + 3'd1;
    end
    if (done_o)
      get_q <= get_q + 3'd1;
    if (!rst_n || clear_i) begin
      put_q <= 3'd0;
      get_q <= 3'd0;
    end
  end

  // ---- the two units: what each says, b_ barriers, s_ stack ----
  wire         b_late, s_late;
  wire         b_ready, b_arrive, b_leave, b_release, b_end, b_run, b_hold, b_holdm, b_done, b_valid;
  wire [3:0]   b_bar, b_fault;
  wire [5:0]   b_lanes;
  wire [4:0]   b_cur, b_run_warp;
  wire         b_gaveway;
  wire [31:0]  b_run_m, b_run_pc, b_exec, b_released, b_pc, b_fault_m;
  wire [127:0] b_num;
  wire [191:0] b_m;
  uop_t        b_uop, s_uop;
  wire         s_ready, s_arrive, s_leave, s_release, s_end, s_run, s_hold, s_holdm, s_done, s_valid;
  wire [3:0]   s_bar, s_fault, s_num;
  wire [5:0]   s_lanes;
  wire [4:0]   s_cur;
  wire [31:0]  s_run_m, s_run_pc, s_exec, s_released, s_pc, s_fault_m, s_fill, s_live, s_barm, s_syn;
  wire [15:0]  complete;
  wire         stk = mode_stack_i;

  generate
    if (BARRIER_MODE != 0) begin : g_barrier
      conv #(.WARPS(WARPS), .PROBE(PROBE)) u_conv (
        .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .some_i(some && !stk), .op(op), .exec(exec),
        .operand(operand), .target_i(target), .start_i(start_i && !stk), .start_ready_o(b_ready),
        .start_warp_i(start_warp_i), .start_lanes_i(start_lanes_i), .start_pc_i(start_pc_i),
        .arrive_o(b_arrive), .leave_o(b_leave), .release_o(b_release), .bar_o(b_bar), .bar_lanes_o(b_lanes),
        .complete(complete), .warps_block_i(warps_block_i), .cur_warp_o(b_cur), .cur_first_i(cur_first_i),
        .warp_end_o(b_end), .run_o(b_run), .run_warp_o(b_run_warp), .run_m_o(b_run_m), .run_pc_o(b_run_pc),
        .act_i(act_i), .slot_keep_i(slot_keep_i), .slot_none_i(slot_none_i), .mem_busy_i(mem_busy_i),
        .late_o(b_late), .hold_issue_o(b_hold), .hold_mem_o(b_holdm), .done_o(b_done), .c_valid_o(b_valid), .c_uop_o(b_uop),
        .c_exec_o(b_exec), .c_released_o(b_released), .c_bbefore_o(c_bbefore_o), .c_bafter_o(c_bafter_o),
        .c_pc_o(b_pc), .c_gaveway_o(b_gaveway), .c_fault_o(b_fault), .c_fault_m_o(b_fault_m),
        .read_warp_i(read_warp_i), .read_bx_i(read_bx_i), .read_o(read_o), .probe_warp_i(probe_warp_i),
        .probe_at_o(probe_at_o), .probe_num_o(b_num), .probe_m_o(b_m)
      );
    end else begin : g_no_barrier
      assign {b_ready, b_arrive, b_leave, b_release, b_end, b_run, b_hold, b_holdm, b_done, b_valid} = 10'd0;
      assign b_late = 1'b0;
      assign {b_bar, b_fault, b_lanes, b_cur, b_run_warp, b_uop} = 0;
      assign {b_run_m, b_run_pc, b_exec, b_released, b_pc, b_fault_m, b_num, b_m} = 0;
      assign {c_bbefore_o, c_bafter_o, b_gaveway, read_o, probe_at_o} = 0;
      wire unused = &{1'b0, act_i, read_warp_i, read_bx_i};
    end
    if (STACK_DEPTH != 0) begin : g_stack
      stack #(.WARPS(WARPS), .DEPTH(STACK_DEPTH), .PROBE(PROBE)) u_stack (
        .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .halt_i(halt_i), .depth_i(depth_i), .spill_base_i(spill_base_i),
        .spill_size_i(spill_size_i), .some_i(some && stk), .op(op), .exec_i(exec), .operand_i(operand),
        .target_i(target), .start_i(start_i && stk), .start_ready_o(s_ready), .start_warp_i(start_warp_i),
        .start_lanes_i(start_lanes_i), .start_pc_i(start_pc_i), .arrive_o(s_arrive), .leave_o(s_leave),
        .release_o(s_release), .bar_o(s_bar), .bar_lanes_o(s_lanes), .complete_i(complete),
        .warps_block_i(warps_block_i), .cur_warp_o(s_cur), .cur_first_i(cur_first_i), .warp_end_o(s_end),
        .run_o(s_run), .run_m_o(s_run_m), .run_pc_o(s_run_pc), .look_i(look_i), .look_warp_i(look_warp_i),
        .filling_o(filling_o), .bad_o(bad_o),
        .pop_i(pop_i), .pop_warp_i(pop_warp_i), .lsu_pop_i(lsu_pop_i),
        .lsu_warp_i(lsu_warp_i), .lsu_pop_o(lsu_pop_o), .bad_warp_i(bad_warp_i), .bad_bus_o(bad_bus_o),
        .bad_addr_o(bad_addr_o), .slot_retire_i(slot_retire_i),
        .slot_keep_i(slot_keep_i), .slot_none_i(slot_none_i), .mem_busy_i(mem_busy_i), .late_o(s_late),
        .hold_issue_o(s_hold), .hold_mem_o(s_holdm),
        .done_o(s_done), .c_valid_o(s_valid), .c_uop_o(s_uop), .c_exec_o(s_exec),
        .c_released_o(s_released), .c_pc_o(s_pc), .c_fault_m_o(s_fault_m), .c_fault_o(s_fault), .c_fill_o(s_fill),
        .c_stack_o(c_stack_o), .probe_warp_i(probe_warp_i), .probe_pc_o(probe_pc_o), .probe_live_o(s_live),
        .probe_bar_o(s_barm), .probe_syn_o(s_syn), .probe_num_o(s_num), .probe_depth_o(probe_depth_o),
        .mem_busy_o(spill_busy_o),
        .axi_read_o(axi_read_o), .axi_read_i(axi_read_i), .axi_write_o(axi_write_o), .axi_write_i(axi_write_i)
      );
    end else begin : g_no_stack
      assign {s_ready, s_arrive, s_leave, s_release, s_end, s_run, s_hold, s_holdm, s_done, s_valid} = 10'd0;
      assign s_late = 1'b0;
      assign {s_bar, s_fault, s_num, s_lanes, s_cur, s_uop, c_stack_o} = 0;
      assign {s_run_m, s_run_pc, s_exec, s_released, s_pc, s_fault_m, s_fill, s_live, s_barm, s_syn} = 0;
      assign {filling_o, bad_o, lsu_pop_o, bad_bus_o, bad_addr_o, probe_pc_o, probe_depth_o} = 0;
      assign {spill_busy_o, axi_read_o, axi_write_o} = 0;
      wire unused = &{1'b0, depth_i, spill_base_i, spill_size_i, look_i, look_warp_i,
                      pop_i, pop_warp_i, lsu_pop_i, lsu_warp_i, bad_warp_i, axi_read_i, axi_write_i};
    end
  endgenerate

  assign start_ready_o = stk ? s_ready : b_ready;
  assign cur_warp_o    = stk ? s_cur : b_cur;
  assign warp_end_o    = stk ? s_end : b_end;
  assign run_o         = stk ? s_run : b_run;
  assign run_warp_o    = stk ? s_cur : b_run_warp;
  assign run_m_o       = stk ? s_run_m : b_run_m;
  assign run_pc_o      = stk ? s_run_pc : b_run_pc;
  assign hold_issue_o  = stk ? s_hold : b_hold;
  assign hold_mem_o    = stk ? s_holdm : b_holdm;
  assign late_o        = stk ? s_late : b_late;
  assign done_o        = stk ? s_done : b_done;
  assign c_valid_o     = stk ? s_valid : b_valid;
  assign c_uop_o       = stk ? s_uop : b_uop;
  assign c_exec_o      = stk ? s_exec : b_exec;
  assign c_gaveway_o   = !stk && b_gaveway;
  assign c_released_o  = stk ? s_released : b_released;
  assign c_pc_o        = stk ? s_pc : b_pc;
  assign c_fault_o     = stk ? s_fault : b_fault;
  assign c_fault_m_o   = stk ? s_fault_m : b_fault_m;
  // A fetch's or a fill's.
  `include "codes_gen.vh"
  assign c_fault_addr_o = c_fault_o != FAULT_BUS ? 32'd0
                        : c_uop_o.dec.fault == FAULT_BUS ? code_base_i + c_uop_o.pc : s_fill;
  assign probe_num_o   = stk ? {32{s_num}} : b_num;
  assign probe_m_o     = stk ? {s_barm, s_syn, 96'd0, s_live} : b_m;

  // ---- block barriers ----
  bar_block #(.WARPS(WARPS)) u_bar (
    .clk(clk), .start_i(block_start_i), .start_slot_i(block_slot_i), .start_lanes_i(block_lanes_i),
    .slot_i(cur_slot_i), .arrive_i(stk ? s_arrive : b_arrive), .leave_i(stk ? s_leave : b_leave),
    .release_i(stk ? s_release : b_release), .n_i(stk ? s_bar : b_bar), .lanes_i(stk ? s_lanes : b_lanes),
    .need_i(operand), .complete_o(complete)
  );
endmodule
`default_nettype wire

// The convergence unit's port, and the two mechanisms that it selects from: conv.v (barrier mode) and stack.v
// (stack mode).  An image is compiled for one; the mode register says which one works, the other
// stands still.  What both need is here: the queue of control instructions and the block barriers.
// A parameter leaves either out: BARRIER_MODE = 0, STACK_DEPTH = 0.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "axi.vh"
`include "launch.vh"
module converge #(
  parameter WARPS = 32, BARRIER_MODE = 1, STACK_DEPTH = 16, QUEUE = 4, LANES = 32, PROBE = 1
) (
  input  wire           clk, rst_n,
  input  wire           clear_i,
  input  wire           halt_i,              // no instruction is begun: it would not retire
  input  launch_t       launch_i,
  // queue
  input  wire           push_i,
  input  control_t      push_control_i,
  input  wire           early_i,             // one that reads no register, where no other is on its way: it can
  input  uop_t          early_uop_i,         // step in this cycle
  // the dispatcher starts a warp
  input  start_t        start_i,
  output wire           start_ready_o,
  // block barriers
  input  wire           block_start_i,
  input  wire [4:0]     block_slot_i,
  output wire [4:0]     warp_o,              // of the step; whose tables are wanted:
  input  wire [4:0]     slot_i, first_i,     // its block slot, and the first warp slot of the block
  // what a step does, running groups
  output step_t         step_o,
  input  wire [32*WARPS-1:0] active_i,
`ifdef COMMIT_PORT
  input  wire [WARPS-1:0] later_i,           // warps that must not unwind yet
`endif
  // carriers of `.S`: see stack.v
  input  look_t         look_i,
  input  carrier_t      carrier_i,
  output wire [WARPS-1:0] filling_o, bad_o,
  output wire           lsu_pop_o,
  output wire           bad_bus_o,
  output wire [31:0]    bad_addr_o,
  // retire
  input  slots_t        slots_i,
  output hold_t         hold_o,
  output wire [11:0]    bound_o,             // see bound.v: a cycle to retire in, the dispatcher's new warp
  output wire           commit_valid_o,      // an instruction, or an unwinding, retires in this cycle
  output control_commit_t commit_o,
  output stack_record_t record_o,
  // barrier register for BMOV.R
  input  wire [4:0]     bmov_warp_i,
  input  wire [3:0]     bmov_bx_i,
  output wire [31:0]    bmov_o,
  // the probe's views of the warps that retire: through the units' port, through the pipeline's
  input  wire [4:0]     probe_warp_i, pipe_warp_i,
  output view_t         view_o, pipe_view_o,
  // AXI4: spills and fills
  output wire           spill_busy_o,        // they are under way
  output axi_read_t     axi_read_o,
  input  axi_read_answer_t axi_read_i,
  output axi_write_t    axi_write_o,
  input  axi_write_answer_t axi_write_i
);
  `include "codes_gen.vh"
  // ---- queue ----
  // QUEUE, 1, 2 or 4: as many as issue sends (CONV_QUEUE); one alone is registers, no memory.
  localparam QB = QUEUE > 1 ? $clog2(QUEUE) : 1;
  logic [`CONTROL_BITS-1:0] control_q [0:QUEUE-1];
  logic [2:0]    put_q, get_q;
  wire  [QB-1:0] put_at = QUEUE == 1 ? {QB{1'b0}} : put_q[QB-1:0];
  wire  [QB-1:0] get_at = QUEUE == 1 ? {QB{1'b0}} : get_q[QB-1:0];
  control_t      head;
  control_t      pushed;                     // an early one has no target: the bits may be another's
  always_comb begin
    head   = control_q[get_at];
    pushed = push_control_i;
    if (early_i)
      {head.uop, head.exec, head.operand} = {early_uop_i, early_uop_i.active, 32'd0};
    if (!push_i)
      {pushed.uop, pushed.exec, pushed.operand} = {early_uop_i, early_uop_i.active, 32'd0};
  end
  wire           start_wait = start_i.valid && !start_ready_o;
  wire           start_late;                 // a new warp that has waited for long goes before the queue
  wire           some = (put_q != get_q || early_i) && !halt_i && !start_late;
  always @(posedge clk) begin
    if (push_i || (early_i && !step_o.done)) begin
      control_q[put_at] <= pushed;
      put_q <= put_q + 3'd1;
    end
    if (step_o.done && !early_i)
      get_q <= get_q + 3'd1;
    if (!rst_n || clear_i) begin
      put_q <= 3'd0;
      get_q <= 3'd0;
    end
  end
  starve u_start (.clk(clk), .rst_n(rst_n && !clear_i), .wait_i(start_wait), .late_o(start_late));
  bound #(.MAX(16384 * 32 / LANES)) u_bound_start (
    .clk(clk), .rst_n(rst_n && !clear_i), .wait_i(start_wait), .tick_i(1'b1), .late_o(bound_o[11:6])
  );
  bound #(.MAX(512)) u_bound_retire (
    .clk(clk), .rst_n(rst_n && !clear_i), .wait_i(hold_o.late), .tick_i(1'b1), .late_o(bound_o[5:0])
  );

  // ---- block barriers ----
  wire [15:0]    complete;
  block_t        block;
  assign block = {first_i, launch_i.warps_block[5:0], complete};
  bar_block #(.WARPS(WARPS)) u_bar (
    .clk(clk), .start_i(block_start_i), .start_slot_i(block_slot_i), .start_lanes_i(launch_i.threads[10:0]),
    .slot_i(slot_i), .arrive_i(step_o.arrive), .leave_i(step_o.leave), .release_i(step_o.release_bar),
    .n_i(step_o.bar), .lanes_i(step_o.lanes), .need_i(head.operand), .complete_o(complete)
  );

  // ---- the two mechanisms: b_ barriers, s_ stack ----
  wire             stk = BARRIER_MODE == 0 || (STACK_DEPTH != 0 && launch_i.mode_stack);
  start_t          b_start, s_start;
  always_comb begin
    {b_start, s_start} = {start_i, start_i};
    b_start.valid = start_i.valid && !stk;
    s_start.valid = start_i.valid && stk;
  end
  wire             b_ready, s_ready, b_valid, s_valid;
  wire [4:0]       b_warp, s_warp;
  step_t           b_step, s_step;
  hold_t           b_hold, s_hold;
  control_commit_t b_commit, s_commit, commit;
  view_t           b_view, s_view, b_pipe_view, s_pipe_view;
  generate
    if (BARRIER_MODE != 0) begin : g_barrier
      conv #(.WARPS(WARPS), .LANES(LANES), .PROBE(PROBE)) u_conv (
        .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .some_i(some && !stk), .head_i(head), .start_i(b_start),
        .start_ready_o(b_ready), .warp_o(b_warp), .block_i(block), .step_o(b_step), .slots_i(slots_i),
        .hold_o(b_hold), .commit_valid_o(b_valid), .commit_o(b_commit), .probe_warp_i(probe_warp_i),
        .pipe_warp_i(pipe_warp_i), .view_o(b_view), .pipe_view_o(b_pipe_view),
        .active_i(active_i), .bmov_warp_i(bmov_warp_i), .bmov_bx_i(bmov_bx_i), .bmov_o(bmov_o)
      );
    end else begin : g_no_barrier
      assign {b_ready, b_warp, b_step, b_hold, b_valid, b_commit, b_view, b_pipe_view, bmov_o} = 0;
      wire unused = &{1'b0, b_start, active_i, bmov_warp_i, bmov_bx_i};
    end
    if (STACK_DEPTH != 0) begin : g_stack
      stack #(.WARPS(WARPS), .DEPTH(STACK_DEPTH), .PROBE(PROBE)) u_stack (
`ifdef COMMIT_PORT
        .later_i(later_i),
`endif
        .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .some_i(some && stk), .head_i(head), .start_i(s_start),
        .start_ready_o(s_ready), .warp_o(s_warp), .block_i(block), .step_o(s_step), .slots_i(slots_i),
        .hold_o(s_hold), .commit_valid_o(s_valid), .commit_o(s_commit), .probe_warp_i(probe_warp_i),
        .pipe_warp_i(pipe_warp_i), .view_o(s_view), .pipe_view_o(s_pipe_view), .halt_i(halt_i), .launch_i(launch_i),
        .look_i(look_i), .carrier_i(carrier_i), .lsu_pop_o(lsu_pop_o), .filling_o(filling_o),
        .bad_o(bad_o), .bad_bus_o(bad_bus_o), .bad_addr_o(bad_addr_o), .record_o(record_o),
        .mem_busy_o(spill_busy_o), .axi_read_o(axi_read_o),
        .axi_read_i(axi_read_i), .axi_write_o(axi_write_o), .axi_write_i(axi_write_i)
      );
    end else begin : g_no_stack
      assign {s_ready, s_warp, s_step, s_hold, s_valid, s_commit, s_view, s_pipe_view, record_o} = 0;
      assign {filling_o, bad_o, lsu_pop_o, bad_bus_o, bad_addr_o} = 0;
      assign {spill_busy_o, axi_read_o, axi_write_o} = 0;
      wire unused = &{1'b0, s_start, look_i, carrier_i, axi_read_i, axi_write_i};
    end
  endgenerate

  // ---- the choice ----
  assign start_ready_o  = stk ? s_ready : b_ready;
  assign warp_o         = stk ? s_warp : b_warp;
  assign step_o         = stk ? s_step : b_step;
  assign hold_o         = stk ? s_hold : b_hold;
  assign commit_valid_o = stk ? s_valid : b_valid;
  assign commit         = stk ? s_commit : b_commit;
  assign {view_o, pipe_view_o} = PROBE == 0 ? 0 : stk ? {s_view, s_pipe_view} : {b_view, b_pipe_view};
  // The address of a bus error: of a fetch or of a fill.
  always_comb begin
    commit_o = commit;
    if (commit.uop.dec.fault == FAULT_BUS)
      commit_o.fault_addr = launch_i.code_base + commit.uop.pc;
    if (commit.fault != FAULT_BUS)
      commit_o.fault_addr = 32'd0;
  end
  wire unused = &{1'b0, launch_i};
endmodule
`default_nettype wire

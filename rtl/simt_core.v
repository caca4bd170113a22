// The core: instances only, in the order of the pipeline (README.md names the stages).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "axi.vh"
`include "launch.vh"
`include "lsu.vh"
`include "probed.vh"
`ifdef COMMIT_PORT
`include "commit_port.vh"
`endif
module simt_core #(
  parameter LANES        = 32,               // lanes that execute in a cycle: 1, 2, 4, 8, 16, 32
  parameter WARPS        = 32,               // at most 32
  parameter NREGS        = 256,              // a power of two, 64 to 256
  parameter SHARED_BYTES = 65536,
  parameter ICACHE_BYTES = 16384,
  parameter CONST_BYTES  = 2048,             // constant cache: a power of two, 256 to 4096; 0: none, nor c[imm]
  parameter TARGETS      = 16,               // first instructions of groups that are kept: 2 to 64; 0: none
  parameter BARRIER_MODE = 1,                // 0: no barrier registers, stack mode only
  parameter STACK_DEPTH  = 16,               // tokens of a warp on chip, 0 (barrier mode only) 4 8 16 32 64
  parameter F64_LANES    = 1,                // f64 lanes a cycle: 1, 2, 4; 0: no f64 unit
  parameter FLOAT_LANES  = 32,               // float lanes a cycle: 1 to 32, LANES at most; 0: no floats
  parameter SFU          = 1,                // 0: no MUFU
  parameter MATCH_SERIAL = 0,                // 1: MATCH lane after lane
  parameter CONV_QUEUE   = 4,                // control instructions under way: 1, 2, 4
  parameter CONV_LANES   = 32,               // lanes whose places the convergence unit looks at in a cycle: 1 to 32
  parameter TRACK        = 1,                // 0: a warp waits for its results, no scoreboard of registers
  parameter LSU_SLOTS    = 16,               // memory instructions in flight: 1, 2, 4, 8, 16
  parameter RANGE_SERIAL = 0,                // 1: memory ranges are looked at one after the other
  parameter PROBE        = 1
) (
  input  wire         clk,
  input  wire         rst_n,
`ifdef COMMIT_PORT
  // a board's (rtl/fpga)
  input  port_ask_t   port_i,
  output port_t       port_o,
`endif
  // one of several cores (rtl/cores); a core alone: 0, 1, 1, 0, 1, 0
  input  wire [2:0]   core_i,                // its number, and how many there are
  input  wire [3:0]   cores_i,
  input  wire         block_give_i,          // it may start the next block,
  input  wire         block_skip_i,          // another core has just started that
  input  wire         lock_i,                // it may do an atomic in global memory
  input  wire         stop_i,                // another core has a fault
  output wire         block_ask_o,           // it has room for a block, starts one,
  output wire         block_placing_o, block_done_o,   // has started it
  output wire         lock_o,                // it does an atomic in global memory, or wants to
  output wire         halted_o,              // after a fault or a stop
  // AXI4-Lite: launch and status
  input  wire         s_axil_awvalid, s_axil_wvalid, s_axil_arvalid, s_axil_bready, s_axil_rready,
  output wire         s_axil_awready, s_axil_wready, s_axil_arready, s_axil_bvalid, s_axil_rvalid,
  input  wire [11:0]  s_axil_awaddr, s_axil_araddr,
  input  wire [31:0]  s_axil_wdata,
  input  wire [3:0]   s_axil_wstrb,
  output wire [1:0]   s_axil_bresp, s_axil_rresp,
  output wire [31:0]  s_axil_rdata,
  // AXI4: memory; reads
  output wire         m_axi_arvalid,
  input  wire         m_axi_arready,
  output wire [4:0]   m_axi_arid,
  output wire [`ADDR_BITS-1:0] m_axi_araddr,
  output wire [7:0]   m_axi_arlen,
  output wire [2:0]   m_axi_arsize,
  output wire [1:0]   m_axi_arburst,
  input  wire         m_axi_rvalid, m_axi_rlast,
  output wire         m_axi_rready,
  input  wire [4:0]   m_axi_rid,
  input  wire [255:0] m_axi_rdata,
  input  wire [1:0]   m_axi_rresp,
  // writes
  output wire         m_axi_awvalid, m_axi_wvalid, m_axi_wlast, m_axi_bready,
  input  wire         m_axi_awready, m_axi_wready, m_axi_bvalid,
  output wire [4:0]   m_axi_awid,
  output wire [`ADDR_BITS-1:0] m_axi_awaddr,
  output wire [31:0]  m_axi_wstrb,
  output wire [7:0]   m_axi_awlen,
  output wire [2:0]   m_axi_awsize,
  output wire [1:0]   m_axi_awburst,
  output wire [255:0] m_axi_wdata,
  input  wire [4:0]   m_axi_bid,
  input  wire [1:0]   m_axi_bresp
);
  `include "codes_gen.vh"
  `include "isa_gen.vh"
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  assign s_axil_bresp  = 2'd0;
  assign s_axil_rresp  = 2'd0;
  assign m_axi_arsize  = 3'd5;
  assign m_axi_arburst = 2'd1;
  assign m_axi_awsize  = 3'd5;
  assign m_axi_awburst = 2'd1;
  wire unused = &{1'b0, s_axil_wstrb, m_axi_rresp[0], m_axi_bresp[0]};

  // Who the core is does not change: from a register it is no input, which would reach every operand.
  logic [2:0] core_q;
  logic [3:0] cores_q;
  always @(posedge clk)
    {core_q, cores_q} <= {core_i, cores_i};

  // ---- launch ----
  wire        start, stop_csr, busy, ended, halted;
  wire        stop = stop_csr || stop_i;
  assign      halted_o = halted;
  // What was begun when a grid ended, faulted or was stopped is still at work, or has no answer yet: until
  // then memory may change, and no other grid can start.
  wire        lsu_way, lsu_busy, fetch_busy, spill_busy;
  wire        draining = lsu_way || lsu_busy || fetch_busy || spill_busy;
  launch_t    launch;
  wire [16*`ADDR_BITS-1:0] range_base, range_limit;    // memory that the grid may touch
  wire [15:0] range_write;
  wire [3:0]  range_at;
  range_t     range;
  wire [63:0] clock, cycle, commits;
  fault_t     fault;
  csr #(.LANES(LANES), .WARPS(WARPS), .NREGS(NREGS), .SHARED_BYTES(SHARED_BYTES),
        .BARRIER_MODE(BARRIER_MODE), .STACK_DEPTH(STACK_DEPTH), .F64_LANES(F64_LANES),
        .CONST_BYTES(CONST_BYTES), .FLOAT_LANES(FLOAT_LANES), .SFU(SFU), .RANGE_SERIAL(RANGE_SERIAL)) u_csr (
    .clk(clk), .rst_n(rst_n), .s_awvalid_i(s_axil_awvalid), .s_wvalid_i(s_axil_wvalid),
    .s_bready_i(s_axil_bready), .s_arvalid_i(s_axil_arvalid), .s_rready_i(s_axil_rready),
    .s_awaddr_i(s_axil_awaddr), .s_araddr_i(s_axil_araddr), .s_wdata_i(s_axil_wdata),
    .s_awready_o(s_axil_awready), .s_wready_o(s_axil_wready), .s_arready_o(s_axil_arready),
    .s_bvalid_o(s_axil_bvalid), .s_rvalid_o(s_axil_rvalid), .s_rdata_o(s_axil_rdata),
    .start_o(start), .stop_o(stop_csr), .launch_o(launch),
    .range_base_o(range_base), .range_limit_o(range_limit), .range_write_o(range_write), .range_look_i(range_at),
    .range_look_o(range), .clock_o(clock),
    .busy_i(busy || draining), .ended_i(ended), .fault_i(fault), .cycles_i(cycle), .commits_i(commits)
  );

  wire         block_start, warp_start, warp_ready, tid_we;
  wire [4:0]   block_slot, start_warp, cur_warp, e1_warp, re_warp;
  wire [31:0]  block_linear, start_lanes;
  wire [9:0]   tid_thread;
  wire [29:0]  tid;
  place_t      cur_place, e1_place, re_place, wb_place;
  dispatcher #(.WARPS(WARPS), .PROBE(PROBE)) u_dispatcher (
`ifdef COMMIT_PORT
    .later_i(block_later),
`endif
    .clk(clk), .rst_n(rst_n), .start_i(start), .stop_i(stop), .launch_i(launch),
    .busy_o(busy), .ended_o(ended), .halted_i(halted),
    .ask_o(block_ask_o), .placing_o(block_placing_o), .give_i(block_give_i), .done_o(block_done_o), .skip_i(block_skip_i),
    .block_start_o(block_start), .block_slot_o(block_slot), .block_linear_o(block_linear),
    .warp_start_o(warp_start), .warp_ready_i(warp_ready), .warp_o(start_warp), .lanes_o(start_lanes),
    .warp_end_i(step.ended), .warp_end_slot_i(cur_place.slot), .tid_we_o(tid_we), .tid_thread_o(tid_thread),
    .tid_o(tid), .look0_i(cur_warp), .look1_i(e1_warp), .look2_i(re_warp), .look3_i(wb_uop.warp),
    .place0_o(cur_place), .place1_o(e1_place), .place2_o(re_place), .place3_o(wb_place)
  );

  // A board that repeats a schedule: who has to wait for its turn, and what the clock shows.
  wire [WARPS-1:0] later;
  wire [63:0]  shown;
`ifdef COMMIT_PORT
  wire         block_later = port_i.replay && !(port_i.place && port_i.slot == block_slot);
  assign       later = port_i.replay ? ~(WARPS'(port_i.turn) << port_i.slot) : {WARPS{1'b0}};
  assign       shown = port_i.replay ? port_i.clock : cycle;
`else
  assign       {later, shown} = {{WARPS{1'b0}}, cycle};
`endif

  // ---- fetch ----
  wire         rr_valid;
  uop_t        rr_uop;
  wire         rr_constant = rr_valid && (rr_uop.word[`INSN_CB]
                                          || (rr_uop.word[`INSN_OP] == OP_LDC && rr_uop.dec.unit == UNIT_ALU));
  wire [63:0]  constant;
  wire [71:0]  late;                         // who waits too long (harness/lockstep/progress.def)
  fetched_t    push;
  wire         push_stop, push_look, pop;
  wire [4:0]   pop_warp;
  step_t       step;                         // of the convergence unit, for warp cur_warp
  axi_read_t        ic_read;
  axi_read_answer_t ic_answer;
  fetch #(.WARPS(WARPS), .ICACHE_BYTES(ICACHE_BYTES), .CONST_BYTES(CONST_BYTES), .TARGETS(TARGETS)) u_fetch (
    .clk(clk), .rst_n(rst_n), .clear_i(start), .run_i(busy && !halted), .busy_o(fetch_busy),
    .code_base_i(launch.code_base), .code_size_i(launch.code_size),
    .const_base_i(launch.const_base), .const_size_i(launch.const_size), .const_read_i(rr_constant),
    .const_word_i(rr_uop.word), .const_wide_i(rr_uop.dec.b_sext), .const_value_o(constant),
    .go_i(step.run && step.next_active != 32'd0), .go_warp_i(cur_warp), .go_pc_i(step.next_pc), .push_o(push),
    .push_stop_i(push_stop), .push_look_i(push_look), .pop_i(pop), .pop_warp_i(pop_warp), .axi_read_o(ic_read), .axi_read_i(ic_answer),
    .late_o(late[29:18])
  );

  // ---- issue, register read ----
  wire [32*WARPS-1:0] active;                // running groups
  slots_t slots;
  hold_t  hold;
  wire  slot_write, done, early;
  wire  lsu_valid, lsu_first, lsu_last, lsu_pass, lsu_end, lsu_take, lsu_late;
  uop_t done_uop, lsu_uop, conv_uop, wb_uop;
  wire  rr_first, rr_last, rr_pass;
  wire [4:0] rr_beat, lsu_end_warp, pop_next_warp, lsu_free;
  wire       pop_next, lsu_pop, lsu_popped;  // a carrier of `.S` retires in the next cycle
  wire [WARPS-1:0] filling, bad;
  // While a fault of the convergence unit retires nothing issues any more: a store would still act.
  wire        cv_valid;
  control_commit_t cv;
  wire        faults = cv_valid && cv.fault != FAULT_NONE;
  wire        serial_done, serial_take;      // of a serial unit: results wait for slots; they have them
  issue #(.WARPS(WARPS), .NREGS(NREGS), .LANES(LANES), .F64_LANES(F64_LANES), .FLOAT_LANES(FLOAT_LANES), .SFU(SFU),
      .MATCH_SERIAL(MATCH_SERIAL), .CONV_QUEUE(CONV_QUEUE), .TRACK(TRACK)) u_issue (
    .clk(clk), .rst_n(rst_n), .clear_i(start), .mode_stack_i(launch.mode_stack), .push_i(push),
    .push_stop_o(push_stop), .push_look_o(push_look), .filling_i(filling | later), .bad_i(bad),
    .pop_o(pop), .pop_warp_o(pop_warp), .run_i(step.run), .run_warp_i(cur_warp),
    .next_active_i(step.next_active), .active_o(active),
    .hold_i(hold.issue || faults || halted || !busy), .lsu_free_i(lsu_free),
    .lsu_last_i(lsu_valid && lsu_last), .conv_done_i(step.done), .mem_done_i(lsu_take), .mem_done_warp_i(lsu_end_warp),
    // Several cores: reads of one sector by two loads might be answered in either order, with a write between them.
    .follow_i(cores_q == 4'd1),
    .lsu_way_o(lsu_way), .early_o(early), .serial_done_i(serial_done), .serial_take_o(serial_take),
    .done_i(done), .done_uop_i(done_uop), .rr_valid_o(rr_valid), .rr_uop_o(rr_uop), .rr_beat_o(rr_beat),
    .rr_first_o(rr_first), .rr_last_o(rr_last), .rr_pass_o(rr_pass), .slot_write_o(slot_write),
    .slots_o(slots), .lsu_late_i(lsu_late),
    .lsu_result_i(lw_valid), .conv_late_i(hold.late), .late_o(late[17:0]), .serial_bound_o(late[71:66])
  );

  // ---- execute ----
  wire [3:0]  e1_bx;
  wire        e1_sreg, conv_push, lw_valid, lw_ready, lw_last, lw_pass, wb_valid, wb_last;
  wire [4:0]  e1_num, e1_beat, lw_warp, lw_beat, wb_beat;
  wire [32*LANES-1:0] sreg;
  wire [31:0] barrier, all_exec, conv_b, conv_same, conv_target, wb_exec;
  wire [LANES-1:0] lsu_mask, lw_mask, wb_pd;
  wire [64*LANES-1:0] lsu_a, lsu_b, lsu_c, lw_data, wb_data;
  wire [6:0]  lw_pair;
  wire [1:0]  lw_half;
  execute #(.WARPS(WARPS), .NREGS(NREGS), .LANES(LANES), .F64_LANES(F64_LANES), .FLOAT_LANES(FLOAT_LANES), .SFU(SFU),
      .MATCH_SERIAL(MATCH_SERIAL), .PROBE(PROBE)) u_execute (
    .clk(clk), .rst_n(rst_n), .clear_i(start), .start_i(warp_start && warp_ready), .start_warp_i(start_warp),
    .rr_valid_i(rr_valid), .rr_first_i(rr_first), .rr_last_i(rr_last), .rr_pass_i(rr_pass),
    .rr_uop_i(rr_uop), .rr_beat_i(rr_beat), .e1_warp_o(e1_warp), .e1_bx_o(e1_bx), .e1_sreg_o(e1_sreg),
    .e1_sreg_num_o(e1_num), .e1_beat_o(e1_beat), .e1_sreg_i(sreg), .e1_constant_i(constant), .e1_barrier_i(barrier),
    .lsu_valid_o(lsu_valid), .lsu_first_o(lsu_first), .lsu_last_o(lsu_last), .lsu_pass_o(lsu_pass),
    .lsu_uop_o(lsu_uop), .lsu_mask_o(lsu_mask), .lsu_a_o(lsu_a), .lsu_b_o(lsu_b), .lsu_c_o(lsu_c),
    .conv_valid_o(conv_push), .conv_uop_o(conv_uop), .all_exec_o(all_exec), .conv_b_o(conv_b),
    .conv_same_o(conv_same), .conv_target_o(conv_target), .serial_done_o(serial_done), .serial_take_i(serial_take), .done_o(done),
    .done_uop_o(done_uop),
    .pop_o(pop_next), .pop_warp_o(pop_next_warp), .slot_write_i(slot_write),
    .lw_valid_i(lw_valid), .lw_ready_o(lw_ready), .lw_warp_i(lw_warp), .lw_beat_i(lw_beat),
    .lw_pair_i(lw_pair), .lw_half_i(lw_half), .lw_mask_i(lw_mask), .lw_data_i(lw_data),
    .wb_valid_o(wb_valid), .wb_last_o(wb_last), .wb_beat_o(wb_beat), .wb_uop_o(wb_uop),
    .wb_exec_o(wb_exec), .wb_data_o(wb_data), .wb_pd_o(wb_pd)
  );
  sreg #(.WARPS(WARPS), .LANES(LANES)) u_sreg (
    .clk(clk), .tid_we_i(tid_we), .tid_thread_i(tid_thread), .tid_i(tid), .en_i(e1_sreg), .num_i(e1_num),
    .beat_i(e1_beat), .place_i(e1_place), .launch_i(launch),
    .core_i(core_q), .cores_i(cores_q),
    .cycle_i(shown), .o(sreg)
  );
  // A result or an end of the LSU for which there has been no cycle.
  starve #(.PATIENCE(32)) u_starve (
    .clk(clk), .rst_n(rst_n), .wait_i((lw_valid && !lw_ready) || (lsu_end && !lsu_take && !hold.mem && !halted)), .late_o(lsu_late)
  );

  bound #(.MAX(512)) u_bound_lsu (
    .clk(clk), .rst_n(rst_n && !start), .wait_i(lsu_late), .tick_i(1'b1), .late_o(late[47:42])
  );

  // ---- convergence ----
  wire [3:0]   end_fault;
  view_t       view, pipe_view;
  stack_record_t stack_record;
  wire [31:0]  bad_addr;
  wire         bad_bus;
  control_t    control;
  start_t      begun;
  look_t       look;
  carrier_t    carrier;
  assign control = {conv_uop, all_exec, conv_b, conv_same, conv_target};
  assign begun   = {warp_start, start_warp, start_lanes, launch.entry};
  assign look = {push_look && launch.mode_stack, push.warp};
  assign carrier.pop       = pop_next && launch.mode_stack;
  assign carrier.pop_warp  = pop_next_warp;
  assign carrier.lsu_pop   = lsu_pop;
  assign carrier.lsu_warp  = lsu_end_warp;
  assign carrier.bad_warp  = lsu_uop.warp;
  axi_read_t         st_read;
  axi_read_answer_t  st_answer;
  axi_write_t        st_write;
  axi_write_answer_t st_written;
  converge #(.WARPS(WARPS), .BARRIER_MODE(BARRIER_MODE), .STACK_DEPTH(STACK_DEPTH), .QUEUE(CONV_QUEUE), .LANES(CONV_LANES),
      .PROBE(PROBE)) u_converge (
`ifdef COMMIT_PORT
    .later_i(later),
`endif
    .clk(clk), .rst_n(rst_n), .clear_i(start), .launch_i(launch),
    .halt_i(stop || halted || !busy || faults || (lsu_take && end_fault != FAULT_NONE)),
    .push_i(conv_push), .push_control_i(control), .early_i(early), .early_uop_i(rr_uop), .start_i(begun),
    .start_ready_o(warp_ready), .block_start_i(block_start),
    .block_slot_i(block_slot), .warp_o(cur_warp), .slot_i(cur_place.slot), .first_i(cur_place.first), .step_o(step), .active_i(active),
    .look_i(look), .carrier_i(carrier), .filling_o(filling), .bad_o(bad), .lsu_pop_o(lsu_popped), .bad_bus_o(bad_bus),
    .bad_addr_o(bad_addr), .slots_i(slots), .hold_o(hold), .bound_o(late[41:30]), .commit_valid_o(cv_valid),
    .commit_o(cv), .record_o(stack_record), .bmov_warp_i(e1_warp), .bmov_bx_i(e1_bx), .bmov_o(barrier),
    .probe_warp_i(re_warp), .pipe_warp_i(wb_uop.warp), .view_o(view), .pipe_view_o(pipe_view), .spill_busy_o(spill_busy),
    .axi_read_o(st_read), .axi_read_i(st_answer), .axi_write_o(st_write), .axi_write_i(st_written)
  );

  // ---- memory ----
  wire         lsu_take_ready;
  wire [3:0]   lsu_in_slot, lsu_end_slot;
  axi_read_t         ls_read;
  axi_read_answer_t  ls_answer;
  axi_write_t        ls_write;
  axi_write_answer_t ls_written;
  wire [31:0]  end_fault_m;
  wire [63:0]  end_fault_addr;
  lsu_record_t lsu_record;
  lsu #(.LANES(LANES), .WARPS(WARPS), .SHARED_BYTES(SHARED_BYTES), .SLOTS(LSU_SLOTS),
      .RANGE_SERIAL(RANGE_SERIAL)) u_lsu (
    .clk(clk), .rst_n(rst_n), .clear_i(start), .launch_i(launch), .range_base_i(range_base),
    .range_limit_i(range_limit), .range_write_i(range_write), .range_look_o(range_at), .range_look_i(range),
    .lock_o(lock_o), .lock_i(lock_i),
    .req_free_o(lsu_free), .req_slot_o(lsu_in_slot), .busy_o(lsu_busy), .req_valid_i(lsu_valid), .req_first_i(lsu_first),
    .req_last_i(lsu_last), .req_pass_i(lsu_pass), .req_beat_i(e1_beat), .req_uop_i(lsu_uop),
    .req_block_i(e1_place.slot), .req_mask_i(lsu_mask),
    .req_token_m_i(lsu_uop.word[`INSN_POP] && bad[lsu_uop.warp[WB-1:0]] ? lsu_uop.active : 32'd0),
    .req_token_bus_i(bad_bus), .req_token_addr_i(bad_addr),
    .req_a_i(lsu_a), .req_b_i(lsu_b), .req_c_i(lsu_c), .wb_valid_o(lw_valid), .wb_ready_i(lw_ready),
    .wb_last_o(lw_last), .wb_pass_o(lw_pass), .wb_warp_o(lw_warp), .wb_beat_o(lw_beat),
    .wb_pair_o(lw_pair), .wb_half_o(lw_half), .wb_mask_o(lw_mask), .wb_data_o(lw_data),
    .done_valid_o(lsu_end), .done_ready_i(lsu_take_ready), .done_slot_o(lsu_end_slot), .done_warp_o(lsu_end_warp),
    .done_fault_o(end_fault), .done_fault_m_o(end_fault_m), .done_fault_addr_o(end_fault_addr),
    .record_o(lsu_record), .axi_read_o(ls_read), .axi_read_i(ls_answer), .axi_write_o(ls_write),
    .axi_write_i(ls_written)
  );
  assign m_axi_awlen  = 8'd0;
  assign m_axi_wlast  = 1'b1;
  assign m_axi_bready = 1'b1;
  axi_arb u_axi (
    .clk(clk), .rst_n(rst_n), .ic_read_i(ic_read), .ic_read_o(ic_answer), .ls_read_i(ls_read),
    .ls_read_o(ls_answer), .ls_write_i(ls_write), .ls_write_o(ls_written), .st_read_i(st_read),
    .st_read_o(st_answer), .st_write_i(st_write), .st_write_o(st_written), .m_arvalid_o(m_axi_arvalid),
    .m_arready_i(m_axi_arready), .m_arid_o(m_axi_arid), .m_araddr_o(m_axi_araddr), .m_arlen_o(m_axi_arlen),
    .m_rvalid_i(m_axi_rvalid), .m_rready_o(m_axi_rready), .m_rid_i(m_axi_rid),
    .m_rdata_i(m_axi_rdata), .m_rlast_i(m_axi_rlast), .m_rerror_i(m_axi_rresp[1]), .m_awvalid_o(m_axi_awvalid),
    .m_awready_i(m_axi_awready), .m_awid_o(m_axi_awid), .m_awaddr_o(m_axi_awaddr),
    .m_wvalid_o(m_axi_wvalid), .m_wready_i(m_axi_wready), .m_wdata_o(m_axi_wdata), .m_wstrb_o(m_axi_wstrb),
    .m_bvalid_i(m_axi_bvalid), .m_berror_i(m_axi_bresp[1]), .m_bid_i(m_axi_bid), .late_o(late[65:48])
  );

  // ---- retire ----
  wire        re_valid, re_conv, pipe_valid;
  wire [3:0]  re_fault;
  wire [31:0] re_fault_m;
  wire [63:0] re_fault_addr;
  retire #(.SLOTS(LSU_SLOTS)) u_retire (
    .clk(clk), .rst_n(rst_n), .start_i(start), .stop_i(stop), .busy_i(busy), .clock_i(clock),
    .wb_valid_i(wb_valid),
    .wb_last_i(wb_last), .wb_uop_i(wb_uop), .cv_valid_i(cv_valid), .cv_i(cv), .ls_pop_o(lsu_pop), .ls_popped_i(lsu_popped),
    .ls_issue_i(lsu_valid && lsu_first), .ls_issue_slot_i(lsu_in_slot), .ls_uop_i(lsu_uop), .ls_valid_i(lsu_end),
    .ls_ready_o(lsu_take_ready), .ls_hold_i(hold.mem), .ls_slot_i(lsu_end_slot), .ls_warp_i(lsu_end_warp), .ls_fault_i(end_fault),
    .ls_fault_m_i(end_fault_m), .ls_fault_addr_i(end_fault_addr), .pipe_valid_o(pipe_valid), .valid_o(re_valid),
    .from_conv_o(re_conv), .from_lsu_o(lsu_take), .warp_o(re_warp), .place_i(re_place), .fault_o(re_fault),
    .fault_m_o(re_fault_m), .fault_addr_o(re_fault_addr), .halted_o(halted), .cycle_o(cycle),
    .count_o(commits), .first_o(fault)
  );
  // The commit records of both ports, and other events, which only the harness reads (probe.vlt).
`ifdef COMMIT_PORT
  wire [31:0] pipe_word, pipe_parity, pipe_weighed, unit_word, unit_parity, unit_weighed;
  commit_port u_port (
    .clk(clk), .rst_n(rst_n), .start_i(start), .ask_i(port_i), .busy_i(draining || busy), .issued_i(pop),
    .pipe_valid_i(pipe_valid), .pipe_slot_i(wb_uop.warp), .pipe_word_i(pipe_word), .pipe_sums_i({pipe_weighed, pipe_parity}),
    .unit_valid_i(re_valid), .unit_slot_i(re_warp), .unit_word_i(unit_word), .unit_sums_i({unit_weighed, unit_parity}),
    .place_valid_i(block_start), .place_slot_i(block_slot),
    .clock_valid_i(e1_sreg && e1_beat == 5'd0 && (e1_num == SREG_CLOCKLO || e1_num == SREG_CLOCKHI)),
    .clock_slot_i(e1_warp), .clock_i(shown), .port_o(port_o)
  );
`endif
`ifdef PROBED
  /* verilator lint_off PINCONNECTEMPTY */
  probe #(.SLOTS(LSU_SLOTS), .LANES(LANES), .PIPE(1)) u_probe_pipe (
    .clk(clk), .valid_i(pipe_valid && PROBE != 0), .from_conv_i(1'b0), .from_lsu_i(1'b0), .warp_i(wb_uop.warp),
    .fault_i(FAULT_NONE), .fault_m_i(32'd0), .fault_addr_i(64'd0), .cycle_i(cycle), .count_i(commits),
    .place_i(wb_place), .wb_valid_i(wb_valid), .wb_uop_i(wb_uop), .wb_beat_i(wb_beat), .wb_exec_i(wb_exec),
    .wb_data_i(wb_data), .wb_pd_i(wb_pd), .cv_i(cv), .stack_i(launch.mode_stack), .stack_record_i(stack_record),
    .view_i(pipe_view), .active_i(active[{wb_uop.warp, 5'd0} +: 32]), .lq_valid_i(1'b0), .lq_uop_i(wb_uop),
    .lq_slot_i(4'd0), .ls_slot_i(4'd0),
    .lq_exec_i(32'd0), .lw_valid_i(1'b0), .lw_pass_i(1'b0), .lw_beat_i(5'd0), .lw_data_i({64*LANES{1'b0}}),
`ifdef COMMIT_PORT
    .lw_half_i(2'd0), .at_i(port_i.at), .word_o(pipe_word), .parity_o(pipe_parity), .weighed_o(pipe_weighed),
`endif
    .lw_mask_i({LANES{1'b0}}), .ls_record_i({$bits(lsu_record){1'b0}}), .c_valid()
  );
  probe #(.SLOTS(LSU_SLOTS), .LANES(LANES), .PIPE(0)) u_probe_unit (
    .clk(clk), .valid_i(re_valid && PROBE != 0), .from_conv_i(re_conv), .from_lsu_i(lsu_take), .warp_i(re_warp),
    .fault_i(re_fault), .fault_m_i(re_fault_m), .fault_addr_i(re_fault_addr), .cycle_i(cycle),
    .count_i(commits + 64'(pipe_valid)), .place_i(re_place), .wb_valid_i(1'b0), .wb_uop_i(cv.uop), .wb_beat_i(5'd0),
    .wb_exec_i(32'd0), .wb_data_i({64*LANES{1'b0}}), .wb_pd_i({LANES{1'b0}}), .cv_i(cv),
    .stack_i(launch.mode_stack), .stack_record_i(stack_record), .view_i(view),
    .active_i(active[{re_warp, 5'd0} +: 32]),
    .lq_valid_i(lsu_valid && lsu_last), .lq_slot_i(lsu_in_slot), .ls_slot_i(lsu_end_slot), .lq_uop_i(lsu_uop), .lq_exec_i(all_exec),
    .lw_valid_i(lw_valid && lw_ready), .lw_pass_i(lw_pass), .lw_beat_i(lw_beat), .lw_data_i(lw_data),
`ifdef COMMIT_PORT
    .lw_half_i(lw_half), .at_i(port_i.at), .word_o(unit_word), .parity_o(unit_parity), .weighed_o(unit_weighed),
`endif
    .lw_mask_i(lw_mask), .ls_record_i(lsu_record), .c_valid()
  );
  probe_events u_events (
    .pipe_valid_i(pipe_valid && PROBE != 0), .unit_valid_i(re_valid && PROBE != 0),
    .k_valid_i(e1_sreg && e1_beat == 5'd0 && PROBE != 0), .k_warp_i(e1_warp), .k_num_i(e1_num),
    .p_valid_i(block_start), .p_slot_i(block_slot), .p_block_i(block_linear), .late_i(late), .p_commits(),
    .writes_i(lsu_record.writes & {9{lsu_take}}), .p_writes(),
    .reads_i(lsu_record.reads & {9{lsu_take}}), .p_reads(),
    .p_valid(), .p_slot(), .p_block(), .k_valid(), .k_slot(), .k_high(), .p_late(), .p_late_slot()
  );
  /* verilator lint_on PINCONNECTEMPTY */
`endif
  wire unused_more = &{1'b0, late, lw_last, cur_place, wb_place, step, view, pipe_view, pipe_valid};
endmodule
`default_nettype wire

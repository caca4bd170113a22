// What need not be the same in two copies of the convergence unit (stack mode), WARPS=4; see
// netlist_pair.pl.
// SPDX-License-Identifier: Apache-2.0
  // Promised: a guard's lanes are among those that run; there are four warps, and a block that is
  // walked lies within them.  During reset anything may be.
  uop_t u;
  assign u = op;
  wire warps = u.warp < 5'd4 && pop_warp_i < 5'd4 && lsu_warp_i < 5'd4 && start_warp_i < 5'd4
            && cur_first_i < 5'd4 && look_warp_i < 5'd4;
  wire ends  = {1'b0, S_index_q} + 6'd1 == warps_block_i;            // the last warp of the block
  wire ok    = !rst_n || (S_step_q <= 3'd5 && (S_step_q == 3'd0 || S_cur_q < 5'd4) && warps
                          && (exec_i & ~u.active) == 32'd0
                          && (S_step_q != 3'd3 || S_cur_q < 5'd3 || ends));
  wire kept  = o_N_step_q <= 3'd5 && (o_N_step_q == 3'd0 || o_N_cur_q < 5'd4);

  // Wires whose meaning hangs on another wire.
  wire [31:0]  care_run_m_o = {32{o_run_o}}, care_run_pc_o = {32{o_run_o}};
  wire [5:0]   care_bar_lanes_o = {6{o_arrive_o || o_leave_o}};
  wire [3:0]   care_bar_o = {4{o_arrive_o || o_release_o}};
  wire [31:0]  care_m_araddr_o = {32{o_m_arvalid_o}}, care_m_awaddr_o = {32{o_m_awvalid_o}};
  wire [255:0] care_m_wdata_o = {256{o_m_wvalid_o}};

  // Of the step: dead where the step that reads it comes after one that writes it.
  wire idle = S_step_q == 3'd0, then_idle = o_N_step_q == 3'd0;      // T_EXEC
  wire walk = S_step_q == 3'd2 || S_step_q == 3'd3;                  // T_HOLD, T_WALK
  wire then_walk = o_N_step_q == 3'd2 || o_N_step_q == 3'd3;
  wire [4:0]  dead_S_cur_q = {5{idle}}, care_N_cur_q = {5{!then_idle}};
  wire [4:0]  dead_S_index_q = {5{!walk}}, care_N_index_q = {5{then_walk}};
  wire [15:0] dead_S_bars_q = {16{!walk}}, care_N_bars_q = {16{then_walk}};
  wire [3:0]  dead_S_fault_q = {4{idle}}, care_N_fault_q = {4{!then_idle}};
  wire [31:0] dead_S_fault_m_q = {32{idle}}, care_N_fault_m_q = {32{!then_idle}};
  wire [31:0] dead_S_released_q = {32{idle}}, care_N_released_q = {32{!then_idle}};
  wire        dead_S_unwound_q = idle, care_N_unwound_q = !then_idle;

  // A commit: its fields while it is there; the faulting lanes if there is a fault.
  wire faults  = o_N_c_valid_o && o_N_c_fault_o != 4'd0;
  wire faulted = S_c_valid_o && S_c_fault_o != 4'd0;
  wire [31:0] care_N_c_exec_o = {32{o_N_c_valid_o}}, care_N_c_released_o = {32{o_N_c_valid_o}},
              care_N_c_fault_m_o = {32{faults}};
  // Where it goes on: of a carrier that pops, too.
  stack_record_t s_then, s_now;
  assign s_then = o_N_c_stack_o;
  assign s_now  = S_c_stack_o;
  wire goes = o_N_c_valid_o || s_then.popped, went = S_c_valid_o || s_now.popped;
  wire [31:0] care_N_c_pc_o = {32{goes}}, dead_S_c_pc_o = {32{!went}}, care_c_pc_o = {32{went}};
  wire [3:0]  care_N_c_fault_o = {4{o_N_c_valid_o}};
  wire [`UOP_BITS-1:0] care_N_c_uop_o = {`UOP_BITS{o_N_c_valid_o}},
                       dead_S_c_uop_o = {`UOP_BITS{!S_c_valid_o}},
                       care_c_uop_o = {`UOP_BITS{S_c_valid_o}};
  wire [31:0] dead_S_c_exec_o = {32{!S_c_valid_o}}, dead_S_c_released_o = {32{!S_c_valid_o}},
              dead_S_c_fault_m_o = {32{!faulted}};
  wire [3:0]  dead_S_c_fault_o = {4{!S_c_valid_o}};
  wire [31:0] care_c_exec_o = {32{S_c_valid_o}}, care_c_released_o = {32{S_c_valid_o}},
              care_c_fault_m_o = {32{faulted}};
  wire [3:0]  care_c_fault_o = {4{S_c_valid_o}};

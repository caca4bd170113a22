// What need not be the same in two copies of the convergence unit (stack mode), WARPS=4; see
// netlist_pair.pl.
// SPDX-License-Identifier: Apache-2.0
  // Promised: a guard's lanes are among those that run; there are four warps, and a block that is
  // walked lies within them.  During reset anything may be.
  control_t h;
  uop_t     u;
  start_t   fresh;
  block_t   block;
  carrier_t carrier;
  assign h       = head_i;
  assign u       = h.uop;
  assign fresh   = start_i;
  assign block   = block_i;
  assign carrier = carrier_i;
  wire warps = u.warp < 5'd4 && carrier.pop_warp < 5'd4 && carrier.lsu_warp < 5'd4
             && fresh.warp < 5'd4
            && block.first < 5'd4 && carrier.look_warp < 5'd4;
  wire ends  = {1'b0, S_u_walk_index_q} + 6'd1 == block.warps;       // the last warp of the block
  wire w_walk = S_u_walk_at_q == 2'd2;
  wire ok    = !rst_n || (S_step_q <= 2'd2 && (S_step_q == 2'd0 || S_cur_q < 5'd4) && warps
                          && (h.exec & ~u.active) == 32'd0 && (!w_walk || S_step_q == 2'd1)
                          && (S_step_q != 2'd0 || S_u_walk_at_q == 2'd0)
                          && (!w_walk || S_cur_q < 5'd3 || ends));
  wire kept  = o_N_step_q <= 2'd2 && (o_N_step_q == 2'd0 || o_N_cur_q < 5'd4);

  // Wires whose meaning hangs on another wire.
  step_t      s, care_s;
  axi_read_t  r, care_r;
  axi_write_t wr, care_wr;
  assign s  = o_step_o;
  assign r  = o_axi_read_o;
  assign wr = o_axi_write_o;
  always_comb begin
    care_s = {$bits(s){1'b1}};
    {care_s.next_active, care_s.next_pc} = {64{s.run}};
    care_s.lanes = {6{s.arrive || s.leave}};
    care_s.bar   = {4{s.arrive || s.release_bar}};
    care_r = {$bits(r){1'b1}};
    care_r.araddr = {32{r.arvalid}};
    care_wr = {$bits(wr){1'b1}};
    care_wr.awaddr = {32{wr.awvalid}};
    care_wr.wdata  = {256{wr.wvalid}};
  end
  wire [$bits(s)-1:0]  care_step_o = care_s;
  wire [$bits(r)-1:0]  care_axi_read_o = care_r;
  wire [$bits(wr)-1:0] care_axi_write_o = care_wr;

  // Of the step: dead where the step that reads it comes after one that writes it.
  wire idle = S_step_q == 2'd0, then_idle = o_N_step_q == 2'd0;      // T_EXEC
  wire walk = S_u_walk_at_q == 2'd1 || w_walk;                       // HOLD, WALK
  wire then_walk = o_N_u_walk_at_q == 2'd1 || o_N_u_walk_at_q == 2'd2;
  wire [4:0]  dead_S_cur_q = {5{idle}}, care_N_cur_q = {5{!then_idle}};
  wire [4:0]  dead_S_u_walk_index_q = {5{!walk}}, care_N_u_walk_index_q = {5{then_walk}};
  wire [15:0] dead_S_u_walk_bars_q = {16{!walk}}, care_N_u_walk_bars_q = {16{then_walk}};
  wire [3:0]  dead_S_fault_q = {4{idle}}, care_N_fault_q = {4{!then_idle}};
  wire [31:0] dead_S_fault_m_q = {32{idle}}, care_N_fault_m_q = {32{!then_idle}};
  wire [31:0] dead_S_released_q = {32{idle}}, care_N_released_q = {32{!then_idle}};
  wire        dead_S_unwound_q = idle, care_N_unwound_q = !then_idle;

  // A commit: its fields while it is there; the faulting lanes, if any; where it continues, a
  // carrier that pops, too.
  stack_record_t r_now, r_then;
  control_commit_t c_now, c_then, k_now, k_then;
  assign r_now  = S_record_o;
  assign r_then = o_N_record_o;
  assign c_now  = S_commit_o;
  assign c_then = o_N_commit_o;
  always_comb begin
    k_now  = {$bits(c_now){S_commit_valid_o}};
    k_then = {$bits(c_now){o_N_commit_valid_o}};
    k_now.next_pc  = {32{S_commit_valid_o || r_now.popped}};
    k_then.next_pc = {32{o_N_commit_valid_o || r_then.popped}};
    if (c_now.fault == 4'd0) k_now.fault_m = 32'd0;
    if (c_then.fault == 4'd0) k_then.fault_m = 32'd0;
  end
  wire [$bits(c_now)-1:0] care_commit_o = k_now, dead_S_commit_o = ~k_now, care_N_commit_o = k_then;

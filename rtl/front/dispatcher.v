// Starts the grid's blocks in linear order (x fastest), each in a block slot that is empty; slot k
// owns warp slots k * WARPS_BLOCK and up.  Before the first block it fills the table of thread
// indices, which is the same for every block: counters instead of divisions.
// Keeps, for every warp slot, which block and which warp of it is there.
// Of several cores each counts all blocks, and starts one when it may (rtl/cores/share_blocks.v).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "launch.vh"
module dispatcher #(
  parameter WARPS = 32, PROBE = 1
) (
  input  wire         clk, rst_n,
  input  wire         start_i, stop_i,
  input  launch_t     launch_i,
  output logic        busy_o, ended_o,
  input  wire         halted_i,              // a fault: no more blocks
  // several cores: there is room for a block, it may be this core's, it is being started, and has
  // been; another core has started it
  output wire         ask_o, placing_o, done_o,
  input  wire         give_i, skip_i,
`ifdef COMMIT_PORT
  input  wire         later_i,               // block_slot_o is not for the next block
`endif
  // a block starts, then its warps
  output wire         block_start_o,
  output wire [4:0]   block_slot_o,
  output wire [31:0]  block_linear_o,
  output wire         warp_start_o,
  input  wire         warp_ready_i,
  output wire [4:0]   warp_o,
  output wire [31:0]  lanes_o,
  input  wire         warp_end_i,
  input  wire [4:0]   warp_end_slot_i,       // block slot of the warp that ends
  // thread indices: entry of a lane
  output wire         tid_we_o,
  output wire [9:0]   tid_thread_o,
  output wire [29:0]  tid_o,                 // z, y, x
  // which block is where, for four warp slots: for the convergence unit, where it is in the core; for
  // E1, all but the number; for what retires, number and warp, and for the probe all, as for the last
  input  wire [4:0]   look0_i, look1_i, look2_i, look3_i,
  output place_t      place0_o, place1_o, place2_o, place3_o
);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  localparam [2:0] D_IDLE = 3'd0, D_TIDS = 3'd1, D_FIND = 3'd2, D_BLOCK = 3'd3, D_WARPS = 3'd4;
  logic [2:0]   state_q;
  logic [`PLACE_BITS-1:0] place_q [0:WARPS-1];
  logic [5:0]   live_q [0:WARPS-1];          // warps of each block slot that have not ended
  logic [WARPS-1:0] used_q;
  logic [31:0]  x_q, y_q, z_q, linear_q;     // next block
  logic [10:0]  tx_q, ty_q, tz_q;            // next thread: a block has 1024 at most
  logic [10:0]  thread_q;
  logic [4:0]   slot_q, first_q, index_q;    // slot looked at, its first warp slot, next warp to start
  wire          all_started = z_q == launch_i.grid_z;
  wire  [10:0]  threads   = launch_i.threads[10:0];
  wire          last_warp = {1'b0, index_q} + 6'd1 == launch_i.warps_block[5:0];

  place_t       at0, at1, at2, at3;
  assign at0 = place_q[look0_i[WB-1:0]];
  assign at1 = place_q[look1_i[WB-1:0]];
  assign at2 = place_q[look2_i[WB-1:0]];
  assign at3 = place_q[look3_i[WB-1:0]];
  // Each port of the memory has what is looked at there.
  always_comb begin
    {place0_o, place1_o, place2_o, place3_o} = {4*`PLACE_BITS{1'b0}};
    {place0_o.first, place0_o.slot} = {at0.first, at0.slot};
    place1_o = at1;
    {place1_o.block, place1_o.first} = {37{1'b0}};
    {place2_o.block, place2_o.warp} = {at2.block, at2.warp};
    if (PROBE != 0)
      {place2_o, place3_o} = {at2, at3};
  end
`ifdef COMMIT_PORT
  wire   passes = later_i;
`else
  wire   passes = 1'b0;
`endif
  assign tid_we_o       = state_q == D_TIDS;
  assign tid_thread_o   = thread_q[9:0];
  assign tid_o          = {tz_q[9:0], ty_q[9:0], tx_q[9:0]};
  assign ask_o          = state_q == D_FIND && !all_started && !used_q[slot_q[WB-1:0]] && !passes;
  assign placing_o      = state_q == D_BLOCK || state_q == D_WARPS;
  assign done_o         = state_q == D_WARPS && warp_ready_i && last_warp;
  assign block_start_o  = state_q == D_BLOCK && !halted_i;
  assign block_slot_o   = slot_q;
  assign block_linear_o = linear_q;
  assign warp_start_o   = state_q == D_WARPS && !halted_i;
  assign warp_o         = first_q + index_q;
  assign lanes_o        = threads[10:5] > {1'b0, index_q} ? 32'hffff_ffff
                        : ~(32'hffff_ffff << threads[4:0]);

  // The point after {z, y, x} in a box of these sides, x fastest.
  function automatic [95:0] after(input [31:0] z, y, x, side_y, side_x);
    if (x + 32'd1 != side_x)      after = {z, y, x + 32'd1};
    else if (y + 32'd1 != side_y) after = {z, y + 32'd1, 32'd0};
    else                          after = {z + 32'd1, 64'd0};
  endfunction
  // The same of threads.
  function automatic [32:0] next(input [10:0] z, y, x, side_y, side_x);
    if (x + 11'd1 != side_x)      next = {z, y, x + 11'd1};
    else if (y + 11'd1 != side_y) next = {z, y + 11'd1, 11'd0};
    else                          next = {z + 11'd1, 22'd0};
  endfunction

  always @(posedge clk) begin
    if (warp_end_i) begin
      live_q[warp_end_slot_i[WB-1:0]] <= live_q[warp_end_slot_i[WB-1:0]] - 6'd1;
      if (live_q[warp_end_slot_i[WB-1:0]] == 6'd1)
        used_q[warp_end_slot_i[WB-1:0]] <= 1'b0;
    end
    case (state_q)
      D_TIDS: begin
        thread_q <= thread_q + 11'd1;
        {tz_q, ty_q, tx_q} <= next(tz_q, ty_q, tx_q, launch_i.block_y[10:0], launch_i.block_x[10:0]);
        if (thread_q + 11'd1 >= threads)
          state_q <= D_FIND;
      end
      D_FIND:
        if (all_started) begin
          if (used_q == {WARPS{1'b0}}) begin
            state_q <= D_IDLE;
            busy_o  <= 1'b0;
            ended_o <= 1'b1;
          end
        end else if (ask_o) begin
          if (give_i) state_q <= D_BLOCK;
        end else if ({1'b0, slot_q} + 6'd1 == launch_i.block_slots[5:0]) begin
          slot_q  <= 5'd0;
          first_q <= 5'd0;
        end else begin
          slot_q  <= slot_q + 5'd1;
          first_q <= first_q + launch_i.warps_block[4:0];
        end
      D_BLOCK: begin
        used_q[slot_q[WB-1:0]] <= 1'b1;
        live_q[slot_q[WB-1:0]] <= launch_i.warps_block[5:0];
        index_q <= 5'd0;
        state_q <= D_WARPS;
      end
      D_WARPS: if (warp_ready_i) begin
        place_q[warp_o[WB-1:0]] <= {z_q, y_q, x_q, linear_q, first_q, index_q, slot_q};
        index_q <= index_q + 5'd1;
        if (last_warp)
          state_q <= D_FIND;
      end
      default: ;
    endcase
    if (done_o || skip_i) begin
      linear_q <= linear_q + 32'd1;
      {z_q, y_q, x_q} <= after(z_q, y_q, x_q, launch_i.grid_y, launch_i.grid_x);
    end
    if (start_i) begin
      state_q  <= D_TIDS;
      busy_o   <= 1'b1;
      ended_o  <= 1'b0;
      used_q   <= {WARPS{1'b0}};
      slot_q   <= 5'd0;
      first_q  <= 5'd0;
      {x_q, y_q, z_q, linear_q, tx_q, ty_q, tz_q} <= 161'd0;
      thread_q <= 11'd0;
    end
    // A start ends the halt, which retire.v still shows in its cycle.
    if (stop_i || (halted_i && !start_i) || !rst_n) begin
      state_q <= D_IDLE;
      busy_o  <= 1'b0;
    end
    if (!rst_n)
      ended_o <= 1'b0;
  end
  wire unused = &{1'b0, look0_i, look1_i, look2_i, look3_i, warp_end_slot_i, at0, at1, at2, at3, launch_i};
endmodule
`default_nettype wire

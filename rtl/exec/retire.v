// Retire, through two ports: the pipeline's, and one for the convergence unit and the LSU, of which the
// convergence unit goes first.  The order in which instructions retire is the commit order; of two that retire in
// one cycle, which are never of one warp, the pipeline's comes first.  Where the LSU's instruction carries `.S`, it
// waits until the stack unit has popped.  The first fault, which never is the pipeline's, stops everything.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "converge.vh"
`include "launch.vh"
module retire #(
  parameter SLOTS = 16                       // of the LSU
) (
  input  wire         clk, rst_n,
  input  wire         start_i, stop_i, busy_i,
  input  wire [63:0]  clock_i,               // what cycle_o is in the grid's first cycle
  // pipeline
  input  wire         wb_valid_i, wb_last_i,
  input  uop_t        wb_uop_i,
  // convergence unit
  input  wire         cv_valid_i,
  input  control_commit_t cv_i,
  // LSU
  output wire         ls_pop_o,              // what ends in the LSU is a carrier of `.S`:
  input  wire         ls_popped_i,           // the stack unit pops, so that it can retire in the next cycle
  input  wire         ls_issue_i,            // a memory instruction goes to the LSU, into a slot
  input  wire [3:0]   ls_issue_slot_i,
  input  uop_t        ls_uop_i,
  input  wire         ls_valid_i,
  output wire         ls_ready_o,
  input  wire         ls_hold_i,
  input  wire [3:0]   ls_slot_i,             // that of the one that ends, and its warp
  input  wire [4:0]   ls_warp_i,
  input  wire [3:0]   ls_fault_i,
  input  wire [31:0]  ls_fault_m_i,
  input  wire [63:0]  ls_fault_addr_i,
  // the pipeline's port
  output wire         pipe_valid_o,
  // the units' port, and which one it is
  output wire         valid_o,
  output wire         from_conv_o, from_lsu_o,
  output wire [4:0]   warp_o,
  input  place_t      place_i,               // of warp_o
  output wire [3:0]   fault_o,
  output wire [31:0]  fault_m_o,
  output wire [63:0]  fault_addr_o,
  output logic        halted_o,
  // status
  output logic [63:0] cycle_o, count_o,
  output fault_t      first_o                // the first fault
);
  localparam SB = SLOTS > 1 ? $clog2(SLOTS) : 1;
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  logic [31:0] pc_q [0:SLOTS-1];             // of the memory instructions in the LSU
  logic        pop_q [0:SLOTS-1];            // they carry `.S`
  logic        popped_q;
  wire carrier = pop_q[ls_slot_i[SB-1:0]] && ls_fault_i == FAULT_NONE;
  assign ls_pop_o = ls_valid_i && carrier && !popped_q;
  wire from_wb = wb_valid_i && wb_last_i && wb_uop_i.dec.unit != UNIT_CTL;
  assign from_conv_o = cv_valid_i;
  assign from_lsu_o  = ls_valid_i && ls_ready_o;
  assign ls_ready_o  = !cv_valid_i && !ls_hold_i && !halted_o && (!carrier || popped_q);
  assign pipe_valid_o = from_wb && !halted_o && busy_i;
  assign valid_o     = (cv_valid_i || from_lsu_o) && !halted_o && busy_i;
  assign warp_o      = from_lsu_o ? ls_warp_i : cv_i.uop.warp;
  assign fault_o     = from_lsu_o ? ls_fault_i : cv_valid_i ? cv_i.fault : FAULT_NONE;
  assign fault_m_o   = fault_o == FAULT_NONE ? 32'd0 : from_lsu_o ? ls_fault_m_i
                     : cv_i.fault_m;
  assign fault_addr_o = fault_o == FAULT_NONE ? 64'd0 : from_lsu_o ? ls_fault_addr_i : {32'd0, cv_i.fault_addr};
  always @(posedge clk) begin
    if (ls_issue_i) begin
      pc_q[ls_issue_slot_i[SB-1:0]]  <= ls_uop_i.pc;
      pop_q[ls_issue_slot_i[SB-1:0]] <= ls_uop_i.word[`INSN_POP];
    end
    popped_q <= ls_popped_i && rst_n && !start_i;
    if (busy_i)
      cycle_o <= cycle_o + 64'd1;
    count_o <= count_o + 64'(pipe_valid_o) + 64'(valid_o);
    if (valid_o && fault_o != FAULT_NONE) begin
      halted_o  <= 1'b1;
      first_o.code <= fault_o;
      first_o.pc    <= from_lsu_o ? pc_q[ls_slot_i[SB-1:0]] : cv_i.uop.pc;
      first_o.block <= place_i.block;
      first_o.warp  <= place_i.warp;
      first_o.lanes <= fault_m_o;
      first_o.addr  <= fault_addr_o;
    end
    if (start_i || !rst_n) begin
      cycle_o   <= clock_i;
      count_o   <= 64'd0;
      halted_o  <= 1'b0;
      first_o   <= {$bits(first_o){1'b0}};    // FAULT_NONE
    end
    if (stop_i)
      halted_o <= 1'b1;
  end
  wire unused = &{1'b0, ls_uop_i, cv_i, wb_uop_i, place_i, ls_slot_i, ls_issue_slot_i};
endmodule
`default_nettype wire

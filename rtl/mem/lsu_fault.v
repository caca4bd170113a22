// The fault of the oldest memory instruction in flight that has one: of all that its lanes meet the
// lowest number, with every lane that has it and the address of the lowest of them.  Those of
// younger ones do not matter, since a fault stops everything after it.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_fault #(
  parameter SLOT = 1                         // bits of a slot's number
) (
  input  wire            clk,
  input  wire            clear_i,            // nothing is in flight
  input  wire [SLOT-1:0] out_i,              // the oldest instruction's slot
  input  wire            valid_i,            // lanes of an instruction fault
  input  wire [SLOT-1:0] slot_i,
  input  wire [3:0]      fault_i,
  input  wire [31:0]     m_i,
  input  wire [4:0]      lane_i,             // the lowest of them, and its address
  input  wire [63:0]     addr_i,
  output logic [3:0]     fault_o,
  output logic [SLOT-1:0] slot_o,
  output logic [31:0]    m_o,
  output logic [63:0]    addr_o
);
  `include "codes_gen.vh"
  logic [4:0]     lane_q;
  wire [SLOT-1:0] age = slot_i - out_i, age_o = slot_o - out_i;      // 0: the oldest
  wire            same  = slot_i == slot_o;
  wire            worse = fault_o == FAULT_NONE || (same ? fault_i < fault_o : age < age_o);
  always_ff @(posedge clk)
    if (clear_i) fault_o <= FAULT_NONE;
    else if (valid_i && (worse || (same && fault_i == fault_o))) begin
      fault_o <= fault_i;
      slot_o  <= slot_i;
      m_o     <= worse ? m_i : m_o | m_i;
      if (worse || lane_i < lane_q) begin
        lane_q <= lane_i;
        addr_o <= addr_i;
      end
    end
endmodule
`default_nettype wire

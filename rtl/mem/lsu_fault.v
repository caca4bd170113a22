// The fault of a memory instruction: of all that its lanes meet the lowest number, with every lane
// that has it and the address of the lowest of them.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_fault (
  input  wire         clk,
  input  wire         first_i,       // an instruction begins: what the one before left is forgotten
  input  wire  [31:0] token_m_i,         // not zero: it has these lanes' FAULT_TOKEN to begin with,
  input  wire         token_bus_i,           // or FAULT_BUS at that address
  input  wire  [31:0] token_addr_i,
  input  wire         valid_i,               // lanes that fault, perhaps with the first beat
  input  wire  [3:0]  fault_i,
  input  wire  [31:0] m_i,
  input  wire  [4:0]  lane_i,                // the lowest of them, and its address
  input  wire  [63:0] addr_i,
  output logic [3:0]  fault_o,
  output logic [31:0] m_o,
  output logic [63:0] addr_o
);
  `include "codes_gen.vh"
  logic [4:0] lane_q;
  wire        token = token_m_i != '0;
  wire        worse = first_i || fault_o == FAULT_NONE || fault_i < fault_o;
  always_ff @(posedge clk)
    if (valid_i && (worse || fault_i == fault_o)) begin
      fault_o <= fault_i;
      m_o     <= worse ? m_i : m_o | m_i;
      if (worse || lane_i < lane_q) begin
        lane_q <= lane_i;
        addr_o <= addr_i;
      end
    end else if (first_i) begin
      fault_o <= !token ? FAULT_NONE : token_bus_i ? FAULT_BUS : FAULT_TOKEN;
      m_o     <= token_m_i;
      addr_o  <= {32'd0, token && token_bus_i ? token_addr_i : 32'd0};
    end
endmodule
`default_nettype wire

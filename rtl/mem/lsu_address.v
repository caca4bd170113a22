// Addresses of one beat of lanes: base plus offset, the space each lane means, and what is wrong
// with it. Whether a global address lies in a range that may be touched is not seen here but sector
// by sector (lsu_walk.v): that takes one comparator instead of one a lane.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module lsu_address #(
  parameter LANES = 32
) (
  input  wire                 en_i,        // the outputs are 0 without it
  input  wire  [LANES-1:0]    mask_i,
  input  wire  [64*LANES-1:0] a_i,
  input  wire  [23:0]         off_i,
  input  wire  [2:0]          space_i,
  input  wire                 atom_i,
  input  wire  [4:0]          size_i,      // bytes a lane
  input  wire  [31:0]         const_size_i,
  input  wire  [31:0]         local_size_i,
  input  wire  [31:0]         shared_size_i,
  output logic [`ADDR_BITS*LANES-1:0] addr_o,    // in the lane's space; 0 in lanes outside the mask
  output logic [LANES-1:0]    device_m_o,  // lanes in the physical space: global and constant
  output logic [LANES-1:0]    shared_m_o,
  output logic [LANES-1:0]    local_m_o,
  output logic [2:0]          space_o,     // space of the lowest lane of the mask
  output logic [3:0]          fault_o,     // the beat's most important fault
  output logic [LANES-1:0]    fault_m_o,   // lanes that have it
  output logic [63:0]         fault_addr_o // full address of the lowest of them
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  localparam AB = `ADDR_BITS;
  logic [63:0] full;
  logic [32:0] behind;
  logic [31:0] size;
  logic [2:0]  space;
  logic [63:0] addr_mis, addr_range, addr_space;
  logic [LANES-1:0] misaligned_m, range_m, space_m;

  always_comb begin
    addr_o = '0;
    {device_m_o, shared_m_o, local_m_o, misaligned_m, range_m, space_m} = '0;
    {full, behind, size, space, space_o} = '0;
    {addr_mis, addr_range, addr_space} = '0;
    if (en_i)
      for (int l = LANES - 1; l >= 0; l--)   // downwards: what is said of the lowest lane stays
        if (mask_i[l]) begin
          full = a_i[64*l +: 64] + {{40{off_i[23]}}, off_i};
          space = space_i;
          if (space_i == SPACE_GENERIC)
            space = full[63:32] == 32'd1 ? SPACE_SHARED : full[63:32] == 32'd2 ? SPACE_LOCAL
                  : full[63:`GENERIC_BITS] == '0 ? SPACE_GLOBAL : SPACE_GENERIC;
          else if (space_i != SPACE_GLOBAL)
            full[63:32] = '0;
          addr_o[AB*l +: AB] = space == SPACE_SHARED || space == SPACE_LOCAL ? AB'(full[31:0])
                                                                             : full[AB-1:0];
          behind = {1'b0, full[31:0]} + 33'(size_i);
          space_o = space;
          device_m_o[l] = space == SPACE_GLOBAL || space == SPACE_CONST;
          shared_m_o[l] = space == SPACE_SHARED;
          local_m_o[l]  = space == SPACE_LOCAL;
          if ((full[4:0] & (size_i - 5'd1)) != '0) begin
            misaligned_m[l] = 1'b1;
            addr_mis = full;
          end else if (space == SPACE_GENERIC || (space == SPACE_LOCAL && atom_i)) begin
            space_m[l] = 1'b1;
            addr_space = full;
          end else begin
            size = space == SPACE_CONST ? const_size_i
                 : space == SPACE_LOCAL ? local_size_i : shared_size_i;
            if (space == SPACE_GLOBAL ? full[63:AB] != '0 : behind > {1'b0, size}) begin
              range_m[l]  = 1'b1;
              device_m_o[l] = 1'b0;
              addr_range    = full;
            end
          end
        end
    fault_o = FAULT_NONE;
    {fault_m_o, fault_addr_o} = '0;
    if (misaligned_m != '0) begin
      fault_o = FAULT_MISALIGNED;
      fault_m_o = misaligned_m;
      fault_addr_o = addr_mis;
    end else if (range_m != '0) begin
      fault_o = FAULT_RANGE;
      fault_m_o = range_m;
      fault_addr_o = addr_range;
    end else if (space_m != '0) begin
      fault_o = FAULT_SPACE;
      fault_m_o = space_m;
      fault_addr_o = addr_space;
    end
  end
endmodule
`default_nettype wire

// Looks up a run of bytes in the memory ranges of the launch: inside one of them, and may it be
// written? A run that two adjoining ranges cover only together is not inside either: one access,
// one range.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module ranges (
  input  wire  [4:0]   count_i,      // ranges in use
  input  wire  [16*`ADDR_BITS-1:0] base_i,     // first byte of range r in bits AB*r +: AB
  input  wire  [16*`ADDR_BITS-1:0] limit_i,      // first byte after it
  input  wire  [15:0]  write_i,      // range r may be written
  input  wire          en_i,         // the outputs are 0 without it
  input  wire  [`ADDR_BITS-1:0] first_i, // the run, both ends included
  input  wire  [`ADDR_BITS-1:0] last_i,
  output logic         inside_o,
  output logic         write_o,
  // where the first range that holds it begins and ends, or the first that holds it and may be
  // written
  output logic [`ADDR_BITS-1:0] base_o,
  output logic [`ADDR_BITS-1:0] limit_o
);
  localparam AB = `ADDR_BITS;
  logic hit, first;
  always_comb begin
    {inside_o, write_o, base_o, limit_o, hit, first} = '0;
    if (en_i)
      for (int r = 0; r < 16; r++) begin
        hit = 5'(r) < count_i && first_i >= base_i[AB*r +: AB] && last_i < limit_i[AB*r +: AB];
        first = hit && !write_o && (write_i[r] || !inside_o);
        if (first) {base_o, limit_o} = {base_i[AB*r +: AB], limit_i[AB*r +: AB]};
        inside_o = inside_o | hit;
        write_o  = write_o | (hit & write_i[r]);
      end
  end
endmodule
`default_nettype wire

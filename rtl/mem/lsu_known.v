// Whether the lanes of a beat lie within one memory range, of those in which groups were found
// last: then no group of it needs to be looked at again.  A lane counts when its whole sector does,
// which saves comparing offsets: at the end of a range that ends within a sector, groups are looked
// at.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module lsu_known #(
  parameter LANES   = 32,
  parameter ENTRIES = 4                      // ranges that are kept
) (
  input  wire                  clk,
  input  wire                  clear_i,      // the ranges may have changed
  // a group was found in a range
  input  wire                  found_i, write_i,
  input  wire  [`ADDR_BITS-1:0] base_i, limit_i,
  // a beat; accesses are aligned, so each is within one sector
  input  wire                  en_i,
  input  wire                  store_i,      // the range must allow writing
  input  wire  [LANES-1:0]     mask_i,
  input  wire  [`ADDR_BITS*LANES-1:0] addr_i,
  output logic                 known_o       // also of an empty beat
);
  localparam EB = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
  logic [ENTRIES-1:0] valid_q, write_q;
  localparam AB = `ADDR_BITS, SEC = AB - 5;  // bits of an address, of a sector's number
  logic [SEC-1:0]     first_q [0:ENTRIES-1]; // its sectors: the first that it holds whole,
  logic [SEC-1:0]     limit_q [0:ENTRIES-1]; // and the first after them
  logic [EB-1:0]      next_q;                // the entry that is replaced next
  // A range that begins within the last sector of all holds none whole: first would be sector 0.
  wire                part = base_i[4:0] != 5'd0, last = part && (&base_i[AB-1:5]);
  wire  [SEC-1:0]     first = base_i[AB-1:5] + SEC'(part), limit = limit_i[AB-1:5];
  logic               kept;                  // the range that was found is among them
  always_comb begin
    kept = 1'b0;
    for (int e = 0; e < ENTRIES; e++)
      kept = kept | (valid_q[e] && write_q[e] == write_i && first_q[e] == first
                     && limit_q[e] == limit);
  end
  logic all_in;
  always_comb begin
    {known_o, all_in} = '0;
    if (en_i) begin
      known_o = mask_i == '0;
      for (int e = 0; e < ENTRIES; e++) begin
        all_in = valid_q[e] && (write_q[e] || !store_i);
        if (all_in)
          for (int l = 0; l < LANES; l++)
            all_in = all_in & (!mask_i[l] | (addr_i[AB*l+5 +: SEC] >= first_q[e]
                                             & addr_i[AB*l+5 +: SEC] < limit_q[e]));
        known_o = known_o | all_in;
      end
    end
  end
  always_ff @(posedge clk)
    if (clear_i) begin
      valid_q <= '0;
      next_q  <= '0;
    end else if (found_i && !kept && !last) begin
      valid_q[next_q] <= 1'b1;
      write_q[next_q] <= write_i;
      first_q[next_q] <= first;
      limit_q[next_q] <= limit;
      next_q          <= next_q == EB'(ENTRIES - 1) ? '0 : next_q + 1'b1;
    end
  wire unused = &{1'b0, addr_i, limit_i};
endmodule
`default_nettype wire

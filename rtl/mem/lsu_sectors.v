// Sectors that reads or writes on their way may touch: one bit for all sectors of a residue.  What
// ends first began first, so bits come in two generations: those of the older one go when all of it
// has ended, and the younger one takes its place.  So the older one is empty only if both are.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module lsu_sectors #(
  parameter BITS = 9                         // of a residue
) (
  input  wire         clk, rst_n,
  input  wire         put_i,                 // one begins,
  input  wire  [`ADDR_BITS-6:0] put_sector_i,          // in this sector
  input  wire         end_i,                 // the one that began first ends
  input  wire  [`ADDR_BITS-6:0] look_i,
  output wire         hit_o                  // one on its way may touch this sector
);
  logic [(1<<BITS)-1:0] young_q, old_q;
  logic [7:0]           young_n_q, old_n_q;  // on their way
  localparam LOW = 2 * BITS;                 // bits that make the residue
  wire  [BITS-1:0]      put  = put_sector_i[BITS-1:0] ^ put_sector_i[LOW-1:BITS],
                        look = look_i[BITS-1:0] ^ look_i[LOW-1:BITS];
  wire  [7:0]           old_n   = old_n_q - 8'(end_i && old_n_q != '0);
  wire  [7:0]           young_n = young_n_q + 8'(put_i) - 8'(end_i && old_n_q == '0);
  logic [(1<<BITS)-1:0] young;
  always_comb begin
    young = young_q;
    if (put_i) young[put] = 1'b1;
  end
  assign hit_o = young_q[look] || old_q[look];
  always_ff @(posedge clk)
    if (!rst_n) begin
      {young_q, old_q}     <= '0;
      {young_n_q, old_n_q} <= '0;
    end else if ((put_i || end_i) && old_n == '0) begin
      {young_q, old_q}     <= {{(1<<BITS){1'b0}}, young};
      {young_n_q, old_n_q} <= {8'd0, young_n};
    end else if (put_i || end_i) begin
      young_q              <= young;
      {young_n_q, old_n_q} <= {young_n, old_n};
    end
  wire unused = &{1'b0, put_sector_i, look_i};
endmodule
`default_nettype wire

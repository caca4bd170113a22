// The sectors on their way: while a read or write that has begun has not ended, a look for its
// sector finds it.  Of an arbitrary one, the harness counts how many end before it does.
// UNIT: lsu_sectors BITS=7
// RTL: lsu_sectors.v
// PROVE: induction 2
// COVER: 12
// BUG: lsu_sectors.v: s/\{\{\(1<<BITS\)\{1'b0\}\}, young\}/'0/ -- the younger generation is forgotten
// BUG: lsu_sectors.v: s/\&\& old_n == '0\)/\&\& old_n <= 8'd1)/ -- a generation goes before its last one has ended
// BUG: lsu_sectors.v: s/1'b0\}\}, young\}/1'b0}}, young_q}/ -- one that begins as generations change is forgotten
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module sectors_known (
  input wire        clk, put, ends, mark,
  input wire [`ADDR_BITS-6:0] put_sector, look
);
  reg         rst_n = 1'b0;
  wire        hit;
  lsu_sectors u (
    .clk(clk), .rst_n(rst_n), .put_i(put), .put_sector_i(put_sector), .end_i(ends),
    .look_i(look), .hit_o(hit));

  reg  [7:0]  open = 8'd0;                   // on their way
  reg         marked = 1'b0;                 // one of them is watched:
  reg  [`ADDR_BITS-6:0] sector;                        // its sector,
  reg  [7:0]  before;                        // and how many end before it
  always @(posedge clk) begin
    rst_n <= 1'b1;
    if (rst_n) begin
      open <= open + {7'd0, put} - {7'd0, ends};
      if (marked) begin
        if (ends) before <= before - 8'd1;
        if (ends && before == 8'd0) marked <= 1'b0;
      end else if (put && mark) begin
        marked <= 1'b1;
        sector <= put_sector;
        before <= open - {7'd0, ends};
      end
    end
  end
  always @* begin
    if (!rst_n) assume (!put && !ends);
    if (ends) assume (open != 8'd0);
    assume (open < 8'd200);
  end
  (* hierconn *) wire [7:0] \u.old_n_q , \u.young_n_q ;
  (* hierconn *) wire [127:0] \u.old_q , \u.young_q ;
  wire [6:0] residue = sector[6:0] ^ sector[13:7];
  always @* if (rst_n) begin
    if (marked && look == sector) assert (hit);
    // Why it is so, for the induction.
    assert (open == \u.old_n_q + \u.young_n_q && \u.old_n_q <= open);
    assert (\u.old_n_q != 8'd0 || \u.young_n_q == 8'd0);
    if (marked) assert (before < open);
    if (marked && before < \u.old_n_q ) assert (\u.old_q [residue]);
    if (marked && before >= \u.old_n_q ) assert (\u.young_q [residue]);
    cover (marked && before == 8'd0 && \u.young_n_q == 8'd2);
    cover (open == 8'd0 && !hit && look == sector && sector[0]);
  end
endmodule
`default_nettype wire

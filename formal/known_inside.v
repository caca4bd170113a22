// What is known needs no look: the sector of a byte that is in no range, or in none that may be
// written where a store asks, is never known, whichever ranges groups were found in.  The byte is
// arbitrary.
// UNIT: lsu_known LANES=2 ENTRIES=2
// RTL: lsu_known.v
// SEEN: first_q limit_q
// PROVE: induction 2
// COVER: 6
// BUG: lsu_known.v: s/ \&\& !last\) begin/) begin/ -- a range that begins within the last sector is kept as one from address 0
// BUG: lsu_known.v: s/ \+ SEC'\(part\)// -- the sector in which a range begins is kept
// BUG: lsu_known.v: s/\(write_q\[e\] \|\| !store_i\)/1'b1/ -- a store is known to be in a range that is only read
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module known_inside (
  input wire        clk, clear, found, may_write, en, store,
  input wire [`ADDR_BITS-1:0] base, limit,
  input wire [1:0]  mask,
  input wire [2*`ADDR_BITS-1:0] addr
);
  localparam AB = `ADDR_BITS, SEC = AB - 5;
  reg         rst_n = 1'b0;
  wire        known;
  lsu_known u (
    .clk(clk), .clear_i(!rst_n || clear), .found_i(found), .write_i(may_write),
    .base_i(base), .limit_i(limit),
    .en_i(en), .store_i(store), .mask_i(mask), .addr_i(addr), .known_o(known));
  // A byte, in no range; or in none that may be written.
  (* anyconst *) wire [AB-1:0] byte_at;
  (* anyconst *) wire read_only;
  wire        holds = base <= byte_at && byte_at < limit;
  always @(posedge clk) rst_n <= 1'b1;
  always @* if (found && holds) assume (read_only && !may_write);
  (* hierconn *) wire [1:0] \u.valid_q , \u.write_q ;
  (* hierconn *) wire [SEC-1:0] \u.first_q[0] , \u.first_q[1] , \u.limit_q[0] , \u.limit_q[1] ;
  wire [SEC-1:0] sector = byte_at[AB-1:5];
  wire [1:0]  touches = {addr[2*AB-1:AB+5] == sector, addr[AB-1:5] == sector};
  always @* if (rst_n) begin
    if (en && (mask & touches) != 2'd0 && (store || !read_only)) assert (!known);
    // Why it is so, for the induction.
    if (!read_only || \u.write_q [0])
      assert (! \u.valid_q [0] || sector < \u.first_q[0] || sector >= \u.limit_q[0] );
    if (!read_only || \u.write_q [1])
      assert (! \u.valid_q [1] || sector < \u.first_q[1] || sector >= \u.limit_q[1] );
    cover (en && mask == 2'b11 && known && store);
    cover (en && (mask & touches) != 2'd0 && known && !store);
    cover (&\u.valid_q && known && en && mask == 2'b01 && addr[AB-1:5] == {SEC{1'b1}} - 1'b1);
  end
endmodule
`default_nettype wire

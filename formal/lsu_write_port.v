// The LSU's write port keeps the AXI rules, and every byte reaches memory: an offered address or
// datum stays as it is until it is taken; each sector goes out as one address and one datum, in
// order; neither waits for the other, whatever is ready first, and an address may go while the
// datum before it waits; answers are counted, and idle means that all have come; and of an
// arbitrary byte, what leaves for its address is what was last put there.  What one instruction
// puts is not merged with what another one did.
// UNIT: lsu_write
// RTL: lsu_write.v
// PROVE: induction 2
// COVER: 9
// BUG: lsu_write.v: s/aw_done_q <= aw_got \&\& !sent/aw_done_q <= aw_got/ -- an address is not offered again for the next sector
// BUG: lsu_write.v: s/waiting_q <= waiting_q \+ 8'\(sent\) - 8'\(m_bvalid_i\)/waiting_q <= waiting_q + 8'(sent \&\& !m_bvalid_i)/ -- answers are not counted off
// BUG: lsu_write.v: s/\(send && !w_done_q\)/(send \&\& !w_done_q \&\& m_awready_i)/ -- the datum waits until the address is taken
// BUG: lsu_write.v: s/m_awvalid_o = send && !aw_done_q/m_awvalid_o = send \&\& !aw_done_q \&\& w_done_q/ -- the address waits for its datum
// BUG: lsu_write.v: s/w_got \|\| !late_q \|\| m_wready_i/w_got || !late_q || m_awready_i/ -- a datum that waits is overwritten by the next
// BUG: lsu_write.v: s/m_wready_i && !late_q\)/m_wready_i)/ -- the datum before is taken for that of this sector
// BUG: lsu_write.v: s/ \|\| more_tag_i != tag_q// -- data of two instructions are merged
// BUG: lsu_write.v: s/if \(!w_strb_i\[i\]\) merged/if (w_strb_i[i]) merged/ -- merging keeps the older byte
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module lsu_write_port (
  input wire         clk, more, w_tag, w_valid, awready, wready, bvalid, berror,
  input wire [`ADDR_BITS-6:0]  w_sector,
  input wire [255:0] w_any,
  input wire [31:0]  w_strb, w_lanes,
  input wire [4:0]   w_at
);
  reg          rst_n = 1'b0;
  wire         f_valid, idle, w_ready, awvalid, wvalid, bready;
  wire [`ADDR_BITS-1:0] awaddr;
  wire [31:0]  wstrb;
  wire [255:0] wdata;
  reg  [255:0] w_data;
  integer i;
  always @* for (i = 0; i < 32; i = i + 1) w_data[8*i +: 8] = w_strb[i] ? w_any[8*i +: 8] : 8'd0;
  lsu_write u (
    .clk(clk), .rst_n(rst_n), .more_i(more), .more_tag_i(w_tag), .idle_o(idle),
    .w_valid_i(w_valid), .w_ready_o(w_ready), .w_sector_i(w_sector), .w_data_i(w_data),
    .w_strb_i(w_strb),
    .m_awvalid_o(awvalid), .m_awready_i(awready), .m_awaddr_o(awaddr), .m_wvalid_o(wvalid),
    .m_wready_i(wready), .m_wdata_o(wdata), .m_wstrb_o(wstrb), .m_bvalid_i(bvalid),
    .m_berror_i(berror), .m_bready_o(bready), .w_lanes_i(w_lanes), .w_at_i(w_at),
    .f_valid_o(f_valid), .w_tag_i(w_tag), .out_i(1'b0));

  // Addresses less data taken: 3 is one datum, and 1 and 2 are addresses; writes taken whole less
  // answers.
  reg [1:0]   ahead = 2'd0;
  reg [7:0]   open = 8'd0;
  reg         was_aw = 1'b0, was_w = 1'b0, was_asked = 1'b0;
  reg [`ADDR_BITS-1:0] was_addr;
  reg [31:0]  was_strb;
  reg [255:0] was_data;
  reg [314:0] was_ask;
  wire        aw = awvalid && awready, wd = wvalid && wready;
  wire        whole = ahead == 2'd3 ? aw : wd && (ahead != 2'd0 || aw);
  // One byte: what was put last and has not left, of the sector that is held and of the datum whose
  // address has been taken.
  (* anyconst *) wire [`ADDR_BITS-6:0] sector;
  (* anyconst *) wire [4:0]  lane;
  reg         pending = 1'b0, moved = 1'b0;
  reg [7:0]   value, moved_value;
  wire        put = w_valid && w_ready && w_sector == sector && w_strb[lane];
  // Where a datum goes: the address offered with it, or the oldest taken before it.
  reg  [`ADDR_BITS-1:0] addr_q, next_q;
  wire [`ADDR_BITS-1:0] to = ahead == 2'd1 || ahead == 2'd2 ? addr_q : awaddr;
  wire        left = wd && to == {sector, 5'd0} && wstrb[lane];
  (* hierconn *) wire \u.tag_q , \u.held_q , \u.aw_done_q , \u.w_done_q , \u.offered_q ,
                      \u.late_q , \u.sent , \u.w_got ;
  (* hierconn *) wire [7:0] \u.waiting_q ;
  (* hierconn *) wire [`ADDR_BITS-6:0] \u.sector_q ;
  (* hierconn *) wire [31:0] \u.strb_q , \u.late_strb_q ;
  (* hierconn *) wire [255:0] \u.data_q , \u.late_data_q ;
  wire        moves = \u.sent && ! \u.w_got ;
  always @(posedge clk) begin
    rst_n    <= 1'b1;
    if (rst_n) begin
      ahead <= ahead + {1'b0, aw} - {1'b0, wd};
      open  <= open + {7'd0, whole} - {7'd0, bvalid};
      was_aw <= awvalid && !awready;
      was_w  <= wvalid && !wready;
      was_asked <= w_valid && !w_ready;
      if (ahead == 2'd0 || ahead == 2'd3 || (ahead == 2'd1 && wd)) begin
        if (aw) addr_q <= awaddr;
      end else if (wd) addr_q <= next_q;
      if (aw) next_q <= awaddr;
      if (put) value <= w_data[8*lane +: 8];
      pending <= put || (pending && !moves && !(left && ! \u.late_q ));
      if (moves) {moved, moved_value} <= {pending, value};
      else if (wd) moved <= 1'b0;
    end
    {was_addr, was_strb, was_data} <= {awaddr, wstrb, wdata};
    was_ask <= {w_sector, w_strb, w_data};
  end
  always @* begin
    if (!rst_n) assume (!w_valid && !bvalid);
    if (bvalid) assume (open != 8'd0);       // an answer to a write that was taken
    // The walk keeps offering a group until it is taken, but for cycles in which it needs its rows.
    if (was_asked && w_valid) assume ({w_sector, w_strb, w_data} == was_ask);
  end
  always @* if (rst_n) begin
    assert (bready);
    if (was_aw) assert (awvalid && awaddr == was_addr);
    if (was_w)  assert (wvalid && {wstrb, wdata} == {was_strb, was_data});
    // Neither waits for the other: both are offered at once, and each until it is taken.
    case (ahead)
      2'd0: assert (awvalid == wvalid);
      2'd1: assert (wvalid);
      2'd2: assert (wvalid && !awvalid);
      2'd3: assert (awvalid && !wvalid);
    endcase
    if (idle) assert (open == 8'd0 && ahead == 2'd0 && !pending && !moved);
    if (left) assert (\u.late_q ? moved && wdata[8*lane +: 8] == moved_value
                                : pending && wdata[8*lane +: 8] == value);
    // Why it is so, for the induction.
    assert (open + {7'd0, \u.late_q } == \u.waiting_q && open <= 8'd128);
    assert (\u.late_q == (ahead == 2'd1 || ahead == 2'd2));
    assert (\u.aw_done_q == (ahead == 2'd2) && \u.w_done_q == (ahead == 2'd3));
    assert (\u.waiting_q <= 8'd128 - {7'd0, \u.offered_q });
    assert (! \u.offered_q || \u.held_q );
    assert (! \u.aw_done_q || \u.offered_q );
    assert (! \u.w_done_q || \u.offered_q );
    assert (!was_aw || \u.offered_q );
    assert (!(was_w && ! \u.late_q ) || \u.offered_q );
    if (w_valid && w_ready && (!more || w_tag != \u.tag_q )) assert (! \u.held_q || \u.sent );
    if (ahead == 2'd2) assert (next_q == { \u.sector_q , 5'd0});
    if (ahead == 2'd1) assert (next_q == addr_q);
    if (pending)
      assert (\u.held_q && ahead != 2'd3 && \u.sector_q == sector && \u.strb_q [lane]
              && \u.data_q [8*lane +: 8] == value);
    if (\u.held_q && \u.sector_q == sector && \u.strb_q [lane] && ahead != 2'd3) assert (pending);
    assert (moved == (\u.late_q && addr_q == {sector, 5'd0} && \u.late_strb_q [lane]));
    if (moved) assert (\u.late_data_q [8*lane +: 8] == moved_value);
    cover (open == 8'd2 && ahead == 2'd2);
    cover (pending && put && left);
    cover (moved && pending && left);
  end
endmodule
`default_nettype wire

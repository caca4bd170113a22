// The LSU's write port keeps the AXI rules, and every byte reaches memory: an offered address or
// datum stays as it is until it is taken; each sector goes out as one address and one datum, in
// order; neither waits for the other, whatever is ready first; answers are counted, and idle
// means that all have come; and of an arbitrary byte, what leaves for its address is what was
// last put there.  What is put after a flush is not merged with what was held before.
// UNIT: lsu_write
// RTL: lsu_write.v
// PROVE: induction 2
// COVER: 9
// BUG: lsu_write.v: s/held_q <= +put \|\|/held_q <= put ||/; s/aw_done_q <= send \&\& !sent \&\&/aw_done_q <= send \&\&/ -- an address is not offered again for the next sector
// BUG: lsu_write.v: s/waiting_q <= waiting_q \+ 8'\(sent\) - 8'\(m_bvalid_i\)/waiting_q <= waiting_q + 8'(sent \&\& !m_bvalid_i)/ -- answers are not counted off
// BUG: lsu_write.v: s/m_wvalid_o  = send && !w_done_q/m_wvalid_o  = send \&\& !w_done_q \&\& (aw_done_q || m_awready_i)/ -- the datum waits until the address is taken
// BUG: lsu_write.v: s/m_awvalid_o = send && !aw_done_q/m_awvalid_o = send \&\& !aw_done_q \&\& w_done_q/ -- the address waits for its datum
// BUG: lsu_write.v: s/if \(!w_strb_i\[i\]\) merged/if (w_strb_i[i]) merged/ -- merging keeps the older byte
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_write_port (
  input wire         clk, flush, w_valid, awready, wready, bvalid, berror,
  input wire [26:0]  w_sector,
  input wire [255:0] w_any,
  input wire [31:0]  w_strb, w_lanes,
  input wire [4:0]   w_at
);
  reg          rst_n = 1'b0;
  wire         f_valid, idle, w_ready, awvalid, wvalid, bready;
  wire [31:0]  awaddr, wstrb;
  wire [255:0] wdata;
  reg  [255:0] w_data;
  integer i;
  always @* for (i = 0; i < 32; i = i + 1) w_data[8*i +: 8] = w_strb[i] ? w_any[8*i +: 8] : 8'd0;
  lsu_write u (
    .clk(clk), .rst_n(rst_n), .flush_i(flush), .idle_o(idle), .w_valid_i(w_valid),
    .w_ready_o(w_ready), .w_sector_i(w_sector), .w_data_i(w_data), .w_strb_i(w_strb),
    .m_awvalid_o(awvalid), .m_awready_i(awready), .m_awaddr_o(awaddr), .m_wvalid_o(wvalid),
    .m_wready_i(wready), .m_wdata_o(wdata), .m_wstrb_o(wstrb), .m_bvalid_i(bvalid),
    .m_berror_i(berror), .m_bready_o(bready), .w_lanes_i(w_lanes), .w_at_i(w_at),
    .f_valid_o(f_valid), .w_tag_i(1'b0), .out_i(1'b0));

  // Addresses less data taken, and writes taken whole less answers.
  reg [1:0]   ahead = 2'd0;                  // 1: an address went first; 3: a datum
  reg [7:0]   open = 8'd0;
  reg         was_aw = 1'b0, was_w = 1'b0, was_asked = 1'b0;
  reg [31:0]  was_addr, was_strb;
  reg [255:0] was_data;
  reg [314:0] was_ask;
  wire        aw = awvalid && awready, wd = wvalid && wready;
  wire [1:0]  after = ahead + {1'b0, aw} - {1'b0, wd};
  wire        whole = (aw || wd) && after == 2'd0;
  // One byte: what was put last and has not left.
  (* anyconst *) wire [26:0] sector;
  (* anyconst *) wire [4:0]  lane;
  reg         pending = 1'b0;
  reg [7:0]   value;
  wire        put = w_valid && w_ready && w_sector == sector && w_strb[lane];
  // Where a datum goes: the address offered with it, or the one taken before it.
  reg  [31:0] addr_q;
  wire [31:0] to = ahead == 2'd1 ? addr_q : awaddr;
  wire        left = wd && to == {sector, 5'd0} && wstrb[lane];
  always @(posedge clk) begin
    rst_n    <= 1'b1;
    if (rst_n) begin
      ahead <= after;
      open  <= open + {7'd0, whole} - {7'd0, bvalid};
      was_aw <= awvalid && !awready;
      was_w  <= wvalid && !wready;
      was_asked <= w_valid && !w_ready;
      if (aw) addr_q <= awaddr;
      if (put) value <= w_data[8*lane +: 8];
      pending <= put || (pending && !left);
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
  (* hierconn *) wire \u.held_q , \u.aw_done_q , \u.w_done_q , \u.offered_q ;
  (* hierconn *) wire [7:0] \u.waiting_q ;
  (* hierconn *) wire [26:0] \u.sector_q ;
  (* hierconn *) wire [31:0] \u.strb_q ;
  (* hierconn *) wire [255:0] \u.data_q ;
  always @* if (rst_n) begin
    assert (bready);
    if (was_aw) assert (awvalid && awaddr == was_addr);
    if (was_w)  assert (wvalid && {wstrb, wdata} == {was_strb, was_data});
    assert (ahead != 2'd2);
    // Neither waits for the other: both are offered at once, and each until it is taken.
    assert (awvalid == (ahead != 2'd1 && (wvalid || ahead == 2'd3)));
    assert (wvalid == (ahead != 2'd3 && (awvalid || ahead == 2'd1)));
    if (idle) assert (open == 8'd0 && ahead == 2'd0 && !pending);
    if (left) assert (pending && wdata[8*lane +: 8] == value);
    // Why it is so, for the induction.
    assert (open == \u.waiting_q );
    assert (\u.aw_done_q == (ahead == 2'd1) && \u.w_done_q == (ahead == 2'd3));
    assert (open <= 8'd128 - {7'd0, \u.offered_q });
    assert (ahead == 2'd0 || \u.offered_q );
    assert (! \u.offered_q || \u.held_q );
    assert ((was_aw || was_w || ahead != 2'd0) == \u.offered_q );
    if (flush && put) assert (! \u.held_q || whole);
    if (ahead == 2'd1) assert (addr_q == { \u.sector_q , 5'd0});
    if (pending)
      assert (\u.held_q && ahead != 2'd3 && \u.sector_q == sector && \u.strb_q [lane]
              && \u.data_q [8*lane +: 8] == value);
    if (\u.held_q && \u.sector_q == sector && \u.strb_q [lane] && ahead != 2'd3) assert (pending);
    cover (open == 8'd2 && ahead == 2'd1);
    cover (pending && put && left);
  end
endmodule
`default_nettype wire

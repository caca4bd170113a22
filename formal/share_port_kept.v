// The port that cores share keeps the AXI rules, and an atomic is alone: what is offered stays
// until it is taken; data follow in the order of their addresses, from the same core; each is
// taken for the core that is notified so, and answers go to the core that asked; at most one core
// may do an atomic, none while a write of another core has no answer, and no other core writes
// until it has ended; who waited meanwhile writes before the next atomic begins.
// UNIT: share_port CORES=2
// RTL: share_port.v share_lock.v share_pick.v
// PROVE: bmc 11
// COVER: 11
// BUG: share_lock.v: s/begins = closes && quiet_i/begins = closes/ -- an atomic begins beside a write
// BUG: share_lock.v: s/owner_q != NONE \? owner_q/1'b0 ? owner_q/ -- others write while an atomic is done
// BUG: share_lock.v: s/owed_q == NONE;/1'b1;/ -- who waited does not come before the next atomic
// BUG: share_port.v: s/out_q == 11'd0 && write == NONE/out_q == 11'd0/ -- an atomic begins beside a write that is offered
// BUG: share_port.v: s/\(ahead_q > 3'sd0 \|\| !over\)/!over/ -- data stay behind when the turn is over
// BUG: share_port.v: s/wire  over    = !offered_q/wire  over    = 1'b1/ -- an address is withdrawn when the turn is over
// BUG: share_port.v: s/goes_on = ahead != 3'sd0 \|\|/goes_on =/ -- the channels change hands before the last data
// BUG: share_port.v: s/= read_q != NONE \? read_q/= 1'b0 ? read_q/ -- an address changes before it is taken
// BUG: share_port.v: s/<< m_bid_i\[7:5\]/<< m_rid_i[7:5]/ -- an answer goes to the wrong core
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module share_port_kept (
  input wire        clk, arready, awready, wready, bvalid, rvalid,
  input wire [1:0]  ar, aw, w, want, rready,
  input wire [127:0] araddr, awaddr,
  input wire [63:0] wstrb,
  input wire [2:0]  rcore, bcore
);
  reg         rst_n = 1'b0;
  wire [1:0]  c_ar, c_r, c_aw, c_w, c_b, lock;
  wire        m_ar, m_rready, m_aw, m_w;
  wire [7:0]  m_arid, m_awid, m_arlen;
  wire [`ADDR_BITS-1:0] m_araddr, m_awaddr;
  wire [31:0] m_wstrb;
  wire [255:0] m_wdata;
  share_port u (
    .clk(clk), .rst_n(rst_n), .arvalid_i(ar), .rready_i(rready), .awvalid_i(aw), .wvalid_i(w),
    .arready_o(c_ar), .rvalid_o(c_r), .awready_o(c_aw), .wready_o(c_w), .bvalid_o(c_b),
    .arid_i(10'd0),
    .awid_i(10'd0), .arlen_i(16'd0), .araddr_i(araddr), .awaddr_i(awaddr), .wstrb_i(wstrb),
    .wdata_i(512'd0), .want_i(want), .lock_o(lock), .m_arvalid_o(m_ar), .m_arready_i(arready),
    .m_arid_o(m_arid), .m_awid_o(m_awid), .m_arlen_o(m_arlen), .m_araddr_o(m_araddr),
    .m_awaddr_o(m_awaddr), .m_rvalid_i(rvalid), .m_rready_o(m_rready), .m_rid_i({rcore, 5'd0}),
    .m_bid_i({bcore, 5'd0}), .m_awvalid_o(m_aw), .m_wvalid_o(m_w), .m_awready_i(awready),
    .m_wready_i(wready), .m_bvalid_i(bvalid), .m_wdata_o(m_wdata), .m_wstrb_o(m_wstrb));

  // ---- the cores: each offers an address with its data, both until they are taken, and up to two
  // addresses ahead; writes without an answer; the memory answers only those ----
  wire [1:0]  a = aw & c_aw, d = w & c_w;    // taken for them
  reg  [1:0]  ahead [0:1];                   // addresses less data; 3: the other way
  reg  [3:0]  open [0:1];
  reg  [1:0]  was_ar, was_aw, was_w, was_want, was_lock, owed;
  reg  [127:0] was_araddr, was_awaddr;
  reg  [63:0] was_wstrb;
  reg         was_m_ar, was_m_aw, was_m_w;
  reg  [71:0] was_m;
  reg         other = 1'b0;                  // core 1 has done an atomic
  initial begin
    {ahead[0], ahead[1], open[0], open[1]} = 0;
    {was_ar, was_aw, was_w, was_want, was_lock, owed, was_m_ar, was_m_aw, was_m_w} = 0;
  end
  integer c;
  always @(posedge clk) begin
    rst_n <= 1'b1;
    if (rst_n) begin
      for (c = 0; c < 2; c = c + 1) begin
        ahead[c] <= ahead[c] + {1'b0, a[c]} - {1'b0, d[c]};
        open[c]  <= open[c] + {3'd0, a[c]} - {3'd0, c_b[c]};
      end
      was_ar <= ar & ~c_ar;
      was_aw <= aw & ~a;
      was_w  <= w & ~d;
      was_want <= want;
      was_lock <= lock;
      if (lock[1]) other <= 1'b1;
      was_m_ar <= m_ar && !arready;
      was_m_aw <= m_aw && !awready;
      was_m_w  <= m_w && !wready;
      // Who waits when an atomic has ended is owed a write before the next.
      owed <= (lock & want) == 2'd0 && lock != 2'd0 ? aw | w : owed & (aw | w) & ~a;
    end
    {was_araddr, was_awaddr, was_wstrb} <= {araddr, awaddr, wstrb};
    was_m <= {m_arid, m_araddr[15:0], m_awid, m_awaddr[15:0], m_wstrb[23:0]};
  end
  always @* begin
    if (!rst_n) assume (!ar && !aw && !w && !want && !bvalid);
    for (c = 0; c < 2; c = c + 1) begin
      case (ahead[c])
        2'd0: assume (aw[c] == w[c]);
        2'd1: assume (w[c]);
        2'd2: assume (w[c] && !aw[c]);
        2'd3: assume (aw[c] && !w[c]);
      endcase
      if (was_ar[c]) assume (ar[c] && araddr[64*c +: 64] == was_araddr[64*c +: 64]);
      if (was_aw[c]) assume (aw[c] && awaddr[64*c +: 64] == was_awaddr[64*c +: 64]);
      if (was_w[c])  assume (w[c] && wstrb[32*c +: 32] == was_wstrb[32*c +: 32]);
      // An atomic is wanted until it may be done, and does so when no write of its own is left.
      if (was_want[c] && !was_lock[c]) assume (want[c]);
      if (want[c] && !lock[c]) assume (!aw[c] && !w[c] && open[c] == 4'd0 && ahead[c] == 2'd0);
      if (lock[c] && !want[c]) assume (open[c] == 4'd0 && ahead[c] == 2'd0 && !aw[c] && !w[c]);
    end
    assume (rcore < 3'd2 && bcore < 3'd2);
    if (bvalid) assume (open[bcore[0]] != 4'd0
                        && !(open[bcore[0]] == 4'd1 && ahead[bcore[0]] == 2'd1)
                        && ahead[bcore[0]] != 2'd2);
  end

  // ---- what the port does ----
  wire m_a = m_aw && awready, m_d = m_w && wready;
  always @* if (rst_n) begin
    if (was_m_ar) assert (m_ar && {m_arid, m_araddr[15:0]} == was_m[71:48]);
    if (was_m_aw) assert (m_aw && {m_awid, m_awaddr[15:0]} == was_m[47:24]);
    if (was_m_w)  assert (m_w && m_wstrb[23:0] == was_m[23:0]);
    assert (m_a == (a != 2'd0) && a != 2'd3 && m_d == (d != 2'd0) && d != 2'd3);
    for (c = 0; c < 2; c = c + 1) begin
      if (a[c]) assert (m_awaddr == awaddr[64*c +: `ADDR_BITS] && m_awid[7:5] == c);
      if (d[c]) assert (m_wstrb == wstrb[32*c +: 32]);
      if (ar[c] && c_ar[c])
        assert (m_ar && arready && m_araddr == araddr[64*c +: `ADDR_BITS] && m_arid[7:5] == c);
      assert (c_b[c] == (bvalid && bcore == c) && c_r[c] == (rvalid && rcore == c));
      // While one core's write is half taken the other's is not.
      if (ahead[c] != 2'd0) assert (ahead[1 - c] == 2'd0 && !a[1 - c] && !d[1 - c]);
      // An atomic is alone.
      if (lock[c]) assert (open[1 - c] == 4'd0 && ahead[1 - c] == 2'd0 && !a[1 - c] && !d[1 - c]);
      if (lock[c] && !was_lock[c]) assert (owed == 2'd0);
    end
    assert (lock != 2'd3);
    assert (m_rready == rready[rcore[0]]);
    cover (lock[0] && other);
    cover (owed[0] && a[0] && want[1]);
    cover (lock[0] && aw[1] && a[0]);
    cover (ahead[0] == 2'd3 && aw[1]);
    cover (ahead[1] == 2'd2);
  end
endmodule
`default_nettype wire

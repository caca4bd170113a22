// The joined write port keeps the AXI rules: what is offered stays until it is taken; data follow
// in the order of their addresses, from the same source; each is taken for exactly the unit that
// is notified so; address and datum are offered at once, and neither waits for the other to be
// taken; the LSU may offer addresses ahead of their data, but not while the stack unit waits; and
// each answer goes to the one who wrote.
// UNIT: axi_arb
// RTL: axi_arb.v bound.v
// PROVE: induction 2
// COVER: 8
// BUG: axi_arb.v: s/mine = open_q \? mine_q/mine = open_q \&\& aw_q ? mine_q/ -- the stack takes over a write whose datum went first
// BUG: axi_arb.v: s/mine \? st_write_i.wdata/st_write_i.wvalid ? st_write_i.wdata/ -- the LSU's datum is replaced by the stack's
// BUG: axi_arb.v: s/wready  = w_took && !mine/wready  = w_took/ -- the LSU is notified that the stack's data were taken
// BUG: axi_arb.v: s/m_wvalid_o   = wd;/m_wvalid_o   = wd \&\& (ahead_q != 2'd0 || m_awready_i);/ -- the datum waits until the address is taken
// BUG: axi_arb.v: s/m_awvalid_o  = aw;/m_awvalid_o  = aw \&\& (w_q || m_wready_i);/ -- the address waits until the datum is taken
// BUG: axi_arb.v: s/\(mine \|\| !st_write_i.awvalid\)/1'b1/ -- the LSU goes on while the stack waits
// BUG: axi_arb.v: s/ahead != 2'd0 \|\| early\)/early)/ -- the stack takes over before the last datum
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "axi.vh"
module axi_write_port (
  input wire         clk, awready, wready, bvalid,
  input wire         ls_aw, ls_w, st_aw, st_w,
  input wire [`ADDR_BITS-1:0] ls_addr, st_addr,
  input wire [31:0]  ls_strb,
  input wire [255:0] ls_data, st_data,
  input wire [4:0]   bid
);
  reg          rst_n = 1'b0;
  wire         awvalid, wvalid;
  axi_write_t  ls_ask, st_ask;               // {awvalid, wvalid, awaddr, wstrb, wdata}
  assign ls_ask = {ls_aw, ls_w, ls_addr, ls_strb, ls_data};
  assign st_ask = {st_aw, st_w, st_addr, 32'hffff_ffff, st_data};
  axi_write_answer_t ls, st;
  wire ls_awready = ls.awready, ls_wready = ls.wready, ls_b = ls.bvalid;
  wire st_awready = st.awready, st_wready = st.wready, st_b = st.bvalid;
  wire [4:0]   id;
  wire [`ADDR_BITS-1:0] addr;
  wire [31:0]  strb;
  wire [255:0] data;
  axi_arb u (
    .clk(clk), .rst_n(rst_n), .ls_write_i(ls_ask), .ls_write_o(ls),
    .st_write_i(st_ask), .st_write_o(st), .m_awvalid_o(awvalid),
    .m_awready_i(awready), .m_awid_o(id), .m_awaddr_o(addr), .m_wvalid_o(wvalid),
    .m_wready_i(wready), .m_wdata_o(data), .m_wstrb_o(strb), .m_bvalid_i(bvalid), .m_bid_i(bid));

  wire ls_a = ls_aw && ls_awready, ls_d = ls_w && ls_wready, st_a = st_aw && st_awready,
       st_d = st_w && st_wready;
  wire aw = awvalid && awready, wd = wvalid && wready;
  // Of each source and of the port: addresses taken less data taken; 3 is one datum.
  reg  [1:0]   ls_ahead = 2'd0, st_ahead = 2'd0, ahead = 2'd0;
  reg          whose = 1'b0;
  reg  was_aw = 1'b0, was_w = 1'b0, ls_was_aw = 1'b0, ls_was_w = 1'b0, st_was_aw = 1'b0,
       st_was_w = 1'b0;
  reg  [`ADDR_BITS+4:0]  was_addr;
  reg  [287:0] was_data, ls_was_data;
  reg  [`ADDR_BITS-1:0]  ls_was_addr, st_was_addr;
  reg  [255:0] st_was_data;
  reg  met = 1'b0;                           // the stack came while the LSU's write was half taken
  always @(posedge clk) begin
    rst_n <= 1'b1;
    if (rst_n) begin
      ls_ahead <= ls_ahead + {1'b0, ls_a} - {1'b0, ls_d};
      st_ahead <= st_ahead + {1'b0, st_a} - {1'b0, st_d};
      ahead    <= ahead + {1'b0, aw} - {1'b0, wd};
      if (st_a || st_d) whose <= 1'b1;
      if (ls_a || ls_d) whose <= 1'b0;
      {was_aw, was_w} <= {awvalid && !awready, wvalid && !wready};
      {ls_was_aw, ls_was_w} <= {ls_aw && !ls_a, ls_w && !ls_d};
      {st_was_aw, st_was_w} <= {st_aw && !st_a, st_w && !st_d};
      if (ahead == 2'd3 && !whose && st_aw) met <= 1'b1;
    end
    {was_addr, was_data} <= {id, addr, strb, data};
    {ls_was_addr, ls_was_data} <= {ls_addr, ls_strb, ls_data};
    {st_was_addr, st_was_data} <= {st_addr, st_data};
  end
  always @* begin
    if (!rst_n) assume (!ls_aw && !ls_w && !st_aw && !st_w);
    // Both sources offer an address and its datum together, and each until it is taken; the LSU
    // may have two addresses ahead, as lsu_write_port.v proves.
    case (ls_ahead)
      2'd0: assume (ls_aw == ls_w);
      2'd1: assume (ls_w);
      2'd2: assume (ls_w && !ls_aw);
      2'd3: assume (ls_aw && !ls_w);
    endcase
    assume (st_ahead == 2'd1 ? st_w && !st_aw : st_ahead == 2'd3 ? st_aw && !st_w : st_aw == st_w);
    if (ls_was_aw) assume (ls_aw && ls_addr == ls_was_addr);
    if (ls_was_w)  assume (ls_w && {ls_strb, ls_data} == ls_was_data);
    if (st_was_aw) assume (st_aw && st_addr == st_was_addr);
    if (st_was_w)  assume (st_w && st_data == st_was_data);
  end
  (* hierconn *) wire \u.aw_q , \u.w_q , \u.open_q , \u.mine_q ;
  (* hierconn *) wire [1:0] \u.ahead_q ;
  always @* if (rst_n) begin
    if (was_aw) assert (awvalid && {id, addr} == was_addr);
    if (was_w)  assert (wvalid && {strb, data} == was_data);
    assert (aw == (ls_a || st_a) && !(ls_a && st_a));
    assert (wd == (ls_d || st_d) && !(ls_d && st_d));
    if (ls_a) assert (addr == ls_addr && id == 5'd0);
    if (st_a) assert (addr == st_addr && id == 5'd8);
    if (ls_d) assert ({strb, data} == {ls_strb, ls_data});
    if (st_d) assert (data == st_data && strb == 32'hffff_ffff);
    // Whatever is ready first: what has not been taken of a write is offered.
    case (ahead)
      2'd0: assert (awvalid == wvalid && awvalid == (ls_aw || st_aw));
      2'd1: assert (wvalid);
      2'd2: assert (wvalid && !awvalid);
      2'd3: assert (awvalid && !wvalid);
    endcase
    // The datum of one source never stands for the address of the other, and the port is given away
    // when nothing is half taken.
    assert (ls_ahead == 2'd0 || st_ahead == 2'd0);
    assert (!(ls_a && st_d) && !(st_a && ls_d));
    if (ahead != 2'd0) assert (whose ? !ls_a && !ls_d : !st_a && !st_d);
    // The LSU begins no further address while the stack waits.
    if (st_aw && ls_a) assert (was_aw || ahead == 2'd3);
    assert (ls_b == (bvalid && !bid[3]) && st_b == (bvalid && bid[3]));
    // For the induction.
    assert (ahead == (ls_ahead != 2'd0 ? ls_ahead : st_ahead));
    if (ahead != 2'd0) assert (whose == (st_ahead != 2'd0) && \u.open_q && \u.mine_q == whose);
    assert (\u.ahead_q == (ahead == 2'd3 ? 2'd0 : ahead) && \u.w_q == (ahead == 2'd3));
    assert (\u.aw_q == was_aw && st_ahead != 2'd2);
    if (was_aw || was_w) assert (\u.open_q );
    if (was_aw) assert (\u.mine_q ? st_was_aw : ls_was_aw);
    if (was_w)  assert (\u.mine_q ? st_was_w : ls_was_w);
    cover (met && st_a && st_d);
    cover (ahead == 2'd3 && whose && ls_aw);
    cover (ahead == 2'd2 && st_aw);
    cover (ahead == 2'd1 && aw && wd);
  end
  always @* if (!rst_n) assert (ahead == 2'd0 && ls_ahead == 2'd0 && st_ahead == 2'd0);
endmodule
`default_nettype wire

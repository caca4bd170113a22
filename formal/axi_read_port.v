// The joined read port keeps the AXI rules: an address that is offered stays as it is until it is
// taken, whatever asks meanwhile; each taken address was asked for by exactly the unit that is
// notified; and each answer goes to exactly the one who asked.
// UNIT: axi_arb
// RTL: axi_arb.v bound.v
// PROVE: induction 2
// COVER: 6
// BUG: axi_arb.v: s/ic = busy_q \?/ic = busy_q \&\& !ls_read_i.arvalid ?/ -- the cache takes over the LSU's offer
// BUG: axi_arb.v: s/m_arready_i && !ic && !st/m_arready_i \&\& !ic/ -- the LSU is notified that the stack's address was taken
// BUG: axi_arb.v: s/ls_read_o.rvalid  = m_rvalid_i && m_rid_i\[4:3\] == 2.b00/ls_read_o.rvalid = m_rvalid_i \&\& !m_rid_i[4]/ -- the LSU takes a fill
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "axi.vh"
module axi_read_port (
  input wire        clk,
  input wire        ic_valid, ls_valid, st_valid, m_ready, r_valid, ls_rready,
  input wire [`ADDR_BITS-1:0] ic_addr, ls_addr, st_addr,
  input wire [3:0]  ls_id,
  input wire [7:0]  ls_len,
  input wire [4:0]  r_id
);
  reg         rst_n = 1'b0;
  wire        valid, rready;
  axi_read_t  ic_ask, ls_ask, st_ask;        // {arvalid, arid, arlen, araddr, rready}
  assign ic_ask = {ic_valid, 4'd0, 8'd1, ic_addr, 1'b1};
  assign ls_ask = {ls_valid, ls_id, ls_len, ls_addr, ls_rready};
  assign st_ask = {st_valid, 4'd0, 8'd0, st_addr, 1'b1};
  axi_read_answer_t ic, ls, st;
  wire ic_ready = ic.arready, ls_ready = ls.arready, st_ready = st.arready;
  wire ic_rvalid = ic.rvalid, ls_rvalid = ls.rvalid, st_rvalid = st.rvalid;
  wire [4:0]  id;
  wire [`ADDR_BITS-1:0] addr;
  wire [7:0]  len;
  axi_arb u (
    .clk(clk), .rst_n(rst_n),
    .ic_read_i(ic_ask), .ic_read_o(ic), .ls_read_i(ls_ask), .ls_read_o(ls), .st_read_i(st_ask),
    .st_read_o(st), .m_arvalid_o(valid), .m_arready_i(m_ready), .m_arid_o(id), .m_araddr_o(addr),
    .m_arlen_o(len), .m_rvalid_i(r_valid), .m_rready_o(rready), .m_rid_i(r_id));

  // What was offered in the cycle before and not taken.
  reg         was_ic = 1'b0, was_ls = 1'b0, was_st = 1'b0, was = 1'b0;
  reg [`ADDR_BITS-1:0]  was_ic_addr, was_st_addr;
  reg [`ADDR_BITS+11:0]  was_ls_ask;
  reg [`ADDR_BITS+12:0]  was_ask;
  reg         waited = 1'b0;                 // cache and stack had to wait for the LSU's offer
  always @(posedge clk) begin
    rst_n       <= 1'b1;
    was_ic      <= rst_n && ic_valid && !ic_ready;
    was_ls      <= rst_n && ls_valid && !ls_ready;
    was_st      <= rst_n && st_valid && !st_ready;
    was         <= rst_n && valid && !m_ready;
    was_ic_addr <= ic_addr;
    was_st_addr <= st_addr;
    was_ls_ask  <= {ls_addr, ls_id, ls_len};
    was_ask     <= {id, addr, len};
    if (rst_n && ic_valid && st_valid && valid && id[4:3] == 2'b00 && !m_ready)
      waited <= 1'b1;
  end
  always @* begin
    if (!rst_n) assume (!ic_valid && !ls_valid && !st_valid);
    // Those who ask keep the rule themselves, and use their own IDs.
    if (was_ic) assume (ic_valid && ic_addr == was_ic_addr);
    if (was_ls) assume (ls_valid && {ls_addr, ls_id, ls_len} == was_ls_ask);
    if (was_st) assume (st_valid && st_addr == was_st_addr);
    assume (!ls_id[3]);
  end
  always @* if (rst_n) begin
    if (was)
      assert (valid && {id, addr, len} == was_ask);
    assert (valid == (ic_valid || ls_valid || st_valid));
    assert ((valid && m_ready) == ((ic_valid && ic_ready) || (ls_valid && ls_ready)
                                   || (st_valid && st_ready)));
    assert ({1'b0, ic_ready} + {1'b0, ls_ready} + {1'b0, st_ready} <= 2'd1);
    if (ic_valid && ic_ready)
      assert (id == 5'd16 && addr == ic_addr && len == 8'd1);
    if (ls_valid && ls_ready)
      assert (id == {1'b0, ls_id} && addr == ls_addr && len == ls_len);
    if (st_valid && st_ready)
      assert (id == 5'd8 && addr == st_addr && len == 8'd0);
    assert (ic_rvalid == (r_valid && r_id[4]));
    assert (st_rvalid == (r_valid && r_id[4:3] == 2'b01));
    assert (ls_rvalid == (r_valid && r_id[4:3] == 2'b00));
    if (r_valid)
      assert (rready == (!ls_rvalid || ls_rready));
    cover (waited && ic_valid && ic_ready && st_valid);
    cover (waited && st_valid && st_ready && r_valid && ls_rvalid);
  end
  (* hierconn *) wire \u.busy_q , \u.ic_q , \u.st_q ;
  always @* if (rst_n) assert (!(\u.busy_q && \u.ic_q && \u.st_q ));      // for the induction
endmodule
`default_nettype wire

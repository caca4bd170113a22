// The stack unit's write port keeps the AXI rules: address and datum of a spill are offered at
// once and neither waits for the other; each stays as it is until it is taken; in whatever order
// they are taken, each spill becomes exactly one write, with the address and the row that it had;
// and no spill starts while the one before is still offered.
// UNIT: stack_mem WARPS=2 DEPTH=8 CHUNK=2 QUEUE=2
// RTL: stack_mem.v pick.v
// PROVE: induction 2
// COVER: 14
// BUG: stack_mem.v: s/axi_write_o.wvalid  = put_q && !w_done_q/axi_write_o.wvalid = put_q \&\& !w_done_q \&\& (aw_done_q || axi_write_i.awready)/ -- the datum waits until the address is taken
// BUG: stack_mem.v: s/axi_write_o.awvalid = put_q && !aw_done_q/axi_write_o.awvalid = put_q \&\& !aw_done_q \&\& w_done_q/ -- the address waits for its datum
// BUG: stack_mem.v: s/put_sent  = put_q && \(aw_done_q \|\| axi_write_i.awready\) && .*;/put_sent  = put_q \&\& (aw_done_q || axi_write_i.awready);/ -- a spill ends when its address is taken
// BUG: stack_mem.v: s/push_ready_o = !arrives && .*;/push_ready_o = !arrives;/ -- a second spill overwrites the first
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "axi.vh"
module stack_write_port (
  input wire         clk, clear, warp, empty, push, pop, fill, look_warp, look_fill,
  input wire         arready, rvalid, rerror, awready, wready, bvalid, berror,
  input wire [63:0]  token,
  input wire [255:0] rdata
);
  (* anyconst *) wire [6:0]  depth;
  (* anyconst *) wire [31:0] base;
  reg          rst_n = 1'b0;
  wire         ready, full, spills;
  wire [255:0] row;
  wire [31:0]  addr;
  axi_write_t        spilling;
  axi_read_answer_t  answers;                // {arready, rvalid, rlast, rerror, rid, rdata}
  axi_write_answer_t written;                // {awready, wready, bvalid, berror}
  assign answers = {arready, rvalid, 1'b1, rerror, 4'd0, rdata};
  assign written = {awready, wready, bvalid, berror};
  wire         awvalid = spilling.awvalid, wvalid = spilling.wvalid;
  wire [`ADDR_BITS-1:0]  awaddr = spilling.awaddr;
  wire [255:0] wdata = spilling.wdata;
  stack_mem u (
    .clk(clk), .rst_n(rst_n), .clear_i(clear), .depth_i(depth), .base_i(base), .size_i(32'd128),
    .warp_i({4'd0, warp}), .empty_i(empty), .push_i(push), .push_token_i(token), .pop_i(pop),
    .fill_i(fill), .push_ready_o(ready), .push_full_o(full), .spills_o(spills), .row_o(row),
    .addr_o(addr), .look_warp_i({4'd0, look_warp}), .look_fill_i(look_fill), .count_warp_i(5'd0),
    .bad_warp_i(5'd0), .axi_read_i(answers), .axi_write_o(spilling), .axi_write_i(written));

  wire        aw = awvalid && awready, wd = wvalid && wready, spill = push && spills;
  reg  [1:0]  ahead = 2'd0;                  // addresses taken less data: 3 is one datum
  reg         owed = 1'b0;                   // a spill is not yet a whole write
  reg  [31:0] want_addr;
  reg [255:0] want_row;
  wire [1:0]  after = ahead + {1'b0, aw} - {1'b0, wd};
  wire        whole = (aw || wd) && after == 2'd0;
  reg         was_aw = 1'b0, was_w = 1'b0, late = 1'b0;
  reg  [`ADDR_BITS-1:0] was_addr;
  reg [255:0] was_data;
  always @(posedge clk) begin
    rst_n <= 1'b1;
    if (rst_n) begin
      ahead <= after;
      owed  <= spill || (owed && !whole);
      if (spill) {want_addr, want_row} <= {addr, row};
      was_aw <= awvalid && !awready;
      was_w  <= wvalid && !wready;
      late   <= late || (ahead == 2'd3 && awvalid && !awready);
    end
    {was_addr, was_data} <= {awaddr, wdata};
  end
  always @* begin
    assume (depth >= 7'd4 && depth <= 7'd8);
    if (!rst_n) assume (!bvalid);
    if (push) assume (rst_n && ready && !full);
    if (empty || clear) assume (!push);
  end
  (* hierconn *) wire \u.put_q , \u.aw_done_q , \u.w_done_q ;
  (* hierconn *) wire [31:0]  \u.put_addr_q ;
  (* hierconn *) wire [255:0] \u.put_row_q ;
  always @* if (rst_n) begin
    if (was_aw) assert (awvalid && awaddr == was_addr);
    if (was_w)  assert (wvalid && wdata == was_data);
    assert (ahead != 2'd2);
    // What is owed is offered, both halves of it, but for the half that has been taken.
    assert (awvalid == (owed && ahead != 2'd1));
    assert (wvalid == (owed && ahead != 2'd3));
    if (aw) assert (awaddr == want_addr);
    if (wd) assert (wdata == want_row);
    if (spill) assert (!owed || whole);
    // Why it is so, for the induction.
    assert (owed == \u.put_q );
    if (owed) assert ( \u.aw_done_q == (ahead == 2'd1) && \u.w_done_q == (ahead == 2'd3));
    if (owed) assert ( \u.put_addr_q == want_addr && \u.put_row_q == want_row);
    if (ahead != 2'd0) assert (owed);
    cover (late && whole && spill);          // the datum went first; the next spill in the cycle in
                                             // which it ends
    cover (ahead == 2'd1 && whole);
  end
  always @* if (!rst_n) assert (!owed && ahead == 2'd0);
endmodule
`default_nettype wire

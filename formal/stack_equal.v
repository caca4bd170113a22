// The spilling stack equals an unbounded one, for every sequence of operations of two warps that
// share the port, of any length: the token that shows at the top, or that a fill brings there, is
// the one that was pushed there last, and the count is right.  So no token is lost, doubled or
// reordered, and no push is lost while a spill is under way.
// One bit of the token at one place of one warp's stack is followed, all three arbitrary; all bits
// of all tokens are.  Of a stack that is only looked at, and of what a fill brings, those of the
// token's kind are.  Memory answers in the order of each direction, whenever it likes; what it
// gives for a read is right only if no write there is under way from the read's address to its
// answer.
// ENGINE: abc
// UNIT: stack_mem WARPS=2 DEPTH=16 CHUNK=2 QUEUE=2
// RTL: stack_mem.v pick.v
// SEEN: chip_q chunk_q low_q row_q b_q r_q
// PROVE: induction 1
// COVER: 16
// BUG: stack_mem.v: s/want_q & ~spilling/want_q \& ~(spilling \& {WARPS{put_q}})/ -- a fill waits until its spill has left, not for the answer
// BUG: stack_mem.v: s/push_ready_o = !arrives && .*;/push_ready_o = !arrives;/ -- a second spill overwrites the first
// BUG: stack_mem.v: s/put_row_q  <= row_o;/put_row_q  <= {row_o[127:0], row_o[255:128]};/ -- a spill changes the order of its tokens
// BUG: stack_mem.v: s/spill \? chip - 7.d3/spill ? chip - 7'd4/ -- the push that spills is lost
// BUG: stack_mem.v: s/low_q\[rw\]     <= r_row/low_q[rw]     <= low_q[rw]/ -- a filled row comes to the wrong place
// BUG: stack_mem.v: s/r_drop_q <= .QUEUE.*;/r_drop_q <= r_drop_q;/ -- the answer to the grid before is taken
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "stack.vh"
`include "axi.vh"
module stack_equal (
  input wire         clk, clear, warp, empty, push, pop, fill, look_warp, look_fill,
  input wire         arready, rvalid, rerror, awready, wready, bvalid, berror,
  input wire [63:0]  token,
  input wire [255:0] rdata
);
  (* anyconst *) wire        w;              // the warp,
  (* anyconst *) wire [4:0]  p;              // the place in its stack, from below,
  (* anyconst *) wire [5:0]  b;              // and the bit that are followed
  (* anyconst *) wire [6:0]  depth;          // tokens on chip
  reg          rst_n = 1'b0;
  wire         ready, full, spills;
  wire [31:0]  count;
  top_t        shown;
  looked_t     looked;
  fill_t       filled;
  wire         has = shown.has, none = shown.none, last = shown.last;
  wire         look_has = looked.has, look_none = looked.none, arrives = filled.valid;
  wire [63:0]  top = shown.token;
  wire [1:0]   look_kind = looked.kind, arrives_kind = filled.kind;
  wire         of_kind = b[5:1] == 5'd16;    // the bit is one of those
  wire [4:0]   arrives_warp = filled.warp;
  wire [1:0]   filling;
  axi_read_t         asks;
  axi_write_t        spilling;
  axi_read_answer_t  answers;                // {arready, rvalid, rlast, rerror, rid, rdata}
  axi_write_answer_t written;                // {awready, wready, bvalid, berror}
  assign answers = {arready, rvalid, 1'b1, rerror, 4'd0, rdata};
  assign written = {awready, wready, bvalid, berror};
  wire         arvalid = asks.arvalid, awvalid = spilling.awvalid, wvalid = spilling.wvalid;
  wire [`ADDR_BITS-1:0]  araddr = asks.araddr, awaddr = spilling.awaddr;
  wire [255:0] wdata = spilling.wdata;
  stack_mem u (
    .clk(clk), .rst_n(rst_n), .clear_i(clear), .depth_i(depth), .base_i(32'd0), .size_i(32'd128),
    .warp_i({4'd0, warp}), .empty_i(empty), .push_i(push), .push_token_i(token), .pop_i(pop),
    .fill_i(fill),
    .push_ready_o(ready), .push_full_o(full), .top_o(shown), .spills_o(spills),
    .look_warp_i({4'd0, look_warp}), .look_fill_i(look_fill), .look_o(looked),
    .count_warp_i({4'd0, w}), .pipe_warp_i(5'd0), .count_o(count),
    .filling_o(filling), .arrives_o(filled),
    .axi_read_o(asks), .axi_read_i(answers), .axi_write_o(spilling), .axi_write_i(written),
    .bad_warp_i(5'd0));

  // ---- the reference: how many tokens, and the bit at the place ----
  reg  [4:0]  tokens;
  reg         bit_p;
  reg  [1:0]  started;                       // warps of this grid
  wire        mine = warp == w, look_mine = look_warp == w,
              is_top = tokens == p + 5'd1 && p != 5'd31;
  wire [7:0]  in_row = {p[1:0], b};
  always @(posedge clk) begin
    rst_n <= 1'b1;
    if (push && mine && tokens == p) bit_p <= token[b];
    if (mine) tokens <= empty ? 5'd0 : tokens + {4'd0, push} - {4'd0, pop};
    if (empty) started[warp] <= 1'b1;
    if (!rst_n || clear) started <= 2'd0;
  end

  // ---- memory: the bit, and what is under way, oldest first ----
  wire [31:0] where = {24'd0, w, p[3:2], 5'd0};
  reg         content, aw_taken, w_taken, aw_here, w_bit;
  reg  [1:0]  writes, write_here;            // taken whole and not answered
  reg  [1:0]  reads, read_right;
  wire        aw = awvalid && awready, wd = wvalid && wready, ar = arvalid && arready;
  wire        whole = (aw || aw_taken) && (wd || w_taken);
  wire        to_here = aw ? awaddr == where : aw_taken && aw_here;
  wire        quiet = write_here == 2'd0 && !to_here;
  wire [1:0]  writes_left = writes - {1'b0, bvalid}, reads_left = reads - {1'b0, rvalid};
  always @(posedge clk) begin
    aw_taken <= (aw_taken || aw) && !whole;
    w_taken  <= (w_taken || wd) && !whole;
    if (aw) aw_here <= awaddr == where;
    if (wd) w_bit <= wdata[in_row];
    if (whole && to_here) content <= wd ? wdata[in_row] : w_bit;
    writes     <= writes_left + {1'b0, whole};
    write_here <= (bvalid ? write_here >> 1 : write_here)
        | (whole && to_here ? 2'd1 << writes_left : 2'd0);
    reads      <= reads_left + {1'b0, ar};
    read_right <= !quiet ? 2'd0 : (rvalid ? read_right >> 1 : read_right)
        | (ar && araddr == where ? 2'd1 << reads_left : 2'd0);
    if (!rst_n) {aw_taken, w_taken, writes, write_here, reads, read_right} <= 10'd0;
  end

  // ---- what the users promise ----
  always @* begin
    assume (depth >= 7'd4 && depth <= 7'd16);
    // One operation at a time; none of a warp that waits for a fill, or that has not started.
    assume ({2'd0, push} + {2'd0, pop} + {2'd0, empty} + {2'd0, fill} <= 3'd1);
    if (push || pop || fill) assume (started[warp]);
    if (push || pop || fill || empty) assume (rst_n && !clear && !filling[warp]);
    if (push) assume (ready && !full);
    if (pop)  assume (has);
    if (fill) assume (!has && !none);
    if (look_fill) begin
      assume (rst_n && !clear && started[look_warp] && !filling[look_warp] && !look_has
              && !look_none);
      assume (!(warp == look_warp && (push || pop || empty || fill)));
    end
    if (bvalid) assume (writes != 2'd0);
    if (rvalid) assume (reads != 2'd0);
    if (rvalid && read_right[0] && quiet) assume (rdata[in_row] == content);
  end

  // ---- inside ----
  (* hierconn *) wire [6:0]   \u.chip_q[0] , \u.chip_q[1] ;
  (* hierconn *) wire [1:0]   \u.chunk_q[0] , \u.chunk_q[1] ;
  (* hierconn *) wire [1:0]   \u.low_q[0] , \u.low_q[1] ;
  (* hierconn *) wire         \u.b_q[0] , \u.b_q[1] , \u.r_q[0] , \u.r_q[1] ;
  (* hierconn *) wire [255:0] \u.row_q[0] , \u.row_q[1] , \u.row_q[2] , \u.row_q[3] , \u.row_q[4] ,
                                \u.row_q[5] , \u.row_q[6] , \u.row_q[7] , \u.put_row_q ;
  (* hierconn *) wire [31:0]  \u.put_addr_q , \u.get_addr_q ;
  (* hierconn *) wire [1:0]   \u.want_q , \u.filling_q , \u.b_in_q , \u.b_out_q , \u.r_in_q ,
      \u.r_out_q , \u.r_drop_q ;
  (* hierconn *) wire         \u.put_q , \u.aw_done_q , \u.w_done_q , \u.get_q , \u.get_warp_q ;
  wire [6:0]   chip  = w ? \u.chip_q[1] : \u.chip_q[0] ;
  wire [1:0]   chunk = w ? \u.chunk_q[1] : \u.chunk_q[0] ;
  wire [1:0]   low   = w ? \u.low_q[1] : \u.low_q[0] ;
  // the place, from the lowest token on chip
  wire [4:0]   above = p - {1'b0, chunk, 2'd0};
  wire [1:0]   row   = low + above[3:2];
  wire [255:0] here0 = row[1] ? (row[0] ? \u.row_q[3] : \u.row_q[2] )
                              : row[0] ? \u.row_q[1] : \u.row_q[0] ;
  wire [255:0] here1 = row[1] ? (row[0] ? \u.row_q[7] : \u.row_q[6] )
                              : row[0] ? \u.row_q[5] : \u.row_q[4] ;
  wire [255:0] here  = w ? here1 : here0;
  wire         want  = \u.want_q [w], asked = filling[w] && !want;
  wire         put   = \u.put_q , put_here = put && \u.put_addr_q == where;
  // Spills under way, oldest first, and fills: how many, and which are of the warp.
  wire [1:0]   b_n = \u.b_in_q - \u.b_out_q , r_n = \u.r_in_q - \u.r_out_q ;
  wire         b_at = \u.b_out_q [0], r_at = \u.r_out_q [0];
  wire [1:0]   b_q = { \u.b_q[1] , \u.b_q[0] }, r_q = { \u.r_q[1] , \u.r_q[0] };
  wire [1:0]   b_mine = {b_n == 2'd2 && b_q[!b_at] == w, b_n != 2'd0 && b_q[b_at] == w};
  wire [1:0]   r_mine = {r_n == 2'd2 && r_q[!r_at] == w && ! \u.r_drop_q [!r_at],
                         r_n != 2'd0 && r_q[r_at] == w && ! \u.r_drop_q [r_at]};

  always @* if (rst_n) begin
    if (started[w]) begin
      assert (count == {27'd0, tokens});
      if (mine) begin
        assert (none == (tokens == 5'd0) && last == (tokens == 5'd1 && has));
        if (has) assert (tokens != 5'd0);
        if (has && is_top) assert (top[b] == bit_p);
      end
      if (look_mine && look_has && is_top && of_kind) assert (look_kind[b[0]] == bit_p);
      if (arrives && arrives_warp[0] == w && is_top && of_kind)
        assert (arrives_kind[b[0]] == bit_p);
    end
    // The bit: on chip, in the spill buffer, or in memory.
    if (started[w]) begin
      assert (chip <= depth && {3'd0, tokens} == {4'd0, chunk, 2'd0} + {1'b0, chip});
      if (p < tokens)
        assert (bit_p == (p >= {1'b0, chunk, 2'd0} ? here[in_row]
                          : put_here ? \u.put_row_q [in_row] : content));
    end
    // Spills under way.
    assert (aw_taken == (put && \u.aw_done_q ) && w_taken == (put && \u.w_done_q )
            && !(aw_taken && w_taken));
    if (aw_taken) assert (aw_here == put_here);
    if (w_taken)  assert (w_bit == \u.put_row_q [in_row]);
    assert (b_n != 2'd3 && {1'b0, b_n} == {1'b0, writes} + {2'd0, put});
    assert ((write_here & ~b_mine) == 2'd0 && write_here[0] <= (writes != 2'd0)
            && write_here[1] <= (writes == 2'd2));
    if (put_here) assert (b_mine[b_n == 2'd2]);
    // Fills under way: one of a warp, after all its spills, of its highest chunk.
    assert (r_n != 2'd3 && {1'b0, r_n} == {1'b0, reads} + {2'd0, \u.get_q });
    assert (asked == (r_mine != 2'd0) && r_mine != 2'd3 && !(want && !filling[w]));
    if (filling[w]) assert (started[w] && chip == 7'd0 && chunk != 2'd0);
    if (asked) assert (b_mine == 2'd0);
    if ( \u.get_q ) assert ( \u.get_warp_q == r_q[! \u.r_in_q [0]]);
    if ( \u.get_q && r_mine[r_n == 2'd2]) assert ( \u.get_addr_q == {24'd0, w, chunk - 2'd1, 5'd0});
    if (p[4:2] == {1'b0, chunk} - 3'd1)
      assert ((r_mine & ~read_right & {reads == 2'd2, reads != 2'd0}) == 2'd0);
  end

  reg back;                                  // the token at the place was filled back
  always @(posedge clk) begin
    if (arrives && arrives_warp[0] == w && is_top) back <= 1'b1;
    if (!rst_n || clear || (mine && (empty || pop))) back <= 1'b0;
  end
  (* keep *) wire [2:0] covered = {3{rst_n && mine}} & {
    back && pop && is_top,                   // a spilled token comes back and is popped
    push && spills && writes == 2'd1,        // a push spills while a spill is under way
    spills && !full && !ready && !arrives};  // a push has to wait
endmodule
`default_nettype wire

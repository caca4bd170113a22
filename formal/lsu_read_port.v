// The LSU's read port keeps the AXI rules and loses no group: an offered address stays until it
// is taken; never more reads are out than there is room for their groups; and every group that
// was taken is handed on once, in order, with the data of its own sector and whose it is.
// UNIT: lsu_read LANES=4 READS=2 TAG=1
// RTL: lsu_read.v
// SEEN: fifo_q
// PROVE: induction 2
// COVER: 8
// BUG: lsu_read.v: s/wire reuse = LANES < 32 \&\& !g_first_i \&\&/wire reuse = LANES < 32 \&\&/ -- a new walk takes data that an older one read
// BUG: lsu_read.v: s/m_rready_o = !empty \&\& !head_reuse/m_rready_o = !empty/ -- an answer is taken while a group that needs none is served
// BUG: lsu_read.v: s/full  = in_q == \{~out_q\[RB\], out_q\[RB-1:0\]\}/full  = 1'b0/ -- groups are lost when all are out
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module lsu_read_port (
  input wire         clk, start, atom, written, g_valid, g_tag, s_ready, arready, rvalid,
  input wire [`ADDR_BITS-6:0]  g_sector,
  input wire [4:0]   g_beat,
  input wire [1:0]   g_word,
  input wire [3:0]   g_mask,
  input wire [255:0] rdata
);
  reg          rst_n = 1'b0;
  wire         idle, g_ready, s_valid, arvalid, rready;
  wire [255:0] s_data;
  wire [`ADDR_BITS-6:0]  s_sector;
  wire [4:0]   s_beat;
  wire [1:0]   s_word;
  wire [3:0]   s_mask;
  wire         s_tag;
  wire [`ADDR_BITS-1:0]  araddr;
  lsu_read u (
    .clk(clk), .rst_n(rst_n), .g_first_i(fresh), .atom_i(atom), .written_i(written), .idle_o(idle),
    .g_valid_i(g_valid), .g_ready_o(g_ready), .g_sector_i(g_sector), .g_beat_i(g_beat),
    .g_word_i(g_word), .g_mask_i(g_mask), .g_tag_i(g_tag), .s_valid_o(s_valid), .s_ready_i(s_ready),
    .s_data_o(s_data), .s_sector_o(s_sector), .s_beat_o(s_beat), .s_word_o(s_word),
    .s_mask_o(s_mask), .s_tag_o(s_tag), .m_arvalid_o(arvalid), .m_arready_i(arready),
    .m_araddr_o(araddr), .m_rvalid_i(rvalid), .m_rready_o(rready), .m_rdata_i(rdata));

  // Memory: one sector's content is known.  It may be written in any cycle in which no group of
  // that sector is taken or waits, and none can use what was read before.  The content of all
  // others is arbitrary.
  (* anyconst *) wire [`ADDR_BITS-6:0] sector;
  reg  [7:0]   content;
  (* anyseq *) wire [7:0] other;
  // Reads on their way: whether each is of that sector.
  reg  [3:0]   out = 4'd0;
  reg  [2:0]   outs = 3'd0;
  // An arbitrary group, by its number, and what it was.
  (* anyconst *) wire [3:0] chosen;
  reg          fresh = 1'b1;                 // the next group is the first of its walk
  reg  [3:0]   taken = 4'd0, handed = 4'd0;
  reg  [`ADDR_BITS+6:0]  group;
  reg          was_ar = 1'b0, was_g = 1'b0, was_r = 1'b0, was_written = 1'b0;
  reg  [`ADDR_BITS-1:0]  was_addr;
  reg  [`ADDR_BITS+8:0]  was_group;
  reg  [7:0]   was_data;
  wire         ar = arvalid && arready, r = rvalid && rready, g = g_valid && g_ready,
               s = s_valid && s_ready;
  wire [3:0]   left = r ? out >> 1 : out;
  wire [2:0]   lefts = outs - {2'd0, r};
  always @(posedge clk) begin
    rst_n <= 1'b1;
    if (rst_n) begin
      out    <= ar && araddr[`ADDR_BITS-1:5] == sector ? left | 4'd1 << lefts : left;
      outs   <= lefts + {2'd0, ar};
      taken  <= taken + {3'd0, g};
      handed <= handed + {3'd0, s};
      if (g && taken == chosen) group <= {g_sector, g_beat, g_word, g_mask, g_tag};
      was_ar <= arvalid && !arready;
      was_g  <= g_valid && !g_ready;
      was_r  <= rvalid && !rready;
      was_written <= written && idle;
      if (start || g) fresh <= start;
      if (!used && !(g && g_sector == sector)) content <= other;
    end
    was_addr  <= araddr;
    was_group <= {atom, g_sector, g_beat, g_word, g_mask, g_tag};
    was_data  <= rdata[7:0];
  end
  always @* begin
    if (!rst_n) assume (!g_valid && !rvalid && !start);
    if (was_g) assume (g_valid && {atom, g_sector, g_beat, g_word, g_mask, g_tag} == was_group);
    if (rvalid) begin
      assume (outs != 3'd0);
      if (out[0]) assume (rdata[7:0] == content);
    end
    if (was_r) assume (rvalid && rdata[7:0] == was_data);
    if (was_written && !s) assume (written);   // no unit writes before a sector has been handed on
    // a walk starts when the last group of the one before is taken; its reads may be on their way
    if (start) assume (!g_valid);
    assume (taken != 4'd15);
  end
  // Inside: the waiting groups, and whether each uses the data of the one before.
  (* hierconn *) wire [`ADDR_BITS+7:0]  \u.fifo_q[0] , \u.fifo_q[1] ;
  (* hierconn *) wire [1:0]   \u.in_q , \u.out_q ;
  (* hierconn *) wire [`ADDR_BITS-6:0]  \u.old_sector_q ;
  (* hierconn *) wire [255:0] \u.data_q ;
  wire [`ADDR_BITS+7:0] head = \u.out_q [0] ? \u.fifo_q[1] : \u.fifo_q[0] ,
              next = \u.out_q [0] ? \u.fifo_q[0] : \u.fifo_q[1] ;
  wire [1:0]  waiting = \u.in_q - \u.out_q ;
  wire [`ADDR_BITS+7:0] last = waiting == 2'd2 ? next : head;
  wire        known = \u.data_q [7:0] == content;
  wire        used = (waiting != 2'd0 && head[`ADDR_BITS+6:12] == sector)
                     || (waiting == 2'd2 && next[`ADDR_BITS+6:12] == sector)
                     || (!fresh && \u.old_sector_q == sector && !start);
  always @* if (rst_n) begin
    if (was_ar) assert (arvalid && araddr == was_addr);
    if (arvalid) assert (araddr[4:0] == 5'd0);
    assert (outs <= 3'd2);
    assert (taken - handed <= 4'd2);
    assert (idle == (taken == handed));
    if (idle) assert (outs == 3'd0);
    if (s) begin
      assert (taken != handed);
      if (handed == chosen)
        assert ({s_sector, s_beat, s_word, s_mask, s_tag} == group);
      if (s_sector == sector)
        assert (s_data[7:0] == content);
    end
    // Why it is so, for the induction.
    assert (waiting <= 2'd2 && handed <= taken && taken - handed == {2'd0, waiting});
    assert (outs == {2'd0, waiting != 2'd0 && !head[`ADDR_BITS+7]}
                  + {2'd0, waiting == 2'd2 && !next[`ADDR_BITS+7]});
    if (outs != 3'd0)
      assert (out[0] == ((head[`ADDR_BITS+7] ? next[`ADDR_BITS+6:12] : head[`ADDR_BITS+6:12])
                         == sector));
    assert (out >> outs == 4'd0);
    if (outs == 3'd2) assert (out[1] == (next[`ADDR_BITS+6:12] == sector));
    if (waiting == 2'd2 && next[`ADDR_BITS+7])
      assert (next[`ADDR_BITS+6:12] == head[`ADDR_BITS+6:12]);
    if (waiting != 2'd0 && !fresh) assert ( \u.old_sector_q == last[`ADDR_BITS+6:12]);
    if (waiting != 2'd0 && head[`ADDR_BITS+7] && head[`ADDR_BITS+6:12] == sector) assert (known);
    if (waiting == 2'd0 && !fresh && \u.old_sector_q == sector) assert (known);
    if (chosen - handed < {2'd0, waiting} && chosen >= handed)
      assert ((chosen == handed ? head[`ADDR_BITS+6:0] : next[`ADDR_BITS+6:0]) == group);
    cover (outs == 3'd2);
    cover (s && s_sector == sector && handed == 4'd2 && outs == 3'd0);
  end
  always @* if (!rst_n) assert (taken == 4'd0 && handed == 4'd0 && outs == 3'd0);
endmodule
`default_nettype wire

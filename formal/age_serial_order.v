// The order of touches in a list: whatever subset of what has been touched is asked for, the answer
// is its member that was touched last, as age_order.v says of age.v.  The reference counts, for
// each, how many have been touched after it, and does so when a step ends.
// UNIT: age_serial N=4 WARPS=2
// RTL: age_serial.v
// SEEN: list length_q
// PROVE: induction 2
// COVER: 16
// BUG: age_serial.v: s/ended \|\| here == which_i;/ended;/ -- what is touched again is in the list twice
// BUG: age_serial.v: s/length_q\[w\] <= at_q \+ 1.d1/length_q[w] <= at_q/ -- the list does not grow
// BUG: age_serial.v: s/found_q    <= ended \|\| mask_i\[here\];/found_q <= 1'b1;/ -- the youngest of all, not of the subset
// BUG: age_serial.v: s/if \(!on_i \|\| go_i\)/if (go_i)/ -- a step that is given up is gone on with as another
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module age_serial_order (
  input wire       clk, on, en_in, touch_in, wait_in,
  input wire [4:0] warp_in,
  input wire [1:0] which_in,
  input wire [3:0] mask_in
);
  // A step keeps what it asks for until it goes, which it does some time after it can; one that
  // only asks may be given up instead.
  reg        held = 1'b0;
  reg        en_q, touch_q;
  reg  [4:0] warp_q;
  reg  [1:0] which_q;
  reg  [3:0] mask_q;
  wire       en    = held ? en_q : en_in, touch = held ? touch_q : touch_in;
  wire [4:0] warp  = held ? warp_q : warp_in;
  wire [1:0] which = held ? which_q : which_in;
  wire [3:0] mask  = held ? mask_q : mask_in;
  wire       is_on = on || (held && touch_q);
  wire       found, ready, go = is_on && ready && !wait_in;
  reg        clear = 1'b1;
  always @(posedge clk) begin
    clear <= 1'b0;
    held  <= is_on && !go && !clear;
    {en_q, touch_q, warp_q, which_q, mask_q} <= {en, touch, warp, which, mask};
  end
  wire [1:0] youngest;
  age_serial u (
    .clk(clk), .clear_i(clear), .on_i(is_on && !clear), .go_i(go), .warp_i(warp), .en_i(en),
    .mask_i(mask), .youngest_o(youngest), .touch_i(touch), .which_i(which), .found_o(found),
    .ready_o(ready));

  (* anyconst *) wire w;                     // one of the two warps
  reg [3:0] touched;
  reg [7:0] rank;                            // touched after it
  wire [1:0] old = rank[2*which +: 2];
  wire      mine = warp[0] == w;
  integer i;
  always @(posedge clk) begin
    if (go && touch && mine) begin
      touched[which] <= 1'b1;
      for (i = 0; i < 4; i = i + 1)
        if (which == i)
          rank[2*i +: 2] <= 2'd0;
        else if (touched[i] && (!touched[which] || rank[2*i +: 2] < old))
          rank[2*i +: 2] <= rank[2*i +: 2] + 2'd1;
    end
    if (clear) touched <= 4'd0;
  end
  wire [2:0] n = touched[0] + touched[1] + touched[2] + touched[3];
  // things in the list when the step goes
  wire [2:0] after = touch && !touched[which] ? n + 3'd1 : n;

  (* hierconn *) wire [1:0] \u.list[0] , \u.list[1] , \u.list[2] , \u.list[3] ,
                            \u.list[4] , \u.list[5] , \u.list[6] , \u.list[7] , \u.moved_q ;
  (* hierconn *) wire [2:0] \u.length_q[0] , \u.length_q[1] , \u.at_q ;
  (* hierconn *) wire       \u.found_q , \u.touched_q ;
  wire [7:0] list = w ? { \u.list[7] , \u.list[6] , \u.list[5] , \u.list[4] }
                      : { \u.list[3] , \u.list[2] , \u.list[1] , \u.list[0] };
  wire [2:0] length = w ? \u.length_q[1] : \u.length_q[0] , at = \u.at_q ;
  wire       moving = held && mine && touch && found && !\u.touched_q && at != 3'd0;
  wire       moved  = held && mine && touch && \u.touched_q ;
  wire [2:0] before = moving ? at : 3'd0;    // places that have been dealt with
  reg  [1:0] here;
  always @* if (!clear) begin
    assert (n <= 3'd4 && (!mine || !held || at <= 3'd4));
    for (i = 0; i < 4; i = i + 1)
      assert (!touched[i] || {1'b0, rank[2*i +: 2]} < n);
    assert (rank[1:0] != rank[3:2] || !touched[0] || !touched[1]);
    assert (rank[1:0] != rank[5:4] || !touched[0] || !touched[2]);
    assert (rank[1:0] != rank[7:6] || !touched[0] || !touched[3]);
    assert (rank[3:2] != rank[5:4] || !touched[1] || !touched[2]);
    assert (rank[3:2] != rank[7:6] || !touched[1] || !touched[3]);
    assert (rank[5:4] != rank[7:6] || !touched[2] || !touched[3]);
    assert (length == (moved ? after : n));
    if (!held) assert (!\u.found_q && !\u.touched_q && at == 3'd0);
    if (held && \u.touched_q ) assert (touch && found);
    // The list, by rank: before a step, within one that moves its places one by one, after.
    if (moved && length != 3'd0) assert (list[1:0] == which);
    for (i = 0; i < 4; i = i + 1) begin
      here = list[2*i +: 2];
      if (!moved && i >= before && i < n)
        assert (touched[here] && rank[2*here +: 2] == i);
      if (moving && i == 0) assert (here == which);
      if (moving && i != 0 && i < before)
        assert (touched[here] && rank[2*here +: 2] == i - 1);
      if (moved && i != 0 && i < after)
        assert (here != which && touched[here]
                && rank[2*here +: 2] == (touched[which] && i > old ? i : i - 1));
    end
    if (moving) begin
      assert (at <= n && (!touched[which] || {1'b0, old} >= at));
      assert (touched[ \u.moved_q ] && {1'b0, rank[2*\u.moved_q +: 2]} == at - 3'd1);
    end
    if (held && mine && en && !\u.found_q ) begin             // none of those looked at so far
      assert (at <= n);
      for (i = 0; i < 4; i = i + 1)
        if (i < at) assert (!mask[list[2*i +: 2]]);
    end
    if (is_on && mine && en && found && mask != 4'd0 && (mask & ~touched) == 4'd0) begin
      assert (mask[youngest]);
      for (i = 0; i < 4; i = i + 1)
        assert (!mask[i] || rank[2*youngest +: 2] <= rank[2*i +: 2]);
    end
    cover (go && mine && en && mask == 4'h3 && touched == 4'h7 && youngest == 2'd1
           && rank[3:2] == 2'd1);
    cover (go && mine && touch && touched == 4'h3 && old == 2'd1);
  end
endmodule
`default_nettype wire

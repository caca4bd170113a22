// The barrier registers of a small core are those of the wide one: a step that goes has emptied all
// of its warp (a start), written the one that it names, and changed no other.  A start may be given
// up at any time for another warp's instruction.
// ENGINE: abc
// UNIT: conv_barriers_serial WARPS=2
// RTL: conv_barriers_serial.v
// SEEN: b_mem
// PROVE: induction 1
// COVER: 8
// BUG: conv_barriers_serial.v: s/ \|\| !start_i \? 5.d0/ ? 5'd0/ @ 20 -- a start goes on where one was given up
// BUG: conv_barriers_serial.v: s/sweep \? 32.d0 : put_i/put_i/ -- a start keeps what was there
// BUG: conv_barriers_serial.v: s/!on_i \|\| go_i/!on_i/ @ 20 -- the next start after one does nothing
// BUG: conv_barriers_serial.v: s/start_i && !at_q\[4\]/start_i \&\& at_q[3:0] != 4'd15/ @ 20 -- the last register is left out
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module barriers_serial_kept (
  input wire        clk, on_in, give_in, start_in, we_in, wait_in,
  input wire [4:0]  warp_in,
  input wire [3:0]  sel_in,
  input wire [31:0] put_in
);
  // A step keeps what it asks for until it goes, but for a start that is given up.
  reg         begun = 1'b0;                  // no step before the reset
  always @(posedge clk) begun <= 1'b1;
  reg         held = 1'b0;
  reg         start_h, we_h;
  reg  [4:0]  warp_h;
  reg  [3:0]  sel_h;
  reg  [31:0] put_h;
  wire        keep  = held && !(start_h && give_in);
  wire        on    = begun && (keep || on_in);
  wire        start = keep ? start_h : on && start_in && !held;
  wire        we    = keep ? we_h : we_in && !start;
  wire [4:0]  warp  = keep ? warp_h : warp_in;
  wire [3:0]  sel   = keep ? sel_h : sel_in;
  wire [31:0] put   = keep ? put_h : put_in;
  wire        ready, go = on && ready && !wait_in;
  always @(posedge clk) begin
    held <= on && !go;
    {start_h, we_h, warp_h, sel_h, put_h} <= {start, we, warp, sel, put};
  end

  (* anyconst *) wire       w;               // one of the registers of one of the warps
  (* anyconst *) wire [3:0] r;
  wire [31:0] now, b;
  conv_barriers_serial u (
    .clk(clk), .warp_i(warp), .sel_i(sel), .now_o(now), .on_i(on), .go_i(go), .start_i(start),
    .we_i(we), .put_i(put), .ready_o(ready),
    .bmov_warp_i({4'd0, w}), .bmov_bx_i(r), .bmov_o(b));

  wire        mine = warp[0] == w;
  reg         want;                          // a lane of it: they are alike
  reg         known = 1'b1;                  // not of a warp that is to start: it runs nothing
  always @(posedge clk) begin
    if (go && mine && !start)
      want <= we && sel == r ? put[9] : want;
    if (go && mine && start)
      {known, want} <= 2'b10;
    if (on && mine && start && !go)
      known <= 1'b0;
  end

  (* hierconn *) wire [4:0] \u.at_q ;
  wire        passed = held && warp_h[0] == w && {1'b0, r} < \u.at_q ;
  always @* begin
    if (!begun) assume (b[9] == want);          // whatever it holds
    else begin
      assert (\u.at_q <= 5'd16 && (held || \u.at_q == 5'd0));
      if (held) assert (start_h || \u.at_q == 5'd0);
      if (held && start_h) assert (!we_h && (warp_h[0] != w || !known));
      if (passed && start_h) assert (!b[9]);
      if (known) assert (b[9] == want);
    end
  end
  (* keep *) wire [2:0] covered = {
    held && start_h && passed && mine && \u.at_q == 5'd3,
    held && start_h && give_in && on && we && known && mine && \u.at_q == 5'd3 && want,
    go && we && known && mine && sel == r && put[9] != want };
  wire unused = &{1'b0, now};
endmodule
`default_nettype wire

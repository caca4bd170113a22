// Round robin starves no requester: what is picked was asked for, something is picked whenever
// one asks, and one that keeps asking is picked before any other is picked twice. With that, a
// warp that is ready waits for at most WARPS - 1 issues of others.
// UNIT: pick N=8
// RTL: pick.v
// PROVE: induction 2
// COVER: 10
// BUG: pick.v: s/<< last_i << 1/<< last_i/ -- the warp picked last comes first again
// BUG: pick.v: s/behind != .* \? behind : request_i/request_i/ -- the lowest comes first
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module pick_fair (
  input wire       clk, served,              // the user takes what is picked only when it can
  input wire [7:0] request
);
  wire       any;
  wire [2:0] which;
  reg  [2:0] last;                           // as every user keeps it; arbitrary at first
  pick u (.request_i(request), .last_i(last), .any_o(any), .which_o(which));

  (* anyconst *) wire [2:0] me, other;
  reg       waited = 1'b0;                   // I have asked ever since
  reg       passed = 1'b0;                   // the other one has been served meanwhile
  reg [3:0] others = 4'd0;                   // how often others have been
  wire      go = any && served;
  always @(posedge clk) begin
    waited <= request[me] && !(go && which == me);
    passed <= request[me] && !(go && which == me) && (passed || (go && which == other));
    others <= !request[me] || (go && which == me) ? 4'd0 : others + {3'd0, go};
    if (go)
      last <= which;
  end
  // Those between the one served last and me have still to come: the others served while I wait
  // come after me.
  wire [2:0] before = me - last - 3'd1;
  always @* begin
    assume (me != other);
    assert (any == (request != 8'd0));
    if (any)
      assert (request[which]);
    if (waited && passed && request[me])
      assert (!(go && which == other));
    if (waited)
      assert ({2'd0, before} + {1'b0, others} <= 5'd7);
    if (passed)
      assert ((other - last - 3'd1) > before || other == last);
    assert (waited || (!passed && others == 4'd0));
    assert (!passed || others != 4'd0);
    cover (waited && others == 4'd7 && go && which == me);
  end
endmodule
`default_nettype wire

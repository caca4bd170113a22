// A turn starves no warp. The user's contract: in a cycle with a chance, an urgent one that
// still wants is served (issue.v: `go`; its unit is free by then, or becomes so, see
// slots_booked.v). Then who keeps wanting is served after at most N * (PATIENCE + 1) chances.
// UNIT: turn N=4 PATIENCE=2
// RTL: turn.v
// PROVE: induction 2
// COVER: 20
// BUG: turn.v: s/if \(!waits\)/if (!waits || chance_i)/ -- the turn goes on although its owner waits
// BUG: turn.v: s/count_q == P.\(PATIENCE\) \?/count_q == 2'd3 ?/ -- no warp is ever urgent
// BUG: turn.v: s/: which_q \+ B.\(1\)/: which_q + B'(2)/ -- every other one never has the turn
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module turn_fair (
  input wire       clk, chance, any,         // a warp is served in this cycle
  input wire [1:0] who,
  input wire [3:0] want
);
  wire [3:0] urgent;
  reg        rst_n = 1'b0;
  wire       serve = chance && any;
  wire [3:0] served = serve ? 4'd1 << who : 4'd0;
  turn u (.clk(clk), .rst_n(rst_n), .want_i(want), .served_i(served), .chance_i(chance),
          .urgent_oh_o(urgent));
  (* hierconn *) wire [1:0] \u.which_q , \u.count_q ;

  (* anyconst *) wire [1:0] me;
  reg  [3:0] chances;                        // that I have seen pass while I wanted
  reg  [3:0] cycles;                         // in which the turn has gone on without me
  reg        waited;
  wire       mine = want[me] && !served[me];
  wire [1:0] before = me - \u.which_q ;      // turns until mine
  always @(posedge clk) begin
    rst_n   <= 1'b1;
    waited  <= rst_n && mine;
    chances <= rst_n && mine ? chances + {3'd0, chance} : 4'd0;
  end
  always @* begin
    if (serve) assume (want[who]);
    if (chance && urgent != 4'd0) assume (any && urgent[who]);
    if (rst_n && waited) assume (want[me]);  // who wants keeps wanting until it is served
    if (rst_n) begin
      assert ( \u.count_q <= 2'd2);
      assert (chances <= 4'd12);
      assert (waited || chances == 4'd0);
      // Each turn before mine lasts for three chances at most, and so does mine.
      if (waited)
        assert ({1'b0, chances} + 5'd3 * ({3'd0, before} + 5'd1) - {3'd0, \u.count_q } <= 5'd12);
      cover (mine == 1'b0 && waited && served[me] && chances >= 4'd7);
    end
  end
endmodule
`default_nettype wire

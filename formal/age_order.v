// The order of touches: whatever subset of what has been touched is asked for, the answer is its
// member that was touched last. The reference counts, for each, how many have been touched after
// it.
// UNIT: age N=4 WARPS=2
// RTL: age.v
// SEEN: row_q
// PROVE: induction 1
// COVER: 7
// BUG: age.v: s/if \(which_i != B'\(i\)\)// -- what is touched again stays where it was
// BUG: age.v: s/\(row & mask_i\)/row/ -- the youngest of all, not of the subset
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module age_order (
  input wire       clk, en, touch,
  input wire [4:0] warp,
  input wire [1:0] which,
  input wire [3:0] mask
);
  wire [1:0] youngest;
  age u (
    .clk(clk), .warp_i(warp), .en_i(en), .mask_i(mask), .youngest_o(youngest), .touch_i(touch),
    .which_i(which));

  (* anyconst *) wire w;                     // one of the two warps
  reg [3:0] touched = 4'd0;
  reg [7:0] rank;                            // touched after it
  wire [1:0] old = rank[2*which +: 2];
  integer i, j;
  always @(posedge clk)
    if (touch && warp[0] == w) begin
      touched[which] <= 1'b1;
      for (i = 0; i < 4; i = i + 1)
        if (which == i)
          rank[2*i +: 2] <= 2'd0;
        else if (touched[i] && (!touched[which] || rank[2*i +: 2] < old))
          rank[2*i +: 2] <= rank[2*i +: 2] + 2'd1;
    end
  wire [2:0] n = touched[0] + touched[1] + touched[2] + touched[3];

  // What the rows say: bit j of row i, j > i.
  (* hierconn *) wire [7:0] \u.row_q[0] , \u.row_q[1] ;
  wire [7:0]  kept = w ? \u.row_q[1] : \u.row_q[0] ;
  wire [15:0] rows = {4'd0, kept[0], 3'd0, kept[7:6], 2'd0, kept[3:1], 1'd0};
  always @* begin
    for (i = 0; i < 4; i = i + 1)
      for (j = 0; j < 4; j = j + 1)
        if (touched[i] && touched[j]) begin
          assert (i >= j || rows[4*i + j] == (rank[2*j +: 2] < rank[2*i +: 2]));
          assert (i == j || rank[2*j +: 2] != rank[2*i +: 2]);
        end
    for (i = 0; i < 4; i = i + 1)
      assert (!touched[i] || {1'b0, rank[2*i +: 2]} < n);
    if (en && warp[0] == w && mask != 4'd0 && (mask & ~touched) == 4'd0) begin
      assert (mask[youngest]);
      for (i = 0; i < 4; i = i + 1)
        assert (!mask[i] || rank[2*youngest +: 2] <= rank[2*i +: 2]);
    end
    cover (en && warp[0] == w && mask == 4'ha && touched == 4'hf && youngest == 2'd3
           && rank[7:6] == 2'd2);
  end
endmodule
`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
// Sums of a commit record's words (cmodel/isa/digest.h), {weighed, parity}, as beats of LANES lanes
// bring them: a word weighs x to the number of words after it.  Whatever came before a beat weighs
// x to LANES more after it.
  function automatic [31:0] times_x(input [31:0] a);
    times_x = {a[30:0], 1'b0} ^ (a[31] ? 32'h00400007 : 32'd0);
  endfunction
  // x to n: for a constant n.
  function automatic [31:0] x_to(input integer n);
    integer i;
    x_to = 32'd1;
    for (i = 0; i < n; i = i + 1)
      x_to = {x_to[30:0], 1'b0} ^ (x_to[31] ? 32'h00400007 : 32'd0);
  endfunction
  function automatic [31:0] times(input [31:0] a, b);
    logic [31:0] t;
    t = a;
    times = 32'd0;
    for (int i = 0; i < 32; i = i + 1) begin
      times = times ^ (b[i] ? t : 32'd0);
      t = times_x(t);
    end
  endfunction
  localparam [31:0] X_32 = x_to(32), X_64 = x_to(64), X_LANES = x_to(LANES);
  // A beat's words; the last lane has weight 1.
  function automatic [63:0] sums_of(input [32*LANES-1:0] words);
    sums_of = 64'd0;
    for (int i = 0; i < LANES; i = i + 1)
      sums_of = {times_x(sums_of[63:32]) ^ words[32*i +: 32], sums_of[31:0] ^ words[32*i +: 32]};
  endfunction
  // Two words of each lane: all first ones, then all second ones.
  function automatic [63:0] sums_both(input [63:0] first, second);
    sums_both = {times(first[63:32], X_32) ^ second[63:32], first[31:0] ^ second[31:0]};
  endfunction
  // What came before, at a beat: of the same instruction, perhaps in its pass of words 0 and 1.
  function automatic [63:0] sums_before(input [63:0] sums, input first, pass);
    sums_before = {times(sums[63:32], X_LANES), sums[31:0]};
    if (first)
      sums_before = pass ? {times(sums_before[63:32], X_32), sums[31:0]} : 64'd0;
  endfunction

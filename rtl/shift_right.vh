// {x >> by, whether a one was cut off}.
// SPDX-License-Identifier: Apache-2.0
function automatic [64:0] shift_right(input [63:0] of, input [5:0] by);
  logic [63:0] x;
  logic        cut;
  begin
    x    = of;
    cut  = 1'b0;
    for (int k = 0; k < 6; k = k + 1)
      if (by[k]) begin
        cut = cut || (x & ((64'd1 << (1 << k)) - 64'd1)) != 64'd0;
        x    = x >> (1 << k);
      end
    shift_right = {x, cut};
  end
endfunction

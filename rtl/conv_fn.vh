// Steps of the convergence unit, and three functions; include it inside a module.
// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off UNUSEDPARAM */
localparam [3:0] S_EXEC = 4'd0, S_NEXT = 4'd1, S_GIVE = 4'd2, S_SCANB = 4'd3, S_REL = 4'd4,
                 S_BLOCK = 4'd5, S_FAULT = 4'd6;
/* verilator lint_on UNUSEDPARAM */
function automatic [4:0] low(input [31:0] of);
  low = 5'd0;
  for (int i = 31; i >= 0; i = i - 1)
    if (of[i])
      low = 5'(i);
endfunction
function automatic [5:0] count(input [31:0] of);
  count = 6'd0;
  for (int i = 0; i < 32; i = i + 1)
    count = count + {5'd0, of[i]};
endfunction
// The first lane of a set from lane `from` on, round the warp.
function automatic [4:0] first_from(input [4:0] from, input [31:0] of);
  first_from = low((of & (32'hffffffff << from)) != 32'd0 ? of & (32'hffffffff << from) : of);
endfunction

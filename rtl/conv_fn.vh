// Steps of the convergence unit, and three functions; include it inside a module.
// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off UNUSEDPARAM */
localparam [3:0] S_EXEC = 4'd0, S_NEXT = 4'd1, S_GIVE = 4'd2, S_SCANB = 4'd3, S_REL = 4'd4,
                 S_BLOCK = 4'd5, S_FAULT = 4'd6;
/* verilator lint_on UNUSEDPARAM */
// By halves, as a search from one end to the other is a path through each lane; 0 of none.
function automatic [4:0] low(input [31:0] of);
  logic [15:0] s16;                          // the half, quarter ... that it is in
  logic [7:0]  s8;
  logic [3:0]  s4;
  logic [1:0]  s2;
  low[4] = of[15:0] == 16'd0 && of[31:16] != 16'd0;
  s16    = low[4] ? of[31:16] : of[15:0];
  low[3] = s16[7:0] == 8'd0 && s16[15:8] != 8'd0;
  s8     = low[3] ? s16[15:8] : s16[7:0];
  low[2] = s8[3:0] == 4'd0 && s8[7:4] != 4'd0;
  s4     = low[2] ? s8[7:4] : s8[3:0];
  low[1] = s4[1:0] == 2'd0 && s4[3:2] != 2'd0;
  s2     = low[1] ? s4[3:2] : s4[1:0];
  low[0] = s2 == 2'b10;
endfunction
function automatic [5:0] count(input [31:0] of);
  count = 6'd0;
  for (int i = 0; i < 32; i = i + 1)
    count = count + {5'd0, of[i]};
endfunction
// The first lane of a set from lane `from` on, round the warp.
function automatic [4:0] first_from(input [4:0] from, input [31:0] of);
  logic [31:0] on;
  on = of & (32'hffffffff << from);
  first_from = on != 32'd0 ? low(on) : low(of);
endfunction

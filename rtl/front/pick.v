// Round robin: of N requests, the first one after `last`.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module pick #(
  parameter N = 32
) (
  input  wire  [N-1:0]                         request_i,
  input  wire  [(N > 1 ? $clog2(N) : 1)-1:0]   last_i,
  output wire                                  any_o,
  output logic [(N > 1 ? $clog2(N) : 1)-1:0]   which_o
);
  localparam B = N > 1 ? $clog2(N) : 1;
  wire [N-1:0] behind = request_i & ~(({{N-1{1'b0}}, 1'b1} << last_i << 1) - {{N-1{1'b0}}, 1'b1});
  wire [N-1:0] from   = behind != {N{1'b0}} ? behind : request_i;
  wire [N-1:0] lowest = from & (~from + {{N-1{1'b0}}, 1'b1});
  assign any_o = request_i != {N{1'b0}};
  always_comb begin
    which_o = {B{1'b0}};
    if (any_o)
      for (int i = 0; i < N; i = i + 1)
        if (lowest[i])
          which_o = which_o | B'(i);
  end
endmodule
`default_nettype wire

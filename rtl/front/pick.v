// Round robin: of N requests, the first one after `last`.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module pick #(
  parameter N = 32
) (
  input  wire  [N-1:0]                         request_i,
  input  wire  [(N > 1 ? $clog2(N) : 1)-1:0]   last_i,
  output wire                                  any_o,
  output wire  [(N > 1 ? $clog2(N) : 1)-1:0]   which_o
);
  localparam B = N > 1 ? $clog2(N) : 1;
  wire [N-1:0] behind = request_i & ~(({{N-1{1'b0}}, 1'b1} << last_i << 1) - {{N-1{1'b0}}, 1'b1});
  wire [N-1:0] from   = behind != {N{1'b0}} ? behind : request_i;
  wire [N-1:0] lowest = from & (~from + {{N-1{1'b0}}, 1'b1});
  assign any_o = request_i != {N{1'b0}};
  // Bit k of its number: is it one of those whose numbers have this bit?
  genvar k;
  generate
    for (k = 0; k < B; k = k + 1) begin : g_bit
      assign which_o[k] = (lowest & having(k)) != {N{1'b0}};
    end
  endgenerate
  function automatic [N-1:0] having(input integer bit_no);
    for (int i = 0; i < N; i = i + 1)
      having[i] = ((i >> bit_no) & 1) != 0;
  endfunction
endmodule
`default_nettype wire

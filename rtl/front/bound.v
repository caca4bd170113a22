// Reports requests that have waited too long to the probe: for simulation, nothing in synthesis.
// Each of N waits while its bit is set.  Time goes by in ticks; one that waits through the MAX
// ticks between two looks is late.  So a wait of MAX ticks is never reported, and one of 2*MAX
// always is. docs/progress.md gives the bounds and their reasons.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module bound #(
  parameter N = 1, MAX = 64
) (
  input  wire         clk, rst_n,
  input  wire [N-1:0] wait_i,
  input  wire         tick_i,
  output wire [5:0]   late_o                 // a request is late, and which
);
`ifdef SYNTHESIS
  assign late_o = 6'd0;
  wire unused = &{1'b0, clk, rst_n, wait_i, tick_i};
`else
  localparam T = $clog2(MAX);
  logic [N-1:0] all_q, late_q;              // waits since the last look; waited between two of them
  logic [T-1:0] tick_q;
  logic [4:0]   who;
  always_comb begin
    who = 5'd0;
    if (late_q != {N{1'b0}})
      for (int i = 0; i < N; i = i + 1)
        if (late_q[i])
          who = 5'(i);
  end
  assign late_o = {late_q != {N{1'b0}}, who};
  always @(posedge clk) begin
    all_q  <= all_q & wait_i;
    late_q <= {N{1'b0}};
    if (tick_i) begin
      tick_q <= tick_q + T'(1);
      if (tick_q == T'(MAX - 1)) begin
        tick_q <= {T{1'b0}};
        late_q <= all_q & wait_i;
        all_q  <= wait_i;
      end
    end
    if (!rst_n) begin
      tick_q <= {T{1'b0}};
      all_q  <= {N{1'b0}};
      late_q <= {N{1'b0}};
    end
  end
`endif
endmodule
`default_nettype wire

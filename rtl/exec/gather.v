// What is known of all lanes of an instruction when its last beat is in E1: for the convergence
// unit which execute, and one's second source; for operations between lanes their first sources.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module gather #(
  parameter LANES = 32, ALL = 1               // ALL=0: nobody wants the sources
) (
  input  wire          clk,
  input  wire          valid_i,              // a beat is in E1
  input  wire          sources_i,            // they are wanted, not only the lanes that execute
  input  wire          control_i,            // it goes to the convergence unit
  input  wire          first_i,              // of the instruction's beats
  input  wire [4:0]    beat_i,
  input  wire [LANES-1:0]    exec_i, ps_i,
  input  wire [64*LANES-1:0] a_i, b_i,       // the low words are taken
  output wire [31:0]   exec_o, ps_o,         // lane l in bit l
  output wire [1023:0] a_o,                  // lane l in bits 32 l +: 32
  output logic [31:0]  low_b_o            // the lowest executing lane's second source, if control_i
);
  localparam N = 32 / LANES;
  logic [31:0] low_q;
  logic        found, found_q;
  always_comb begin
    found   = !first_i && found_q;
    low_b_o = found ? low_q : 32'd0;
    if (control_i)
      for (int i = 0; i < LANES; i = i + 1)
        if (!found && exec_i[i]) begin
          low_b_o = b_i[64*i +: 32];
          found   = 1'b1;
        end
  end
  always @(posedge clk)
    if (control_i) begin
      low_q   <= low_b_o;
      found_q <= found;
    end
  genvar l;
  generate
    if (N == 1) begin : g_whole
      assign exec_o = exec_i;
      assign ps_o   = ps_i;
      for (l = 0; l < 32; l = l + 1) begin : g_lane
        assign a_o[32*l +: 32] = a_i[64*l +: 32];
      end
    end else begin : g_gather
      // The sources of all beats but the last are kept; those of the last are there.
      localparam W = 32 * LANES, KEPT = W * (N - 1);
      logic [31:0]     exec_q, ps_q, exec_d, ps_d;
      logic [KEPT-1:0] a_q;
      wire  [W-1:0]    a;                    // of the beat
      wire             keeps = valid_i && sources_i && ALL != 0;
      for (l = 0; l < LANES; l = l + 1) begin : g_lane
        assign a[32*l +: 32] = a_i[64*l +: 32];
      end
      always_comb begin
        exec_d = exec_q;
        ps_d   = ps_q;
        for (int k = 0; k < N; k = k + 1)
          if (beat_i == 5'(k)) begin
            exec_d[LANES*k +: LANES] = exec_i;
            ps_d[LANES*k +: LANES]   = ps_i;
          end
      end
      always @(posedge clk) begin
        if (valid_i)
          {exec_q, ps_q} <= {exec_d, ps_d};
        for (int k = 0; k < N - 1; k = k + 1)
          if (keeps && beat_i == 5'(k))
            a_q[W*k +: W] <= a;
      end
      assign {exec_o, ps_o} = {exec_d, ps_d};
      assign a_o = ALL != 0 ? {a, a_q} : 1024'd0;
    end
  endgenerate
  wire unused = &{1'b0, a_i, b_i, beat_i, valid_i, sources_i};
endmodule
`default_nettype wire

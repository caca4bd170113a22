// Takes a warp through a unit a few lanes a cycle.  The operands of all lanes are kept, beat by
// beat; then F lanes a cycle go to F lanes of the unit, which are outside, and a result takes the
// place of its first operand; serial_out.v hands them on.
//   E1: N beats | 32 / F steps and LATENCY + 1 cycles | done_o ... take_i | 2 cycles | N beats
// One instruction at a time; the next one's beats may come from the first of the last N cycles on.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module serial_pipe #(
  parameter LANES = 32, F = 1,               // F: at most LANES
  parameter LATENCY = 5,                     // of the unit
  parameter W = 64                           // bits of the second and the third operand
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,
  // E1
  input  wire          valid_i,              // a beat for this unit
  input  beat_t        beat_i,
  input  wire [LANES-1:0]    ps_i,
  input  wire [64*LANES-1:0] a_i, b_i, c_i,
  // the unit: operands of F lanes; their results LATENCY cycles later
  output wire          step_o,
  output wire [127:0]  word_o,
  output logic [F-1:0] step_ps_o,
  output logic [64*F-1:0] step_a_o,
  output logic [W*F-1:0]  step_b_o, step_c_o,
  input  wire [64*F-1:0]  back_d_i,
  input  wire [F-1:0]     back_pd_i,
  // issue
  output wire          done_o,               // all results are there and have no slots yet
  input  wire          take_i,
  // as E2 and on
  output wire          valid_o,
  output beat_t        beat_o,
  output wire [64*LANES-1:0] d_o,
  output wire [LANES-1:0]    pd_o
);
  localparam N  = 32 / LANES;
  localparam G  = LANES / F;                 // steps of a row
  localparam GB = $clog2(G);
  localparam RB = N > 1 ? $clog2(N) : 1;
  localparam [4:0] LAST = 5'(32 / F - 1);
  uop_t         uop_q;
  logic [31:0]  exec_q, ps_q, pd_q;
  logic         feed_q;                      // a step goes in
  logic [4:0]   step_q, back_q;              // steps that have gone in, come back
  wire  [4:0]   beat;                        // beats that have left
  wire          last;
  logic [LATENCY:0] way_q;                   // steps on their way
  wire          back = way_q[LATENCY];
  assign step_o = way_q[0];
  assign word_o = uop_q.word;

  // ---- operands, results ----
  wire [RB-1:0] row_in   = N == 1 ? {RB{1'b0}} : beat_i.beat[RB-1:0];
  wire [RB-1:0] row_step = N == 1 ? {RB{1'b0}} : RB'(step_q >> GB);
  wire [RB-1:0] row_back = N == 1 ? {RB{1'b0}} : RB'(back_q >> GB);
  wire [RB-1:0] row_out  = valid_o ? (N == 1 ? {RB{1'b0}} : beat[RB-1:0]) : row_step;
  wire [4:0]    lane_in  = 5'(beat_i.beat * LANES[5:0]), lane_out = 5'(beat * LANES[5:0]);
  wire [4:0]    lane_step = 5'(step_q * F[5:0]), lane_back = 5'(back_q * F[5:0]);
  wire [64*LANES-1:0] a_row;
  wire [W*LANES-1:0]  b_row, c_row;
  // A row for each beat; results take the place of the first operand.
  logic [64*LANES-1:0] a_q [0:N-1];
  logic [W*LANES-1:0]  b_q [0:N-1];
  logic [W*LANES-1:0]  c_q [0:N-1];
  wire  [RB-1:0] row_put = valid_i ? row_in : row_back;
  always @(posedge clk) begin
    if (valid_i || back)
      a_q[row_put] <= valid_i ? a_i : come(a_q[row_put]);
    if (valid_i) begin
      b_q[row_in] <= low(b_i);
      c_q[row_in] <= low(c_i);
    end
  end
  assign a_row = a_q[row_out];
  assign b_row = b_q[row_step];
  assign c_row = c_q[row_step];
  // A row in which the results of a step are.
  function automatic [64*LANES-1:0] come(input [64*LANES-1:0] row);
    for (int l = 0; l < LANES; l = l + 1)
      come[64*l +: 64] = (back_q & 5'(G - 1)) == 5'(l / F) ? back_d_i[64*(l % F) +: 64]
                                                           : row[64*l +: 64];
  endfunction
  function automatic [W*LANES-1:0] low(input [64*LANES-1:0] row);    // W bits of each lane
    for (int l = 0; l < LANES; l = l + 1)
      low[W*l +: W] = row[64*l +: W];
  endfunction

  // ---- a step: the lanes from `from` on of its row ----
  localparam AB = $clog2(64 * LANES), BB = $clog2(W * LANES);
  wire [4:0]    from = lane_step & 5'(LANES - 1);
  wire [AB-1:0] at_a = AB'({from, 6'd0});
  wire [BB-1:0] at_b = BB'(from * 7'(W));
  always @(posedge clk)
    if (feed_q) begin
      step_a_o  <= a_row[at_a +: 64*F];
      step_b_o  <= b_row[at_b +: W*F];
      step_c_o  <= c_row[at_b +: W*F];
      step_ps_o <= ps_q[lane_step +: F];
    end

  // ---- one instruction ----
  always @(posedge clk) begin
    way_q   <= {way_q[LATENCY-1:0], feed_q};
    if (valid_i)
      ps_q[lane_in +: LANES] <= ps_i;
    if (valid_i && beat_i.last) begin
      uop_q  <= beat_i.uop;
      exec_q <= beat_i.exec;
      feed_q <= 1'b1;
      step_q <= 5'd0;
      back_q <= 5'd0;
    end
    if (feed_q) begin
      step_q <= step_q + 5'd1;
      if (step_q == LAST)
        feed_q <= 1'b0;
    end
    if (back) begin
      pd_q[lane_back +: F] <= back_pd_i;
      back_q <= back_q + 5'd1;
    end
    if (!rst_n || clear_i) begin
      feed_q <= 1'b0;
      way_q  <= {LATENCY+1{1'b0}};
    end
  end
  serial_out #(.BEATS(N)) u_out (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .all_i(back && back_q == LAST), .done_o(done_o),
    .take_i(take_i), .valid_o(valid_o), .beat_o(beat), .last_o(last)
  );
  assign beat_o = {last, beat, exec_q, uop_q};
  assign d_o    = a_row;
  assign pd_o   = pd_q[lane_out +: LANES];
  wire unused = &{1'b0, beat_i, b_i, c_i};
endmodule
`default_nettype wire

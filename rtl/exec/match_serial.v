// MATCH lane after lane: each lane's value is compared with a row of operands a cycle, by LANES
// comparators, where warpops.v has 32 for each lane of a beat; serial_out.v hands the results on.
//   E1: N beats | 32 times N + 1 cycles | done_o ... take_i | 2 cycles | N beats
// One instruction at a time.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
module match_serial #(
  parameter LANES = 32
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,
  // E1
  input  wire          valid_i,              // a beat for this unit
  input  beat_t        beat_i,
  input  wire [64*LANES-1:0] a_i,
  // issue
  output wire          done_o,               // all results are there and have no slots yet
  input  wire          take_i,
  // as E2 and on
  output wire          valid_o,
  output beat_t        beat_o,
  output wire [64*LANES-1:0] d_o,
  output wire [LANES-1:0]    pd_o
);
  `include "isa_gen.vh"
  localparam N  = 32 / LANES, W = 32 * LANES;
  localparam LB = $clog2(LANES), RB = N > 1 ? $clog2(N) : 1;
  uop_t         uop_q;
  logic [31:0]  exec_q, pd_q;
  logic         go_q, own_q;                 // a lane's own value is read next
  logic [4:0]   lane_q, row_q;               // rows compared
  wire  [4:0]   beat;                        // beats that have left
  wire          out_last;
  logic [31:0]  value_q, set_q;

  // ---- operands ----
  logic [W-1:0] a_q [0:N-1];
  wire  [W-1:0] put;
  wire  [4:0]   read = own_q ? lane_q >> LB : row_q;
  wire  [W-1:0] row  = a_q[N == 1 ? {RB{1'b0}} : read[RB-1:0]];
  wire  [LB+4:0] at  = (LB+5)'({lane_q, 5'd0});
  wire  [LANES-1:0]  equal;
  wire  [LANES+31:0] sets = {equal, set_q};
  wire  [31:0]  set  = sets[LANES +: 32];    // after the last row
  wire          last = row_q == 5'(N - 1);
  wire          all  = set == exec_q;        // they have one value, if this lane executes
  wire          any  = uop_q.word[`INSN_OP] == OP_MATCHN;
  wire  [4:0]   lane_row = 5'(row_q * LANES[5:0]), lane_out = 5'(beat * LANES[5:0]);
  wire  [LANES-1:0] exec = exec_q[lane_row +: LANES];
  wire  [RB-1:0] row_in  = N == 1 ? {RB{1'b0}} : beat_i.beat[RB-1:0];
  wire  [RB-1:0] row_to  = N == 1 ? {RB{1'b0}} : RB'(lane_q >> LB);
  wire  [RB-1:0] row_out = N == 1 ? {RB{1'b0}} : beat[RB-1:0];
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_lane
      logic [31:0] d_q [0:N-1];
      assign put[32*l +: 32] = a_i[64*l +: 32];
      assign equal[l] = exec[l] && row[32*l +: 32] == value_q;
      always @(posedge clk)
        if (go_q && !own_q && last && (lane_q & 5'(LANES - 1)) == 5'(l))
          d_q[row_to] <= any || all ? set : 32'd0;
      assign d_o[64*l +: 64] = {32'd0, d_q[row_out]};
    end
  endgenerate
  always @(posedge clk)
    if (valid_i)
      a_q[row_in] <= put;

  // ---- one instruction ----
  always @(posedge clk) begin
    if (go_q && own_q) begin
      value_q <= row[at +: 32];
      row_q   <= 5'd0;
      own_q   <= 1'b0;
    end
    if (go_q && !own_q) begin
      set_q <= set;
      row_q <= row_q + 5'd1;
      if (last) begin
        pd_q[lane_q] <= !any && all;
        lane_q <= lane_q + 5'd1;
        own_q  <= 1'b1;
        if (lane_q == 5'd31)
          go_q <= 1'b0;
      end
    end
    if (valid_i && beat_i.last) begin
      uop_q  <= beat_i.uop;
      exec_q <= beat_i.exec;
      lane_q <= 5'd0;
      {go_q, own_q} <= 2'b11;
    end
    if (!rst_n || clear_i)
      go_q <= 1'b0;
  end
  serial_out #(.BEATS(N)) u_out (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .all_i(go_q && !own_q && last && lane_q == 5'd31),
    .done_o(done_o), .take_i(take_i), .valid_o(valid_o), .beat_o(beat), .last_o(out_last)
  );
  assign beat_o = {out_last, beat, exec_q, uop_q};
  assign pd_o   = pd_q[lane_out +: LANES];
  wire unused = &{1'b0, beat_i, a_i, read, sets};
endmodule
`default_nettype wire

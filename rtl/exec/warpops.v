// Operations between lanes: vote, shuffle, match (if MATCH), among the executing lanes.  The
// operands come beat by beat; from the cycle after the last the results leave beat by beat,
// combinational, idle when en_i is 0.  What a lane reads of another is in a memory, a row for each
// beat, with a read port for each lane of a beat, in two halves: one is read while the next
// operands come.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module warpops #(
  parameter LANES = 32, MATCH = 1
) (
  input  wire                clk,
  // E1: a beat
  input  wire                put_i,
  input  wire  [4:0]         put_beat_i,
  input  wire  [64*LANES-1:0] put_a_i, put_b_i, put_c_i,
  input  wire                half_i,         // the half that is written; the other is read
  // E2 and on
  input  wire                en_i,
  input  wire  [8:0]         op_i,
  input  wire  [1:0]         vote_i, shfl_i, // codes of a VOTE, of a SHFL
  input  wire  [4:0]         beat_i,
  input  wire  [31:0]        exec_i,
  input  wire  [31:0]        ps_i,           // source predicate of each lane
  input  wire  [1023:0]      a_i,            // lane l in bits 32 l +: 32; if MATCH
  output logic [32*LANES-1:0] d_o,
  output logic [LANES-1:0]   pd_o
);
  `include "isa_gen.vh"
  wire [31:0] yes = exec_i & ps_i;
  logic       holds;
  always_comb
    case (vote_i)
      VOTE_ALL: holds = yes == exec_i;
      VOTE_ANY: holds = yes != 32'd0;
      default:  holds = yes == exec_i || yes == 32'd0;
    endcase

  // ---- operands, by beat ----
  localparam LB = $clog2(LANES), AB = $clog2(64 / LANES), W = 32 * LANES;
  wire  [AB-1:0]   put = AB'({put_beat_i, half_i});
  logic [5*LANES-1:0] from;                  // the lane that each lane reads
  wire  [W-1:0]       va;                    // its word
  wire  [W-1:0]       put_va;
  logic [W-1:0]       a_q [0:64/LANES-1];
  wire  [15*LANES-1:0] put_bc;               // what SHFL looks at of the second and third source
  logic [15*LANES-1:0] bc;
  logic [15*LANES-1:0] bc_q [0:64/LANES-1];
  genvar k;
  generate
    for (k = 0; k < LANES; k = k + 1) begin : g_lane
      // Not all rows in one signal, nor in one expression: that takes minutes to compile.
      wire [W-1:0]  row = en_i ? a_q[AB'({from[5*k +: 5] >> LB, !half_i})] : {W{1'b0}};
      wire [LB+4:0] at  = (LB+5)'({from[5*k +: 5], 5'd0});
      assign va[32*k +: 32]     = row[at +: 32];
      assign put_va[32*k +: 32] = put_a_i[64*k +: 32];
      assign put_bc[15*k +: 15] = {put_c_i[64*k + 8 +: 5], put_c_i[64*k +: 5], put_b_i[64*k +: 5]};
    end
  endgenerate
  always @(posedge clk)
    if (put_i) begin
      a_q[put]  <= put_va;
      bc_q[put] <= put_bc;
    end

  // ---- which lane each reads ----
  logic [4:0]  lane, b, c, seg, low, high, j;
  logic [5:0]  sum;
  logic        ok;
  logic [LANES-1:0] in_range, idle;          // there is that lane; but it does not execute
  always_comb begin
    {from, in_range, idle} = {7*LANES{1'b0}};
    bc = {15*LANES{1'b0}};
    {lane, b, c, seg, low, high, j, sum, ok} = 42'd0;
    if (en_i) begin
      bc = bc_q[AB'({beat_i, !half_i})];
      for (int i = 0; i < LANES; i = i + 1) begin
        lane = 5'(beat_i << LB) | 5'(i);
        {seg, c, b} = bc[15*i +: 15];
        low  = lane & seg;
        high = low | (c & ~seg);
        case (shfl_i)
          SHFL_UP: begin
            j  = lane - b;
            ok = {1'b0, lane} >= {1'b0, b} + {1'b0, high};     // lane - b >= high, both signs
          end
          SHFL_DOWN: begin
            sum = {1'b0, lane} + {1'b0, b};
            j   = sum[4:0];
            ok  = sum <= {1'b0, high};
          end
          SHFL_BFLY: begin
            j  = lane ^ b;
            ok = j <= high;
          end
          default: begin
            j  = low | (b & ~seg);
            ok = j <= high;
          end
        endcase
        in_range[i]    = ok;
        idle[i]        = ok && !exec_i[j];
        from[5*i +: 5] = op_i == OP_SHFL && ok ? j : lane;
      end
    end
  end

  // ---- results ----
  logic [31:0] set;
  always_comb begin
    d_o  = {32*LANES{1'b0}};
    pd_o = {LANES{1'b0}};
    set  = 32'd0;
    if (en_i)
      for (int i = 0; i < LANES; i = i + 1)
        case (op_i)
          OP_VOTE: begin
            d_o[32*i +: 32] = yes;
            pd_o[i]         = holds;
          end
          OP_SHFL: begin
            d_o[32*i +: 32] = idle[i] ? 32'd0 : va[32*i +: 32];
            pd_o[i]         = in_range[i];
          end
          OP_MATCHN, OP_MATCHL: if (MATCH != 0) begin
            for (int m = 0; m < 32; m = m + 1)
              set[m] = exec_i[m] && a_i[32*m +: 32] == va[32*i +: 32];
            // Where this lane executes, all have one value if all have its value.
            pd_o[i] = op_i == OP_MATCHL && set == exec_i;
            d_o[32*i +: 32] = op_i == OP_MATCHN || set == exec_i ? set : 32'd0;
          end
          default: ;
        endcase
  end
  wire unused = &{1'b0, a_i, put_a_i, put_b_i, put_c_i, put_beat_i};
endmodule
`default_nettype wire

// Operations between lanes: vote, shuffle, match, among the executing lanes.  All 32 lanes'
// operands in, the results of one beat's lanes out; combinational, idle when en_i is 0.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module warpops #(
  parameter LANES = 32
) (
  input  wire                en_i,
  input  wire  [8:0]         op_i,
  input  wire  [1:0]         vote_i, shfl_i, // codes of a VOTE, of a SHFL
  input  wire  [4:0]         beat_i,
  input  wire  [31:0]        exec_i,
  input  wire  [31:0]        ps_i,           // source predicate of each lane
  input  wire  [1023:0]      a_i, b_i, c_i,  // lane l in bits 32 l +: 32
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

  // The operands of the beat's lanes.
  localparam N = 32 / LANES, W = 32 * LANES, LB = $clog2(LANES);
  logic [W-1:0] own_a, own_b, own_c;
  always_comb begin
    {own_a, own_b, own_c} = {3*W{1'b0}};
    if (en_i)
      for (int k = 0; k < N; k = k + 1)
        if (beat_i == 5'(k)) begin
          own_a = a_i[W*k +: W];
          own_b = b_i[W*k +: W];
          own_c = c_i[W*k +: W];
        end
  end

  logic [4:0]  lane, b, seg, low, high, j;
  logic [5:0]  sum;
  logic        ok;
  logic [31:0] va, set;
  always_comb begin
    d_o  = {32*LANES{1'b0}};
    pd_o = {LANES{1'b0}};
    {lane, b, seg, low, high, j, sum, ok, va, set} = 101'd0;
    if (en_i)
      for (int l = 0; l < LANES; l = l + 1) begin
        lane = 5'(beat_i << LB) | 5'(l);
        va   = own_a[32*l +: 32];
        case (op_i)
          OP_VOTE: begin
            d_o[32*l +: 32] = yes;
            pd_o[l]         = holds;
          end
          OP_SHFL: begin
            b    = own_b[32*l +: 5];
            seg  = own_c[32*l + 8 +: 5];
            low  = lane & seg;
            high = low | (own_c[32*l +: 5] & ~seg);
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
            pd_o[l] = ok;
            d_o[32*l +: 32] = ok && exec_i[j] ? a_i[{j, 5'd0} +: 32] : va;
          end
          OP_MATCHN, OP_MATCHL: begin
            for (int m = 0; m < 32; m = m + 1)
              set[m] = exec_i[m] && a_i[32*m +: 32] == va;
            // Where this lane executes, all have one value if all have its value.
            pd_o[l] = op_i == OP_MATCHL && set == exec_i;
            d_o[32*l +: 32] = op_i == OP_MATCHN || set == exec_i ? set : 32'd0;
          end
          default: ;
        endcase
      end
  end
endmodule
`default_nettype wire

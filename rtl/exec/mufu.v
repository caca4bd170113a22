// One lane's approximated functions; 4 cycles, pipelined.  docs/mufu.md is the definition.
//   1  special cases; argument as m * 2^e, m in [1, 2)     3  whole + c0 + (c1 + c2*d)*d
//   2  fixed point where the function needs it; table row  4  normalise, round, pack
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module mufu (
  input  wire        clk, en_i,              // d_o is valid 4 cycles after en_i,
  input  wire [3:1]  en_q_i,                 // en_i 1, 2, 3 cycles later, kept once for all lanes
  input  wire [2:0]  op_i,
  input  wire        na_i, aa_i,
  input  wire [31:0] a_i,
  output logic [31:0] d_o
);
  `include "isa_gen.vh"
  `include "mufu_table.vh"
  `include "normalize.vh"
  localparam [31:0] NAN = 32'h7fffffff;
  localparam [30:0] INF = 31'h7f800000, ONE = 31'h3f800000;

  // ---- 1: the argument ----
  logic        neg, zero, inf, done1;
  logic [31:0] value1;
  logic [4:0]  zeros;
  logic [23:0] m1;                           // 1.23
  logic [8:0]  e1;                           // signed, -149 to 127
  always_comb begin
    {neg, zero, inf, done1, value1, zeros, m1, e1} = 'x;
    if (en_i) begin
      neg  = (a_i[31] && !aa_i) ^ na_i;
      zero = a_i[30:0] == 31'd0;
      inf  = a_i[30:0] == INF;
      m1   = {a_i[30:23] != 8'd0, a_i[22:0]};
      {zeros, m1} = 29'(normalize({m1, 39'd0}) >> 39);
      e1 = {1'b0, a_i[30:23]} + {8'd0, a_i[30:23] == 8'd0} - 9'd127 - {4'd0, zeros};
      case (op_i)
        MUFU_RCP: begin
          done1  = zero || inf;
          value1 = {neg, zero ? INF : 31'd0};
        end
        MUFU_RSQ: begin
          done1  = zero || inf || neg;
          value1 = zero ? {neg, INF} : neg ? NAN : 32'd0;
        end
        MUFU_SQRT: begin
          done1  = zero || inf || neg;
          value1 = neg && !zero ? NAN : {neg, a_i[30:0]};
        end
        MUFU_SIN, MUFU_COS: begin
          done1  = inf;
          value1 = NAN;
        end
        MUFU_LG2: begin
          done1  = zero || inf || neg;
          value1 = zero ? {1'b1, INF} : neg ? NAN : {1'b0, INF};
        end
        MUFU_EX2: begin
          done1  = inf || a_i[30:23] > 8'd134;                  // 256 and more
          value1 = neg ? 32'd0 : {1'b0, INF};
        end
        default: begin                                          // tanh: x itself below 2^-12
          done1  = a_i[30:23] > 8'd130 || a_i[30:23] < 8'd115;
          value1 = {neg, a_i[30:23] > 8'd130 ? ONE : a_i[30:0]};
        end
      endcase
      if (a_i[30:0] > INF) begin
        done1  = 1'b1;
        value1 = NAN;
      end
    end
  end

  wire         v1_q = en_q_i[1];
  logic        neg1_q, done1_q;
  logic [2:0]  op1_q;
  logic [31:0] value1_q;
  logic [22:0] m1_q;
  logic [8:0]  e1_q;
  always @(posedge clk) begin
    if (en_i) begin
      op1_q    <= op_i;
      neg1_q   <= neg;
      done1_q  <= done1;
      value1_q <= value1;
      m1_q     <= m1[22:0];
      e1_q     <= e1;
    end
  end

  // ---- 2: table row and d ----
  logic        cosine, neg2;
  logic [8:0]  shift, exp2, tanh_row;
  logic [4:0]  n;
  logic [31:0] fixed;
  logic [32:0] power;                        // signed, 24 bits below the point
  logic [25:0] turn;
  logic [24:0] phase;
  logic [9:0]  row;
  logic [18:0] d2;
  always_comb begin
    {cosine, neg2, shift, exp2, tanh_row, n, fixed, power, turn, phase, row, d2} = 'x;
    if (v1_q) begin
      // |x| with 24 bits below the point, sine with 26; lower bits are cut off.
      shift = e1_q + (op1_q == MUFU_EX2 ? 9'd1 : 9'd3);
      n     = shift[8] ? (shift < 9'd481 ? 5'd31 : 5'd0 - shift[4:0]) : shift[4:0];
      fixed = {8'd0, 1'b1, m1_q};
      fixed = shift[8] ? fixed >> n : shift > 9'd31 ? 32'd0 : fixed << n;
      power = neg1_q ? -{1'b0, fixed} : {1'b0, fixed};
      // A quarter turn is 2^24; odd quarters run backwards.
      cosine = op1_q == MUFU_COS;
      turn   = fixed[25:0] + {1'b0, cosine, 24'd0};
      phase  = turn[24] ? 25'h1000000 - {1'b0, turn[23:0]} : {1'b0, turn[23:0]};
      neg2   = neg1_q;
      exp2   = 9'd0;
      case (op1_q)
        MUFU_RCP: begin
          row  = ROW_RCP + {3'd0, m1_q[22:16]};
          d2   = {m1_q[15:0], 3'd0};
          exp2 = -e1_q;
        end
        MUFU_RSQ: begin
          row  = ROW_RSQ + {3'd0, e1_q[0], m1_q[22:17]};
          d2   = {m1_q[16:0], 2'd0};
          exp2 = -{e1_q[8], e1_q[8:1]};
        end
        MUFU_SQRT: begin
          row  = ROW_SQRT + {4'd0, e1_q[0], m1_q[22:18]};
          d2   = {m1_q[17:0], 1'd0};
          exp2 = {e1_q[8], e1_q[8:1]};
        end
        MUFU_SIN, MUFU_COS: begin
          row  = ROW_SIN + {3'd0, phase[24:18]};
          d2   = {phase[17:0], 1'd0};
          neg2 = phase == 25'd0 ? neg1_q && !cosine : turn[25] ^ (neg1_q && !cosine);
        end
        MUFU_LG2: begin
          row  = ROW_LG2 + {3'd0, m1_q[22:16]};
          d2   = {m1_q[15:0], 3'd0};
          neg2 = 1'b0;
        end
        MUFU_EX2: begin
          row  = ROW_EX2 + {4'd0, power[23:18]};
          d2   = {power[17:0], 1'd0};
          exp2 = power[32:24];
          neg2 = 1'b0;
        end
        default: begin
          tanh_row = e1_q + 9'd12;
          exp2 = e1_q[8] ? e1_q : 9'd0;
          d2   = {m1_q[17:0], 1'd0};
          if (e1_q == 9'd2)
            row = ROW_TANH_2 + {5'd0, m1_q[22:18]};
          else if (e1_q == 9'd1) begin
            row = ROW_TANH_1 + {4'd0, m1_q[22:17]};
            d2  = {m1_q[16:0], 2'd0};
          end else if (tanh_row[8:1] == 8'd5 || e1_q == 9'd0)     // -2, -1, 0
            row = ROW_TANH_MID + {3'd0, e1_q[1:0] ^ 2'd2, m1_q[22:18]};
          else begin
            row = (e1_q == 9'd3 ? ROW_TANH_3 : ROW_TANH_LOW + {2'd0, tanh_row[3:0], 4'd0})
                + {6'd0, m1_q[22:19]};
            d2  = m1_q[18:0];
          end
        end
      endcase
    end
  end

  wire         v2_q = en_q_i[2];
  logic        neg2_q, done2_q;
  logic [31:0] value2_q;
  logic [28:0] c0_q;
  logic [43:0] c12_q;                        // {c1, c2}
  logic [18:0] d2_q;
  logic [8:0]  exp2_q, whole_q;
  always @(posedge clk) begin
    if (v1_q) begin
      neg2_q   <= neg2;
      done2_q  <= done1_q;
      value2_q <= value1_q;
`ifdef SYNTHESIS
      {c0_q, c12_q} <= row_of(row);          // the same rows, in block RAM
`else
      c0_q     <= row_c0(row);
      c12_q    <= row_c12(row);
`endif
      d2_q     <= d2;
      exp2_q   <= exp2;
      whole_q  <= op1_q == MUFU_LG2 ? e1_q : 9'd0;
    end
  end

  // ---- 3: interpolate ----
  logic signed [63:0] slope;                 // units of 2^-28; 45 bits are in use
  logic [37:0] sum;                          // signed
  always_comb begin
    {slope, sum} = 'x;
    if (v2_q) begin
      slope = $signed({{46{c12_q[17]}}, c12_q[17:0]}) * $signed({45'd0, d2_q});
      slope = $signed({{38{c12_q[43]}}, c12_q[43:18]}) + (slope >>> 19);
      slope = slope * $signed({45'd0, d2_q});
      slope = slope >>> 19;
      sum   = {whole_q[8], whole_q, 28'd0} + {9'd0, c0_q} + slope[37:0];
    end
  end

  wire         v3_q = en_q_i[3];
  logic        neg3_q, done3_q;
  logic [31:0] value3_q;
  logic [37:0] sum_q;                        // magnitude
  logic [8:0]  exp3_q;
  always @(posedge clk) begin
    if (v2_q) begin
      neg3_q   <= neg2_q ^ sum[37];
      done3_q  <= done2_q;
      value3_q <= value2_q;
      sum_q    <= sum[37] ? -sum : sum;
      exp3_q   <= exp2_q;
    end
  end

  // ---- 4: round ----
  logic [5:0]  zeros4;
  logic [63:0] x, lost;                      // leading one at bit 62
  logic [10:0] e4;                           // biased, signed
  logic [4:0]  drop;
  logic [32:0] packed4;
  always_comb begin
    {zeros4, x, lost, e4, drop, packed4} = 'x;
    if (v3_q) begin
      x = {1'b0, sum_q, 25'd0};
      {zeros4, x[62:0]} = normalize(x[62:0]);
      e4   = {{2{exp3_q[8]}}, exp3_q} + 11'd136 - {5'd0, zeros4};      // 127 + 37 - 28
      drop = 5'd0;
      if (e4[10] || e4 == 11'd0) begin                                 // subnormal
        drop = e4[10] && e4 < 11'd2023 ? 5'd26 : 5'd1 - e4[4:0];
        e4   = 11'd1;
      end
      lost = x & ~(64'hffffffffffffffff << drop);
      x    = x >> drop;
      packed4 = {e4[9:0] - 10'd1, 23'd0} + {9'd0, x[62:39]}
              + {32'd0, x[38] && (x[39] || x[37:0] != 38'd0 || lost != 64'd0)};
      if (packed4 >= {2'd0, INF}) packed4 = {2'd0, INF};
      if (sum_q == 38'd0)         packed4 = 33'd0;
    end
  end
  always @(posedge clk)
    if (v3_q) d_o <= done3_q ? value3_q : {neg3_q, packed4[30:0]};
endmodule
`default_nettype wire

// One lane's f32 unit: add, multiply, fused multiply-add, compare, convert; 4 cycles, pipelined.
// All arithmetic is a*b + c in one 64-bit window: the factor with the larger exponent stands, the
// other is shifted right into a sticky bit.  Bit 60 of the window weighs 2^(e-127), e the larger
// exponent.  Operands need no normalising: a subnormal factor leaves the product enough bits above
// the sticky bit, and a subnormal addend is where rounding ends anyway.  e >= 1 always, because the
// addend's is; so underflow needs no other shift.
//   1  operands, special cases, product, compares   3  leading zeros, normalise; saturate integers
//   2  align and add; integers from f32             4  round and pack
// A stage computes and loads only for an instruction: idle lanes cost no simulation time.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module fpu (
  input  wire        clk, en_i,              // d_o and pd_o are valid 4 cycles after en_i,
  input  wire [3:1]  en_q_i,                 // en_i 1, 2, 3 cycles later, kept once for all lanes
  input  wire [8:0]  op_i,
  input  wire [1:0]  rm_i,
  input  wire        ftz_i, sat_i,
  input  wire [3:0]  fcmp_i,
  input  wire [1:0]  fbop_i,
  input  wire        na_i, aa_i, nb_i, ab_i, nc_i, ps_i,
  input  wire [63:0] a_i,
  input  wire [31:0] b_i, c_i,
  output logic [63:0] d_o,
  output logic       pd_o
);
  `include "isa_gen.vh"
  `include "round.vh"
  `include "normalize.vh"
  `include "shift_right.vh"
  localparam [31:0] NAN = 32'h7fffffff;
  localparam [30:0] INF = 31'h7f800000, ONE = 31'h3f800000;

  // The result is f32, f16, an integer, or an integral f32.
  localparam [1:0] DO_F32 = 2'd0, DO_F16 = 2'd1, DO_INT = 2'd2, DO_RINT = 2'd3;

  // ---- 1: operands ----
  wire [1:0] do1 = op_i == OP_F2H ? DO_F16
                 : op_i == OP_FRND ? DO_RINT
                 : op_i == OP_F2IS || op_i == OP_F2IU || op_i == OP_F2LS || op_i == OP_F2LU ? DO_INT
                 : DO_F32;
  logic        done1, pd1, sign1, csign1;
  logic [31:0] value1;
  logic [63:0] window1;
  logic [23:0] csig1;
  logic [9:0]  ep1;
  logic [7:0]  ec1;
  fpu_operands u_operands (
    .en_i(en_i), .op_i(op_i), .ftz_i(ftz_i), .fcmp_i(fcmp_i), .fbop_i(fbop_i), .na_i(na_i),
    .aa_i(aa_i), .nb_i(nb_i), .ab_i(ab_i), .nc_i(nc_i), .ps_i(ps_i), .a_i(a_i), .b_i(b_i),
    .c_i(c_i), .done_o(done1), .pd_o(pd1), .value_o(value1), .window_o(window1), .sign_o(sign1),
    .ep_o(ep1), .csig_o(csig1), .csign_o(csign1), .ec_o(ec1)
  );

  wire         v1_q = en_q_i[1];
  logic        done1_q, pd1_q, sign1_q, csign1_q, ftz1_q, sat1_q;
  logic [1:0]  do1_q;
  logic [1:0]  int1_q, rm1_q;                // {64 bits, unsigned}
  logic [31:0] value1_q;
  logic [63:0] window1_q;
  logic [23:0] csig1_q;
  logic [9:0]  ep1_q;
  logic [7:0]  ec1_q;
  always @(posedge clk) begin
    if (en_i) begin
      do1_q     <= do1;
      int1_q    <= {op_i == OP_F2LS || op_i == OP_F2LU, op_i == OP_F2IU || op_i == OP_F2LU};
      rm1_q     <= rm_i;
      ftz1_q    <= ftz_i;
      sat1_q    <= sat_i;
      done1_q   <= done1;
      pd1_q     <= pd1;
      value1_q  <= value1;
      window1_q <= window1;
      csig1_q   <= csig1;
      ep1_q     <= ep1;
      ec1_q     <= ec1;
      sign1_q   <= sign1;
      csign1_q  <= csign1;
    end
  end

  // ---- 2: align and add; an integer is shifted, rounded and negated by the same parts ----
  logic        up, product_wins, tall, is_nan, negate, done2, sign2, big2;
  logic [9:0]  apart, e2;
  logic [5:0]  n;
  logic [63:0] fixed, moved, sum, window2;
  logic        lost;
  logic [31:0] value2;
  logic [7:0]  ea;
  logic [4:0]  drop;
  logic [30:0] below;
  always_comb begin
    {up, product_wins, tall, is_nan, negate, done2, sign2, big2, apart, e2, n, fixed, moved} = 'x;
    {sum, window2, lost, value2, ea, drop, below} = 'x;
    if (v1_q) begin
      done2  = done1_q;
      value2 = value1_q;
      ea     = value1_q[30:23];
      is_nan = ea == 8'hff && value1_q[22:0] != 23'd0;
      tall   = ea >= 8'd150;                 // no bit of it is below the point
      // Up to 25 bits below the point are enough: more only reach the sticky bit.
      drop   = ea < 8'd125 ? 5'd25 : 5'd22 - ea[4:0];    // 150 - ea, modulo 32
      apart  = ep1_q - {2'd0, ec1_q};
      product_wins = !apart[9];
      apart  = (apart ^ {10{apart[9]}}) + {9'd0, apart[9]};
      if (do1_q == DO_INT || do1_q == DO_RINT) begin
        // An integer: its lowest bit comes to bit 0, or to bit 25 where bits are below.
        n     = tall ? 6'd62 - ea[5:0] : {1'b0, drop};   // 190 - ea, modulo 64
        moved = tall ? {1'b1, value1_q[22:0], 40'd0}
                     : {15'd0, ea != 8'd0, value1_q[22:0], 25'd0};
      end else begin
        n     = apart > 10'd63 ? 6'd63 : apart[5:0];
        moved = product_wins ? {3'd0, csig1_q, 37'd0} : window1_q;
      end
      {moved, lost} = shift_right(moved, n);
      fixed = product_wins ? window1_q : {3'd0, csig1_q, 37'd0};
      e2    = product_wins ? ep1_q : {2'd0, ec1_q};
      if (do1_q == DO_INT || do1_q == DO_RINT) begin
        sign2 = value1_q[31];
        up    = round_up(rm1_q, sign2, moved[25], moved[24], moved[23:0] != 24'd0);
        sum   = tall ? moved : {39'd0, {1'b0, moved[48:25]} + {24'd0, up}};
        e2    = {9'd0, is_nan};              // for stage 3
        // What no integer of the width is; the most negative one counts, it is what they become.
        big2  = ea > 8'd190 || (!int1_q[1] && sum[63:32] != 32'd0)
             || (!int1_q[0] && sum[{int1_q[1], 5'd31}]);
        negate = sign2;
        if (do1_q == DO_RINT) begin
          done2 = 1'b1;
          // A carry out of the bits below the point reaches the exponent, as it should.
          below = {8'd0, ~(23'h7fffff << drop)};
          if (is_nan)           value2 = NAN;
          else if (ea < 8'd127) value2 = {sign2, sum[0] ? ONE : 31'd0};
          else if (!tall)       value2 = {sign2, ((value1_q[30:0] | below) + {30'd0, up}) & ~below};
        end
      end else begin
        big2  = 1'b0;
        moved[0] = moved[0] || lost;
        sum   = fixed + (moved ^ {64{sign1_q != csign1_q}}) + {63'd0, sign1_q != csign1_q};
        sign2 = product_wins ? sign1_q : csign1_q;
        negate = 1'b0;
        if (sign1_q != csign1_q) begin
          if (sum == 64'd0) sign2 = rm1_q == RM_ON;
          else if (sum[63]) begin
            negate = 1'b1;
            sign2  = !sign2;
          end
        end
      end
      window2 = (sum ^ {64{negate}}) + {63'd0, negate};
    end
  end

  wire         v2_q = en_q_i[2];
  logic        done2_q, pd2_q, sign2_q, big2_q, ftz2_q, sat2_q;
  logic [1:0]  do2_q;
  logic [1:0]  int2_q, rm2_q;
  logic [31:0] value2_q;
  logic [63:0] window2_q;
  logic [9:0]  e2_q;
  always @(posedge clk) begin
    if (v1_q) begin
      do2_q     <= do1_q;
      int2_q    <= int1_q;
      rm2_q     <= rm1_q;
      ftz2_q    <= ftz1_q;
      sat2_q    <= sat1_q;
      done2_q   <= done2;
      pd2_q     <= pd1_q;
      value2_q  <= value2;
      window2_q <= window2;
      e2_q      <= e2;
      sign2_q   <= sign2;
      big2_q    <= big2;
    end
  end

  // ---- 3: normalise, but never below the smallest exponent; or clamp an integer ----
  logic [63:0] window3;
  logic        some;                         // its leading one is there
  logic [5:0]  zeros;
  logic [9:0]  e3, low;
  logic        ones;
  always_comb begin
    {some, window3, zeros, e3, low, ones} = 'x;
    if (v2_q) begin
      {zeros, some} = 7'(normalize(window2_q[62:0]) >> 62);
      low      = e2_q + (do2_q == DO_F16 ? 10'd1 - 10'd112 : 10'd1);
      if ({4'd0, zeros} > low) zeros = low[5:0];
      e3       = some ? low - {4'd0, zeros} : 10'd0;            // exponent less one; of zero, 0
      if (do2_q == DO_INT) zeros = 6'd0;
      window3  = window2_q << zeros;
      if (do2_q == DO_INT) begin
        ones = int2_q[0] || !sign2_q;                            // the largest, the smallest
        if (e2_q[0])                      window3 = {int2_q[1], 63'd0};
        else if (int2_q[0] && sign2_q)    window3 = 64'd0;
        else if (big2_q)
          window3 = {int2_q[0] || !ones, {31{ones}},
                     int2_q[1] ? ones : int2_q[0] || !ones, {31{ones}}};
      end
    end
  end

  wire         v3_q = en_q_i[3];
  logic        done3_q, pd3_q, sign3_q, ftz3_q, sat3_q;
  logic [1:0]  do3_q;
  logic [1:0]  rm3_q;
  logic        wide3_q;
  logic [31:0] value3_q;
  logic [63:0] window3_q;
  logic [9:0]  e3_q;
  always @(posedge clk) begin
    if (v2_q) begin
      do3_q     <= do2_q;
      wide3_q   <= int2_q[1];
      rm3_q     <= rm2_q;
      ftz3_q    <= ftz2_q;
      sat3_q    <= sat2_q;
      done3_q   <= done2_q;
      pd3_q     <= pd2_q;
      value3_q  <= value2_q;
      window3_q <= window3;
      e3_q      <= e3;
      sign3_q   <= sign2_q;
    end
  end

  // ---- 4: round, pack, saturate ----
  logic [32:0] packed4;                      // magnitude
  logic [9:0]  e4;
  logic        half, outward, up4, over4;
  logic [31:0] r4;
  logic [63:0] d4;
  always_comb begin
    {packed4, e4, half, outward, up4, over4, r4, d4} = 'x;
    if (v3_q) begin
      half    = do3_q == DO_F16;
      outward = rm3_q == RM_RN || rm3_q == (sign3_q ? RM_ON : RM_RP);
      up4     = round_up(rm3_q, sign3_q, half ? window3_q[52] : window3_q[39],
                         half ? window3_q[51] : window3_q[38],
                         (half && window3_q[50:38] != 13'd0) || window3_q[37:0] != 38'd0);
      e4      = e3_q + {9'd0, window3_q[62]};
      packed4 = (half ? {13'd0, e4, window3_q[61:52]} : {e4, window3_q[61:39]}) + {32'd0, up4};
      over4   = packed4[32:31] != 2'd0 || (half ? packed4[30:15] != 16'd0 || packed4[14:10] == 5'h1f
                                                : packed4[30:23] == 8'hff);
      if (half) begin
        if (over4) packed4[14:0] = outward ? 15'h7c00 : 15'h7bff;
        r4      = {16'd0, sign3_q, packed4[14:0]};
      end else begin
        if (over4) packed4[30:0] = outward ? INF : INF - 31'd1;
        if (ftz3_q && !window3_q[62]) packed4[30:0] = 31'd0;     // judged before rounding
        r4      = {sign3_q, packed4[30:0]};
      end
      if (done3_q) r4 = value3_q;
      if (sat3_q) begin
        if (r4[31] || (r4[30:23] == 8'hff && r4[22:0] != 23'd0)) r4 = 32'd0;
        else if (r4[30] || (r4[29:23] == 7'h7f && r4[22:0] != 23'd0)) r4 = {1'b0, ONE};
      end
      d4 = do3_q == DO_INT ? (wide3_q ? window3_q : {32'd0, window3_q[31:0]}) : {32'd0, r4};
    end
  end
  always @(posedge clk)
    if (v3_q) begin
      d_o  <= d4;
      pd_o <= pd3_q;
    end
endmodule
`default_nettype wire

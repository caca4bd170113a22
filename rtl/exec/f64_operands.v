// First stage of an f64 lane: operand signs, special cases, comparison, factors.
// What needs no arithmetic is decided here (done_o, value_o, pd_o); all else leaves as two factors,
// or an integer in place of their product, and an addend, as f64_lane.v describes.  Combinational.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module f64_operands (
  input  wire         en_i,                  // outputs mean nothing without it
  input  wire  [8:0]  op_i,
  input  wire  [3:0]  fcmp_i,
  input  wire  [1:0]  fbop_i,
  input  wire         na_i, aa_i, nb_i, ab_i, nc_i, ps_i,
  input  wire  [63:0] a_i, b_i, c_i,
  output logic        done_o, pd_o,
  output logic [63:0] value_o,               // the result when done, or what is made integral
  output logic        whole_o,               // the integer mag_o stands for the product
  output logic [63:0] mag_o,
  output logic [52:0] fa_o, fb_o,            // factors; the product's sign, exponent
  output logic        sign_o,
  output logic [12:0] ep_o,                  // signed
  output logic [52:0] csig_o,                // addend; sign, exponent
  output logic        csign_o,
  output logic [10:0] ec_o
);
  `include "isa_gen.vh"
  `include "compare.vh"
  localparam [63:0] NAN = 64'hfff8000000000000, QUIET = 64'h0008000000000000;
  localparam [62:0] INF = 63'h7ff0000000000000, ONE = 63'h3ff0000000000000;

  logic [63:0] a, b, c;
  logic        a_nan, b_nan, c_nan, a_inf, b_inf, c_inf, a_zero, b_zero, negative, product_neg;
  logic        equal, less, hit, add_like;
  always_comb begin
    {a, b, c, a_nan, b_nan, c_nan, a_inf, b_inf, c_inf, a_zero, b_zero} = 'x;
    {negative, product_neg, equal, less, hit, add_like} = 'x;
    {done_o, pd_o, value_o, whole_o, mag_o, fa_o, fb_o, sign_o, ep_o, csig_o, csign_o, ec_o} = 'x;
    if (en_i) begin
      a_nan = a_i[62:0] > INF;
      b_nan = b_i[62:0] > INF;
      c_nan = c_i[62:0] > INF;
      a = {a_nan ? a_i[63] : (a_i[63] && !aa_i) ^ na_i, a_i[62:0]};
      b = {b_nan ? b_i[63] : (b_i[63] && !ab_i) ^ nb_i, b_i[62:0]};
      c = {c_nan ? c_i[63] : c_i[63] ^ nc_i, c_i[62:0]};
      less  = a[63] != b[63] ? a[63] : (a[62:0] < b[62:0]) ^ (a[63] && a != b);      // -0 below +0
      equal = a == b || (a[62:0] == 63'd0 && b[62:0] == 63'd0);
      hit = compare(fcmp_i, equal, less, a_nan || b_nan);
      pd_o = fbop_i == FBOP_AND ? hit && ps_i : fbop_i == FBOP_OR ? hit || ps_i : hit ^ ps_i;
      case (op_i)
        OP_DMIN: value_o = a_nan ? b_nan ? b | QUIET : b : b_nan || less ? a : b;
        OP_DMAX: value_o = a_nan ? b_nan ? b | QUIET : b : b_nan || !less ? a : b;
        default: value_o = a;
      endcase

      // a * b + c: an addition's b is one; a product's addend is a zero of its own sign.
      add_like = op_i == OP_DADD || op_i == OP_DMUL || op_i == OP_DFMA;
      if (op_i == OP_F2D)
        a = {a_i[31], 11'd0, 52'd0};
      if (op_i == OP_DADD)
        {c, c_nan} = {b, b_nan};
      if (op_i == OP_DADD || !add_like)
        {b, b_nan} = {1'b0, ONE, 1'b0};
      product_neg = a[63] ^ b[63];
      if (op_i == OP_DMUL || !add_like)
        {c, c_nan} = {product_neg, 64'd0};
      a_inf  = a[62:0] == INF;
      b_inf  = b[62:0] == INF;
      c_inf  = c[62:0] == INF;
      a_zero = a[62:0] == 63'd0;
      b_zero = b[62:0] == 63'd0;
      done_o = op_i == OP_DMIN || op_i == OP_DMAX || op_i == OP_DSETP;
      case (op_i)
        OP_DADD, OP_DMUL, OP_DFMA: begin
          done_o = a_nan || b_nan || c_nan || a_inf || b_inf || c_inf;
          if (b_nan)               value_o = b | QUIET;
          else if (c_nan)          value_o = c | QUIET;
          else if (a_nan)          value_o = a | QUIET;
          else if ((a_inf && b_zero) || (b_inf && a_zero) ||
                   ((a_inf || b_inf) && c_inf && product_neg != c[63]))
            value_o = NAN;
          else if (a_inf || b_inf) value_o = {product_neg, INF};
          else                     value_o = c;
        end
        OP_D2F: begin
          done_o  = a_nan || a_inf;
          value_o = {32'd0, a[63], 8'hff, a[51] || a_nan, a[50:29]};
        end
        OP_D2H: begin
          done_o  = a_nan || a_inf;
          value_o = {48'd0, a_nan ? 16'h7fff : {a[63], 15'h7c00}};
        end
        OP_F2D: begin
          done_o  = a_i[30:23] == 8'hff;
          value_o = {a_i[31], 11'h7ff, a_i[22] || a_i[21:0] != 22'd0, a_i[21:0], 29'd0};
        end
        default: ;
      endcase

      negative = (op_i == OP_I2DS && a_i[31]) || (op_i == OP_L2DS && a_i[63]);
      mag_o    = op_i == OP_I2DS ? {{32{a_i[31]}}, a_i[31:0]}
               : op_i == OP_I2DU ? {32'd0, a_i[31:0]} : a_i;
      if (negative) mag_o = -mag_o;
      whole_o  = op_i == OP_I2DS || op_i == OP_I2DU || op_i == OP_L2DS || op_i == OP_L2DU;
      fa_o     = {a[62:52] != 11'd0, a[51:0]};
      fb_o     = {b[62:52] != 11'd0, b[51:0]};
      sign_o   = product_neg;
      csig_o   = {c[62:52] != 11'd0, c[51:0]};
      csign_o  = c[63];
      ec_o     = c[62:52] == 11'd0 ? 11'd1 : c[62:52];
      ep_o     = {2'd0, a[62:52]} + {12'd0, a[62:52] == 11'd0}
               + {2'd0, b[62:52]} + {12'd0, b[62:52] == 11'd0} - 13'd1023;
      if (a_zero || b_zero) ep_o = -13'd2000;
      // A narrower format: its smallest normal exponent is where rounding ends.
      if (op_i == OP_D2F) ec_o = 11'd897;
      if (op_i == OP_D2H) ec_o = 11'd1009;
      if (op_i == OP_F2D) begin
        fa_o = {a_i[30:23] != 8'd0, a_i[22:0], 29'd0};
        ep_o = {5'd0, a_i[30:23]} + {12'd0, a_i[30:23] == 8'd0} + 13'd896;
      end
      if (whole_o) begin
        ep_o    = 13'd1086;
        sign_o  = negative;
        csign_o = negative;
      end
    end
  end
endmodule
`default_nettype wire

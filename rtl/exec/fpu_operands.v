// First stage of the f32 unit: operand signs, flushing, special cases, comparison, product.
// What needs no arithmetic is decided here (done_o, value_o, pd_o); all else leaves as a factor in
// a 64-bit window and an addend, as fpu.v describes.  Combinational.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module fpu_operands (
  input  wire         en_i,                  // outputs mean nothing without it
  input  wire  [8:0]  op_i,
  input  wire         ftz_i,
  input  wire  [3:0]  fcmp_i,
  input  wire  [1:0]  fbop_i,
  input  wire         na_i, aa_i, nb_i, ab_i, nc_i, ps_i,
  input  wire  [63:0] a_i,
  input  wire  [31:0] b_i, c_i,
  output logic        done_o, pd_o,
  output logic [31:0] value_o,              // the result when done, or the operand to make integral
  output logic [63:0] window_o,              // product, or what is converted; sign, exponent
  output logic        sign_o,
  output logic [9:0]  ep_o,                  // signed
  output logic [23:0] csig_o,                // addend; sign, exponent
  output logic        csign_o,
  output logic [7:0]  ec_o
);
  `include "isa_gen.vh"
  `include "compare.vh"
  localparam [31:0] NAN = 32'h7fffffff;
  localparam [30:0] INF = 31'h7f800000, ONE = 31'h3f800000;

  logic [31:0] a, b, c, minmax_b;
  logic        a_nan, b_nan, c_nan, a_inf, b_inf, c_inf, a_zero, b_zero, negative, product_neg;
  logic [2:0]  b_is;                         // {NaN, infinite, zero}, as they come in
  logic [1:0]  c_is;                         // {NaN, infinite}
  logic [7:0]  ea, eb;
  logic        equal, less, hit, add_like;
  logic [63:0] mag;
  always_comb begin
    {a, b, c, minmax_b, a_nan, b_nan, c_nan, a_inf, b_inf, c_inf, a_zero, b_zero} = 'x;
    {negative, product_neg, equal, less, hit, add_like, mag, b_is, c_is, ea, eb} = 'x;
    {done_o, pd_o, sign_o, csign_o, value_o, window_o, csig_o, ep_o, ec_o} = 'x;
    if (en_i) begin
      a = {(a_i[31] && !aa_i) ^ na_i, a_i[30:0]};
      b = {(b_i[31] && !ab_i) ^ nb_i, b_i[30:0]};
      c = {c_i[31] ^ nc_i, c_i[30:0]};
      if (ftz_i && a[30:23] == 8'd0) a[22:0] = 23'd0;
      if (ftz_i && b[30:23] == 8'd0) b[22:0] = 23'd0;
      if (ftz_i && c[30:23] == 8'd0) c[22:0] = 23'd0;
      minmax_b = b;                          // FMIN and FMAX want it as it came in
      {a_nan, a_inf, a_zero} = kind(a[30:0]);
      b_is   = kind(b[30:0]);
      c_is   = 2'(kind(c[30:0]) >> 1);
      less   = a[31] != b[31] ? a[31] : (a[30:0] < b[30:0]) ^ (a[31] && a != b);   // -0 below +0
      equal  = a == b || (a_zero && b_is[0]);
      hit = compare(fcmp_i, equal, less, a_nan || b_is[2]);
      pd_o = fbop_i == FBOP_AND ? hit && ps_i : fbop_i == FBOP_OR ? hit || ps_i : hit ^ ps_i;

      // a * b + c: an addition's b is one; a product's addend is a zero of its own sign.
      add_like = op_i == OP_FADD || op_i == OP_FMUL || op_i == OP_FFMA;
      {b_nan, b_inf, b_zero} = op_i == OP_FMUL || op_i == OP_FFMA ? b_is : 3'd0;
      {c_nan, c_inf} = op_i == OP_FADD ? b_is[2:1] : op_i == OP_FFMA ? c_is : 2'd0;
      if (op_i == OP_FADD) begin
        c = b;
        b = {1'b0, ONE};
      end
      if (!add_like)       b = {1'b0, ONE};
      if (op_i == OP_FMUL || !add_like) c = {a[31] ^ b[31], 31'd0};
      product_neg = a[31] ^ b[31];
      done_o  = 1'b1;
      value_o = c;
      case (op_i)
        OP_FMIN: value_o = a_nan && b_is[2] ? NAN : b_is[2] || (less && !a_nan) ? a : minmax_b;
        OP_FMAX: value_o = a_nan && b_is[2] ? NAN : b_is[2] || (!less && !a_nan) ? a : minmax_b;
        OP_H2F: begin
          done_o  = a_i[14:10] == 5'h1f;
          value_o = a_i[9:0] != 10'd0 ? NAN : {a_i[15], INF};
        end
        OP_F2H: begin
          done_o  = a[30:23] == 8'hff;
          value_o = a_nan ? 32'h7fff : {16'd0, a[31], 15'h7c00};
        end
        OP_FADD, OP_FMUL, OP_FFMA: begin
          done_o = a_nan || b_nan || c_nan || a_inf || b_inf || c_inf;
          if (a_nan || b_nan || c_nan || (a_inf && b_zero) || (b_inf && a_zero) ||
              ((a_inf || b_inf) && c_inf && product_neg != c[31]))
            value_o = NAN;
          else if (a_inf || b_inf)
            value_o = {product_neg, INF};
        end
        OP_FRND, OP_F2IS, OP_F2IU, OP_F2LS, OP_F2LU: begin
          done_o  = 1'b0;
          value_o = a;
        end
        default: done_o = op_i == OP_FMIN || op_i == OP_FMAX || op_i == OP_FSETP;
      endcase

      negative = (op_i == OP_I2FS && a_i[31]) || (op_i == OP_L2FS && a_i[63]);
      mag      = op_i == OP_I2FS ? {{32{a_i[31]}}, a_i[31:0]}
               : op_i == OP_I2FU ? {32'd0, a_i[31:0]} : a_i;
      if (negative) mag = -mag;
      csig_o  = {c[30:23] != 8'd0, c[22:0]};
      csign_o = c[31];
      sign_o  = product_neg;
      ec_o    = c[30:23] == 8'd0 ? 8'd1 : c[30:23];
      ea      = {a[30:24], a[23] || a[30:23] == 8'd0};
      eb      = {b[30:24], b[23] || b[30:23] == 8'd0};
      ep_o    = {2'd0, ea} + {2'd0, eb} - 10'd127;
      if (a_zero || b_zero) ep_o = -10'd200;
      window_o = 64'd0;
      case (op_i)
        OP_H2F: begin
          window_o[60:50] = {a_i[14:10] != 5'd0, a_i[9:0]};
          ep_o    = {5'd0, a_i[14:10]} + {9'd0, a_i[14:10] == 5'd0} + 10'd112;
          sign_o  = a_i[15];
          csign_o = a_i[15];
        end
        OP_I2FS, OP_I2FU, OP_L2FS, OP_L2FU: begin
          window_o = mag[63] ? {1'b0, mag[63:2], mag[1] | mag[0]} : mag;
          ep_o     = mag[63] ? 10'd188 : 10'd187;
          sign_o   = negative;
          csign_o  = negative;
        end
        OP_F2H: begin                        // its smallest normal exponent is where rounding ends
          window_o[60:37] = {a[30:23] != 8'd0, a[22:0]};
          ec_o = 8'd113;
        end
        default: window_o[61:14] = {a[30:23] != 8'd0, a[22:0]} * {b[30:23] != 8'd0, b[22:0]};
      endcase
    end
  end
  function automatic [2:0] kind(input [30:0] of);
    kind = {of[30:23] == 8'hff && of[22:0] != 23'd0, of[30:23] == 8'hff && of[22:0] == 23'd0,
            of[30:23] == 8'd0 && of[22:0] == 23'd0};
  endfunction
endmodule
`default_nettype wire

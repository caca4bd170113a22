// One lane of the f64 unit: add, multiply, fused multiply-add, compare, convert; 5 cycles,
// pipelined.  All arithmetic is a*b + c in one window of 128 bits, as in fpu.v: the term with the
// larger exponent stands, the other is shifted right into a sticky bit.  Bit 124 of the window
// weighs 2^(e-1023), e the larger exponent.  Operands need no normalising: a subnormal factor
// leaves the product enough bits above the sticky bit, and a subnormal addend is where rounding
// ends anyway.
//   1  operands, special cases, compares         4  leading zeros, normalise; saturate integers
//   2  product                                   5  round and pack
//   3  align and add; integers from f64
// A stage computes and loads only for an instruction: idle lanes cost no simulation time.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module f64_lane (
  input  wire        clk, en_i,              // d_o and pd_o are valid 5 cycles after en_i
  input  wire [8:0]  op_i,
  input  wire [1:0]  rm_i,
  input  wire [3:0]  fcmp_i,
  input  wire [1:0]  fbop_i,
  input  wire        na_i, aa_i, nb_i, ab_i, nc_i, ps_i,
  input  wire [63:0] a_i, b_i, c_i,
  output logic [63:0] d_o,
  output logic       pd_o
);
  `include "isa_gen.vh"
  `include "round.vh"
  localparam [62:0] INF = 63'h7ff0000000000000, ONE = 63'h3ff0000000000000;
  localparam [63:0] QUIET = 64'h0008000000000000;
  localparam W = 128;                        // bits of the window

  // The result is f64, f32, f16, an integer, or an integral f64.
  localparam [2:0] DO_F64 = 3'd0, DO_F32 = 3'd1, DO_F16 = 3'd2, DO_INT = 3'd3, DO_RINT = 3'd4;

  // ---- 1: operands ----
  wire [2:0] do1 = op_i == OP_D2F ? DO_F32 : op_i == OP_D2H ? DO_F16 : op_i == OP_DRND ? DO_RINT
                 : op_i == OP_D2IS || op_i == OP_D2IU || op_i == OP_D2LS || op_i == OP_D2LU ? DO_INT
                 : DO_F64;
  wire         done1, pd1, sign1, csign1, whole1;
  wire [63:0]  value1, mag1;
  wire [52:0]  fa1, fb1, csig1;
  wire [12:0]  ep1;
  wire [10:0]  ec1;
  f64_operands u_operands (
    .en_i(en_i), .op_i(op_i), .fcmp_i(fcmp_i), .fbop_i(fbop_i), .na_i(na_i), .aa_i(aa_i),
    .nb_i(nb_i), .ab_i(ab_i), .nc_i(nc_i), .ps_i(ps_i), .a_i(a_i), .b_i(b_i), .c_i(c_i),
    .done_o(done1), .pd_o(pd1), .value_o(value1), .whole_o(whole1), .mag_o(mag1), .fa_o(fa1),
    .fb_o(fb1), .sign_o(sign1), .ep_o(ep1), .csig_o(csig1), .csign_o(csign1), .ec_o(ec1)
  );

  logic        v1_q, done1_q, pd1_q, sign1_q, csign1_q, whole1_q;
  logic [2:0]  do1_q;
  logic [1:0]  int1_q, rm1_q;                // {64 bits, unsigned}
  logic [63:0] value1_q, mag1_q;
  logic [52:0] fa1_q, fb1_q, csig1_q;
  logic [12:0] ep1_q;
  logic [10:0] ec1_q;
  always @(posedge clk) begin
    v1_q <= en_i;
    if (en_i) begin
      do1_q     <= do1;
      int1_q    <= {op_i == OP_D2LS || op_i == OP_D2LU, op_i == OP_D2IU || op_i == OP_D2LU};
      rm1_q     <= rm_i;
      done1_q   <= done1;
      pd1_q     <= pd1;
      value1_q  <= value1;
      whole1_q  <= whole1;
      mag1_q    <= mag1;
      fa1_q     <= fa1;
      fb1_q     <= fb1;
      csig1_q   <= csig1;
      ep1_q     <= ep1;
      ec1_q     <= ec1;
      sign1_q   <= sign1;
      csign1_q  <= csign1;
    end
  end

  // ---- 2: product ----
  logic [W-1:0] window2;
  always_comb begin
    window2 = 'x;
    if (v1_q) begin
      window2 = {3'd0, mag1_q, 61'd0};
      if (!whole1_q) begin
        window2 = 128'd0;
        window2[125:20] = fa1_q * fb1_q;
      end
    end
  end

  logic        v2_q, done2_q, pd2_q, sign2_q, csign2_q;
  logic [2:0]  do2_q;
  logic [1:0]  int2_q, rm2_q;
  logic [63:0] value2_q;
  logic [W-1:0] window2_q;
  logic [52:0] csig2_q;
  logic [12:0] ep2_q;
  logic [10:0] ec2_q;
  always @(posedge clk) begin
    v2_q <= v1_q;
    if (v1_q) begin
      {do2_q, int2_q, rm2_q, done2_q, pd2_q} <= {do1_q, int1_q, rm1_q, done1_q, pd1_q};
      {value2_q, csig2_q, ep2_q, ec2_q} <= {value1_q, csig1_q, ep1_q, ec1_q};
      {sign2_q, csign2_q} <= {sign1_q, csign1_q};
      window2_q <= window2;
    end
  end

  // ---- 3: align and add ----
  logic        up, product_wins, done3, sign3, big3, nan3;
  logic [12:0] apart, e3;
  logic [6:0]  n;
  logic [W-1:0] fixed, moved, lost, sum;
  logic [63:0] value3;
  logic [10:0] ea;
  logic [5:0]  drop;
  logic [106:0] fraction;
  logic [53:0] whole;
  always_comb begin
    {up, product_wins, done3, sign3, big3, nan3, apart, e3, n, fixed, moved, lost, sum} = 'x;
    {value3, ea, drop, fraction, whole} = 'x;
    if (v2_q) begin
      done3  = done2_q;
      value3 = value2_q;
      ea     = value2_q[62:52];
      nan3   = value2_q[62:0] > INF;
      if (do2_q == DO_INT || do2_q == DO_RINT) begin
        // Up to 54 bits below the point are enough: more only reach the sticky bit.
        sign3    = value2_q[63];
        drop     = ea >= 11'd1075 ? 6'd0 : ea < 11'd1022 ? 6'd54
                 : 6'd51 - ea[5:0];          // 1075 - ea, modulo 64
        fraction = {ea != 11'd0, value2_q[51:0], 54'd0} >> drop;
        up       = round_up(rm2_q, sign3, fraction[54], fraction[53], fraction[52:0] != 53'd0);
        whole    = {1'b0, fraction[106:54]} + {53'd0, up};
        big3     = ea > 11'd1086;
        sum      = {64'd0, ea >= 11'd1075 ? {1'b1, value2_q[51:0], 11'd0} >> (4'd14 - ea[3:0])
                         : {10'd0, whole}};
        e3       = 13'd0;
        if (do2_q == DO_RINT) begin
          done3 = 1'b1;
          if (nan3)                value3 = value2_q | QUIET;
          else if (ea < 11'd1023)  value3 = {sign3, whole[0] ? ONE : 63'd0};
          else if (ea < 11'd1075)  value3 = {sign3, {ea - 11'd1, 52'd0} + 63'(63'(whole) << drop)};
        end
      end else begin
        apart = ep2_q - {2'd0, ec2_q};
        product_wins = !apart[12];
        if (apart[12]) apart = -apart;
        n     = apart > 13'd127 ? 7'd127 : apart[6:0];
        fixed = product_wins ? window2_q : {3'd0, csig2_q, 72'd0};
        moved = product_wins ? {3'd0, csig2_q, 72'd0} : window2_q;
        lost  = moved & ~({128{1'b1}} << n);
        moved = (moved >> n) | {127'd0, lost != 128'd0};
        e3    = product_wins ? ep2_q : {2'd0, ec2_q};
        big3  = 1'b0;
        sum   = sign2_q == csign2_q ? fixed + moved : fixed - moved;
        sign3 = product_wins ? sign2_q : csign2_q;
        if (sign2_q != csign2_q) begin
          if (sum == 128'd0) sign3 = rm2_q == RM_ON;
          else if (sum[127]) begin
            sum   = -sum;
            sign3 = !sign3;
          end
        end
      end
    end
  end

  logic        v3_q, done3_q, pd3_q, sign3_q, big3_q, nan3_q;
  logic [2:0]  do3_q;
  logic [1:0]  int3_q, rm3_q;
  logic [63:0] value3_q;
  logic [W-1:0] window3_q;
  logic [12:0] e3_q;
  always @(posedge clk) begin
    v3_q <= v2_q;
    if (v2_q) begin
      {do3_q, int3_q, rm3_q, pd3_q} <= {do2_q, int2_q, rm2_q, pd2_q};
      {done3_q, value3_q, e3_q, sign3_q, big3_q, nan3_q} <= {done3, value3, e3, sign3, big3, nan3};
      window3_q <= sum;
    end
  end

  // ---- 4: normalise, but never below the smallest exponent; or clamp an integer ----
  logic [63:0] max, limit, clamped;
  logic [126:0] x;
  logic [126:0] window4;
  logic [6:0]  zeros;
  logic [12:0] e4, low;
  always_comb begin
    {max, limit, clamped, x, window4, zeros, e4, low} = 'x;
    if (v3_q) begin
      if (do3_q == DO_INT) begin
        max     = {{32{int3_q[1]}}, 32'hffffffff} >> !int3_q[0];
        limit   = !sign3_q ? max : int3_q[0] ? 64'd0 : max + 64'd1;
        clamped = big3_q || window3_q[63:0] > limit ? limit : window3_q[63:0];
        if (nan3_q)       clamped = int3_q[1] ? 64'h8000000000000000 : 64'h80000000;
        else if (sign3_q) clamped = -clamped;
        window4 = {63'd0, clamped};
        e4      = 13'd0;
      end else begin
        x = window3_q[126:0];
        for (int k = 6; k >= 0; k = k - 1) begin
          zeros[k] = x >> (127 - (1 << k)) == 127'd0;
          if (zeros[k]) x = x << (1 << k);
        end
        low     = e3_q + (do3_q == DO_F32 ? 13'd1 - 13'd896
                        : do3_q == DO_F16 ? 13'd1 - 13'd1008 : 13'd1);
        if ({6'd0, zeros} > low) zeros = low[6:0];
        window4 = window3_q[126:0] << zeros;
        e4      = window3_q == 128'd0 ? 13'd0 : low - {6'd0, zeros};   // exponent less one
      end
    end
  end

  logic        v4_q, done4_q, pd4_q, sign4_q, wide4_q;
  logic [2:0]  do4_q;
  logic [1:0]  rm4_q;
  logic [63:0] value4_q;
  logic [126:0] window4_q;
  logic [12:0] e4_q;
  always @(posedge clk) begin
    v4_q <= v3_q;
    if (v3_q) begin
      {do4_q, rm4_q, done4_q, pd4_q} <= {do3_q, rm3_q, done3_q, pd3_q};
      {sign4_q, value4_q} <= {sign3_q, value3_q};
      {wide4_q, window4_q, e4_q} <= {int3_q[1], window4, e4};
    end
  end

  // ---- 5: round, pack ----
  logic [64:0] packed5;                      // magnitude; the implicit one adds 1 to the exponent
  logic        outward;
  logic [63:0] d5;
  always_comb begin
    {packed5, outward, d5} = 'x;
    if (v4_q) begin
      outward = rm4_q == RM_RN || rm4_q == (sign4_q ? RM_ON : RM_RP);
      case (do4_q)
        DO_INT: d5 = {wide4_q ? window4_q[63:32] : 32'd0, window4_q[31:0]};
        DO_F16: begin
          packed5 = {42'd0, e4_q, 10'd0} + {54'd0, window4_q[126:116]}
                  + {64'd0, round_up(rm4_q, sign4_q, window4_q[116], window4_q[115],
                                     window4_q[114:0] != 115'd0)};
          if (packed5 >= 65'h7c00) packed5 = outward ? 65'h7c00 : 65'h7bff;
          d5 = {48'd0, sign4_q, packed5[14:0]};
        end
        DO_F32: begin
          packed5 = {29'd0, e4_q, 23'd0} + {41'd0, window4_q[126:103]}
                  + {64'd0, round_up(rm4_q, sign4_q, window4_q[103], window4_q[102],
                                     window4_q[101:0] != 102'd0)};
          if (packed5 >= 65'h7f800000) packed5 = outward ? 65'h7f800000 : 65'h7f7fffff;
          d5 = {32'd0, sign4_q, packed5[30:0]};
        end
        default: begin
          packed5 = {e4_q, 52'd0} + {12'd0, window4_q[126:74]}
                  + {64'd0, round_up(rm4_q, sign4_q, window4_q[74], window4_q[73],
                                     window4_q[72:0] != 73'd0)};
          if (packed5 >= {2'd0, INF}) packed5 = {2'd0, outward ? INF : INF - 63'd1};
          d5 = {sign4_q, packed5[62:0]};
        end
      endcase
      if (done4_q) d5 = value4_q;
    end
  end
  always @(posedge clk)
    if (v4_q) begin
      d_o  <= d5;
      pd_o <= pd4_q;
    end
endmodule
`default_nettype wire

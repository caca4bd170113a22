// The integer unit of all lanes: combinational; idle inputs give idle outputs (en_i gates it).
// The product of a multiply-add is handed on; its sum is made a cycle later.
//
// An operation says what goes into the one adder, shifter or multiplier of each lane, and which of
// them its result is: in an FPGA each of these is as large as all the rest.  It is the same in all
// lanes, so it is chosen once, and each choice has a loop over lanes: a simulator takes few jumps
// then (docs/verilated.md).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module alu #(
  parameter LANES = 1
) (
  input  wire         en_i,
  input  wire  [8:0]  op_i,
  input  wire  [7:0]  lut_i,
  input  wire  [2:0]  icmp_i,
  input  wire         sg_i,
  input  wire  [1:0]  bop_i,
  input  wire  [64*LANES-1:0] a_i, b_i, c_i, // low words: the 32-bit operands
  input  wire  [LANES-1:0]    ps_i, pt_i,
  input  wire  [32*LANES-1:0] sreg_i,        // special register
  input  wire  [31:0] other_i,               // return PC or barrier register
  output logic [64*LANES-1:0] d_o,
  output logic [LANES-1:0]    pd_o
);
  `include "isa_gen.vh"
  localparam [1:0] ADD = 2'd0, SHIFT = 2'd1, PRODUCT = 2'd2, OTHER = 2'd3;
  // ---- the operation's ----
  logic [1:0]  from;                         // which of them the result is
  logic        wide, no_a, not_a, not_b, no_b, abs, one;         // adder
  logic        high_a, high_c, sign, no_low, to_left, wraps, field;   // shifter
  logic        sg;
  logic [7:0]  lut;
  // ---- a lane's ----
  logic [31:0] a, b, c, d;
  // adder: x + y + carry_in; its carry out of bit 31; a < b, if it subtracts
  logic [63:0] x, y, s;
  logic        flip;
  // shifter: the low word of {high, low} >> by, `by` at most 32
  logic [31:0] high, low;
  logic [5:0]  by, right, left;
  logic        big;
  // BFE: the field's position, at most 32; the bit after its sign
  logic [5:0]  pos;
  logic [8:0]  top;
  logic [7:0]  len;
  logic [63:0] product;
  logic [31:0] keep;
  logic [4:0]  last;
  // ---- all lanes' ----
  logic [64*LANES-1:0] sum;
  logic [32*LANES-1:0] shifted;
  logic [LANES-1:0]    carry_in, carry, less, same, r;

  // One block, all of it under en_i: a simulator then does nothing for lanes that are idle.
  always_comb begin
    from = OTHER;
    {wide, no_a, not_a, not_b, no_b, abs, one} = 7'd0;
    {high_a, high_c, sign, no_low, to_left, wraps, field} = 7'd0;
    {sg, lut} = 9'd0;
    // Where nothing looks at them:
    {a, b, c, d, x, y, s, flip, high, low, by, right, left, big, pos, top, len} = 'x;
    {product, keep, last, sum, shifted, carry_in, carry, less, same, r} = 'x;
    d_o  = '0;
    pd_o = '0;
    if (en_i) begin
      case (op_i)
        OP_IADD, OP_IADD3: from = ADD;
        OP_ISUB, OP_IMINS, OP_IMINU, OP_IMAXS, OP_IMAXU, OP_ISETP:
                  begin from = ADD; not_b = 1'b1; one = 1'b1; end
        OP_IRSUB: begin from = ADD; not_a = 1'b1; one = 1'b1; end
        OP_IADDX: from = ADD;
        OP_ISUBX: begin from = ADD; not_b = 1'b1; end
        OP_IADDW: begin from = ADD; wide = 1'b1; end
        OP_LDC:   begin from = ADD; wide = 1'b1; no_a = 1'b1; end
        OP_IABS:  begin from = ADD; abs = 1'b1; no_b = 1'b1; end
        OP_SHL:   begin from = SHIFT; high_a = 1'b1; no_low = 1'b1; to_left = 1'b1; end
        OP_SHRU:  from = SHIFT;
        OP_SHRS:  begin from = SHIFT; sign = 1'b1; end
        OP_SHFLW: begin from = SHIFT; high_c = 1'b1; to_left = 1'b1; wraps = 1'b1; end
        OP_SHFLC: begin from = SHIFT; high_c = 1'b1; to_left = 1'b1; end
        OP_SHFRW: begin from = SHIFT; high_c = 1'b1; wraps = 1'b1; end
        OP_SHFRC: begin from = SHIFT; high_c = 1'b1; end
        OP_BFEU:  begin from = SHIFT; field = 1'b1; end
        OP_BFES:  begin from = SHIFT; field = 1'b1; sign = 1'b1; end
        OP_IMAD, OP_IMADHU, OP_IMADWU, OP_IMADHS, OP_IMADWS: from = PRODUCT;
        default: ;
      endcase
      if (from == ADD) begin
        sg       = op_i == OP_IMINS || op_i == OP_IMAXS || (op_i == OP_ISETP && sg_i);
        carry_in = op_i == OP_IADDX || op_i == OP_ISUBX ? ps_i : {LANES{one}};
        for (int l = 0; l < LANES; l = l + 1) begin
          a    = a_i[64*l +: 32];
          b    = b_i[64*l +: 32];
          flip = not_a || (abs && a[31]);
          x    = {a_i[64*l + 32 +: 32] & {32{wide}}, a ^ {32{flip}}} & {64{!no_a}};
          y    = {b_i[64*l + 32 +: 32] & {32{wide}}, (b ^ {32{not_b}}) & {32{!no_b}}};
          s    = x + y + {63'd0, carry_in[l] || (abs && a[31])};
          carry[l] = s[32];
          less[l]  = sg && a[31] != b[31] ? a[31] : !s[32];
          sum[64*l +: 64] = s;
        end
      end
      if (from == SHIFT)
        for (int l = 0; l < LANES; l = l + 1) begin
          a     = a_i[64*l +: 32];
          b     = b_i[64*l +: 32];
          c     = c_i[64*l +: 32];
          big   = b > 32'd31 && !wraps;
          right = {1'b0, b[4:0]};
          left  = 6'd32 - right;
          pos   = b[7:5] != 3'd0 ? 6'd32 : right;
          high  = high_a ? a : high_c ? c : {32{sign && a[31]}};
          low   = no_low ? 32'd0 : a;
          by    = field ? pos : to_left ? (big ? 6'd0 : left) : big ? 6'd32 : right;
          shifted[32*l +: 32] = 32'({high, low} >> by);
        end
      case (op_i)
        OP_S2R:
          for (int l = 0; l < LANES; l = l + 1)
            d_o[64*l +: 32] = sreg_i[32*l +: 32];
        OP_CALL, OP_CALLR, OP_BMOVR:
          for (int l = 0; l < LANES; l = l + 1)
            d_o[64*l +: 32] = other_i;
        // One of both operands, and any function of bits: each of these is one choice for each bit.
        OP_MOV, OP_SEL, OP_IMINS, OP_IMINU, OP_IMAXS, OP_IMAXU: begin
          r = op_i == OP_SEL ? ps_i : op_i == OP_IMINS || op_i == OP_IMINU ? less
            : op_i == OP_MOV ? '0 : ~less;
          for (int l = 0; l < LANES; l = l + 1)
            d_o[64*l +: 32] = r[l] ? a_i[64*l +: 32] : b_i[64*l +: 32];
        end
        OP_AND, OP_OR, OP_XOR, OP_LOP3: begin
          lut = op_i == OP_AND ? 8'hc0 : op_i == OP_OR ? 8'hfc : op_i == OP_XOR ? 8'h3c : lut_i;
          for (int l = 0; l < LANES; l = l + 1) begin
            a = a_i[64*l +: 32];
            b = b_i[64*l +: 32];
            c = c_i[64*l +: 32];
            d = 32'd0;
            for (int i = 0; i < 8; i = i + 1)
              d = d | ({32{lut[i]}} & (i[2] ? a : ~a) & (i[1] ? b : ~b) & (i[0] ? c : ~c));
            d_o[64*l +: 32] = d;
          end
        end
        OP_IADD3:
          for (int l = 0; l < LANES; l = l + 1)
            d_o[64*l +: 32] = sum[64*l +: 32] + c_i[64*l +: 32];
        OP_IADDX, OP_ISUBX: begin
          pd_o = carry;
          for (int l = 0; l < LANES; l = l + 1)
            d_o[64*l +: 32] = sum[64*l +: 32];
        end
        OP_BFEU, OP_BFES:
          for (int l = 0; l < LANES; l = l + 1) begin
            // The sign is bit min(pos + len - 1, 31); no field: zero.
            a    = a_i[64*l +: 32];
            len  = c_i[64*l +: 8];
            top  = {1'b0, b_i[64*l +: 8]} + {1'b0, len};
            keep = len > 8'd31 ? 32'hffff_ffff : (32'd1 << len[4:0]) - 32'd1;
            last = top > 9'd31 ? 5'd31 : top[4:0] - 5'd1;
            d = shifted[32*l +: 32] & keep;
            if (op_i == OP_BFES && a[last] && len != 8'd0)
              d = d | ~keep;
            d_o[64*l +: 32] = d;
          end
        OP_POPC:
          for (int l = 0; l < LANES; l = l + 1) begin
            d = 32'd0;
            for (int i = 0; i < 32; i = i + 4)
              d = d + {29'd0, ones(a_i[64*l + i +: 4])};
            d_o[64*l +: 32] = d;
          end
        OP_CLZ:
          for (int l = 0; l < LANES; l = l + 1)
            d_o[64*l +: 32] = {26'd0, zeros(a_i[64*l +: 32])};
        OP_BREV:
          for (int l = 0; l < LANES; l = l + 1)
            for (int i = 0; i < 32; i = i + 1)
              d_o[64*l + i] = a_i[64*l + 31 - i];
        OP_PRMT:
          for (int l = 0; l < LANES; l = l + 1) begin
            b = b_i[64*l +: 32];
            d = 32'd0;
            for (int i = 0; i < 4; i = i + 1) begin
              d[8*i +: 8] = byte_of({c_i[64*l +: 32], a_i[64*l +: 32]}, b[4*i +: 3]);
              if (b[4*i + 3])
                d[8*i +: 8] = {8{d[8*i + 7]}};
            end
            d_o[64*l +: 32] = d;
          end
        OP_ISETP: begin
          for (int l = 0; l < LANES; l = l + 1)
            same[l] = a_i[64*l +: 32] == b_i[64*l +: 32];
          case (icmp_i)
            ICMP_EQ: r = same;
            ICMP_NE: r = ~same;
            ICMP_LT: r = less;
            ICMP_LE: r = less | same;
            ICMP_GT: r = ~(less | same);
            default: r = ~less;
          endcase
          case (bop_i)
            BOP_AND: pd_o = r & ps_i;
            BOP_OR:  pd_o = r | ps_i;
            BOP_XOR: pd_o = r ^ ps_i;
            default: pd_o = (same & ps_i) | (~same & r);
          endcase
        end
        OP_PLOP:
          for (int l = 0; l < LANES; l = l + 1)
            pd_o[l] = lut_i[{1'b0, ps_i[l], pt_i[l]}];
        default:
          case (from)
            ADD:
              for (int l = 0; l < LANES; l = l + 1) begin
                d_o[64*l +: 32] = sum[64*l +: 32];
                if (wide) d_o[64*l + 32 +: 32] = sum[64*l + 32 +: 32];
              end
            SHIFT:
              for (int l = 0; l < LANES; l = l + 1)
                d_o[64*l +: 32] = shifted[32*l +: 32];
            PRODUCT:
              for (int l = 0; l < LANES; l = l + 1) begin
                a = a_i[64*l +: 32];
                b = b_i[64*l +: 32];
                product = $signed({(op_i == OP_IMADHS || op_i == OP_IMADWS) && a[31], a})
                        * $signed({(op_i == OP_IMADHS || op_i == OP_IMADWS) && b[31], b});
                d_o[64*l +: 64] = product;
              end
            default: ;
          endcase
      endcase
    end
  end

  function automatic [2:0] ones(input [3:0] of);
    ones = {2'd0, of[0]} + {2'd0, of[1]} + {2'd0, of[2]} + {2'd0, of[3]};
  endfunction
  // How many zeros it begins with; 32: it is zero.
  function automatic [5:0] zeros(input [31:0] of);
    reg [31:0] v;
    begin
      v = of;
      zeros = {of == 32'd0, 5'd0};
      for (int k = 4; k >= 0; k = k - 1)
        if (v >> (32 - (1 << k)) == 32'd0 && of != 32'd0) begin
          zeros[k] = 1'b1;
          v = v << (1 << k);
        end
    end
  endfunction
  function automatic [7:0] byte_of(input [63:0] of, input [2:0] n);
    case (n)
      3'd0: byte_of = of[7:0];
      3'd1: byte_of = of[15:8];
      3'd2: byte_of = of[23:16];
      3'd3: byte_of = of[31:24];
      3'd4: byte_of = of[39:32];
      3'd5: byte_of = of[47:40];
      3'd6: byte_of = of[55:48];
      default: byte_of = of[63:56];
    endcase
  endfunction
endmodule
`default_nettype wire

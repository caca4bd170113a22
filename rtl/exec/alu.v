// One lane's integer unit: combinational, idle inputs give idle outputs (en_i gates the work).
// The product of a multiply-add is handed on; its sum is made a cycle later.
//
// An operation says what goes into the one adder, shifter or multiplier, and which of them its
// result is: in an FPGA each of these is as large as all the rest.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module alu (
  input  wire         en_i,
  input  wire  [8:0]  op_i,
  input  wire  [7:0]  lut_i,
  input  wire  [2:0]  icmp_i,
  input  wire         sg_i,
  input  wire  [1:0]  bop_i,
  input  wire  [63:0] a_i, b_i,              // low words: the 32-bit operands
  input  wire  [31:0] c_i,
  input  wire         ps_i, pt_i,
  input  wire  [31:0] sreg_i, other_i,       // special register; return PC or barrier register
  output logic [63:0] d_o,
  output logic        pd_o
);
  `include "isa_gen.vh"
  wire [31:0] a = a_i[31:0], b = b_i[31:0], c = c_i;
  wire [7:0]  len = c[7:0];
  localparam [1:0] ADD = 2'd0, SHIFT = 2'd1, PRODUCT = 2'd2, OTHER = 2'd3;
  logic [1:0]  from;                         // which of them the result is
  // adder: x + y + one; its carry out of bit 31; a < b, if it subtracts
  logic [63:0] x, y, sum;
  logic        one, wide, carry, less;
  // shifter: the low word of {high, low} >> by, `by` at most 32
  logic [31:0] high, low, shifted;
  logic [5:0]  by, right, left;
  logic        big;
  // BFE: the field's position, at most 32; the bit after its sign
  logic [5:0]  pos;
  logic [8:0]  top;
  logic        sg, r, first;
  logic [7:0]  lut;
  logic [63:0] product;
  logic [31:0] d, keep;
  logic [4:0]  sign;

  // One block, all of it under en_i: a simulator then does nothing for a lane that is idle.
  always_comb begin
    from = OTHER;
    x    = {32'd0, a};
    y    = {32'd0, ~b};
    one  = 1'b1;
    wide = 1'b0;
    high = 32'd0;
    low  = a;
    by   = 6'd0;
    big  = 1'b0;
    {right, left, pos, top} = 27'd0;
    {sum, shifted, carry, less} = 'x;        // where nothing looks at them
    product = 64'd0;
    keep = 32'd0;
    sign = 5'd0;
    {sg, r, first, lut} = 11'd0;
    d    = 32'd0;
    pd_o = 1'b0;
    if (en_i) begin
      big   = b > 32'd31;
      right = {1'b0, b[4:0]};
      left  = 6'd32 - right;
      pos   = b[7:5] != 3'd0 ? 6'd32 : right;
      top   = {1'b0, b[7:0]} + {1'b0, len};
      by    = big ? 6'd32 : right;
      case (op_i)
        OP_IADD, OP_IADD3: begin from = ADD; y[31:0] = b; one = 1'b0; end
        OP_ISUB:  from = ADD;
        OP_IRSUB: begin from = ADD; x[31:0] = ~a; y[31:0] = b; end
        OP_IADDX: begin from = ADD; y[31:0] = b; one = ps_i; end
        OP_ISUBX: begin from = ADD; y[31:0] = ~b; one = ps_i; end
        OP_IADDW: begin from = ADD; x = a_i; y = b_i; one = 1'b0; wide = 1'b1; end
        OP_LDC:   begin from = ADD; x = 64'd0; y = b_i; one = 1'b0; wide = 1'b1; end
        OP_IMINS, OP_IMINU, OP_IMAXS, OP_IMAXU, OP_ISETP: from = ADD;
        OP_IABS:  begin from = ADD; x[31:0] = a ^ {32{a[31]}}; y = 64'd0; one = a[31]; end
        OP_SHL:   begin from = SHIFT; high = a; low = 32'd0; by = big ? 6'd0 : left; end
        OP_SHRU:  from = SHIFT;
        OP_SHRS:  begin from = SHIFT; high = {32{a[31]}}; end
        OP_SHFLW: begin from = SHIFT; high = c; by = left; end
        OP_SHFLC: begin from = SHIFT; high = c; by = big ? 6'd0 : left; end
        OP_SHFRW: begin from = SHIFT; high = c; by = right; end
        OP_SHFRC: begin from = SHIFT; high = c; by = big ? 6'd32 : right; end
        OP_BFEU:  begin from = SHIFT; by = pos; end
        OP_BFES:  begin from = SHIFT; high = {32{a[31]}}; by = pos; end
        OP_IMAD, OP_IMADHU, OP_IMADWU, OP_IMADHS, OP_IMADWS: from = PRODUCT;
        default: ;
      endcase
      if (from == ADD) begin
        sum   = x + y + {63'd0, one};
        carry = sum[32];
        sg    = op_i == OP_IMINS || op_i == OP_IMAXS || (op_i == OP_ISETP && sg_i);
        less  = sg && a[31] != b[31] ? a[31] : !carry;
      end
      if (from == SHIFT)
        shifted = 32'({high, low} >> by);
      case (op_i)
        OP_S2R: d = sreg_i;
        OP_CALL, OP_CALLR, OP_BMOVR: d = other_i;
        // One of both operands, and any function of bits: each of these is one choice for each bit.
        OP_MOV, OP_SEL, OP_IMINS, OP_IMINU, OP_IMAXS, OP_IMAXU: begin
          first = op_i == OP_SEL ? ps_i : op_i == OP_IMINS || op_i == OP_IMINU ? less
                : op_i != OP_MOV && !less;
          d = first ? a : b;
        end
        OP_AND, OP_OR, OP_XOR, OP_LOP3: begin
          lut = op_i == OP_AND ? 8'hc0 : op_i == OP_OR ? 8'hfc : op_i == OP_XOR ? 8'h3c : lut_i;
          for (int i = 0; i < 8; i = i + 1)
            d = d | ({32{lut[i]}} & (i[2] ? a : ~a) & (i[1] ? b : ~b) & (i[0] ? c : ~c));
        end
        OP_IADD3: d = sum[31:0] + c;
        OP_IADDX, OP_ISUBX: {pd_o, d} = {carry, sum[31:0]};
        OP_BFEU, OP_BFES: begin
          // The sign is bit min(pos + len - 1, 31); no field: zero.
          keep = len > 8'd31 ? 32'hffff_ffff : (32'd1 << len[4:0]) - 32'd1;
          sign = top > 9'd31 ? 5'd31 : top[4:0] - 5'd1;
          d = shifted & keep;
          if (op_i == OP_BFES && a[sign] && len != 8'd0)
            d = d | ~keep;
        end
        OP_POPC:
          for (int i = 0; i < 32; i = i + 4)
            d = d + {29'd0, ones(a[i +: 4])};
        OP_CLZ:  d = {26'd0, zeros(a)};
        OP_BREV:
          for (int i = 0; i < 32; i = i + 1)
            d[i] = a[31 - i];
        OP_PRMT:
          for (int i = 0; i < 4; i = i + 1) begin
            d[8*i +: 8] = byte_of({c, a}, b[4*i +: 3]);
            if (b[4*i + 3])
              d[8*i +: 8] = {8{d[8*i + 7]}};
          end
        OP_ISETP: begin
          case (icmp_i)
            ICMP_EQ: r = a == b;
            ICMP_NE: r = a != b;
            ICMP_LT: r = less;
            ICMP_LE: r = less || a == b;
            ICMP_GT: r = !less && a != b;
            default: r = !less;
          endcase
          case (bop_i)
            BOP_AND: pd_o = r && ps_i;
            BOP_OR:  pd_o = r || ps_i;
            BOP_XOR: pd_o = r ^ ps_i;
            default: pd_o = a == b ? ps_i : r;
          endcase
        end
        OP_PLOP:  pd_o = lut_i[{1'b0, ps_i, pt_i}];
        default:
          case (from)
            ADD:   d = sum[31:0];
            SHIFT: d = shifted;
            PRODUCT: begin
              product = $signed({(op_i == OP_IMADHS || op_i == OP_IMADWS) && a[31], a})
                      * $signed({(op_i == OP_IMADHS || op_i == OP_IMADWS) && b[31], b});
              d = product[31:0];
            end
            default: ;
          endcase
      endcase
    end
    d_o = {wide ? sum[63:32] : product[63:32], d};
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

// One lane's integer unit: combinational, idle inputs give idle outputs (en_i gates the work).
// The product of a multiply-add is handed on; its sum is made a cycle later.
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
  input  wire  [31:0] special_i,             // special register, return PC or barrier register
  output logic [63:0] d_o,
  output logic        pd_o
);
  `include "isa_gen.vh"
  wire [31:0] a = a_i[31:0], b = b_i[31:0], c = c_i;
  wire        big = b > 32'd31;
  logic [31:0] d, t, u;
  logic [63:0] wide;
  logic        less, r;
  always_comb begin
    d = 32'd0;
    t = 32'd0;
    u = 32'd0;
    wide = 64'd0;
    less = 1'b0;
    r = 1'b0;
    pd_o = 1'b0;
    if (en_i)
      case (op_i)
        OP_MOV:   d = b;
        OP_S2R, OP_CALL, OP_CALLR, OP_BMOVR: d = special_i;
        OP_SEL:   d = ps_i ? a : b;
        OP_IADD:  d = a + b;
        OP_ISUB:  d = a - b;
        OP_IRSUB: d = b - a;
        OP_IADD3: d = a + b + c;
        OP_IADDX: {pd_o, d} = {1'b0, a} + {1'b0, b} + {32'd0, ps_i};
        OP_ISUBX: {pd_o, d} = {1'b0, a} + {1'b0, ~b} + {32'd0, ps_i};
        OP_IADDW: begin wide = a_i + b_i; d = wide[31:0]; end
        OP_IMINS: d = $signed(a) < $signed(b) ? a : b;
        OP_IMAXS: d = $signed(a) > $signed(b) ? a : b;
        OP_IMINU: d = a < b ? a : b;
        OP_IMAXU: d = a > b ? a : b;
        OP_IABS:  d = a[31] ? -a : a;
        OP_AND:   d = a & b;
        OP_OR:    d = a | b;
        OP_XOR:   d = a ^ b;
        OP_LOP3:
          for (int i = 0; i < 8; i = i + 1)
            d = d | ({32{lut_i[i]}} & (i[2] ? a : ~a) & (i[1] ? b : ~b) & (i[0] ? c : ~c));
        OP_SHL:   d = big ? 32'd0 : a << b[4:0];
        OP_SHRU:  d = big ? 32'd0 : a >> b[4:0];
        OP_SHRS:  d = $unsigned($signed(a) >>> (big ? 5'd31 : b[4:0]));
        OP_SHFLW: begin wide = {c, a} << b[4:0]; d = wide[63:32]; end
        OP_SHFLC: begin wide = {c, a} << b[4:0]; d = big ? a : wide[63:32]; end
        OP_SHFRW: begin wide = {c, a} >> b[4:0]; d = wide[31:0]; end
        OP_SHFRC: begin wide = {c, a} >> b[4:0]; d = big ? c : wide[31:0]; end
        OP_BFEU: begin
          t = c[7:0] > 8'd31 ? 32'hffff_ffff : (32'd1 << c[4:0]) - 32'd1;
          d = b[7:0] > 8'd31 ? 32'd0 : (a >> b[4:0]) & t;
        end
        OP_BFES: begin
          // The sign is bit min(pos + len - 1, 31): shift it to the top, then back.
          t = {24'd0, b[7:0]} + {24'd0, c[7:0]} - 32'd1;
          t[4:0] = t > 32'd31 ? 5'd0 : 5'd31 - t[4:0];
          u = $unsigned($signed(a << t[4:0]) >>> t[4:0]);
          d = c[7:0] == 8'd0 ? 32'd0 : $unsigned($signed(u) >>> (b[7:0] > 8'd31 ? 5'd31 : b[4:0]));
        end
        OP_POPC:
          for (int i = 0; i < 32; i = i + 1)
            d = d + {31'd0, a[i]};
        OP_CLZ: begin
          d = 32'd32;
          for (int i = 0; i < 32; i = i + 1)
            if (a[i])
              d = 32'd31 - i;
        end
        OP_BREV:
          for (int i = 0; i < 32; i = i + 1)
            d[i] = a[31 - i];
        OP_PRMT:
          for (int i = 0; i < 4; i = i + 1) begin
            wide = {c, a} >> {b[4*i +: 3], 3'd0};
            d[8*i +: 8] = b[4*i + 3] ? {8{wide[7]}} : wide[7:0];
          end
        OP_ISETP: begin
          less = sg_i ? $signed(a) < $signed(b) : a < b;
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
        OP_IMAD, OP_IMADHU, OP_IMADWU: begin wide = {32'd0, a} * {32'd0, b}; d = wide[31:0]; end
        OP_IMADHS, OP_IMADWS: begin
          wide = {{32{a[31]}}, a} * {{32{b[31]}}, b};
          d = wide[31:0];
        end
        default: ;
      endcase
    d_o = {wide[63:32], d};
  end
endmodule
`default_nettype wire

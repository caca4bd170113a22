// The value an atomic operation leaves in memory, for one lane; 32 bits, or 64 with wide_i.
// Operands of 32 bits are in the low words; the high words are ignored, and the high result is 0.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module atomic (
  input  wire  [3:0]  op_i,          // modifier AOP
  input  wire         wide_i,
  input  wire  [63:0] old_i,         // what memory holds
  input  wire  [63:0] b_i,           // value; CAS: what to compare with
  input  wire  [63:0] c_i,           // CAS: what to store
  output logic [63:0] new_o
);
  // Narrow operands are moved up: unsigned and signed order, equality and sums of the high words
  // are then those of the low words, and one datapath serves both widths.
  logic [63:0] old, b, c, one, r;
  logic        ult, slt, eq;
  always_comb begin
    old = wide_i ? old_i : {old_i[31:0], 32'd0};
    b   = wide_i ? b_i : {b_i[31:0], 32'd0};
    c   = wide_i ? c_i : {c_i[31:0], 32'd0};
    one = wide_i ? 64'd1 : {32'd1, 32'd0};
    eq  = old == b;
    ult = old < b;
    slt = $signed(old) < $signed(b);
    case (op_i)
      AOP_ADD:  r = old + b;
      AOP_MINU: r = ult ? old : b;
      AOP_MAXU: r = ult ? b : old;
      AOP_MINS: r = slt ? old : b;
      AOP_MAXS: r = slt ? b : old;
      AOP_AND:  r = old & b;
      AOP_OR:   r = old | b;
      AOP_XOR:  r = old ^ b;
      AOP_INC:  r = ult ? old + one : 64'd0;
      AOP_DEC:  r = old == 64'd0 || !(ult || eq) ? b : old - one;
      AOP_CAS:  r = eq ? c : old;
      default:  r = b;                                          // EXCH
    endcase
    new_o = wide_i ? r : {32'd0, r[63:32]};
  end
  `include "isa_gen.vh"
endmodule
`default_nettype wire

// The constant cache: constants as second sources, c[imm], and operands of LDC whose address is in
// the instruction (RZ plus an offset), so that it needs no LSU.  Fetch asks with the instruction's
// word: if the line of its operand is not here yet, fetch comes again when it is, as after a miss
// of the instruction cache.  Then such an LDC is an instruction of the ALU, and the cache is read
// while an instruction reads its registers.
//
// Nothing writes the constant bank while a grid runs, and a line that is here stays until the next
// grid: what was found when the instruction was fetched is still there when it is read.  All other
// LDC are the LSU's: what faults or is 128 bits wide, operands on which the bus answered with an
// error, and those whose place another line has.
//
// Lines of 64 bytes.  Parameters begin at the bank's start and fill the cache from below; .const
// begins 32 KiB later and fills the cache from above.  The first four lines, of which instructions
// take operands, share their places with none.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "axi.vh"
`include "insn_gen.vh"
module const_cache #(
  parameter BYTES = 2048                     // a power of two, 256 to 4096
) (
  input  wire         clk, rst_n,
  input  wire         clear_i,               // a new grid: forget everything; no line is on its way
  input  wire [31:0]  base_i, size_i,        // the bank, physical, and its bytes
  // the instruction that fetch has
  input  wire [127:0] word_i,
  output wire         here_o,                // its operand is here
  output wire         miss_o,                // it would be, but its line has not come
  output wire         bad_o,                 // a second source: the bus has answered with an error
  input  wire         fill_i,                // fetch its line
  output wire         busy_o,                // a line is on its way
  output logic        filled_o,              // it has come
  output axi_read_t   axi_read_o,
  input  axi_read_answer_t axi_read_i,
  // reading: the value a cycle later
  input  wire         read_i,
  input  wire [127:0] read_word_i,
  input  wire         read_wide_i,           // a second source is a pair
  output logic [63:0] value_o
);
  `include "isa_gen.vh"
  localparam LINES = BYTES / 64;
  localparam IB    = $clog2(LINES);
  logic [255:0]     row_q [0:2*LINES-1];     // half lines
  logic [LINES-1:0] low_bad_q, high_bad_q;   // the bus has answered them with an error
  logic [LINES-1:0] valid_q;
  logic [16:0]      tag_q [0:LINES-1];

  // ---- what fetch asks ----
  wire          second = word_i[`INSN_CB];
  wire [31:0]   imm  = word_i[`INSN_IMM];
  wire [23:0]   off  = second ? {16'd0, imm[7:0]} : word_i[`INSN_OFF];
  wire [2:0]    size = word_i[`INSN_SZ];
  wire [3:0]    bytes = size == SZ_64 ? 4'd8 : size == SZ_32 ? 4'd4
                      : size == SZ_U16 || size == SZ_S16 ? 4'd2 : 4'd1;
  localparam [16:0] OPERANDS = OPERAND_BYTES[22:6];           // lines of second sources
  wire [16:0]   line = off[22:6];
  wire [IB-1:0] at   = line[IB-1:0] ^ {IB{line[9]}};
  wire          load = word_i[`INSN_OP] == OP_LDC && word_i[`INSN_RA] == RZ && size <= SZ_64
                    && !off[23] && (off[3:0] & (bytes - 4'd1)) == 4'd0
                    && {9'd0, off} + 33'(bytes) <= {1'b0, size_i}
                    && (line < OPERANDS || 17'(at) >= OPERANDS);
  wire          mine = second ? {8'd0, off[23:3], 3'd7} < size_i : load;
  wire          bad  = off[5] ? high_bad_q[at] : low_bad_q[at];
  assign here_o = mine && valid_q[at] && tag_q[at] == line && !bad;
  assign miss_o = mine && !valid_q[at];
  assign bad_o  = second && mine && valid_q[at] && bad;

  // ---- a line comes ----
  logic         busy_q, ask_q, second_q;
  logic [16:0]  line_q;
  wire [IB-1:0] to = line_q[IB-1:0] ^ {IB{line_q[9]}};
  wire [31:0]   line_at = base_i + {9'd0, line_q, 6'd0};
  assign busy_o = busy_q;
  always_comb begin
    axi_read_o.arvalid = ask_q;
    axi_read_o.arid    = 4'd0;
    axi_read_o.arlen   = 8'd1;
    axi_read_o.araddr  = `ADDR_BITS'(line_at);
    axi_read_o.rready  = 1'b1;
  end
  always @(posedge clk) begin
    filled_o <= 1'b0;
    if (axi_read_i.arready)
      ask_q <= 1'b0;
    if (fill_i) begin
      busy_q   <= 1'b1;
      ask_q    <= 1'b1;
      second_q <= 1'b0;
      line_q   <= line;
    end
    if (axi_read_i.rvalid) begin
      row_q[{to, second_q}] <= axi_read_i.rdata;
      second_q <= 1'b1;
      if (second_q)
        high_bad_q[to] <= axi_read_i.rerror;
      else
        low_bad_q[to]  <= axi_read_i.rerror;
      if (axi_read_i.rlast) begin
        busy_q      <= 1'b0;
        filled_o    <= 1'b1;
        valid_q[to] <= 1'b1;
        tag_q[to]   <= line_q;
      end
    end
    if (clear_i || !rst_n)
      valid_q <= {LINES{1'b0}};
    if (!rst_n)
      {busy_q, ask_q} <= 2'd0;
  end

  // ---- reading ----
  logic [255:0] out_q;
  logic [4:0]   out_off_q;
  logic [2:0]   out_size_q;
  wire          read_second = read_word_i[`INSN_CB];
  wire [31:0]   read_imm = read_word_i[`INSN_IMM];
  wire [23:0]   read_off = read_second ? {16'd0, read_imm[7:0]} : read_word_i[`INSN_OFF];
  wire [16:0]   read_line = read_off[22:6];
  wire [IB-1:0] from = read_line[IB-1:0] ^ {IB{read_line[9]}};
  always @(posedge clk)
    if (read_i) begin
      out_q      <= row_q[{from, read_off[5]}];
      out_off_q  <= read_off[4:0];
      out_size_q <= !read_second ? read_word_i[`INSN_SZ] : read_wide_i ? SZ_64 : SZ_32;
    end
  wire [63:0] pair = out_q[{out_off_q[4:3], 6'd0} +: 64];
  wire [31:0] word = out_off_q[2] ? pair[63:32] : pair[31:0];
  wire [15:0] half = out_off_q[1] ? word[31:16] : word[15:0];
  wire [7:0]  low  = out_off_q[0] ? half[15:8] : half[7:0];
  always_comb
    case (out_size_q)
      SZ_U8:   value_o = {56'd0, low};
      SZ_S8:   value_o = {32'd0, {24{low[7]}}, low};
      SZ_U16:  value_o = {48'd0, half};
      SZ_S16:  value_o = {32'd0, {16{half[15]}}, half};
      SZ_64:   value_o = pair;
      default: value_o = {32'd0, word};
    endcase

  wire unused = &{1'b0, word_i, read_word_i, read_off, read_imm, read_line, imm, axi_read_i};
endmodule
`default_nettype wire

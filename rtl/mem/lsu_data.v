// The data of the instructions, a row for each of their beats: what comes in with the request, from
// a sector or the banks of shared memory, and what an atomic leaves in its lane.  Where several are
// in flight, what comes in and what is read have rows of their own, so that a request comes in and
// the oldest instruction's results leave while sectors arrive.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_data #(
  parameter LANES = 32,
  parameter BANKS = 32,
  parameter SLOTS = 1
) (
  input  wire                  clk,
  input  wire  [8:0]           row_i,        // what comes for a load goes to this row, of beat_i
  input  wire  [4:0]           beat_i,
  input  wire                  out_i,        // a store or an atomic acts: they look at these,
  input  wire  [8:0]           store_row_i, atomic_row_i,
  input  wire                  atomic_i,     // an atomic does; with one slot, never both
  output wire  [128*LANES-1:0] store_o, atomic_o,    // word w of lane l at 32*LANES*w + 32*l
  input  wire                  result_i,     // results leave
  input  wire  [8:0]           result_row_i,
  output wire  [128*LANES-1:0] result_o,
  // a beat of the request; its second pass is the upper half of a 128-bit store
  input  wire                  take_i, pass_i,
  input  wire  [8:0]           take_row_i,
  input  wire  [64*LANES-1:0]  b_i, c_i,
  // words that a load has read: lsu_extract.v
  input  wire                  sector_we_i, banks_we_i,
  input  wire                  shared_i, local_i, signed_i,
  input  wire  [2:0]           lg_i,
  input  wire  [LANES-1:0]     mask_i,
  input  wire  [1:0]           word_i,
  input  wire  [32*LANES-1:0]  addr_i,
  input  wire  [255:0]         sector_i,
  input  wire  [32*BANKS-1:0]  banks_i,
  // what an atomic found
  input  wire                  l_valid_i,
  input  wire  [4:0]           l_lane_i,
  input  wire  [63:0]          l_old_i
);
  localparam ROWS = SLOTS * 32 / LANES, PAIR = 64 * LANES;
  wire         read_we = sector_we_i || banks_we_i;
  wire  [128*LANES-1:0] read;                // the row of what was read
  wire  [128*LANES-1:0] extracted;
  wire  [4*LANES-1:0]   fresh;               // the words of it that are new
  lsu_extract #(.LANES(LANES), .BANKS(BANKS), .KEEP(32'(SLOTS > 1))) u_extract (
    .en_i(read_we), .shared_i(shared_i), .local_i(local_i), .mask_i(mask_i),
    .beat_i(beat_i), .word_i(word_i), .lg_i(lg_i), .signed_i(signed_i), .addr_i(addr_i),
    .sector_i(sector_i), .banks_i(banks_i), .data_i(read), .data_o(extracted),
    .new_o(fresh));
  logic [PAIR-1:0] b, c;                     // the two words of all lanes, word by word
  always_comb begin
    {b, c} = '0;
    if (take_i)
      for (int k = 0; k < LANES; k++) begin
        {b[32*LANES + 32*k +: 32], b[32*k +: 32]} = b_i[64*k +: 64];
        {c[32*LANES + 32*k +: 32], c[32*k +: 32]} = pass_i ? b_i[64*k +: 64] : c_i[64*k +: 64];
      end
  end
  generate
    /* verilator lint_off PINCONNECTEMPTY */
    if (SLOTS == 1) begin : g_one
      wire [8:0] row = take_i ? take_row_i : result_i ? result_row_i
                     : atomic_i ? atomic_row_i : out_i ? store_row_i : row_i;
      wire [LANES-1:0]   atomic_m = l_valid_i ? LANES'(1) << l_lane_i : '0;
      wire [4*LANES-1:0] we = take_i ? {{2*LANES{1'b1}}, {2*LANES{!pass_i}}}
                            : l_valid_i ? {{2*LANES{1'b0}}, {2{atomic_m}}}
                            : fresh & {4*LANES{read_we}};
      wire [PAIR-1:0]    low = l_valid_i ? {{LANES{l_old_i[63:32]}}, {LANES{l_old_i[31:0]}}}
                                         : extracted[0 +: PAIR];
      lsu_words #(.WORDS(4*LANES), .ROWS(ROWS)) u_rows (
        .clk(clk), .row_i(row), .we_i(we),
        .d_i(take_i ? {c, b} : {extracted[PAIR +: PAIR], low}), .q_o(store_o));
      assign read     = '0;
      assign result_o = store_o;
      assign atomic_o = store_o;
    end else begin : g_many
      logic [128*LANES-1:0] read_d;
      always_comb begin
        read_d = extracted;
        if (l_valid_i) begin
          read_d = read;
          for (int k = 0; k < LANES; k++)
            if (l_lane_i == 5'(k)) begin
              read_d[32*k +: 32] = l_old_i[31:0];
              read_d[32*LANES + 32*k +: 32] = l_old_i[63:32];
            end
        end
      end
      lsu_rows #(.WIDTH(PAIR), .ROWS(ROWS)) u_low (
        .clk(clk), .we_i(take_i && !pass_i), .to_i(take_row_i), .d_i(b),
        .row_i(store_row_i), .q_o(store_o[0 +: PAIR]), .row2_i(atomic_row_i),
        .q2_o(atomic_o[0 +: PAIR]));
      lsu_rows #(.WIDTH(PAIR), .ROWS(ROWS)) u_high (
        .clk(clk), .we_i(take_i), .to_i(take_row_i), .d_i(c),
        .row_i(store_row_i), .q_o(store_o[PAIR +: PAIR]), .row2_i(atomic_row_i),
        .q2_o(atomic_o[PAIR +: PAIR]));
      lsu_rows #(.WIDTH(2*PAIR), .ROWS(ROWS)) u_read (
        .clk(clk), .we_i(read_we || l_valid_i), .to_i(row_i), .d_i(read_d), .row_i(row_i),
        .q_o(read), .row2_i(result_row_i), .q2_o(result_o));
      wire unused = &{1'b0, result_i, out_i, atomic_i, fresh};
    end
    /* verilator lint_on PINCONNECTEMPTY */
  endgenerate
endmodule
`default_nettype wire

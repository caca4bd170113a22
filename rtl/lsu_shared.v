// Gives lanes access to the banks of shared memory, one beat a cycle where no two lanes need
// different words of one bank.  In a conflict the lowest lane of each bank goes first and every lane
// that wants the same word goes with it; the others go in later cycles.
//
// Wide accesses go word by word.  In loads the upper lanes start at another word (64 bits: lanes from
// 16 on; 128 bits: every eight lanes), so that consecutive wide words meet no conflict; stores must
// keep the order of lanes word for word, and do not.  An atomic reads the pair of words of the lowest
// lane and takes all lanes of its beat on that pair; lsu_atomic.v works it off, then it is written back.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_shared #(
  parameter LANES        = 32,
  parameter BANKS        = 32,               // at least 2: atomics use a pair
  parameter SHARED_BYTES = 65536
) (
  input  wire                  clk,
  input  wire                  rst_n,
  input  wire                  start_i,
  input  wire  [31:0]          mask_i,
  input  wire                  load_i,
  input  wire                  atom_i,       // neither: a store
  input  wire  [2:0]           lg_i,         // bytes a lane: 1 << lg
  input  wire  [24:0]          base_i,       // where the block's memory starts, in 128 bytes
  output wire                  idle_o,
  // the rows of beat_o
  output wire  [4:0]           beat_o,
  input  wire  [32*LANES-1:0]  addr_i,
  input  wire  [128*LANES-1:0] data_i,       // store data: word w of lane l at 32*LANES*w + 32*l
  // words read, for some lanes of a beat; in atomics the pair of words that all of them act on
  output wire                  r_valid_o,
  output wire  [4:0]           r_beat_o,
  output wire  [1:0]           r_word_o,
  output wire  [LANES-1:0]     r_mask_o,
  output wire  [32*BANKS-1:0]  r_data_o,
  output wire  [63:0]          r_pair_o,
  // the pair as the atomics left it, in any aligned place of a sector
  input  wire                  a_valid_i,
  input  wire  [255:0]         a_data_i,
  input  wire  [31:0]          a_strb_i
);
  localparam ROWS = SHARED_BYTES / (4 * BANKS);
  localparam RB   = $clog2(ROWS);
  localparam KB   = $clog2(BANKS);
  localparam LB   = $clog2(LANES);

  logic [31:0]      left_q;                  // lanes without their word word_q
  logic [1:0]       word_q;
  logic             r_valid_q;
  logic [4:0]       r_beat_q;
  logic [1:0]       r_word_q;
  logic [LANES-1:0] r_mask_q;
  logic             a_busy_q;                // a pair is being worked on
  logic [KB-1:0]    a_bank_q;
  logic [RB-1:0]    a_row_q;

  wire [1:0]       last_word = lg_i[2] ? 2'd3 : lg_i == 3'd3 && !atom_i ? 2'd1 : 2'd0;
  wire             active = left_q != '0 && !a_busy_q;
  wire [31:0]      one = left_q & (~left_q + 32'd1);
  wire [4:0]       lead = {|(one & 32'hffff0000), |(one & 32'hff00ff00), |(one & 32'hf0f0f0f0),
                           |(one & 32'hcccccccc), |(one & 32'haaaaaaaa)};
  wire [4:0]       beat = lead >> LB;
  wire [LANES-1:0] here = LANES'(left_q >> (beat << LB));
  wire [31:0]      left_d = left_q & ~(32'(served) << (beat << LB));
  assign beat_o = beat;
  assign idle_o = left_q == '0 && !r_valid_q && !a_busy_q;

  // ---- who gets a word in this cycle, and what the banks do ---------------------------------------
  logic             en   [0:BANKS-1];
  logic [RB-1:0]    row  [0:BANKS-1];        // before the block's base is added
  logic [31:0]      data [0:BANKS-1];
  logic [3:0]       strb [0:BANKS-1];
  logic [LANES-1:0] served;
  logic [1:0]       eighth;                  // lane of the warp / 8
  logic [1:0]       w;
  logic [KB+RB-1:0] at;                      // {row, bank} of the lane's word
  logic [KB+RB-1:0] lead_at;
  logic [31:0]      word, bits;
  logic [3:0]       bytes;
  always_comb begin
    for (int b = 0; b < BANKS; b++) begin
      en[b] = 1'b0;
      row[b] = '0;
      data[b] = '0;
      strb[b] = '0;
    end
    {served, eighth, w, at, lead_at, word, bits, bytes} = '0;
    if (a_busy_q) begin
      row[a_bank_q] = a_row_q;
      row[a_bank_q | KB'(1)] = a_row_q;
      en[a_bank_q] = a_valid_i;
      en[a_bank_q | KB'(1)] = a_valid_i;
      for (int p = 0; p < 4; p++) begin      // only one of the four has strobes
        data[a_bank_q] = data[a_bank_q] | (a_strb_i[8*p] ? a_data_i[64*p +: 32] : 32'd0);
        strb[a_bank_q] = strb[a_bank_q] | a_strb_i[8*p +: 4];
        data[a_bank_q | KB'(1)] = data[a_bank_q | KB'(1)]
                                | (a_strb_i[8*p+4] ? a_data_i[64*p+32 +: 32] : 32'd0);
        strb[a_bank_q | KB'(1)] = strb[a_bank_q | KB'(1)] | a_strb_i[8*p+4 +: 4];
      end
    end else if (active) begin
      for (int l = LANES - 1; l >= 0; l--)   // downwards: the lowest lane of a bank stays
        if (here[l]) begin
          eighth = 2'(((beat << LB) | 5'(l)) >> 3);
          w = word_q;
          if (load_i) w = word_q ^ (lg_i == 3'd4 ? eighth : lg_i == 3'd3 ? {1'b0, eighth[1]} : 2'd0);
          at = addr_i[32*l+2 +: KB+RB] | (KB+RB)'(w);
          lead_at = at;
          if (!atom_i) begin
            en[at[KB-1:0]] = 1'b1;
            row[at[KB-1:0]] = at[KB +: RB];
          end
        end
      if (atom_i) begin
        en[lead_at[KB-1:0] & ~KB'(1)] = 1'b1;
        en[lead_at[KB-1:0] | KB'(1)] = 1'b1;
        row[lead_at[KB-1:0] & ~KB'(1)] = lead_at[KB +: RB];
        row[lead_at[KB-1:0] | KB'(1)] = lead_at[KB +: RB];
      end
      for (int l = 0; l < LANES; l++)
        if (here[l]) begin
          eighth = 2'(((beat << LB) | 5'(l)) >> 3);
          w = word_q;
          if (load_i) w = word_q ^ (lg_i == 3'd4 ? eighth : lg_i == 3'd3 ? {1'b0, eighth[1]} : 2'd0);
          at = addr_i[32*l+2 +: KB+RB] | (KB+RB)'(w);
          served[l] = atom_i ? at[KB+RB-1:1] == lead_at[KB+RB-1:1] : row[at[KB-1:0]] == at[KB +: RB];
          if (served[l] && !load_i && !atom_i) begin
            word = data_i[32*LANES*w + 32*l +: 32];
            bytes = 4'hf;
            if (lg_i == 3'd0) begin
              word = {4{word[7:0]}};
              bytes = 4'h1 << addr_i[32*l +: 2];
            end
            if (lg_i == 3'd1) begin
              word = {2{word[15:0]}};
              bytes = 4'h3 << addr_i[32*l +: 2];
            end
            bits = {{8{bytes[3]}}, {8{bytes[2]}}, {8{bytes[1]}}, {8{bytes[0]}}};
            data[at[KB-1:0]] = (data[at[KB-1:0]] & ~bits) | (word & bits);
            strb[at[KB-1:0]] = strb[at[KB-1:0]] | bytes;
          end
        end
    end
  end

  always_ff @(posedge clk)
    if (!rst_n) begin
      left_q    <= '0;
      r_valid_q <= 1'b0;
      a_busy_q  <= 1'b0;
    end else if (start_i) begin
      left_q <= mask_i;
      word_q <= '0;
    end else if (!idle_o) begin
      r_valid_q <= active && (load_i || atom_i);
      if (active) begin
        left_q   <= left_d;
        r_beat_q <= beat;
        r_word_q <= word_q;
        r_mask_q <= served;
        a_bank_q <= lead_at[KB-1:0] & ~KB'(1);
        a_row_q  <= lead_at[KB +: RB];
        a_busy_q <= atom_i;
        if (left_d == '0 && word_q != last_word) begin
          left_q <= mask_i;
          word_q <= word_q + 2'd1;
        end
      end else if (a_valid_i) a_busy_q <= 1'b0;
    end

  // ---- the banks --------------------------------------------------------------------------------
  wire [BANKS-1:0]    bank_en;
  wire [RB*BANKS-1:0] bank_row;
  wire [32*BANKS-1:0] bank_data;
  wire [4*BANKS-1:0]  bank_strb;
  wire [RB-1:0]       base_row = RB'(base_i << (5 - KB));
  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
      assign bank_en[b] = en[b];
      assign bank_row[RB*b +: RB] = row[b] + base_row;
      assign bank_data[32*b +: 32] = data[b];
      assign bank_strb[4*b +: 4] = strb[b];
    end
  endgenerate
  shared_mem #(.BANKS(BANKS), .BYTES(SHARED_BYTES)) u_mem (
    .clk(clk), .en_i(bank_en), .write_i(a_busy_q || !(load_i || atom_i)),
    .row_i(bank_row), .data_i(bank_data), .strb_i(bank_strb), .data_o(r_data_o));

  assign r_valid_o = r_valid_q;
  assign r_beat_o  = r_beat_q;
  assign r_word_o  = r_word_q;
  assign r_mask_o  = r_mask_q;
  assign r_pair_o  = r_data_o[{a_bank_q, 5'd0} +: 64];
endmodule
`default_nettype wire

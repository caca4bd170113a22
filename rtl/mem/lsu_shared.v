// Gives lanes access to the banks of shared memory, one beat a cycle where no two lanes need
// different words of one bank.  In a conflict the lowest lane of each bank goes first and every
// lane that wants the same word goes with it; the others go in later cycles.
//
// Wide accesses go word by word.  In loads the upper lanes start at another word (64 bits: lanes
// from 16 on; 128 bits: every eight lanes), so that consecutive wide words meet no conflict; stores
// must keep the order of lanes word for word, and do not.  An atomic reads the pair of words of the
// lowest lane and takes all lanes of its beat on that pair; lsu_atomic.v works it off, then it is
// written back.
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
  output wire                  over_o,       // a load or store has no lane left in the next cycle
  // the rows of beat_o, which it looks at
  output wire                  looks_o,
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
  localparam ROW  = 32 * LANES;

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
  assign looks_o = active;
  assign beat_o = beat;
  // The last words read are handed over in this very cycle: only atomics have more to do with them.
  assign idle_o = left_q == '0 && !a_busy_q;
  assign over_o = !a_busy_q && left_d == '0 && (left_q == '0 || word_q == last_word);

  // ---- who gets a word in this cycle ------------------------------------------------------------
  // All lanes of the beat name the word they want; of each bank the lowest lane decides on the row.
  logic [KB+RB-1:0]   at;                    // {row, bank} of a lane's word
  logic [KB+RB-1:0]   lead_at;               // of the lowest lane's
  logic [RB-1:0]      row [0:BANKS-1];       // before the block's base is added
  logic [RB*BANKS-1:0] rows;
  logic [BANKS-1:0]   en;
  logic [LANES-1:0]   served;
  always_comb begin
    {at, lead_at, rows, en, served} = '0;
    for (int b = 0; b < BANKS; b++) row[b] = '0;
    if (active) begin
      for (int l = LANES - 1; l >= 0; l--) begin
        at = addr_i[32*l+2 +: KB+RB] | (KB+RB)'(word_of(2'(((beat << LB) | 5'(l)) >> 3)));
        if (here[l]) lead_at = at;
        if (here[l]) row[at[KB-1:0]] = at[KB +: RB];
        en = en | (BANKS'(here[l]) << at[KB-1:0]);
      end
      for (int b = 0; b < BANKS; b++) rows[RB*b +: RB] = atom_i ? lead_at[KB +: RB] : row[b];
      if (atom_i) en = pair_of(lead_at[KB-1:0]);
      for (int l = 0; l < LANES; l++) begin
        at = addr_i[32*l+2 +: KB+RB] | (KB+RB)'(word_of(2'(((beat << LB) | 5'(l)) >> 3)));
        served[l] = here[l] && (atom_i ? at[KB+RB-1:1] == lead_at[KB+RB-1:1]
                                       : rows[RB*at[KB-1:0] +: RB] == at[KB +: RB]);
      end
    end
  end
  always_ff @(posedge clk)
    if (!rst_n) begin
      left_q    <= '0;
      r_valid_q <= 1'b0;
      a_busy_q  <= 1'b0;
    end else if (start_i || !idle_o || r_valid_q) begin
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
      if (start_i) begin
        left_q <= mask_i;
        word_q <= '0;
      end
    end

  // ---- what the banks do ------------------------------------------------------------------------
  wire             writing = active && !load_i && !atom_i;
  logic [ROW-1:0]  from;                     // the word that each lane stores
  logic [63:0]     pair;                     // the pair that comes back from atomics
  logic [7:0]      pair_strb;
  always_comb begin
    {from, pair, pair_strb} = '0;
    if (writing) from = data_i[ROW*word_q +: ROW];
    if (a_busy_q)
      for (int p = 0; p < 4; p++)
        if (a_strb_i[8*p +: 8] != '0) begin
          pair = a_data_i[64*p +: 64];
          pair_strb = a_strb_i[8*p +: 8];
        end
  end

  wire [32*BANKS-1:0] data;                  // byte b of every bank, for b = 0 to 3
  wire [4*BANKS-1:0]  strb;
  genvar b;
  generate
    for (b = 0; b < 4; b = b + 1) begin : g_byte
      logic [4:0]         who [0:BANKS-1];   // the highest lane that writes byte b of a bank
      logic [8*BANKS-1:0] bytes;
      logic [BANKS-1:0]   hit;
      logic [KB-1:0]      bank;
      logic               mine;
      always_comb begin
        {bytes, hit, bank, mine} = '0;
        for (int k = 0; k < BANKS; k++) who[k] = '0;
        if (writing) begin
          for (int l = 0; l < LANES; l++) begin
            bank = addr_i[32*l+2 +: KB] | KB'(word_q);
            mine = served[l] && (lg_i > 3'd1 || (addr_i[32*l+1] == 1'(b / 2) &&
                                                 (lg_i == 3'd1 || addr_i[32*l] == 1'(b % 2))));
            hit = hit | (BANKS'(mine) << bank);
            if (mine) who[bank] = 5'(l);
          end
          for (int k = 0; k < BANKS; k++)
            bytes[8*k +: 8] = lg_i == 3'd0 ? from[32*who[k] +: 8]
                            : lg_i == 3'd1 ? from[32*who[k] + 8*(b%2) +: 8]
                            : from[32*who[k] + 8*b +: 8];
        end else if (a_busy_q) begin
          bytes = {BANKS/2{pair[32 + 8*b +: 8], pair[8*b +: 8]}};
          hit = {BANKS/2{pair_strb[4 + b], pair_strb[b]}};
        end
      end
      assign data[8*BANKS*b +: 8*BANKS] = bytes;
      assign strb[BANKS*b +: BANKS] = hit;
    end
  endgenerate

  logic [RB*BANKS-1:0] bank_row;
  wire  [RB-1:0]       base_row = RB'(base_i << (5 - KB));
  always_comb begin
    bank_row = '0;
    if (active || a_busy_q)
      for (int k = 0; k < BANKS; k++)
        bank_row[RB*k +: RB] = (a_busy_q ? a_row_q : rows[RB*k +: RB]) + base_row;
  end
  // Not in a reset, when the registers may hold anything: shared memory would lose a word.
  shared_mem #(.BANKS(BANKS), .BYTES(SHARED_BYTES)) u_mem (
    .clk(clk), .en_i(a_busy_q ? (a_valid_i ? pair_of(a_bank_q) : {BANKS{1'b0}}) : en),
    .write_i(rst_n && (a_busy_q || writing)), .row_i(bank_row),
    .data_i(data), .strb_i(strb), .data_o(r_data_o));

  assign r_valid_o = r_valid_q;
  assign r_beat_o  = r_beat_q;
  assign r_word_o  = r_word_q;
  assign r_mask_o  = r_mask_q;
  assign r_pair_o  = r_data_o[{a_bank_q, 5'd0} +: 64];

  // Which word a lane of this beat is to get: loads do not all start with the first.
  function automatic [1:0] word_of(input [1:0] eighth);
    begin
      word_of = word_q;
      if (load_i && lg_i == 3'd3) word_of = word_q ^ {1'b0, eighth[1]};
      if (load_i && lg_i == 3'd4) word_of = word_q ^ eighth;
    end
  endfunction

  // A bank and its neighbour.
  function automatic [BANKS-1:0] pair_of(input [KB-1:0] bank);
    pair_of = BANKS'(3) << (bank & ~KB'(1));
  endfunction
endmodule
`default_nettype wire

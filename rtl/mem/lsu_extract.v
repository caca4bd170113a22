// Hands what a load read to its lanes: from a sector of the physical space or from the banks of
// shared memory, whole words in place, bytes and halves extended to 32 bits.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_extract #(
  parameter LANES = 32,
  parameter BANKS = 32,
  parameter KEEP  = 1                     // 0: words that are not new may be anything
) (
  input  wire                  en_i,      // the output is not to be used without it
  input  wire                  shared_i,  // from the banks; else from the sector
  input  wire                  local_i,   // the sector holds word word_i of consecutive lanes
  input  wire  [LANES-1:0]     mask_i,
  input  wire  [4:0]           beat_i,
  input  wire  [1:0]           word_i,    // which word of wide accesses; shared: see lsu_shared.v
  input  wire  [2:0]           lg_i,      // bytes a lane: 1 << lg
  input  wire                  signed_i,
  input  wire  [32*LANES-1:0]  addr_i,
  input  wire  [255:0]         sector_i,
  input  wire  [32*BANKS-1:0]  banks_i,
  input  wire  [128*LANES-1:0] data_i,    // word w of lane l at 32*LANES*w + 32*l
  output logic [128*LANES-1:0] data_o,    // with the lanes' new words,
  output logic [4*LANES-1:0]   new_o      // without KEEP, which are: w of lane l at LANES*w + l
);
  localparam LB = $clog2(LANES);
  localparam KB = $clog2(BANKS);
  logic [4:0]    lane;
  logic [1:0]    w;
  logic [KB-1:0] bank;
  logic [2:0]    at;
  logic [31:0]   word;
  always_comb begin
    data_o = data_i;
    new_o  = '0;
    {lane, w, bank, at, word} = '0;
    if (en_i)
      for (int l = 0; l < LANES; l++)
        if (mask_i[l] || KEEP == 0) begin
          lane = (beat_i << LB) | 5'(l);
          w = word_i;
          if (shared_i)
            w = word_i ^ (lg_i == 3'd4 ? lane[4:3] : lg_i == 3'd3 ? {1'b0, lane[4]} : 2'd0);
          bank = addr_i[32*l+2 +: KB] | KB'(w);
          at = local_i ? lane[2:0] : addr_i[32*l+2 +: 3];
          word = shared_i ? banks_i[32*bank +: 32] : sector_i[32*at +: 32];
          if (lg_i < 3'd2) word = word >> {addr_i[32*l +: 2], 3'd0};
          if (lg_i == 3'd0) word = {{24{signed_i && word[7]}}, word[7:0]};
          if (lg_i == 3'd1) word = {{16{signed_i && word[15]}}, word[15:0]};
          if (shared_i || local_i) begin
            for (int j = 0; j < 4; j++)
              if (w == 2'(j) || KEEP == 0) data_o[32*LANES*j + 32*l +: 32] = word;
          end else begin
            data_o[32*l +: 32] = word;
            if (lg_i == 3'd3 || KEEP == 0)
              data_o[32*LANES + 32*l +: 32] = sector_i[{at[2:1], 6'd32} +: 32];
            // Words are aligned: of 128 bits the second is that of 64.
            if (lg_i == 3'd4 || KEEP == 0)
              for (int j = KEEP != 0 ? 1 : 2; j < 4; j++)
                data_o[32*LANES*j + 32*l +: 32] = sector_i[{at[2], 2'(j), 5'd0} +: 32];
          end
          for (int j = 0; j < 4; j++)
            if (KEEP == 0) new_o[LANES*j + l] = mask_i[l] && (shared_i || local_i ? w == 2'(j)
                                 : j == 0 || lg_i == 3'd4 || (lg_i == 3'd3 && j == 1));
        end
  end
endmodule
`default_nettype wire

// Puts the store data of a group of lanes into their sector.  Where lanes collide the highest wins.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_insert #(
  parameter LANES = 32
) (
  input  wire                  en_i,      // the outputs are 0 without it
  input  wire  [LANES-1:0]     mask_i,
  input  wire  [4:0]           beat_i,
  // word word_i of each lane, at the lane's place in local memory
  input  wire                  local_i,
  input  wire  [1:0]           word_i,
  input  wire  [2:0]           lg_i,      // bytes a lane: 1 << lg
  input  wire  [5*LANES-1:0]   at_i,      // where a lane's bytes start, modulo 32
  input  wire  [128*LANES-1:0] data_i,    // word w of lane l at 32*LANES*w + 32*l
  output logic [255:0]         data_o,
  output logic [31:0]          strb_o
);
  localparam LB = $clog2(LANES);
  localparam ROW = 32 * LANES;
  // A lane's data start in word `at` of the sector.  Word j of the sector then comes from a lane
  // with at = j, j & 6 or j & 4, and is that lane's word 0, j & 1 or j & 3, in accesses of up to 4,
  // of 8 and of 16 bytes.  In local memory every word is its lane's word word_i.
  wire             pairs = !local_i && lg_i == 3'd3;
  wire             quads = !local_i && lg_i == 3'd4;
  logic [ROW-1:0]  from0, from1, from2, from3;       // for words j with j & 3 = 0, 1, 2, 3
  always_comb begin
    {from0, from1, from2, from3} = '0;
    if (en_i) begin
      from0 = local_i ? data_i[ROW*word_i +: ROW] : data_i[0 +: ROW];
      from1 = pairs || quads ? data_i[ROW +: ROW] : from0;
      from2 = quads ? data_i[2*ROW +: ROW] : from0;
      from3 = quads ? data_i[3*ROW +: ROW] : from1;
    end
  end

  wire [255:0] bytes;                     // byte b of word j at 64*b + 8*j
  wire [31:0]  hits;                      // at 8*b + j
  genvar b;
  generate
    for (b = 0; b < 4; b = b + 1) begin : g_byte
      // The highest lane that writes byte b of the word its data start in, for each such word.
      logic [4:0]  who [0:7];
      logic [7:0]  hit, strb;
      logic [63:0] data;
      logic [2:0]  at;
      logic [1:0]  sub;                   // which byte of the lane's word it is
      logic        mine;
      always_comb begin
        {hit, strb, data, at, sub, mine} = '0;
        for (int k = 0; k < 8; k++) who[k] = '0;
        if (en_i) begin
          for (int l = 0; l < LANES; l++)
            if (mask_i[l]) begin
              at = local_i ? 3'((beat_i << LB) | 5'(l)) : at_i[5*l+2 +: 3];
              mine = lg_i > 3'd1 || (at_i[5*l+1] == 1'(b / 2) &&
                                     (lg_i == 3'd1 || at_i[5*l] == 1'(b % 2)));
              hit = hit | (8'(mine) << at);
              if (mine) who[at] = 5'(l);
            end
          sub = lg_i == 3'd0 ? 2'd0 : lg_i == 3'd1 ? 2'(b % 2) : 2'(b);
          for (int j = 0; j < 8; j++) begin
            at = quads ? 3'(j & 4) : pairs ? 3'(j & 6) : 3'(j);
            strb[j] = hit[at];
            data[8*j +: 8] = j % 4 == 0 ? from0[32*who[at] + 8*sub +: 8]
                           : j % 4 == 1 ? from1[32*who[at] + 8*sub +: 8]
                           : j % 4 == 2 ? from2[32*who[at] + 8*sub +: 8]
                           : from3[32*who[at] + 8*sub +: 8];
          end
        end
      end
      assign bytes[64*b +: 64] = data;
      assign hits[8*b +: 8] = strb;
    end
  endgenerate

  always_comb begin
    {data_o, strb_o} = '0;
    if (en_i)
      for (int j = 0; j < 8; j++)
        for (int k = 0; k < 4; k++) begin
          data_o[32*j + 8*k +: 8] = bytes[64*k + 8*j +: 8];
          strb_o[4*j + k] = hits[8*k + j];
        end
  end
endmodule
`default_nettype wire

// Puts the store data of a group of lanes into their sector.  Where lanes collide the highest wins.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_insert #(
  parameter LANES = 32
) (
  input  wire                  en_i,      // the outputs are 0 without it
  input  wire  [LANES-1:0]     mask_i,
  input  wire  [4:0]           beat_i,
  input  wire                  local_i,   // word word_i of each lane, at the lane's place in local memory
  input  wire  [1:0]           word_i,
  input  wire  [2:0]           lg_i,      // bytes a lane: 1 << lg
  input  wire  [32*LANES-1:0]  addr_i,
  input  wire  [128*LANES-1:0] data_i,    // word w of lane l at 32*LANES*w + 32*l
  output wire  [255:0]         data_o,
  output wire  [31:0]          strb_o
);
  localparam LB = $clog2(LANES);
  logic [31:0] data [0:7];                // the sector's words
  logic [3:0]  strb [0:7];
  logic [2:0]  at;
  logic [31:0] word, bits;
  logic [3:0]  bytes;
  always_comb begin
    for (int j = 0; j < 8; j++) begin
      data[j] = '0;
      strb[j] = '0;
    end
    {at, word, bits, bytes} = '0;
    if (en_i)
      for (int l = 0; l < LANES; l++)
        for (int w = 0; w < 4; w++)
          if (mask_i[l] && (local_i ? word_i == 2'(w)
                                    : w == 0 || lg_i == 3'd4 || (w == 1 && lg_i == 3'd3))) begin
            at = local_i ? 3'((beat_i << LB) | 5'(l)) : addr_i[32*l+2 +: 3] | 3'(w);
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
            data[at] = (data[at] & ~bits) | (word & bits);
            strb[at] = strb[at] | bytes;
          end
  end
  assign data_o = {data[7], data[6], data[5], data[4], data[3], data[2], data[1], data[0]};
  assign strb_o = {strb[7], strb[6], strb[5], strb[4], strb[3], strb[2], strb[1], strb[0]};
endmodule
`default_nettype wire

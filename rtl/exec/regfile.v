// The register file: a memory whose rows hold the pair {R2k+1, R2k} of each lane of a beat,
// addressed by warp, pair and beat.  Read addresses in RR, data in E1; one write a cycle. A
// register reads as zero until it is first written: a valid bit for each warp and register.  The
// first write clears the lanes that it does not write, beat by beat; `first` is remembered from
// beat 0 of the pair, once for the pipeline and once for the LSU, whose beats may alternate.  A
// read, too, looks at the valid bits with its beat 0: an instruction that also writes the
// register (IADD R1, R1, R2) sets them while its later beats still read.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module regfile #(
  parameter WARPS = 32, NREGS = 256, LANES = 32
) (
  input  wire                 clk,
  // a block starts in this warp slot: all its registers are zero
  input  wire                 clear_i,
  input  wire [4:0]           clear_warp_i,
  input  wire                 rd_en_i,
  input  wire [4:0]           rd_warp_i, rd_beat_i,
  input  wire [2:0]           rd_use_i,      // ports in use: c, b, a
  input  wire [6:0]           rd_a_i, rd_b_i, rd_c_i,       // pairs
  output logic [64*LANES-1:0] a_o, b_o, c_o,
  output logic [1:0]          a_valid_o, b_valid_o, c_valid_o,
  input  wire                 wr_en_i,
  input  wire                 wr_lsu_i,
  input  wire [4:0]           wr_warp_i, wr_beat_i,
  input  wire [6:0]           wr_pair_i,
  input  wire [1:0]           wr_half_i,
  input  wire [LANES-1:0]     wr_mask_i,
  input  wire [64*LANES-1:0]  wr_data_i
);
  localparam N  = 32 / LANES;
  localparam BB = LANES == 32 ? 0 : $clog2(N);
  localparam PB = $clog2(NREGS) - 1;
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  localparam AB = WB + PB + BB;
  localparam ENTRIES = 1 << AB;
  logic [NREGS-1:0] valid_q [0:WARPS-1];
  logic [1:0]       first_q [0:1];

  wire [AB-1:0] addr_a, addr_b, addr_c, addr_w;
  generate
    if (BB == 0) begin : g_one
      assign addr_a = {rd_warp_i[WB-1:0], rd_a_i[PB-1:0]};
      assign addr_b = {rd_warp_i[WB-1:0], rd_b_i[PB-1:0]};
      assign addr_c = {rd_warp_i[WB-1:0], rd_c_i[PB-1:0]};
      assign addr_w = {wr_warp_i[WB-1:0], wr_pair_i[PB-1:0]};
    end else begin : g_beats
      assign addr_a = {rd_warp_i[WB-1:0], rd_a_i[PB-1:0], rd_beat_i[BB-1:0]};
      assign addr_b = {rd_warp_i[WB-1:0], rd_b_i[PB-1:0], rd_beat_i[BB-1:0]};
      assign addr_c = {rd_warp_i[WB-1:0], rd_c_i[PB-1:0], rd_beat_i[BB-1:0]};
      assign addr_w = {wr_warp_i[WB-1:0], wr_pair_i[PB-1:0], wr_beat_i[BB-1:0]};
    end
  endgenerate

  wire [NREGS-1:0] valid_w = valid_q[wr_warp_i[WB-1:0]];
  wire [1:0] first = wr_beat_i == 5'd0 ? ~valid_w[{wr_pair_i[PB-1:0], 1'b0} +: 2]
                                       : first_q[wr_lsu_i];
  wire [NREGS-1:0] valid_r = valid_q[rd_warp_i[WB-1:0]];

  // Lanes that are not written keep what they hold: Yosys makes that write enables.
  logic [64*LANES-1:0] row_q [0:ENTRIES-1];
  always @(posedge clk) begin
    if (wr_en_i)                row_q[addr_w] <= written(row_q[addr_w]);
    if (rd_en_i && rd_use_i[0]) a_o <= row_q[addr_a];
    if (rd_en_i && rd_use_i[1]) b_o <= row_q[addr_b];
    if (rd_en_i && rd_use_i[2]) c_o <= row_q[addr_c];
  end
  function automatic [64*LANES-1:0] written(input [64*LANES-1:0] row);
    for (int l = 0; l < LANES; l = l + 1)
      for (int h = 0; h < 2; h = h + 1)
        written[64*l + 32*h +: 32] = wr_half_i[h] && wr_mask_i[l] ? wr_data_i[64*l + 32*h +: 32]
                                   : wr_half_i[h] && first[h] ? 32'd0 : row[64*l + 32*h +: 32];
  endfunction

  always @(posedge clk) begin
    if (rd_en_i && rd_beat_i == 5'd0) begin
      a_valid_o <= valid_r[{rd_a_i[PB-1:0], 1'b0} +: 2] & {2{rd_use_i[0]}};
      b_valid_o <= valid_r[{rd_b_i[PB-1:0], 1'b0} +: 2] & {2{rd_use_i[1]}};
      c_valid_o <= valid_r[{rd_c_i[PB-1:0], 1'b0} +: 2] & {2{rd_use_i[2]}};
    end
    if (wr_en_i) begin
      first_q[wr_lsu_i] <= first;
      if (wr_half_i[0])
        valid_q[wr_warp_i[WB-1:0]][{wr_pair_i[PB-1:0], 1'b0}] <= 1'b1;
      if (wr_half_i[1])
        valid_q[wr_warp_i[WB-1:0]][{wr_pair_i[PB-1:0], 1'b1}] <= 1'b1;
    end
    if (clear_i)
      valid_q[clear_warp_i[WB-1:0]] <= {NREGS{1'b0}};
  end
  wire unused = &{1'b0, rd_warp_i, wr_warp_i, clear_warp_i, rd_beat_i, wr_beat_i,
                  rd_a_i, rd_b_i, rd_c_i, wr_pair_i};
endmodule
`default_nettype wire

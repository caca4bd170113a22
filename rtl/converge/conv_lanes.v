// What the convergence unit keeps for each lane of each warp: where it continues, the number of the
// barrier it waits at and its WARPSYNC mask.  Every write gives one value to a set of lanes.  Also
// the comparators: which lanes continue at a PC.
//
// All lanes of a warp are one row of a memory: Verilator tests a flag in each cycle for every array
// that is written, so an array for each lane costs 32.  A write gives the lanes that it leaves alone
// what they hold, which Yosys turns into write enables.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module conv_lanes #(
  parameter WARPS = 32, PROBE = 1
) (
  input  wire            clk,
  input  wire            en_i,               // comparators are wanted
  input  wire [4:0]      warp_i,
  // writes to lanes put_m_i of warp_i
  input  wire [31:0]     put_m_i,
  input  wire            at_we_i, bar_at_we_i, sync_we_i,
  input  wire [31:0]     at_i,
  input  wire [3:0]      bar_at_i,
  input  wire [31:0]     sync_i,
  // reads
  input  wire [4:0]      lane_i,
  output wire [31:0]     pc_o,               // where lane_i continues
  output wire [31:0]     sync_o,             // its WARPSYNC mask
  input  wire [31:0]     cmp_i,
  output wire [31:0]     same_o,             // lanes that continue at cmp_i
  input  wire [3:0]      numcmp_i,
  output wire [31:0]     num_o,              // lanes whose number is numcmp_i
  output logic [15:0]    present_o,          // numbers of the lanes of blocked_i
  input  wire [31:0]     blocked_i,
  // for the probe, two warps
  input  wire [4:0]      probe_warp_i, pipe_warp_i,
  output wire [1023:0]   probe_at_o, pipe_at_o,
  output wire [127:0]    probe_bar_at_o, pipe_bar_at_o
);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  wire [WB-1:0]  w = warp_i[WB-1:0];
  wire [1023:0]  at, sync;
  wire [127:0]   bar_at;
  logic [1023:0]     at_q     [0:WARPS-1];
  logic [127:0]      bar_at_q [0:WARPS-1];
  logic [1023:0]     sync_q   [0:WARPS-1];
  always @(posedge clk) begin
    if (at_we_i)     at_q[w]     <= words(at_q[w], at_i);
    if (bar_at_we_i) bar_at_q[w] <= numbers(bar_at_q[w], bar_at_i);
    if (sync_we_i)   sync_q[w]   <= words(sync_q[w], sync_i);
  end
  // A row in which lanes put_m_i get a value.
  function automatic [1023:0] words(input [1023:0] row, input [31:0] value);
    for (int i = 0; i < 32; i = i + 1)
      words[32*i +: 32] = put_m_i[i] ? value : row[32*i +: 32];
  endfunction
  function automatic [127:0] numbers(input [127:0] row, input [3:0] value);
    for (int i = 0; i < 32; i = i + 1)
      numbers[4*i +: 4] = put_m_i[i] ? value : row[4*i +: 4];
  endfunction

  genvar l;
  generate
    for (l = 0; l < 32; l = l + 1) begin : g_lane
      assign same_o[l] = en_i && at[32*l +: 32] == cmp_i;
      assign num_o[l]  = bar_at[4*l +: 4] == numcmp_i;
    end
    if (PROBE != 0) begin : g_probe
      assign probe_at_o     = at_q[probe_warp_i[WB-1:0]];
      assign probe_bar_at_o = bar_at_q[probe_warp_i[WB-1:0]];
      assign pipe_at_o      = at_q[pipe_warp_i[WB-1:0]];
      assign pipe_bar_at_o  = bar_at_q[pipe_warp_i[WB-1:0]];
    end else begin : g_none
      assign {probe_at_o, pipe_at_o} = {2048{1'b0}};
      assign {probe_bar_at_o, pipe_bar_at_o} = {256{1'b0}};
    end
  endgenerate
  assign at     = en_i ? at_q[w] : {1024{1'b0}};
  assign bar_at = bar_at_q[w];
  assign sync   = sync_q[w];
  assign pc_o   = at[{lane_i, 5'd0} +: 32];
  assign sync_o = sync[{lane_i, 5'd0} +: 32];
  always_comb begin
    present_o = 16'd0;
    if (en_i && blocked_i != 32'd0)
      for (int i = 0; i < 32; i = i + 1)
        if (blocked_i[i])
          present_o = present_o | 16'd1 << bar_at[4*i +: 4];
  end
  wire unused = &{1'b0, warp_i, probe_warp_i, pipe_warp_i};
endmodule
`default_nettype wire

// What the convergence unit keeps for each lane of each warp: where it continues, the number of the
// barrier it waits at, its WARPSYNC mask, and the age of its set of yielded lanes.  Every write
// gives one value to a set of lanes.  Also the comparators: which lanes continue at a PC.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module conv_lanes #(
  parameter WARPS = 32, TAG = 11, PROBE = 1
) (
  input  wire            clk,
  input  wire            en_i,               // comparators are wanted
  input  wire [4:0]      warp_i,
  // writes to lanes put_m_i of warp_i
  input  wire [31:0]     put_m_i,
  input  wire            at_we_i, bar_at_we_i, sync_we_i, tag_we_i,
  input  wire [31:0]     at_i,
  input  wire [3:0]      bar_at_i,
  input  wire [31:0]     sync_i,
  input  wire [TAG-1:0]  tag_i,
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
  input  wire [TAG-1:0]  tagcmp_i,
  output wire [31:0]     tag_o,              // lanes whose tag is tagcmp_i
  // for the probe, two warps
  input  wire [4:0]      probe_warp_i, pipe_warp_i,
  output wire [1023:0]   probe_at_o, pipe_at_o,
  output wire [127:0]    probe_bar_at_o, pipe_bar_at_o
);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  wire [WB-1:0]  w = warp_i[WB-1:0];
  wire [1023:0]  at, sync;
  wire [127:0]   bar_at;
  genvar l;
  generate
    for (l = 0; l < 32; l = l + 1) begin : g_lane
      logic [31:0]    at_q   [0:WARPS-1];
      logic [3:0]     bar_at_q [0:WARPS-1];
      logic [31:0]    sync_q [0:WARPS-1];
      logic [TAG-1:0] tag_q  [0:WARPS-1];
      wire [31:0] here = !en_i ? 32'd0 : at_q[w];
      assign at[32*l +: 32]   = here;
      assign bar_at[4*l +: 4] = bar_at_q[w];
      assign sync[32*l +: 32] = sync_q[w];
      assign same_o[l] = en_i && here == cmp_i;
      assign num_o[l]  = bar_at_q[w] == numcmp_i;
      assign tag_o[l]  = tag_q[w] == tagcmp_i;
      if (PROBE != 0) begin : g_probe
        assign probe_at_o[32*l +: 32] = at_q[probe_warp_i[WB-1:0]];
        assign probe_bar_at_o[4*l +: 4] = bar_at_q[probe_warp_i[WB-1:0]];
        assign pipe_at_o[32*l +: 32] = at_q[pipe_warp_i[WB-1:0]];
        assign pipe_bar_at_o[4*l +: 4] = bar_at_q[pipe_warp_i[WB-1:0]];
      end else begin : g_none
        assign probe_at_o[32*l +: 32] = 32'd0;
        assign probe_bar_at_o[4*l +: 4] = 4'd0;
        assign pipe_at_o[32*l +: 32] = 32'd0;
        assign pipe_bar_at_o[4*l +: 4] = 4'd0;
      end
      always @(posedge clk) begin
        if (at_we_i && put_m_i[l])     at_q[w]     <= at_i;
        if (bar_at_we_i && put_m_i[l]) bar_at_q[w] <= bar_at_i;
        if (sync_we_i && put_m_i[l])   sync_q[w]   <= sync_i;
        if (tag_we_i && put_m_i[l])    tag_q[w]    <= tag_i;
      end
    end
  endgenerate
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

// What the convergence unit keeps for each lane, as conv_lanes.v has it, in rows of LANES lanes: a
// step reads all rows of its warp one after the other, and then writes them.
//   the row of lane_i | its PC and mask | N rows are compared | the effect is known: N rows are
//   written | go
// N = 32 / LANES.  A step that looks at no lanes begins at the writes, one that writes none goes at
// once.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module conv_lanes_serial #(
  parameter WARPS = 4, LANES = 4, PROBE = 1
) (
  input  wire            clk,
  input  wire            on_i, go_i,         // a step is under way; it ends in this cycle
  input  wire            look_i,             // it looks at lanes, and the inputs of reads are known
  input  wire            write_i,            // those of writes are
  output wire            looked_o, ready_o,  // what it looks at is there; all is written
  input  wire [4:0]      warp_i,
  // writes to lanes put_m_i of warp_i
  input  wire [31:0]     put_m_i,
  input  wire            at_we_i, bar_at_we_i, sync_we_i,
  input  wire [31:0]     at_i,
  input  wire [3:0]      bar_at_i,
  input  wire [31:0]     sync_i,
  // reads: conv_lanes.v
  input  wire [4:0]      lane_i,
  output logic [31:0]    pc_o,
  output logic [31:0]    sync_o,
  input  wire [31:0]     cmp_i,
  output logic [31:0]    same_o,
  input  wire [3:0]      numcmp_i,
  output logic [31:0]    num_o,
  output logic [15:0]    present_o,
  input  wire [31:0]     blocked_i,
  // for the probe, two warps
  input  wire [4:0]      probe_warp_i, pipe_warp_i,
  output wire [1023:0]   probe_at_o, pipe_at_o,
  output wire [127:0]    probe_bar_at_o, pipe_bar_at_o
);
  localparam N  = 32 / LANES;
  localparam NB = $clog2(N), LB = $clog2(LANES);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  wire  [WB-1:0] w = warp_i[WB-1:0];

  // ---- passes ----
  logic [5:0]    at_q;                       // cycles of the pass so far
  logic          looked_q, written_q;
  wire           writes  = at_we_i;            // what else is written is written with a PC
  wire           looking = on_i && look_i && !looked_q;
  wire           writing = on_i && write_i && looked_o && writes && !written_q;
  assign looked_o = !look_i || looked_q;
  assign ready_o  = looked_o && (!writes || written_q);
  always @(posedge clk)
    if (!on_i || go_i)
      {looked_q, written_q, at_q} <= 8'd0;
    else if (looking) begin
      at_q <= at_q + 6'd1;
      if (at_q == 6'(N + 1))
        {looked_q, at_q} <= 7'b1000000;
    end else if (writing) begin
      at_q <= at_q + 6'd1;
      if (at_q == 6'(N - 1))
        {written_q, at_q} <= 7'b1000000;
    end

  // ---- rows ----
  // Read: first the one of lane_i, then each; what is read is there in the cycle after.
  wire  [5:0]    ahead = at_q - 6'd1;
  wire  [NB-1:0] row   = writing ? at_q[NB-1:0] : at_q == 6'd0 ? lane_i[4:LB] : ahead[NB-1:0];
  wire  [5:0]    back  = at_q - 6'd2;
  // the row that is compared, or written
  wire  [NB-1:0] read  = writing ? at_q[NB-1:0] : back[NB-1:0];
  wire  [4:0]    first = 5'(read * LANES[5:0]);
  wire  [LANES-1:0] blocked = blocked_i[first +: LANES], put = put_m_i[first +: LANES];
  wire  [LANES-1:0] same, num;
  wire  [32*LANES-1:0] pcs, syncs;
  wire  [4*LANES-1:0]  nums;
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_lane
      logic [31:0]    at_mem   [0:WARPS*N-1], sync_mem [0:WARPS*N-1];
      logic [3:0]     bar_at_mem [0:WARPS*N-1];
      logic [31:0]    pc_q, sync_q;
      logic [3:0]     num_q;
      wire            we = writing && put[l];
      always @(posedge clk) begin
        pc_q   <= at_mem[{w, row}];
        sync_q <= sync_mem[{w, row}];
        num_q  <= bar_at_mem[{w, row}];
        if (we && at_we_i)     at_mem[{w, row}]     <= at_i;
        if (we && sync_we_i)   sync_mem[{w, row}]   <= sync_i;
        if (we && bar_at_we_i) bar_at_mem[{w, row}] <= bar_at_i;
      end
      assign pcs[32*l +: 32]   = pc_q;
      assign syncs[32*l +: 32] = sync_q;
      assign nums[4*l +: 4]    = num_q;
      assign same[l] = pc_q == cmp_i;
      assign num[l]  = num_q == numcmp_i;
    end
  endgenerate

  // ---- what was read ----
  logic [15:0] found;
  always_comb begin
    found = at_q == 6'd1 ? 16'd0 : present_o;
    if (at_q != 6'd1)
      for (int i = 0; i < LANES; i = i + 1)
        if (blocked[i])
          found = found | 16'd1 << nums[4*i +: 4];
  end
  wire [LB+4:0] which = (LB+5)'({lane_i & 5'(LANES - 1), 5'd0});
  always @(posedge clk)
    if (looking) begin
      if (at_q == 6'd1)
        {pc_o, sync_o} <= {pcs[which +: 32], syncs[which +: 32]};
      if (at_q != 6'd0)
        present_o <= found;
      same_o <= 32'({same, same_o} >> LANES);
      num_o  <= 32'({num, num_o} >> LANES);
    end

  // ---- the probe ----
  generate
    for (l = 0; l < 32; l = l + 1) begin : g_probe
      if (PROBE != 0) begin : g_some
        localparam R = l / LANES, K = l % LANES;
        assign probe_at_o[32*l +: 32]   = g_lane[K].at_mem[{probe_warp_i[WB-1:0], NB'(R)}];
        assign pipe_at_o[32*l +: 32]    = g_lane[K].at_mem[{pipe_warp_i[WB-1:0], NB'(R)}];
        assign probe_bar_at_o[4*l +: 4] = g_lane[K].bar_at_mem[{probe_warp_i[WB-1:0], NB'(R)}];
        assign pipe_bar_at_o[4*l +: 4]  = g_lane[K].bar_at_mem[{pipe_warp_i[WB-1:0], NB'(R)}];
      end else begin : g_none
        assign {probe_at_o[32*l +: 32], pipe_at_o[32*l +: 32]}   = 64'd0;
        assign {probe_bar_at_o[4*l +: 4], pipe_bar_at_o[4*l +: 4]} = 8'd0;
      end
    end
  endgenerate
  wire unused = &{1'b0, warp_i, probe_warp_i, pipe_warp_i, ahead, back};
endmodule
`default_nettype wire

// What the commit record needs of a memory instruction: it only observes, and nothing reads it
// but the probe.  Synthesis has neither.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module lsu_debug #(
  parameter LANES = 32,
  parameter SLOTS = 1,
  parameter SB    = SLOTS > 1 ? $clog2(SLOTS) : 1
) (
  input  wire                 clk,
  input  wire                 take_i,      // a beat of a request comes in
  input  wire  [SB-1:0]       slot_i,
  input  wire                 first_i,
  input  wire                 pass_i,
  input  wire  [4:0]          beat_i,
  input  wire  [LANES-1:0]    mask_i,
  input  wire                 generic_i,
  input  wire  [2:0]          space_i,     // of the lowest lane of the beat
  input  wire [`ADDR_BITS*LANES-1:0] addr_i,
  input  wire  [LANES-1:0]    shared_m_i,
  input  wire  [LANES-1:0]    local_m_i,
  input  wire                 store_i,
  input  wire  [2:0]          lg_i,        // bytes a lane: 1 << lg
  input  wire  [64*LANES-1:0] b_i,
  input  wire                 l_valid_i,   // an atomic of a lane of a beat has acted
  input  wire  [SB-1:0]       l_slot_i,
  input  wire  [4:0]          l_beat_i,
  input  wire  [4:0]          l_lane_i,
  input  wire  [63:0]         l_new_i,
  input  wire                 begins_i,    // a sector is read
  input  wire  [SB-1:0]       begins_slot_i,
  input  wire                 sent_i,      // a sector is written
  input  wire  [SB-1:0]       sent_slot_i,
  // of the instruction in this slot
  input  wire  [SB-1:0]       end_i,
  output wire  [8:0]      reads_o, writes_o,     // sectors that it has read, has written
  output wire  [2:0]      space_o,
  output logic [2047:0]   addr_o,          // 64 bits a lane
  output wire  [4095:0]   wdata_o,
`ifdef COMMIT_PORT
  output wire  [63:0]     addr_sums_o, wdata_sums_o,     // for the digest (rtl/fpga/sums.vh)
`endif
  output wire  [31:0]     shared_m_o,
  output wire  [31:0]     local_m_o
);
  localparam LB = $clog2(LANES);
  logic       space_known_q;
  wire [31:0] keep = lg_i == 3'd0 ? 32'hff : lg_i == 3'd1 ? 32'hffff : 32'hffffffff;
  localparam BEATS = 32 / LANES;
  wire [4:0]  l_lane = (l_beat_i << LB) | l_lane_i;

  logic [32*LANES-1:0] low, high;          // store data of this pass
  always_comb begin
    {low, high} = '0;
    if (take_i && store_i)
      for (int l = 0; l < LANES; l++)
        if (mask_i[l]) begin
          low[32*l +: 32] = b_i[64*l +: 32] & keep;
          if (lg_i > 3'd2) high[32*l +: 32] = b_i[64*l+32 +: 32];
        end
  end

  logic [32*LANES-1:0] lo, up;             // of the addresses of this beat
  always_comb
    for (int l = 0; l < LANES; l++)
      {up[32*l +: 32], lo[32*l +: 32]} = 64'(addr_i[`ADDR_BITS*l +: `ADDR_BITS]);

`ifdef COMMIT_PORT
  // ---- sums of all words ----
  `include "sums.vh"
  localparam [31:0] X_ADDRESS = x_to(2 * LANES);         // addresses have two words a lane
  function automatic [63:0] addr_sums(input [32*LANES-1:0] words, above);
    addr_sums = 64'd0;
    for (int i = 0; i < LANES; i = i + 1)
      addr_sums = {times_x(times_x(addr_sums[63:32]) ^ words[32*i +: 32]) ^ above[32*i +: 32],
                   addr_sums[31:0] ^ words[32*i +: 32] ^ above[32*i +: 32]};
  endfunction
  // What an atomic has written, in one lane.
  function automatic [63:0] atomic_sums(input [63:0] data, input [4:0] lane);
    atomic_sums = sums_both({2{data[31:0]}}, {2{data[63:32]}});
    for (int k = 0; k < 5; k = k + 1)
      if (!lane[k])
        for (int i = 0; i < (1 << k); i = i + 1)
          atomic_sums[63:32] = times_x(atomic_sums[63:32]);
  endfunction
  logic [64*SLOTS-1:0] addr_sums_q, wdata_sums_q;
  logic [SLOTS-1:0]    quad_q;             // four words a lane are stored, else two
  wire  [63:0] wrote  = wdata_sums_q[64*end_i +: 64];
  assign addr_sums_o  = addr_sums_q[64*end_i +: 64];
  assign wdata_sums_o = {quad_q[end_i] ? wrote[63:32] : times(wrote[63:32], X_64), wrote[31:0]};
  wire  [63:0] addr_before = first_i ? 64'd0 : addr_sums_q[64*slot_i +: 64];
  wire  [63:0] named  = addr_sums(lo, up);
  wire  [63:0] kept = sums_before(wdata_sums_q[64*slot_i +: 64], beat_i == 5'd0, pass_i);
  wire  [63:0] stored = sums_both(sums_of(low), sums_of(high));
  wire  [63:0] acted  = atomic_sums(l_new_i, l_lane);
  always_ff @(posedge clk)
    for (int k = 0; k < SLOTS; k++) begin
      if (take_i && slot_i == SB'(k)) begin
        if (!pass_i)
          addr_sums_q[64*k +: 64] <= {times(addr_before[63:32], X_ADDRESS), addr_before[31:0]}
                                     ^ named;
        wdata_sums_q[64*k +: 64] <= kept ^ stored;
        quad_q[k] <= pass_i && store_i;
      end
      if (l_valid_i && l_slot_i == SB'(k))
        wdata_sums_q[64*k +: 64] <= wdata_sums_q[64*k +: 64] ^ acted;
    end
`endif

  logic [2:0]    space_q    [0:SLOTS-1];
  logic [31:0]   shared_m_q [0:SLOTS-1];
  logic [31:0]   local_m_q  [0:SLOTS-1];
  logic [8:0]    reads_q    [0:SLOTS-1];
  logic [8:0]    writes_q   [0:SLOTS-1];
  assign reads_o    = reads_q[end_i];
  assign writes_o   = writes_q[end_i];
  assign space_o    = space_q[end_i];
  assign shared_m_o = shared_m_q[end_i];
  assign local_m_o  = local_m_q[end_i];
  always_ff @(posedge clk) begin
    if (take_i) begin
      if (first_i) begin
        space_q[slot_i] <= '0;
        space_known_q <= 1'b0;
        shared_m_q[slot_i] <= '0;
        local_m_q[slot_i] <= '0;
        reads_q[slot_i]   <= '0;
        writes_q[slot_i]  <= '0;
      end
      if (!pass_i && mask_i != '0 && (first_i || !space_known_q)) begin
        space_q[slot_i] <= space_i;
        space_known_q <= 1'b1;
      end
      for (int k = 0; k < BEATS; k++)
        if (beat_i == 5'(k) && !pass_i && generic_i) begin
          shared_m_q[slot_i][LANES*k +: LANES] <= shared_m_i;
          local_m_q[slot_i][LANES*k +: LANES]  <= local_m_i;
        end
    end
    if (begins_i) reads_q[begins_slot_i] <= reads_q[begins_slot_i] + 1'b1;
    if (sent_i) writes_q[sent_slot_i] <= writes_q[sent_slot_i] + 1'b1;
  end

  // ---- all words ----
`ifdef COMMIT_THIN
  assign addr_o  = '0;
  assign wdata_o = '0;
`else
  logic [1023:0] addr_q     [0:SLOTS-1];   // low words,
  logic [1023:0] upper_q    [0:SLOTS-1];   // and what is above them
  logic [4095:0] wdata_q    [0:SLOTS-1];
  always_comb
    for (int l = 0; l < 32; l++)
      addr_o[64*l +: 64] = {upper_q[end_i][32*l +: 32], addr_q[end_i][32*l +: 32]};
  assign wdata_o    = wdata_q[end_i];
  always_ff @(posedge clk) begin
    if (take_i) begin
      if (first_i)
        wdata_q[slot_i] <= '0;
      for (int k = 0; k < BEATS; k++)
        if (beat_i == 5'(k)) begin
          if (!pass_i) addr_q[slot_i][32*LANES*k +: 32*LANES]  <= lo;
          if (!pass_i) upper_q[slot_i][32*LANES*k +: 32*LANES] <= up;
          if (pass_i) begin
            wdata_q[slot_i][2048 + 32*LANES*k +: 32*LANES] <= low;
            wdata_q[slot_i][3072 + 32*LANES*k +: 32*LANES] <= high;
          end else begin
            wdata_q[slot_i][32*LANES*k +: 32*LANES]        <= low;
            wdata_q[slot_i][1024 + 32*LANES*k +: 32*LANES] <= high;
          end
        end
    end
    if (l_valid_i) begin
      wdata_q[l_slot_i][{2'd0, l_lane, 5'd0} +: 32] <= l_new_i[31:0];
      wdata_q[l_slot_i][{2'd1, l_lane, 5'd0} +: 32] <= l_new_i[63:32];
    end
  end
`endif
endmodule
`default_nettype wire

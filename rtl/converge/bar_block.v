// Block barriers: for each block slot the lanes that live, and for each of its sixteen barriers the
// lanes that wait and how many the last arrival asked for (0: all that live).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module bar_block #(
  parameter WARPS = 32
) (
  input  wire        clk,
  input  wire        start_i,                // a block starts in start_slot_i
  input  wire [4:0]  start_slot_i,
  input  wire [10:0] start_lanes_i,
  input  wire [4:0]  slot_i,
  input  wire        arrive_i, leave_i, release_i,
  input  wire [3:0]  n_i,
  input  wire [5:0]  lanes_i,
  input  wire [31:0] need_i,
  output logic [15:0] complete_o             // of slot_i
);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  logic [10:0]  live_q [0:WARPS-1];
  logic [175:0] wait_q [0:WARPS-1];
  logic [175:0] need_q [0:WARPS-1];
  wire [WB-1:0] s = slot_i[WB-1:0];
  wire [10:0]   live = live_q[s];
  wire [175:0]  waiting = wait_q[s], need = need_q[s];
  // at most 1024 lanes can come
  wire [10:0]   need_new = need_i > 32'd2047 ? 11'd2047 : need_i[10:0];
  always_comb
    for (int n = 0; n < 16; n = n + 1)
      complete_o[n] = waiting[11*n +: 11] != 11'd0
                   && waiting[11*n +: 11] >= (need[11*n +: 11] != 11'd0 ? need[11*n +: 11] : live);
  wire [10:0]   came = waiting[11*n_i +: 11] + {5'd0, lanes_i};
  logic [175:0] waiting_d, need_d;
  always_comb begin
    waiting_d = waiting;
    need_d    = need;
    for (int n = 0; n < 16; n = n + 1)
      if (n_i == 4'(n)) begin
        if (arrive_i) begin
          waiting_d[11*n +: 11] = came;
          need_d[11*n +: 11]    = need_new;
        end
        if (release_i)
          waiting_d[11*n +: 11] = 11'd0;
      end
  end
  always @(posedge clk) begin
    if (arrive_i || release_i) begin
      wait_q[s] <= waiting_d;
      need_q[s] <= need_d;
    end
    if (leave_i)
      live_q[s] <= live - {5'd0, lanes_i};
    if (start_i) begin
      live_q[start_slot_i[WB-1:0]] <= start_lanes_i;
      wait_q[start_slot_i[WB-1:0]] <= 176'd0;
      need_q[start_slot_i[WB-1:0]] <= 176'd0;
    end
  end
  wire unused = &{1'b0, slot_i, start_slot_i};
endmodule
`default_nettype wire

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
  output wire [15:0] complete_o              // of slot_i
);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  logic [10:0] live_q [0:WARPS-1];
  wire [WB-1:0] s = slot_i[WB-1:0];
  wire [10:0]   live = live_q[s];
  // at most 1024 lanes can come
  wire [10:0]   need_new = need_i > 32'd2047 ? 11'd2047 : need_i[10:0];
  // The counts of each barrier are written by arrivals alone: a memory with one port holds them.
  wire [175:0]  waiting;
  logic [10:0]  came;                        // to n_i before
  always_comb begin
    came = 11'd0;
    for (int n = 0; n < 16; n = n + 1)
      if (n_i == 4'(n))
        came = waiting[11*n +: 11];
  end
  genvar n;
  generate
    for (n = 0; n < 16; n = n + 1) begin : g_bar
      logic [10:0] wait_q [0:WARPS-1];
      logic [10:0] need_q [0:WARPS-1];
      logic [WARPS-1:0] some_q;              // some lane waits
      wire [10:0]  need = need_q[s];
      assign waiting[11*n +: 11] = some_q[s] ? wait_q[s] : 11'd0;
      assign complete_o[n] = some_q[s] && wait_q[s] >= (need != 11'd0 ? need : live);
      always @(posedge clk) begin
        if (arrive_i && n_i == n) begin
          wait_q[s] <= came + {5'd0, lanes_i};
          need_q[s] <= need_new;
          some_q[s] <= 1'b1;
        end
        if (release_i && n_i == n)
          some_q[s] <= 1'b0;
        if (start_i)
          some_q[start_slot_i[WB-1:0]] <= 1'b0;
      end
    end
  endgenerate
  always @(posedge clk) begin
    if (leave_i)
      live_q[s] <= live - {5'd0, lanes_i};
    if (start_i)
      live_q[start_slot_i[WB-1:0]] <= start_lanes_i;
  end
  wire unused = &{1'b0, slot_i, start_slot_i};
endmodule
`default_nettype wire

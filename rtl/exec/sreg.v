// Special registers, for the lanes of one beat; combinational in E1, idle when en_i is 0.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "launch.vh"
module sreg #(
  parameter WARPS = 32, LANES = 32
) (
  input  wire         clk,
  input  wire         tid_we_i,
  input  wire [9:0]   tid_thread_i,
  input  wire [29:0]  tid_i,
  input  wire         en_i,
  input  wire [4:0]   num_i,
  input  wire [4:0]   beat_i,
  input  place_t      place_i,               // of the warp
  input  launch_t     launch_i,
  input  wire [2:0]   core_i,
  input  wire [3:0]   cores_i,
  input  wire [63:0]  cycle_i,
  output logic [32*LANES-1:0] o
);
  `include "isa_gen.vh"
  // The thread indices of the lanes of a beat: a row for each beat of each warp.
  localparam N  = 32 / LANES;
  localparam LB = $clog2(LANES);
  localparam TB = WARPS * N > 1 ? $clog2(WARPS * N) : 1;
  wire [4:0] index = place_i.warp;
  wire [9:0] thread = {index, 5'(beat_i << LB)};
  wire [30*LANES-1:0] tids;                  // of the beat's lanes
  wire [TB-1:0] to = tid_thread_i[LB +: TB];
  logic [30*LANES-1:0] tid_q [0:WARPS*N-1];
  assign tids = en_i ? tid_q[thread[LB +: TB]] : {30*LANES{1'b0}};
  always @(posedge clk)
    if (tid_we_i)
      tid_q[to] <= written(tid_q[to]);
  function automatic [30*LANES-1:0] written(input [30*LANES-1:0] row);
    for (int l = 0; l < LANES; l = l + 1)
      written[30*l +: 30] = (tid_thread_i & 10'(LANES - 1)) == 10'(l) ? tid_i : row[30*l +: 30];
  endfunction
  // The clock is read once an instruction, with its first beat.
  logic [63:0] clock_q;
  wire  [63:0] clock = beat_i == 5'd0 ? cycle_i : clock_q;
  always @(posedge clk)
    if (en_i)
      clock_q <= clock;

  logic [31:0] same, eq, lt;                 // of a lane: itself, those below it
  logic [4:0]  lane;
  always_comb begin
    same = 32'd0;
    eq   = 32'd0;
    lt   = 32'd0;
    lane = 5'd0;
    o    = {32*LANES{1'b0}};
    if (en_i) begin
      case (num_i)
        SREG_NTID_X:   same = launch_i.block_x;
        SREG_NTID_Y:   same = launch_i.block_y;
        SREG_NTID_Z:   same = launch_i.block_z;
        SREG_CTAID_X:  same = place_i.ctaid_x;
        SREG_CTAID_Y:  same = place_i.ctaid_y;
        SREG_CTAID_Z:  same = place_i.ctaid_z;
        SREG_NCTAID_X: same = launch_i.grid_x;
        SREG_NCTAID_Y: same = launch_i.grid_y;
        SREG_NCTAID_Z: same = launch_i.grid_z;
        SREG_WARPID:   same = {27'd0, index};
        SREG_NWARPID:  same = launch_i.warps_block;
        SREG_SMID:     same = {29'd0, core_i};
        SREG_NSMID:    same = {28'd0, cores_i};
        SREG_CLOCKLO:  same = clock[31:0];
        SREG_CLOCKHI:  same = clock[63:32];
        default: ;
      endcase
      for (int i = 0; i < LANES; i = i + 1) begin
        lane = 5'(beat_i * LANES[5:0] + i[5:0]);
        eq   = 32'd1 << lane;
        lt   = ~(32'hffff_ffff << lane);     // no subtraction: one is as large as all of this
        case (num_i)
          SREG_TID_X:       o[32*i +: 32] = {22'd0, tids[30*i +: 10]};
          SREG_TID_Y:       o[32*i +: 32] = {22'd0, tids[30*i + 10 +: 10]};
          SREG_TID_Z:       o[32*i +: 32] = {22'd0, tids[30*i + 20 +: 10]};
          SREG_LANEID:      o[32*i +: 32] = {27'd0, lane};
          SREG_LANEMASK_EQ: o[32*i +: 32] = eq;
          SREG_LANEMASK_LT: o[32*i +: 32] = lt;
          SREG_LANEMASK_LE: o[32*i +: 32] = eq | lt;
          SREG_LANEMASK_GT: o[32*i +: 32] = ~(eq | lt);
          SREG_LANEMASK_GE: o[32*i +: 32] = ~lt;
          default:          o[32*i +: 32] = same;
        endcase
      end
    end
  end
  wire unused = &{1'b0, tid_thread_i, place_i, launch_i, thread};
endmodule
`default_nettype wire

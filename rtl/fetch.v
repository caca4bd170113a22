// Fetches instructions into the warps' buffers: one cache access a cycle, warps in turn.
// F0 picks a warp and asks the cache, F1 has the word.  A warp is fetched straight on and stops
// behind an instruction that decode calls control (also one that faults) until the convergence unit
// says where it goes on; what F0 has asked for meanwhile is dropped.  A PC outside .text, and an
// instruction that the bus answered with an error, become entries that fault when they are executed.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module fetch #(
  parameter WARPS = 32, ICACHE_BYTES = 16384, DEPTH = 4
) (
  input  wire         clk, rst_n,
  input  wire         clear_i,
  input  wire         run_i,                 // a grid runs: nothing is fetched otherwise
  output wire         busy_o,                // an answer is on its way
  input  wire [31:0]  code_base_i, code_size_i,
  // the convergence unit: the warp goes on here
  input  wire         go_i,
  input  wire [4:0]   go_warp_i,
  input  wire [31:0]  go_pc_i,
  // buffers: an entry is pushed here, and popped by issue
  output wire         push_o,
  output wire [4:0]   push_warp_o,
  output wire [127:0] push_word_o,
  output wire [31:0]  push_pc_o,
  output wire         push_bad_pc_o, push_bus_o,
  input  wire         push_stop_i,           // it is a control instruction, or it faults
  input  wire         pop_i,
  input  wire [4:0]   pop_warp_i,
  // memory
  output wire         arvalid_o,
  input  wire         arready_i,
  output wire [31:0]  araddr_o,
  input  wire         rvalid_i,
  input  wire [255:0] rdata_i,
  input  wire         rerror_i,
  input  wire         rlast_i
);
  localparam WB = WARPS > 1 ? $clog2(WARPS) : 1;
  logic [31:0]      pc_q [0:WARPS-1];        // next to fetch
  logic [WARPS-1:0] want_q;                  // goes on fetching
  logic [WARPS-1:0] miss_q;                  // waits for a line
  logic [2:0]       count_q [0:WARPS-1];     // entries in the buffer and on their way

  // ---- F0 ----
  logic [WARPS-1:0] can;
  always_comb
    for (int w = 0; w < WARPS; w = w + 1)
      can[w] = run_i && want_q[w] && !miss_q[w] && count_q[w] < 3'(DEPTH);
  logic [WB-1:0] last_q;
  wire  [WB-1:0] f0_warp;
  wire           f0_valid;
  // While a line ends, nobody asks: the answer would be a stale miss, which would fetch it again
  // and, with many warps in step, for ever.
  wire           ending = rvalid_i && rlast_i;
  pick #(.N(WARPS)) u_pick (.request_i(can & {WARPS{!ending}}), .last_i(last_q), .any_o(f0_valid), .which_o(f0_warp));
  wire [31:0] f0_pc = pc_q[f0_warp];

  // ---- F1 ----
  logic          f1_valid_q, f1_bad_q;
  logic [WB-1:0] f1_warp_q;
  logic [31:0]   f1_pc_q;
  wire           hit, filled, bus;
  wire [127:0]   word;
  wire           f1_live = f1_valid_q && want_q[f1_warp_q] && !miss_q[f1_warp_q];
  wire           f1_miss = f1_live && !f1_bad_q && !hit;
  wire           f1_drop = f1_valid_q && !push_o;

  assign push_o        = f1_live && (f1_bad_q || hit);
  assign push_warp_o   = 5'(f1_warp_q);
  assign push_word_o   = f1_bad_q || bus ? 128'd0 : word;
  assign push_pc_o     = f1_pc_q;
  assign push_bad_pc_o = f1_bad_q;
  assign push_bus_o    = bus && !f1_bad_q;

  wire filling;
  assign busy_o = f1_valid_q || filling;
  icache #(.BYTES(ICACHE_BYTES)) u_icache (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .busy_o(filling), .req_i(f0_valid), .addr_i(code_base_i + f0_pc),
    .hit_o(hit), .word_o(word), .error_o(bus), .miss_i(f1_miss), .filled_o(filled), .arvalid_o(arvalid_o),
    .arready_i(arready_i), .araddr_o(araddr_o), .rvalid_i(rvalid_i), .rdata_i(rdata_i),
    .rerror_i(rerror_i), .rlast_i(rlast_i)
  );

  // A miss may find the cache busy with another line: every fill wakes everybody.
  always @(posedge clk) begin
    f1_valid_q <= f0_valid;
    f1_warp_q  <= f0_warp;
    f1_pc_q    <= f0_pc;
    f1_bad_q   <= f0_pc >= code_size_i || f0_pc[3:0] != 4'd0;
    if (f0_valid) begin
      last_q         <= f0_warp;
      pc_q[f0_warp]  <= f0_pc + 32'd16;
    end
    if (filled)
      miss_q <= {WARPS{1'b0}};
    if (f1_miss) begin
      miss_q[f1_warp_q] <= 1'b1;
      pc_q[f1_warp_q]   <= f1_pc_q;
    end
    if (push_o && push_stop_i)
      want_q[f1_warp_q] <= 1'b0;
    if (go_i) begin
      want_q[go_warp_i[WB-1:0]] <= 1'b1;
      pc_q[go_warp_i[WB-1:0]]   <= go_pc_i;
    end
    if (clear_i || !rst_n) begin
      want_q     <= {WARPS{1'b0}};
      miss_q     <= {WARPS{1'b0}};
      f1_valid_q <= 1'b0;
      last_q     <= {WB{1'b0}};
    end
  end
  // Entries in the buffer and in F1.
  always @(posedge clk)
    for (int w = 0; w < WARPS; w = w + 1)
      if (clear_i || !rst_n)
        count_q[w] <= 3'd0;
      else
        count_q[w] <= count_q[w] + 3'(f0_valid && f0_warp == WB'(w))
                                 - 3'(f1_drop && f1_warp_q == WB'(w))
                                 - 3'(pop_i && pop_warp_i == 5'(w));
  wire unused = &{1'b0, go_warp_i};
endmodule
`default_nettype wire

// Fetches instructions into the warps' buffers: one cache access a cycle, warps in turn.
// F0 picks a warp and asks the cache, F1 has the word.  A warp is fetched straight on and stops
// after an instruction that decode calls control (also one that faults) until the convergence unit
// says where it goes on; what F0 has asked for meanwhile is dropped.  A PC outside .text, and an
// instruction that the bus answered with an error, become entries that fault when they are
// executed.  An instruction whose operand the constant cache is to get waits as one that missed.
//
// A line that comes serves the warp that asked for it before another can displace it.  Then those
// that waited ask, from that warp on in turn and before all others: the first of them that misses
// takes the port, so that each has its line after at most WARPS others.  Else warps whose lines
// displace each other could keep one of them from its own for ever.
//
// A group that begins where one has begun lately (targets.v) has its first instruction in the
// buffer a cycle after the convergence unit's step, if F1 has nothing to push in that cycle.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "uop.vh"
`include "axi.vh"
module fetch #(
  parameter WARPS = 32, ICACHE_BYTES = 16384, CONST_BYTES = 2048, TARGETS = 16, DEPTH = 4
) (
  input  wire         clk, rst_n,
  input  wire         clear_i,
  input  wire         run_i,                 // a grid runs: nothing is fetched otherwise
  output wire         busy_o,                // an answer is on its way
  input  wire [31:0]  code_base_i, code_size_i, const_base_i, const_size_i,
  // the convergence unit: the warp goes on here
  input  wire         go_i,
  input  wire [4:0]   go_warp_i,
  input  wire [31:0]  go_pc_i,
  // buffers: an entry is pushed here, and popped by issue
  output fetched_t    push_o,
  input  wire         push_stop_i,           // it is a control instruction, or it faults
  input  wire         push_look_i,           // it pops tokens; never one of targets.v
  input  wire         pop_i,
  input  wire [4:0]   pop_warp_i,
  // operands in the constant cache: read, a cycle later
  input  wire         const_read_i,
  input  wire [127:0] const_word_i,
  input  wire         const_wide_i,
  output wire [63:0]  const_value_o,
  // memory
  output axi_read_t   axi_read_o,
  input  axi_read_answer_t axi_read_i,
  output wire [11:0]  late_o                 // see bound.v: a turn, a line
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
  // While a line ends, no warp asks: the answer would be a stale miss, which would fetch it again
  // and, with many warps in step, for ever.
  wire           ending = axi_read_i.rvalid && axi_read_i.rlast;
  wire           hit, filled, cache_busy;
  wire           line_busy, line_filled;     // of the instruction cache, and of the constant cache,
  wire           const_busy, const_filled;   // which share the port
  logic [WB-1:0] owner_q;                    // whose line is on its way, or came last
  logic [WARPS-1:0] list_q;                  // waited when it came, and has not asked since
  wire           for_owner = run_i && want_q[owner_q] && count_q[owner_q] < 3'(DEPTH);
  wire           turn_any, list_any;
  wire  [WB-1:0] turn, listed;
  pick #(.N(WARPS)) u_pick (.request_i(can), .last_i(last_q), .any_o(turn_any), .which_o(turn));
  pick #(.N(WARPS)) u_list (
    .request_i(list_q & can), .last_i(owner_q), .any_o(list_any), .which_o(listed)
  );
  assign f0_valid = !ending && (filled ? for_owner : list_any || turn_any);
  assign f0_warp  = filled ? owner_q : list_any ? listed : turn;
  wire [WARPS-1:0] f0_is = f0_valid ? {{WARPS-1{1'b0}}, 1'b1} << f0_warp : {WARPS{1'b0}};
  wire [31:0] f0_pc = pc_q[f0_warp];

  // ---- F1 ----
  logic          f1_valid_q, f1_bad_q;
  logic [WB-1:0] f1_warp_q;
  logic [31:0]   f1_pc_q;
  wire           bus;
  wire [127:0]   word;
  wire           f1_live = f1_valid_q && want_q[f1_warp_q] && !miss_q[f1_warp_q];
  wire           here, const_miss;           // its constant is in the cache, is to come there,
  wire           const_bad;                  // cannot, as the bus has answered with an error
  wire           wait_const = hit && !bus && const_miss;
  wire           f1_miss = f1_live && !f1_bad_q && (!hit || wait_const);

  wire           push = f1_live && (f1_bad_q || (hit && !wait_const));
  wire           f1_drop = f1_valid_q && !push;
  // A target, in the cycle of the step.
  logic [WARPS-1:0] first_q;                 // has pushed nothing since its group began
  wire           target_hit, target_constant;
  wire [127:0]   target_word;
  wire           again = go_i && target_hit && !f1_live;
  wire [WB-1:0]  push_warp = f1_live ? f1_warp_q : go_warp_i[WB-1:0];
  generate
    if (TARGETS == 0) begin : g_no_targets
      assign {target_hit, target_constant, target_word} = 130'd0;
      wire unused_targets = &{1'b0, push_look_i, first_q};
    end else begin : g_targets
      targets #(.COUNT(TARGETS)) u_targets (
        .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .pc_i(go_pc_i),
        .hit_o(target_hit), .word_o(target_word), .constant_o(target_constant),
        .put_i(push && first_q[f1_warp_q] && !f1_bad_q && !bus && !const_bad && !push_look_i),
        .put_pc_i(f1_pc_q), .put_word_i(word), .put_constant_i(here)
      );
    end
  endgenerate
  always_comb begin
    push_o.valid    = push || again;
    push_o.warp     = 5'(push_warp);
    push_o.word     = !f1_live ? target_word : f1_bad_q || bus ? 128'd0 : word;
    push_o.pc       = f1_live ? f1_pc_q : go_pc_i;
    push_o.bad_pc   = f1_live && f1_bad_q;
    push_o.bus      = f1_live && bus && !f1_bad_q;
    push_o.constant = f1_live ? here : target_constant;
    push_o.const_bus = f1_live && const_bad;
    push_o.again    = again;
  end

  assign busy_o = f1_valid_q || cache_busy;
  // One line at a time, of either cache.
  axi_read_t        line_read, const_read;
  axi_read_answer_t line_answer, const_answer;
  assign cache_busy = line_busy || const_busy;
  assign filled     = line_filled || const_filled;
  assign axi_read_o = const_busy ? const_read : line_read;
  always_comb begin
    {line_answer, const_answer} = {axi_read_i, axi_read_i};
    line_answer.rvalid  = axi_read_i.rvalid && !const_busy;
    const_answer.rvalid = axi_read_i.rvalid && const_busy;
  end
  icache #(.BYTES(ICACHE_BYTES)) u_icache (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .busy_o(line_busy), .req_i(f0_valid),
    .addr_i(code_base_i + f0_pc), .hit_o(hit), .word_o(word), .error_o(bus),
    .miss_i(f1_miss && !const_busy),
    .filled_o(line_filled), .axi_read_o(line_read), .axi_read_i(line_answer)
  );
  generate
    if (CONST_BYTES == 0) begin : g_no_const
      assign {here, const_miss, const_bad, const_busy, const_filled, const_value_o} = 69'd0;
      assign const_read = {$bits(const_read){1'b0}};
      wire unused_const = &{1'b0, const_answer, const_read_i, const_word_i, const_wide_i,
                            const_base_i, const_size_i};
    end else begin : g_const
      const_cache #(.BYTES(CONST_BYTES)) u_const (
        .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .base_i(const_base_i), .size_i(const_size_i),
        .word_i(word), .here_o(here), .miss_o(const_miss), .bad_o(const_bad),
        .fill_i(f1_miss && hit && !cache_busy), .busy_o(const_busy), .filled_o(const_filled),
        .axi_read_o(const_read), .axi_read_i(const_answer), .read_i(const_read_i),
        .read_word_i(const_word_i), .read_wide_i(const_wide_i), .value_o(const_value_o)
      );
    end
  endgenerate

  // A miss may find the cache busy with another line: every fill wakes all warps.
  always @(posedge clk) begin
    f1_valid_q <= f0_valid;
    f1_warp_q  <= f0_warp;
    f1_pc_q    <= f0_pc;
    f1_bad_q   <= f0_pc >= code_size_i || f0_pc[3:0] != 4'd0;
    if (f0_valid && !filled && !list_any)
      last_q <= f0_warp;
    if (f0_valid)
      pc_q[f0_warp] <= f0_pc + 32'd16;
    if (f1_miss && !cache_busy)
      owner_q <= f1_warp_q;
    list_q <= (list_q | (filled ? miss_q : {WARPS{1'b0}})) & ~f0_is;
    if (filled)
      miss_q <= {WARPS{1'b0}};
    if (f1_miss) begin
      miss_q[f1_warp_q] <= 1'b1;
      pc_q[f1_warp_q]   <= f1_pc_q;
    end
    if (push)
      first_q[f1_warp_q] <= 1'b0;
    if (go_i) begin
      want_q[go_warp_i[WB-1:0]]  <= 1'b1;
      first_q[go_warp_i[WB-1:0]] <= !again;
      pc_q[go_warp_i[WB-1:0]]    <= again ? go_pc_i + 32'd16 : go_pc_i;
    end
    if ((push || again) && push_stop_i)
      want_q[push_warp] <= 1'b0;
    if (clear_i || !rst_n) begin
      want_q     <= {WARPS{1'b0}};
      miss_q     <= {WARPS{1'b0}};
      f1_valid_q <= 1'b0;
      last_q     <= {WB{1'b0}};
      owner_q    <= {WB{1'b0}};
      list_q     <= {WARPS{1'b0}};
    end
  end
  // Entries in the buffer and in F1.
  always @(posedge clk)
    for (int w = 0; w < WARPS; w = w + 1)
      if (clear_i || !rst_n)
        count_q[w] <= 3'd0;
      else
        count_q[w] <= count_q[w] + 3'(f0_valid && f0_warp == WB'(w))
                                 + 3'(again && go_warp_i[WB-1:0] == WB'(w))
                                 - 3'(f1_drop && f1_warp_q == WB'(w))
                                 - 3'(pop_i && pop_warp_i == 5'(w));
  bound #(.N(WARPS), .MAX(4 * WARPS)) u_bound_turn (
    .clk(clk), .rst_n(rst_n && !clear_i), .tick_i(1'b1), .late_o(late_o[5:0]),
    .wait_i(can & ~f0_is)
  );
`ifdef SYNTHESIS
  assign late_o[11:6] = 6'd0;
`else
  logic [WARPS-1:0] missed_q;                // has pushed nothing since it missed
  wire  [WARPS-1:0] f1_is = {{WARPS-1{1'b0}}, 1'b1} << f1_warp_q;
  always @(posedge clk)
    missed_q <= {WARPS{rst_n && !clear_i}}
              & ((missed_q & ~(f1_is & {WARPS{push}})) | (f1_is & {WARPS{f1_miss}}));
  bound #(.N(WARPS), .MAX(4 * WARPS)) u_bound_line (
    .clk(clk), .rst_n(rst_n && !clear_i), .wait_i(missed_q), .tick_i(filled), .late_o(late_o[11:6])
  );
`endif
  wire unused = &{1'b0, go_warp_i};
endmodule
`default_nettype wire

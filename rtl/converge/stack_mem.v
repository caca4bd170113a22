// The stacks of all warps.  The topmost tokens of each lie on chip, in a ring of rows of four; the
// others lie in the warp's spill area, in chunks of one row.  One operation a cycle, on warp_i:
//   push   a push onto a full chip first moves the lowest row into the spill buffer, in the same
//          cycle; so it waits only where that buffer still holds the row before (push_ready_o)
//   pop    of the token that top_o shows; where none is on chip (top_o.has) the unit asks for a fill
// Rows never move within the ring: a chip is full by whole rows at its lower end, because only whole
// rows leave and come there.
//
// Memory (one beat of 32 bytes each way): writes of one ID and reads of another, each answered in
// their order, so that two queues of warps say whose an answer is.  A fill waits until every spill of
// its warp has its answer; a warp that waits for a fill does nothing else, so a later spill cannot
// overtake it.  What is under way when a grid is stopped is still answered, and dropped.
//
// A bus error: the chunk of a spill that was answered with one is lost.  Only the highest lost chunk of a
// warp matters, since chunks come back from the highest on and the first lost one ends the grid.  Tokens
// that come from a lost chunk, or with an error, are broken: the pop of one faults.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "stack.vh"
`include "axi.vh"
module stack_mem #(
  parameter WARPS = 32,
  parameter DEPTH = 16,                      // tokens of a warp that fit on chip: 4 times a power of two
  parameter CHUNK = 16,                      // bits of the number of chunks in a spill area
  parameter QUEUE = 8,                       // spills, and fills, under way at once; a power of two
  parameter PROBE = 1
) (
  input  wire          clk, rst_n,
  input  wire          clear_i,              // a grid starts
  // launch registers
  input  wire [6:0]    depth_i,              // tokens on chip: 4 to DEPTH
  input  wire [31:0]   base_i, size_i,       // multiples of 32
  // the operation
  input  wire [4:0]    warp_i,
  input  wire          empty_i,              // forget the stack: a warp starts
  input  wire          push_i,               // only with push_ready_o, and not with push_full_o
  input  token_t       push_token_i,
  input  wire          pop_i,                // only with top_o.has
  input  wire          fill_i,               // only with neither top_o.has nor top_o.none
  output wire          push_ready_o,
  output wire          push_full_o,          // it needs a spill, and the area has no room
  output top_t         top_o,
  // what a push now spills, or what came for this pop
  output wire          spills_o, filled_o,
  output wire [255:0]  row_o,
  output wire [31:0]   addr_o,
  // another warp's stack
  input  wire [4:0]    look_warp_i,
  input  wire          look_fill_i,
  output looked_t      look_o,
  input  wire [4:0]    count_warp_i, pipe_warp_i,
  output wire [31:0]   count_o, pipe_count_o, // tokens, on chip and in memory, for the probe
  // fills
  output wire [WARPS-1:0] filling_o,         // the warp waits for one
  output fill_t        arrives_o,            // one ends: its highest token will be the top
  output wire          busy_o,               // a spill or a fill has no answer yet, or is wanted
  // bus errors
  input  wire [4:0]    bad_warp_i,           // are another warp's tokens broken, and where did they lie?
  output wire          bad_o,
  output wire [31:0]   bad_addr_o,
  // AXI4, single beats
  output axi_read_t    axi_read_o,
  input  axi_read_answer_t axi_read_i,
  output axi_write_t   axi_write_o,
  input  axi_write_answer_t axi_write_i
);
  localparam WB   = WARPS > 1 ? $clog2(WARPS) : 1;
  localparam ROWS = DEPTH / 4;
  localparam RB   = ROWS > 1 ? $clog2(ROWS) : 1;
  localparam AB   = WARPS * ROWS > 1 ? $clog2(WARPS * ROWS) : 1;
  localparam QB   = $clog2(QUEUE);
  localparam [RB-1:0] WRAP = RB'(ROWS - 1);  // rows are counted modulo ROWS

  function automatic [31:0] area(input [4:0] warp);
    area = base_i + warp[WB-1:0] * size_i;
  endfunction
  function automatic [AB-1:0] at(input [WB-1:0] warp, input [RB-1:0] row);
    at = ROWS > 1 ? AB'({warp, row}) : AB'(warp);
  endfunction

  // ---- a warp's stack ----
  logic [255:0]     row_q   [0:WARPS*ROWS-1];
  logic [RB-1:0]    low_q   [0:WARPS-1];     // the lowest row on chip
  logic [6:0]       chip_q  [0:WARPS-1];     // tokens on chip
  logic [CHUNK-1:0] chunk_q [0:WARPS-1];     // rows in memory
  logic [WARPS-1:0] want_q, filling_q, filled_q;
  logic [WARPS-1:0] broken_q, lost_q;        // the tokens on chip are; some chunk is, the highest of them:
  logic [CHUNK-1:0] lost_chunk_q [0:WARPS-1];

  wire [WB-1:0]    w = warp_i[WB-1:0];
  wire [6:0]       chip = chip_q[w];
  wire [CHUNK-1:0] chunk = chunk_q[w];
  wire [6:0]       last = chip - 7'd1;
  wire [RB-1:0]    low = low_q[w];
  wire [RB-1:0]    top_row = (low + RB'(last[6:2])) & WRAP, push_row = (low + RB'(chip[6:2])) & WRAP;
  wire             full = chip >= depth_i;
  wire             room = {1'b0, chunk} < size_i[CHUNK+5:5] && chunk != {CHUNK{1'b1}};
  assign row_o   = row_q[at(w, low)];
  assign top_o.token  = row_q[at(w, top_row)][{last[1:0], 6'd0} +: 64];
  assign top_o.has    = chip != 7'd0;
  assign top_o.none   = chip == 7'd0 && chunk == {CHUNK{1'b0}};
  assign top_o.last   = chip == 7'd1 && chunk == {CHUNK{1'b0}};
  assign top_o.broken = broken_q[w];
  assign addr_o  = area(warp_i) + 32'({chunk, 5'd0});
  assign filled_o    = filled_q[w];
  assign spills_o    = full;
  assign push_full_o = full && !room;
  // The row that arrives has the write port.
  wire   arrives, put_ready;
  assign push_ready_o = !arrives && (!full || put_ready);

  wire [WB-1:0]    lw = look_warp_i[WB-1:0];
  wire [6:0]       look_chip = chip_q[lw], look_last = look_chip - 7'd1;
  wire [RB-1:0]    look_row = (low_q[lw] + RB'(look_last[6:2])) & WRAP;
  token_t          look_token;
  assign look_token    = row_q[at(lw, look_row)][{look_last[1:0], 6'd0} +: 64];
  assign look_o.kind   = look_token.kind;
  assign look_o.has    = look_chip != 7'd0;
  assign look_o.none   = look_chip == 7'd0 && chunk_q[lw] == {CHUNK{1'b0}};
  assign count_o      = PROBE == 0 ? 32'd0 : 32'({chunk_q[count_warp_i[WB-1:0]], 2'b00}) + 32'(chip_q[count_warp_i[WB-1:0]]);
  assign pipe_count_o = PROBE == 0 ? 32'd0 : 32'({chunk_q[pipe_warp_i[WB-1:0]], 2'b00}) + 32'(chip_q[pipe_warp_i[WB-1:0]]);

  // ---- spills: the row that leaves; whose answers are awaited ----
  logic             put_q, aw_done_q, w_done_q;
  logic [31:0]      put_addr_q;
  logic [255:0]     put_row_q;
  logic [WB-1:0]    b_q [0:QUEUE-1];
  logic [CHUNK-1:0] b_chunk_q [0:QUEUE-1];
  logic [QUEUE-1:0] b_drop_q;                // the warp that spilled is gone
  logic [QB:0]      b_in_q, b_out_q;
  wire  b_full    = b_in_q == {~b_out_q[QB], b_out_q[QB-1:0]};
  wire  put_sent  = put_q && (aw_done_q || axi_write_i.awready) && (w_done_q || axi_write_i.wready);
  assign put_ready = (!put_q || put_sent) && !b_full;
  wire  spill     = push_i && full;
  always_comb begin
    axi_write_o.awvalid = put_q && !aw_done_q;
    axi_write_o.wvalid  = put_q && !w_done_q;
    axi_write_o.awaddr  = `ADDR_BITS'(put_addr_q);
    axi_write_o.wdata   = put_row_q;
    axi_write_o.wstrb   = 32'hffff_ffff;
  end
  // Warps that have a spill under way, where that matters.
  logic [WARPS-1:0] spilling;
  logic [QB-1:0]    k;
  always_comb begin
    spilling = {WARPS{1'b0}};
    k = b_out_q[QB-1:0];
    if (want_q != {WARPS{1'b0}})
      for (int i = 0; i < QUEUE; i = i + 1) begin
        k = b_out_q[QB-1:0] + QB'(i);
        if ((QB+1)'(i) < b_in_q - b_out_q)
          spilling[b_q[k]] = 1'b1;
      end
  end

  // ---- fills: the next one to ask for; the one asked for; whose answers are awaited ----
  logic             get_q;
  logic [WB-1:0]    get_warp_q;
  logic [31:0]      get_addr_q;
  logic [WB-1:0]    r_q [0:QUEUE-1];
  logic [QUEUE-1:0] r_drop_q;
  logic [QB:0]      r_in_q, r_out_q;
  wire              r_full = r_in_q == {~r_out_q[QB], r_out_q[QB-1:0]};
  wire              pick_any;
  wire [WB-1:0]     pick_warp;
  pick #(.N(WARPS)) u_pick (
    .request_i(want_q & ~spilling), .last_i(get_warp_q), .any_o(pick_any), .which_o(pick_warp)
  );
  wire              pick_go = pick_any && (!get_q || axi_read_i.arready) && !r_full && !clear_i;
  wire [WB-1:0]     rw = r_q[r_out_q[QB-1:0]];
  wire [RB-1:0]     r_row = (low_q[rw] - RB'(1)) & WRAP;
  wire [CHUNK-1:0]  pick_chunk = chunk_q[pick_warp] - CHUNK'(1);
  always_comb begin
    axi_read_o.arvalid = get_q;
    axi_read_o.arid    = 4'd0;
    axi_read_o.arlen   = 8'd0;
    axi_read_o.araddr  = `ADDR_BITS'(get_addr_q);
    axi_read_o.rready  = 1'b1;
  end
  assign arrives = axi_read_i.rvalid && !r_drop_q[r_out_q[QB-1:0]];
  wire [CHUNK-1:0]  r_chunk = chunk_q[rw] - CHUNK'(1);
  wire   broken = axi_read_i.rerror || (lost_q[rw] && lost_chunk_q[rw] == r_chunk);
  assign arrives_o.valid  = arrives;
  assign arrives_o.warp   = 5'(rw);
  assign arrives_o.broken = broken;
  token_t           r_top;
  assign r_top            = axi_read_i.rdata[255:192];
  assign arrives_o.kind   = r_top.kind;
  wire [WB-1:0]     dw = bad_warp_i[WB-1:0], bw = b_q[b_out_q[QB-1:0]];
  assign bad_o      = broken_q[dw];
  assign bad_addr_o = area(bad_warp_i) + 32'({chunk_q[dw], 5'd0});
  assign filling_o      = filling_q;
  assign busy_o = put_q || get_q || want_q != {WARPS{1'b0}} || b_in_q != b_out_q || r_in_q != r_out_q;

  // One write port: a row, or a token of it.
  wire [AB-1:0]  write_at = arrives ? at(rw, r_row) : at(w, push_row);
  wire [3:0]     write_m  = arrives ? 4'hf : {3'd0, push_i} << chip[1:0];
  wire [255:0]   write    = arrives ? axi_read_i.rdata : {4{push_token_i}};
  always @(posedge clk)
    for (int t = 0; t < 4; t = t + 1)
      if (write_m[t])
        row_q[write_at][64*t +: 64] <= write[64*t +: 64];

  always @(posedge clk) begin
    if (push_i) begin
      chip_q[w] <= spill ? chip - 7'd3 : chip + 7'd1;
      if (spill) begin
        low_q[w]   <= (low + RB'(1)) & WRAP;
        chunk_q[w] <= chunk + CHUNK'(1);
      end
    end
    if (pop_i) begin
      chip_q[w]   <= last;
      filled_q[w] <= 1'b0;
    end
    if (fill_i) begin
      want_q[w]    <= 1'b1;
      filling_q[w] <= 1'b1;
    end
    if (look_fill_i) begin
      want_q[lw]    <= 1'b1;
      filling_q[lw] <= 1'b1;
    end
    if (pick_go)
      want_q[pick_warp] <= 1'b0;
    if (arrives) begin
      low_q[rw]     <= r_row;
      chip_q[rw]    <= 7'd4;
      chunk_q[rw]   <= r_chunk;
      broken_q[rw]  <= broken;
      filling_q[rw] <= 1'b0;
      filled_q[rw]  <= 1'b1;
    end
    if (axi_write_i.bvalid && axi_write_i.berror && !b_drop_q[b_out_q[QB-1:0]]) begin
      lost_q[bw]       <= 1'b1;
      lost_chunk_q[bw] <= b_chunk_q[b_out_q[QB-1:0]];
    end
    if (empty_i) begin
      lost_q[w]   <= 1'b0;
      broken_q[w] <= 1'b0;
      chip_q[w]   <= 7'd0;
      chunk_q[w]  <= {CHUNK{1'b0}};
      low_q[w]    <= {RB{1'b0}};
      filled_q[w] <= 1'b0;
    end
    if (clear_i || !rst_n) begin
      want_q    <= {WARPS{1'b0}};
      filling_q <= {WARPS{1'b0}};
      broken_q  <= {WARPS{1'b0}};
      lost_q    <= {WARPS{1'b0}};
    end
  end

  always @(posedge clk) begin
    if (put_sent)
      put_q <= 1'b0;
    aw_done_q <= put_q && !put_sent && (aw_done_q || axi_write_i.awready);
    w_done_q  <= put_q && !put_sent && (w_done_q || axi_write_i.wready);
    if (spill) begin
      put_q      <= 1'b1;
      put_addr_q <= addr_o;
      put_row_q  <= row_o;
      b_q[b_in_q[QB-1:0]] <= w;
      b_chunk_q[b_in_q[QB-1:0]] <= chunk;
      b_in_q     <= b_in_q + 1'b1;
    end
    if (axi_write_i.bvalid)
      b_out_q <= b_out_q + 1'b1;
    for (int i = 0; i < QUEUE; i = i + 1)
      if (clear_i || (empty_i && b_q[i] == w))
        b_drop_q[i] <= 1'b1;
      else if (spill && b_in_q[QB-1:0] == QB'(i))
        b_drop_q[i] <= 1'b0;
    if (axi_read_i.arready)
      get_q <= 1'b0;
    if (pick_go) begin
      get_q      <= 1'b1;
      get_warp_q <= pick_warp;
      get_addr_q <= area(5'(pick_warp)) + 32'({pick_chunk, 5'd0});
      r_q[r_in_q[QB-1:0]]      <= pick_warp;
      r_drop_q[r_in_q[QB-1:0]] <= 1'b0;
      r_in_q     <= r_in_q + 1'b1;
    end
    if (axi_read_i.rvalid)
      r_out_q <= r_out_q + 1'b1;
    if (clear_i)
      r_drop_q <= {QUEUE{1'b1}};
    if (!rst_n) begin
      put_q      <= 1'b0;
      get_q      <= 1'b0;
      get_warp_q <= {WB{1'b0}};
      {b_in_q, b_out_q, r_in_q, r_out_q} <= {4*(QB+1){1'b0}};
    end
  end

  wire unused = &{1'b0, warp_i, look_warp_i, count_warp_i, pipe_warp_i, bad_warp_i, size_i, axi_read_i, look_token, r_top};
endmodule
`default_nettype wire

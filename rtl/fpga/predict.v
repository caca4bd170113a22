// Makes a schedule shorter: a rule, the same here and in harness/board/predict.c, expects whose
// instruction retires next, and the board says only who retires against it.
//
//   EXPECTED n  as expected, n + 1 times; from n = 16 on 16 * (n - 14) times, 256 at most
//   COMMIT s    warp slot s against the rule;  LATER, and the three codes that follow it: after 1,
//               2, 3, 4 as expected
//   PLACE s     the next block starts in block slot s
//   CLOCK s     warp slot s reads the clock; a number follows: cycles since the reading before,
//               seven bits a byte, the lowest first; bit 7: there are more
//
// Where a digest is due, its eight bytes follow the commit.  The rule: who retired next when the
// last five were last as they are now, if that was so more than once; else who retired next after
// the last one.  "The last five" is a register of ten bits, which all slots go through.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module predict #(
  parameter ROOM = 512                       // bytes of the queue, a power of two
) (
  input  wire         clk, rst_n,
  input  wire         clear_i,               // a grid begins, of which nothing has been told
  input  wire         flush_i,               // say what is expected before it is many
  // schedule.v's bytes, its digest, what a warp has read
  input  wire         some_i,
  input  wire [7:0]   byte_i,
  output wire         take_o,
  input  wire         sign_i,
  input  wire [63:0]  signature_i,
  output wire         sign_done_o,
  input  wire         read_i,
  input  wire [63:0]  shown_i,
  output wire         read_done_o,
  // the queue
  output wire         pending_o,             // there is more than what is in it
  output logic [9:0]  count_o,
  output wire [7:0]   byte_o,
  input  wire         next_i
);
  `include "told_gen.vh"
  localparam A = $clog2(ROOM) - 1;
  localparam [1:0] R_NONE = 2'd0, R_WAITS = 2'd1, R_NUMBER = 2'd2;
  logic [7:0]  queue_q [0:ROOM-1];
  logic [A:0]  put_q, get_q;
  assign byte_o = queue_q[get_q];

  // ---- the rule: for what the last five were, who came next, and how sure that is; who came next
  // after each slot ----
  logic [6:0]  known_q [0:255];
  logic [4:0]  after_q [0:31];
  logic [9:0]  path_q;
  logic [4:0]  last_q;
  logic [8:0]  wipe_q;                       // what both hold of another grid; until 256
  wire [7:0]   at       = path_q[7:0] ^ {6'd0, path_q[9:8]};
  wire [1:0]   sure     = known_q[at][6:5];
  wire [4:0]   known    = known_q[at][4:0];
  wire [4:0]   expected = sure != 2'd0 ? known : after_q[last_q];
  wire [4:0]   slot     = byte_i[4:0];
  wire [6:0]   learnt   = known == slot ? {sure + 2'(sure != 2'd3), known}
                        : sure != 2'd0 ? {sure - 2'd1, known} : {2'd0, slot};

  // ---- what is put into the queue ----
  logic [8:0]  run_q;                        // commits as expected that are not told
  logic        due_q;                        // a digest comes next; its byte
  logic [2:0]  which_q;
  logic [1:0]  read_q;                       // a reading does: not there yet; its number
  logic [63:0] number_q, before_q;           // the reading before
  wire         commits = byte_i[7:5] == TOLD_COMMIT || byte_i[7:5] == TOLD_LATER;
  wire         last = number_q[63:7] == 57'd0;
  wire         room    = wipe_q[8] && count_o != 10'(ROOM);
  wire [4:0]   many    = run_q[8:4];
  logic        put, take, run, more;         // run: a byte of those expected;  more: one more is
  logic [7:0]  what;
  always_comb begin
    {put, take, run, more} = 4'd0;
    what = byte_i;
    if (room && due_q) begin
      run  = run_q != 9'd0;
      put  = !run && sign_i;
      what = signature_i[{which_q, 3'd0} +: 8];
    end else if (read_q != R_NONE) begin
      put  = room && read_q == R_NUMBER;
      what = {!last, number_q[6:0]};
    end else if (room && some_i && commits) begin
      more = slot == expected && !run_q[8];
      put  = slot != expected && run_q <= 9'd4;
      run  = !more && !put;
      take = !run;
      what = {run_q == 9'd0 ? TOLD_COMMIT : TOLD_LATER - 3'd1 + run_q[2:0], slot};
    end else if (room && some_i) begin
      run  = run_q != 9'd0;
      {put, take} = {2{!run}};
    end else
      run  = room && flush_i && run_q != 9'd0;
    if (run)
      what = {TOLD_EXPECTED, many != 5'd0 ? many + 5'd14 : run_q[4:0] - 5'd1};
  end
  assign take_o      = take;
  assign sign_done_o = room && due_q && put && which_q == 3'd7;
  assign read_done_o = read_q == R_WAITS && read_i;
  assign pending_o   = some_i || run_q != 9'd0 || due_q || read_q != R_NONE;
  wire   learn       = take && commits;
  always @(posedge clk) begin
    if (put || run)
      queue_q[put_q] <= what;
    put_q   <= put_q + (A+1)'(put || run);
    get_q   <= get_q + (A+1)'(next_i);
    count_o <= count_o + 10'(put || run) - 10'(next_i);
    if (more)
      run_q <= run_q + 9'd1;
    else if (run)
      run_q <= many != 5'd0 ? {5'd0, run_q[3:0]} : 9'd0;
    else if (take)
      run_q <= 9'd0;
    if (due_q && put)
      {due_q, which_q} <= {which_q != 3'd7, which_q + 3'd1};
    if (take && byte_i[7:5] == TOLD_CLOCK)
      read_q <= R_WAITS;
    if (read_done_o)
      {read_q, number_q, before_q} <= {R_NUMBER, shown_i - before_q, shown_i};
    if (read_q == R_NUMBER && put)
      {read_q, number_q} <= {last ? R_NONE : R_NUMBER, 7'd0, number_q[63:7]};
    if (learn) begin
      path_q <= {path_q[7:0], 2'd0} ^ {5'd0, slot};
      last_q <= slot;
      due_q  <= byte_i[7:5] == TOLD_LATER;
    end
    if (learn || !wipe_q[8]) begin
      known_q[wipe_q[8] ? at : wipe_q[7:0]]       <= wipe_q[8] ? learnt : 7'd0;
      after_q[wipe_q[8] ? last_q : wipe_q[4:0]] <= wipe_q[8] ? slot : 5'd0;
    end
    wipe_q <= wipe_q + 9'(!wipe_q[8]);
    if (clear_i || !rst_n) begin
      {put_q, get_q, count_o, run_q, due_q, which_q, read_q} <= '0;
      {path_q, last_q, wipe_q, before_q} <= 88'd0;
    end
  end
endmodule
`default_nettype wire

// The schedule of a running grid as bytes, and the core's clock: where the link is full, or a cycle
// has more to tell than one clock takes, the core stands still, so that nothing is lost and nothing
// else changes.
//
// Bytes are those of told.def, in commit order: COMMIT, LATER where a digest is due, PLACE, CLOCK.
//
// A cycle costs no time if it has two bytes at most, a digest that waits to be sent or none, and
// the same of a reading.  In others the core waits, while one step after the other is done: whole
// records (those in the window that the host wants), commits, block and clock.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "commit_port.vh"
module schedule #(
  parameter ROOM = 64                        // bytes of the queue, a power of two
) (
  input  wire         clk, rst_n,
  input  wire         clear_i,               // nothing has been told of a grid
  input  port_t       port_i,
  input  wire [63:0]  from_i, to_i,          // commits whose whole records are sent
  output wire         go_o,                  // the core may have its next clock
  input  wire         went_i,                // it has it at this edge
  // the queue
  output wire         some_o,
  output wire [7:0]   byte_o,
  input  wire         next_i,
  // a record: of the pipeline's port, else of the units'
  output wire         record_o, record_pipe_o,
  input  wire         record_done_i,
  // a digest that waits to be sent; what a warp has read
  output logic        sign_o,
  output logic [63:0] signature_o,
  input  wire         sign_done_i,
  output logic        read_o,
  output logic [63:0] shown_o,
  input  wire         read_done_i,
  output logic        ended_o,               // the grid has
  // clocks that the core had, did not have, since it began
  output logic [31:0] cycles_o, stalls_o
);
  `include "told_gen.vh"
  localparam A = $clog2(ROOM) - 1;
  localparam [2:0] S_PIPE = 3'd0, S_UNIT = 3'd1, S_COMMITS = 3'd2, S_REST = 3'd3, S_DONE = 3'd4;
  // ---- the queue: bytes of even and of odd places, since two may come at once ----
  logic [7:0]  even_q [0:ROOM/2-1], odd_q [0:ROOM/2-1];
  logic [A:0]  put_q, get_q;                 // places
  logic [9:0]  count_q;
  logic        put0, put1;                   // one byte, or two
  logic [7:0]  byte0, byte1;
  wire [A:0]   put_next = put_q + {{A{1'b0}}, 1'b1};
  assign some_o  = count_q != 10'd0;
  assign byte_o  = get_q[0] ? odd_q[get_q[A:1]] : even_q[get_q[A:1]];
  wire   room    = count_q < 10'(ROOM - 16);

  // ---- what the cycle has to tell ----
  logic [2:0]  step_q;
  wire [63:0]  unit_at = port_i.count + {63'd0, port_i.pipe};
  wire         whole_pipe = port_i.pipe && port_i.count >= from_i && port_i.count < to_i;
  wire         whole_unit = port_i.unit && unit_at >= from_i && unit_at < to_i;
  wire         commits = port_i.pipe || port_i.unit, both = port_i.pipe && port_i.unit;
  wire         rest = port_i.place || port_i.clock;
  wire         many = commits && rest && (both || (port_i.place && port_i.clock));
  wire         slow = whole_pipe || whole_unit || many;
  wire         full = (port_i.sign && sign_o) || (port_i.clock && read_o);
  assign go_o = !port_i.busy || (room && !full && (!slow || step_q == S_DONE));
  wire         work = slow && !go_o && room && step_q != S_DONE;
  assign record_o      = work && ((step_q == S_PIPE && whole_pipe) || (step_q == S_UNIT
      && whole_unit));
  assign record_pipe_o = step_q == S_PIPE;
  wire   at_once = port_i.busy && !work && went_i && !slow;
  wire [7:0] clock_byte = {TOLD_CLOCK, port_i.clock_slot};
  wire [7:0] rest_byte  = port_i.place ? {TOLD_PLACE, port_i.place_slot} : clock_byte;
  always_comb begin
    {put0, put1, byte0, byte1} = 18'd0;
    if (at_once || (work && step_q == S_COMMITS)) begin
      put0  = commits;
      put1  = both;
      byte0 = {port_i.sign && (!both || port_i.early) ? TOLD_LATER : TOLD_COMMIT,
               port_i.pipe ? port_i.pipe_slot : port_i.unit_slot};
      byte1 = {port_i.sign && !port_i.early ? TOLD_LATER : TOLD_COMMIT, port_i.unit_slot};
    end
    if ((at_once || (work && step_q == S_REST)) && rest) begin
      if (put0)
        {put1, byte1} = {1'b1, rest_byte};
      else
        {put0, put1, byte0, byte1} = {1'b1, port_i.place && port_i.clock, rest_byte, clock_byte};
    end
  end
  logic run_q;
  always @(posedge clk) begin
    if (went_i)
      step_q <= S_PIPE;
    else if (work && (!record_o || record_done_i))
      step_q <= step_q + 3'd1;
    if (put0 && put_q[0]) odd_q[put_q[A:1]]  <= byte0;
    if (put0 && !put_q[0]) even_q[put_q[A:1]] <= byte0;
    if (put1 && put_next[0]) odd_q[put_next[A:1]]  <= byte1;
    if (put1 && !put_next[0]) even_q[put_next[A:1]] <= byte1;
    put_q   <= put_q + (A+1)'(put0) + (A+1)'(put1);
    get_q   <= get_q + (A+1)'(next_i);
    count_q <= count_q + 10'(put0) + 10'(put1) - 10'(next_i);
    if (sign_done_i)
      sign_o <= 1'b0;
    if (went_i && port_i.busy && port_i.sign)
      {sign_o, signature_o} <= {1'b1, port_i.signature};
    if (read_done_i)
      read_o <= 1'b0;
    if (went_i && port_i.busy && port_i.clock)
      {read_o, shown_o} <= {1'b1, port_i.time_now};
    if (port_i.busy)
      run_q <= 1'b1;
    if (run_q && !port_i.busy)
      {run_q, ended_o} <= 2'b01;
    if (port_i.busy && went_i)
      cycles_o <= cycles_o + 32'd1;
    if (port_i.busy && !went_i)
      stalls_o <= stalls_o + 32'd1;
    if (clear_i || !rst_n) begin
      {put_q, get_q, count_q, step_q, sign_o, read_o, run_q, ended_o} <= '0;
      {cycles_o, stalls_o} <= 64'd0;
    end
  end
  wire unused = &{1'b0, port_i};
endmodule
`default_nettype wire

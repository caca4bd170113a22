// Repeats a schedule: whose turn it is, from the bytes that the host sends.  One instruction is
// under way at a time: the next one has its turn when it has retired, so that commits come in the
// order of the schedule, whatever takes how long.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "commit_port.vh"
module replay (
  input  wire         clk, rst_n,
  input  wire         feed_i,                // a byte, taken if
  input  wire [7:0]   byte_i,
  output wire         fed_o,                 // so
  input  port_t       port_i,
  input  wire         went_i,                // the core has a clock at this edge
  output wire         turn_o, place_o,       // of a warp, of a block
  output wire [4:0]   slot_o,
  output logic [63:0] clock_o                // what a warp reads
);
  `include "told_gen.vh"
  localparam [2:0] R_HEAD = 3'd0, R_CLOCK = 3'd1, R_ISSUE = 3'd2, R_COMMIT = 3'd3, R_PLACE = 3'd4;
  logic [2:0]  state_q;
  logic [7:0]  queue_q [0:63];
  logic [6:0]  put_q, get_q;
  logic [4:0]  slot_q;
  logic [2:0]  at_q;
  wire         some = put_q != get_q;
  wire [7:0]   head = queue_q[get_q[5:0]];
  wire         commits = went_i && (port_i.pipe || port_i.unit);
  assign fed_o   = feed_i && put_q - get_q != 7'd64;
  assign turn_o  = state_q == R_ISSUE;
  assign place_o = state_q == R_PLACE;
  assign slot_o  = slot_q;
  always @(posedge clk) begin
    if (fed_o) begin
      queue_q[put_q[5:0]] <= byte_i;
      put_q <= put_q + 7'd1;
    end
    case (state_q)
      R_HEAD:
        if (some) begin
          get_q   <= get_q + 7'd1;
          slot_q  <= head[4:0];
          at_q    <= 3'd0;
          state_q <= head[7:5] == TOLD_COMMIT ? R_ISSUE
                   : head[7:5] == TOLD_PLACE ? R_PLACE : R_CLOCK;
        end
      R_CLOCK:
        if (some) begin
          get_q <= get_q + 7'd1;
          at_q  <= at_q + 3'd1;
          clock_o[{at_q, 3'd0} +: 8] <= head;
          if (at_q == 3'd7)
            state_q <= R_HEAD;
        end
      R_ISSUE:                               // an unwinding retires without having been issued
        if (commits)
          state_q <= R_HEAD;
        else if (went_i && port_i.issued)
          state_q <= R_COMMIT;
      R_COMMIT:
        if (commits)
          state_q <= R_HEAD;
      default:
        if (went_i && port_i.place)
          state_q <= R_HEAD;
    endcase
    if (!rst_n)
      {state_q, put_q, get_q} <= {R_HEAD, 14'd0};
  end
  wire unused = &{1'b0, port_i};
endmodule
`default_nettype wire

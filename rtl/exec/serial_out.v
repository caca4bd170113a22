// How a unit that takes one instruction at a time hands on its results: when all are there it asks
// for slots (done_o); it has them with take_i, three cycles before its first beat leaves.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module serial_out #(
  parameter BEATS = 1
) (
  input  wire         clk, rst_n,
  input  wire         clear_i,
  input  wire         all_i,                 // the last result comes
  output logic        done_o,                // all results are there and have no slots yet
  input  wire         take_i,
  // as E2 and on
  output logic        valid_o,
  output logic [4:0]  beat_o,
  output wire         last_o
);
  logic [1:0] taken_q;
  assign last_o = beat_o == 5'(BEATS - 1);
  always @(posedge clk) begin
    taken_q <= {taken_q[0], take_i};
    if (all_i)
      done_o <= 1'b1;
    if (take_i)
      done_o <= 1'b0;
    if (valid_o) begin
      beat_o <= beat_o + 5'd1;
      if (last_o)
        valid_o <= 1'b0;
    end
    if (taken_q[1]) begin
      valid_o <= 1'b1;
      beat_o  <= 5'd0;
    end
    if (!rst_n || clear_i) begin
      {done_o, valid_o} <= 2'd0;
      taken_q <= 2'd0;
    end
  end
endmodule
`default_nettype wire

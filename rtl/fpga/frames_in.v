// Frames from the host: A5, type, number, length (two bytes), payload, CRC-32 of all but the first
// byte. A frame stays until it is taken, and no byte is taken meanwhile.  What is damaged is
// dropped; the next A5 begins a frame.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module frames_in #(
  parameter MAX = 48                         // bytes of a payload
) (
  input  wire         clk, rst_n,
  input  wire         rx_valid_i,
  input  wire [7:0]   rx_byte_i,
  output wire         rx_ready_o,
  output logic        valid_o,
  input  wire         take_i,
  output logic        damaged_o,             // a pulse
  output logic [7:0]  type_o, number_o,
  output wire [5:0]   len_o,
  output logic [8*MAX-1:0] payload_o
);
  `include "crc32.vh"
  localparam [2:0] F_SYNC = 3'd0, F_TYPE = 3'd1, F_NUMBER = 3'd2, F_LOW = 3'd3, F_HIGH = 3'd4,
      F_BODY = 3'd5, F_CRC = 3'd6;
  logic [2:0]  state_q;
  logic [5:0]  len_q, at_q;
  logic [31:0] crc_q;
  assign rx_ready_o = !valid_o;
  assign len_o      = len_q;
  wire take = rx_valid_i && rx_ready_o;
  wire [7:0] want = ~crc_q[{at_q[1:0], 3'd0} +: 8];
  always @(posedge clk) begin
    damaged_o <= 1'b0;
    if (take_i)
      valid_o <= 1'b0;
    if (take) begin
      if (state_q != F_CRC)
        crc_q <= crc32(crc_q, rx_byte_i);
      case (state_q)
        F_SYNC: begin
          crc_q <= 32'hffffffff;
          if (rx_byte_i == 8'ha5)
            state_q <= F_TYPE;
        end
        F_TYPE: {type_o, state_q} <= {rx_byte_i, F_NUMBER};
        F_NUMBER: {number_o, state_q} <= {rx_byte_i, F_LOW};
        F_LOW: begin
          {len_q, state_q} <= {rx_byte_i[5:0], F_HIGH};
          if (rx_byte_i > MAX)
            {damaged_o, state_q} <= {1'b1, F_SYNC};
        end
        F_HIGH: begin
          at_q    <= 6'd0;
          state_q <= len_q == 6'd0 ? F_CRC : F_BODY;
          if (rx_byte_i != 8'd0)
            {damaged_o, state_q} <= {1'b1, F_SYNC};
        end
        F_BODY: begin
          payload_o[{at_q, 3'd0} +: 8] <= rx_byte_i;
          at_q <= at_q + 6'd1;
          if (at_q + 6'd1 == len_q)
            {at_q, state_q} <= {6'd0, F_CRC};
        end
        F_CRC: begin
          at_q <= at_q + 6'd1;
          if (rx_byte_i != want)
            {damaged_o, state_q} <= {1'b1, F_SYNC};
          else if (at_q == 6'd3)
            {valid_o, state_q} <= {1'b1, F_SYNC};
        end
        default: state_q <= F_SYNC;
      endcase
    end
    if (!rst_n)
      {state_q, valid_o, damaged_o} <= {F_SYNC, 2'd0};
  end
endmodule
`default_nettype wire

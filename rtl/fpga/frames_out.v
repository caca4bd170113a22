// Frames to the host, as frames_in.v has them; the payload comes byte by byte.  They are numbered,
// so that the host sees when one is lost.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module frames_out (
  input  wire         clk, rst_n,
  input  wire         start_i,               // when idle: a frame of this type, with so many bytes
  input  wire [7:0]   type_i,
  input  wire [15:0]  len_i,
  output wire         idle_o,
  input  wire [7:0]   byte_i,                // the payload's next, while
  output wire         next_o,                // this says that it is taken
  output wire         done_o,                // the frame is through
  output wire         tx_valid_o,
  output logic [7:0]  tx_byte_o,
  input  wire         tx_ready_i
);
  `include "crc32.vh"
  localparam [2:0] F_IDLE = 3'd0, F_SYNC = 3'd1, F_TYPE = 3'd2, F_NUMBER = 3'd3, F_LOW = 3'd4,
      F_HIGH = 3'd5, F_BODY = 3'd6,
                   F_CRC = 3'd7;
  logic [2:0]  state_q;
  logic [7:0]  type_q, number_q;
  logic [15:0] len_q, left_q;
  logic [31:0] crc_q;
  assign idle_o     = state_q == F_IDLE;
  assign tx_valid_o = state_q != F_IDLE;
  wire   sent       = tx_valid_o && tx_ready_i;
  assign next_o     = sent && state_q == F_BODY;
  assign done_o     = sent && state_q == F_CRC && left_q == 16'd3;
  always_comb
    case (state_q)
      F_SYNC:   tx_byte_o = 8'ha5;
      F_TYPE:   tx_byte_o = type_q;
      F_NUMBER: tx_byte_o = number_q;
      F_LOW:    tx_byte_o = len_q[7:0];
      F_HIGH:   tx_byte_o = len_q[15:8];
      F_BODY:   tx_byte_o = byte_i;
      default:  tx_byte_o = ~crc_q[{left_q[1:0], 3'd0} +: 8];
    endcase
  always @(posedge clk) begin
    if (idle_o && start_i) begin
      state_q <= F_SYNC;
      {type_q, len_q} <= {type_i, len_i};
    end
    if (sent) begin
      crc_q  <= state_q == F_SYNC ? 32'hffffffff : state_q == F_CRC ? crc_q : crc32(crc_q,
          tx_byte_o);
      left_q <= state_q == F_HIGH || state_q == F_SYNC ? 16'd0 : left_q + 16'd1;
      case (state_q)
        F_HIGH:  state_q <= len_q == 16'd0 ? F_CRC : F_BODY;
        F_BODY:
          if (left_q + 16'd1 == len_q) begin
            state_q <= F_CRC;
            left_q  <= 16'd0;
          end
        F_CRC:
          if (left_q == 16'd3) begin
            state_q  <= F_IDLE;
            number_q <= number_q + 8'd1;
          end
        default: state_q <= state_q + 3'd1;
      endcase
    end
    if (!rst_n)
      {state_q, number_q} <= {F_IDLE, 8'd0};
  end
endmodule
`default_nettype wire

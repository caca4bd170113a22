// What the host asks of a board, one frame at a time, each answered by one frame with the small
// letter and, first, the number of the one that asked.  Numbers are little endian, addresses and
// counts whole sectors of 32 bytes.
//
//   H               who are you: version, LANES, WARPS, address bits, 1 if it has no whole
//                   records (COMMIT_THIN), 0, 0, hashes of ISA and record
//   R level         the core's rst_n
//   C offset value  writes a register of the launch port (csr.def);  Q offset  reads one
//   P n from to r   a digest every n commits; whole records of the commits [from, to); nothing told
//                   so far; r 1:
//                   a schedule is repeated
//   W address data  writes a sector;  D address  reads one
//   Z address n     n sectors of zeros;  M address n  the CRC-32 of n sectors
//   B bytes         the schedule that the core repeats, as schedule.v has it, a clock just before
//                   who read it;
//                   answered when the board has room for it
//   (a damaged frame)  N
// Several accesses to memory are under way, all with one ID, so their answers come in order.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module loader #(
  parameter LANES = 4, WARPS = 32
) (
  input  wire         clk, rst_n,
  // the host's frame
  input  wire         valid_i, damaged_i,
  input  wire [7:0]   type_i, number_i,
  input  wire [5:0]   len_i,
  input  wire [383:0] payload_i,
  output wire         take_o,
  // the answer: its payload's first byte is lowest
  output wire         answer_o,
  output logic [7:0]  answer_type_o,
  output logic [5:0]  answer_len_o,
  output logic [263:0] answer_payload_o,
  input  wire         answered_i,
  // the core, and what is said of it
  output logic        core_rst_n_o, clear_o,
  output logic [15:0] every_o,
  output logic [63:0] from_o, to_o,
  output logic        replay_o,
  output wire         feed_o,                // a byte of the schedule, if
  output wire [7:0]   feed_byte_o,
  input  wire         fed_i,                 // there is room
  output logic        csr_write_o, csr_read_o,         // until csr_done_i
  output logic [11:0] csr_addr_o,
  output logic [31:0] csr_data_o,
  input  wire         csr_done_i,
  input  wire [31:0]  csr_data_i,
  // memory: a sector at a time
  output wire         mem_o,                 // the port is the loader's
  output wire         arvalid_o, awvalid_o, wvalid_o, rready_o,
  output logic [`ADDR_BITS-1:0] addr_o,
  output wire [255:0] wdata_o,
  input  wire         arready_i, awready_i, wready_i, rvalid_i, bvalid_i,
  input  wire [255:0] rdata_i
);
  `include "crc32.vh"
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  localparam [7:0] VERSION = 8'd3;
`ifdef COMMIT_THIN
  localparam [23:0] THIN = 24'd1;
`else
  localparam [23:0] THIN = 24'd0;
`endif
  localparam [2:0] L_IDLE = 3'd0, L_CSR = 3'd1, L_MEMORY = 3'd2, L_END = 3'd3, L_ANSWER = 3'd4,
      L_FEED = 3'd5;
  localparam [3:0] AHEAD = 4'd8;             // accesses under way
  logic [2:0]   state_q;
  logic         aw_q, w_q;                   // what memory has taken of a write
  logic [31:0]  ask_q, left_q, crc_q;        // sectors that are not asked for, have no answer
  logic [3:0]   way_q;                       // those in between
  logic [255:0] data_q;
  logic [2:0]   sum_q;                       // words of eight bytes to be summed
  logic         bad_q;
  logic [5:0]   feed_q;                      // the next byte
  logic [19:0]  full_q;                      // how long there has been no room: not for ever
  wire          zeros = type_i == "Z", sum = type_i == "M", writes = zeros || type_i == "W";
  wire          more  = state_q == L_MEMORY && ask_q != 32'd0 && way_q != AHEAD;
  assign feed_o      = state_q == L_FEED;
  assign feed_byte_o = payload_i[{feed_q, 3'd0} +: 8];
  assign take_o    = state_q == L_ANSWER && answered_i && !bad_q;
  assign answer_o  = state_q == L_ANSWER;
  assign mem_o     = state_q == L_MEMORY;
  assign awvalid_o = more && writes && !aw_q;
  assign wvalid_o  = more && writes && !w_q;
  assign arvalid_o = more && !writes;
  assign rready_o  = state_q == L_MEMORY && sum_q == 3'd0;
  assign wdata_o   = zeros ? 256'd0 : payload_i[64 +: 256];
  wire          asked = writes ? (aw_q || (awvalid_o && awready_i)) && (w_q || (wvalid_o
      && wready_i)) : arvalid_o && arready_i;
  wire          given = writes ? bvalid_i : rvalid_i && rready_o;
  function automatic [31:0] crc64(input [31:0] crc, input [63:0] data);
    crc64 = crc;
    for (int i = 0; i < 8; i = i + 1)
      crc64 = crc32(crc64, data[8*i +: 8]);
  endfunction
  always @(posedge clk) begin
    clear_o <= 1'b0;
    case (state_q)
      L_IDLE: begin
        answer_payload_o <= {256'd0, number_i};
        answer_type_o    <= type_i | 8'h20;
        answer_len_o     <= 6'd1;
        addr_o           <= payload_i[`ADDR_BITS-1:0];
        left_q           <= zeros || sum ? payload_i[64 +: 32] : 32'd1;
        crc_q            <= 32'hffffffff;
        ask_q            <= zeros || sum ? payload_i[64 +: 32] : 32'd1;
        {aw_q, w_q, way_q, sum_q, bad_q, feed_q, full_q} <= '0;
        csr_addr_o       <= payload_i[11:0];
        csr_data_o       <= payload_i[16 +: 32];
        if (damaged_i) begin
          {bad_q, state_q, answer_type_o} <= {1'b1, L_ANSWER, 8'h4e};
        end else if (valid_i)
          case (type_i)
            "H": begin
              state_q      <= L_ANSWER;
              answer_len_o <= 6'd16;
              answer_payload_o[127:8] <= {RECORD_TABLE, ISA_HASH[31:0], THIN, 8'd`ADDR_BITS,
                  8'(WARPS), 8'(LANES), VERSION};
            end
            "R": {core_rst_n_o, state_q} <= {payload_i[0], L_ANSWER};
            "P": begin
              every_o <= payload_i[15:0];
              {to_o, from_o} <= THIN[0] ? 128'd0 : payload_i[16 +: 128];
              replay_o <= payload_i[144];
              {clear_o, state_q} <= {1'b1, L_ANSWER};
            end
            "B": state_q <= L_FEED;
            "C": {csr_write_o, state_q} <= {1'b1, L_CSR};
            "Q": {csr_read_o, state_q} <= {1'b1, L_CSR};
            "W", "Z", "D", "M": state_q <= L_MEMORY;
            default: {state_q, answer_type_o} <= {L_ANSWER, 8'h4e};
          endcase
      end
      L_CSR:
        if (csr_done_i) begin
          {csr_write_o, csr_read_o, state_q} <= {2'd0, L_ANSWER};
          if (csr_read_o)
            {answer_len_o, answer_payload_o[39:8]} <= {6'd5, csr_data_i};
        end
      L_MEMORY: begin
        if (awvalid_o && awready_i) aw_q <= 1'b1;
        if (wvalid_o && wready_i) w_q <= 1'b1;
        if (more && asked) begin
          {aw_q, w_q} <= 2'd0;
          addr_o <= addr_o + `ADDR_BITS'd32;
          ask_q  <= ask_q - 32'd1;
        end
        way_q <= way_q + 4'(more && asked) - 4'(given);
        if (given)
          {left_q, data_q, sum_q} <= {left_q - 32'd1, rdata_i, sum ? 3'd4 : 3'd0};
        if (sum_q != 3'd0)
          {sum_q, crc_q, data_q} <= {sum_q - 3'd1, crc64(crc_q, data_q[63:0]), data_q >> 64};
        if (left_q == 32'd0 && sum_q == 3'd0)
          state_q <= L_END;
      end
      L_FEED: begin
        feed_q <= feed_q + 6'(fed_i);
        full_q <= fed_i ? 20'd0 : full_q + 20'd1;
        if ((fed_i && feed_q + 6'd1 == len_i) || len_i == 6'd0 || full_q == 20'hfffff)
          state_q <= L_ANSWER;
      end
      L_END: begin
        state_q <= L_ANSWER;
        if (sum)
          {answer_len_o, answer_payload_o[39:8]} <= {6'd5, ~crc_q};
        if (type_i == "D")
          {answer_len_o, answer_payload_o[263:8]} <= {6'd33, data_q};
      end
      default:
        if (answered_i)
          state_q <= L_IDLE;
    endcase
    if (!rst_n) begin
      {state_q, core_rst_n_o, clear_o, csr_write_o, csr_read_o, bad_q} <= '0;
      every_o <= 16'd256;
      {from_o, to_o, replay_o} <= 129'd0;
    end
  end
  wire unused = &{1'b0, payload_i, ISA_HASH};
endmodule
`default_nettype wire

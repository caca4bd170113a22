// A board without its core: the host loads memory, reads it and asks for its checksums, and nothing
// runs.  In the place of board.v, to try a board's line and memory, and the tools, first.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module board #(
  parameter LANES = 4, WARPS = 4, NREGS = 64, SHARED_BYTES = 16384, ICACHE_BYTES = 4096,
            CONST_BYTES = 0, TARGETS = 0, BARRIER_MODE = 1, STACK_DEPTH = 0, F64_LANES = 0,
            FLOAT_LANES = 1, SFU = 1, MATCH_SERIAL = 1, CONV_QUEUE = 1, CONV_LANES = 1, TRACK = 0,
            LSU_SLOTS = 1, RANGE_SERIAL = 1
) (
  input  wire         clk, rst_n, rx_valid_i, tx_ready_i,
  input  wire [7:0]   rx_byte_i,
  output wire         rx_ready_o, tx_valid_o, stands_o,
  output wire [7:0]   tx_byte_o,
  output wire         m_axi_arvalid, m_axi_rready, m_axi_awvalid, m_axi_wvalid, m_axi_wlast,
  output wire         m_axi_bready,
  input  wire         m_axi_arready, m_axi_rvalid, m_axi_rlast, m_axi_awready, m_axi_wready,
  input  wire         m_axi_bvalid,
  output wire [4:0]   m_axi_arid, m_axi_awid,
  output wire [`ADDR_BITS-1:0] m_axi_araddr, m_axi_awaddr,
  output wire [7:0]   m_axi_arlen, m_axi_awlen,
  output wire [2:0]   m_axi_arsize, m_axi_awsize,
  output wire [1:0]   m_axi_arburst, m_axi_awburst,
  output wire [31:0]  m_axi_wstrb,
  output wire [255:0] m_axi_wdata,
  input  wire [4:0]   m_axi_rid, m_axi_bid,
  input  wire [255:0] m_axi_rdata,
  input  wire [1:0]   m_axi_rresp, m_axi_bresp
);
  wire         in_valid, in_damaged, in_take, answer, idle, next, done, csr_write, csr_read, mem;
  wire [7:0]   in_type, in_number, answer_type;
  wire [5:0]   in_len, answer_len;
  wire [383:0] in_payload;
  wire [263:0] payload;
  logic        damaged_q;                    // until it is answered
  logic [263:0] shift_q;
  frames_in #(.MAX(48)) u_in (
    .clk(clk), .rst_n(rst_n), .rx_valid_i(rx_valid_i), .rx_byte_i(rx_byte_i),
    .rx_ready_o(rx_ready_o), .valid_o(in_valid), .take_i(in_take), .damaged_o(in_damaged),
    .type_o(in_type), .number_o(in_number), .len_o(in_len), .payload_o(in_payload)
  );
  /* verilator lint_off PINCONNECTEMPTY */
  loader #(.LANES(LANES), .WARPS(WARPS)) u_loader (
    .clk(clk), .rst_n(rst_n), .valid_i(in_valid), .damaged_i(damaged_q), .type_i(in_type),
    .number_i(in_number), .len_i(in_len), .payload_i(in_payload), .take_o(in_take),
    .answer_o(answer), .answer_type_o(answer_type), .answer_len_o(answer_len),
    .answer_payload_o(payload), .answered_i(idle && answer), .core_rst_n_o(), .clear_o(),
    .every_o(), .from_o(), .to_o(), .replay_o(), .feed_o(), .feed_byte_o(), .fed_i(1'b1),
    .csr_write_o(csr_write), .csr_read_o(csr_read), .csr_addr_o(), .csr_data_o(),
    .csr_done_i(csr_write || csr_read), .csr_data_i(32'd0), .mem_o(mem),
    .arvalid_o(m_axi_arvalid), .awvalid_o(m_axi_awvalid), .wvalid_o(m_axi_wvalid),
    .rready_o(m_axi_rready), .addr_o(m_axi_araddr), .wdata_o(m_axi_wdata),
    .arready_i(m_axi_arready), .awready_i(m_axi_awready), .wready_i(m_axi_wready),
    .rvalid_i(m_axi_rvalid), .bvalid_i(m_axi_bvalid), .rdata_i(m_axi_rdata)
  );
  /* verilator lint_on PINCONNECTEMPTY */
  frames_out u_out (
    .clk(clk), .rst_n(rst_n), .start_i(answer), .type_i(answer_type), .len_i({10'd0, answer_len}),
    .idle_o(idle), .byte_i(shift_q[7:0]), .next_o(next), .done_o(done), .tx_valid_o(tx_valid_o),
    .tx_byte_o(tx_byte_o), .tx_ready_i(tx_ready_i)
  );
  always @(posedge clk) begin
    if (idle && answer)
      shift_q <= payload;
    else if (next)
      shift_q <= shift_q >> 8;
    if (in_damaged)
      damaged_q <= 1'b1;
    else if (!rst_n || (idle && answer && answer_type == 8'h4e))
      damaged_q <= 1'b0;
  end
  // Its clock is as the core's, which may be stopped: here it never is.
  wire gated;
  logic beat_q;
  clock_gate u_gate (.clk(clk), .on_i(rst_n), .on_o(), .clk_o(gated));
  always @(posedge gated)
    beat_q <= !beat_q;
  assign stands_o = beat_q;
  assign {m_axi_arid, m_axi_awid, m_axi_arlen, m_axi_awlen} = '0;
  assign {m_axi_arsize, m_axi_arburst, m_axi_awsize, m_axi_awburst} = {3'd5, 2'd1, 3'd5, 2'd1};
  assign {m_axi_wlast, m_axi_bready} = 2'd3;
  assign {m_axi_awaddr, m_axi_wstrb} = {m_axi_araddr, 32'hffffffff};
  wire unused = &{1'b0, m_axi_rlast, m_axi_rid, m_axi_bid, m_axi_rresp, m_axi_bresp, done, mem};
endmodule
`default_nettype wire

// Top level of a board: the core, its commit port, the loader and the link, which is a stream of
// bytes each way (a UART's side, or a FIFO's).  Memory is outside, behind AXI4, and need not stand
// still when the core does.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
`include "commit_port.vh"
module board #(
  parameter LANES = 4, WARPS = 32, NREGS = 256, SHARED_BYTES = 65536, ICACHE_BYTES = 16384,
      CONST_BYTES = 2048,
            TARGETS = 16, BARRIER_MODE = 1, STACK_DEPTH = 16, F64_LANES = 1, FLOAT_LANES = 32,
                SFU = 1, MATCH_SERIAL = 0,
            CONV_QUEUE = 4, CONV_LANES = 32, TRACK = 1, LSU_SLOTS = 16, RANGE_SERIAL = 0
) (
  input  wire         clk, rst_n,
  // the link
  input  wire         rx_valid_i,
  input  wire [7:0]   rx_byte_i,
  output wire         rx_ready_o,
  output wire         tx_valid_o,
  output wire [7:0]   tx_byte_o,
  input  wire         tx_ready_i,
  output wire         stands_o,              // the core does, for the link
  // memory
  output wire         m_axi_arvalid,
  input  wire         m_axi_arready,
  output wire [4:0]   m_axi_arid,
  output wire [`ADDR_BITS-1:0] m_axi_araddr,
  output wire [7:0]   m_axi_arlen,
  output wire [2:0]   m_axi_arsize,
  output wire [1:0]   m_axi_arburst,
  input  wire         m_axi_rvalid, m_axi_rlast,
  output wire         m_axi_rready,
  input  wire [4:0]   m_axi_rid,
  input  wire [255:0] m_axi_rdata,
  input  wire [1:0]   m_axi_rresp,
  output wire         m_axi_awvalid, m_axi_wvalid, m_axi_wlast, m_axi_bready,
  input  wire         m_axi_awready, m_axi_wready, m_axi_bvalid,
  output wire [4:0]   m_axi_awid,
  output wire [`ADDR_BITS-1:0] m_axi_awaddr,
  output wire [31:0]  m_axi_wstrb,
  output wire [7:0]   m_axi_awlen,
  output wire [2:0]   m_axi_awsize,
  output wire [1:0]   m_axi_awburst,
  output wire [255:0] m_axi_wdata,
  input  wire [4:0]   m_axi_bid,
  input  wire [1:0]   m_axi_bresp
);
  `include "codes_gen.vh"
  // ---- the link ----
  wire         in_valid, in_damaged, in_take;
  wire [7:0]   in_type, in_number;
  wire [5:0]   in_len;
  wire [383:0] in_payload;
  frames_in #(.MAX(48)) u_in (
    .clk(clk), .rst_n(rst_n), .rx_valid_i(rx_valid_i), .rx_byte_i(rx_byte_i),
        .rx_ready_o(rx_ready_o),
    .valid_o(in_valid), .take_i(in_take), .damaged_o(in_damaged), .type_o(in_type),
        .number_o(in_number),
    .len_o(in_len), .payload_o(in_payload)
  );
  logic        damaged_q;                    // until it is answered
  wire         out_idle, out_next, out_done;
  // What is sent: F a record, S the schedule, E the end, and answers.
  localparam [1:0] W_RECORD = 2'd0, W_SCHEDULE = 2'd1, W_END = 2'd2, W_ANSWER = 2'd3;
  logic [1:0]  who_q, who;
  logic        any;
  logic [7:0]  what;
  logic [15:0] length;
  // payload of a short frame, or the head of a schedule's
  logic [263:0] shift_q;
  logic [2:0]  head_q;                       // bytes of it left, there
  logic [15:0] flush_q;
  logic        told_q;                       // the end
  logic [1:0]  in_word_q;
  logic [8:0]  at_q;

  // ---- the core ----
  wire         core_rst_n, clear, go, went, core_clk;
  wire [15:0]  every;
  wire [63:0]  from, to;
  port_t       port;
  port_ask_t   ask;
  wire         replay, feed, fed, turn, turn_block;
  wire [7:0]   feed_byte;
  wire [4:0]   turn_slot;
  wire [63:0]  turn_clock;
  replay u_replay (
    .clk(clk), .rst_n(rst_n && core_rst_n && !clear), .feed_i(feed), .byte_i(feed_byte),
        .fed_o(fed), .port_i(port), .went_i(went),
    .turn_o(turn), .place_o(turn_block), .slot_o(turn_slot), .clock_o(turn_clock)
  );
  assign ask = {replay, turn, turn_block, turn_slot, turn_clock, every, at_q};
  clock_gate u_gate (.clk(clk), .on_i(go || !core_rst_n), .on_o(went), .clk_o(core_clk));
  assign stands_o = !went;
  wire         csr_write, csr_read, csr_awready, csr_wready, csr_arready, csr_bvalid, csr_rvalid;
  logic        csr_aw_q, csr_w_q, csr_ar_q;
  wire [11:0]  csr_addr;
  wire [31:0]  csr_data, csr_rdata;
  wire         csr_done = went && (csr_bvalid || csr_rvalid);
  always @(posedge clk) begin
    if (went && csr_write && csr_awready) csr_aw_q <= 1'b1;
    if (went && csr_write && csr_wready) csr_w_q <= 1'b1;
    if (went && csr_read && csr_arready) csr_ar_q <= 1'b1;
    if (!rst_n || !(csr_write || csr_read) || csr_done)
      {csr_aw_q, csr_w_q, csr_ar_q} <= 3'd0;
  end
  wire         c_arvalid, c_rready, c_awvalid, c_wvalid, c_bready;
  wire [`ADDR_BITS-1:0] c_araddr, c_awaddr;
  wire [7:0]   c_arlen;
  wire [4:0]   c_arid, c_awid;
  wire [255:0] c_wdata;
  wire [31:0]  c_wstrb;
  wire         mem, l_arvalid, l_awvalid, l_wvalid, l_rready;
  wire [`ADDR_BITS-1:0] l_addr;
  wire [255:0] l_wdata;
  /* verilator lint_off PINCONNECTEMPTY */
  simt_core #(.LANES(LANES), .WARPS(WARPS), .NREGS(NREGS), .SHARED_BYTES(SHARED_BYTES),
      .ICACHE_BYTES(ICACHE_BYTES),
      .CONST_BYTES(CONST_BYTES), .TARGETS(TARGETS), .BARRIER_MODE(BARRIER_MODE),
          .STACK_DEPTH(STACK_DEPTH),
      .F64_LANES(F64_LANES), .FLOAT_LANES(FLOAT_LANES), .SFU(SFU), .MATCH_SERIAL(MATCH_SERIAL),
          .CONV_QUEUE(CONV_QUEUE),
      .CONV_LANES(CONV_LANES), .TRACK(TRACK), .LSU_SLOTS(LSU_SLOTS),
          .RANGE_SERIAL(RANGE_SERIAL)) u_core (
    .clk(core_clk), .rst_n(core_rst_n), .port_i(ask), .port_o(port),
    .core_i(3'd0), .cores_i(4'd1), .block_give_i(1'b1), .block_skip_i(1'b0), .lock_i(1'b1),
        .stop_i(1'b0), .block_ask_o(),
    .block_placing_o(), .block_done_o(), .lock_o(), .halted_o(),
    .s_axil_awvalid(csr_write && !csr_aw_q), .s_axil_wvalid(csr_write && !csr_w_q),
        .s_axil_arvalid(csr_read && !csr_ar_q),
    .s_axil_bready(csr_write), .s_axil_rready(csr_read), .s_axil_awready(csr_awready),
        .s_axil_wready(csr_wready),
    .s_axil_arready(csr_arready), .s_axil_bvalid(csr_bvalid), .s_axil_rvalid(csr_rvalid),
        .s_axil_awaddr(csr_addr),
    .s_axil_araddr(csr_addr), .s_axil_wdata(csr_data), .s_axil_wstrb(4'hf), .s_axil_bresp(),
        .s_axil_rresp(),
    .s_axil_rdata(csr_rdata),
    .m_axi_arvalid(c_arvalid), .m_axi_arready(m_axi_arready && !mem), .m_axi_arid(c_arid),
        .m_axi_araddr(c_araddr),
    .m_axi_arlen(c_arlen), .m_axi_arsize(), .m_axi_arburst(), .m_axi_rvalid(m_axi_rvalid
        && !mem), .m_axi_rlast(m_axi_rlast),
    .m_axi_rready(c_rready), .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata),
        .m_axi_rresp(m_axi_rresp),
    .m_axi_awvalid(c_awvalid), .m_axi_wvalid(c_wvalid), .m_axi_wlast(), .m_axi_bready(c_bready),
    .m_axi_awready(m_axi_awready && !mem), .m_axi_wready(m_axi_wready && !mem),
        .m_axi_bvalid(m_axi_bvalid && !mem),
    .m_axi_awid(c_awid), .m_axi_awaddr(c_awaddr), .m_axi_wstrb(c_wstrb), .m_axi_awlen(),
        .m_axi_awsize(),
    .m_axi_awburst(), .m_axi_wdata(c_wdata), .m_axi_bid(m_axi_bid), .m_axi_bresp(m_axi_bresp)
  );
  /* verilator lint_on PINCONNECTEMPTY */
  // Memory has taken, or given, only what the core sees at its next clock.
  assign m_axi_arvalid = mem ? l_arvalid : c_arvalid && went;
  assign m_axi_arid    = mem ? 5'd0 : c_arid;
  assign m_axi_araddr  = mem ? l_addr : c_araddr;
  assign m_axi_arlen   = mem ? 8'd0 : c_arlen;
  assign {m_axi_arsize, m_axi_arburst, m_axi_awsize, m_axi_awburst, m_axi_awlen, m_axi_wlast}
    = {3'd5, 2'd1, 3'd5, 2'd1, 8'd0, 1'b1};
  assign m_axi_rready  = mem ? l_rready : c_rready && went;
  assign m_axi_awvalid = mem ? l_awvalid : c_awvalid && went;
  assign m_axi_awid    = mem ? 5'd0 : c_awid;
  assign m_axi_awaddr  = mem ? l_addr : c_awaddr;
  assign m_axi_wvalid  = mem ? l_wvalid : c_wvalid && went;
  assign m_axi_wdata   = mem ? l_wdata : c_wdata;
  assign m_axi_wstrb   = mem ? 32'hffffffff : c_wstrb;
  assign m_axi_bready  = mem || (c_bready && went);

  // ---- what it says ----
  wire [9:0]   queued;
  wire [7:0]   queue_byte, told_byte;
  wire         record, record_pipe, some, take, sign, sign_done, read, read_done, pending, ended;
  wire [63:0]  signature, shown;
  wire [31:0]  cycles, stalls;
  schedule u_schedule (
    .clk(clk), .rst_n(rst_n), .clear_i(clear || !core_rst_n), .port_i(port), .from_i(from),
        .to_i(to), .go_o(go), .went_i(went),
    .some_o(some), .byte_o(told_byte), .next_i(take),
    .record_o(record), .record_pipe_o(record_pipe), .record_done_i(out_done && who_q == W_RECORD),
    .sign_o(sign), .signature_o(signature), .sign_done_i(sign_done),
        .read_o(read), .shown_o(shown), .read_done_i(read_done), .ended_o(ended),
    .cycles_o(cycles), .stalls_o(stalls)
  );
  // A frame that is due soon takes along what is expected.
  predict u_predict (
    .clk(clk), .rst_n(rst_n), .clear_i(clear || !core_rst_n),
        .flush_i(ended || (out_idle && flush_q[15:4] == 12'hfff)),
    .some_i(some), .byte_i(told_byte), .take_o(take), .sign_i(sign), .signature_i(signature),
        .sign_done_o(sign_done), .read_i(read), .shown_i(shown), .read_done_o(read_done),
    .pending_o(pending), .count_o(queued), .byte_o(queue_byte), .next_i(out_next
        && who_q == W_SCHEDULE && head_q == 3'd0)
  );
  wire         answer;
  wire [7:0]   answer_type;
  wire [5:0]   answer_len;
  wire [263:0] answer_payload;
  loader #(.LANES(LANES), .WARPS(WARPS)) u_loader (
    .clk(clk), .rst_n(rst_n), .valid_i(in_valid), .damaged_i(damaged_q), .type_i(in_type),
        .number_i(in_number),
    .len_i(in_len), .replay_o(replay), .feed_o(feed), .feed_byte_o(feed_byte), .fed_i(fed),
        .payload_i(in_payload), .take_o(in_take), .answer_o(answer), .answer_type_o(answer_type),
        .answer_len_o(answer_len),
    .answer_payload_o(answer_payload), .answered_i(out_idle && any && who == W_ANSWER),
        .core_rst_n_o(core_rst_n),
    .clear_o(clear), .every_o(every), .from_o(from), .to_o(to), .csr_write_o(csr_write),
        .csr_read_o(csr_read),
    .csr_addr_o(csr_addr), .csr_data_o(csr_data), .csr_done_i(csr_done), .csr_data_i(csr_rdata),
        .mem_o(mem),
    .arvalid_o(l_arvalid), .awvalid_o(l_awvalid), .wvalid_o(l_wvalid), .rready_o(l_rready),
        .addr_o(l_addr), .wdata_o(l_wdata),
    .arready_i(m_axi_arready), .awready_i(m_axi_awready), .wready_i(m_axi_wready),
    .rvalid_i(m_axi_rvalid), .bvalid_i(m_axi_bvalid), .rdata_i(m_axi_rdata)
  );
  // A schedule goes when there is a frame's worth, at the end, and now and then, so that the host
  // sees that the
  // board lives.  Its frame begins with the cycles so far.
  localparam [9:0] FULL = 10'd240;
  wire [9:0]   part = queued < FULL ? queued : FULL;
  wire         ends  = ended && !told_q && !pending;
  wire         flush = queued >= FULL || (ends && queued != 10'd0) || (port.busy
      && flush_q == 16'hffff);
  always_comb begin
    who = W_RECORD;
    if (record)                                       {any, who, what, length} = {1'b1, W_RECORD,
        8'h46, 5'd0, RECORD_WORDS, 2'd0};
    else if (flush)                                   {any, who, what, length} = {1'b1,
        W_SCHEDULE, 8'h53, 16'd4 + {6'd0, part}};
    else if (ends)                                    {any, who, what, length} = {1'b1, W_END,
        8'h45, 16'd24};
    else if (answer)                                  {any, who, what, length} = {1'b1, W_ANSWER,
        answer_type, 10'd0, answer_len};
    else                                              {any, who, what, length} = {1'b0, W_RECORD,
        24'd0};
  end
  wire [31:0]  word = record_pipe ? port.pipe_word : port.unit_word;
  wire [7:0]   out_byte = who_q == W_RECORD ? word[{in_word_q, 3'd0} +: 8]
                        : who_q == W_SCHEDULE && head_q == 3'd0 ? queue_byte : shift_q[7:0];
  frames_out u_out (
    .clk(clk), .rst_n(rst_n), .start_i(any), .type_i(what), .len_i(length), .idle_o(out_idle),
        .byte_i(out_byte),
    .next_o(out_next), .done_o(out_done), .tx_valid_o(tx_valid_o), .tx_byte_o(tx_byte_o),
        .tx_ready_i(tx_ready_i)
  );
  always @(posedge clk) begin
    flush_q <= flush_q + 16'(flush_q != 16'hffff);
    if (in_damaged)
      damaged_q <= 1'b1;
    if (out_idle && any) begin
      who_q <= who;
      {at_q, in_word_q} <= 11'd0;
      head_q <= 3'd4;
      if (who == W_SCHEDULE)
        flush_q <= 16'd0;
      if (who == W_END)
        told_q <= 1'b1;
      if (who == W_ANSWER && answer_type == 8'h4e)
        damaged_q <= 1'b0;
      shift_q <= who == W_SCHEDULE ? {232'd0, cycles}
               : who == W_END ? {72'd0, stalls, cycles, port.digest, port.count} : answer_payload;
    end
    if (out_next) begin
      if (who_q != W_SCHEDULE || head_q != 3'd0)
        shift_q <= shift_q >> 8;
      if (head_q != 3'd0)
        head_q <= head_q - 3'd1;
      in_word_q <= in_word_q + 2'd1;
      if (in_word_q == 2'd3)
        at_q <= at_q + 9'd1;
    end
    if (clear || !core_rst_n || !rst_n)
      told_q <= 1'b0;
    if (!rst_n)
      {flush_q, damaged_q, who_q, head_q, at_q, in_word_q} <= '0;
  end
endmodule
`default_nettype wire

// Writes sectors.  Data for the sector that is held already is merged into it, later bytes winning;
// the sector leaves when another one comes or flush_i says that none will.
// Answers come in the order of the writes: a queue says whose each is, for those that are bus
// errors.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module lsu_write (
  input  wire          clk,
  input  wire          rst_n,
  input  wire          flush_i,
  output wire          idle_o,           // nothing is held and every write has its answer
  input  wire          w_valid_i,
  output wire          w_ready_o,
  input  wire  [26:0]  w_sector_i,
  input  wire  [255:0] w_data_i,         // zero where w_strb_i is 0
  input  wire  [31:0]  w_strb_i,
  input  wire  [31:0]  w_lanes_i,        // who writes,
  input  wire  [4:0]   w_at_i,           // and where in the sector the lowest of them does
  output logic         f_valid_o,        // a bus error: these lanes, the lowest one at that address
  output logic [31:0]  f_lanes_o,
  output logic [31:0]  f_addr_o,
  output wire          m_awvalid_o,
  input  wire          m_awready_i,
  output wire  [31:0]  m_awaddr_o,
  output wire          m_wvalid_o,
  input  wire          m_wready_i,
  output wire  [255:0] m_wdata_o,
  output wire  [31:0]  m_wstrb_o,
  input  wire          m_bvalid_i,
  input  wire          m_berror_i,
  output wire          m_bready_o
);
  logic         held_q;
  logic         aw_done_q, w_done_q;     // half of the held write has been taken
  logic [26:0]  sector_q;
  logic [255:0] data_q;
  logic [31:0]  strb_q;
  logic [7:0]   waiting_q;          // writes without an answer yet: at most 128, 32 lanes x 4 words

  // Once a write is offered nothing is merged into it: both reasons for sending stay until it has
  // gone.
  wire send = held_q && (flush_i || (w_valid_i && w_sector_i != sector_q));
  wire sent = send && (aw_done_q || m_awready_i) && (w_done_q || m_wready_i);
  assign w_ready_o   = !held_q || sent || !send;
  assign idle_o      = !held_q && waiting_q == '0 && !f_valid_o;
  assign m_awvalid_o = send && !aw_done_q;
  assign m_wvalid_o  = send && !w_done_q;
  assign m_awaddr_o  = {sector_q, 5'd0};
  assign m_wdata_o   = data_q;
  assign m_wstrb_o   = strb_q;
  assign m_bready_o  = 1'b1;

  // ---- whose the answers are ----
  logic [63:0]  who_q [0:127];           // lanes, address
  logic [6:0]   in_q, out_q;
  logic [31:0]  lanes_q;
  logic [4:0]   at_q;
  always_ff @(posedge clk) begin
    if (sent) who_q[in_q] <= {lanes_q, sector_q, at_q};
    in_q      <= rst_n ? in_q + 7'(sent) : '0;
    out_q     <= rst_n ? out_q + 7'(m_bvalid_i) : '0;
    f_valid_o <= rst_n && m_bvalid_i && m_berror_i;
    if (m_bvalid_i && m_berror_i) {f_lanes_o, f_addr_o} <= who_q[out_q];
  end

  wire  put = w_valid_i && w_ready_o;
  logic [255:0] merged;
  always_comb begin
    merged = w_data_i;
    if (put && held_q && !send)
      for (int i = 0; i < 32; i++)
        if (!w_strb_i[i]) merged[8*i +: 8] = data_q[8*i +: 8];
  end

  always_ff @(posedge clk)
    if (!rst_n) begin
      held_q    <= 1'b0;
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
      waiting_q <= '0;
    end else if (put || held_q || m_bvalid_i) begin
      if (put) begin
        sector_q <= w_sector_i;
        data_q   <= merged;
        lanes_q  <= held_q && !send ? lanes_q | w_lanes_i : w_lanes_i;
        at_q     <= held_q && !send ? at_q : w_at_i;
        strb_q   <= held_q && !send ? strb_q | w_strb_i : w_strb_i;
      end
      held_q    <= put || (held_q && !sent);
      aw_done_q <= send && !sent && (aw_done_q || (m_awvalid_o && m_awready_i));
      w_done_q  <= send && !sent && (w_done_q || (m_wvalid_o && m_wready_i));
      waiting_q <= waiting_q + 8'(sent) - 8'(m_bvalid_i);
    end
endmodule
`default_nettype wire

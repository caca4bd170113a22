// Writes sectors.  Data for the sector that is held already is merged into it, later bytes winning;
// the sector leaves when another one comes or more_i says that none of the same instruction will.
// Data whose address has been taken make room for the next sector, so that a memory that takes data
// after their address still takes a sector in each cycle.  Answers come in the order of the writes:
// a queue says whose each is.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module lsu_write #(
  parameter TAG = 1                      // bits that say whose a write is
) (
  input  wire          clk,
  input  wire          rst_n,
  output wire          idle_o,           // nothing is held and every write has its answer
  input  wire          more_i,           // data of this instruction may come
  input  wire  [TAG-1:0] more_tag_i,
  input  wire          w_valid_i,
  output wire          w_ready_o,
  input  wire  [`ADDR_BITS-6:0] w_sector_i,
  input  wire  [255:0] w_data_i,         // zero where w_strb_i is 0
  input  wire  [31:0]  w_strb_i,
  input  wire  [31:0]  w_lanes_i,        // who writes,
  input  wire  [4:0]   w_at_i,           // and where in the sector the lowest of them does
  input  wire  [TAG-1:0] w_tag_i,
  output wire          begins_o,         // a sector is held that was not
  output wire          sent_o,           // one has left
  output wire  [TAG-1:0] sent_tag_o,
  input  wire  [TAG-1:0] out_i,          // of the oldest instruction, whether a write is left:
  output wire          busy_o,           // held, without an answer, or with an error not yet seen
  output logic         f_valid_o,        // a bus error: these lanes, the lowest one at that address
  output logic [31:0]  f_lanes_o,
  output logic [`ADDR_BITS-1:0] f_addr_o,
  output logic [TAG-1:0] f_tag_o,
  output wire          m_awvalid_o,
  input  wire          m_awready_i,
  output wire  [`ADDR_BITS-1:0] m_awaddr_o,
  output wire          m_wvalid_o,
  input  wire          m_wready_i,
  output wire  [255:0] m_wdata_o,
  output wire  [31:0]  m_wstrb_o,
  input  wire          m_bvalid_i,
  input  wire          m_berror_i,
  output wire          m_bready_o
);
  logic         held_q;
  logic         offered_q;               // it was offered in the cycle before
  logic [TAG-1:0] tag_q;                 // whose it is
  logic         aw_done_q, w_done_q;     // half of the held write has been taken
  logic [`ADDR_BITS-6:0] sector_q;
  logic [255:0] data_q;
  logic [31:0]  strb_q;
  logic [7:0]   waiting_q;               // writes without an answer yet
  logic         late_q;                  // data whose address has been taken
  logic [255:0] late_data_q;
  logic [31:0]  late_strb_q;

  // Once a write is offered nothing is merged into it.
  wire ended  = !more_i || more_tag_i != tag_q;
  wire leaves = held_q && (offered_q || ended || (w_valid_i && w_sector_i != sector_q));
  wire send   = leaves && (offered_q || waiting_q < 8'd128);
  wire aw_got = send && (aw_done_q || m_awready_i);
  wire w_got  = send && (w_done_q || (m_wready_i && !late_q));
  wire sent   = aw_got && (w_got || !late_q || m_wready_i);
  assign w_ready_o   = !held_q || sent || !leaves;
  assign idle_o      = !held_q && waiting_q == '0 && !f_valid_o;
  assign m_awvalid_o = send && !aw_done_q;
  assign m_wvalid_o  = late_q || (send && !w_done_q);
  assign m_awaddr_o  = {sector_q, 5'd0};
  assign m_wdata_o   = late_q ? late_data_q : data_q;
  assign m_wstrb_o   = late_q ? late_strb_q : strb_q;
  assign m_bready_o  = 1'b1;
  assign sent_o      = sent;
  assign sent_tag_o  = tag_q;

  // ---- whose the answers are ----
  logic [`ADDR_BITS+31:0] who_q [0:127]; // lanes, address
  logic [TAG-1:0] whose_q [0:127];
  logic [6:0]   in_q, out_q;
  logic [31:0]  lanes_q;
  logic [4:0]   at_q;
  assign busy_o = (held_q && tag_q == out_i) || (waiting_q != '0 && whose_q[out_q] == out_i)
               || (f_valid_o && f_tag_o == out_i);
  always_ff @(posedge clk) begin
    if (sent) begin
      who_q[in_q]   <= {lanes_q, sector_q, at_q};
      whose_q[in_q] <= tag_q;
    end
    in_q      <= rst_n ? in_q + 7'(sent) : '0;
    out_q     <= rst_n ? out_q + 7'(m_bvalid_i) : '0;
    f_valid_o <= rst_n && m_bvalid_i && m_berror_i;
    if (m_bvalid_i && m_berror_i) begin
      {f_lanes_o, f_addr_o} <= who_q[out_q];
      f_tag_o <= whose_q[out_q];
    end
  end

  wire  put = w_valid_i && w_ready_o;
  wire  merges = held_q && !leaves;
  assign begins_o = put && !merges;
  logic [255:0] merged;
  always_comb begin
    merged = w_data_i;
    if (put && merges)
      for (int i = 0; i < 32; i++)
        if (!w_strb_i[i]) merged[8*i +: 8] = data_q[8*i +: 8];
  end

  always_ff @(posedge clk)
    if (!rst_n) begin
      held_q    <= 1'b0;
      offered_q <= 1'b0;
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
      waiting_q <= '0;
      late_q    <= 1'b0;
    end else if (put || held_q || late_q || m_bvalid_i) begin
      if (put) begin
        sector_q <= w_sector_i;
        data_q   <= merged;
        tag_q    <= w_tag_i;
        lanes_q  <= merges ? lanes_q | w_lanes_i : w_lanes_i;
        at_q     <= merges ? at_q : w_at_i;
        strb_q   <= merges ? strb_q | w_strb_i : w_strb_i;
      end
      held_q    <= put || (held_q && !sent);
      offered_q <= send && !sent;
      aw_done_q <= aw_got && !sent;
      w_done_q  <= w_got && !sent;
      late_q    <= (sent && !w_got) || (late_q && !m_wready_i);
      if (sent && !w_got) {late_data_q, late_strb_q} <= {data_q, strb_q};
      waiting_q <= waiting_q + 8'(sent) - 8'(m_bvalid_i);
    end
endmodule
`default_nettype wire

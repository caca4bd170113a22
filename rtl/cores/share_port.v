// Joins the memory ports of several cores into one.  The three top bits of an ID are the core's
// number.  Reads: an address a cycle, in turn.  Writes: the data of a core follow in the order of
// its addresses, so the channels belong to one core until as many of both have been taken; where
// others wait it is the next one's turn after four.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module share_port #(
  parameter CORES = 2                        // up to 8
) (
  input  wire                 clk, rst_n,
  // core c in bits c, or W c +: W
  input  wire [CORES-1:0]     arvalid_i, rready_i, awvalid_i, wvalid_i,
  output wire [CORES-1:0]     arready_o, rvalid_o, awready_o, wready_o, bvalid_o,
  input  wire [5*CORES-1:0]   arid_i, awid_i,
  input  wire [8*CORES-1:0]   arlen_i,
  input  wire [64*CORES-1:0]  araddr_i, awaddr_i,      // of core c in bits 64 c and up
  input  wire [32*CORES-1:0]  wstrb_i,
  input  wire [256*CORES-1:0] wdata_i,
  // atomics (share_lock.v)
  input  wire [CORES-1:0]     want_i,
  output wire [CORES-1:0]     lock_o,
  // the port.  Data and the other answers go to all cores.
  output wire                 m_arvalid_o,
  input  wire                 m_arready_i,
  output logic [7:0]          m_arid_o, m_awid_o,
  output logic [7:0]          m_arlen_o,
  output logic [`ADDR_BITS-1:0] m_araddr_o, m_awaddr_o,
  input  wire                 m_rvalid_i,
  output wire                 m_rready_o,
  input  wire [7:0]           m_rid_i, m_bid_i,
  output wire                 m_awvalid_o, m_wvalid_o,
  input  wire                 m_awready_i, m_wready_i, m_bvalid_i,
  output logic [255:0]        m_wdata_o,
  output logic [31:0]         m_wstrb_o
);
  localparam [CORES-1:0] NONE = {CORES{1'b0}};
  // ---- reads: an address that was offered stays until it is taken ----
  logic [CORES-1:0] read_q;                  // whose was offered and not taken
  wire  [CORES-1:0] read_next;
  wire  [CORES-1:0] read = read_q != NONE ? read_q : read_next;
  share_pick #(.N(CORES)) u_read (
    .clk(clk), .rst_n(rst_n), .ask_i(arvalid_i), .take_i(read_q == NONE), .pick_o(read_next));
  always @(posedge clk)
    read_q <= rst_n && m_arvalid_o && !m_arready_i ? read : NONE;
  assign m_arvalid_o = (read & arvalid_i) != NONE;
  assign arready_o   = m_arready_i ? read : NONE;
  always_comb begin
    {m_arid_o, m_arlen_o, m_araddr_o} = '0;
    for (int c = 0; c < CORES; c = c + 1)
      if (read[c]) begin
        m_arid_o   = {3'(c), arid_i[5*c +: 5]};
        m_arlen_o  = arlen_i[8*c +: 8];
        m_araddr_o = araddr_i[64*c +: `ADDR_BITS];
      end
  end
  wire  [CORES-1:0] read_for = CORES'(8'd1 << m_rid_i[7:5]),
      written_for = CORES'(8'd1 << m_bid_i[7:5]);
  assign rvalid_o    = m_rvalid_i ? read_for : NONE;
  assign m_rready_o  = (rready_i & read_for) != NONE;
  assign bvalid_o    = m_bvalid_i ? written_for : NONE;

  // ---- writes ----
  logic [CORES-1:0] write_q;                 // whose the channels are; none
  logic signed [2:0] ahead_q;                // addresses without their data; -1: the other way
  logic             offered_q;               // its address was offered and not taken
  logic [2:0]       turn_q;                  // addresses taken since it has them
  logic [10:0]      out_q;                   // writes without an answer
  wire  [CORES-1:0] may_write, write_next;
  wire  [CORES-1:0] waits = (awvalid_i | wvalid_i) & may_write;
  wire  [CORES-1:0] write = write_q != NONE ? write_q : write_next;
  share_pick #(.N(CORES)) u_write (
    .clk(clk), .rst_n(rst_n), .ask_i(waits), .take_i(write_q == NONE), .pick_o(write_next));
  wire  over    = !offered_q && ahead_q >= 3'sd0 && write_q != NONE
                  && ((turn_q[2] && (waits & ~write) != NONE) || (write & may_write) == NONE);
  assign m_awvalid_o = (write & awvalid_i) != NONE && !over;
  assign m_wvalid_o  = (write & wvalid_i) != NONE && (ahead_q > 3'sd0 || !over);
  wire  aw_took = m_awvalid_o && m_awready_i, w_took = m_wvalid_o && m_wready_i;
  assign awready_o   = aw_took ? write : NONE;
  assign wready_o    = w_took ? write : NONE;
  wire signed [2:0] ahead = ahead_q + {2'd0, aw_took} - {2'd0, w_took};
  wire  goes_on = ahead != 3'sd0 || (m_awvalid_o && !aw_took) || (m_wvalid_o && !w_took);
  always @(posedge clk)
    if (!rst_n) begin
      write_q   <= NONE;
      ahead_q   <= 3'sd0;
      offered_q <= 1'b0;
      turn_q    <= 3'd0;
      out_q     <= 11'd0;
    end else begin
      write_q   <= goes_on ? write : NONE;
      ahead_q   <= ahead;
      offered_q <= m_awvalid_o && !aw_took;
      turn_q    <= !goes_on ? 3'd0 : turn_q + {2'd0, aw_took && !turn_q[2]};
      out_q     <= out_q + {10'd0, aw_took} - {10'd0, m_bvalid_i};
    end
  always_comb begin
    {m_awid_o, m_awaddr_o, m_wdata_o, m_wstrb_o} = '0;
    for (int c = 0; c < CORES; c = c + 1)
      if (write[c]) begin
        m_awid_o   = {3'(c), awid_i[5*c +: 5]};
        m_awaddr_o = awaddr_i[64*c +: `ADDR_BITS];
        m_wdata_o  = wdata_i[256*c +: 256];
        m_wstrb_o  = wstrb_i[32*c +: 32];
      end
  end
  share_lock #(.CORES(CORES)) u_lock (
    .clk(clk), .rst_n(rst_n), .want_i(want_i), .lock_o(lock_o), .write_i(awvalid_i | wvalid_i),
    .wrote_i(awready_o), .quiet_i(out_q == 11'd0 && write == NONE), .may_write_o(may_write));
  wire unused = &{1'b0, m_rid_i[4:0], m_bid_i[4:0]};
endmodule
`default_nettype wire

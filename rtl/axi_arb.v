// Joins the instruction cache's read port and the LSU's port into the core's AXI4 port.
// The top ID bit says whose a read is: 1 cache, 0 LSU.  The cache goes first: it asks rarely, and
// for all lanes of a warp.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module axi_arb (
  input  wire         ic_arvalid_i,
  output wire         ic_arready_o,
  input  wire [31:0]  ic_araddr_i,
  output wire         ic_rvalid_o,
  input  wire         ls_arvalid_i,
  output wire         ls_arready_o,
  input  wire [31:0]  ls_araddr_i,
  input  wire [3:0]   ls_arid_i,
  input  wire [7:0]   ls_arlen_i,
  output wire         ls_rvalid_o,
  input  wire         ls_rready_i,
  output wire         m_arvalid_o,
  input  wire         m_arready_i,
  output wire [4:0]   m_arid_o,
  output wire [31:0]  m_araddr_o,
  output wire [7:0]   m_arlen_o,
  input  wire         m_rvalid_i,
  output wire         m_rready_o,
  input  wire [4:0]   m_rid_i,
  // An address that was offered stays until it is taken.
  input  wire         clk, rst_n
);
  logic busy_q, pick_q;                      // an offer was not taken; whose it is
  wire  pick = busy_q ? pick_q : ic_arvalid_i;
  always @(posedge clk) begin
    busy_q <= rst_n && m_arvalid_o && !m_arready_i;
    pick_q <= pick;
  end
  assign m_arvalid_o  = pick ? ic_arvalid_i : ls_arvalid_i;
  assign m_arid_o     = pick ? 5'd16 : {1'b0, ls_arid_i};
  assign m_araddr_o   = pick ? ic_araddr_i : ls_araddr_i;
  assign m_arlen_o    = pick ? 8'd1 : ls_arlen_i;
  assign ic_arready_o = m_arready_i && pick;
  assign ls_arready_o = m_arready_i && !pick;
  assign ic_rvalid_o  = m_rvalid_i && m_rid_i[4];
  assign ls_rvalid_o  = m_rvalid_i && !m_rid_i[4];
  assign m_rready_o   = m_rid_i[4] || ls_rready_i;
  wire unused = &{1'b0, m_rid_i[3:0]};
endmodule
`default_nettype wire

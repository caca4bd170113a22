// What several cores share: the grid's blocks, the memory port, atomics in global memory, and that
// a fault of one stops all.  Core c has bits c, or W c +: W, of each vector.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module share #(
  parameter CORES = 8                        // 1 to 8
) (
  input  wire                 clk, rst_n,
  // blocks (dispatcher.v)
  input  wire [CORES-1:0]     block_ask_i, block_placing_i, block_done_i,
  output wire [CORES-1:0]     block_give_o, block_skip_o,
  // atomics; faults
  input  wire [CORES-1:0]     lock_i, halted_i,
  output wire [CORES-1:0]     lock_o, stop_o,
  // the cores' memory ports
  input  wire [CORES-1:0]     arvalid_i, rready_i, awvalid_i, wvalid_i,
  output wire [CORES-1:0]     arready_o, rvalid_o, awready_o, wready_o, bvalid_o,
  input  wire [5*CORES-1:0]   arid_i, awid_i,
  input  wire [8*CORES-1:0]   arlen_i,
  input  wire [64*CORES-1:0]  araddr_i, awaddr_i,      // of core c in bits 64 c and up
  input  wire [32*CORES-1:0]  wstrb_i,
  input  wire [256*CORES-1:0] wdata_i,
  // the port
  output wire                 m_arvalid_o, m_rready_o, m_awvalid_o, m_wvalid_o,
  input  wire                 m_arready_i, m_rvalid_i, m_awready_i, m_wready_i, m_bvalid_i,
  output wire [7:0]           m_arid_o, m_awid_o, m_arlen_o,
  output wire [`ADDR_BITS-1:0] m_araddr_o, m_awaddr_o,
  output wire [31:0]          m_wstrb_o,
  output wire [255:0]         m_wdata_o,
  input  wire [7:0]           m_rid_i, m_bid_i
);
  share_blocks #(.CORES(CORES)) u_blocks (
    .clk(clk), .rst_n(rst_n), .ask_i(block_ask_i), .placing_i(block_placing_i),
    .done_i(block_done_i),
    .give_o(block_give_o), .skip_o(block_skip_o));
  share_port #(.CORES(CORES)) u_port (
    .clk(clk), .rst_n(rst_n), .arvalid_i(arvalid_i), .rready_i(rready_i), .awvalid_i(awvalid_i),
    .wvalid_i(wvalid_i), .arready_o(arready_o), .rvalid_o(rvalid_o), .awready_o(awready_o),
    .wready_o(wready_o), .bvalid_o(bvalid_o), .arid_i(arid_i), .awid_i(awid_i), .arlen_i(arlen_i),
    .araddr_i(araddr_i), .awaddr_i(awaddr_i), .wstrb_i(wstrb_i), .wdata_i(wdata_i), .want_i(lock_i),
    .lock_o(lock_o), .m_arvalid_o(m_arvalid_o), .m_arready_i(m_arready_i), .m_arid_o(m_arid_o),
    .m_awid_o(m_awid_o), .m_arlen_o(m_arlen_o), .m_araddr_o(m_araddr_o), .m_awaddr_o(m_awaddr_o),
    .m_rvalid_i(m_rvalid_i), .m_rready_o(m_rready_o), .m_rid_i(m_rid_i), .m_bid_i(m_bid_i),
    .m_awvalid_o(m_awvalid_o), .m_wvalid_o(m_wvalid_o), .m_awready_i(m_awready_i),
    .m_wready_i(m_wready_i), .m_bvalid_i(m_bvalid_i), .m_wdata_o(m_wdata_o), .m_wstrb_o(m_wstrb_o));
  // A core that halts stops the others once: a start ends both.
  logic [CORES-1:0] halted_q;
  wire  [CORES-1:0] halts = halted_i & ~halted_q;
  genvar c;
  generate
    for (c = 0; c < CORES; c = c + 1) begin : g_stop
      wire [CORES-1:0] self = CORES'(1) << c;
      assign stop_o[c] = (halts & ~self) != {CORES{1'b0}};
    end
  endgenerate
  always @(posedge clk)
    halted_q <= rst_n ? halted_i : {CORES{1'b0}};
endmodule
`default_nettype wire

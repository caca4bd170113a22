// Reads sectors: issues a group's read and hands the data to the unit that waits for the group, in
// order.  Up to READS reads are outstanding.  A group in the sector of the group before it needs no
// read of its own: that is how consecutive beats of a narrow core coalesce.
//
// Atomics read, change and write back a sector.  Groups of one beat are in different sectors and
// may overlap; a group of another beat waits until all earlier ones have been written.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "address.vh"
module lsu_read #(
  parameter LANES = 32,
  parameter READS = 16,
  parameter TAG   = 1                        // bits that say whose a group is
) (
  input  wire              clk,
  input  wire              rst_n,
  input  wire              atom_i,
  input  wire              written_i,    // no write is on its way
  output wire              idle_o,
  output wire              begins_o, ends_o,     // a read
  input  wire              g_valid_i,
  input  wire              g_first_i,    // of a walk: what it reads, it reads itself
  output wire              g_ready_o,
  input  wire  [`ADDR_BITS-6:0] g_sector_i,
  input  wire  [4:0]       g_beat_i,
  input  wire  [1:0]       g_word_i,
  input  wire  [LANES-1:0] g_mask_i,
  input  wire  [TAG-1:0]   g_tag_i,
  output wire              s_valid_o,    // a sector has arrived
  input  wire              s_ready_i,
  output wire  [255:0]     s_data_o,
  output wire              s_error_o,    // the data are none: a bus error
  output wire  [`ADDR_BITS-6:0] s_sector_o,
  output wire  [4:0]       s_beat_o,
  output wire  [1:0]       s_word_o,
  output wire  [LANES-1:0] s_mask_o,
  output wire  [TAG-1:0]   s_tag_o,
  output wire              m_arvalid_o,
  input  wire              m_arready_i,
  output wire  [`ADDR_BITS-1:0] m_araddr_o,
  input  wire              m_rvalid_i,
  output wire              m_rready_o,
  input  wire  [255:0]     m_rdata_i,
  input  wire              m_rerror_i
);
  localparam RB = $clog2(READS);
  localparam SEC = `ADDR_BITS - 5;       // bits of a sector's number
  localparam FW = 1 + SEC + 5 + 2 + LANES + TAG;

  logic [FW-1:0] fifo_q [0:READS-1];     // groups whose sector has not arrived, in order
  logic [RB:0]   in_q, out_q;            // one bit more than an index: full differs from empty
  logic [SEC-1:0] old_sector_q;           // of the group before: its sector and beat
  logic [4:0]    old_beat_q;
  logic [255:0]  data_q;                 // the sector that arrived last
  logic          error_q;

  wire empty = in_q == out_q;
  wire full  = in_q == {~out_q[RB], out_q[RB-1:0]};
  wire reuse = LANES < 32 && !g_first_i && !atom_i && g_sector_i == old_sector_q;
  wire wait_ = full || (atom_i && !g_first_i && g_beat_i != old_beat_q && !(empty && written_i));

  assign m_arvalid_o = g_valid_i && !wait_ && !reuse;
  assign m_araddr_o  = {g_sector_i, 5'd0};
  assign g_ready_o   = !wait_ && (reuse || m_arready_i);
  wire   push        = g_valid_i && g_ready_o;

  wire head_reuse;
  assign {head_reuse, s_sector_o, s_beat_o, s_word_o, s_mask_o, s_tag_o} = fifo_q[out_q[RB-1:0]];
  assign s_valid_o  = !empty && (head_reuse || m_rvalid_i);
  assign s_data_o   = head_reuse ? data_q : m_rdata_i;
  assign s_error_o  = head_reuse ? error_q : m_rerror_i;
  assign m_rready_o = !empty && !head_reuse && s_ready_i;
  wire   pop        = s_valid_o && s_ready_i;
  assign idle_o     = empty;
  assign begins_o   = m_arvalid_o && m_arready_i;
  assign ends_o     = m_rvalid_i && m_rready_o;

  always_ff @(posedge clk)
    if (!rst_n) begin
      in_q  <= '0;
      out_q <= '0;
    end else begin
      if (push) begin
        fifo_q[in_q[RB-1:0]] <= {reuse, g_sector_i, g_beat_i, g_word_i, g_mask_i, g_tag_i};
        in_q         <= in_q + 1'b1;
        old_sector_q <= g_sector_i;
        old_beat_q   <= g_beat_i;
      end
      if (pop) out_q <= out_q + 1'b1;
      if (pop && !head_reuse && LANES < 32) {error_q, data_q} <= {m_rerror_i, m_rdata_i};
    end
endmodule
`default_nettype wire

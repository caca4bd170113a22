// Physical memory, for global, constant and local accesses: walks over the lanes of an instruction,
// reads sectors for loads and atomics, writes those of stores and atomics, and names the lanes that
// fault.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "axi.vh"
module lsu_device #(
  parameter LANES = 32,
  parameter TAG   = 1,                       // bits that say whose a sector is
  parameter READS = 16,
  parameter MANY  = 1                        // several instructions are in flight
) (
  input  wire                  clk, rst_n,
  input  wire                  clear_i,      // the ranges may have changed
  // the instruction that is walked over; reads of loads and writes of stores before it may still
  // be on their way, unless it is an atomic or needs more than global memory
  input  wire                  load_i, store_i, atom_i,
  input  wire  [TAG-1:0]       tag_i,
  input  wire  [2:0]           lg_i,         // bytes a lane: 1 << lg
  // a phase: these lanes; addresses are offsets in local memory; the sector of address 0
  input  wire                  start_i,
  input  wire  [31:0]          mask_i,
  input  wire                  active_i,     // it is at work
  input  wire                  local_i,
  input  wire  [26:0]          base_i,
  input  wire                  check_i,      // look at the ranges
  input  wire                  act_i,        // else only look
  output wire                  idle_o,
  output wire                  walk_end_o,   // the last group goes, or is gone
  output wire                  walk_idle_o,  // and its fault is known
  output wire                  read_idle_o, write_idle_o,
  input  wire  [TAG-1:0]       out_i,        // the oldest instruction: is a write of it left?
  output wire                  write_busy_o,
  output wire                  sent_o,       // a write leaves
  output wire  [TAG-1:0]       sent_tag_o,
  input  wire                  hold_i,       // no sector of a load is taken
  input  wire  [4:0]           nranges_i,
  input  wire  [511:0]         range_base_i, range_limit_i,
  input  wire  [15:0]          range_write_i,
  // rows: addresses of walk_beat_o; addresses and data of beat_i, which is g_beat_o, s_beat_o or
  // the atomics'
  output wire  [4:0]           walk_beat_o,
  input  wire  [32*LANES-1:0]  walk_addr_i,
  input  wire  [4:0]           beat_i,
  input  wire  [32*LANES-1:0]  addr_i,
  input  wire  [128*LANES-1:0] data_i,
  output wire  [4:0]           g_beat_o,     // of the group that is written
  // a sector that was read, and its group; a load's needs the rows, before a store's
  output wire                  arrives_o,
  output wire                  begins_o,     // a read, for the walk's instruction
  output wire                  s_load_o,     // its data go to the lanes' rows
  output wire                  s_atom_o,     // the atomics get it
  output wire  [255:0]         s_data_o,
  output wire  [26:0]          s_sector_o,
  output wire  [4:0]           s_beat_o,
  output wire  [1:0]           s_word_o,
  output wire  [LANES-1:0]     s_mask_o,
  output wire  [TAG-1:0]       s_tag_o,
  input  wire                  s_local_i,    // it is local memory's
  // what the atomics leave
  input  wire                  at_idle_i,
  input  wire                  at_valid_i,
  output wire                  at_ready_o,
  input  wire  [26:0]          at_sector_i,
  input  wire  [255:0]         at_data_i,
  input  wire  [31:0]          at_strb_i,
  input  wire  [LANES-1:0]     at_mask_i,
  // lanes that fault, and the address of the lowest of them
  output wire                  f_valid_o,
  output wire                  f_walk_o,     // of the walk's instruction; else whose f_tag_o says
  output wire  [TAG-1:0]       f_tag_o,
  output wire  [3:0]           f_fault_o,
  output wire  [4:0]           f_lane_o,
  output wire  [31:0]          f_m_o, f_addr_o,
  output axi_read_t            axi_read_o,
  input  axi_read_answer_t     axi_read_i,
  output axi_write_t           axi_write_o,
  input  axi_write_answer_t    axi_write_i
);
  `include "codes_gen.vh"
  `include "lsu_fn.vh"
  localparam LB = $clog2(LANES);
  wire             walk_idle, read_idle, write_idle, s_valid, hit;
  wire             arrives = s_valid && !atom_i;
  assign idle_o = walk_idle && read_idle && write_idle;

  // ---- groups of lanes in one sector ------------------------------------------------------------
  wire             g_valid, read_ready, write_ready;
  wire [26:0]      g_sector;
  wire [1:0]       g_word;
  wire [LANES-1:0] g_mask;
  wire             range_valid, range_readonly;      // a lane whose bytes are in no range
  wire [4:0]       range_lane;
  wire [31:0]      range_addr;
  lsu_walk #(.LANES(LANES)) u_walk (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .start_i(start_i), .mask_i(mask_i),
    .local_i(local_i),
    .base_i(base_i), .lg_i(lg_i), .check_i(check_i), .write_i(!load_i), .act_i(act_i),
    .idle_o(walk_idle), .end_o(walk_end_o), .beat_o(walk_beat_o), .addr_i(walk_addr_i),
    .g_valid_o(g_valid), .g_ready_i(!hit && (store_i ? write_ready && !arrives : read_ready)),
    .g_sector_o(g_sector), .g_beat_o(g_beat_o),
    .g_word_o(g_word), .g_mask_o(g_mask), .f_valid_o(range_valid), .f_readonly_o(range_readonly),
    .f_lane_o(range_lane), .f_addr_o(range_addr), .nranges_i(nranges_i),
    .range_base_i(range_base_i), .range_limit_i(range_limit_i), .range_write_i(range_write_i));

  // ---- what is on its way: a load waits for writes of its sector, a store for reads -----------
  wire             read_begins, read_ends, write_begins;
  generate
    if (MANY != 0) begin : g_order
      wire hit_read, hit_write;
      lsu_sectors u_reads (
        .clk(clk), .rst_n(rst_n), .put_i(read_begins), .put_sector_i(g_sector), .end_i(read_ends),
        .look_i(g_sector), .hit_o(hit_read));
      lsu_sectors u_writes (
        .clk(clk), .rst_n(rst_n), .put_i(write_begins),
        .put_sector_i(store_i ? g_sector : at_sector_i), .end_i(axi_write_i.bvalid),
        .look_i(g_sector), .hit_o(hit_write));
      assign hit = (store_i && hit_read) || (load_i && hit_write);
    end else begin : g_alone
      assign hit = 1'b0;
      wire unused_order = &{1'b0, read_begins, read_ends, write_begins};
    end
  endgenerate

  // ---- sectors in -------------------------------------------------------------------------------
  wire             s_error;                  // bus errors: of the sector read, of a write
  wire             write_error;
  wire [TAG-1:0]   write_error_tag;
  wire             s_ready = (atom_i ? at_idle_i : !hold_i) && !write_error;   // one at a time
  wire [31:0]      write_error_m, write_error_addr;
  lsu_read #(.LANES(LANES), .READS(READS), .TAG(TAG)) u_read (
    .clk(clk), .rst_n(rst_n), .start_i(start_i), .atom_i(atom_i),
    .written_i(write_idle && at_idle_i), .idle_o(read_idle),
    .begins_o(read_begins), .ends_o(read_ends),
    .g_valid_i(g_valid && !store_i && !hit), .g_ready_o(read_ready), .g_sector_i(g_sector),
    .g_beat_i(g_beat_o), .g_word_i(g_word), .g_mask_i(g_mask), .g_tag_i(tag_i),
    .s_valid_o(s_valid), .s_ready_i(s_ready), .s_data_o(s_data_o), .s_sector_o(s_sector_o),
    .s_beat_o(s_beat_o),
    .s_word_o(s_word_o), .s_mask_o(s_mask_o), .s_tag_o(s_tag_o), .m_arvalid_o(axi_read_o.arvalid),
    .m_arready_i(axi_read_i.arready), .m_araddr_o(axi_read_o.araddr),
    .m_rvalid_i(axi_read_i.rvalid), .m_rready_o(axi_read_o.rready), .m_rdata_i(axi_read_i.rdata),
    .m_rerror_i(axi_read_i.rerror), .s_error_o(s_error));
  assign axi_read_o.arid  = 4'd0;
  assign axi_read_o.arlen = 8'd0;
  assign s_load_o = s_valid && s_ready && !atom_i;
  assign {read_idle_o, write_idle_o, walk_idle_o} = {read_idle, write_idle, walk_idle};
  assign arrives_o = arrives;
  assign begins_o  = read_begins;
  assign s_atom_o = s_valid && !s_error && !write_error;

  // The group that is read or written in this cycle: its lanes, and where in the sector the lowest
  // starts.
  logic [LANES-1:0] group_mask;
  logic [2:0]       group_lane;              // of the lowest, in its row of local memory
  logic [4:0]       group_at;
  wire              puts = store_i && !arrives;      // a group of a store
  wire              group_local = puts || atom_i ? local_i : s_local_i;
  always_comb begin
    group_mask = puts ? g_mask : !atom_i || at_idle_i ? s_mask_o : at_mask_i;
    group_lane = 3'((beat_i << LB) | lowest(32'(group_mask)));
    group_at   = 5'd0;
    if (active_i || s_valid)
      for (int l = LANES - 1; l >= 0; l--)
        if (group_mask[l])
          group_at = group_local ? {group_lane, addr_i[32*l +: 2]} : addr_i[32*l +: 5];
  end
  wire [31:0] group_m = 32'(group_mask) << (beat_i << LB);

  // ---- sectors out ------------------------------------------------------------------------------
  wire [255:0] insert_data;
  wire [31:0]  insert_strb;
  wire         m_bready;                     // always: the port takes every answer
  lsu_insert #(.LANES(LANES)) u_insert (
    .en_i(g_valid && store_i), .mask_i(g_mask), .beat_i(g_beat_o), .local_i(local_i),
    .word_i(g_word), .lg_i(lg_i), .addr_i(addr_i), .data_i(data_i), .data_o(insert_data),
    .strb_o(insert_strb));
  lsu_write #(.TAG(TAG)) u_write (
    .clk(clk), .rst_n(rst_n), .flush_i(!store_i || !act_i || walk_idle), .idle_o(write_idle),
    .w_valid_i(store_i ? g_valid && puts && !hit : at_valid_i && active_i), .w_ready_o(write_ready),
    .w_tag_i(tag_i), .begins_o(write_begins), .sent_o(sent_o), .sent_tag_o(sent_tag_o),
    .out_i(out_i), .busy_o(write_busy_o), .f_tag_o(write_error_tag),
    .w_sector_i(store_i ? g_sector : at_sector_i), .w_data_i(store_i ? insert_data : at_data_i),
    .w_strb_i(store_i ? insert_strb : at_strb_i), .w_lanes_i(group_m), .w_at_i(group_at),
    .f_valid_o(write_error), .f_lanes_o(write_error_m), .f_addr_o(write_error_addr),
    .m_awvalid_o(axi_write_o.awvalid), .m_awready_i(axi_write_i.awready),
    .m_awaddr_o(axi_write_o.awaddr), .m_wvalid_o(axi_write_o.wvalid),
    .m_wready_i(axi_write_i.wready), .m_wdata_o(axi_write_o.wdata), .m_wstrb_o(axi_write_o.wstrb),
    .m_bvalid_i(axi_write_i.bvalid), .m_berror_i(axi_write_i.berror), .m_bready_o(m_bready));
  assign at_ready_o = write_ready;

  // ---- faults: a lane outside the ranges; a bus error, of this read or of an earlier write ------
  // A bus error of another instruction goes before: that one is older.
  wire [31:0] bus_m = write_error ? write_error_m : group_m;
  wire        bus   = s_valid && s_ready && s_error;
  wire        range = range_valid && !write_error && !(bus && s_tag_o != tag_i);
  assign f_valid_o = range_valid || write_error || bus;
  assign f_walk_o  = range;
  assign f_tag_o   = write_error ? write_error_tag : s_tag_o;
  assign f_fault_o = !range ? FAULT_BUS : range_readonly ? FAULT_READONLY : FAULT_RANGE;
  assign f_lane_o  = range ? range_lane : lowest(bus_m);
  assign f_m_o     = range ? 32'd1 << range_lane : bus_m;
  assign f_addr_o  = range ? range_addr : write_error ? write_error_addr : {s_sector_o, group_at};
  wire unused = &{1'b0, axi_read_i, m_bready};
endmodule
`default_nettype wire

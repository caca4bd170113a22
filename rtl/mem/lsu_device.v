// Physical memory, for global, constant and local accesses: walks over the lanes of an instruction,
// reads sectors for loads and atomics, writes those of stores and atomics, and names the lanes that
// fault.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "axi.vh"
`include "launch.vh"
module lsu_device #(
  parameter LANES = 32,
  parameter TAG   = 1,                       // bits that say whose a sector is
  parameter READS = 16,
  parameter MANY  = 1,                       // several instructions are in flight
  parameter RANGE_SERIAL = 0
) (
  input  wire                  clk, rst_n,
  // the instruction that is walked over; the last group, reads and writes of those before it may
  // still be on their way, unless it is an atomic or needs more than global memory
  input  wire                  load_i, store_i, atom_i,
  input  wire                  sure_i,       // its lanes are known to be within a range
  input  wire  [TAG-1:0]       tag_i,
  input  wire  [2:0]           lg_i,         // bytes a lane: 1 << lg
  // a phase: these lanes; addresses are offsets in local memory; the sector of address 0
  input  wire                  start_i,
  input  wire  [31:0]          mask_i,
  input  wire                  active_i,     // it is at work
  input  wire                  local_i,
  input  wire  [`ADDR_BITS-6:0] base_i,
  input  wire                  check_i,      // look at the ranges
  input  wire                  act_i,        // else only look
  output wire                  idle_o,
  output wire                  walk_over_o,  // the last group is formed, or was
  output wire                  walk_end_o,   // the last group goes, or is gone
  output wire                  walk_idle_o,  // and its fault is known
  output wire                  read_idle_o, write_idle_o,
  output wire                  g_held_o,     // a group has not gone yet; of this instruction
  output wire  [TAG-1:0]       g_tag_o,
  // the range in which the last group was found
  output wire                  found_o, found_write_o,
  output wire  [`ADDR_BITS-1:0] found_base_o, found_limit_o,
  input  wire  [TAG-1:0]       out_i,        // the oldest instruction: is a write of it left?
  output wire                  write_busy_o,
  output wire                  sent_o,       // a write leaves
  output wire  [TAG-1:0]       sent_tag_o,
  input  wire                  hold_i,       // no sector of a load is taken
  input  wire  [4:0]           nranges_i,
  input  wire  [16*`ADDR_BITS-1:0] range_base_i, range_limit_i,
  input  wire  [15:0]          range_write_i,
  output wire  [3:0]           range_look_o,
  input  range_t               range_look_i,
  // rows: addresses of walk_beat_o, where they can be seen; of beat_i, which is s_beat_o or the
  // atomics'
  input  wire                  walk_row_i,
  output wire  [4:0]           walk_beat_o,
  input  wire  [`ADDR_BITS*LANES-1:0] walk_addr_i,
  input  wire  [4:0]           beat_i,
  input  wire  [32*LANES-1:0]  addr_i,       // their low words
  output wire                  g_put_o,      // a group of a store is ready,
  output wire  [4:0]           g_beat_o,     // in this beat,
  input  wire                  puts_i,       // and its data are there
  input  wire  [128*LANES-1:0] data_i,
  // a sector that was read, and its group; a load's needs the rows
  output wire                  begins_o,     // a read, for g_tag_o
  output wire                  s_load_o,     // its data go to the lanes' rows
  output wire                  s_atom_o,     // the atomics get it
  output wire  [255:0]         s_data_o,
  output wire  [`ADDR_BITS-6:0] s_sector_o,
  output wire  [4:0]           s_beat_o,
  output wire  [1:0]           s_word_o,
  output wire  [LANES-1:0]     s_mask_o,
  output wire  [TAG-1:0]       s_tag_o,
  input  wire                  s_local_i,    // it is local memory's
  // what the atomics leave
  input  wire                  at_idle_i,
  input  wire                  at_valid_i,
  output wire                  at_ready_o,
  input  wire  [`ADDR_BITS-6:0] at_sector_i,
  input  wire  [255:0]         at_data_i,
  input  wire  [31:0]          at_strb_i,
  input  wire  [LANES-1:0]     at_mask_i,
  // lanes that fault, and the address of the lowest of them
  output wire                  f_valid_o,
  output wire  [TAG-1:0]       f_tag_o,
  output wire  [3:0]           f_fault_o,
  output wire  [4:0]           f_lane_o,
  output wire  [31:0]          f_m_o,
  output wire  [`ADDR_BITS-1:0] f_addr_o,
  output axi_read_t            axi_read_o,
  input  axi_read_answer_t     axi_read_i,
  output axi_write_t           axi_write_o,
  input  axi_write_answer_t    axi_write_i
);
  `include "codes_gen.vh"
  `include "lsu_fn.vh"
  localparam LB = $clog2(LANES);
  wire             walk_idle, read_idle, write_idle, s_valid, hit;
  assign idle_o = walk_idle && read_idle && write_idle;

  // ---- groups of lanes in one sector ------------------------------------------------------------
  localparam KIND = TAG + 6;
  wire             g_load, g_store, g_local; // of the group's instruction
  wire [2:0]       g_lg;
  wire             g_valid, g_first, read_ready, write_ready;
  wire [5*LANES-1:0] g_at;
  wire [`ADDR_BITS-6:0] g_sector;
  wire [1:0]       g_word;
  wire [LANES-1:0] g_mask;
  wire             range_valid, range_readonly;      // a lane whose bytes are in no range
  wire [4:0]       range_lane;
  wire [`ADDR_BITS-1:0] range_addr;
  lsu_walk #(.LANES(LANES), .KIND(KIND), .RANGE_SERIAL(RANGE_SERIAL)) u_walk (
    .clk(clk), .rst_n(rst_n), .start_i(start_i), .mask_i(mask_i), .sure_i(sure_i),
    .kind_i({tag_i, load_i, store_i, local_i, lg_i}), .local_i(local_i),
    .base_i(base_i), .lg_i(lg_i), .check_i(check_i), .write_i(!load_i), .act_i(act_i),
    .idle_o(walk_idle), .end_o(walk_end_o), .over_o(walk_over_o), .row_i(walk_row_i),
    .beat_o(walk_beat_o),
    .addr_i(walk_addr_i), .held_o(g_held_o), .g_valid_o(g_valid),
    .g_ready_i(!hit && (g_store ? write_ready && puts_i : read_ready)),
    .g_kind_o({g_tag_o, g_load, g_store, g_local, g_lg}), .g_first_o(g_first),
    .g_sector_o(g_sector), .g_beat_o(g_beat_o),
    .g_word_o(g_word), .g_mask_o(g_mask), .g_at_o(g_at),
    .f_valid_o(range_valid), .f_readonly_o(range_readonly),
    .f_lane_o(range_lane), .f_addr_o(range_addr), .found_o(found_o),
    .found_write_o(found_write_o), .found_base_o(found_base_o), .found_limit_o(found_limit_o),
    .nranges_i(nranges_i),
    .range_base_i(range_base_i), .range_limit_i(range_limit_i), .range_write_i(range_write_i),
    .range_look_o(range_look_o), .range_look_i(range_look_i));

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
        .put_sector_i(puts_i ? g_sector : at_sector_i), .end_i(axi_write_i.bvalid),
        .look_i(g_sector), .hit_o(hit_write));
      assign hit = (g_store && hit_read) || (g_load && hit_write);
    end else begin : g_alone
      assign hit = 1'b0;
      wire unused_order = &{1'b0, read_begins, read_ends, write_begins, g_load};
    end
  endgenerate

  // ---- sectors in -------------------------------------------------------------------------------
  wire             s_error;                  // bus errors: of the sector read, of a write
  wire             write_error;
  wire [TAG-1:0]   write_error_tag;
  wire             s_ready = (atom_i ? at_idle_i : !hold_i) && !write_error;   // one at a time
  wire [31:0]      write_error_m;
  wire [`ADDR_BITS-1:0] write_error_addr;
  lsu_read #(.LANES(LANES), .READS(READS), .TAG(TAG)) u_read (
    .clk(clk), .rst_n(rst_n), .atom_i(atom_i),
    .written_i(write_idle && at_idle_i), .idle_o(read_idle),
    .begins_o(read_begins), .ends_o(read_ends),
    .g_valid_i(g_valid && !g_store && !hit), .g_first_i(g_first), .g_ready_o(read_ready),
    .g_sector_i(g_sector), .g_beat_i(g_beat_o), .g_word_i(g_word), .g_mask_i(g_mask),
    .g_tag_i(g_tag_o),
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
  assign begins_o  = read_begins;
  assign s_atom_o = s_valid && !s_error && !write_error;

  // The group that is written in this cycle, or whose sector comes: its lanes, and where in the
  // sector the lowest starts.
  wire [LANES-1:0] read_mask = !atom_i || at_idle_i ? s_mask_o : at_mask_i;
  wire             read_local = atom_i ? local_i : s_local_i;
  logic [4:0]      put_at, read_at;
  logic [2:0]      put_lane, read_lane;      // of the lowest, in its row of local memory
  always_comb begin
    put_lane  = 3'((g_beat_o << LB) | lowest(32'(g_mask)));
    read_lane = 3'((beat_i << LB) | lowest(32'(read_mask)));
    {put_at, read_at} = '0;
    if (puts_i)
      for (int l = LANES - 1; l >= 0; l--)
        if (g_mask[l]) put_at = g_local ? {put_lane, g_at[5*l +: 2]} : g_at[5*l +: 5];
    if (s_valid || (active_i && atom_i))
      for (int l = LANES - 1; l >= 0; l--)
        if (read_mask[l])
          read_at = read_local ? {read_lane, addr_i[32*l +: 2]} : addr_i[32*l +: 5];
  end
  wire [31:0] put_m  = 32'(g_mask) << (g_beat_o << LB), read_m = 32'(read_mask) << (beat_i << LB);

  // ---- sectors out ------------------------------------------------------------------------------
  wire [255:0] insert_data;
  wire [31:0]  insert_strb;
  wire         m_bready;                     // always: the port takes every answer
  lsu_insert #(.LANES(LANES)) u_insert (
    .en_i(g_put_o), .mask_i(g_mask), .beat_i(g_beat_o), .local_i(g_local),
    .word_i(g_word), .lg_i(g_lg), .at_i(g_at), .data_i(data_i), .data_o(insert_data),
    .strb_o(insert_strb));
  assign g_put_o = g_valid && g_store;
  lsu_write #(.TAG(TAG)) u_write (
    .clk(clk), .rst_n(rst_n), .idle_o(write_idle),
    .more_i(g_held_o ? g_put_o : store_i && !walk_idle), .more_tag_i(g_held_o ? g_tag_o : tag_i),
    .w_valid_i(puts_i ? !hit : at_valid_i && active_i), .w_ready_o(write_ready),
    .w_tag_i(puts_i ? g_tag_o : tag_i), .begins_o(write_begins), .sent_o(sent_o),
    .sent_tag_o(sent_tag_o),
    .out_i(out_i), .busy_o(write_busy_o), .f_tag_o(write_error_tag),
    .w_sector_i(puts_i ? g_sector : at_sector_i), .w_data_i(puts_i ? insert_data : at_data_i),
    .w_strb_i(puts_i ? insert_strb : at_strb_i), .w_lanes_i(puts_i ? put_m : read_m),
    .w_at_i(puts_i ? put_at : read_at),
    .f_valid_o(write_error), .f_lanes_o(write_error_m), .f_addr_o(write_error_addr),
    .m_awvalid_o(axi_write_o.awvalid), .m_awready_i(axi_write_i.awready),
    .m_awaddr_o(axi_write_o.awaddr), .m_wvalid_o(axi_write_o.wvalid),
    .m_wready_i(axi_write_i.wready), .m_wdata_o(axi_write_o.wdata), .m_wstrb_o(axi_write_o.wstrb),
    .m_bvalid_i(axi_write_i.bvalid), .m_berror_i(axi_write_i.berror), .m_bready_o(m_bready));
  assign at_ready_o = write_ready;

  // ---- faults: a lane outside the ranges; a bus error, of this read or of an earlier write ------
  // A bus error of another instruction goes before: that one is older.
  wire [31:0] bus_m = write_error ? write_error_m : read_m;
  wire        bus   = s_valid && s_ready && s_error;
  wire        range = range_valid && !write_error && !(bus && s_tag_o != g_tag_o);
  assign f_valid_o = range_valid || write_error || bus;
  assign f_tag_o   = range ? g_tag_o : write_error ? write_error_tag : s_tag_o;
  assign f_fault_o = !range ? FAULT_BUS : range_readonly ? FAULT_READONLY : FAULT_RANGE;
  assign f_lane_o  = range ? range_lane : lowest(bus_m);
  assign f_m_o     = range ? 32'd1 << range_lane : bus_m;
  assign f_addr_o  = range ? range_addr : write_error ? write_error_addr : {s_sector_o, read_at};
  wire unused = &{1'b0, axi_read_i, m_bready};
endmodule
`default_nettype wire

// The LSU for its test: what comes in structs within the core, port by port.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "axi.vh"
`include "launch.vh"
`include "lsu.vh"
`include "uop.vh"
module lsu_top #(
  parameter LANES        = 32,
  parameter SHARED_BYTES = 65536,
  parameter SLOTS        = 16
) (
  input  wire                  clk, rst_n, clear_i,
  input  wire  [31:0]          cfg_const_base_i, cfg_const_size_i, cfg_local_base_i,
  input  wire  [31:0]          cfg_local_size_i, cfg_shared_size_i,
  input  wire  [4:0]           cfg_nranges_i,
  input  wire  [1023:0]        cfg_range_base_i, cfg_range_limit_i,     // 64 bits each
  input  wire  [15:0]          cfg_range_write_i,
  output wire                  req_ready_o, busy_o,
  input  wire                  req_valid_i, req_first_i, req_last_i, req_pass_i,
  input  wire  [4:0]           req_beat_i, req_warp_i, req_block_i,
  input  wire                  req_load_i, req_store_i, req_atom_i,
  input  wire  [2:0]           req_space_i, req_sz_i,
  input  wire  [3:0]           req_aop_i,
  input  wire                  req_aw_i,
  input  wire  [23:0]          req_off_i,
  input  wire  [7:0]           req_rd_i,
  input  wire  [LANES-1:0]     req_mask_i,
  input  wire  [64*LANES-1:0]  req_a_i, req_b_i, req_c_i,
  output wire                  wb_valid_o, wb_last_o, wb_pass_o,
  input  wire                  wb_ready_i,
  output wire  [4:0]           wb_warp_o, wb_beat_o,
  output wire  [6:0]           wb_pair_o,
  output wire  [1:0]           wb_half_o,
  output wire  [LANES-1:0]     wb_mask_o,
  output wire  [64*LANES-1:0]  wb_data_o,
  output wire                  done_valid_o,
  input  wire                  done_ready_i,
  output wire  [4:0]           done_warp_o, slot_warp_o,  // the latter: of the slot that it names
  output wire  [3:0]           done_fault_o,
  output wire  [31:0]          done_fault_m_o,
  output wire  [63:0]          done_fault_addr_o,
  output wire  [8:0]           dbg_reads_o, dbg_writes_o,
  output wire  [2:0]           dbg_space_o,
  output wire  [2047:0]        dbg_addr_o,
  output wire  [4095:0]        dbg_wdata_o,
  output wire  [31:0]          dbg_shared_m_o, dbg_local_m_o,
  output wire                  m_arvalid_o, m_rready_o, m_awvalid_o, m_wvalid_o, m_bready_o,
  input  wire                  m_arready_i, m_rvalid_i, m_awready_i, m_wready_i, m_bvalid_i,
  output wire  [`ADDR_BITS-1:0] m_araddr_o, m_awaddr_o,
  output wire  [31:0]          m_wstrb_o,
  input  wire  [255:0]         m_rdata_i,
  input  wire  [1:0]           m_rresp_i, m_bresp_i,
  output wire  [255:0]         m_wdata_o
);
  launch_t           launch;
  uop_t              uop;
  wire [3:0]         look;                  // range, where one is looked at in a cycle
  wire               lock;                  // one core: every atomic may begin
  lsu_record_t       record;
  axi_read_t         read;
  axi_read_answer_t  answer;
  axi_write_t        write;
  axi_write_answer_t written;
  always_comb begin
    launch             = '0;
    launch.const_base  = cfg_const_base_i;
    launch.const_size  = cfg_const_size_i;
    launch.local_base  = cfg_local_base_i;
    launch.local_size  = cfg_local_size_i;
    launch.shared_size = cfg_shared_size_i;
    launch.nranges     = cfg_nranges_i;
    uop                = '0;
    uop.warp           = req_warp_i;
    uop.dec.load       = req_load_i;
    uop.dec.store      = req_store_i;
    uop.dec.atom       = req_atom_i;
    uop.dec.space      = req_space_i;
    uop.word[`INSN_RD]  = req_rd_i;
    uop.word[`INSN_OFF] = req_off_i;
    if (req_atom_i) begin
      uop.word[`INSN_AOP] = req_aop_i;
      uop.word[`INSN_AW]  = req_aw_i;
    end else
      uop.word[`INSN_SZ] = req_sz_i;
  end
  assign answer  = {m_arready_i, m_rvalid_i, 1'b1, m_rresp_i[1], 4'd0, m_rdata_i};
  assign written = {m_awready_i, m_wready_i, m_bvalid_i, m_bresp_i[1]};
  assign {m_arvalid_o, m_araddr_o, m_rready_o} = {read.arvalid, read.araddr, read.rready};
  assign {m_awvalid_o, m_awaddr_o} = {write.awvalid, write.awaddr};
  assign {m_wvalid_o, m_wdata_o, m_wstrb_o} = {write.wvalid, write.wdata, write.wstrb};
  assign m_bready_o = 1'b1;
  assign {dbg_reads_o, dbg_writes_o, dbg_space_o, dbg_addr_o, dbg_wdata_o,
          dbg_shared_m_o, dbg_local_m_o}
      = record;
  localparam AB = `ADDR_BITS;
  logic [16*AB-1:0] base, limit;
  always_comb
    for (int r = 0; r < 16; r++) begin
      base[AB*r +: AB]  = cfg_range_base_i[64*r +: AB];
      limit[AB*r +: AB] = cfg_range_limit_i[64*r +: AB];
    end
  wire  [3:0] req_slot, done_slot;
  logic [4:0] warp_q [0:15];
  always_ff @(posedge clk)
    if (req_valid_i && req_first_i) warp_q[req_slot] <= req_warp_i;
  assign slot_warp_o = warp_q[done_slot];
  lsu #(.LANES(LANES), .SHARED_BYTES(SHARED_BYTES), .SLOTS(SLOTS),
        .RANGE_SERIAL(32'(SLOTS == 1))) u_lsu (
    .clk(clk), .rst_n(rst_n), .clear_i(clear_i), .launch_i(launch),
    .range_base_i(base), .range_limit_i(limit),
    .range_write_i(cfg_range_write_i), .range_look_o(look),
    .range_look_i({cfg_range_write_i[look], cfg_range_limit_i[{look, 6'd0} +: AB],
                   cfg_range_base_i[{look, 6'd0} +: AB]}), .req_free_o(req_free),
    .req_slot_o(req_slot), .busy_o(busy_o),
    .req_valid_i(req_valid_i), .req_first_i(req_first_i), .req_last_i(req_last_i),
    .req_pass_i(req_pass_i), .req_beat_i(req_beat_i), .req_uop_i(uop), .req_block_i(req_block_i),
    .req_mask_i(req_mask_i), .req_token_m_i(32'd0), .req_token_bus_i(1'b0),
    .lock_i(1'b1), .lock_o(lock),
    .req_token_addr_i(32'd0), .req_a_i(req_a_i), .req_b_i(req_b_i), .req_c_i(req_c_i),
    .wb_valid_o(wb_valid_o), .wb_ready_i(wb_ready_i), .wb_last_o(wb_last_o), .wb_pass_o(wb_pass_o),
    .wb_warp_o(wb_warp_o), .wb_beat_o(wb_beat_o), .wb_pair_o(wb_pair_o), .wb_half_o(wb_half_o),
    .wb_mask_o(wb_mask_o), .wb_data_o(wb_data_o), .done_valid_o(done_valid_o),
    .done_ready_i(done_ready_i), .done_slot_o(done_slot), .done_warp_o(done_warp_o),
    .done_fault_o(done_fault_o),
    .done_fault_m_o(done_fault_m_o), .done_fault_addr_o(done_fault_addr_o), .record_o(record),
    .axi_read_o(read), .axi_read_i(answer), .axi_write_o(write), .axi_write_i(written));
  // One more than the request that comes in may come.
  wire [4:0] req_free;
  logic      taking_q;
  always_ff @(posedge clk) taking_q <= rst_n && (req_valid_i ? !req_last_i : taking_q);
  assign req_ready_o = req_free > 5'(taking_q || req_valid_i);
  wire unused = &{1'b0, cfg_range_base_i, cfg_range_limit_i, lock, read.arid, read.arlen,
                  m_rresp_i[0], m_bresp_i[0]};
endmodule
`default_nettype wire

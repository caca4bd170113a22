// Launch and status registers on the AXI4-Lite port; numbers and meaning are those of cmodel/isa/csr.def.
// A read or a write is taken when the previous answer has gone; address bits 1:0 are ignored.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "launch.vh"
module csr #(
  parameter LANES = 32, WARPS = 32, NREGS = 256, SHARED_BYTES = 65536, BARRIER_MODE = 1,
            STACK_DEPTH = 16, F64_LANES = 1, CONST_BYTES = 2048, FLOAT_LANES = 32, SFU = 1, RANGE_SERIAL = 0
) (
  input  wire         clk, rst_n,
  // AXI4-Lite
  input  wire         s_awvalid_i, s_wvalid_i, s_bready_i, s_arvalid_i, s_rready_i,
  input  wire [11:0]  s_awaddr_i, s_araddr_i,
  input  wire [31:0]  s_wdata_i,
  output wire         s_awready_o, s_wready_o, s_arready_o,
  output logic        s_bvalid_o, s_rvalid_o,
  output logic [31:0] s_rdata_o,
  // to the core
  output logic        start_o,          // pulse
  output logic        stop_o,           // pulse
  output launch_t     launch_o,
  output wire [16*`ADDR_BITS-1:0] range_base_o, range_limit_o,
  output wire [15:0]  range_write_o,
  input  wire [3:0]   range_look_i,     // see csr_ranges.v
  output range_t      range_look_o,
  output logic [63:0] clock_o,
  // from the core
  input  wire         busy_i, ended_i,
  input  fault_t      fault_i,
  input  wire [63:0]  cycles_i, commits_i
);
  `include "isa_gen.vh"
  `include "codes_gen.vh"
  `include "csr_gen.vh"
  // Launch registers, by word number: those below the status registers.
  (* mem2reg *) logic [31:0] reg_q [0:31];
  logic        aw_q, w_q;
  logic [11:0] awaddr_q;
  logic [31:0] wdata_q;
  wire         ready;
  wire         do_write = aw_q && w_q && !s_bvalid_o && ready;
  wire [9:0]   wr_word = awaddr_q[11:2], rd_word = s_araddr_i[11:2];
  wire         is_range = wr_word[9:6] == CSR_RANGE0[9:6];

  assign s_awready_o = !aw_q;
  assign s_wready_o  = !w_q;
  assign s_arready_o = !s_rvalid_o && ready;
  wire [31:0]  range_data;
  csr_ranges #(.SERIAL(RANGE_SERIAL)) u_ranges (
    .clk(clk), .rst_n(rst_n), .ready_o(ready), .we_i(do_write && is_range), .we_word_i(wr_word[5:0]),
    .rd_word_i(rd_word[5:0]), .wdata_i(wdata_q), .rdata_o(range_data), .base_o(range_base_o),
    .limit_o(range_limit_o), .write_o(range_write_o), .look_i(range_look_i), .look_o(range_look_o)
  );

  // A core with one mechanism has no choice.
  assign launch_o.mode_stack  = STACK_DEPTH != 0 && (BARRIER_MODE == 0 || reg_q[CSR_MODE[4:0]][0]);
  assign launch_o.code_base   = reg_q[CSR_CODE_BASE[4:0]];
  assign launch_o.code_size   = reg_q[CSR_CODE_SIZE[4:0]];
  assign launch_o.entry       = reg_q[CSR_ENTRY[4:0]];
  assign launch_o.const_base  = reg_q[CSR_CONST_BASE[4:0]];
  assign launch_o.const_size  = reg_q[CSR_CONST_SIZE[4:0]];
  assign launch_o.local_base  = reg_q[CSR_LOCAL_BASE[4:0]];
  assign launch_o.local_size  = reg_q[CSR_LOCAL_SIZE[4:0]];
  assign launch_o.spill_base  = reg_q[CSR_SPILL_BASE[4:0]];
  assign launch_o.spill_size  = reg_q[CSR_SPILL_SIZE[4:0]];
  assign launch_o.stack_depth = reg_q[CSR_STACK_DEPTH[4:0]];
  assign launch_o.grid_x      = reg_q[CSR_GRID_X[4:0]];
  assign launch_o.grid_y      = reg_q[CSR_GRID_Y[4:0]];
  assign launch_o.grid_z      = reg_q[CSR_GRID_Z[4:0]];
  assign launch_o.block_x     = reg_q[CSR_BLOCK_X[4:0]];
  assign launch_o.block_y     = reg_q[CSR_BLOCK_Y[4:0]];
  assign launch_o.block_z     = reg_q[CSR_BLOCK_Z[4:0]];
  assign launch_o.threads     = reg_q[CSR_THREADS[4:0]];
  assign launch_o.warps_block = reg_q[CSR_WARPS_BLOCK[4:0]];
  assign launch_o.block_slots = reg_q[CSR_BLOCK_SLOTS[4:0]];
  assign launch_o.shared_size = reg_q[CSR_SHARED_SIZE[4:0]];
  assign launch_o.nranges     = reg_q[CSR_NRANGES[4:0]][4:0];

  always @(posedge clk) begin
    start_o <= 1'b0;
    stop_o  <= 1'b0;
    if (s_awvalid_i && s_awready_o) begin
      aw_q     <= 1'b1;
      awaddr_q <= s_awaddr_i;
    end
    if (s_wvalid_i && s_wready_o) begin
      w_q     <= 1'b1;
      wdata_q <= s_wdata_i;
    end
    if (s_bvalid_o && s_bready_i)
      s_bvalid_o <= 1'b0;
    if (do_write) begin
      aw_q       <= 1'b0;
      w_q        <= 1'b0;
      s_bvalid_o <= 1'b1;
      if (wr_word == CSR_CTRL) begin
        start_o <= wdata_q[0] && !busy_i;
        stop_o  <= wdata_q[1];
      end else if (wr_word < CSR_FAULT) begin
        reg_q[wr_word[4:0]] <= wdata_q;
      end else if (wr_word == CSR_CLOCK) begin
        clock_o[31:0] <= wdata_q;
      end else if (wr_word == CSR_CLOCKH) begin
        clock_o[63:32] <= wdata_q;
      end
    end
    if (!rst_n) begin
      aw_q          <= 1'b0;
      w_q           <= 1'b0;
      s_bvalid_o    <= 1'b0;
      clock_o       <= 64'd0;
      for (int i = 0; i < 32; i = i + 1)
        reg_q[i] <= 32'd0;
    end
  end

  logic [31:0] rdata;
  always_comb begin
    rdata = 32'd0;
    case (rd_word)
      CSR_STATUS:       rdata = {29'd0, fault_i.code != FAULT_NONE, ended_i, busy_i};
      CSR_FAULT:        rdata = {28'd0, fault_i.code};
      CSR_FAULT_PC:     rdata = fault_i.pc;
      CSR_FAULT_BLOCK:  rdata = fault_i.block;
      CSR_FAULT_WARP:   rdata = {27'd0, fault_i.warp};
      CSR_FAULT_LANES:  rdata = fault_i.lanes;
      CSR_FAULT_ADDR:   rdata = fault_i.addr[31:0];
      CSR_FAULT_ADDRH:  rdata = fault_i.addr[63:32];
      CSR_CYCLES:       rdata = cycles_i[31:0];
      CSR_CYCLESH:      rdata = cycles_i[63:32];
      CSR_COMMITS:      rdata = commits_i[31:0];
      CSR_COMMITSH:     rdata = commits_i[63:32];
      CSR_CLOCK:        rdata = clock_o[31:0];
      CSR_CLOCKH:       rdata = clock_o[63:32];
      CSR_CFG_LANES:    rdata = LANES;
      CSR_CFG_WARPS:    rdata = WARPS;
      CSR_CFG_REGS:     rdata = NREGS;
      CSR_CFG_SHARED:   rdata = SHARED_BYTES;
      CSR_CFG_STACK:    rdata = STACK_DEPTH;
      CSR_CFG_ADDR:     rdata = `ADDR_BITS;
      CSR_CFG_ISA:      rdata = ISA_HASH[31:0];
      CSR_CFG_BARRIERS: rdata = BARRIER_MODE != 0 ? 32'd16 : 32'd0;
      CSR_CFG_F64:      rdata = F64_LANES;
      CSR_CFG_CONST:    rdata = CONST_BYTES;
      CSR_CFG_FLOAT:    rdata = FLOAT_LANES < LANES ? FLOAT_LANES : LANES;
      CSR_CFG_SFU:      rdata = FLOAT_LANES != 0 && SFU != 0 ? 32'd1 : 32'd0;
      default:
        if (rd_word < CSR_FAULT)
          rdata = reg_q[rd_word[4:0]];
        else if (rd_word[9:6] == CSR_RANGE0[9:6])
          rdata = range_data;
    endcase
  end
  always @(posedge clk) begin
    if (s_arvalid_i && s_arready_o) begin
      s_rvalid_o <= 1'b1;
      s_rdata_o  <= rdata;
    end else if (s_rready_i)
      s_rvalid_o <= 1'b0;
    if (!rst_n)
      s_rvalid_o <= 1'b0;
  end
  wire unused = &{1'b0, s_awaddr_i[1:0], s_araddr_i[1:0], awaddr_q[1:0]};
endmodule
`default_nettype wire

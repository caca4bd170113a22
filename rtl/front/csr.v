// Launch and status registers on the AXI4-Lite port; numbers and meaning are those of cmodel/isa/csr.def.
// A read or a write is taken when the previous answer has gone; address bits 1:0 are ignored.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module csr #(
  parameter LANES = 32, WARPS = 32, NREGS = 256, SHARED_BYTES = 65536, BARRIER_MODE = 1,
            STACK_DEPTH = 16
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
  output wire         mode_stack_o,
  output wire [31:0]  code_base_o, code_size_o, entry_o, const_base_o, const_size_o,
  output wire [31:0]  local_base_o, local_size_o,
  output wire [31:0]  spill_base_o, spill_size_o, stack_depth_o,
  output wire [31:0]  grid_x_o, grid_y_o, grid_z_o, block_x_o, block_y_o, block_z_o,
  output wire [31:0]  threads_o, warps_block_o, block_slots_o, shared_size_o,
  output wire [4:0]   nranges_o,
  output logic [511:0] range_base_o, range_limit_o,
  output logic [15:0] range_write_o,
  output logic [63:0] clock_o,
  // from the core
  input  wire         busy_i, ended_i, faulted_i,
  input  wire [3:0]   fault_i,
  input  wire [31:0]  fault_pc_i, fault_block_i, fault_lanes_i,
  input  wire [4:0]   fault_warp_i,
  input  wire [63:0]  fault_addr_i, cycles_i, commits_i
);
  `include "isa_gen.vh"
  // Registers 0x008 to 0x05c, by word number.
  logic [31:0] reg_q [0:31];
  logic        aw_q, w_q;
  logic [11:0] awaddr_q;
  logic [31:0] wdata_q;
  wire         do_write = aw_q && w_q && !s_bvalid_o;
  wire [5:0]   range    = awaddr_q[7:2];
  wire         is_range = awaddr_q[11:8] == 4'd1;

  assign s_awready_o = !aw_q;
  assign s_wready_o  = !w_q;
  assign s_arready_o = !s_rvalid_o;

  // A core with one mechanism has no choice.
  assign mode_stack_o  = STACK_DEPTH != 0 && (BARRIER_MODE == 0 || reg_q[2][0]);
  assign code_base_o   = reg_q[3];
  assign code_size_o   = reg_q[4];
  assign entry_o       = reg_q[5];
  assign const_base_o  = reg_q[6];
  assign const_size_o  = reg_q[7];
  assign local_base_o  = reg_q[8];
  assign local_size_o  = reg_q[9];
  assign spill_base_o  = reg_q[10];
  assign spill_size_o  = reg_q[11];
  assign stack_depth_o = reg_q[23];
  assign grid_x_o      = reg_q[12];
  assign grid_y_o      = reg_q[13];
  assign grid_z_o      = reg_q[14];
  assign block_x_o     = reg_q[15];
  assign block_y_o     = reg_q[16];
  assign block_z_o     = reg_q[17];
  assign threads_o     = reg_q[18];
  assign warps_block_o = reg_q[19];
  assign block_slots_o = reg_q[20];
  assign shared_size_o = reg_q[21];
  assign nranges_o     = reg_q[22][4:0];

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
      if (awaddr_q[11:2] == 10'd0) begin
        start_o <= wdata_q[0] && !busy_i;
        stop_o  <= wdata_q[1];
      end else if (awaddr_q[11:7] == 5'd0 && awaddr_q[6:2] < 5'd24) begin
        reg_q[awaddr_q[6:2]] <= wdata_q;
      end else if (awaddr_q[11:2] == 10'h024) begin
        clock_o[31:0] <= wdata_q;
      end else if (awaddr_q[11:2] == 10'h025) begin
        clock_o[63:32] <= wdata_q;
      end else if (is_range) begin
        case (range[1:0])
          2'd0: range_base_o[32*range[5:2] +: 32]  <= wdata_q;
          2'd1: range_limit_o[32*range[5:2] +: 32] <= wdata_q;
          2'd2: range_write_o[range[5:2]]          <= wdata_q[0];
          default: ;
        endcase
      end
    end
    if (!rst_n) begin
      aw_q          <= 1'b0;
      w_q           <= 1'b0;
      s_bvalid_o    <= 1'b0;
      range_base_o  <= 512'd0;
      range_limit_o <= 512'd0;
      range_write_o <= 16'd0;
      clock_o       <= 64'd0;
      for (int i = 0; i < 32; i = i + 1)
        reg_q[i] <= 32'd0;
    end
  end

  logic [31:0] rdata;
  always_comb begin
    rdata = 32'd0;
    case (s_araddr_i[11:2])
      10'h001: rdata = {29'd0, faulted_i, ended_i, busy_i};
      10'h018: rdata = {28'd0, fault_i};
      10'h019: rdata = fault_pc_i;
      10'h01a: rdata = fault_block_i;
      10'h01b: rdata = {27'd0, fault_warp_i};
      10'h01c: rdata = fault_lanes_i;
      10'h01d: rdata = fault_addr_i[31:0];
      10'h01e: rdata = fault_addr_i[63:32];
      10'h020: rdata = cycles_i[31:0];
      10'h021: rdata = cycles_i[63:32];
      10'h022: rdata = commits_i[31:0];
      10'h023: rdata = commits_i[63:32];
      10'h024: rdata = clock_o[31:0];
      10'h025: rdata = clock_o[63:32];
      10'h028: rdata = LANES;
      10'h029: rdata = WARPS;
      10'h02a: rdata = NREGS;
      10'h02b: rdata = SHARED_BYTES;
      10'h02c: rdata = STACK_DEPTH;
      10'h02d: rdata = ISA_HASH[31:0];
      10'h02e: rdata = BARRIER_MODE != 0 ? 32'd16 : 32'd0;
      default:
        if (s_araddr_i[11:7] == 5'd0 && s_araddr_i[6:2] < 5'd24)
          rdata = reg_q[s_araddr_i[6:2]];
        else if (s_araddr_i[11:8] == 4'd1)
          case (s_araddr_i[3:2])
            2'd0: rdata = range_base_o[32*s_araddr_i[7:4] +: 32];
            2'd1: rdata = range_limit_o[32*s_araddr_i[7:4] +: 32];
            2'd2: rdata = {31'd0, range_write_o[s_araddr_i[7:4]]};
            default: ;
          endcase
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

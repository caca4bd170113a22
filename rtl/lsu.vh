// What the LSU keeps of an instruction, and what it says of one to the probe.
// SPDX-License-Identifier: Apache-2.0
`ifndef LSU_VH
`define LSU_VH
// Width of the type below: Yosys has no $bits of a type, and Icarus sizes no memory by that of a
// variable.
`define LSU_INSN_BITS 79
typedef struct packed {
  logic          token;                      // it has the fault FAULT_TOKEN or FAULT_BUS of its pop
  logic          load, store, atom;
  logic          sign;                       // of a load of 8 or 16 bits
  logic          wide;                       // an atomic of 64 bits
  logic          constant;                   // in constant memory
  logic [2:0]    lg;                         // bytes a lane: 1 << lg
  logic [3:0]    aop;
  logic [4:0]    warp;
  logic [7:0]    rd;
  logic [26:0]   local_sector;               // where the warp's local memory starts
  logic [24:0]   shared_base;                // where the block's shared memory starts, in 128 bytes
} lsu_insn_t;
// Zero in lanes that do not execute.
typedef struct packed {
  logic [8:0]    reads, writes;              // sectors that it has read, has written
  logic [2:0]    space;
  logic [2047:0] addr;                       // lane l in bits 64 l +: 64
  logic [4095:0] wdata;                      // word k of lane l in bits 1024 k + 32 l +: 32
`ifdef COMMIT_PORT
  logic [63:0]   addr_sums, wdata_sums;      // of the two (rtl/fpga/sums.vh)
`endif
  logic [31:0]   shared_m, local_m;
} lsu_record_t;
`endif

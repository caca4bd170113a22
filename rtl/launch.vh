// What is the same for a whole grid, and where its blocks and warps are.
// SPDX-License-Identifier: Apache-2.0
`ifndef LAUNCH_VH
`define LAUNCH_VH
`include "address.vh"
// Launch registers (cmodel/machine/csr.def), without the ranges of memory.
typedef struct packed {
  logic         mode_stack;
  logic [4:0]   nranges;
  logic [31:0]  code_base, code_size, entry, const_base, const_size, local_base, local_size;
  logic [31:0]  spill_base, spill_size, stack_depth;
  logic [31:0]  grid_x, grid_y, grid_z, block_x, block_y, block_z;
  logic [31:0]  threads, warps_block, block_slots, shared_size;
} launch_t;
// A range of memory that the grid may touch.
typedef struct packed {
  logic         write;                       // it may be written
  logic [`ADDR_BITS-1:0] limit, base;        // the first byte after it, its first byte
} range_t;
// Where a warp is: its block, and the warp and block slots.
`define PLACE_BITS 143
typedef struct packed {
  logic [31:0]  ctaid_z, ctaid_y, ctaid_x;
  logic [31:0]  block;                       // its linear number
  logic [4:0]   first;                       // the block's first warp slot
  logic [4:0]   warp;                        // number within the block
  logic [4:0]   slot;                        // the block's
} place_t;
// The first fault of a grid.
typedef struct packed {
  logic [3:0]   code;                        // FAULT_NONE: there is none
  logic [4:0]   warp;                        // of its block
  logic [31:0]  pc, block, lanes;
  logic [63:0]  addr;
} fault_t;
`endif

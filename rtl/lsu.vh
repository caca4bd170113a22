// What the LSU says of an instruction to the probe; zero in lanes that do not execute.
// SPDX-License-Identifier: Apache-2.0
`ifndef LSU_VH
`define LSU_VH
typedef struct packed {
  logic [8:0]    reads, writes;              // sectors that it has read, has written
  logic [2:0]    space;
  logic [1023:0] addr;                       // lane l in bits 32 l +: 32
  logic [4095:0] wdata;                      // word k of lane l in bits 1024 k + 32 l +: 32
  logic [31:0]   shared_m, local_m;
} lsu_record_t;
`endif

// What the stack unit tells the probe of a step: docs/stack.md, "What is in the commit record".
// SPDX-License-Identifier: Apache-2.0
`ifndef STACK_VH
`define STACK_VH
typedef struct packed {
  logic         unwind, pushed, popped, spilled, filled;
  logic [63:0]  token;                       // pushed or popped
  logic [255:0] moved;
  logic [31:0]  addr;
} stack_record_t;
`endif

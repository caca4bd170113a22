// What the stack unit's parts hand to each other, and what it tells the probe.
// SPDX-License-Identifier: Apache-2.0
`ifndef STACK_VH
`define STACK_VH
// What a step does.
typedef struct packed {
  logic        run, finish, ended;           // run_m runs at run_pc; a commit; the warp has ended
  logic        push, pop, fill;              // token; the top; it is wanted on chip
  logic        stay;                         // it cannot go on now: again in the next cycle
  logic        fault;                        // code, lanes: the instruction faults, and nothing else happens
  logic        check;                        // goes on with the block barriers
  logic        arrive, leave, release_bar;   // block barrier counts
  logic        live_we, wait_we;             // live and wait_m, at are written
  logic [31:0] run_m, run_pc;
  logic [63:0] token;                        // {pc, kind, mask}
  logic [3:0]  code;
  logic [31:0] lanes;                        // that fault, arrive or leave
  logic [31:0] live, wait_m;
  logic [5:0]  at;                           // {at a block barrier, at a WARPSYNC, number}
} stack_effect_t;
// Of what retires: docs/stack.md, "What is in the commit record".
typedef struct packed {
  logic         unwind, pushed, popped, spilled, filled;
  logic [63:0]  token;                       // pushed or popped
  logic [255:0] moved;
  logic [31:0]  addr;
} stack_record_t;
`endif

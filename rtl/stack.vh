// What the stack unit's parts hand to each other, and what it tells the probe.
// SPDX-License-Identifier: Apache-2.0
`ifndef STACK_VH
`define STACK_VH
typedef struct packed {
  logic [29:0]  pc;                          // in words
  logic [1:0]   kind;                        // TOKEN_SYNC, _DIV, _CALL
  logic [31:0]  lanes;
} token_t;
// The top of a warp's stack.
typedef struct packed {
  logic         has;                         // token is it; else its row lies in memory, or
  logic         none, last;                  // there is no token; there is one
  logic         broken;                      // it came with a bus error
  token_t       token;
} top_t;
// That of a warp whose carrier is looked at.
typedef struct packed {
  logic         has, none;
  logic [1:0]   kind;                        // the token's
} looked_t;
// A row of tokens that comes back to the chip.
typedef struct packed {
  logic         valid;
  logic [4:0]   warp;
  logic         broken;
  logic [1:0]   kind;                        // of its highest token
} fill_t;
// A carrier of `.S` enters its warp's buffer.
typedef struct packed {
  logic         valid;
  logic [4:0]   warp;
} look_t;
// Carriers that go on: one retires in the next cycle, from the pipeline, or from the LSU if the stack unit
// says so; the one that the LSU is given.  Apart from those that enter, since some enter because of a step.
typedef struct packed {
  logic         pop, lsu_pop;
  logic [4:0]   pop_warp, lsu_warp, bad_warp;
} carrier_t;
// What a step does.
typedef struct packed {
  logic         run, finish, ended;          // next_active runs at next_pc; a commit; the warp has ended
  logic         push, pop, fill;             // token; the top; it is wanted on chip
  logic         stay;                        // it cannot go on now: again in the next cycle
  logic         fault;                       // code, lanes: the instruction faults, and nothing else happens
  logic         check;                       // goes on with the block barriers
  logic         passed;                      // a warp that the release of one visits is dealt with
  logic         arrive, leave;               // block barrier counts
  logic         live_we, wait_we;            // live and wait_m, at_bar, at_wsync, bar_at are written
  logic [31:0]  next_active, next_pc;
  token_t       token;
  logic [3:0]   code;
  logic [31:0]  lanes;                       // that fault, arrive or leave
  logic [31:0]  live, wait_m;
  logic         at_bar, at_wsync;            // where wait_m wait: block barrier bar_at, a WARPSYNC
  logic [3:0]   bar_at;
} stack_effect_t;
// Of what retires: docs/stack.md, "What is in the commit record".
typedef struct packed {
  logic         pipe;                        // of a carrier of the pipeline; else of a unit's instruction
  logic         unwind, pushed, popped, spilled, filled;
  token_t       token;                       // pushed or popped
  logic [255:0] moved;
  logic [31:0]  addr;
} stack_record_t;
`endif

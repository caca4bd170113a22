// What the convergence unit's parts hand to each other.
// SPDX-License-Identifier: Apache-2.0
`ifndef CONV_VH
`define CONV_VH
// The lanes of one warp, and what else belongs to the warp.  A live lane that does not run is in
// exactly one of rdy, blocked, yld, wsync, bar.
typedef struct packed {
  logic [31:0] live, rdy;
  logic [31:0] blocked;                      // in BSYNC
  logic [31:0] yld;                          // yielded
  logic [31:0] wsync, bar;                   // at a WARPSYNC, at a block barrier
  logic [31:0] alt, stk;              // the group deferred last; lanes on STK (age.v has the order)
  logic [4:0]  ptr;                          // where next() looks first if nothing is deferred
  logic        due;                          // the pointer is not yet past the group picked
  logic        again;                        // rule 2: the group repeats a split, runs its T first
} lanes_t;
// Where an instruction is in its steps.
typedef struct packed {
  logic [3:0]  step;
  logic        broke;                        // a BREAK that completed a barrier
  logic [4:0]  cur;                          // warp of the next step, unless S_EXEC
  logic [15:0] scan;                         // barriers to look at
  logic [31:0] todo;                         // lanes at a WARPSYNC that may be complete
  logic [31:0] fin_m, fin_pc;                // the group that runs when its barrier has given way
  logic [31:0] out;                          // lanes just released
  logic [31:0] own, own_pc;                  // where the instruction's warp runs on
  logic [31:0] released;
  logic [15:0] emptied;                      // barriers that are done with
  logic        gaveway;
} work_t;
// What a step does besides changing the two.
typedef struct packed {
  logic        run, finish, fault, ended;    // next_active runs at next_pc; the instruction is
                                             // done; so is the warp
  logic        picked;                       // next_active waited until now
  logic        deferring, joining;           // put_m is deferred at def_pc; ALT is a part of it
  logic        demote, push;                 // on STK: ALT's lowest lane; the lane looked at
  logic        passed;            // a warp that the release of a block barrier visits is dealt with
  logic        b_we, empties;                // b_put to the barrier looked at; or 0
  logic        arrive, leave;                // block barrier counts
  logic [31:0] next_active, next_pc, def_pc;
  // PC, barrier number, mask of lanes put_m are written
  logic        at_we, bar_at_we, sync_we;
  logic [31:0] put_m;
  logic [31:0] b_put;
} effect_t;
`endif

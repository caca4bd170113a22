// What the convergence unit's parts hand to each other.
// SPDX-License-Identifier: Apache-2.0
`ifndef CONV_VH
`define CONV_VH
`define CONV_TAG 11                   // bits of a yield set's tag: fewer than 32 * 32 are ever open
// The lanes of one warp, and what else belongs to the warp.  A live lane that does not run is in
// exactly one of rdy, blocked, yld, wsync, bar.
typedef struct packed {
  logic [31:0] live, rdy;
  logic [31:0] blocked;                      // in BSYNC
  logic [31:0] yld, ys;                      // yielded; of these the open set
  logic [31:0] wsync, bar;                   // at a WARPSYNC, at a block barrier
  logic [31:0] alt, stk;              // the group deferred last; lanes on STK (age.v has the order)
  logic [31:0] due;                   // ready lanes that run before those that become ready later
  logic        first;                      // rule 2: the group repeats a split and runs its T first
  logic [`CONV_TAG-1:0] ytail, yhead;        // tags of the next set to be closed, of the oldest
} lanes_t;
// Where an instruction is in its steps.
typedef struct packed {
  logic [3:0]  step;
  logic        broke;                        // a BREAK that completed a barrier
  logic        give;                         // rule 8
  logic [4:0]  cur;                          // warp of the next step, unless S_EXEC
  logic [3:0]  b;                            // barrier to release
  logic [15:0] scan;                         // barriers to look at
  logic [31:0] todo;                         // released lanes that are still to be deferred
  logic [31:0] fin_m, fin_pc;                // the group that runs then
  logic [31:0] out;                          // lanes just released
  logic [31:0] own, own_pc;                  // where the instruction's warp runs on
  logic [31:0] released;
  logic        gaveway;
} work_t;
// What a step does besides changing the two.
typedef struct packed {
  logic        run, finish, fault, ended;    // next_active runs at next_pc; the instruction is
                                             // done; so is the warp
  logic        deferring;                    // put_m is deferred at def_pc
  logic        passed;            // a warp that the release of a block barrier visits is dealt with
  logic        b_we, bpc_we;                 // b_put to the barrier looked at; lanes blocked on bx
  logic        arrive, leave;                // block barrier counts; exec leave all barriers
  logic [31:0] next_active, next_pc, def_pc;
  // PC, barrier number, mask, tag of lanes put_m are written
  logic        at_we, bar_at_we, sync_we, tag_we;
  logic [31:0] put_m;
  logic [31:0] b_put;
} effect_t;
`endif

// What a board asks of the core's commit port (commit_port.v), and what that shows in a cycle.
// SPDX-License-Identifier: Apache-2.0
`ifndef COMMIT_PORT_VH
`define COMMIT_PORT_VH
typedef struct packed {
  // A replay: whose turn it is; nobody else may issue, unwind or start.  What the clock shows.
  logic          replay, turn, place;        // an instruction of a warp; a block
  logic [4:0]    slot;                       // its warp slot, its block slot
  logic [63:0]   clock;
  logic [15:0]   every;                      // commits from one digest to the next, 2 at least
  logic [8:0]    at;                         // which word of the records
} port_ask_t;
typedef struct packed {
  logic          issued;                     // a warp issues an instruction
  logic          busy;                       // a grid runs, or what it began is on its way
  // an instruction retires through a port, the pipeline's first; a block
  logic          pipe, unit, place, clock;
  // starts; a warp reads the clock.  Their slots
  logic [4:0]    pipe_slot, unit_slot, place_slot, clock_slot;
  logic [63:0]   time_now;                   // the clock
  logic [63:0]   count, digest;              // commits before this cycle, and their digest
  logic          sign, early;                // a digest is due, after the pipeline's commit: the
  logic [63:0]   signature;                  // one after the last commit that it covers
  logic [31:0]   pipe_word, unit_word;       // the words `at` of both records
} port_t;
`endif

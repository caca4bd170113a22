// The interface that both mechanisms of convergence implement, conv.v (barrier mode) and stack.v (stack
// mode); converge.v chooses one of them.
// SPDX-License-Identifier: Apache-2.0
`ifndef CONVERGE_VH
`define CONVERGE_VH
`include "uop.vh"
`include "stack.vh"
// A control instruction, as the pipeline hands it over.
typedef struct packed {
  uop_t          uop;
  logic [31:0]   exec;                       // lanes whose guard holds
  logic [31:0]   operand;                    // the lowest one's second source
  logic [31:0]   same, target;               // of an indirect branch (same_target.v)
} control_t;
`define CONTROL_BITS (`UOP_BITS + 128)
// A warp that the dispatcher starts.
typedef struct packed {
  logic          valid;
  logic [4:0]    warp;
  logic [31:0]   lanes, pc;
} start_t;
// The block of the step's warp.
typedef struct packed {
  logic [4:0]    first;                      // its first warp slot
  logic [5:0]    warps;
  logic [15:0]   complete;                   // barriers at which all have arrived
} block_t;
// When the units may retire (slots.v), and whether memory is at work.
typedef struct packed {
  logic          keep;                       // the next cycle is the LSU's
  logic          none;                       // nothing of the pipeline is on the way to retire
  logic          mem_busy;                   // some memory instruction has not retired
} slots_t;
// What a step does, in its cycle.
typedef struct packed {
  logic          done;                       // the instruction leaves the queue
  logic          ended;                      // all lanes of the step's warp have exited
  logic          run;                        // its next_active run at next_pc; none: it stands still
  logic          arrive, leave, release_bar; // counts of block barriers: `lanes` come to bar, exit; bar is empty
  logic [3:0]    bar;
  logic [5:0]    lanes;
  logic [31:0]   next_active, next_pc;
} step_t;
// Who has to wait.
typedef struct packed {
  logic          issue, mem;                 // no warp issues; no memory instruction retires
  logic          late;                       // a step has waited for long, mostly for carriers that pop
} hold_t;
// An instruction that retires, or an unwinding.
typedef struct packed {
  uop_t          uop;
  logic          gaveway;                    // rule 8
  logic [3:0]    fault;
  logic [31:0]   fault_m, fault_addr;        // lanes; the address of a bus error
  logic [31:0]   exec, released;
  logic [15:0]   emptied;                    // barrier registers that it has emptied
  logic [31:0]   let_go;                     // warps whose lanes a block barrier let go
  logic [31:0]   next_pc;                    // where those run that run next
  logic [31:0]   bbefore, bafter;            // participants of the barrier register
} control_commit_t;
// Of a warp that retires, for the probe.
typedef struct packed {
  logic [31:0]   live, rdy, blocked, yld, wsync, bar;
  logic [127:0]  bar_at;                     // number of the barrier at which each lane waits
  logic [1023:0] at;                         // where each lane that waits goes on
  logic [31:0]   depth;                      // tokens
} view_t;
`endif

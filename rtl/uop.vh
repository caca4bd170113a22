// An instruction in the pipeline: the word, what the decoder said, and whose it is; a beat of it.
// SPDX-License-Identifier: Apache-2.0
`ifndef UOP_VH
`define UOP_VH
`include "insn_gen.vh"
// Widths of the types below; Yosys has no $bits of a type.
`define DEC_BITS  29
`define UOP_BITS  227
`define NEED_BITS 75
typedef struct packed {
  logic [2:0]   unit;                        // UNIT_SERIAL: f64, and what else goes lane after lane
  logic         f64;
  logic         reads_a, a_pair, reads_b, b_pair, b_quad, reads_c, c_pair, b_imm, b_sext;
  logic         writes_rd;
  logic [1:0]   rd_size;
  logic         writes_pd, reads_ps, reads_pt, load, store, atom;
  logic [2:0]   space;
  logic [3:0]   fault;         // FAULT_NONE; or ILLEGAL, PC, BUS (fetch met it), TOKEN (a carrier's
                                             // pop faults, perhaps by a bus error): then unit is
                                             // CTL
} dec_t;

typedef struct packed {
  logic [4:0]   warp;
  logic [31:0]  pc;
  logic [31:0]  active;                      // lanes of the running group
  logic         late;                        // written two cycles later: the slot was taken
  dec_t         dec;
  logic [127:0] word;
} uop_t;

// An instruction as fetch hands it over.
typedef struct packed {
  logic         valid;
  logic [4:0]   warp;
  logic [31:0]  pc;
  logic         again;                       // a group begins where one has begun lately
  logic         bad_pc, bus;                 // it lies outside .text; fetch met a bus error
  logic         constant;                    // c[], or what an LDC loads, is in the constant cache
  logic         const_bus;                   // a bus error, of c[]
  logic [127:0] word;
} fetched_t;

// A beat of an instruction, on its way to the write port.
typedef struct packed {
  logic         last;                        // of its beats
  logic [4:0]   beat;
  logic [31:0]  exec;                     // lanes whose guard holds; all of them with the last beat
  uop_t         uop;
} beat_t;

// What the scoreboard needs of an instruction that waits in a buffer.
typedef struct packed {
  logic [7:0]   ra, rb, rc, rd;
  logic [2:0]   pg, ps, pq, pd;
  logic         pop;                         // a carrier of `.S`
  logic         plain;                       // control that needs no operand, nor writes one
  dec_t         dec;
} need_t;
`endif

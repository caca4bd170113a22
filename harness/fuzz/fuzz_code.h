/* What the parts of the machine-code generator share: the growing program, registers, labels.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_CODE_H
#define FUZZ_CODE_H
#include "harness/fuzz/fuzz.h"

enum { CODE_MAX = 2000, LABEL_MAX = 600, LEVELS = 3, PER_LEVEL = 4 };

/* Registers with a fixed use; the live and dead pools lie elsewhere.  Each call level has its
 * own loop counters and saved barriers, since a callee runs inside its caller's loops. */
enum { R_IN = 64, R_OUT = 66, R_SUM = 68, R_GTID = 70, R_SHARED = 71, R_TID = 72, R_T = 73,
       R_TT = 74, R_GSHARED = 76, R_GLOCAL = 78, R_IN0 = 80, R_LINK = 82, R_COUNT = 88,
       R_SAVED = R_COUNT + LEVELS * PER_LEVEL, R_DEAD = 112 };
/* P0 to P3 are data; a condition that was just made; results that are never read; loop control. */
enum { LIVE_PREDS = 4, P_COND = 4, P_DEAD = 5, P_LOOP = 6, LIVE_REGS = 16, DEAD_REGS = 8,
       LOCAL_BYTES = 16 };

struct gen {
    struct rng r;
    struct fuzz_case *c;
    const struct fuzz_weights *w;
    struct hd_insn insn[CODE_MAX];
    int target[CODE_MAX];        /* label that `imm` becomes, -1: none */
    int n, budget;
    int label[LABEL_MAX], nlabels;
    /* Instructions whose immediate is an address in the data of the module, so many bytes from
     * where it begins. */
    struct { int at; uint32_t add; } address[CODE_MAX];
    int addresses;
    struct fuzz_pool live, dead;
    unsigned level, depth, loops;      /* call level; open regions and loops of this function */
    unsigned barriers;           /* registers that nests of a level, or a wild kernel, may use */
    unsigned barrier0, apart;    /* wild: the first of them, and from one to the next */
    uint32_t open;               /* barrier registers of open regions */
    bool stack, top;             /* top: every live lane of the block comes here equally often */
    bool odd, bars, contended, faulty;
    bool data;                   /* the module has data */
    bool halves;                 /* wild: lanes differ by halves of the warp alone */
    /* Lanes left a barrier early: they may join it again while others are blocked there, who are
     * then held.  No lane may want them all at a block barrier. */
    bool held;
    int function[LEVELS][2];     /* labels; level 0 is the kernel itself */
    bool called[LEVELS][2];
};

/* fuzz_code.c */
struct gen *code_new(struct fuzz_case *c, const struct fuzz_weights *w);    /* without a prologue */
struct gen *code_begin(struct fuzz_case *c, const struct fuzz_weights *w);  /* with its prologue */
void code_end(struct gen *g);                                /* sets the image and frees g */
int code_emit(struct gen *g, struct hd_insn i);              /* its index */
int code_emit_to(struct gen *g, struct hd_insn i, int label);
int code_label(struct gen *g);
void code_here(struct gen *g, int label);
struct hd_insn code_imm(enum hd_op op, unsigned rd, unsigned ra, uint32_t imm);
struct hd_insn code_reg(enum hd_op op, unsigned rd, unsigned ra, unsigned rb);
uint8_t code_live(struct gen *g);                            /* a live register */
/* guards i with something that differs between lanes */
void code_condition(struct gen *g, struct hd_insn *i);
void code_plain(struct gen *g);                              /* one instruction that computes */
void code_statements(struct gen *g, unsigned n);
/* fuzz_flow.c: the statements that branch; fuzz_memory.c: those that load, store or talk to
 * other threads. */
void flow_if(struct gen *g);
void flow_loop(struct gen *g);
void flow_switch(struct gen *g);
void flow_call(struct gen *g);
void flow_exit(struct gen *g);
void flow_odd(struct gen *g);
void flow_yield(struct gen *g);
void flow_fault(struct gen *g);
void flow_functions(struct gen *g);
void memory_access(struct gen *g);
void memory_atomic(struct gen *g);
void memory_exchange(struct gen *g);    /* through shared memory, with block barriers */
void memory_talk(struct gen *g);                             /* shuffle, vote, match */
void memory_data(struct gen *g);    /* reads the module's data, or takes an address of it */
void memory_data_make(const struct gen *g, struct hd_image *img);   /* and its relocations */
void memory_dead(struct gen *g);    /* values that depend on the schedule */
unsigned memory_bytes(const struct hd_insn *i);              /* that a lane accesses */
/* fuzz_code.c: one warp of each block, or one block in a row, goes on alone, or it alone ends. */
void code_alone(struct gen *g, bool goes_on);
/* Wild programs: this many steps, of one instruction or some. */
enum { WILD_BODY = 64 };
/* fuzz_part.c: makes of an ISETP or IMAD one on which lanes differ; a PC far away. */
void wild_differ(struct gen *g, struct hd_insn *i);
uint32_t wild_far(struct gen *g);
/* What the themes `wide' and `lone' make of an instruction; *to: its target's label, or -1; at: its
 * step. */
void wild_widen(struct gen *g, struct hd_insn *i, int *to);
void wild_part_lanes(struct gen *g, struct hd_insn *i, int at);
void wild_scatter(struct gen *g, const int *place);  /* in barrier mode, before the first step */
/* fuzz_spoil.c: changes words of a finished program after the word `first', any bit, or all but
 * opcodes; or makes a program that would end well, and changes some instructions. */
void wild_flip(struct fuzz_case *c, struct rng *r, int first);
void wild_scramble(struct fuzz_case *c, struct rng *r, int first);
void wild_spoil(struct fuzz_case *c, const struct fuzz_weights *w);
/* fuzz_straight.c: the kernels of WILD_STRAIGHT. */
void wild_straight(struct fuzz_case *c, const struct fuzz_weights *w);
/* fuzz_pattern.c: gives a memory instruction an address, made just before it. */
void wild_pattern(struct gen *g, struct hd_insn *i);
/* Once: where lanes access memory, so that they meet in two sectors; then of each instruction. */
void wild_sectors(struct gen *g);
void wild_meet(struct gen *g, struct hd_insn *i);
#endif

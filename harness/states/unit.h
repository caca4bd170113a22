/* The convergence unit of an H200, as its own states say.  SPDX-License-Identifier: Apache-2.0
 *
 * Not the model of the core: docs/convergence.md says what both have in common.  Programs and
 * states are those of tests/silicon/states. */
#ifndef STATES_UNIT_H
#define STATES_UNIT_H
#include <stdbool.h>
#include <stdint.h>

enum { UNIT_LANES = 32, UNIT_BARRIERS = 16, UNIT_INSNS = 48, UNIT_WORDS = 32 };
enum unit_op { UNIT_NOP, UNIT_BRA, UNIT_CALL, UNIT_BRX, UNIT_RET, UNIT_BSSY, UNIT_BSYNC, UNIT_BREAK,
               UNIT_YIELD, UNIT_EXIT, UNIT_WARPSYNC, UNIT_BMOV, UNIT_BMOV_CLEAR, UNIT_BAR };

/* word: of a guard, the lanes of each visit; of BRX and RET, each lane's target; of WARPSYNC and
 * BMOV, the mask.  dense: no record was made before it. */
struct unit_insn {
    enum unit_op op;
    bool guard, dense;
    unsigned arg, words;
    uint32_t word[UNIT_WORDS];
};
struct unit_program { char name[64]; unsigned n, lanes; struct unit_insn insn[UNIT_INSNS]; };

/* Where lanes stand: at the start of instruction k (its record comes first), at the instruction
 * itself, after it.  A dense instruction is its own start, and after it comes the next one's. */
#define UNIT_START(k)   (4u * (k))
#define UNIT_PLACE_NONE 0xffffu
unsigned unit_control(const struct unit_program *p, unsigned k);
unsigned unit_after(const struct unit_program *p, unsigned k);

struct unit {
    const struct unit_program *program;
    uint32_t active, ready, yielded, waiting, exited, blocked[UNIT_BARRIERS];
    uint32_t members[UNIT_BARRIERS];    /* the barrier registers */
    uint32_t sync[UNIT_LANES];          /* WARPSYNC's mask of a lane that waits */
    uint32_t alt;                       /* the group deferred last; it stays after it has run */
    uint16_t pc, at[UNIT_LANES], alt_pc;
    uint8_t stack[UNIT_LANES], depth;   /* the lowest lane of each deferred group */
    uint8_t pointer;
    bool alt_on_top;                    /* alt is what the top of the stack means */
    bool joined_late[UNIT_BARRIERS];    /* several groups have entered the barrier */
};
void unit_start(struct unit *u, const struct unit_program *p);
/* Executes instruction k for the active lanes, exec of which have their guard. */
void unit_step(struct unit *u, unsigned k, uint32_t exec);
/* The instruction that the active lanes come to next. */
unsigned unit_next_insn(const struct unit *u);
#endif

/* The convergence rules a second time, for tests: lane by lane, slow, written from the text alone.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef RULES_NAIVE_H
#define RULES_NAIVE_H
#include <stdbool.h>
#include <stdint.h>
#include "cmodel/isa/isa.h"

enum lane_state { RUNS, READY, BLOCKED, YIELDED, AT_WARPSYNC, AT_BLOCK_BARRIER, EXITED };

struct lane_set { bool in[32]; };
struct naive {
    struct {
        enum lane_state state;
        uint32_t pc;                /* where it continues; BLOCKED: the BSYNC */
        int barrier;                /* BLOCKED, AT_BLOCK_BARRIER: on which */
        uint32_t mask;              /* AT_WARPSYNC */
    } lane[32];
    struct lane_set b[16];          /* participants */
    bool has_alt;
    struct lane_set alt;
    int stk[32], nstk;              /* the last one is popped first */
    int ptr;
    bool again;                     /* rule 2: R executes the instruction again */
    struct lane_set released;       /* by the last step, its next() included */
    bool gave_way;                  /* rule 8: nothing was ready and nothing had yielded */
};

void naive_start(struct naive *n, uint32_t lanes, uint32_t entry);
/* Executes `in` on the running lanes.  exec: where the guard holds; value: of the register
 * operand. */
void naive_step(struct naive *n, const struct hd_insn *in, uint32_t exec, const uint32_t value[32]);
/* The rest of BAR and EXIT, which concern a block: its barrier x is complete; pick a group, after
 * an EXIT by rule 6. */
void naive_block_release(struct naive *n, int x);
void naive_next(struct naive *n);
void naive_exited(struct naive *n);
bool naive_runs(const struct naive *n);
uint32_t naive_mask(const struct lane_set *s);
uint32_t naive_state(const struct naive *n, enum lane_state s);
uint32_t naive_arrived(const struct naive *n, int b);
#endif

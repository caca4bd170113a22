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
        uint32_t pc;                    /* where it continues */
        int barrier;                    /* BLOCKED, AT_BLOCK_BARRIER: on which */
        uint32_t mask;                  /* AT_WARPSYNC */
    } lane[32];
    struct lane_set b[16];                  /* participants */
    struct { uint32_t pc; unsigned when; } last[16];        /* the last arrival at each */
    unsigned now;
    bool has_alt, first;
    struct lane_set alt;
    int stk[1024], nstk;              /* never pruned: next() looks whether a lane is still in it */
    bool in_stk[32];
    struct lane_set due;                /* ready lanes whose turn comes before that of later ones */
    struct lane_set open, queue[1024];
    int head, tail;
    struct lane_set released;
    bool gave_way;
};

void naive_start(struct naive *n, uint32_t lanes, uint32_t entry);
/* Executes `in` on the running lanes.  exec: where the guard holds; value: of the register
 * operand. */
void naive_step(struct naive *n, const struct hd_insn *in, uint32_t exec, const uint32_t value[32]);
/* The rest of BAR and EXIT, which concern a block: its barrier x is complete; pick a group. */
void naive_block_release(struct naive *n, int x);
void naive_next(struct naive *n);
bool naive_runs(const struct naive *n);
uint32_t naive_mask(const struct lane_set *s);
uint32_t naive_state(const struct naive *n, enum lane_state s);
#endif

/* The reconvergence stack of one warp, stack mode: docs/stack.md, one function an instruction.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The active lanes, their PC and the lanes at a block barrier live in the warp's `struct conv`, of
 * which stack mode uses no other part: a live lane that is in none of its sets is in a token. */
#ifndef HD_STACK_H
#define HD_STACK_H
#include <stdbool.h>
#include <stdint.h>
#include "cmodel/isa/commit.h"

struct model;
struct warp;

enum { STACK_MAX = 64, STACK_CHUNK = 4 };

struct stack {
    struct hd_token chip[STACK_MAX];        /* the topmost tokens, the highest last */
    uint32_t n;                             /* how many of them */
    uint32_t spilled;                       /* tokens below them, in the warp's spill area */
    uint32_t lost;             /* 1 + the highest chunk there that was lost: a bus error; 0: none */
};

static inline uint32_t stack_depth(const struct stack *s)
{
    return s->n + s->spilled;
}

/* Where token i of the stack, 0 the lowest, lies when it is spilled. */
uint32_t stack_address(const struct model *m, const struct warp *w, uint32_t i);
/* Token i, wherever it is. */
struct hd_token stack_token(const struct model *m, const struct warp *w, uint32_t i);

/* Each of the following executes one instruction, active and pc in w->conv.  On a fault, which is
 * left in m, nothing has happened.  rec may be NULL. */
enum hd_fault stack_ssy(struct model *m, struct warp *w, uint32_t target, struct hd_commit *rec);
/* Some but not all active lanes branch. */
enum hd_fault stack_branch(struct model *m, struct warp *w, uint32_t exec, uint32_t target,
                           struct hd_commit *rec);
enum hd_fault stack_brx(struct model *m, struct warp *w, uint32_t exec, const uint32_t *target,
                        struct hd_commit *rec);
enum hd_fault stack_cal(struct model *m, struct warp *w, uint32_t target, struct hd_commit *rec);
enum hd_fault stack_calr(struct model *m, struct warp *w, const uint32_t *target,
                         struct hd_commit *rec);
enum hd_fault stack_rett(struct model *m, struct warp *w, struct hd_commit *rec);

/* EXIT and `.S` come in two halves, as something happens before the pop: the check, which may
 * fault, and the pop that it has allowed.  EXIT pops if it leaves lanes live but none active. */
enum hd_fault stack_check_exit(struct model *m, const struct warp *w, uint32_t exec);
enum hd_fault stack_check_carrier(struct model *m, const struct warp *w);
void stack_pop(struct model *m, struct warp *w, struct hd_commit *rec);

/* The last pop left no lane active, so the warp's next step is another one. */
bool stack_unwinds(const struct warp *w);
enum hd_fault stack_unwind(struct model *m, struct warp *w, struct hd_commit *rec);
#endif

/* A loop over the lanes, written as C: instructions that compute lane by lane.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_LOOP_H
#define HD_LOOP_H
#include <string.h>
#include "cmodel/native/native.h"

enum { LOOP_REGS = 256, LOOP_PREDS = 8 };

struct loop {
    FILE *out;
    bool begins[LOOP_REGS], set[LOOP_REGS]; /* it needs the register's old value; it writes it */
    bool begins_p[LOOP_PREDS], set_p[LOOP_PREDS];
    int mask[LOOP_PREDS];                   /* K of the predicate's value now; NONE: q */
    int masks;
    uint32_t all;                           /* instructions without a guard */
    struct { int mask, pred; bool not, fetch; } guard[512];
    int guards;
    uint32_t at, clocks;                    /* instructions put so far; of these, of the clock */
    uint32_t fetches, fetches_all;          /* loads of constants; those without a guard */
    /* What straight.c asks for.  Registers that are 0 before, and that nobody reads after. */
    bool zero[LOOP_REGS], dead[LOOP_REGS];
    bool alone;                             /* one lane: masks are not kept */
    /* The loop's next load reads at x<row>, and steps[row] bytes on for the next lane. */
    unsigned row;
    const int *steps;
};

static inline bool has(const struct hd_insn *i, char letter)
{
    return strchr(hd_ops[i->op].operands, letter) != NULL;
}

static inline bool guarded(const struct hd_insn *i)
{
    return i->pg != HD_PT || i->pn;
}

/* A loop of these n instructions: what it begins with and writes. */
void loop_begin(struct loop *l, FILE *out, const struct hd_insn *i, uint32_t n);
void loop_put(struct loop *l, const struct hd_insn *i, uint32_t n);
/* The words of constants that they read, each once, as k<offset>; where the bank ends before them
 * `left' is returned. */
void loop_put_constants(FILE *out, const struct hd_insn *i, uint32_t n, uint32_t left);
/* An instruction on variables r<N> and p<N>; its sources and its modifiers alone. */
void loop_put_insn(struct loop *l, const struct hd_insn *i);
void loop_put_sources(FILE *out, const struct hd_insn *i);
void loop_put_modifiers(FILE *out, const struct hd_insn *i);
#endif

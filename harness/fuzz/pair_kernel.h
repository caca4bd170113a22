/* A kernel of the table FEATURES: its plan, and what its text (pair_text.c) and its meaning
 * (pair_mean.c) have in common.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A thread has v and u, words of `in'.  Each feature makes a word x, and r[k] = 5 r[k] + x, as
 * often as its lanes come there; r goes to the thread's slot, so a wrong word names the feature. */
#ifndef HD_PAIR_KERNEL_H
#define HD_PAIR_KERNEL_H
#include "harness/fuzz/pairs.h"

enum { R_SREG, R_INDEX, R_MEMORY, R_ATOM, R_TYPE, R_TABLE, R_CALL, R_BANK, R_BLOCK, R_WARP, R_WORDS,
       OWN_BYTES = 16, ATOM_AT_BYTE = 16, RESULTS = 24,     /* of a thread's slot */
       BANK_WORDS = 2048, LINE_WORDS = 16, LARGE_SHARED = 20480, FLOAT_WORD = PAIR_FLOATS,
       DOUBLE_WORD = PAIR_DOUBLES, NEAR = 5 };
struct features { unsigned of[DIMS]; struct fuzz_case *c; uint32_t k[8]; };

/* Constant `word' of the module. */
static inline uint32_t bank_word(const struct features *f, uint32_t word)
{
    return (uint32_t)((word + 1) * 0x9e3779b1u ^ f->c->data_seed);
}
/* Ways of a jump table, and what each makes of v. */
static inline uint32_t way_value(const struct features *f, uint32_t way)
{
    return (way + 3) * (f->k[0] | 1);
}
static inline uint32_t features_threads(const struct features *f)
{
    return fuzz_block_threads(f->c);
}
/* Words of the bank that a plan reads, in turn. */
unsigned bank_reads(const struct features *f, uint32_t at[4]);
char *pair_text(const struct features *f);
void pair_mean(const struct features *f, struct fuzz_expect *e);
#endif

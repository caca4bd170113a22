/* One instruction on a chosen machine state, for tests that look inside the model.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef ONE_INSN_H
#define ONE_INSN_H
#include "cmodel/fast/inside.h"

enum { LAST = 18 };             /* registers that the random instructions may read */
struct state { u32 r[LAST][32], p[8]; };

extern const struct launch_limits one_insn_core;

/* A pseudo-random sequence; `seed` is the caller's. */
u32 rnd(u64 *seed);
/* Small, large, and special values as often as random ones. */
u32 rnd_value(u64 *seed);
void random_state(u64 *seed, struct state *s);

/* A model with that code in memory (put it there again with `one_insn_load`), its first block
 * resident. */
struct model *one_insn_start(const struct launch *k);
/* The code becomes `i` and an EXIT. */
void one_insn_load(struct model *m, const struct hd_insn *i);
/* Registers and predicates of a warp, which is then at PC 0. */
void set_state(struct model *m, unsigned warp, const struct state *s);
/* Fails with the first difference. */
void check_state(const struct model *m, unsigned warp, const struct state *want,
                 const struct hd_insn *i, const char *path);
#endif

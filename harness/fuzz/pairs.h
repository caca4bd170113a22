/* Kernels that hold every pair of the dimensions of pairs.def, with their meaning.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_PAIRS_H
#define HD_PAIRS_H
#include "harness/fuzz/cover.h"
#include "harness/fuzz/fuzz_prog.h"

enum { PAIRS_NONE_
#define DIM(table, id, what) }; enum {
#define VALUE(id, text) id,
#include "harness/fuzz/pairs.def"
};
enum {
#define DIM(table, id, what) DIM_##id,
#include "harness/fuzz/pairs.def"
    DIMS
};
enum pair_table { PAIR_OPERANDS, PAIR_FEATURES, PAIR_TABLES };

/* One dimension of pairs.def; enum values of its values begin at 0. */
struct cover_dim pair_dim(unsigned dim);
enum pair_table pair_table_of(unsigned dim);

/* Words of parameters after the three buffers of FUZZ_OPERANDS. */
enum { PAIR_WORDS = 58, PAIR_FLOATS = 40, PAIR_DOUBLES = 48, PAIR_ROWS = 128, PAIR_NOTE = 160 };
/* Of PAIR_FLOATS on a few numbers, of PAIR_DOUBLES on two of f64. */
uint32_t pair_word(const struct fuzz_case *c, unsigned word);
/* What of `in' and the words is drawn from. */
uint32_t pair_value(struct rng *r);

/* pair_row.c: the table of a row that computes; false: why not in *why.  stack_mode as in the
 * case. */
struct pair_row { enum hd_op op; bool stack_mode; };
bool pair_row_cover(struct cover *c, const struct pair_row *row, const char **why);
/* pair_rows.c: a kernel of instructions, as their plans say; writes c->img, c->expect and c->notes.
 */
struct pair_plan { const struct cover *cover; unsigned value[COVER_DIMS]; };
/* The value of a dimension of pairs.def in a plan; 0 where the table has it not. */
unsigned pair_value_of(const struct cover *c, const unsigned *plan, unsigned dim);
/* The row has an operand of these letters. */
bool pair_has(enum hd_op op, const char *letters);
/* A plan's instruction, whose registers and numbers are still 0. */
struct hd_insn pair_shape(const struct cover *c, const unsigned *plan);
/* Words that a plan's results take. */
unsigned pair_row_words(const struct pair_plan *p);
void pair_rows(struct fuzz_case *c, const struct pair_plan *plan, unsigned n);

/* pair_features.c: the table of what a kernel does; its kernel, one plan each. */
void pair_features_cover(struct cover *c);
void pair_features(struct fuzz_case *c, const struct pair_plan *plan);

/* All plans of a seed. */
struct pairs;
struct pairs *pairs_open(enum pair_table table, bool stack_mode, uint64_t seed);
void pairs_close(struct pairs *p);
unsigned pairs_kernels(const struct pairs *p);
/* Kernel k; from pairs_kernels on, the plans of another seed. */
void pairs_make(struct pairs *p, uint64_t k, struct fuzz_case *c);
/* The kernel made last has run and is right. */
void pairs_right(struct pairs *p);
/* The last lines of a campaign: false: a legal pair was not met.  The table goes to `path', NULL:
 * nowhere. */
bool pairs_report(const struct pairs *p, FILE *out, const char *path);
#endif

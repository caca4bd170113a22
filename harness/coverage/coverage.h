/* Coverage: which cases of the instruction set and of divergence a set of runs has met.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A group (coverage_groups) is a small table of up to three axes; a bin is one value on each.
 * Bins are filled from the commit stream alone, so RTL, model and lockstep give the same
 * counts.  What cannot happen (a guard on BSYNC) is no bin: every bin without a count is a hole
 * that a kernel could fill. */
#ifndef COVERAGE_H
#define COVERAGE_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "cmodel/isa/commit.h"
#include "cmodel/base/err.h"
#include "cmodel/isa/isa.h"

enum coverage_id { COV_INSN, COV_BRANCH, COV_INDIRECT, COV_BARRIER, COV_REGISTER, COV_RELEASE,
                   COV_MEMORY, COV_SECTORS, COV_BANKS, COV_GENERIC, COV_ATOMIC, COV_FAULT, COV_PUSH,
                   COV_POP, COV_DEPTH, COV_STACK, COV_GROUPS };
enum { COV_AXES = 3 };

struct coverage_axis {
    const char *name;
    unsigned n;
    const char *const *value;            /* the values' names; NULL: value_of tells */
    const char *(*value_of)(unsigned i);
};
struct coverage_group {
    const char *name, *what;
    const struct coverage_axis *axis[COV_AXES];          /* NULL after the last */
    bool (*possible)(const unsigned at[COV_AXES]);       /* NULL: every bin is */
};
extern const struct coverage_group coverage_groups[COV_GROUPS];
const char *coverage_value(const struct coverage_axis *a, unsigned i);
unsigned coverage_bins(enum coverage_id g);              /* possible or not */
/* Where bin i of a group lies on its axes, and back. */
void coverage_at(enum coverage_id g, unsigned i, unsigned at[COV_AXES]);
unsigned coverage_index(enum coverage_id g, const unsigned at[COV_AXES]);
bool coverage_possible(enum coverage_id g, unsigned i);

struct coverage;
struct coverage *coverage_new(void);                     /* NULL: no memory */
void coverage_free(struct coverage *v);
/* A launch begins: every warp is new. */
void coverage_launch(struct coverage *v, bool stack_mode);
/* Counts one record; records come in commit order. */
void coverage_commit(struct coverage *v, const struct hd_commit *c);
uint64_t coverage_count(const struct coverage *v, enum coverage_id g, unsigned bin);
void coverage_add(struct coverage *v, enum coverage_id g, unsigned bin, uint64_t n);
/* Adds the counts of another one. */
void coverage_merge(struct coverage *to, const struct coverage *from);
void coverage_clear(struct coverage *v);

/* Adds a file's counts; one line a bin that was met: group, values, count. */
bool coverage_read(struct coverage *v, const char *path, struct hd_err *err);
/* Writes the counts to a file; with `add`, adds them to what it holds (processes may share it). */
bool coverage_write(const struct coverage *v, const char *path, bool add, struct hd_err *err);

/* For generators: what a run that met `met` is worth to who knows `known`: 1 for each bin that
 * is new, less for those that were met before, the more often the less. */
double coverage_gain(const struct coverage *met, const struct coverage *known);
/* How often a generator should pick a row: 1 where all its bins are full, up to 16 where all are
 * holes. */
double coverage_weight(const struct coverage *v, enum hd_op op);
#endif

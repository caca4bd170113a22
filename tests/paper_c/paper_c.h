/* Paper C, reproduced: what was measured, and the parts that write and judge it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PAPER_C_H
#define PAPER_C_H
#include "emulator.h"
#include "harness/cmd/loops.h"
#include "harness/process/progress.h"

struct point {
    uint64_t kepler, maxwell, hopper, h200, core_stack, core_barrier;   /* cycles, clock to clock */
    struct loop_run model, core;         /* stack mode: kepler's, the core's in lockstep */
    struct emulation emu;
};

struct paper {
    const char *folder;
    bool rtl;                            /* the core was measured */
    struct progress progress;
    struct hd_image *stack[LOOP_KERNELS], *barrier[LOOP_KERNELS];
    struct point at[LOOP_KERNELS][LOOP_POINTS];
};

/* walk.c: Figure 3's walk-through, printed and written; histories of Figures 4 and 5. */
bool paper_walk(struct paper *p);
/* data.c: the columns of every figure. */
bool paper_write(const struct paper *p);
/* claims.c: prints a line a claim; true: none differs but those of differs.txt, and these do. */
bool paper_claims(const struct paper *p);
FILE *paper_file(const struct paper *p, const char *name);
/* Cycles that Figure 7's prediction gives: the core's double loop from its single loop and the
 * emulator. */
double paper_predict(const struct paper *p, unsigned n);
/* Single loop of a curve: what a divergence costs, and what spilling and filling a chunk adds. */
struct costs { double divergence, chunk; };
struct costs paper_costs(const struct paper *p, uint64_t (*cycles)(const struct point *));
/* Listing 5, lane 0: what its turns and what the unwinding after them cost more than without
 * divergence. */
struct split { int64_t branches, unwinding; };
struct split paper_split(const struct loop_run *r, const struct loop_run *converged);
#endif

/* Paper C's loops as an experiment: compile, run with n diverging lanes, see what the loop between
 * the two clocks did.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LOOPS_H
#define LOOPS_H
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"

enum loop_kernel { LOOP_SINGLE, LOOP_DOUBLE, LOOP_PRECISE, LOOP_KERNELS };
enum { LOOP_POINTS = 32 };               /* n = 0 .. 31 */
extern const char *const loop_names[LOOP_KERNELS];       /* as in micro_h200.csv */

/* Upper bound of a lane when n lanes diverge: table I of the paper. */
int32_t loop_bound(unsigned lane, unsigned n);
/* Compiles a kernel of tests/paper_c; NULL: says why on stderr. */
struct hd_image *loop_compile(enum loop_kernel k, bool stack_mode);
/* Cycles on the H200; false: the file has no such point. */
bool loop_h200(enum loop_kernel k, unsigned n, uint64_t *cycles);

struct loop_run {
    enum loop_kernel kernel;
    const struct hd_image *image;
    struct hd_config cfg;
    unsigned n, warps;           /* each of `warps` blocks is one warp */
    hd_commit_fn *on_commit;     /* called for the records of the measured loop, block 0 only */
    void *user;
    /* Results */
    uint64_t cycles;             /* of the slowest lane, from clock to clock */
    int64_t timer[34 * HD_LANES];        /* LOOP_PRECISE: as the kernel wrote it */
    struct hd_counters count;    /* of the whole launch */
    struct {                     /* of block 0, between the clocks */
        uint64_t insns, pushes, pops, spills, fills, deepest, divergent;
    } loop;
};
/* False: it did not end well; stderr says how. */
bool loop_measure(struct loop_run *r);
#endif

/* Paper C, reproduced: `paper_c FOLDER [--model]` measures its loops on the model's profiles and on
 * our core, writes what plots.gp draws into FOLDER, and checks what the paper says.  `make
 * paper-c`.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Everything but the H200's curve and `core, barriers` runs in stack mode.  The last lines are
 * `paper-c: name, ours, paper's, ok|differs`. */
#include "paper_c.h"
#include <stdlib.h>
#include <string.h>

static void progress(struct paper *p, const char *what, unsigned k, unsigned n)
{
    char also[64];
    snprintf(also, sizeof also, "%s, n = %u", what, n);
    progress_show(&p->progress, &(struct progress_state){ .what = "paper_c",
                                                          .done = k * LOOP_POINTS + n,
                                                          .all = LOOP_KERNELS * LOOP_POINTS,
                                                          .pieces = "points",
                                                          .also = also });
}

/* One point of one curve; false: it failed. */
static bool measure(struct paper *p, enum loop_kernel k, unsigned n, struct loop_run *r, bool stack,
                    const char *timing)
{
    *r = (struct loop_run){ .kernel = k,
                            .image = stack ? p->stack[k] : p->barrier[k],
                            .n = n,
                            .warps = 1,
                            .cfg = { .kind = timing ? HD_MODEL : HD_LOCKSTEP, .timing = timing },
                            .on_commit = r->on_commit,
                            .user = r->user };
    progress(p, timing ? timing : "core", k, n);
    return loop_measure(r);
}

static bool measure_point(struct paper *p, enum loop_kernel k, unsigned n)
{
    struct point *at = &p->at[k][n];
    struct loop_run r = { 0 };
    if (!measure(p, k, n, &r, true, "maxwell"))
        return false;
    at->maxwell = r.cycles;
    if (!measure(p, k, n, &r, true, "kepler"))
        return false;
    at->kepler = r.cycles;
    at->model = r;
    if (k != LOOP_PRECISE && !measure(p, k, n, &r, false, "hopper"))
        return false;
    at->hopper = r.cycles;
    loop_h200(k, n, &at->h200);
    if (k != LOOP_PRECISE)
        emulate(k == LOOP_DOUBLE, n, EMU_CHIP, &at->emu);
    if (!p->rtl)
        return true;
    if (k != LOOP_PRECISE && !measure(p, k, n, &r, false, NULL))
        return false;
    at->core_barrier = r.cycles;
    if (!measure(p, k, n, &r, true, NULL))
        return false;
    at->core_stack = r.cycles;
    at->core = r;
    return true;
}

static bool compile(struct paper *p)
{
    for (int k = 0; k < LOOP_KERNELS; k++)
        if (!(p->stack[k] = loop_compile((enum loop_kernel)k, true)) ||
            !(p->barrier[k] = loop_compile((enum loop_kernel)k, false)))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    struct paper p = { 0 };
    if (argc < 2 || argc > 3 || !strcmp(argv[1], "--help") ||
        (argc == 3 && strcmp(argv[2], "--model"))) {
        fprintf(
            argc > 1 && !strcmp(argv[1], "--help") ? stdout : stderr,
            "usage: paper_c FOLDER [--model]\nmeasures paper C's loops, writes the data of its "
            "figures into FOLDER\n"
            "and prints what the paper states beside ours; --model leaves the core out\n");
        return argc > 1 && !strcmp(argv[1], "--help") ? 0 : 2;
    }
    p.folder = argv[1];
    p.rtl = argc == 2;
    progress_begin(&p.progress, 0, 0);
    if (!compile(&p))
        return 2;
    for (int k = 0; k < LOOP_KERNELS; k++)
        for (unsigned n = 0; n < LOOP_POINTS; n++)
            if (!measure_point(&p, (enum loop_kernel)k, n))
                return 4;
    progress_end(&p.progress);
    if (!paper_walk(&p) || !paper_write(&p)) {
        fprintf(stderr, "paper_c: %s cannot be written\n", p.folder);
        return 2;
    }
    return paper_claims(&p) ? 0 : 1;
}

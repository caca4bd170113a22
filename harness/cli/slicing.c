/* Counting by a slice instead of the kernel.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A slice is cheap if its warp instructions are at most half of the kernel's.  Its first ones
 * predict that: each execution of a block stands for so many of the slice, and so many of the
 * kernel. */
#include "harness/cli/slicing.h"
#include "harness/cli/counting.h"
#include "harness/process/stop.h"
#include <stdlib.h>
#include <string.h>

enum { SEEN = 100000, HALF = 50 };

struct counting { const struct slice *slice; uint64_t *executions, left; };

static bool see(void *user, const struct hd_commit *c)
{
    struct counting *k = user;
    slice_see(k->slice, c->pc, k->executions);
    return --k->left > 0;
}

static double share(const struct slice_work *w)
{
    return w->kernel ? 100.0 * (double)w->slice / (double)w->kernel : 0;
}

/* The slice's first instructions; -1, or the exit status. */
static int try_first(struct cli *c, const struct slice *slice, struct slice_work *out)
{
    struct session s;
    struct counting k = { slice, calloc((size_t)slice->nblocks + 1, sizeof *k.executions), SEEN };
    int status = k.executions ? session_open(&s, c, HD_MODEL) : cli_usage(c, "no memory");
    if (status < 0) {
        session_on_commit(&s, see, &k);
        enum hd_status st = session_launch(&s);
        /* a fault or a limit: the slice's run reports it */
        if (st > HD_STOPPED || stop_requested())
            status = session_error(&s, st);
    }
    if (k.executions) {
        *out = slice_work(slice, k.executions);
        session_close(&s);
    }
    free(k.executions);
    return status;
}

/* -1, or the exit status; EXIT_USAGE and err: it is not cheap. */
static int run(struct cli *c, const struct session *of, const struct slice *slice,
               const struct cc_map *map, struct bbv **out, struct slicing *to, struct hd_err *err)
{
    struct session s;
    char place[256];
    int status = try_first(c, slice, &to->predicted);
    if (status >= 0)
        return status;
    if (share(&to->predicted) > HALF) {
        slice_place(of->image, to->predicted.most, place, sizeof place);
        hd_err_set(err, 2, "%s: no cheap slice: %.0f%% of the kernel's warp instructions decide "
                   "branches, more than %d%%; most of them are here", place, share(&to->predicted),
                   HALF);
        return EXIT_USAGE;
    }
    status = session_open(&s, c, HD_MODEL);
    if (status < 0)
        status = counting_launch(&s, map, out);
    if (status < 0) {
        to->ran = slice_counts(slice, of->image, *out);
        to->ran.slice = hd_get_counters(s.dev)->warp_insns;
    }
    session_close(&s);
    return status;
}

int slicing_launch(const struct session *s, const struct cc_map *map, struct bbv **out,
                   struct slicing *to, struct hd_err *err)
{
    struct cli *c = s->cli;
    const struct launch_args *la = &c->launch;
    struct slice_arg *arg = calloc(la->nargs + 1, sizeof *arg);
    struct slice slice = { 0 };
    *to = (struct slicing){ 0 };
    for (size_t k = 0; arg && k < la->nargs; k++)
        if (la->args[k].array)
            arg[k] = (struct slice_arg){ la->args[k].addr, la->args[k].count * la->args[k].width };
    if (!arg)
        hd_err_set(err, 4, "no memory");
    bool ok = arg && slice_make(&slice, s->image, s->kernel,
                                &(struct slice_launch){ (uint32_t)la->nargs, arg }, err);
    struct hd_image *kept = c->image;
    int status = ok ? -1 : err->status == 4 ? cli_usage(c, "%s", err->text) : EXIT_USAGE;
    if (ok) {
        c->image = slice.image;
        *to = (struct slicing){ .kept = slice.kept, .all = slice.all };
        status = run(c, s, &slice, map, out, to, err);
        c->image = kept;
    }
    slice_free(&slice);
    free(arg);
    return status;
}

int slicing_counts(struct session *s, const struct cc_map *map, struct bbv **out)
{
    struct cli *c = s->cli;
    struct slicing by;
    struct hd_err err = { 0 };
    const int how = c->regroup.count_by;
    int status = how == COUNT_RUN ? EXIT_USAGE : slicing_launch(s, map, out, &by, &err);
    if (status < 0) {
        if (!c->json)
            printf("counts: by a slice: %u of %u instructions; warp instructions: %.1f%% of the "
                   "kernel's, %.1f%% predicted\n", by.kept, by.all, share(&by.ran),
                   share(&by.predicted));
        return status;
    }
    if (how != COUNT_RUN && !err.status)
        return status;
    if (how == COUNT_SLICE)
        return cli_usage(c, "%s", err.text);
    if (how == COUNT_AUTO && !c->json)
        printf("counts: by a run: %s\n", err.text);
    return counting_launch(s, map, out);
}

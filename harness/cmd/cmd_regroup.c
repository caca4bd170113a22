/* `heddle regroup`: orders of threads, and what they are predicted to cost.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cmd/cmd_regroup.h"
#include "cmodel/base/counted.h"
#include "harness/cli/counting.h"
#include "harness/cli/inputs.h"
#include "harness/cli/slicing.h"
#include "harness/process/stop.h"
#include "cmodel/base/outfile.h"
#include "cmodel/image/image.h"
#include "cmodel/timing/timing.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int refuse(const struct cli *c, const struct hd_err *err)
{
    return cli_usage(c, "%s", err->text), err->status == 4 ? EXIT_BUG : EXIT_USAGE;
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* From --bbv: they must be of this code and this launch. */
static struct bbv *counts_of_file(const struct cli *c, const struct hd_image *img,
                                  struct hd_err *err)
{
    const struct hd_dim3 *g = &c->launch.grid, *k = &c->launch.block;
    struct bbv *b = bbv_read(c->regroup.counts, c->cfg.within, err);
    if (!b)
        return NULL;
    if (b->shape != hd_image_shape(img))
        hd_err_set(
            err, 2,
            "%s: counts of another source, or of other options: its code has the shape %016llx, "
            "this one %016llx",
            c->regroup.counts, (unsigned long long)b->shape,
            (unsigned long long)hd_image_shape(img));
    else if (memcmp(&b->grid, g, sizeof *g) || memcmp(&b->block, k, sizeof *k))
        hd_err_set(err, 2, "%s: counts of another launch: --grid %u,%u,%u --block %u,%u,%u",
                   c->regroup.counts, b->grid.x, b->grid.y, b->grid.z, b->block.x, b->block.y,
                   b->block.z);
    else
        return b;
    bbv_free(b);
    return NULL;
}

/* From --model: by the launch's buffers. */
static struct bbv *counts_of_fit(const struct cli *c, const struct hd_image *img,
                                 struct hd_err *err)
{
    const struct hd_dim3 g = c->launch.grid, k = c->launch.block;
    struct fit *f = fit_read(c->regroup.model, hd_image_shape(img), err);
    struct inputs in = { 0 };
    struct bbv *b = NULL;
    if (f && inputs_take(&in, &c->launch, (uint64_t)g.x * g.y * g.z * k.x * k.y * k.z, f, 0, err) &&
        !(b = fit_counts(f, &in, g, k, c->cfg.within)))
        hd_err_set(err, 4, "no memory");
    if (b && !fit_holds(b, err)) {
        bbv_free(b);
        b = NULL;
    }
    inputs_free(&in);
    fit_free(f);
    return b;
}

/* Where the blocks run: --machine, else our core; -1, or the exit status. */
static int machine(struct regroup *r, const struct session *s)
{
    const unsigned *given = r->cli->regroup.machine;
    r->machine = given[0] ? (struct machine){ given[0], given[1], given[2] }
                          : (struct machine){ .cores = 1, .ports = 1 };
    if (given[0])
        return -1;
    const struct launch_args *la = &s->cli->launch;
    struct hd_launch l = { .kernel = s->kernel->name,
                           .grid = la->grid,
                           .block = la->block,
                           .shared_bytes = la->shared,
                           .params = s->params,
                           .params_size = s->kernel->params_size };
    enum hd_status st = hd_occupancy(s->dev, &l, &r->machine.slots);
    return st == HD_OK ? -1 : session_error(s, st);
}

enum { SEEN = 4000000 };            /* commits by which sectors are known: a second or so */

static bool see(void *user, const struct hd_commit *c) { return sectors_see(user, c); }

/* What the accesses of the launch's first instructions touch; -1, or the exit status. */
static int sectors(struct regroup *r)
{
    struct session s;
    struct sectors *seen = r->sectors = sectors_new(r->b, SEEN);
    int status = seen ? session_open(&s, r->cli, HD_MODEL) : cli_usage(r->cli, "no memory");
    if (status < 0) {
        session_on_commit(&s, see, seen);
        enum hd_status st = session_launch(&s);
        if (st != HD_OK && (st != HD_STOPPED || stop_requested()))
            status = session_error(&s, st);
    }
    if (seen)
        session_close(&s);
    return status;
}

/* Counts and costs; -1, or the exit status. */
static int measure(struct regroup *r, struct session *s, const char *name)
{
    struct cli *c = r->cli;
    struct hd_err err = { 0 };
    if (c->cc.redirect)
        return cli_usage(
            c, "--redirect goes with an order that is known: here orders are found (--apply)");
    if (c->regroup.counts && c->regroup.model)
        return cli_usage(c, "counts come from --bbv or from --model, not from both");
    if ((c->regroup.counts || c->regroup.model) && c->regroup.count_by != COUNT_RUN)
        return cli_usage(c, "--counts says how threads are counted; --bbv and --model give counts");
    struct timing *t = r->timing = strcmp(name, "unit") ? timing_open(name, &err) : NULL;
    if (err.status)
        return refuse(c, &err);
    c->cfg.timing = NULL;                            /* counting needs no clock */
    int status = session_open(s, c, HD_MODEL);
    if (status < 0)
        status = machine(r, s);
    if (status < 0 && !c->regroup.counts && !c->regroup.model)
        status = slicing_counts(s, NULL, &r->b);
    else if (status < 0 && !(r->b = c->regroup.model ? counts_of_fit(c, s->image, &err)
                                                     : counts_of_file(c, s->image, &err)))
        status = refuse(c, &err);
    else if (status < 0 && !bbv_within(r->b, s->image, c->regroup.model ? c->regroup.model
                                                                        : c->regroup.counts, &err))
        status = refuse(c, &err);
    if (status < 0) {
        r->blocks = cost_blocks(r->b, t, s->image);
        r->inside = inside_fit(r->b, s->image);
        r->play = play_new(r->b, s->image, c->cfg.stack_depth);
        if (r->blocks && t && (t->busy_sector[0] || t->busy_sector[1]) && !c->regroup.counts &&
            !c->regroup.model)
            status = sectors(r);
    }
    if (status < 0) {
        struct cost *columns = r->blocks ? cost_columns(r->b, r->blocks) : NULL;
        r->lat = columns ? cost_field(r->b, columns, COST_LAT) : NULL;
        r->bound = r->lat ? bound_cost(r->b, r->lat, c->regroup.block_scope) : -1;
        free(columns);
        if (r->bound < 0 || !r->inside)
            status = cli_usage(c, "no memory");
    }
    return status;
}

/* ---- orders ---------------------------------------------------------------------------------- */

static uint64_t moved(void *user, uint32_t thread, uint32_t place, uint64_t addr)
{
    const struct regroup *r = user;
    return layout_address(&r->layout, thread, place, addr);
}

/* Where the warps of a grid's order run; false: no memory. */
static bool place_blocks(const struct regroup *r, uint32_t *order)
{
    struct cost *columns = cost_columns(r->b, r->blocks);
    bool ok = columns && (r->cli->regroup.block_scope ||
                          order_blocks(r->b, columns, &r->machine, order));
    free(columns);
    return ok;
}

/* -1: one of the orders is asked for; else the exit status. */
static int add(struct regroup *r, const char *name, enum order_by by)
{
    const struct regroup_cli *g = &r->cli->regroup;
    struct order_how how = {
        .by = by, .block_scope = g->block_scope, .window = (uint32_t)g->window, .seconds = g->time
    };
    struct asked *a = &r->asked[r->n++];
    struct hd_err err = { 0 };
    double start = regroup_seconds();
    a->name = name;
    a->order = by == BY_COUNT ? order_read(name, r->b, &err) : order_find(r->b, r->lat, &how, &err);
    if (a->order && by == BY_BEST && !place_blocks(r, a->order))
        return cli_usage(r->cli, "no memory");
    a->seconds = regroup_seconds() - start;
    if (!a->order)
        return refuse(r->cli, &err);
    /* A file's order is taken as it is. */
    if (r->apply == APPLY_LAYOUT && by == BY_COUNT && !layout_check(&r->layout, a->order, &err))
        return refuse(r->cli, &err);
    if (r->apply == APPLY_LAYOUT &&
        !layout_fit(&r->layout, a->order, g->block_scope ? (uint32_t)r->b->threads_block : 0))
        return cli_usage(r->cli, "no memory");
    if (r->sectors) {
        struct sectors_order in = { a->order, r->apply == APPLY_LAYOUT ? moved : NULL, r };
        sectors_cost(r->sectors, r->timing, &in, r->blocks);
    }
    int status = r->sampled ? regroup_sample(r, a) : -1;
    if (status >= 0)
        return status;
    struct basis basis = { r->b, r->blocks, r->inside, r->play, r->timing, r->machine };
    if (!predict(&basis, a->order, &a->p))
        return cli_usage(r->cli, "no memory");
    return -1;
}

/* BY_COUNT: no order has this name. */
static enum order_by order_of_name(const char *name)
{
    unsigned which = 0;
    while (which < BY_COUNT && strcmp(name, order_names[which]))
        which++;
    return (enum order_by)which;
}

/* Before a run counts for minutes: -1, or the exit status of a name that is no order's and no
 * file's. */
static int check_name(const struct cli *c)
{
    const char *by = c->regroup.by;
    if (order_of_name(by) < BY_COUNT || !strcmp(by, "all") || !access(by, R_OK))
        return -1;
    return cli_usage(c,
                     "--by %s: not one of %s, %s, %s, %s, %s and all, and cannot be read as a "
                     "file: %s",
                     by, order_names[0], order_names[1], order_names[2], order_names[3],
                     order_names[4], strerror(errno));
}

static int add_all(struct regroup *r)
{
    const char *by = r->cli->regroup.by;
    bool all = !strcmp(by, "all");
    enum order_by which = order_of_name(by);
    r->sampled = !r->sectors && regroup_can_sample(r);
    int status = add(r, order_names[BY_ORIGINAL], BY_ORIGINAL);
    for (unsigned k = 1; all && status < 0 && k < BY_COUNT; k++)
        status = add(r, order_names[k], (enum order_by)k);
    if (status < 0 && !all && which != BY_ORIGINAL)
        status = add(r, by, which);
    return status;
}

/* ---- what is printed ------------------------------------------------------------------------- */

static double ratio(double from, double to) { return to > 0 ? from / to : 1; }

/* Branches at which lanes part, and tokens of stack mode. */
static void print_played(const struct regroup *r)
{
    const bool stack = r->asked[0].p.played.pushes > 0;
    printf("%-12s %14s%s\n", "order", "divergences",
           stack ? "         pushes         spills        deepest" : "");
    for (unsigned k = 0; k < r->n; k++) {
        const struct played *w = &r->asked[k].p.played;
        printf("%-12s %14.0f", r->asked[k].name, w->divergences);
        if (stack)
            printf(" %14.0f %14.0f %14.0f", w->pushes, w->spills, w->deepest);
        printf("\n");
    }
    printf("\n");
}

/* What runs have measured, beside the predictions. */
static void print_runs(const struct regroup *r)
{
    const struct asked *o = &r->asked[0];
    const double mhz = r->cli->regroup.mhz;
    const bool stack = o->pushes > 0;
    printf("\n%-12s %14s %14s %14s%s %12s\n", "order", "cycles", "branches", "divergent",
           stack ? "         pushes         spills" : "", "speed-up");
    for (unsigned k = 0; k < r->n; k++) {
        const struct asked *a = &r->asked[k];
        printf("%-12s %14llu %14llu %14llu", a->name, (unsigned long long)a->cycles,
               (unsigned long long)a->branches, (unsigned long long)a->divergent);
        if (stack)
            printf(" %14llu %14llu", (unsigned long long)a->pushes, (unsigned long long)a->spills);
        printf(" %12.3f", ratio((double)o->cycles, (double)a->cycles));
        if (mhz > 0)
            printf("   %.3f ms, %.3f ms with finding the order", (double)a->cycles / mhz / 1e3,
                   (double)a->cycles / mhz / 1e3 + 1e3 * a->seconds);
        printf("\n");
    }
    printf("memory: equal in all orders\n");
}

static const char *const apply_names[] = { "none", "redirect", "layout" };

static void print_text(const struct regroup *r)
{
    const struct prediction *o = &r->asked[0].p;
    printf("threads %llu, distinct vectors %u, columns %u; warps %llu, %u %s at a time\n\n"
           "%-12s %14s %14s %14s %14s %14s %10s %10s %10s\n",
           (unsigned long long)r->b->threads, r->b->nvectors, r->b->ncolumns,
           (unsigned long long)(r->b->threads / r->b->threads_block * metric_warps_block(r->b)),
           COUNTED(r->machine.cores * r->machine.slots, "block"), "order", "weighted", "scheduled",
           "shared port", "in loops", "units", "divergent", "above", "found");
    printf("%-12s %14s %14s %14s %14s %14s %10s %10s %10s\n", "", "", "", "", "", "", "warps",
           "bound", "in");
    for (unsigned k = 0; k < r->n; k++) {
        const struct asked *a = &r->asked[k];
        printf("%-12s %14.0f %14.0f %14.0f %14.0f %14.0f %9.1f%% %9.1f%% %8.1f ms\n", a->name,
               a->p.weighted, a->p.scheduled, a->p.port, a->p.inside, a->p.units,
               a->p.divergent_warps, 100 * (ratio(a->p.weighted * r->machine.cores, r->bound) - 1),
               1e3 * a->seconds);
    }
    printf("\n");
    if (r->asked[0].p.is_played)
        print_played(r);
    for (unsigned k = 1; k < r->n; k++) {
        const struct prediction *p = &r->asked[k].p;
        printf(
            "%s: predicted speed-up %.3f weighted, %.3f scheduled, %.3f shared port, %.3f in "
            "loops, "
            "%.3f units\n",
            r->asked[k].name, ratio(o->weighted, p->weighted), ratio(o->scheduled, p->scheduled),
            ratio(o->port, p->port), ratio(o->inside, p->inside), ratio(o->units, p->units));
    }
    for (unsigned k = 0; r->sampled && k < r->n; k++)
        printf("%s: %.3f sectors of 32 bytes after its first for each access of a lane\n",
               r->asked[k].name, r->asked[k].sectors);
    if (r->why[0])
        printf("\nauto: %s: %s\n", apply_names[r->apply], r->why);
    if (r->asked[0].cycles)
        print_runs(r);
}

static void print_json(const struct regroup *r)
{
    printf(
        "{\"threads\": %llu, \"vectors\": %u, \"columns\": %u, \"slots\": %u, \"bound\": %.0f, "
        "\"apply\": \"%s\", "
        "\"orders\": [\n",
        (unsigned long long)r->b->threads, r->b->nvectors, r->b->ncolumns,
        r->machine.cores * r->machine.slots, r->bound, apply_names[r->apply]);
    for (unsigned k = 0; k < r->n; k++) {
        const struct asked *a = &r->asked[k];
        printf(
            "%s{\"order\": \"%s\", \"weighted\": %.0f, \"scheduled\": %.0f, \"shared_port\": %.0f, "
            "\"in_loops\": %.0f, \"units\": %.0f, \"divergent_warps\": %.2f, \"seconds\": %.6f",
            k ? ",\n" : "", a->name, a->p.weighted, a->p.scheduled, a->p.port, a->p.inside,
            a->p.units, a->p.divergent_warps, a->seconds);
        if (r->sampled)
            printf(", \"sectors\": %.4f", a->sectors);
        if (a->p.is_played)
            printf(", \"divergences\": %.0f, \"pushes\": %.0f, \"spills\": %.0f, \"fills\": %.0f",
                   a->p.played.divergences, a->p.played.pushes, a->p.played.spills,
                   a->p.played.fills);
        if (a->cycles)
            printf(", \"cycles\": %llu, \"branches\": %llu, \"divergent\": %llu, "
                   "\"pushed\": %llu, \"spilled\": %llu",
                   (unsigned long long)a->cycles, (unsigned long long)a->branches,
                   (unsigned long long)a->divergent, (unsigned long long)a->pushes,
                   (unsigned long long)a->spills);
        printf("}");
    }
    printf("]}\n");
}

/* The last order that was asked for. */
static int save(const struct regroup *r, struct outfile *out)
{
    struct hd_err err = { 0 };
    fwrite(r->asked[r->n - 1].order, sizeof(uint32_t), (size_t)r->b->threads, outfile_stream(out));
    return outfile_keep(out, &err) ? EXIT_YES : refuse(r->cli, &err);
}

int cmd_regroup(struct cli *c)
{
    struct session s = { 0 };
    struct regroup r = { .cli = c };
    struct hd_err err = { 0 };
    int status = check_name(c);
    if (status >= 0)
        return status;
    if (!counting_within(c))
        return cli_usage(c, "no memory");
    struct outfile *out = c->regroup.save ? outfile_open(c->regroup.save, &err) : NULL;
    if (c->regroup.save && !out) {
        counting_done(c);
        return refuse(c, &err);
    }
    stop_gracefully();
    const char *timing = c->cfg.timing ? c->cfg.timing : "core";
    status = measure(&r, &s, timing);
    if (status < 0)
        status = regroup_choose(&r, &s);
    if (status < 0)
        status = add_all(&r);
    if (status < 0)
        regroup_gain(&r);
    if (status < 0 && r.apply != APPLY_NONE && !c->regroup.advise)
        status = regroup_apply(&r, timing);
    if (status < 0) {
        (c->json ? print_json : print_text)(&r);
        status = EXIT_YES;
    }
    if (status == EXIT_YES && out) {
        status = save(&r, out);
        out = NULL;
    }
    outfile_drop(out);
    for (unsigned k = 0; k < r.n; k++)
        spill_free(c->cfg.within, r.asked[k].order);
    bbv_free(r.b);
    free(r.blocks);
    inside_free(r.inside);
    play_free(r.play);
    sectors_free(r.sectors);
    free(r.timing);
    free(r.lat);
    regroup_free(&r);
    if (s.cli)
        session_close(&s);
    counting_done(c);
    return status;
}

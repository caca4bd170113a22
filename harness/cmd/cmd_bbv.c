/* `heddle bbv`: how often each thread executes each basic block.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/counting.h"
#include "cmodel/base/counted.h"
#include "harness/cli/inputs.h"
#include "harness/cli/slicing.h"
#include "harness/process/stop.h"
#include "cmodel/base/outfile.h"
#include "regroup/regroup.h"
#include <stdlib.h>

/* Of a block: the sum over threads, and the most of any. */
static void sums(const struct bbv *b, const uint64_t *threads, uint32_t column, uint64_t *all,
                 uint32_t *most)
{
    *all = 0;
    *most = 0;
    for (uint32_t v = 0; v < b->nvectors; v++) {
        uint32_t n = b->counts[(size_t)v * b->ncolumns + column];
        *all += threads[v] * n;
        *most = n > *most ? n : *most;
    }
}

static void print_table(const struct bbv *b, const uint64_t *threads, bool json)
{
    printf(json ? "{\"threads\": %llu, \"vectors\": %u, \"columns\": %u, \"blocks\": [\n"
                : "threads %llu, distinct vectors %u, columns %u\n\n",
           (unsigned long long)b->threads, b->nvectors, b->ncolumns);
    if (!json)
        printf("%-8s %5s %6s %14s %14s %12s %10s  %s\n", "block", "insns", "column", "by threads",
               "by warps", "lanes", "most", "where");
    for (uint32_t i = 0; i < b->nblocks; i++) {
        const struct bbv_block *k = &b->blocks[i];
        uint64_t all;
        uint32_t most;
        sums(b, threads, k->column, &all, &most);
        printf(
            json
                ? "%s{\"pc\": %u, \"insns\": %u, \"column\": %u, \"threads\": %llu, \"warps\": "
                  "%llu, "
                  "\"lanes\": %.4f, \"most\": %u, \"where\": \"%s\"}"
                : "%s%06x   %5u %6u %14llu %14llu %12.4f %10u  %s\n",
            json && i ? ",\n" : "", k->pc, k->insns, k->column, (unsigned long long)all,
            (unsigned long long)k->executions, (double)all / (double)k->executions, most,
            k->name ? k->name : "");
    }
    if (json)
        printf("]}\n");
}

static int show(const struct cli *c, const struct bbv *b)
{
    uint64_t *threads = calloc(b->nvectors, sizeof *threads);
    if (!threads)
        return cli_usage(c, "no memory");
    for (uint64_t t = 0; t < b->threads; t++)
        threads[b->of[t]]++;
    print_table(b, threads, c->json);
    free(threads);
    return EXIT_YES;
}

/* --fit: by these counts and the launch's buffers.  --model: what such a fit misses of them.  Exit
 * status. */
static int fit(const struct cli *c, const struct bbv *b, struct outfile *out)
{
    const struct regroup_cli *g = &c->regroup;
    uint32_t samples = g->samples ? (uint32_t)g->samples : b->threads_block;
    struct hd_err err = { 0 };
    struct inputs in = { 0 };
    struct fit *f = g->model ? fit_read(g->model, b->shape, &err) : NULL;
    if (!err.status && inputs_take(&in, &c->launch, b->threads, f, samples, &err) && !f)
        f = fit_make(b, &in, samples, &err);
    struct bbv *by = f && !err.status ? fit_counts(f, &in, b->grid, b->block, c->cfg.within)
                                             : NULL;
    if (by && fit_holds(by, &err))
        printf("fit: %u %s, %u %s, mean square error %.6f over %llu %s\n",
               COUNTED(f->ninputs, "input"), COUNTED(f->nblocks, "block"), fit_error(b, by),
               COUNTED((unsigned long long)b->threads, "thread"));
    else if (!by)
        hd_err_set(&err, 4, "no memory");
    if (by && out)
        fit_put(f, outfile_stream(out));
    bbv_free(by);
    inputs_free(&in);
    fit_free(f);
    return err.status ? cli_usage(c, "%s", err.text), err.status : EXIT_YES;
}

/* Writes and closes a file; exit status. */
static int keep(const struct cli *c, struct outfile **out)
{
    struct hd_err err = { 0 };
    struct outfile *o = *out;
    *out = NULL;
    return outfile_keep(o, &err) ? EXIT_YES : cli_usage(c, "%s", err.text);
}

int cmd_bbv(struct cli *c)
{
    struct session s;
    struct cc_map map = { 0 };
    struct bbv *b = NULL;
    struct hd_err err = { 0 };
    struct outfile *out = c->output ? outfile_open(c->output, &err) : NULL;
    if (c->output && !out)
        return cli_usage(c, "%s", err.text);
    struct outfile *fitted = c->regroup.fit ? outfile_open(c->regroup.fit, &err) : NULL;
    if (c->regroup.fit && !fitted) {
        outfile_drop(out);
        return cli_usage(c, "%s", err.text);
    }
    if (!counting_within(c)) {
        outfile_drop(fitted);
        outfile_drop(out);
        return cli_usage(c, "no memory");
    }
    c->cc.map = &map;
    stop_gracefully();
    int status = session_open(&s, c, HD_MODEL);
    if (status < 0)
        status = slicing_counts(&s, &map, &b);
    if (status < 0)
        status = show(c, b);
    if (status == EXIT_YES && (fitted || c->regroup.model))
        status = fit(c, b, fitted);
    if (status == EXIT_YES && fitted)
        status = keep(c, &fitted);
    if (status == EXIT_YES && out) {
        bbv_put(b, outfile_stream(out));
        status = keep(c, &out);
    }
    outfile_drop(fitted);
    outfile_drop(out);
    bbv_free(b);
    map_free(&map);
    session_close(&s);
    counting_done(c);
    return status;
}

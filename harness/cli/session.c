/* A session: from the words of a command to a finished launch.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ctrl-C (stop.h) is looked for between cycles, so that a run ends with its verdict so far. */
#include "harness/cli/cli.h"
#include "harness/api/image_file.h"
#include "harness/coverage/coverage.h"
#include "harness/stream/commits.h"
#include "harness/process/stop.h"
#include "stream/heddle_stream.h"
#include "cmodel/base/infile.h"
#include "cmodel/base/outfile.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const struct cli *c, const char *text)
{
    fprintf(c->err, "heddle %s: %s\n", c->cmd->name, text);
    return EXIT_USAGE;
}

static bool ends_with(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && !strcmp(s + n - m, suffix);
}

char *session_text(const char *path)
{
    struct hd_err err = { 0 };
    FILE *f = infile_open(path, &err);
    char *text = NULL;
    long n = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
    if (n >= 0 && !fseek(f, 0, SEEK_SET) && (text = malloc((size_t)n + 1)))
        text[fread(text, 1, (size_t)n, f)] = 0;
    if (f)
        fclose(f);
    return text;
}

/* Of what was left out, the kernel that is meant: no other is called so. */
static const char *meant(const struct hd_image *img, const char *refused, const char *name)
{
    int best = INT_MAX;
    const char *found = NULL;
    for (uint32_t k = 0; img && k < img->nkernels; k++) {
        int fit = kernel_fit(img->kernels[k].name, name);
        if (fit >= 0 && fit < best) best = fit;
    }
    for (const char *p = refused; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
        char *one = strndup(p, strcspn(p, "\t"));
        int fit = one ? kernel_fit(one, name) : -1;
        if (fit >= 0 && fit <= best) best = fit, found = p;
        free(one);
    }
    return found;
}

/* The kernel that is named has to compile; of others that do not, a note says why. */
static struct hd_image *compile_one(struct cli *c, const char *path, struct hd_err *err)
{
    size_t len;
    char *refused = NULL, *text = cc_ptx(path, &c->cc, &len, err);
    if (!text)
        return NULL;
    text[len] = 0;                       /* cc_read left room */
    struct hd_image *img = hd_compile_some(path, text, &c->cc, &refused, err);
    const char *bad = meant(img, refused, c->launch.kernel);
    for (const char *p = refused; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
        char *one = strndup(p, strcspn(p, "\t")), *plain = plain_name(one);
        const char *why = p + strlen(one) + 1;
        int n = (int)strcspn(why, "\n");
        if (p == bad) {
            *err = (struct hd_err){ 0 };
            hd_err_set(err, 2, "%s: `%s` does not compile: %.*s", path, plain, n, why);
        } else if (!bad && img)
            fprintf(c->err, "heddle %s: note: `%s` is left out: %.*s\n", c->cmd->name, plain, n,
                    why);
        free(plain);
        free(one);
    }
    if (bad) {
        hd_image_free(img);
        img = NULL;
    }
    free(refused);
    free(text);
    return img;
}

struct hd_image *session_compile(struct cli *c, const char *path, struct hd_err *err)
{
    bool source = ends_with(path, ".cu") || ends_with(path, ".ptx");
    return source && c->launch.kernel ? compile_one(c, path, err) : image_file(path, &c->cc, err);
}

int session_image(struct cli *c, const char *path, struct hd_image **img)
{
    struct hd_err err = { 0 };
    if ((*img = session_compile(c, path, &err)))
        return EXIT_YES;
    fprintf(c->err, "%s\n", err.text);
    return err.status == 4 ? EXIT_BUG : EXIT_USAGE;
}

/* How far the launch has come; and the look for Ctrl-C. */
static bool progress(void *user, const struct hd_counters *now)
{
    struct session *s = user;
    struct progress_state p = { .what = s->cli->doing ? s->cli->doing : s->cli->cmd->name,
                                .pieces = "blocks",
                                .work = now->cycles,
                                .unit = "cycles" };
    if (s->cli->cfg.kind == HD_MODEL) {
        p.work = now->warp_insns;
        p.unit = hd_natively(s->dev) ? "warp instructions natively" : "warp instructions";
    }
    if (stop_requested())
        return false;
    hd_get_blocks(s->dev, &p.done, &p.all);
    progress_show(&s->progress, &p);
    return true;
}

/* As the host's code: as was asked for here, or else by the environment; or where it pays. */
static bool choose_native(struct cli *c)
{
    const char *env = getenv("HEDDLE_NATIVE");
    if (c->no_native || c->cfg.native || !(c->cmd->groups & OPT_WHERE_IT_PAYS))
        return true;
    if (env && strcmp(env, "0") && strcmp(env, "1"))
        return cli_usage(c, "HEDDLE_NATIVE=%s: it is 0 or 1", env), false;
    if (!env || *env == '1')
        c->cfg.native = "";
    c->cfg.native_where_it_pays = !env;
    return true;
}

void session_say_interpreted(const struct session *s)
{
    if (hd_native_why(s->dev))
        cli_usage(s->cli, "--native: interpreted: %s", hd_native_why(s->dev));
}

int session_open(struct session *s, struct cli *c, enum hd_kind kind)
{
    struct hd_err err = { 0 };
    *s = (struct session){ .cli = c, .fits = true };
    if (!choose_native(c))
        return EXIT_USAGE;
    if (!c->launch.grid.x || !c->launch.block.x)
        return refuse(c, "--grid and --block are missing");
    struct outfile *cov = c->coverage ? outfile_open(c->coverage, &err) : NULL;
    if (c->coverage && !cov)
        return refuse(c, err.text);
    outfile_drop(cov);                               /* it could be written */
    if (c->stream && !(s->stream_file = outfile_open(c->stream, &err)))
        return refuse(c, err.text);
    int status = EXIT_YES;
    if (!(s->image = c->image))
        status = session_image(c, c->input, &s->image);
    if (status != EXIT_YES)
        return status;
    s->kernel = kernel_by_name(s->image, c->launch.kernel, &err);
    if (!s->kernel)
        return refuse(c, err.text);
    if (c->cc.redirect && !c->redirect.words)
        return refuse(c, "--redirect changes PTX: it needs CUDA C or PTX");
    if (c->cc.redirect && !args_order(&c->launch, &c->redirect, NULL, &err))
        return refuse(c, err.text);
    if (!args_fit_source(c, s->kernel))
        return EXIT_USAGE;
    c->cfg.kind = kind;
    struct hd_config cfg = c->cfg;
    cfg.native = kind == HD_MODEL ? cfg.native : NULL;
    cfg.board = kind == HD_LOCKSTEP ? cfg.board : NULL;
    enum hd_status st = hd_open(&cfg, &s->dev);
    if (st == HD_OK)
        st = hd_load(s->dev, s->image);
    s->fits = st != HD_TOO_BIG;
    s->no_core = st == HD_NO_CORE;
    if (st != HD_OK)
        return refuse(c, hd_device_error(s->dev));
    if (!args_place(&c->launch, s->dev, s->kernel, &s->params, &err) ||
        !args_place_bus(&c->launch, s->dev, &err))
        return refuse(c, err.text);
    hd_on_progress(s->dev, progress, s);
    return -1;
}

/* What every commit goes through, before whatever else looks at it. */
static bool see(void *user, const struct hd_commit *commit)
{
    struct session *s = user;
    if (s->coverage)
        coverage_commit(s->coverage, commit);
    if (s->stream && !commit_stream_add(s->stream, commit))
        return false;
    return !s->then || s->then(s->then_user, commit);
}

static void start_coverage(struct session *s)
{
    if (!s->cli->coverage || !(s->coverage = coverage_new()))
        return;
    coverage_launch(s->coverage, s->image->stack_mode);
}

static enum hd_status end_coverage(struct session *s, enum hd_status st)
{
    struct hd_err err = { 0 };
    if (!s->coverage)
        return st;
    if (!coverage_write(s->coverage, s->cli->coverage, true, &err)) {
        snprintf(s->why, sizeof s->why, "%s", err.text);
        st = HD_BAD_ARGUMENT;
    }
    coverage_free(s->coverage);
    s->coverage = NULL;
    return st;
}

static bool write_event(void *user, const struct hs_event *e)
{
    hs_put(user, e);
    return true;
}

static struct commit_run stream_run(const struct session *s)
{
    const struct hd_dim3 block = s->cli->launch.block;
    return (struct commit_run){ .kernel = s->kernel->name, .stack_mode = s->image->stack_mode,
                                .block_threads = block.x * block.y * block.z,
                                .kind = s->cli->cfg.kind, .cores = s->cli->cfg.cores };
}

/* A board repeats the launch: one more run of the stream. */
static void see_again(void *user, const struct hd_commit *commit)
{
    struct session *s = user;
    const struct commit_run run = stream_run(s);
    if (commit && s->stream)
        commit_stream_add(s->stream, commit);
    if (commit || !s->stream)
        return;
    commit_stream_close(s->stream, HD_MISMATCH);
    s->stream = commit_stream_open(s->dev, &run, write_event, s->writer);
}

static bool start_stream(struct session *s)
{
    const struct commit_run run = stream_run(s);
    char header[HS_HEADER];
    if (!s->stream_file)
        return true;
    if ((s->writer = malloc(sizeof *s->writer))) {
        commit_stream_header(s->dev, &run, header, sizeof header);
        hs_begin(s->writer, outfile_stream(s->stream_file), header);
        s->stream = commit_stream_open(s->dev, &run, write_event, s->writer);
    }
    if (!s->stream)
        snprintf(s->why, sizeof s->why, "out of memory");
    return s->stream;
}

/* The stream is kept whatever end the launch came to, if it is whole. */
static enum hd_status end_stream(struct session *s, enum hd_status st)
{
    struct hd_err err = { 0 };
    if (!s->stream)
        return st;
    commit_stream_close(s->stream, st);
    s->stream = NULL;
    const bool whole = !hs_end(s->writer);
    if (!whole || !outfile_keep(s->stream_file, &err)) {
        snprintf(s->why, sizeof s->why, "%s",
                 whole ? err.text : "--stream: the stream cannot be written");
        st = HD_BAD_ARGUMENT;
    }
    if (!whole)
        outfile_drop(s->stream_file);
    s->stream_file = NULL;
    return st;
}

void session_on_commit(struct session *s, hd_commit_fn *fn, void *user)
{
    s->then = fn;
    s->then_user = user;
}

enum hd_status session_launch(struct session *s)
{
    const struct launch_args *la = &s->cli->launch;
    struct hd_launch l = { .kernel = s->kernel->name, .grid = la->grid, .block = la->block,
                           .shared_bytes = la->shared, .params = s->params,
                           .params_size = s->kernel->params_size, .clock = la->clock };
    if (!start_stream(s))
        return HD_NO_MEMORY;
    progress_begin(&s->progress, 0, 0);
    start_coverage(s);
    hd_on_repeat(s->dev, s->stream ? see_again : NULL, s);
    if (s->coverage || s->stream)
        hd_on_commit(s->dev, see, s);
    else
        hd_on_commit(s->dev, s->then, s->then_user);
    enum hd_status st = end_stream(s, end_coverage(s, hd_launch_grid(s->dev, &l)));
    s->fits = st != HD_TOO_BIG;
    progress_end(&s->progress);
    return st;
}

int session_error(const struct session *s, enum hd_status st)
{
    fprintf(stderr, "heddle %s: %s\n", s->cli->cmd->name,
            s->why[0] ? s->why : hd_device_error(s->dev));
    return cli_exit_status(st);
}

void session_close(struct session *s)
{
    hd_close(s->dev);
    outfile_drop(s->stream_file);
    free(s->writer);
    if (s->image != s->cli->image)
        hd_image_free(s->image);
    free(s->params);
    *s = (struct session){ 0 };
}

void session_stack(const struct session *s, FILE *out)
{
    const struct hd_counters *n = hd_get_counters(s->dev);
    if (s->image->stack_mode)
        fprintf(out, "stack: %llu pushes, %llu pops, %llu spills, %llu fills, deepest %llu\n",
                (unsigned long long)n->pushes, (unsigned long long)n->pops,
                (unsigned long long)n->spills, (unsigned long long)n->fills,
                (unsigned long long)n->deepest);
}

void session_figures(const struct session *s, FILE *out)
{
    const struct hd_counters *n = hd_get_counters(s->dev);
    double insns = n->warp_insns ? (double)n->warp_insns : 1;
    fprintf(out, "cycles %llu, warp instructions %llu, IPC %.3f\n", (unsigned long long)n->cycles,
            (unsigned long long)n->warp_insns,
            n->cycles ? (double)n->warp_insns / (double)n->cycles : 0.0);
    fprintf(out, "divergent branches %llu of %llu, SIMT efficiency %.1f%%\n",
            (unsigned long long)n->divergent_branches, (unsigned long long)n->branches,
            100.0 * (double)n->active_lanes / 32 / insns);
    session_stack(s, out);
    if (n->gave_way)
        fprintf(
            out,
            "barriers that gave way %llu: their placement is bad (docs/convergence.md, rule 8)\n",
            (unsigned long long)n->gave_way);
}

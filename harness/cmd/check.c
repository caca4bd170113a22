/* `heddle check`: a kernel file that brings its own launch and expectation, on model and in
 * lockstep.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   // RUN: WORDS           a launch, as on the command line
 *   // EXPECT: out[0:4] = 1 2 3 4
 *   // HASH: out 8a29e543   h = h * 1000003 xor v over the words of a buffer
 *   // PRINTS: TEXT         a line that the kernel prints; all of them, in order
 *   // EXIT: 3              exit status; 0 when there is no such line
 *   // MESSAGE: TEXT        what the report or error must contain
 *   // LANES: 1 32          cores to use, 32 and 4 without it; `none` for the model alone
 *   // MODE: barrier         needs independent thread scheduling; else a source whose RUN names no
 *                            --mode
 *                           is compiled for the stack too, and all must be the same
 * Lines after a RUN belong to it; LANES and MODE hold until the next one.  A RUN must expect
 * something, a word of capitals that is none of these keys is an error.  Each launch runs on the
 * model, then in lockstep for every LANES with fixed and with random memory latency: the results
 * must not depend on it.  With --core all of it is on that core, and with --mem-seed once: a launch
 * that does not fit is named, and counted apart.  So is one whose core is not there: it is not
 * passed, and at the end stands what builds that core. */
#include "harness/cmd/check_file.h"
#include "cmodel/base/counted.h"
#include "harness/cli/cli.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CORES = 8 };

/* Cores that are not there, a sentence each. */
struct missing { char *why[CORES]; };

struct checker {
    const char *path, *coverage, *doing, *core, *board;
    unsigned board_digest;
    unsigned lanes;                                  /* 0: those that the file names */
    const uint64_t *seeds;                           /* of the memory, in lockstep */
    size_t nseeds;
    unsigned passed, failed;                         /* runs */
    unsigned unfit;                                  /* launches that the core has no room for */
    unsigned left_out;                               /* for want of a core */
    struct missing *missing;
    int at, files;
    struct progress *progress;
};

static void fail(struct checker *k, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void fail(struct checker *k, const char *where, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    printf("%s: %s: ", k->path, where);
    vprintf(fmt, ap);
    printf("\n");
    va_end(ap);
}

static const struct arg *find_arg(const struct cli *c, const char *name, size_t n)
{
    for (size_t i = 0; i < c->launch.nargs; i++)
        if (strlen(c->launch.args[i].name) == n && !memcmp(c->launch.args[i].name, name, n))
            return &c->launch.args[i];
    return NULL;
}

/* "out[0:4] = 1 2 3 4" against the device's memory, as text: what --print would show. */
static bool meets(struct checker *k, const char *where, struct session *s, const char *want)
{
    size_t n = strcspn(want, "["), from, to;
    char *text = NULL;
    size_t size = 0;
    const struct arg *a = find_arg(s->cli, want, n);
    if (!a || sscanf(want + n, "[%zu:%zu]", &from, &to) != 2 || to > a->count || from >= to) {
        fail(k, where, "EXPECT: %s: no such elements", want);
        return false;
    }
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "%s[%zu:%zu] =", a->name, from, to);
    for (size_t i = from; i < to; i++) {
        uint8_t value[8] = { 0 };
        fputc(' ', f);
        if (hd_read(s->dev, a->addr + i * a->width, value, a->width) == HD_OK)
            args_print_value(f, a, value);
    }
    fclose(f);
    bool ok = !strcmp(text, want);
    if (!ok)
        fail(k, where, "expected %s\n  got %s", want, text);
    free(text);
    return ok;
}

static bool hashes(struct checker *k, const char *where, struct session *s, const char *want)
{
    char name[64];
    uint32_t h = 0, hash, v;
    const struct arg *a = sscanf(want, "%63s %x", name, &hash) == 2
                              ? find_arg(s->cli, name, strlen(name))
                              : NULL;
    size_t bytes = a ? a->count * a->width : 0;
    bool ok = bytes && bytes % 4 == 0;
    for (size_t i = 0; ok && i < bytes; i += 4) {
        ok = hd_read(s->dev, a->addr + i, &v, 4) == HD_OK;
        h = h * 1000003u ^ v;
    }
    if (!ok) {
        fail(k, where, "HASH: %s: no such buffer of words", want);
        return false;
    }
    if (h == hash)
        return true;
    fail(k, where, "HASH: %s: got %08x", want, h);
    return false;
}

/* Every line, and no other. */
static bool prints(struct checker *k, const char *where, const struct expectation *x,
                   const char *printed)
{
    const char *p = printed;
    for (int i = 0; i < x->np; i++) {
        size_t n = strcspn(p, "\n");
        if (n != strlen(x->prints[i]) || memcmp(p, x->prints[i], n) || !p[n]) {
            fail(k, where, "PRINTS: %s: got `%.*s`", x->prints[i], (int)n, p);
            return false;
        }
        p += n + 1;
    }
    if (*p)
        fail(k, where, "it prints, what no PRINTS says: %s", p);
    return !*p;
}

static bool judge(struct checker *k, const char *where, struct session *s,
                  const struct expectation *x, int status, const char *said, const char *printed)
{
    bool ok = status == x->status;
    if (!ok)
        fail(k, where, "exit status %d, expected %d\n%s", status, x->status, said);
    for (int i = 0; i < x->nm; i++)
        if (!strstr(said, x->message[i])) {
            fail(k, where, "the message lacks `%s`:\n%s", x->message[i], said);
            ok = false;
        }
    ok = ok && prints(k, where, x, printed);
    for (int i = 0; ok && i < x->ne; i++)
        ok = meets(k, where, s, x->expect[i]);
    for (int i = 0; ok && i < x->nh; i++)
        ok = hashes(k, where, s, x->hash[i]);
    return ok;
}

/* The core that was named has no room for it.  A file may expect a refusal, even this one. */
static bool too_big(const struct checker *k, const struct session *s, const struct expectation *x)
{
    return k->core && !s->fits && x->status != EXIT_USAGE;
}

static void miss(struct checker *k, const char *why)
{
    k->left_out++;
    for (int i = 0; i < CORES; i++)
        if (!k->missing->why[i] || !strcmp(k->missing->why[i], why)) {
            if (!k->missing->why[i])
                k->missing->why[i] = strdup(why);
            return;
        }
}

/* One launch on one device.  False: it does not fit. */
static bool run_one(struct checker *k, struct cli *c, enum hd_kind kind,
                    const struct expectation *x, const char *where)
{
    struct progress_state p = { .what = "check",
                                .done = (unsigned)k->at,
                                .all = (unsigned)k->files,
                                .pieces = "files",
                                .also = where };
    struct session s;
    char *said = NULL, *printed = NULL;
    size_t size = 0, more = 0;
    FILE *paper = open_memstream(&printed, &more);
    progress_show(k->progress, &p);
    c->err = open_memstream(&said, &size);
    /* Once is enough: model and RTL are compared byte for byte.  And memory is compared after an
     * ordinary end alone: a kernel that must not come to one would run thread by thread to the
     * third leg's limit for nothing. */
    c->cfg.third_leg = kind == HD_MODEL && !x->status;
    int status = session_open(&s, c, kind);
    if (status < 0) {
        enum hd_status st = session_launch(&s);
        status = cli_exit_status(st);
        if (st == HD_LIMIT)
            fprintf(c->err, "the limit of %llu was reached\n", (unsigned long long)c->cfg.limit),
            hd_show_warps(s.dev, c->err);
        if (st > HD_STOPPED)
            fprintf(c->err, "%s\n", hd_device_error(s.dev));
        else
            session_explain(&s, c->err);
        if (st <= HD_STOPPED)
            hd_print(s.dev, paper, paper);
    }
    fclose(paper);
    fclose(c->err);
    c->err = stderr;
    progress_end(k->progress);
    const bool fits = !too_big(k, &s, x);
    const bool ok = fits && !s.no_core && judge(k, where, &s, x, status, said, printed);
    k->passed += ok;
    k->failed += fits && !s.no_core && !ok;
    if (s.no_core)
        miss(k, hd_device_error(s.dev));
    k->unfit += !fits;
    if (!fits)
        printf("%s:%d: %s: does not fit: %s\n", k->path, x->line, where, hd_device_error(s.dev));
    session_close(&s);
    free(said);
    free(printed);
    return fits;
}

static void run_barrier(struct checker *k, struct cli *c, const struct expectation *x)
{
    char where[64];
    if (!run_one(k, c, HD_MODEL, x, "model"))
        return;
    for (int i = 0; i < x->nlanes; i++)
        for (size_t j = 0; j < k->nseeds; j++) {
            c->cfg.lanes = x->lanes[i];
            c->cfg.mem_seed = k->seeds[j];
            snprintf(where, sizeof where, "lockstep, LANES %u, memory seed %llu", x->lanes[i],
                     (unsigned long long)k->seeds[j]);
            run_one(k, c, HD_LOCKSTEP, x, where);
        }
}

/* The same source for the reconvergence stack, with room on chip for few tokens and for many. */
static void run_stack(struct checker *k, struct cli *c, const struct expectation *x)
{
    static const unsigned depths[] = { 4, 16 };
    char where[80];
    for (size_t j = 0; j < sizeof depths / sizeof depths[0]; j++) {
        c->cfg.stack_depth = depths[j];
        snprintf(where, sizeof where, "stack mode, depth %u, model", depths[j]);
        if (!run_one(k, c, HD_MODEL, x, where))
            continue;
        for (int i = 0; i < x->nlanes && (!j || !i); i++) {    /* the least room with every LANES */
            c->cfg.lanes = x->lanes[i];
            c->cfg.mem_seed = k->seeds[k->nseeds - 1];
            snprintf(where, sizeof where, "stack mode, depth %u, lockstep, LANES %u", depths[j],
                     x->lanes[i]);
            run_one(k, c, HD_LOCKSTEP, x, where);
        }
    }
}

static bool is_source(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".ptx"));
}

static void compile_and_run(struct checker *k, struct cli *c, const struct expectation *x,
                            void (*run)(struct checker *, struct cli *, const struct expectation *))
{
    struct hd_err err = { 0 };
    c->image = session_compile(c, k->path, &err);            /* once for all devices */
    run(k, c, x);
    hd_image_free(c->image);
}

/* What may stand in a RUN line: the words of `heddle lockstep`. */
static const struct command words_of_run = { "lockstep", "", "",
                                             OPT_CC | OPT_LAUNCH | OPT_DEVICE | OPT_LOCKSTEP |
                                                 OPT_OUTPUT | OPT_COVERAGE,
                                             cmd_lockstep };

/* Splits the RUN line as a shell without quotes would.  False: it is no launch. */
static bool run_line(struct checker *k, const struct expectation *x)
{
    enum { WORDS = 62 };
    char *words = strdup(x->run), *save = NULL,
        *argv[WORDS + 2] = { (char *)"run", (char *)k->path };
    int argc = 2;
    struct cli c;
    char *w = strtok_r(words, " \t", &save);
    for (; w && argc < WORDS; w = strtok_r(NULL, " \t", &save))
        argv[argc++] = w;
    bool ok = !w && cli_parse(&words_of_run, argc, argv, &c) < 0;
    if (ok) {
        c.coverage = k->coverage;
        c.doing = k->doing;
        c.cfg.core = k->core;
        c.cfg.board = k->board;
        c.cfg.board_digest = k->board_digest;
        compile_and_run(k, &c, x, run_barrier);
        c.cc.stack_mode = true;
        if (is_source(k->path) && !strstr(x->run, "--mode") && !x->barrier_only)
            compile_and_run(k, &c, x, run_stack);
    } else
        fprintf(stderr, "%s:%d: RUN: no launch: %s\n", k->path, x->line, x->run);
    if (!w)
        cli_free(&c);
    free(words);
    return ok;
}

/* False: what the file says cannot be checked. */
static bool check_one(struct checker *k)
{
    struct check_file f;
    struct hd_err err = { 0 };
    bool ok = check_read(k->path, &f, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    for (int i = 0; ok && i < f.n; i++) {
        if (k->lanes && f.run[i].nlanes)
            f.run[i].lanes[0] = k->lanes, f.run[i].nlanes = 1;
        ok = run_line(k, &f.run[i]);
    }
    check_free(&f);
    return ok;
}

/* A core that was named: its LANES, and what it has, in a line.  False: it cannot be used. */
static bool look_at_core(struct cli *c)
{
    hd_device *dev;
    struct hd_core core;
    struct hd_config cfg = { .kind = HD_MODEL, .core = c->cfg.core, .lanes = c->cfg.lanes };
    const bool ok = hd_open(&cfg, &dev) == HD_OK;
    if (ok) {
        hd_get_core(dev, &core);
        c->cfg.lanes = core.lanes;
        printf("core: LANES %u, %u %s, %u %s a thread, %u %s of shared memory, %u %s on chip\n",
               core.lanes, COUNTED(core.warps, "warp"), COUNTED(core.regs, "register"),
               COUNTED(core.shared_bytes, "byte"), COUNTED(core.stack_depth, "token"));
    } else
        cli_usage(c, "%s", hd_device_error(dev));
    hd_close(dev);
    return ok;
}

static const char *outcome(const struct checker *k, bool ok)
{
    return k->failed || !ok ? "FAIL" : k->left_out ? "part" : k->passed ? "ok  " : "none";
}

int cmd_check(struct cli *c)
{
    static const uint64_t seeds[] = { 0, 1, 77 };
    unsigned passed = 0, failed = 0, unfit = 0, left_out = 0;
    struct missing missing = { 0 };
    bool whole = true;
    struct progress progress;
    if (c->cfg.core && !look_at_core(c))
        return EXIT_USAGE;
    progress_begin(&progress, 0, 0);
    for (int i = 0; i < c->nfiles; i++) {
        char doing[64];
        snprintf(doing, sizeof doing, "check, file %d of %d", i + 1, c->nfiles);
        struct checker k = { .path = c->files[i],
                             .coverage = c->coverage,
                             .doing = doing,
                             .core = c->cfg.core,
                             .board = c->cfg.board,
                             .board_digest = c->cfg.board_digest,
                             .lanes = c->cfg.lanes,
                             .seeds = c->cfg.mem_seed ? &c->cfg.mem_seed : seeds,
                             .nseeds = c->cfg.mem_seed ? 1 : sizeof seeds / sizeof *seeds,
                             .at = i,
                             .files = c->nfiles,
                             .progress = &progress,
                             .missing = &missing };
        bool ok = check_one(&k);
        printf("%s %s (%u runs", outcome(&k, ok), k.path, k.passed + k.failed);
        if (k.unfit)
            printf(", %u do%s not fit", k.unfit, k.unfit == 1 ? "es" : "");
        if (k.left_out)
            printf(", %u without a core", k.left_out);
        printf(")\n");
        fflush(stdout);
        passed += k.passed;
        failed += k.failed;
        unfit += k.unfit;
        left_out += k.left_out;
        whole &= ok;
    }
    printf("check: %u passed, %u failed", passed, failed);
    if (c->cfg.core)
        printf(", %u do not fit", unfit);
    if (left_out)
        printf(", %u not run", left_out);
    printf("\n");
    for (int i = 0; i < CORES; i++) {
        if (missing.why[i])
            cli_usage(c, "not run: %s", missing.why[i]);
        free(missing.why[i]);
    }
    return !whole                            ? EXIT_USAGE
           : failed || (unfit && !passed) ? EXIT_NO
           : left_out                     ? EXIT_USAGE
                                          : EXIT_YES;
}

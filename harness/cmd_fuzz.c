/* `heddle fuzz`: a campaign of random kernels in lockstep and against the third leg.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Kernel number k of seed S depends on S and k alone, so shards of one seed are parts of one campaign, a campaign
 * goes on where it stopped, and every kernel is one number.  With a coverage file the weights of rows depend on
 * what that file lacks at the start; saved kernels do not need it. */
#include "fuzz.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHRINK_SECONDS = 20, MAX_SAVED = 20 };

struct campaign {
    struct cli *cli;
    const struct fuzz_options *o;
    struct fuzz_weights weights;
    struct fuzz_machine machine;
    uint64_t next, kernels, equal, races, failed, third, cycles, predicted, placements;
    double started, last_line, last_note;
};

/* ---- one kernel ---- */

static void choose_launch(struct rng *r, struct fuzz_case *c)
{
    static const struct hd_dim3 block[] = { { 32, 1, 1 }, { 32, 1, 1 }, { 32, 1, 1 }, { 32, 1, 1 }, { 64, 1, 1 }, { 64, 1, 1 },
                                            { 96, 1, 1 }, { 40, 1, 1 }, { 33, 1, 1 }, { 31, 1, 1 }, { 8, 4, 1 }, { 5, 3, 3 },
                                            { 1, 1, 1 }, { 3, 1, 2 }, { 16, 1, 1 } };
    c->block = block[rng_below(r, sizeof block / sizeof block[0])];
    uint32_t threads = c->block.x * c->block.y * c->block.z, most = FUZZ_MAX_THREADS / threads;
    c->grid = (struct hd_dim3){ rng_below(r, 3) ? 1 : 1 + rng_below(r, most < 3 ? most : 3), 1, 1 };
    if (c->grid.x == 1 && most >= 2 && rng_one_in(r, 6))
        c->grid.y = 2;
}

static void make_case(struct campaign *f, uint64_t k, struct fuzz_case *c)
{
    const struct fuzz_options *o = f->o;
    struct rng r = { (o->seed << 32) + k };
    *c = (struct fuzz_case){ .seed = (o->seed << 32) + k, .stack_mode = f->cli->cc.stack_mode,
                             .lanes = f->cli->cfg.lanes ? f->cli->cfg.lanes : 32,
                             .stack_depth = f->cli->cfg.stack_depth ? f->cli->cfg.stack_depth : 16 };
    choose_launch(&r, c);
    c->mem_seed = rng_one_in(&r, 2) ? rng_next(&r) | 1 : 0;
    c->data_seed = rng_next(&r) | 1;
    bool ptx = rng_below(&r, 3) == 0;
    if (o->level == FUZZ_PTX || (o->level == FUZZ_BOTH && ptx))
        fuzz_prog(c);
    else if ((c->wild = rng_one_in(&r, 5) ? WILD_ALL + rng_below(&r, WILD_THEMES - WILD_ALL) : WILD_NOT))
        fuzz_wild(c, &f->weights);
    else
        fuzz_code(c, &f->weights);
}

static void shrink(struct campaign *f, struct fuzz_case *c, struct fuzz_result *r, const char *path, double seconds)
{
    if (seconds <= 0)
        return;
    fuzz_shrink(&f->machine, c, r, seconds);
    if (fuzz_save(c, r, path))
        printf("  heddle fuzz --replay %s    (%u instructions: %s)\n", path, c->img ? c->img->text_size / HD_INSN_BYTES : 0,
               r->text);
    fflush(stdout);
}

static void save_failure(struct campaign *f, uint64_t k, struct fuzz_case *c, struct fuzz_result *r)
{
    char path[512], small[512];
    const char *dir = f->o->out ? f->o->out : ".", *suffix = c->ptx ? "ptx" : "s";
    mkdir(dir, 0777);
    snprintf(path, sizeof path, "%s/fuzz-%" PRIu64 "-%" PRIu64 ".%s", dir, f->o->seed, k, suffix);
    printf("kernel %" PRIu64 ": %s\n", k, r->text);
    if (!fuzz_save(c, r, path)) {
        fprintf(stderr, "heddle fuzz: %s cannot be written\n", path);
        return;
    }
    printf("  heddle fuzz --replay %s\n", path);
    fflush(stdout);
    suffix = c->prog && fuzz_blames_compiler(r) ? "ptx" : "s";
    snprintf(small, sizeof small, "%s/fuzz-%" PRIu64 "-%" PRIu64 "-small.%s", dir, f->o->seed, k, suffix);
    shrink(f, c, r, small, f->o->shrink < 0 ? SHRINK_SECONDS : f->o->shrink);
}

/* False: nothing can run. */
static bool one_way(struct campaign *f, uint64_t k, struct fuzz_case *c)
{
    struct fuzz_result r;
    if (!fuzz_run(&f->machine, c, 0, true, &r))
        return false;
    bool first = !c->predict;                        /* of a kernel; what follows are other placements of it */
    f->kernels += first;
    f->equal += first && r.kind == FUZZ_EQUAL;
    f->races += first && r.kind == FUZZ_RACE;
    f->third += r.third == SCALAR_OK && r.status == HD_OK;
    f->cycles += first ? r.cycles : 0;
    f->placements += !first && c->img;
    f->predicted += c->img && c->predict == 1 && !c->deconflict && !c->soft;
    if (r.kind == FUZZ_FAIL && f->failed++ < MAX_SAVED)
        save_failure(f, k, c, &r);
    return true;
}

/* False: nothing can run. */
static bool one(struct campaign *f, uint64_t k)
{
    struct fuzz_case c;
    uint64_t failed = f->failed;
    bool ok = true;
    make_case(f, k, &c);
    for (unsigned way = 0; ok && f->failed == failed && fuzz_placement(&c, way); way++)
        ok = one_way(f, k, &c);
    fuzz_case_free(&c);
    return ok;
}

/* ---- the campaign ---- */

static void note(struct campaign *f)
{
    FILE *out = f->o->resume ? fopen(f->o->resume, "w") : NULL;
    if (!out)
        return;
    fprintf(out, "heddle fuzz campaign: seed %" PRIu64 " shard %u/%u next %" PRIu64 " kernels %" PRIu64 " equal %" PRIu64
            " races %" PRIu64 " failed %" PRIu64 "\n", f->o->seed, f->o->shard, f->o->shards, f->next, f->kernels, f->equal,
            f->races, f->failed);
    fclose(out);
}

/* No such file: the campaign begins. */
static bool resume(struct campaign *f)
{
    uint64_t seed;
    unsigned shard, shards;
    FILE *in = f->o->resume ? fopen(f->o->resume, "r") : NULL;
    if (!in)
        return true;
    int n = fscanf(in, "heddle fuzz campaign: seed %" SCNu64 " shard %u/%u next %" SCNu64 " kernels %" SCNu64
                   " equal %" SCNu64 " races %" SCNu64 " failed %" SCNu64, &seed, &shard, &shards, &f->next, &f->kernels,
                   &f->equal, &f->races, &f->failed);
    fclose(in);
    return n == 8 && seed == f->o->seed && shard == f->o->shard && shards == f->o->shards;
}

static void progress(struct campaign *f)
{
    double now = device_seconds(), t = now - f->started;
    if (now - f->last_note > 2) {
        f->last_note = now;
        note(f);
    }
    if (t < 2 || now - f->last_line < 0.5 || !isatty(STDERR_FILENO))
        return;
    f->last_line = now;
    double rate = (double)f->kernels / t, left = (double)(f->o->count - f->next) / f->o->shards;
    fprintf(stderr, "\rfuzz: %" PRIu64 " kernels, %.0f/s, failed %" PRIu64 ", eta %.0f s ", f->kernels, rate, f->failed,
            rate > 0 ? left / rate : 0);
}

static int replay(struct campaign *f)
{
    struct fuzz_case c;
    struct fuzz_result r;
    struct hd_err err = { 0 };
    char small[512];
    if (!fuzz_load(&c, f->o->replay, &err))
        return cli_usage(f->cli, "%s", err.text);
    if (f->cli->cfg.lanes)
        c.lanes = f->cli->cfg.lanes;
    bool ok = fuzz_run(&f->machine, &c, 0, true, &r);
    if (ok) {
        if (r.kind == FUZZ_FAIL)
            hd_explain(f->machine.dev, stdout);
        if (!c.wild)
            third_write(f->machine.dev, stdout);
        printf("fuzz: %s: %s\n", f->o->replay, r.text);
        if (r.kind == FUZZ_FAIL && f->o->shrink > 0) {
            snprintf(small, sizeof small, "%s-small.s", f->o->replay);
            shrink(f, &c, &r, small, f->o->shrink);
        }
    }
    fuzz_case_free(&c);
    return !ok ? EXIT_BUG : r.kind == FUZZ_FAIL ? EXIT_NO : EXIT_YES;
}

static int run(struct campaign *f)
{
    const struct fuzz_options *o = f->o;
    if (!resume(f))
        return cli_usage(f->cli, "--resume: %s is not of this campaign", o->resume);
    f->started = f->last_note = device_seconds();
    for (; f->next < o->count; f->next++) {
        if (f->next % o->shards == o->shard && !one(f, f->next))
            return EXIT_BUG;
        if ((o->first && f->failed) || (o->time > 0 && device_seconds() - f->started > o->time)) {
            f->next++;
            break;
        }
        progress(f);
    }
    note(f);
    if (f->last_line > 0)
        fprintf(stderr, "\r\033[K");
    double t = device_seconds() - f->started;
    printf("%.0f kernels/s, %.0f cycles a kernel, third leg compared %" PRIu64 "\n", (double)f->kernels / t,
           (double)f->cycles / (double)(f->kernels ? f->kernels : 1), f->third);
    if (f->predicted)
        printf("with predictions %" PRIu64 ", placed in %" PRIu64 " more ways\n", f->predicted, f->placements);
    printf("fuzz: kernels %" PRIu64 ", equal %" PRIu64 ", races %" PRIu64 ", failed %" PRIu64 ", seed %" PRIu64
           ", shard %u/%u\n", f->kernels, f->equal, f->races, f->failed, o->seed, o->shard, o->shards);
    return f->failed ? EXIT_NO : EXIT_YES;
}

int cmd_fuzz(struct cli *c)
{
    struct campaign f = { .cli = c, .o = &c->fuzz };
    struct hd_err err = { 0 };
    fuzz_weights_init(&f.weights);
    if (c->coverage && !access(c->coverage, F_OK) && !fuzz_weights_steer(&f.weights, c->coverage, &err))
        return cli_usage(c, "%s", err.text);
    f.machine.coverage = c->coverage ? coverage_new() : NULL;
    int status = c->fuzz.replay ? replay(&f) : run(&f);
    fuzz_machine_close(&f.machine);
    if (f.machine.coverage && !coverage_write(f.machine.coverage, c->coverage, true, &err))
        status = cli_usage(c, "%s", err.text);
    coverage_free(f.machine.coverage);
    return status;
}

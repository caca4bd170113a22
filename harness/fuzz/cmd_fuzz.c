/* `heddle fuzz`: a campaign of random kernels in lockstep and against the third leg.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Kernel number k of seed S depends on S and k alone, so shards of one seed are parts of one
 * campaign, a campaign goes on where it stopped, and every kernel is one number.  With a
 * coverage file it depends on what was met before, too; saved kernels do not need that file. */
#include "harness/fuzz/pairs.h"
#include "harness/process/progress.h"
#include "harness/process/stop.h"
#include "harness/cmd/wave.h"
#include "harness/process/seconds.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHRINK_SECONDS = 20, MAX_SHRUNK = 20, CHECKPOINT_SECONDS = 2, CORE_TEXT = 4200 };

/* What has been done. */
struct totals {
    /* of the campaign; --resume keeps them */
    uint64_t next, kernels, equal, races, failed, unjudged;
    uint64_t third, cycles, predicted, placements;   /* of this process */
};

struct campaign {
    struct cli *cli;
    const struct fuzz_options *o;
    struct fuzz_choice choice;
    struct fuzz_machine machine, model;     /* model: for most placements of a kernel in lockstep */
    struct totals n;
    uint64_t begun;                                  /* kernels done when this process began */
    bool stopped;                                    /* in the midst of a kernel */
    double started, last_note;
    struct progress progress;
    uint64_t *at;                                    /* `next', for who watches this process */
    struct coverage *known;      /* what the coverage file holds; fuzz_choice_open takes it */
    struct fuzz_sequence sequence;
};

/* ---- one kernel ---- */

/* With no seconds the case stays as it is. */
static void shrink(struct campaign *f, struct fuzz_machine *m, struct fuzz_case *c,
                   struct fuzz_result *r, const char *path, double seconds)
{
    if (seconds <= 0 || (c->notes && r->field == fuzz_meaning)) {   /* its words say what fails */
        fuzz_link(m, c, r, stdout);
        return;
    }
    struct hd_err err = { 0 };
    fuzz_shrink(m, c, r, seconds);
    if (!fuzz_save(c, r, path, &err))
        cli_usage(f->cli, "%s", err.text);
    else
        printf("  heddle fuzz --replay %s    (%u instructions: %s)\n", path,
               c->img ? c->img->text_size / HD_INSN_BYTES : 0,
               r->text);
    fuzz_link(m, c, r, stdout);
    fflush(stdout);
}

static void save_failure(struct campaign *f, struct fuzz_machine *m, uint64_t k,
                         struct fuzz_case *c, struct fuzz_result *r)
{
    char path[512], small[512];
    struct hd_err err = { 0 };
    const char *dir = f->o->out ? f->o->out : ".", *suffix = c->ptx ? "ptx" : "s";
    snprintf(path, sizeof path, "%s/fuzz-%" PRIu64 "-%" PRIu64 ".%s", dir, f->o->seed, k, suffix);
    progress_end(&f->progress);
    printf("kernel %" PRIu64 ": %s\n", k, r->text);
    if (m != &f->machine)
        fuzz_sequence_clear(&f->sequence);           /* of the other core */
    fuzz_sequence_reduce(m, &f->sequence, c, r);
    if (!fuzz_sequence_save(c, path, &err) || !fuzz_save(c, r, path, &err)) {
        cli_usage(f->cli, "%s", err.text);
        return;
    }
    printf("  heddle fuzz --replay %s\n", path);
    fflush(stdout);
    if (f->n.failed > MAX_SHRUNK)
        return;
    suffix = c->prog && fuzz_blames_compiler(r) ? "ptx" : "s";
    snprintf(small, sizeof small, "%s/fuzz-%" PRIu64 "-%" PRIu64 "-small.%s", dir, f->o->seed, k,
             suffix);
    shrink(f, m, c, r, small, f->o->shrink < 0 ? SHRINK_SECONDS : f->o->shrink);
}

/* False: nothing can run. */
static bool one_way(struct campaign *f, struct fuzz_machine *m, uint64_t k, struct fuzz_case *c)
{
    struct fuzz_result r;
    bool follows = m == &f->machine && f->sequence.n;
    if (follows ? !fuzz_go_on(m, c, &r) : !fuzz_run(m, c, 0, true, &r))
        return false;
    if ((f->stopped = r.kind == FUZZ_STOPPED))
        return true;
    bool first = !c->predict;    /* of a kernel; what follows are other placements of it */
    f->n.kernels += first;
    f->n.equal += first && r.kind == FUZZ_EQUAL;
    f->n.races += first && r.kind == FUZZ_RACE;
    f->n.unjudged += first && r.kind == FUZZ_UNJUDGED;
    f->n.third += r.third == HD_THIRD_OK && r.status == HD_OK;
    f->n.cycles += first ? r.cycles : 0;
    f->n.placements += !first && c->img;
    f->n.predicted += c->img && c->predict == 1 && !c->deconflict && !c->soft;
    if (r.kind == FUZZ_FAIL) {
        f->n.failed++;
        struct fuzz_stream *stream = f->machine.stream;
        f->machine.stream = NULL;                    /* smaller kernels are not the campaign's */
        save_failure(f, m, k, c, &r);
        f->machine.stream = stream;
        fuzz_sequence_clear(&f->sequence);           /* the next one finds a core that was reset */
    } else if (m == &f->machine) {
        if (f->choice.pairs && r.kind == FUZZ_EQUAL && r.status == HD_OK)
            pairs_right(f->choice.pairs);
        fuzz_sequence_add(&f->sequence, c);
    }
    return true;
}

/* Of a kernel's placements one in lockstep, besides that without predictions: what differs between
 * them is the compiler's work, and simulating the core takes a hundred times as long as the
 * model. */
static struct fuzz_machine *machine_of(struct campaign *f, uint64_t k, unsigned way)
{
    return f->o->on != FUZZ_LOCKSTEP || !way || way == 1 + k % (FUZZ_WAYS - 1) ? &f->machine
                                                                               : &f->model;
}

/* False: nothing can run.  Stopped in its midst, the kernel has not been run. */
static bool one(struct campaign *f, uint64_t k)
{
    const struct totals before = f->n;
    struct fuzz_case c = fuzz_choose(&f->choice, (f->o->seed << 32) + k);
    uint64_t failed = f->n.failed;
    bool ok = true;
    if (k % FUZZ_SEQUENCE == 0)
        fuzz_sequence_clear(&f->sequence);
    for (unsigned way = 0; ok && !f->stopped && f->n.failed == failed && fuzz_placement(&c, way);
         way++)
        ok = one_way(f, machine_of(f, k, way), k, &c);
    if (f->stopped)
        f->n = before;
    fuzz_case_free(&c);
    return ok;
}

/* ---- the campaign ---- */

static const char *const level[] = { "both", "ptx", "machine", "operands", "features" };
static const char *const on[] = { "", " --on model", " --on nothing" };

/* On which core, or how many. */
static void core_text(const struct campaign *f, const char *before, char text[CORE_TEXT])
{
    *text = 0;
    if (f->choice.frame.cores > 1)
        snprintf(text, CORE_TEXT, "%scores %u", before, f->choice.frame.cores);
    else if (f->machine.core)
        snprintf(text, CORE_TEXT, "%score %s", before, f->machine.core);
}

/* The command that runs nothing but kernel k and those before it in its sequence: a shard of their
 * own. */
static void alone(const struct campaign *f, uint64_t k, char *buf, size_t n)
{
    const struct fuzz_case *c = &f->choice.frame;
    char cores[CORE_TEXT], lanes[24] = "", depth[32] = "";
    core_text(f, " --", cores);
    if (c->lanes)                /* else the core says it */
        snprintf(lanes, sizeof lanes, " --lanes %u", c->lanes);
    if (c->stack_depth)
        snprintf(depth, sizeof depth, " --stack-depth %u", c->stack_depth);
    snprintf(buf, n,
             "heddle fuzz --seed %" PRIu64 " --count %" PRIu64 " --shard %" PRIu64 "/%" PRIu64
             "%s%s --mode %s --level %s%s%s",
             f->o->seed, k + 1, k / FUZZ_SEQUENCE, k / FUZZ_SEQUENCE + 1, lanes, depth,
             c->stack_mode ? "stack" : "barrier", level[f->o->level], on[f->o->on], cores);
}

/* What a state file must be of: everything that decides which kernels there are, and what they
 * ran on. */
static void identity(const struct campaign *f, char *buf, size_t n)
{
    const struct fuzz_case *c = &f->choice.frame;
    char cores[CORE_TEXT];
    core_text(f, " ", cores);
    snprintf(buf, n,
             "heddle fuzz campaign: seed %" PRIu64 " shard %u/%u lanes %u stack-depth %u"
             " mode %s level %s%s%s:",
             f->o->seed, f->o->shard, f->o->shards, c->lanes, c->stack_depth,
             c->stack_mode ? "stack" : "barrier", level[f->o->level], on[f->o->on], cores);
}

/* There is always a whole state file: the old one or the new one. */
static bool note(struct campaign *f)
{
    char who[256 + CORE_TEXT];
    struct hd_err err = { 0 };
    if (!f->o->resume)
        return true;
    identity(f, who, sizeof who);
    struct outfile *out = outfile_open(f->o->resume, &err);
    if (out)
        fprintf(outfile_stream(out), "%s next %" PRIu64 " kernels %" PRIu64 " equal %" PRIu64
                             " races %" PRIu64 " failed %" PRIu64 " unjudged %" PRIu64 "\n", who,
                f->n.next, f->n.kernels, f->n.equal, f->n.races, f->n.failed, f->n.unjudged);
    if (out && outfile_keep(out, &err))
        return true;
    cli_usage(f->cli, "--resume: %s", err.text);
    return false;
}

static bool add_coverage(struct campaign *f)
{
    struct hd_err err = { 0 };
    if (!f->machine.coverage)
        return true;
    if (!coverage_write(f->machine.coverage, f->cli->coverage, true, &err))
        return cli_usage(f->cli, "%s", err.text), false;
    coverage_clear(f->machine.coverage);
    return true;
}

/* Coverage first: a campaign that is killed loses none of what its state says it has done. */
static bool checkpoint(struct campaign *f)
{
    f->last_note = seconds_now();
    return add_coverage(f) && note(f);
}

/* No such file: the campaign begins. */
static bool resume(struct campaign *f)
{
    char who[256 + CORE_TEXT], line[512 + CORE_TEXT] = "";
    FILE *in = f->o->resume ? fopen(f->o->resume, "r") : NULL;
    if (!in)
        return true;
    identity(f, who, sizeof who);
    size_t n = strlen(who);
    bool ok = fgets(line, sizeof line, in) && !strncmp(line, who, n) &&
              sscanf(line + n, " next %" SCNu64 " kernels %" SCNu64 " equal %" SCNu64
                     " races %" SCNu64 " failed %" SCNu64 " unjudged %" SCNu64, &f->n.next,
                     &f->n.kernels, &f->n.equal, &f->n.races, &f->n.failed, &f->n.unjudged) == 6;
    fclose(in);
    f->begun = f->n.kernels;
    if (!ok)
        cli_usage(f->cli, "--resume: %s is not of this campaign, which is `%.*s`", f->o->resume,
                  (int)n - 1, who);
    return ok;
}

static void show_progress(struct campaign *f)
{
    char failed[32];
    snprintf(failed, sizeof failed, "failed %" PRIu64, f->n.failed);
    progress_show(&f->progress, &(struct progress_state){ .what = "fuzz",
                                                          .done = f->n.next,
                                                          .all = f->o->count,
                                                          .pieces = "kernels",
                                                          .work = f->n.kernels,
                                                          .unit = "kernels",
                                                          .limit = f->o->time,
                                                          .also = failed });
}

/* The replayed file's name, with this instead of its suffix. */
static void sibling(const struct campaign *f, char *out, size_t n, const char *suffix)
{
    const char *path = f->o->replay, *dot = strrchr(path, '.');
    size_t stem = dot && !strchr(dot, '/') ? (size_t)(dot - path) : strlen(path);
    snprintf(out, n, "%.*s%s", (int)stem, path, suffix);
}

/* Runs it again with the waveform on. */
static void record(struct campaign *f, struct fuzz_case *c)
{
    char fst[4096];
    struct window w = wave_window(f->machine.dev);
    struct wave_files files;
    struct fuzz_result r;
    sibling(f, fst, sizeof fst, ".fst");
    if (!wave_open(f->cli, fst, &files))
        return;
    struct fuzz_machine traced = { .wave = outfile_name(files.wave), .wave_from = w.from,
                                   .wave_to = w.to };
    if (fuzz_run(&traced, c, w.to + 16, false, &r)) {
        if (hd_end_wave(traced.dev) == HD_OK)
            wave_keep(f->cli, &files, &w, stdout);
        else
            cli_usage(f->cli, "%s: %s", fst, hd_device_error(traced.dev));
    }
    wave_drop(&files);
    fuzz_machine_close(&traced);
}

static void shrink_saved(struct campaign *f, struct fuzz_case *c, struct fuzz_result *r)
{
    char small[4096];
    if (fuzz_blames_compiler(r)) {                   /* the file has no tree to fold */
        printf("  not shrunk: the compiler is to blame; its campaign does, with --seed %" PRIu64
               ", at kernel %" PRIu64 "\n", c->seed >> 32, c->seed & UINT32_MAX);
        return;
    }
    sibling(f, small, sizeof small, "-small.s");
    shrink(f, &f->machine, c, r, small, f->o->shrink);
}

static int replay(struct campaign *f)
{
    struct fuzz_case c;
    struct fuzz_result r;
    struct hd_err err = { 0 };
    if (!fuzz_load(&c, f->o->replay, &err))
        return cli_usage(f->cli, "%s", err.text);
    if (f->cli->cfg.lanes || f->machine.core)
        c.lanes = f->cli->cfg.lanes;
    if (f->cli->cfg.cores)
        c.cores = f->cli->cfg.cores;
    if (f->cli->cfg.stack_depth)
        c.stack_depth = f->cli->cfg.stack_depth;
    bool ok = ((!f->machine.core && !f->machine.board) || fuzz_ask(&f->machine, &c)) &&
              fuzz_run(&f->machine, &c, 0, true, &r);
    struct fuzz_stream *stream = f->machine.stream;
    f->machine.stream = NULL;
    if (ok) {
        if (r.kind == FUZZ_FAIL && !fuzz_blames_compiler(&r))
            hd_explain(f->machine.dev, stdout);
        if (r.trouble)
            record(f, &c);
        if (!c.wild && f->o->on != FUZZ_NOTHING && c.img)
            hd_show_third(f->machine.dev, stdout);
        if (r.kind == FUZZ_FAIL && f->o->shrink <= 0)
            fuzz_link(&f->machine, &c, &r, stdout);
        printf("fuzz: %s: %s%s\n", f->o->replay,
               r.field == fuzz_refused ? "the compiler refuses a legal program: " : "", r.text);
        if (r.kind == FUZZ_FAIL && f->o->shrink > 0)
            shrink_saved(f, &c, &r);
    }
    f->machine.stream = stream;
    /* its directives: a finding is no answer */
    bool nothing = ok && !c.img && r.kind == FUZZ_UNJUDGED;
    while (c.nbefore)
        fuzz_case_free(&c.before[--c.nbefore]);
    free(c.before);
    fuzz_case_free(&c);
    if (!add_coverage(f))
        return EXIT_USAGE;
    return !ok                ? f->machine.no_core ? EXIT_USAGE : EXIT_BUG
         : r.kind == FUZZ_FAIL ? EXIT_NO
         : nothing             ? EXIT_USAGE
                               : EXIT_YES;
}

static void sum_up(const struct campaign *f)
{
    const struct fuzz_options *o = f->o;
    double n = (double)(f->n.kernels - f->begun);
    if (n > 0 && o->on == FUZZ_NOTHING)
        printf("%.3g kernels/s, compiled only\n", n / (seconds_now() - f->started));
    else if (n > 0)
        printf("%.3g kernels/s, %.0f cycles a kernel, third leg compared %" PRIu64 "\n",
               n / (seconds_now() - f->started),
               (double)f->n.cycles / n, f->n.third);
    if (f->n.predicted)
        printf("with predictions %" PRIu64 ", placed in %" PRIu64 " more ways\n", f->n.predicted,
               f->n.placements);
    printf("fuzz: kernels %" PRIu64 ", equal %" PRIu64 ", races %" PRIu64 ", failed %" PRIu64
           ", ", f->n.kernels, f->n.equal, f->n.races, f->n.failed);
    if (f->n.unjudged || o->on)
        printf("%s %" PRIu64 ", ", o->on == FUZZ_NOTHING ? "compiled" : "only run", f->n.unjudged);
    printf("seed %" PRIu64 ", shard %u/%u\n", o->seed, o->shard, o->shards);
}

/* The kernels of pairs.def need what the usual core has. */
static bool can_pairs(const struct campaign *f)
{
    if (!f->choice.pairs || fuzz_usual(&f->choice.frame))
        return true;
    cli_usage(f->cli, "--level operands and features: this core lacks what the usual one has");
    return false;
}

static int run(struct campaign *f)
{
    const struct fuzz_options *o = f->o;
    bool enough = false;
    f->started = seconds_now();
    if ((o->on != FUZZ_NOTHING && !fuzz_ask(&f->machine, &f->choice.frame)) || !can_pairs(f) ||
        !fuzz_choice_open(&f->choice, f->known))
        return EXIT_USAGE;
    if (!resume(f) || !checkpoint(f))    /* what cannot be written is not found out at the end */
        return EXIT_USAGE;
    if (o->out && mkdir(o->out, 0777) && errno != EEXIST)
        return cli_usage(f->cli, "--out: %s cannot be made: %s", o->out, strerror(errno));
    if (o->out && access(o->out, W_OK | X_OK))
        return cli_usage(f->cli, "--out: %s cannot be written: %s", o->out, strerror(errno));
    progress_begin(&f->progress, f->n.next, f->n.kernels);
    while (f->n.next < o->count && !enough) {
        *f->at = f->n.next;
        if (f->n.next / FUZZ_SEQUENCE % o->shards == o->shard && !one(f, f->n.next))
            return f->machine.no_core ? EXIT_USAGE : EXIT_BUG;
        f->n.next += !f->stopped;
        double now = seconds_now();
        enough = (o->first && f->n.failed) || (o->time > 0 && now - f->started > o->time) ||
                 stop_requested();
        if (now - f->last_note > CHECKPOINT_SECONDS && !checkpoint(f))
            return EXIT_USAGE;
        show_progress(f);
    }
    progress_end(&f->progress);
    bool kept = checkpoint(f);
    sum_up(f);
    if (!kept)
        return EXIT_USAGE;
    if (f->n.kernels < o->at_least && !stop_requested() && !(o->first && f->n.failed)) {
        fprintf(stderr, "heddle fuzz: too few: %" PRIu64 " kernels ran, --at-least %" PRIu64 "\n",
                f->n.kernels, o->at_least);
        return EXIT_NO;
    }
    /* a shard has some kernels of all */
    if (f->choice.pairs && !pairs_report(f->choice.pairs, stdout, o->pairs) && o->shards == 1)
        return EXIT_NO;
    return f->n.failed ? EXIT_NO : EXIT_YES;
}

/* Ends with the status of a campaign's process; if a kernel brought it down, reports that. */
static int ended(const struct campaign *f, int status)
{
    char command[256 + CORE_TEXT];
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    alone(f, *f->at, command, sizeof command);
    fprintf(stderr, "heddle fuzz: kernel %" PRIu64 " ends the process: %s\n  %s%s\n", *f->at,
            strsignal(WTERMSIG(status)), command,
            f->cli->coverage ? "    (unless --coverage chose another)" : "");
    return EXIT_BUG;
}

/* What the file holds, nothing where it is not there yet or empty; NULL: it is wrong, as err
 * says. */
static struct coverage *known(const struct cli *c, struct hd_err *err)
{
    struct stat s;
    struct coverage *v = coverage_new();
    if (v && !stat(c->coverage, &s) && s.st_size && !coverage_read(v, c->coverage, err)) {
        coverage_free(v);
        return NULL;
    }
    return v;
}

/* The same with the events of its kernels written to a file. */
static int streamed(struct campaign *f, int (*go)(struct campaign *))
{
    struct hd_err err = { 0 };
    if (!f->cli->stream)
        return go(f);
    if (!(f->machine.stream = fuzz_stream_open(f->cli->stream, &err)))
        return cli_usage(f->cli, "%s", err.text);
    int status = go(f);
    bool kept = fuzz_stream_close(f->machine.stream, &err);
    f->machine.stream = NULL;
    return kept ? status : cli_usage(f->cli, "%s", err.text);
}

int cmd_fuzz(struct cli *c)
{
    struct campaign f = { .cli = c, .o = &c->fuzz };
    struct hd_err err = { 0 };
    if (c->input)
        return cli_usage(c, "`%s`: it takes no file; --replay FILE runs a saved kernel", c->input);
    if (c->fuzz.on == FUZZ_NOTHING && c->fuzz.level != FUZZ_PTX && !c->fuzz.replay)
        return cli_usage(c, "--on nothing: the compiler's proofs judge: --level ptx");
    if (c->fuzz.on == FUZZ_NOTHING && c->stream)
        return cli_usage(c, "--on nothing: --stream writes what kernels do as they run");
    if (c->cfg.cores > 1 && (c->fuzz.on || c->coverage || c->cfg.four_state))
        return cli_usage(c, "--cores: in lockstep, without --coverage and --four-state");
    if (c->fuzz.level < FUZZ_OPERANDS && c->fuzz.pairs)
        return cli_usage(c, "--pairs: of --level operands or features");
    if (c->fuzz.level >= FUZZ_OPERANDS && (c->fuzz.resume || c->coverage))
        return cli_usage(c, "--level operands and features: without --resume and --coverage");
    if (c->fuzz.on == FUZZ_NOTHING && c->coverage)
        return cli_usage(c, "--on nothing: --coverage counts what kernels meet as they run");
    if (c->cfg.core && c->cfg.cores > 1)
        return cli_usage(c, "--core: of one core");
    if (c->cfg.board && c->fuzz.on)
        return cli_usage(c, "--board: in lockstep");
    if (c->coverage && !(f.known = known(c, &err)))
        return cli_usage(c, "%s", err.text);
    f.machine.coverage = c->coverage ? coverage_new() : NULL;
    f.choice.frame.stack_mode = c->cc.stack_mode;
    f.machine.board = c->cfg.board;
    f.choice.frame.lanes = c->cfg.lanes || c->cfg.core ? c->cfg.lanes : c->cfg.board ? 4 : 32;
    f.choice.frame.cores = c->cfg.cores ? c->cfg.cores : 1;
    f.choice.frame.stack_depth = c->cfg.stack_depth || c->cfg.core || c->cfg.board
                                     ? c->cfg.stack_depth : 16;
    f.choice.level = c->fuzz.level;
    if (c->fuzz.level >= FUZZ_OPERANDS && !c->fuzz.replay)
        f.choice.pairs = pairs_open(c->fuzz.level == FUZZ_OPERANDS ? PAIR_OPERANDS : PAIR_FEATURES,
                                    c->cc.stack_mode, c->fuzz.seed);
    if (!c->fuzz.count)
        c->fuzz.count = f.choice.pairs ? pairs_kernels(f.choice.pairs) : 1000;
    f.machine.on = c->fuzz.on;
    f.machine.monitor = c->fuzz.monitor;
    f.model.on = FUZZ_MODEL;
    f.machine.core = f.model.core = f.choice.scout.core = c->cfg.core;
    f.choice.native = f.machine.native = f.model.native = c->cfg.native != NULL;
    f.machine.x_seed = c->cfg.x_seed;
    f.machine.four_state = c->cfg.four_state;
    int status;
    if (c->fuzz.replay)
        status = streamed(&f, replay);
    else if (fuzz_watch(&f.at, &status))
        status = ended(&f, status);
    else
        status = streamed(&f, run);
    fuzz_machine_close(&f.machine);
    fuzz_machine_close(&f.model);
    fuzz_sequence_clear(&f.sequence);
    coverage_free(f.machine.coverage);
    if (f.choice.known != f.known)
        coverage_free(f.known);
    fuzz_choice_close(&f.choice);
    return status;
}

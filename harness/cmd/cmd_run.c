/* `heddle run` and `heddle lockstep`: launch, show what was asked for, say how it ended.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/base/can.h"
#include "compiler/children.h"
#include "harness/cmd/cmd_run.h"
#include "harness/cmd/step.h"
#include "harness/cmd/timeline_run.h"
#include "harness/process/stop.h"
#include <stdlib.h>
#include <string.h>

/* A kernel's own launches are made for programs alone. */
static void say_children(hd_device *d)
{
    struct hd_children_head head = { 0 };
    uint64_t addr;
    size_t bytes;
    if (hd_symbol(d, CHILDREN_SYMBOL, &addr, &bytes) == HD_OK &&
        bytes == sizeof(struct hd_children) &&
        hd_read(d, addr, &head, sizeof head) == HD_OK && head.error)
        fputs("heddle: the kernel launches others: none was run; `heddle nvcc` builds a program in "
              "which they are\n", stderr);
}

/* What comes after the launch: the report of a bad end, the views of a good one. */
static int show_end(struct session *s, enum hd_status st)
{
    struct cli *c = s->cli;
    struct hd_err err = { 0 };
    if (st > HD_STOPPED)
        return session_error(s, st);
    if (hd_print(s->dev, c->json ? stderr : stdout, stderr) != HD_OK)
        return session_error(s, HD_NO_MEMORY);
    say_children(s->dev);
    if (c->json)
        printf("{ ");
    else if (st == HD_FAULT || st == HD_MISMATCH || st == HD_DEADLOCK) {
        session_explain(s, stderr);
        if (st == HD_MISMATCH)
            fprintf(stderr, "repeat: heddle %s\n", c->command);
        char *page = session_link(s);
        if (page)
            fprintf(stderr, "page: %s\n", page);
        free(page);
    }
    if (st == HD_LIMIT && !c->json)
        fprintf(stderr, "heddle %s: the limit of %llu was reached; who was where:\n", c->cmd->name,
                (unsigned long long)c->cfg.limit), hd_show_warps(s->dev, stderr);
    if (stop_requested())
        return cli_exit_status(st);                  /* its buffers are no result */
    if (!args_show(&c->launch, s->dev, stdout, c->json, &err)) {
        fprintf(stderr, "heddle %s: %s\n", c->cmd->name, err.text);
        return EXIT_USAGE;
    }
    return cli_exit_status(st);
}

/* A race is an answer "no": what was left is no result. */
static void show_third(const struct session *s, enum hd_status st, int *status)
{
    const bool race = hd_get_third(s->dev) == HD_THIRD_RACE;
    if (!s->cli->cfg.third_leg || (st != HD_OK && !race))
        return;
    if (!s->cli->json)
        hd_show_third(s->dev, stdout);
    if (race && *status == EXIT_YES)
        *status = EXIT_NO;
}

/* What was compared: fields of each part, and how many records held anything of it. */
static void compared_text(const struct session *s)
{
    struct hd_compared part;
    printf("compared fields (records that hold any):");
    for (unsigned p = 0; hd_get_compared(s->dev, p, &part); p++)
        printf("%s %s %llu (%llu)", p == 0 ? "\n   " : p % 4 == 0 ? ",\n   " : ",", part.part,
               (unsigned long long)part.fields, (unsigned long long)part.records);
    printf(", final memory %llu bytes",
           (unsigned long long)hd_get_counters(s->dev)->memory_compared);
    if (hd_get_counters(s->dev)->memory_left_out)
        printf(" but %llu", (unsigned long long)hd_get_counters(s->dev)->memory_left_out);
    printf("\n");
}

int cmd_run(struct cli *c)
{
    struct session s;
    if (c->cfg.four_state || c->cfg.x_seed)
        return cli_usage(c, "--%s is for the core: the model knows every bit; heddle lockstep",
                         c->cfg.four_state ? "four-state" : "x-seed");
    if (c->cfg.independent && c->cfg.jobs < 2)
        return cli_usage(c, "--independent: of which blocks at the same time?  --jobs N");
    stop_gracefully();
    int status = session_open(&s, c, HD_MODEL);
    if (status < 0) {
        enum hd_status st = session_launch(&s);
        session_say_interpreted(&s);
        status = show_end(&s, st);
        if (st <= HD_STOPPED && c->json) {
            run_json(&s, st, NULL);
            run_json_end(NULL, NULL);
            show_third(&s, st, &status);
        } else if (st <= HD_STOPPED) {
            session_figures(&s, stdout);
            show_third(&s, st, &status);
            if (c->cfg.jobs > 1)
                hd_show_jobs(s.dev, stdout);
            printf("run: %s\n", hd_strerror(st));
        }
    }
    session_close(&s);
    return status;
}

static bool stop_at(void *user, const struct hd_commit *commit)
{
    struct breakpoint *b = user;
    if (commit->pc != b->pc)
        return true;
    b->hit = true;
    b->at = *commit;
    return false;
}

/* The last line, in the form that scripts read. */
static void print_verdict(const struct session *s, enum hd_status st)
{
    const struct hd_counters *n = hd_get_counters(s->dev);
    const char *word = st == HD_OK         ? "equal"
                       : st == HD_MISMATCH ? "DIFFERENT"
                       : st == HD_FAULT    ? "equal, ended by a fault"
                       : st == HD_DEADLOCK ? "deadlock of the program"
                       : st == HD_LIMIT    ? "equal up to the limit"
                                           : "equal so far, stopped";
    printf("lockstep: %s; compared %llu fields in %llu commits, overrode %llu, clock reads %llu\n",
           word, (unsigned long long)n->fields_compared, (unsigned long long)n->warp_insns,
           (unsigned long long)n->overridden, (unsigned long long)n->clock_reads);
}

/* With a prompt over the run, which may end before it begins. */
static enum hd_status launch_stepped(struct session *s, struct step *t)
{
    if (!step_begin(t, s))
        return HD_NO_MEMORY;
    session_on_commit(s, step_commit, t);
    return t->quit ? HD_STOPPED : session_launch(s);
}

enum { SNAPSHOT_CYCLES = 100000 };

/* --wave: what was written while it ran. */
static int keep_rows(struct session *s, struct wave_files *f, enum hd_status st, struct window *w)
{
    *w = wave_whole(s->dev, st != HD_OK && st != HD_STOPPED);
    if (st > HD_STOPPED) {
        wave_drop(f);
        return EXIT_YES;
    }
    if (hd_end_wave(s->dev) == HD_OK)
        return wave_keep(s->cli, f, w, stderr);
    wave_drop(f);
    return cli_usage(s->cli, "%s: %s", s->cli->rows, hd_device_error(s->dev));
}

/* Options that do not go together; -1: all do. */
static int together(const struct cli *c)
{
    if (c->step && (c->json || c->has_break))
        return cli_usage(
            c,
            "--step asks and answers at a prompt, and `break' is a command there: without --json "
            "and --break");
    if (c->cfg.cores > 1 && (c->step || c->rows || c->timeline || c->output))
        return cli_usage(c, "--cores: waveforms, --timeline and --step show one core");
    if (c->timeline && (c->step || c->has_break))
        return cli_usage(c, "--timeline draws a whole run: without --step and --break");
    return -1;
}

/* --timeline: its file is kept beside the verdict, whatever that is. */
struct drawn { struct timeline_run run; struct outfile *file; };

static bool open_drawn(struct cli *c, struct drawn *d)
{
    struct hd_err err = { 0 };
    d->file = c->timeline ? outfile_open(c->timeline, &err) : NULL;
    if (err.status)
        cli_usage(c, "%s", err.text);
    return !err.status;
}

static void drop_drawn(struct drawn *d)
{
    outfile_drop(d->file);
    timeline_run_free(&d->run);
    *d = (struct drawn){ 0 };
}

static int keep_drawn(struct session *s, struct drawn *d, enum hd_status st)
{
    int status = -1;
    if (d->file && st <= HD_STOPPED && !stop_requested()) {
        timeline_run_end(&d->run, s, st);
        status = timeline_show(s->cli, &d->run.t, &d->run.page, s->cli->timeline, &d->file,
                               stderr);
    }
    drop_drawn(d);
    return status;
}

int cmd_lockstep(struct cli *c)
{
    struct session s;
    struct breakpoint b = { .pc = c->break_pc };
    bool differs = false, object = false;            /* a difference without its waveform; JSON that
                                                      * has no end yet */
    const char *wave = c->rows;
    struct window w = { 0 };                         /* what the waveform of a difference shows */
    struct wave_files files = { 0 }, rows = { 0 };
    struct step step = { 0 };
    struct drawn drawn = { 0 };
    char race[RACE_TEXT];
    int status = together(c);
    if (status >= 0)
        return status;
    if (c->output && !wave_open(c, c->output, &files))
        return EXIT_USAGE;
    wave_drop(&files);                               /* it could be written; seldom it has to be */
    if ((c->rows && !wave_open(c, c->rows, &rows)) || !open_drawn(c, &drawn)) {
        wave_drop(&rows);
        return EXIT_USAGE;
    }
    stop_gracefully();
    c->cfg.keep_going = c->keep_going;
    const bool no_snapshots = c->no_snapshots || c->step || c->rows || !can.processes;
    c->cfg.snapshots = no_snapshots ? 0 : SNAPSHOT_CYCLES;
    c->cfg.wave = c->rows ? outfile_name(rows.wave) : NULL;
    c->cfg.wave_rows = c->rows;
    c->cfg.wave_to = UINT64_MAX;
    status = session_open(&s, c, HD_LOCKSTEP);
    if (status < 0 && c->timeline && !timeline_run_begin(&drawn.run, &s))
        status = session_error(&s, HD_NO_MEMORY);
    if (status < 0) {
        if (c->has_break)
            session_on_commit(&s, stop_at, &b);
        enum hd_status st = c->step ? launch_stepped(&s, &step) : session_launch(&s);
        status = show_end(&s, st);
        if (c->step)
            step_end(&step, st);
        if (b.hit && !c->json) {
            printf("stopped after PC 0x%x, cycle %llu:\n", b.pc, (unsigned long long)b.at.cycle);
            hd_show_commit(s.dev, &b.at, stdout);
            hd_show_warps(s.dev, stdout);
        }
        if ((object = st <= HD_STOPPED && c->json))
            run_json(&s, st, &b), show_third(&s, st, &status);
        else if (st <= HD_STOPPED) {
            session_figures(&s, stdout);
            if (hd_get_board(s.dev, race, sizeof race))
                printf("board: %s\n", race);
            else
                compared_text(&s);
            show_third(&s, st, &status);
            if (hd_get_race(s.dev, race, sizeof race))
                printf("%s\n", race);
            print_verdict(&s, st);
        }
        int kept = c->rows ? keep_rows(&s, &rows, st, &w) : EXIT_YES,
            shown = keep_drawn(&s, &drawn, st);
        status = kept != EXIT_YES ? kept : shown >= 0 ? shown : status;
        if (st == HD_MISMATCH && !c->rows && can.traced && !stop_requested() &&
            !c->cfg.four_state && c->cfg.cores < 2 && !c->cfg.board &&
            wave_open(c, c->output ? c->output : "heddle.fst", &files)) {
            w = wave_window(s.dev);
            wave = files.fst;
            differs = !wave_replay(&s, &files, &w, stderr);
        }
    }
    step_free(&step);
    session_close(&s);
    wave_drop(&rows);
    drop_drawn(&drawn);
    if (differs)                                     /* a core without tracing only says so */
        wave_record(c, &files, &w, stderr);
    if (object)
        run_json_end(wave, &w);
    return status;
}

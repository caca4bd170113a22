/* `heddle run` and `heddle lockstep`: launch, show what was asked for, say how it ended.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/cli.h"
#include "harness/process/stop.h"
#include "harness/cmd/wave.h"
#include <string.h>

/* What comes after the launch: the report of a bad end, the views of a good one. */
static int show_end(struct session *s, enum hd_status st)
{
    struct cli *c = s->cli;
    struct hd_err err = { 0 };
    if (st > HD_STOPPED)
        return session_error(s, st);
    if (st == HD_FAULT || st == HD_MISMATCH || st == HD_DEADLOCK) {
        hd_explain(s->dev, stderr);
        if (st == HD_MISMATCH)
            fprintf(stderr, "repeat: heddle %s\n", c->command);
    }
    if (st == HD_LIMIT)
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

/* What was compared: fields of each part, and how many records held anything of it. */
static void compared_json(const struct session *s)
{
    struct hd_compared part;
    printf("\"compared\": {");
    for (unsigned p = 0; hd_get_compared(s->dev, p, &part); p++)
        printf(" \"%s\": { \"fields\": %llu, \"records\": %llu },", part.part, (unsigned long long)part.fields,
               (unsigned long long)part.records);
    printf(" \"final_memory_bytes\": %llu, \"left_out_bytes\": %llu },\n",
           (unsigned long long)hd_get_counters(s->dev)->memory_compared,
           (unsigned long long)hd_get_counters(s->dev)->memory_left_out);
}

static void compared_text(const struct session *s)
{
    struct hd_compared part;
    printf("compared fields (records that hold any):");
    for (unsigned p = 0; hd_get_compared(s->dev, p, &part); p++)
        printf("%s %s %llu (%llu)", p == 0 ? "\n   " : p % 4 == 0 ? ",\n   " : ",", part.part,
               (unsigned long long)part.fields, (unsigned long long)part.records);
    printf(", final memory %llu bytes", (unsigned long long)hd_get_counters(s->dev)->memory_compared);
    if (hd_get_counters(s->dev)->memory_left_out)
        printf(" but %llu", (unsigned long long)hd_get_counters(s->dev)->memory_left_out);
    printf("\n");
}

static void json_figures(const struct session *s, const char *verdict)
{
    const struct hd_counters *n = hd_get_counters(s->dev);
    const struct { const char *name; uint64_t v; } f[] = {
        { "cycles", n->cycles }, { "warp_insns", n->warp_insns }, { "thread_insns", n->thread_insns },
        { "active_lanes", n->active_lanes }, { "branches", n->branches },
        { "divergent_branches", n->divergent_branches }, { "reconvergences", n->reconvergences },
        { "gave_way", n->gave_way }, { "pushes", n->pushes }, { "pops", n->pops }, { "spills", n->spills },
        { "fills", n->fills }, { "deepest", n->deepest }, { "loads", n->loads }, { "stores", n->stores }, { "atomics", n->atomics },
        { "mem_transactions", n->mem_transactions }, { "fields_compared", n->fields_compared },
        { "overridden", n->overridden }, { "clock_reads", n->clock_reads },
    };
    for (size_t i = 0; i < sizeof f / sizeof f[0]; i++)
        printf("\"%s\": %llu,\n", f[i].name, (unsigned long long)f[i].v);
    if (s->cli->cfg.kind == HD_LOCKSTEP)
        compared_json(s);
    printf("\"verdict\": \"%s\" }\n", verdict);
}

int cmd_run(struct cli *c)
{
    struct session s;
    if (c->cfg.four_state || c->cfg.x_seed)
        return cli_usage(c, "--%s is for the core: the model knows every bit; heddle lockstep",
                         c->cfg.four_state ? "four-state" : "x-seed");
    stop_gracefully();
    int status = session_open(&s, c, HD_MODEL);
    if (status < 0) {
        enum hd_status st = session_launch(&s);
        if (c->json)
            printf("{ ");
        status = show_end(&s, st);
        if (st <= HD_STOPPED && c->json)
            json_figures(&s, hd_strerror(st));
        else if (st <= HD_STOPPED) {
            session_figures(&s, stdout);
            if (c->cfg.third_leg && st == HD_OK)
                hd_show_third(s.dev, stdout);
            printf("run: %s\n", hd_strerror(st));
        }
    }
    session_close(&s);
    return status;
}

struct breakpoint { uint32_t pc; struct session *s; bool hit; struct hd_commit at; };

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
    const char *word = st == HD_OK ? "equal" : st == HD_MISMATCH ? "DIFFERENT" : st == HD_FAULT ? "equal, ended by a fault"
                     : st == HD_DEADLOCK ? "deadlock of the program" : st == HD_LIMIT ? "equal up to the limit"
                                                                              : "equal so far, stopped";
    printf("lockstep: %s; compared %llu fields in %llu commits, overrode %llu, clock reads %llu\n", word,
           (unsigned long long)n->fields_compared, (unsigned long long)n->warp_insns,
           (unsigned long long)n->overridden, (unsigned long long)n->clock_reads);
}

enum { SNAPSHOT_CYCLES = 100000 };

int cmd_lockstep(struct cli *c)
{
    struct session s;
    struct breakpoint b = { .pc = c->break_pc, .s = &s };
    bool differs = false;
    struct window w;                                 /* what the waveform of a difference shows */
    struct wave_files files = { 0 };
    if (c->output && !wave_open(c, c->output, &files))
        return EXIT_USAGE;
    wave_drop(&files);                               /* it could be written; seldom it has to be */
    stop_gracefully();
    c->cfg.keep_going = c->keep_going;
    c->cfg.snapshots = c->no_snapshots ? 0 : SNAPSHOT_CYCLES;
    int status = session_open(&s, c, HD_LOCKSTEP);
    if (status < 0) {
        if (c->has_break)
            session_on_commit(&s, stop_at, &b);
        enum hd_status st = session_launch(&s);
        if (c->json)
            printf("{ ");
        status = show_end(&s, st);
        if (b.hit) {
            printf("stopped after PC 0x%x, cycle %llu:\n", b.pc, (unsigned long long)b.at.cycle);
            hd_show_commit(s.dev, &b.at, stdout);
            hd_show_warps(s.dev, stdout);
        }
        if (st <= HD_STOPPED && c->json)
            json_figures(&s, st == HD_OK ? "equal" : hd_strerror(st));
        else if (st <= HD_STOPPED) {
            session_figures(&s, stdout);
            compared_text(&s);
            if (c->cfg.third_leg && st == HD_OK)
                hd_show_third(s.dev, stdout);
            print_verdict(&s, st);
        }
        if (st == HD_MISMATCH && !stop_requested() && !c->cfg.four_state &&
            wave_open(c, c->output ? c->output : "heddle.fst", &files)) {
            w = wave_window(s.dev);
            differs = !wave_replay(&s, &files, &w, stderr);
        }
    }
    session_close(&s);
    if (differs)                                     /* a core without tracing only says so */
        wave_record(c, &files, &w, stderr);
    return status;
}

/* `heddle stream`: checks, prints and compares streams of warp events, and has models follow them
 * (docs/stream.md).
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/cli.h"
#include "cmodel/base/counted.h"
#include "harness/cmd/stream_lines.h"
#include "harness/process/stop.h"
#include "harness/stream/commits.h"
#include "cmodel/base/infile.h"
#include "stream/heddle_model.h"
#include "stream/monitor.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { QUIET = 100000, SHOWN = 10 };

/* A stream that is read, with the file that it comes from. */
struct source {
    const char *name;
    FILE *in;
    struct hs_reader *r;
};

static bool source_open(struct cli *c, const char *name, struct source *s)
{
    struct hd_err err = { 0 };
    char error[HS_ERROR];
    *s = (struct source){ .name = name };
    s->in = strcmp(name, "-") ? infile_open(name, &err) : stdin;
    if (!s->in)
        return cli_usage(c, "%s", err.text), false;
    if ((s->r = hs_open(s->in, error)))
        return true;
    cli_usage(c, "%s: %s", name, error);
    if (s->in != stdin)
        fclose(s->in);
    return false;
}

static void source_close(struct source *s)
{
    hs_close(s->r);
    if (s->in && s->in != stdin)
        fclose(s->in);
}

/* `rules 12 of 15 (empty: held, kept, loads)', and each rule with what it had to check. */
static void say_rules(const struct hs_monitor *m)
{
    unsigned empty = 0;
    for (unsigned k = 0; k < HS_RULES; k++)
        empty += hs_empty(m, k) != NULL;
    printf("rules %u of %u (empty: ", HS_RULES - empty, (unsigned)HS_RULES);
    bool first = true;
    for (unsigned k = 0; k < HS_RULES; k++) {
        if (!hs_empty(m, k))
            continue;
        printf(first ? "%s" : ", %s", hs_rule_name[k]);
        first = false;
    }
    printf("%s)\n", first ? "none" : "");
    for (unsigned k = 0; k < HS_RULES; k++)
        if (hs_empty(m, k))
            printf("    %-8s empty: %s\n", hs_rule_name[k], hs_empty(m, k));
        else
            printf("    %-8s %llu checks\n", hs_rule_name[k],
                   (unsigned long long)hs_checks(m, k));
}

static void say_broken(const struct source *s, enum hs_rule rule, const char *broken,
                       struct stream_lines *lines, const struct hs_event *e)
{
    const char *where = stream_lines_event(lines, e);
    printf("stream: rule %s broken at event %llu, cycle %llu: ", hs_rule_name[rule],
           (unsigned long long)hs_events_read(s->r), (unsigned long long)e->cycle);
    if (where)
        printf("%s: ", where);
    stream_lines_text(lines, broken, stdout);
    printf("\n    %s\n    ", hs_rule_sentence[rule]);
    hs_print(hs_header_of(s->r), e, stdout);
}

static int check(struct cli *c, const char *name, struct stream_lines *lines)
{
    struct source s;
    static struct hs_event e;
    char error[HS_ERROR];
    if (!source_open(c, name, &s))
        return EXIT_USAGE;
    stream_lines_begin(lines);
    struct hs_monitor *m = hs_monitor_open(hs_header_of(s.r), c->quiet ? c->quiet : QUIET);
    int got = m ? 1 : -1;
    if (!m)
        snprintf(error, sizeof error, "out of memory");
    while (got > 0 && (got = hs_read(s.r, &e, error)) > 0 && hs_monitor_add(m, &e) &&
           !stop_requested())
        stream_lines_hear(lines, &e);
    if (!got && !hs_ends(s.r, error))
        got = -1;
    enum hs_rule rule;
    int status = EXIT_YES;
    if (got == 0)
        hs_monitor_end(m);
    const char *broken = m ? hs_broken(m, &rule) : NULL;
    if (broken) {
        say_broken(&s, rule, broken, lines, &e);
        status = EXIT_NO;
    } else if (got < 0) {
        status = cli_usage(c, "%s: %s", name, error);
    } else if (!hs_events_read(s.r)) {
        status = cli_usage(c, "%s: it holds no event", name);
    } else {
        uint64_t checks = 0;
        for (unsigned k = 0; k < HS_RULES; k++)
            checks += hs_checks(m, k);
        printf("stream: %s; %llu instructions, %llu checks, ",
               stop_requested() ? "ok so far, stopped" : "ok",
               (unsigned long long)hs_instructions(m), (unsigned long long)checks);
        say_rules(m);
    }
    hs_monitor_close(m);
    source_close(&s);
    return status;
}

static int print(struct cli *c, const char *name, struct stream_lines *lines)
{
    struct source s;
    static struct hs_event e;
    char error[HS_ERROR];
    int got;
    if (!source_open(c, name, &s))
        return EXIT_USAGE;
    stream_lines_begin(lines);
    hs_print_header(hs_header_of(s.r), stdout);
    while ((got = hs_read(s.r, &e, error)) > 0 && !ferror(stdout) && !stop_requested()) {
        stream_lines_hear(lines, &e);
        const char *where = stream_lines_event(lines, &e);
        if (where)
            printf("# %s\n", where);
        hs_print(hs_header_of(s.r), &e, stdout);
    }
    if (!got && !hs_ends(s.r, error))
        got = -1;
    if (!got)
        printf("end-of-stream\n");
    source_close(&s);
    return got < 0 ? cli_usage(c, "%s: %s", name, error) : EXIT_YES;
}

static int diff(struct cli *c, const char *names[2], struct stream_lines *lines)
{
    struct source s[2] = { { 0 } };
    struct hs_diff sum = { .where = lines ? stream_lines_where : NULL, .user = lines };
    char error[HS_ERROR];
    if (!strcmp(names[0], "-") && !strcmp(names[1], "-"))
        return cli_usage(c, "diff: only one of two streams can come from standard input");
    if (!source_open(c, names[0], &s[0]))
        return EXIT_USAGE;
    if (!source_open(c, names[1], &s[1]))
        return source_close(&s[0]), EXIT_USAGE;
    const int n = hs_compare(s[0].r, s[1].r, names, SHOWN, stdout, &sum, error);
    int status = n < 0 ? cli_usage(c, "%s", error) : n ? EXIT_NO : EXIT_YES;
    if (n >= 0 && !sum.instructions && !sum.differ)
        status = cli_usage(c, "%s, %s: there is no instruction that both have", names[0], names[1]);
    else if (n > 0)
        printf("stream: DIFFERENT; %llu of %llu %s, %llu %s compared\n",
               (unsigned long long)sum.differ, COUNTED((unsigned long long)sum.warps, "warp"),
               COUNTED((unsigned long long)sum.instructions, "instruction"));
    else if (!n)
        printf("stream: equal; %llu %s, %llu %s compared\n",
               COUNTED((unsigned long long)sum.warps, "warp"),
               COUNTED((unsigned long long)sum.instructions, "instruction"));
    source_close(&s[0]);
    source_close(&s[1]);
    return status;
}

static void *symbol(void *lib, const char *name)
{
    return lib ? dlsym(lib, name) : NULL;
}

/* A model of somebody's own follows: a library with the functions of heddle_model.h. */
static int follow(struct cli *c, const char *model, const char *name, struct stream_lines *lines)
{
    struct source s;
    struct hs_diff sum = { .where = lines ? stream_lines_where : NULL, .user = lines };
    struct hs_model m = { 0 };
    char error[HS_ERROR], path[4096];
    snprintf(path, sizeof path, "%s%s", strchr(model, '/') ? "" : "./", model);
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *start = symbol(lib, "hs_model_start"), *step = symbol(lib, "hs_model_step"),
         *compare = symbol(lib, "hs_model_compare");
    memcpy(&m.start, &start, sizeof start);
    memcpy(&m.step, &step, sizeof step);
    memcpy(&m.compare, &compare, sizeof compare);
    if (!start || !step) {
        int status = lib ? cli_usage(c, "%s: hs_model_start or hs_model_step is not in it", model)
                         : cli_usage(c, "%s", dlerror());
        if (lib)
            dlclose(lib);
        return status;
    }
    if (!source_open(c, name, &s))
        return dlclose(lib), EXIT_USAGE;
    const char *names[2] = { name, model };
    const int n = hs_follow(s.r, &m, names, stdout, &sum, error);
    int status = n < 0 ? cli_usage(c, "%s", error) : n ? EXIT_NO : EXIT_YES;
    if (n >= 0 && !sum.instructions)
        status = cli_usage(c, "%s: there is no instruction to follow", name);
    else if (n >= 0)
        printf("stream: %s; %s followed %llu %s of %llu %s\n",
               n ? "DIFFERENT" : "equal", model,
               COUNTED((unsigned long long)sum.instructions, "instruction"),
               COUNTED((unsigned long long)sum.warps, "warp"));
    source_close(&s);
    dlclose(lib);
    return status;
}

/* The contract's tables, which docs/stream-events.md shows. */
static int contract(void)
{
    printf("# The events of a stream, version %d\n\n", HS_VERSION);
    printf("`heddle stream contract` prints this page (`make docs`); [stream.md](stream.md) says "
           "how it is used.\n\n");
    hs_print_contract(stdout);
    printf("\nThe rules of `heddle stream check`. A rule says nothing where a kind of event that "
           "it needs is not reported, or where\n"
           "two kinds are taken from one place of the core (not those with a `+`).\n\n| rule | "
           "what it says | needs |\n| --- | --- | --- |\n");
    for (unsigned k = 0; k < HS_RULES; k++)
        printf("| `%s` | %s | %s |\n", hs_rule_name[k], hs_rule_sentence[k], hs_rule_needs[k]);
    printf("\nWhat becomes of our own commit record ([commit.md](commit.md)), of which "
           "[stream.md](stream.md) says more.\n\n");
    commit_stream_page(stdout);
    return EXIT_YES;
}

static int check_all(struct cli *c, struct stream_lines *lines)
{
    int status = EXIT_YES;
    for (int k = 1; k < c->nfiles && !stop_requested(); k++) {
        if (c->nfiles > 2)
            printf("%s: ", c->files[k]);
        fflush(stdout);
        const int one = check(c, c->files[k], lines);
        status = one > status ? one : status;
    }
    return status;
}

static int by_verb(struct cli *c, const char *verb, struct stream_lines *lines)
{
    if (!strcmp(verb, "diff") && c->nfiles == 3)
        return diff(c, (const char *[2]){ c->files[1], c->files[2] }, lines);
    if (!strcmp(verb, "follow") && c->nfiles == 3)
        return follow(c, c->files[1], c->files[2], lines);
    if (!strcmp(verb, "print") && c->nfiles == 2)
        return print(c, c->files[1], lines);
    if (!strcmp(verb, "contract") && c->nfiles == 1)
        return contract();
    if (!strcmp(verb, "check") && c->nfiles > 1)
        return check_all(c, lines);
    return cli_usage(c, "stream check F ... | print F | diff A B | follow MODEL.so F | contract"
                        "     (F: a file, or - for standard input)");
}

int cmd_stream(struct cli *c)
{
    struct stream_lines *lines;
    stop_gracefully();
    if (!stream_lines_open(c, &lines))
        return EXIT_USAGE;
    const int status = by_verb(c, c->nfiles ? c->files[0] : "", lines);
    stream_lines_close(c, lines);
    return status;
}

/* `heddle export`: a launch for Perfetto, Konata or speedscope (docs/formats.md).
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/cli.h"
#include "harness/cmd/commit_log.h"
#include "harness/process/stop.h"
#include "harness/view/export.h"
#include "cmodel/base/infile.h"
#include "cmodel/base/outfile.h"
#include <string.h>

struct export
{
    struct cli *c;
    struct timeline_page program;
    struct profile p;
    struct perfetto *perfetto;
    struct konata *konata;
    uint64_t n;
    FILE *out;
};

static bool on_view(void *user, const struct view_commit *c)
{
    struct export *x = user;
    x->n++;
    if (x->perfetto) {
        perfetto_add(x->perfetto, c);
        return !ferror(x->out);
    }
    return profile_add(&x->p, c) && (!x->konata || konata_add(x->konata, c));
}

static bool on_commit(void *user, const struct hd_commit *c)
{
    struct view_commit v;
    view_of(&v, c);
    return on_view(user, &v);
}

static void on_cycle(void *user, const struct hd_issue *i)
{
    struct export *x = user;
    profile_cycle(&x->p, i);
}

/* Before the first commit; false: no memory. */
static bool begin(struct export *x, bool stack_mode)
{
    const int format = x->c->format;
    if (format == EXPORT_PERFETTO)
        return (x->perfetto = perfetto_open(&x->program, x->out)) != NULL;
    return profile_open(&x->p, &x->program, stack_mode, x->c->in_lockstep) &&
           (format != EXPORT_KONATA || (x->konata = konata_open(&x->p)));
}

/* After the last one, or where there was none. */
static bool end(struct export *x)
{
    bool ok = true;
    if (x->perfetto)
        perfetto_close(x->perfetto);
    else if (x->konata)
        ok = konata_close(x->konata, x->out);
    else
        ok = speedscope_write(&x->p, x->c->command, x->out);
    return ok;
}

static int from_log(struct export *x)
{
    struct hd_err err = { 0 };
    FILE *in = infile_open(x->c->input, &err);
    bool ok = in && begin(x, x->c->cc.stack_mode) &&
              read_commit_log(in, x->c, &x->program, on_view, x, &err) && end(x);
    if (in)
        fclose(in);
    if (ok)
        return EXIT_YES;
    fprintf(x->c->err, "%s\n", err.status ? err.text : "out of memory");
    return err.status == 2 ? EXIT_USAGE : EXIT_BUG;
}

static int from_launch(struct export *x)
{
    struct cli *c = x->c;
    struct session s;
    stop_gracefully();
    c->cfg.issue = c->in_lockstep && c->format != EXPORT_PERFETTO;
    int status = session_open(&s, c, c->in_lockstep ? HD_LOCKSTEP : HD_MODEL);
    if (status < 0 && (!timeline_program(s.image, &x->program) || !begin(x, s.image->stack_mode)))
        status = (fprintf(c->err, "heddle export: out of memory\n"), EXIT_BUG);
    if (status < 0) {
        session_on_commit(&s, on_commit, x);
        if (c->cfg.issue)
            hd_on_cycle(s.dev, on_cycle, x);
        enum hd_status st = session_launch(&s);
        if (st == HD_FAULT || st == HD_DEADLOCK || st == HD_MISMATCH)
            session_explain(&s, stderr);
        else if (st > HD_STOPPED)
            session_error(&s, st);
        status = end(x) ? cli_exit_status(st) : EXIT_BUG;
        if (st > HD_STOPPED || stop_requested())
            x->n = 0; /* nothing worth keeping */
    }
    session_close(&s);
    return status;
}

int cmd_export(struct cli *c)
{
    struct export x = { .c = c };
    struct hd_err err = { 0 };
    if (no_other_elf(c) >= 0)
        return EXIT_USAGE;
    if (!c->format)
        return cli_usage(c, "--format is missing: perfetto, konata or speedscope");
    if (!c->output)
        return cli_usage(c, "-o FILE is missing");
    if (c->in_lockstep && is_commit_log(c->input))
        return cli_usage(c, "%s is a log: it has run already", c->input);
    if (c->format == EXPORT_KONATA && !c->in_lockstep)
        return cli_usage(
            c, "konata shows the stages of the core: add --lockstep (a commit log has none)");
    struct outfile *file = outfile_open(c->output, &err);
    if (!file)
        return cli_usage(c, "%s", err.text);
    x.out = outfile_stream(file);
    int status = is_commit_log(c->input) ? from_log(&x) : from_launch(&x);
    if (x.n && status != EXIT_USAGE && status != EXIT_BUG) { /* up to its bad end, too */
        if (!outfile_keep(file, &err))
            status = cli_usage(c, "%s", err.text);
        else
            printf("export: %s, %llu commits\n", c->output, (unsigned long long)x.n);
        file = NULL;
    }
    outfile_drop(file);
    profile_close(&x.p);
    timeline_program_free(&x.program);
    return status;
}

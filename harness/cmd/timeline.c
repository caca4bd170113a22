/* `heddle timeline`: the lanes of every warp over time, as a page or in a terminal
 * (docs/timeline.md).
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/cli.h"
#include "cmodel/base/counted.h"
#include "harness/cmd/cmd_run.h"
#include "harness/cmd/commit_log.h"
#include "harness/cmd/timeline_run.h"
#include "harness/process/stop.h"
#include "harness/view/profile.h"
#include "harness/view/timeline.h"
#include "cmodel/base/infile.h"
#include "cmodel/base/outfile.h"
#include <stdlib.h>
#include <string.h>

/* ---- what a launch leaves ---- */

static bool on_view(void *user, const struct view_commit *c)
{
    struct timeline_run *g = user;
    return timeline_add(&g->t, c) && profile_add(&g->p, c);
}

static bool on_commit(void *user, const struct hd_commit *c)
{
    struct view_commit v;
    view_of(&v, c);
    return on_view(user, &v);
}

bool timeline_run_begin(struct timeline_run *g, struct session *s)
{
    *g = (struct timeline_run){ .page = { .title = s->cli->command, .profile = &g->p } };
    session_on_commit(s, on_commit, g);
    return timeline_program(s->image, &g->page) &&
           profile_open(&g->p, &g->page, s->image->stack_mode, false);
}

void timeline_run_end(struct timeline_run *g, struct session *s, enum hd_status st)
{
    struct hd_mismatch v;
    struct timeline_page *p = &g->page;
    bool differs = hd_get_mismatch(s->dev, &v) && v.trouble == HD_TROUBLE_FIELD;
    if (st == HD_FAULT || st == HD_DEADLOCK || st == HD_MISMATCH) {
        size_t n;
        FILE *report = open_memstream(&g->report, &n);
        if (report) {
            session_explain(s, report);
            fclose(report);
        }
        p->report = g->report;
    }
    if (st <= HD_STOPPED && hd_get_race(s->dev, g->race, sizeof g->race))
        p->race = g->race;
    snprintf(g->said, sizeof g->said, "%s%s%s", hd_strerror(st), differs ? ": " : "",
             differs ? v.field : p->race ? ", with a race" : "");
    p->status = g->said;
    if (differs) {
        p->rtl = v.rtl;
        p->model = v.model;
        p->field = v.field;
    }
}

void timeline_run_free(struct timeline_run *g)
{
    timeline_program_free(&g->page);
    timeline_free(&g->t);
    profile_close(&g->p);
    free(g->report);
    g->report = NULL;
}

/* ---- pictures ---- */

/* --warp B.W; without it the warp that is shown first.  NULL: it is refused. */
static const struct timeline_warp *which(struct cli *c, const struct timeline *t,
                                         const struct timeline_page *p)
{
    unsigned block = p->rtl ? p->rtl->block : t->warp[0].block,
             warp = p->rtl ? p->rtl->warp : t->warp[0].warp;
    char after;
    if (c->warp && sscanf(c->warp, "%u.%u%c", &block, &warp, &after) != 2) {
        cli_usage(c, "--warp: `%s` is not BLOCK.WARP", c->warp);
        return NULL;
    }
    const struct timeline_warp *w = timeline_warp(t, block, warp);
    if (!w)
        cli_usage(c, "--warp: no commit of block %u, warp %u", block, warp);
    return w;
}

static int draw(struct cli *c, const struct timeline *t, const struct timeline_page *p, FILE *out)
{
    const struct timeline_warp *w = which(c, t, p);
    unsigned long long from = 0, to = w ? w->n : 0;
    char after;
    if (!w)
        return EXIT_USAGE;
    if (c->commits &&
        (sscanf(c->commits, "%llu:%llu%c", &from, &to, &after) != 2 || from >= to || to > w->n))
        return cli_usage(c, "--commits: `%s` is not A:B with A below B, and B at most %llu",
                         c->commits, (unsigned long long)w->n);
    if (to - from > TIMELINE_SVG)
        return cli_usage(c,
                         "--svg: %llu commits are too many to draw: --commits A:B with at most %d",
                         to - from, TIMELINE_SVG);
    return timeline_svg(p, w, from, to, out) ? -1
                                             : (cli_usage(c, "--svg: out of memory"), EXIT_BUG);
}

/* Writes what was gathered; -1, or an exit status that says why not. */
int timeline_show(struct cli *c, struct timeline *t, const struct timeline_page *p,
                  const char *name, struct outfile **file, FILE *say)
{
    struct hd_err err = { 0 };
    if (!timeline_end(t))
        return fprintf(c->err, "heddle timeline: out of memory\n"), EXIT_BUG;
    if (!t->n)
        return cli_usage(c, "no instruction retired: there is nothing to show");
    if (c->text) {
        const struct timeline_warp *w = which(c, t, p);
        if (!w)
            return EXIT_USAGE;
        timeline_text(p, w, 80 - 5, *file ? outfile_stream(*file) : stdout);
    } else if (c->svg) {
        int drawn = draw(c, t, p, *file ? outfile_stream(*file) : stdout);
        if (drawn >= 0)
            return drawn;
    } else
        timeline_html(t, p, outfile_stream(*file));
    if (!*file)
        return -1;
    bool ok = outfile_keep(*file, &err);
    *file = NULL;
    if (!ok)
        return cli_usage(c, "%s", err.text);
    fprintf(say, "timeline: %s, %llu %s of %zu %s\n", name,
            COUNTED((unsigned long long)t->n, "commit"), COUNTED(t->nwarps, "warp"));
    return -1;
}

static int from_log(struct cli *c, struct outfile **file)
{
    struct hd_err err = { 0 };
    struct timeline_run g = { 0 };
    struct timeline_page p = { .title = c->input, .status = "", .profile = &g.p };
    FILE *in = infile_open(c->input, &err);
    bool ok = in && profile_open(&g.p, &p, c->cc.stack_mode, false) &&
              read_commit_log(in, c, &p, on_view, &g, &err);
    if (in)
        fclose(in);
    if (!ok)
        fprintf(c->err, "%s\n", err.status ? err.text : "out of memory");
    int status = !ok ? err.status == 2 ? EXIT_USAGE : EXIT_BUG
                     : timeline_show(c, &g.t, &p, c->output, file, stdout);
    timeline_free(&g.t);
    profile_close(&g.p);
    timeline_program_free(&p);
    return status < 0 ? EXIT_YES : status;
}

static int from_launch(struct cli *c, struct outfile **file)
{
    struct session s;
    struct timeline_run g = { 0 };
    stop_gracefully();
    int status = session_open(&s, c, c->in_lockstep ? HD_LOCKSTEP : HD_MODEL);
    if (status < 0) {
        enum hd_status st = timeline_run_begin(&g, &s) ? session_launch(&s) : HD_NO_MEMORY;
        timeline_run_end(&g, &s, st);
        if (g.report)
            fputs(g.report, stderr);
        else if (st > HD_STOPPED)
            session_error(&s, st);
        status = cli_exit_status(st);
        if (st <= HD_STOPPED && !stop_requested()) {         /* up to its bad end, too */
            int shown = timeline_show(c, &g.t, &g.page, c->output, file, stdout);
            status = shown < 0 ? status : shown;
        }
    }
    timeline_run_free(&g);
    session_close(&s);
    return status;
}

int cmd_timeline(struct cli *c)
{
    struct hd_err err = { 0 };
    if (no_other_elf(c) >= 0)
        return EXIT_USAGE;
    if (c->text && c->svg)
        return cli_usage(c, "--text or --svg");
    if (c->commits && !c->svg)
        return cli_usage(c, "--commits is what --svg shows");
    if (!c->text && !c->svg && !c->output)
        c->output = "heddle.html";
    struct outfile *file = c->output ? outfile_open(c->output, &err) : NULL;
    if (c->output && !file)
        return cli_usage(c, "%s", err.text);
    int status = is_commit_log(c->input) ? from_log(c, &file) : from_launch(c, &file);
    outfile_drop(file);
    return status;
}

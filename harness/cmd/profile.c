/* `heddle profile`: where warp instructions, lane-slots and cycles go (docs/profile.md).
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/branches.h"
#include "harness/cli/cli.h"
#include "harness/cmd/commit_log.h"
#include "harness/cmd/profile_gain.h"
#include "harness/process/stop.h"
#include "harness/view/profile.h"
#include "cmodel/base/infile.h"
#include "cmodel/base/outfile.h"
#include <stdlib.h>
#include <string.h>

struct job {
    struct cli *c;
    bool page;                   /* -o k.html: the timeline's page */
    struct timeline t;
    struct profile p;
    struct timeline_page program;
    struct branches
        *counts; /* of the compiler's blocks; NULL: the input is no source, or has predictions */
    struct profile_gains gains;
    struct profile_old old;
    struct outfile *out, *save;
};

static bool on_view(void *user, const struct view_commit *c)
{
    struct job *j = user;
    return profile_add(&j->p, c) && (!j->page || timeline_add(&j->t, c));
}

static bool on_commit(void *user, const struct hd_commit *c)
{
    struct job *j = user;
    struct view_commit v;
    if (j->counts)
        branches_add(j->counts, c);
    view_of(&v, c);
    return on_view(user, &v);
}

static void on_cycle(void *user, const struct hd_issue *i)
{
    struct job *j = user;
    profile_cycle(&j->p, i);
}

/* What must hold for --save; else the exit status. */
static int may_save(const struct cli *c, const struct cc_map *map)
{
    if (c->cc.predict != CC_PREDICT_OFF)
        return cli_usage(
            c, "--save: a profile tells what happens without predictions; leave --predict off");
    if (!map->nfns)
        return cli_usage(c, "--save: %s is no source; a profile names the blocks of CUDA C or PTX",
                         c->input);
    return -1;
}

static int keep(const struct cli *c, struct outfile **f)
{
    struct hd_err err = { 0 };
    bool ok = outfile_keep(*f, &err);
    *f = NULL;
    return ok ? EXIT_YES : cli_usage(c, "%s", err.text);
}

/* The timeline, with the profile beside its listing. */
static int show_page(struct job *j, const struct profile_run *r)
{
    struct timeline_page *p = &j->program;
    p->title = r->command;
    p->status = r->status;
    p->profile = &j->p;
    p->gains = &j->gains;
    if (!timeline_end(&j->t))
        return fprintf(j->c->err, "heddle profile: out of memory\n"), EXIT_BUG;
    if (!j->t.n)
        return cli_usage(j->c, "no instruction retired: there is nothing to show");
    timeline_html(&j->t, p, outfile_stream(j->out));
    return keep(j->c, &j->out);
}

/* Prints what was gathered. */
static int show(struct job *j, const struct profile_run *r)
{
    struct cli *c = j->c;
    struct profile_sums s;
    FILE *out = j->out ? outfile_stream(j->out) : stdout;
    if (j->page)
        return show_page(j, r);
    if (!profile_sums(&j->p, &s))
        return profile_sums_free(&s), fprintf(c->err, "heddle profile: out of memory\n"), EXIT_BUG;
    if (c->against)
        profile_against(&s, &j->p, &j->old, c->json, out);
    else
        (c->json ? profile_json : profile_text)(&j->p, &s, &j->gains, r, out);
    profile_sums_free(&s);
    return j->out ? keep(c, &j->out) : EXIT_YES;
}

static int from_log(struct job *j)
{
    struct cli *c = j->c;
    struct hd_err err = { 0 };
    struct profile_run r = { .command = c->command, .status = "" };
    if (c->save || c->in_lockstep)
        return cli_usage(
            c, "%s: a commit log has neither the compiler's blocks nor the core's state", c->input);
    FILE *in = infile_open(c->input, &err);
    bool ok = in && profile_open(&j->p, &j->program, c->cc.stack_mode, false) &&
              read_commit_log(in, c, &j->program, on_view, j, &err);
    if (in)
        fclose(in);
    if (ok)
        return show(j, &r);
    fprintf(c->err, "%s\n", err.status ? err.text : "out of memory");
    return err.status == 2 ? EXIT_USAGE : EXIT_BUG;
}

/* After a launch that ended well. */
static void find_gains(struct job *j, struct session *s)
{
    char *text = j->counts ? branches_json(j->counts) : NULL;
    if (j->counts && !j->c->against)
        gain_predict(j->c, text, &j->gains);
    if (!j->c->against)
        gain_regroup(s, &j->gains);
    if (j->save)
        fprintf(outfile_stream(j->save), "%s\n", text ? text : "");
    free(text);
}

static int launch(struct job *j, struct session *s)
{
    struct cli *c = j->c;
    if (!timeline_program(s->image, &j->program) ||
        !profile_open(&j->p, &j->program, s->image->stack_mode, c->in_lockstep))
        return fprintf(c->err, "heddle profile: out of memory\n"), EXIT_BUG;
    session_on_commit(s, on_commit, j);
    if (c->in_lockstep)
        hd_on_cycle(s->dev, on_cycle, j);
    hd_count_blocks(s->dev, true); /* where it cannot, nothing is said of orders */
    enum hd_status st = session_launch(s);
    if (st == HD_FAULT || st == HD_DEADLOCK || st == HD_MISMATCH)
        session_explain(s, stderr);
    else if (st > HD_STOPPED)
        return session_error(s, st);
    if (st == HD_OK)
        find_gains(j, s);
    const struct hd_counters *n = hd_get_counters(s->dev);
    struct hd_core core;
    hd_get_core(s->dev, &core);
    struct profile_run r = { c->command, hd_strerror(st), core.lanes, n->cycles, n };
    int shown = show(j, &r), status = cli_exit_status(st);
    if (shown != EXIT_YES)
        return shown;
    return j->save && status == EXIT_YES && !stop_requested() ? keep(c, &j->save) : status;
}

static int from_launch(struct job *j)
{
    struct cli *c = j->c;
    struct session s;
    struct cc_map map = { 0 };
    if (c->cc.predict == CC_PREDICT_OFF)
        c->cc.map = &map;
    c->cfg.issue = c->in_lockstep;
    stop_gracefully();
    int status = session_open(&s, c, c->in_lockstep ? HD_LOCKSTEP : HD_MODEL);
    if (status < 0 && c->save)
        status = may_save(c, &map);
    if (status < 0 && map.nfns && !(j->counts = branches_new(&map, s.image)))
        status = cli_usage(c, "no memory");
    if (status < 0)
        status = launch(j, &s);
    branches_free(j->counts);
    session_close(&s);
    map_free(&map);
    c->cc.map = NULL;
    return status;
}

int cmd_profile(struct cli *c)
{
    struct job j = { .c = c, .gains = { .regroup = -1, .bound = -1 } };
    struct hd_err err = { 0 };
    int status = no_other_elf(c);
    size_t n = c->output ? strlen(c->output) : 0;
    j.page = n > 5 && !strcmp(c->output + n - 5, ".html") && !c->json && !c->against;
    if (status < 0 && ((c->output && !(j.out = outfile_open(c->output, &err))) ||
        (c->save && !(j.save = outfile_open(c->save, &err))) ||
        (c->against && !profile_old_read(c->against, &j.old, &err))))
        status = cli_usage(c, "%s", err.text);
    if (status < 0)
        status = is_commit_log(c->input) ? from_log(&j) : from_launch(&j);
    outfile_drop(j.out);
    outfile_drop(j.save);
    gain_free(&j.gains);
    profile_old_free(&j.old);
    timeline_free(&j.t);
    profile_close(&j.p);
    timeline_program_free(&j.program);
    return status;
}

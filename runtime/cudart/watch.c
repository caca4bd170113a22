/* Profile, timeline and coverage of each launch, where the environment asks for them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A launch's number goes before the suffix of the name that was given: `p.txt' becomes `p.3.txt'
 * for the third. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/base/outfile.h"
#include "harness/coverage/coverage.h"
#include "harness/view/profile.h"
#include "runtime/cudart/rt.h"

struct rt_watch {
    struct timeline_page program;
    struct timeline t;
    struct profile p;
    bool profile, timeline, core;
    char title[700];
};

static struct coverage *covered;            /* by all launches; NULL: nobody asked */
static bool any;                            /* HEDDLE_ONLY has named a launch */

static bool on_commit(void *user, const struct hd_commit *c)
{
    struct rt_watch *w = user;
    if (covered)
        coverage_commit(covered, c);
    return (!w->profile || profile_add(&w->p, c)) && (!w->timeline || timeline_add(&w->t, c));
}

static void on_cycle(void *user, const struct hd_issue *i)
{
    struct rt_watch *w = user;
    profile_cycle(&w->p, i);
}

/* Whether HEDDLE_ONLY names this launch: by number, or by how the kernel's name begins. */
static bool chosen(const char *kernel)
{
    const struct rt_options *o = &rt.opt;
    uint64_t now = rt.launches + 1;
    /* what a template returns */
    const char *name = strncmp(kernel, "void ", 5) ? kernel : kernel + 5;
    bool yes = !o->only || (o->only_to ? now >= o->only_from && now <= o->only_to
                                       : !strncmp(name, o->only, strlen(o->only)));
    any |= yes;
    return yes;
}

/* `p.txt' of launch 3: `p.3.txt'. */
static void numbered(const char *name, uint64_t launch, char *buf, size_t n)
{
    const char *base = strrchr(name, '/'), *dot = strrchr(base ? base : name, '.');
    int head = (int)(dot ? (size_t)(dot - name) : strlen(name));
    snprintf(buf, n, "%.*s.%llu%s", head, name, (unsigned long long)launch, dot ? dot : "");
}

static struct outfile *open_file(const char *path)
{
    struct hd_err err = { 0 };
    struct outfile *o = outfile_open(path, &err);
    if (!o)
        rt_die(2, "%s", err.text);
    return o;
}

/* Ends the program where a file cannot be written, before a launch that may be long. */
static void check_file(const char *name)
{
    char path[1200];
    numbered(name, rt.launches + 1, path, sizeof path);
    outfile_drop(open_file(path));
}

struct rt_watch *rt_watch_begin(const struct rt_function *f, dim3 grid, dim3 block)
{
    const struct rt_options *o = &rt.opt;
    char name[500];
    if (!o->profile && !o->timeline && !o->coverage)
        return NULL;
    rt_name(f->name, name, sizeof name);
    bool views = (o->profile || o->timeline) && chosen(name);
    if (!views && !o->coverage)
        return NULL;
    struct rt_watch *w = calloc(1, sizeof *w);
    if (o->coverage && !covered) {
        outfile_drop(open_file(o->coverage));
        covered = coverage_new();
    }
    if (!w || (o->coverage && !covered))
        rt_die(4, "no memory");
    w->profile = views;                     /* the timeline's page has it beside the listing */
    w->timeline = views && o->timeline;
    if (views && o->profile)
        check_file(o->profile);
    if (w->timeline)
        check_file(o->timeline);
    w->core = views && o->cfg.issue;
    snprintf(w->title, sizeof w->title, "launch %llu: %s<<<(%u,%u,%u), (%u,%u,%u)>>>",
             (unsigned long long)rt.launches + 1, name, grid.x, grid.y, grid.z, block.x, block.y,
             block.z);
    if (views && (!timeline_program(f->module->image, &w->program) ||
                  !profile_open(&w->p, &w->program, f->module->image->stack_mode, w->core)))
        rt_die(4, "no memory");
    if (covered)
        coverage_launch(covered, f->module->image->stack_mode);
    hd_on_commit(rt.dev, on_commit, w);
    if (w->core)
        hd_on_cycle(rt.dev, on_cycle, w);
    return w;
}

static struct outfile *open_for(const char *name, char *path, size_t n)
{
    numbered(name, rt.launches, path, n);
    return open_file(path);
}

static void keep(struct outfile *o)
{
    struct hd_err err = { 0 };
    if (!outfile_keep(o, &err))
        rt_die(2, "%s", err.text);
}

static void write_profile(const struct rt_watch *w, enum hd_status s)
{
    const struct profile_gains none = { .regroup = -1, .bound = -1 };
    const struct hd_counters *n = hd_get_counters(rt.dev);
    struct hd_core core;
    hd_get_core(rt.dev, &core);
    const struct profile_run r = { w->title, hd_strerror(s), core.lanes, n->cycles, n };
    struct profile_sums sums;
    char path[1200];
    struct outfile *o = open_for(rt.opt.profile, path, sizeof path);
    bool json = fnmatch("*.json", path, 0) == 0;
    if (!profile_sums(&w->p, &sums))
        rt_die(4, "no memory");
    if (!json)
        fprintf(outfile_stream(o), "%s\n", w->title);
    (json ? profile_json : profile_text)(&w->p, &sums, &none, &r, outfile_stream(o));
    profile_sums_free(&sums);
    keep(o);
}

static void write_timeline(struct rt_watch *w, enum hd_status s)
{
    const struct profile_gains none = { .regroup = -1, .bound = -1 };
    struct hd_mismatch v;
    char path[1200];
    w->program.title = w->title;
    w->program.status = hd_strerror(s);
    w->program.profile = &w->p;
    w->program.gains = &none;
    if (hd_get_mismatch(rt.dev, &v) && v.trouble == HD_TROUBLE_FIELD)
        w->program.rtl = v.rtl, w->program.model = v.model, w->program.field = v.field;
    if (!timeline_end(&w->t))
        rt_die(4, "no memory");
    if (!w->t.n)
        return;                             /* no instruction retired: there is nothing to show */
    struct outfile *o = open_for(rt.opt.timeline, path, sizeof path);
    timeline_html(&w->t, &w->program, outfile_stream(o));
    keep(o);
}

void rt_watch_end(struct rt_watch *w, enum hd_status s)
{
    if (!w)
        return;
    hd_on_commit(rt.dev, NULL, NULL);
    if (w->core)
        hd_on_cycle(rt.dev, NULL, NULL);
    if (w->profile && rt.opt.profile)
        write_profile(w, s);
    if (w->timeline)
        write_timeline(w, s);
    timeline_free(&w->t);
    profile_close(&w->p);
    timeline_program_free(&w->program);
    free(w);
}

void rt_watch_close(void)
{
    struct hd_err err = { 0 };
    if (rt.opt.only && !any)
        rt_say("HEDDLE_ONLY=%s: none of the %llu launches was of it", rt.opt.only,
               (unsigned long long)rt.launches);
    if (covered && !coverage_write(covered, rt.opt.coverage, true, &err))
        rt_say("%s", err.text);
    coverage_free(covered);
    covered = NULL;
}

/* hd_watch: profile, timeline and coverage of launches, as files.
 * SPDX-License-Identifier: Apache-2.0 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/base/outfile.h"
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"
#include "harness/coverage/coverage.h"
#include "harness/view/profile.h"
#include "harness/view/timeline.h"

struct hd_watch {
    struct coverage *covered;               /* by all launches; NULL: nobody asked */
    const char *coverage;                   /* its file */
    struct hd_err err;
    /* of the launch that is watched */
    hd_device *dev;
    const struct hd_image *image;
    struct hd_watch_launch l;
    struct timeline_page program;
    struct timeline t;
    struct profile p;
    bool views;                             /* the timeline's page has the profile, too */
};

hd_watch *hd_watch_new(const char *coverage)
{
    hd_watch *w = calloc(1, sizeof *w);
    if (w)
        w->coverage = coverage;
    if (w && coverage && !(w->covered = coverage_new())) {
        free(w);
        return NULL;
    }
    return w;
}

const char *hd_watch_error(const hd_watch *w)
{
    return w->err.text;
}

static enum hd_status no_memory(hd_watch *w)
{
    hd_err_set(&w->err, 4, "no memory");
    return HD_NO_MEMORY;
}

static bool on_commit(void *user, const struct hd_commit *c)
{
    hd_watch *w = user;
    if (w->covered)
        coverage_commit(w->covered, c);
    struct view_commit v;
    if (!w->views && !w->l.timeline)
        return true;
    view_of(&v, c);
    return (!w->views || profile_add(&w->p, &v)) && (!w->l.timeline || timeline_add(&w->t, &v));
}

static void on_cycle(void *user, const struct hd_issue *i)
{
    hd_watch *w = user;
    profile_cycle(&w->p, i);
}

/* Before a launch that may be long: a file that cannot be written. */
static bool writes(hd_watch *w, const char *path)
{
    struct outfile *o = path ? outfile_open(path, &w->err) : NULL;
    if (o)
        outfile_drop(o);
    return o || !path;
}

enum hd_status hd_watch_begin(hd_watch *w, hd_device *d, const hd_image *img,
                              const struct hd_watch_launch *l)
{
    w->dev = d, w->image = img, w->l = *l, w->views = l->profile || l->timeline;
    if (!writes(w, w->coverage) || !writes(w, l->profile) || !writes(w, l->timeline))
        return w->dev = NULL, HD_BAD_ARGUMENT;
    if (w->views && (!timeline_program(w->image, &w->program) ||
                     !profile_open(&w->p, &w->program, w->image->stack_mode, l->cycles)))
        return no_memory(w);
    if (w->covered)
        coverage_launch(w->covered, w->image->stack_mode);
    hd_on_commit(d, on_commit, w);
    if (w->views && l->cycles)
        hd_on_cycle(d, on_cycle, w);
    return HD_OK;
}

static enum hd_status write_profile(hd_watch *w, enum hd_status ended)
{
    const struct profile_gains none = { .regroup = -1, .bound = -1 };
    const struct hd_counters *n = hd_get_counters(w->dev);
    struct hd_core core;
    hd_get_core(w->dev, &core);
    const struct profile_run r = { w->l.title, hd_strerror(ended), core.lanes, n->cycles, n };
    struct profile_sums sums;
    struct outfile *o = outfile_open(w->l.profile, &w->err);
    if (!o)
        return HD_BAD_ARGUMENT;
    bool json = fnmatch("*.json", w->l.profile, 0) == 0;
    if (!profile_sums(&w->p, &sums)) {
        outfile_drop(o);
        return no_memory(w);
    }
    if (!json)
        fprintf(outfile_stream(o), "%s\n", w->l.title);
    (json ? profile_json : profile_text)(&w->p, &sums, &none, &r, outfile_stream(o));
    profile_sums_free(&sums);
    return outfile_keep(o, &w->err) ? HD_OK : HD_BAD_ARGUMENT;
}

static enum hd_status write_timeline(hd_watch *w, enum hd_status ended)
{
    const struct profile_gains none = { .regroup = -1, .bound = -1 };
    struct hd_mismatch v;
    w->program.title = w->l.title;
    w->program.status = hd_strerror(ended);
    w->program.profile = &w->p;
    w->program.gains = &none;
    if (hd_get_mismatch(w->dev, &v) && v.trouble == HD_TROUBLE_FIELD)
        w->program.rtl = v.rtl, w->program.model = v.model, w->program.field = v.field;
    if (!timeline_end(&w->t))
        return no_memory(w);
    if (!w->t.n)
        return HD_OK;                       /* no instruction retired: there is nothing to show */
    struct outfile *o = outfile_open(w->l.timeline, &w->err);
    if (!o)
        return HD_BAD_ARGUMENT;
    timeline_html(&w->t, &w->program, outfile_stream(o));
    return outfile_keep(o, &w->err) ? HD_OK : HD_BAD_ARGUMENT;
}

static void forget(hd_watch *w)
{
    timeline_free(&w->t);
    profile_close(&w->p);
    timeline_program_free(&w->program);
    memset(&w->t, 0, sizeof w->t);
    memset(&w->p, 0, sizeof w->p);
    memset(&w->program, 0, sizeof w->program);
    w->dev = NULL;
}

enum hd_status hd_watch_end(hd_watch *w, enum hd_status ended)
{
    enum hd_status s = HD_OK;
    if (!w->dev)
        return s;
    hd_on_commit(w->dev, NULL, NULL);
    if (w->views && w->l.cycles)
        hd_on_cycle(w->dev, NULL, NULL);
    if (w->l.profile)
        s = write_profile(w, ended);
    if (w->l.timeline && s == HD_OK)
        s = write_timeline(w, ended);
    forget(w);
    return s;
}

enum hd_status hd_watch_coverage(hd_watch *w)
{
    bool ok = !w->covered || coverage_write(w->covered, w->coverage, true, &w->err);
    return ok ? HD_OK : HD_BAD_ARGUMENT;
}

void hd_watch_free(hd_watch *w)
{
    if (!w)
        return;
    forget(w);
    coverage_free(w->covered);
    free(w);
}

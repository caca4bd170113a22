/* Profile, timeline and coverage of each launch, where the environment asks for them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A launch's number goes before the suffix of the name that was given: `p.txt' becomes `p.3.txt'
 * for the third. */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/rt.h"

static hd_watch *watch;                     /* NULL: nobody has asked yet */
static bool any;                            /* HEDDLE_ONLY has named a launch */
static struct { char title[700], profile[1200], timeline[1200]; } names;

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

/* `p.txt' of the launch that comes, the third: `p.3.txt'. */
static const char *numbered(const char *name, char *buf, size_t n)
{
    const char *base = strrchr(name, '/'), *dot = strrchr(base ? base : name, '.');
    int head = (int)(dot ? (size_t)(dot - name) : strlen(name));
    snprintf(buf, n, "%.*s.%llu%s", head, name, (unsigned long long)rt.launches + 1,
             dot ? dot : "");
    return buf;
}

static void check(enum hd_status s)
{
    if (s != HD_OK)
        rt_die(s == HD_NO_MEMORY ? 4 : 2, "%s", hd_watch_error(watch));
}

bool rt_watch_begin(const struct rt_function *f, dim3 grid, dim3 block)
{
    const struct rt_options *o = &rt.opt;
    char name[500];
    if (!o->profile && !o->timeline && !o->coverage)
        return false;
    rt_name(f->name, name, sizeof name);
    bool views = (o->profile || o->timeline) && chosen(name);
    if (!views && !o->coverage)
        return false;
    if (!watch && !(watch = hd_watch_new(o->coverage)))
        rt_die(4, "no memory");
    snprintf(names.title, sizeof names.title, "launch %llu: %s<<<(%u,%u,%u), (%u,%u,%u)>>>",
             (unsigned long long)rt.launches + 1, name, grid.x, grid.y, grid.z, block.x, block.y,
             block.z);
    struct hd_watch_launch l = { .title = names.title, .cycles = o->cfg.issue };
    if (views && o->profile)
        l.profile = numbered(o->profile, names.profile, sizeof names.profile);
    if (views && o->timeline)
        l.timeline = numbered(o->timeline, names.timeline, sizeof names.timeline);
    check(hd_watch_begin(watch, rt.dev, f->module->image, &l));
    return true;
}

void rt_watch_end(enum hd_status s)
{
    check(hd_watch_end(watch, s));
}

void rt_watch_close(void)
{
    if (rt.opt.only && !any)
        rt_say("HEDDLE_ONLY=%s: none of the %llu launches was of it", rt.opt.only,
               (unsigned long long)rt.launches);
    if (watch && hd_watch_coverage(watch) != HD_OK)
        rt_say("%s", hd_watch_error(watch));
    hd_watch_free(watch);
    watch = NULL;
}

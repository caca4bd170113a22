/* Waveforms: runs the launch again in a core built with tracing, and records a window of cycles.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run is a function of image, launch and seed, so running again shows the same cycles; where a
 * long lockstep run left a snapshot (snapshot.h), only from there.  Beside the FST comes a
 * GTKWave view. */
#include "harness/cmd/wave_view.h"
#include "harness/process/seconds.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* file.fst -> file.suffix */
static void sibling(char *out, size_t n, const char *path, const char *suffix)
{
    size_t len = strlen(path);
    if (len > 4 && !strcmp(path + len - 4, ".fst"))
        len -= 4;
    snprintf(out, n, "%.*s%s", (int)len, path, suffix);
}

/* ---- its files ---- */

#define RELEASE "-release.gtkw"          /* of a barrier, if it is a long time after its arrivals */

static struct outfile *open_sibling(const char *fst, const char *suffix, struct hd_err *err)
{
    char path[PATH_MAX];
    sibling(path, sizeof path, fst, suffix);
    return outfile_open(path, err);
}

bool wave_open(struct cli *c, const char *fst, struct wave_files *f)
{
    struct hd_err err = { 0 };
    struct stat s;
    *f = (struct wave_files){ .fst = fst, .wave = outfile_open(fst, &err) };
    bool device = f->wave && !stat(fst, &s) && !S_ISREG(s.st_mode);     /* nothing goes beside it */
    if (f->wave && !device)
        f->view = open_sibling(fst, ".gtkw", &err);
    if (!err.status)
        return true;
    wave_drop(f);
    cli_usage(c, "%s", err.text);
    return false;
}

void wave_drop(struct wave_files *f)
{
    outfile_drop(f->wave);
    outfile_drop(f->view);
    *f = (struct wave_files){ 0 };
}

static bool keep(struct outfile **o, struct hd_err *err)
{
    struct outfile *file = *o;
    *o = NULL;
    return outfile_keep(file, err);
}

int wave_keep(struct cli *c, struct wave_files *f, const struct window *w, FILE *say)
{
    struct hd_err err = { 0 };
    char view[PATH_MAX], release[PATH_MAX];
    bool beside = f->view, two = beside && wave_view_two(w);
    sibling(view, sizeof view, f->fst, ".gtkw");
    sibling(release, sizeof release, f->fst, RELEASE);
    bool ok = keep(&f->wave, &err);
    if (ok && beside) {
        struct window of = *w;
        const struct hd_dim3 *block = &c->launch.block;
        of.warps = (block->x * block->y * block->z + HD_LANES - 1) / HD_LANES;
        wave_view_end(&of);
        wave_view_write(outfile_stream(f->view), f->fst, &of);
        ok = keep(&f->view, &err);
        of.event = of.until;
        struct outfile *end = ok && two ? open_sibling(f->fst, RELEASE, &err) : NULL;
        if (end)
            wave_view_write(outfile_stream(end), f->fst, &of);
        ok = ok && (!two || (end && keep(&end, &err)));
    }
    if (ok)
        fprintf(say, "waveform: %s, cycles %llu to %llu\n", f->fst, (unsigned long long)w->from,
                (unsigned long long)w->to);
    if (ok && beside)
        fprintf(say, "view: gtkwave %s %s\n", f->fst, view);
    if (ok && two)
        fprintf(say, "its release, %llu cycles later: gtkwave %s %s\n",
                (unsigned long long)(w->until - w->event), f->fst, release);
    wave_drop(f);
    return ok ? EXIT_YES : cli_usage(c, "%s", err.text);
}

static uint32_t apart(const struct hd_mismatch *m)
{
    uint32_t lanes = m->rtl->active ^ m->model->active;
    lanes |= (m->rtl->exec ^ m->model->exec) | (m->rtl->live ^ m->model->live) |
             (m->rtl->next_active ^ m->model->next_active);
    for (unsigned l = 0; l < HD_LANES; l++)
        if (m->rtl->wait[l] != m->model->wait[l] || m->rtl->npc[l] != m->model->npc[l])
            lanes |= 1u << l;
    return lanes;
}

/* Of memory, and of what the core writes there, no lane tells. */
static const char *view_of(enum hd_trouble t)
{
    return t == HD_TROUBLE_MEMORY || t == HD_TROUBLE_STRAY || t == HD_TROUBLE_PROTOCOL
               ? "memory"
               : "difference";
}

struct window wave_window(const hd_device *d)
{
    enum { BEFORE = 200 };
    struct hd_mismatch m;
    hd_get_mismatch(d, &m);
    uint64_t event = m.cycle ? m.cycle : hd_get_counters(d)->cycles, end = event + HD_WAVE_AFTER;
    return (struct window){ .from = event > BEFORE ? event - BEFORE : 0,
                            .to = end,
                            .slot = m.rtl->slot,
                            .event = event,
                            .view = view_of(m.trouble),
                            .apart = apart(&m) };
}

struct window wave_whole(const hd_device *d, bool bad_end)
{
    struct window w = wave_window(d);
    struct hd_mismatch m;
    w.from = 0;
    if (!hd_get_mismatch(d, &m))
        w.view = "warp";
    w.event = bad_end ? w.event : 0;
    return w;
}

/* A launch may end before its window does. */
static const struct window *ends_at(struct window *w, const hd_device *d)
{
    uint64_t end = hd_wave_last(d) + 1;
    w->to = end < w->to ? end : w->to;
    return w;
}

/* A view whose rows this mode does not have would be empty. */
static int has_rows(struct cli *c, const char *view, bool stack_mode)
{
    if (!strcmp(view, "stack") && !stack_mode)
        return cli_usage(
            c, "--view stack: the kernel runs in barrier mode and has no stack (--mode stack)");
    if (!strcmp(view, "barrier") && stack_mode)
        return cli_usage(
            c,
            "--view barrier: the kernel runs in stack mode and has no barrier registers (--mode "
            "barrier)");
    return -1;
}

int wave_record(struct cli *c, struct wave_files *f, struct window *w, FILE *say)
{
    struct session s;
    struct hd_config saved = c->cfg;
    c->cfg.wave = outfile_name(f->wave);
    c->cfg.wave_from = w->from;
    c->cfg.wave_to = w->to;
    c->cfg.limit = w->to + 16;    /* what follows the window is of no interest */
    c->cfg.snapshots = 0;
    int status = session_open(&s, c, HD_LOCKSTEP);
    if (status < 0)
        status = has_rows(c, w->view, s.image->stack_mode);
    if (status < 0) {
        w->image = s.image;
        session_on_commit(&s, wave_view_mark, w);
        enum hd_status st = session_launch(&s);
        if (st > HD_STOPPED)
            status = session_error(&s, st);
        else if (hd_end_wave(s.dev) != HD_OK)
            status = cli_usage(c, "%s: %s", f->fst, hd_device_error(s.dev));
        else
            status = wave_keep(c, f, ends_at(w, s.dev), say);
        if (status == EXIT_YES && st != HD_MISMATCH && !strcmp(w->view, "difference"))
            fprintf(say, "RTL and model do not differ up to cycle %llu\n",
                    (unsigned long long)w->to);
    }
    wave_drop(f);
    lanes_free(&w->lanes);
    w->image = NULL;
    session_close(&s);
    c->cfg = saved;
    return status;
}

bool wave_replay(struct session *s, struct wave_files *f, const struct window *w, FILE *say)
{
    double t = seconds_now();
    uint64_t began = hd_replay(s->dev, outfile_name(f->wave), w->from, w->to);
    if (began == UINT64_MAX)
        return false;
    fprintf(say, "replayed from the snapshot at cycle %llu in %.1f s\n", (unsigned long long)began,
            seconds_now() - t);
    wave_keep(s->cli, f, w, say);
    return true;
}

/* GTKWave takes the place of this process; two: of another one, too, for a release. */
static int open_viewer(struct cli *c, const char *fst, bool two)
{
    char view[PATH_MAX];
    /* GTKWave would say so with exit status 0 */
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return cli_usage(c, "--open: there is no display (DISPLAY); %s is written", fst);
    fflush(stdout);
    sibling(view, sizeof view, fst, two && fork() == 0 ? RELEASE : ".gtkw");
    execlp("gtkwave", "gtkwave", fst, view, (char *)NULL);
    return cli_usage(c, "--open: gtkwave cannot be started: %s", strerror(errno));
}

int cmd_wave(struct cli *c)
{
    struct wave_files files;
    struct wave_place place;
    struct window w = { 0 };
    const char *fst = c->output ? c->output : "heddle.fst";
    if (c->view && !wave_view_text(c->view))
        return cli_usage(c, "--view: `%s` is none of %s", c->view, wave_view_names());
    if (!wave_place_parse(c, &place) || !wave_open(c, fst, &files))
        return EXIT_USAGE;
    if (c->open && !files.view) {
        wave_drop(&files);
        return cli_usage(c, "--open: %s is no file that a viewer could open", fst);
    }
    int status = wave_place_find(c, &place, &w);
    if (status >= 0) {
        wave_drop(&files);
        return status;
    }
    if (!w.to) {
        w.from = w.event > c->window / 2 ? w.event - c->window / 2 : 0;
        w.to = w.from + c->window;
        w.to = w.until + WAVE_SHOWN > w.to ? w.until + WAVE_SHOWN : w.to;
    }
    if (place.by == AT_BARRIER || place.by == AT_BLOCK)
        w.barrier = (unsigned)place.n;
    w.view = c->view ? c->view : w.view ? w.view : place.by == AT_BARRIER ? "barrier"
           : place.by == AT_BLOCK ? "block" : place.by == AT_SPILL ? "stack" : "warp";
    status = wave_record(c, &files, &w, stdout);
    return status == EXIT_YES && c->open ? open_viewer(c, fst, wave_view_two(&w)) : status;
}

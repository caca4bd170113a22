/* Waveforms: runs the launch again in a core built with tracing, and records a window of cycles.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run is a function of image, launch and seed, so running again shows the same cycles; where a
 * long lockstep run left a snapshot (snapshot.h), only from there.  Beside the FST come a
 * GTKWave view and a table that turns PCs into disassembly. */
#include "harness/cmd/wave.h"
#include "cmodel/image/asm.h"
#include "harness/process/seconds.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

extern const char wave_view[];                       /* waves/core.gtkw, ended by a zero byte */
__asm__(".pushsection .rodata\n.globl wave_view\n"
        "wave_view: .incbin \"waves/core.gtkw\"\n.byte 0\n.popsection\n");

/* file.fst -> file.suffix */
static void sibling(char *out, size_t n, const char *path, const char *suffix)
{
    size_t len = strlen(path);
    if (len > 4 && !strcmp(path + len - 4, ".fst"))
        len -= 4;
    snprintf(out, n, "%.*s%s", (int)len, path, suffix);
}

/* A GTKWave filter file: the value as displayed, then what to show instead. */
static void write_filter(const struct hd_image *img, FILE *f)
{
    for (uint32_t pc = 0; pc + HD_INSN_BYTES <= img->text_size; pc += HD_INSN_BYTES) {
        struct hd_word w;
        char text[160];
        memcpy(w.w, img->text + pc, sizeof w.w);
        hd_dis_insn(text, sizeof text, &w, NULL, NULL);
        fprintf(f, "%08X %x: %s\n%08x %x: %s\n", pc, pc, text, pc, pc, text);
    }
}

/* The view with @FST@ and @DIS@ replaced by absolute paths, since GTKWave looks from its own
 * folder, and @SLOT@ by the warp slot of interest. */
static void write_view(FILE *f, const char *fst, const char *dis, unsigned slot)
{
    for (const char *p = wave_view; *p;) {
        if (!strncmp(p, "@SLOT@", 6)) {
            fprintf(f, "%u", slot);
            p += 6;
            continue;
        }
        const char *with = !strncmp(p, "@FST@", 5) ? fst : !strncmp(p, "@DIS@", 5) ? dis : NULL;
        char *full = with ? realpath(with, NULL) : NULL;
        if (full)
            fputs(full, f), p += 5;
        else
            fputc(*p++, f);
        free(full);
    }
}

/* ---- the three files ---- */

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
    bool device = f->wave && !stat(fst, &s) && !S_ISREG(s.st_mode);      /* nothing goes beside it */
    if (f->wave && !device && (f->dis = open_sibling(fst, ".dis", &err)))
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
    outfile_drop(f->dis);
    outfile_drop(f->view);
    *f = (struct wave_files){ 0 };
}

static bool keep(struct outfile **o, struct hd_err *err)
{
    struct outfile *file = *o;
    *o = NULL;
    return outfile_keep(file, err);
}

int wave_keep(struct cli *c, struct wave_files *f, const struct hd_image *img,
              const struct window *w, FILE *say)
{
    struct hd_err err = { 0 };
    char view[PATH_MAX], dis[PATH_MAX];
    bool beside = f->view;
    sibling(view, sizeof view, f->fst, ".gtkw");
    sibling(dis, sizeof dis, f->fst, ".dis");
    bool ok = keep(&f->wave, &err);
    if (ok && beside) {
        write_filter(img, outfile_stream(f->dis));
        ok = keep(&f->dis, &err);
    }
    if (ok && beside) {
        write_view(outfile_stream(f->view), f->fst, dis, w->slot);
        ok = keep(&f->view, &err);
    }
    if (ok)
        fprintf(say, "waveform: %s, cycles %llu to %llu\n", f->fst, (unsigned long long)w->from,
                (unsigned long long)w->to);
    if (ok && beside)
        fprintf(say, "view: gtkwave -a %s\n", view);
    wave_drop(f);
    return ok ? EXIT_YES : cli_usage(c, "%s", err.text);
}

struct window wave_window(const hd_device *d)
{
    enum { CYCLES = 208, AFTER = 9 };
    struct hd_mismatch m;
    hd_get_mismatch(d, &m);
    uint64_t end = (m.cycle ? m.cycle : hd_get_counters(d)->cycles) + AFTER;
    return (struct window){ end > CYCLES ? end - CYCLES : 0, end, m.rtl->slot };
}

int wave_record(struct cli *c, struct wave_files *f, const struct window *w, FILE *say)
{
    struct session s;
    struct hd_config saved = c->cfg;
    c->cfg.wave = outfile_name(f->wave);
    c->cfg.wave_from = w->from;
    c->cfg.wave_to = w->to;
    c->cfg.limit = w->to + 16;    /* what follows the window is of no interest */
    c->cfg.snapshots = 0;
    int status = session_open(&s, c, HD_LOCKSTEP);
    if (status < 0) {
        enum hd_status st = session_launch(&s);
        if (st > HD_STOPPED)
            status = session_error(&s, st);
        else if (hd_end_wave(s.dev) != HD_OK)
            status = cli_usage(c, "%s: %s", f->fst, hd_device_error(s.dev));
        else
            status = wave_keep(c, f, s.image, w, say);
    }
    wave_drop(f);
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
    wave_keep(s->cli, f, s->image, w, say);
    return true;
}

struct search { bool by_pc; uint32_t pc; unsigned slot; uint64_t cycle; bool found; };

static bool find_pc(void *user, const struct hd_commit *c)
{
    struct search *f = user;
    if (f->found || c->pc != f->pc)
        return true;
    f->cycle = c->cycle;
    f->slot = c->slot;
    f->found = true;
    return true;
}

static bool parse_around(const char *text, struct search *f)
{
    struct hd_err err = { 0 };
    uint64_t n;
    if (!strncmp(text, "pc:", 3) && args_number(text + 3, &n, &err) && n <= UINT32_MAX) {
        f->by_pc = true;
        f->pc = (uint32_t)n;
        return true;
    }
    if (strncmp(text, "cycle:", 6) || !args_number(text + 6, &n, &err))
        return false;
    f->cycle = n;
    return f->found = true;
}

/* A first run tells where to look.  Returns -1 to go on, else the exit status. */
static int look(struct cli *c, struct search *f, uint64_t *end)
{
    struct session s;
    int status = session_open(&s, c, HD_LOCKSTEP);
    if (status < 0) {
        if (f->by_pc)
            session_on_commit(&s, find_pc, f);
        enum hd_status st = session_launch(&s);
        *end = hd_get_counters(s.dev)->cycles;
        if (st > HD_STOPPED)
            status = session_error(&s, st);
    }
    session_close(&s);
    if (status < 0 && f->by_pc && !f->found)
        return cli_usage(c, "no instruction at PC 0x%x retired", f->pc);
    return status;
}

int cmd_wave(struct cli *c)
{
    struct wave_files files;
    struct search f = { 0 };
    uint64_t end = 0;
    if (c->around && !parse_around(c->around, &f))
        return cli_usage(c, "--around: `%s` is not pc:N or cycle:N", c->around);
    if (!wave_open(c, c->output ? c->output : "heddle.fst", &files))
        return EXIT_USAGE;
    int status = f.found ? -1 : look(c, &f, &end);
    if (status >= 0) {
        wave_drop(&files);
        return status;
    }
    uint64_t centre = f.found ? f.cycle : end, before = f.found ? c->window / 2 : c->window;
    uint64_t from = centre > before ? centre - before : 0;
    const struct window w = { from, from + c->window, f.slot };
    return wave_record(c, &files, &w, stdout);
}

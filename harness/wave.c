/* Waveforms: runs the launch again in a core built with tracing, and records a window of cycles.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run is a function of image, launch and seed, so running again shows the same cycles; where a
 * long lockstep run left a snapshot (snapshot.h), only from there.  Beside the FST come a
 * GTKWave view and a table that turns PCs into disassembly. */
#include "wave.h"
#include "device.h"
#include "cmodel/asm.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static bool write_filter(const struct hd_image *img, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    for (uint32_t pc = 0; pc + HD_INSN_BYTES <= img->text_size; pc += HD_INSN_BYTES) {
        struct hd_word w;
        char text[160];
        memcpy(w.w, img->text + pc, sizeof w.w);
        hd_dis_insn(text, sizeof text, &w, NULL, NULL);
        fprintf(f, "%08X %x: %s\n%08x %x: %s\n", pc, pc, text, pc, pc, text);
    }
    return fclose(f) == 0;
}

/* The view with @FST@ and @DIS@ replaced by absolute paths, since GTKWave looks from its own
 * folder, and @SLOT@ by the warp slot of interest. */
static bool write_view(const char *path, const char *fst, const char *dis, unsigned slot)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
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
    return fclose(f) == 0;
}

int wave_beside(struct cli *c, const struct hd_image *img, const char *fst, const struct window *w,
                FILE *say)
{
    char view[4096], dis[4096];
    sibling(view, sizeof view, fst, ".gtkw");
    sibling(dis, sizeof dis, fst, ".dis");
    if (!write_filter(img, dis))
        return cli_usage(c, "cannot write %s", dis);
    if (!write_view(view, fst, dis, w->slot))
        return cli_usage(c, "cannot write %s", view);
    fprintf(say, "waveform: %s, cycles %llu to %llu\nview: gtkwave -a %s\n", fst,
            (unsigned long long)w->from,
            (unsigned long long)w->to, view);
    return EXIT_YES;
}

struct window wave_window(const hd_device *d)
{
    enum { CYCLES = 208, BEHIND = 9 };
    uint64_t end = (d->verdict.cycle ? d->verdict.cycle : d->count.cycles) + BEHIND;
    return (struct window){ end > CYCLES ? end - CYCLES : 0, end, d->verdict.rtl.slot };
}

int wave_record(struct cli *c, const char *fst, const struct window *w, FILE *say)
{
    struct session s;
    struct hd_config saved = c->cfg;
    c->cfg.wave = fst;
    c->cfg.wave_from = w->from;
    c->cfg.wave_to = w->to;
    c->cfg.limit = w->to + 16;    /* what follows the window is of no interest */
    c->cfg.snapshots = 0;
    int status = session_open(&s, c, HD_LOCKSTEP);
    if (status < 0) {
        enum hd_status st = session_launch(&s);
        status = st > HD_STOPPED ? cli_exit_status(st) : EXIT_YES;
        rtl_trace_end(s.dev->rtl);
        if (status == EXIT_YES)
            status = wave_beside(c, s.image, fst, w, say);
    }
    session_close(&s);
    c->cfg = saved;
    return status;
}

bool wave_replay(struct session *s, const char *fst, const struct window *w, FILE *say)
{
    double t = device_seconds();
    uint64_t began = lockstep_replay(s->dev, fst, w->from, w->to);
    if (began == UINT64_MAX)
        return false;
    fprintf(say, "replayed from the snapshot at cycle %llu in %.1f s\n", (unsigned long long)began,
            device_seconds() - t);
    return wave_beside(s->cli, s->image, fst, w, say) == EXIT_YES;
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
    if (!strncmp(text, "pc:", 3) && args_number(text + 3, &n, &err)) {
        f->by_pc = true;
        f->pc = (uint32_t)n;
        return true;
    }
    if (strncmp(text, "cycle:", 6) || !args_number(text + 6, &n, &err))
        return false;
    f->cycle = n;
    return f->found = true;
}

int cmd_wave(struct cli *c)
{
    struct session s;
    struct search f = { 0 };
    uint64_t end = 0;
    if (c->around && !parse_around(c->around, &f))
        return cli_usage(c, "--around: `%s` is not pc:N or cycle:N", c->around);
    if (!f.found) {                                  /* a first run tells where to look */
        int status = session_open(&s, c, HD_LOCKSTEP);
        if (status >= 0) {
            session_close(&s);
            return status;
        }
        if (f.by_pc)
            hd_on_commit(s.dev, find_pc, &f);
        enum hd_status st = session_launch(&s);
        end = hd_get_counters(s.dev)->cycles;
        if (st > HD_STOPPED)
            fprintf(stderr, "heddle wave: %s\n", hd_device_error(s.dev));
        session_close(&s);
        if (st > HD_STOPPED)
            return cli_exit_status(st);
        if (f.by_pc && !f.found)
            return cli_usage(c, "no instruction at PC 0x%x retired", f.pc);
    }
    uint64_t centre = f.found ? f.cycle : end, before = f.found ? c->window / 2 : c->window;
    uint64_t from = centre > before ? centre - before : 0;
    const struct window w = { from, from + c->window, f.slot };
    return wave_record(c, c->output ? c->output : "heddle.fst", &w, stdout);
}

/* GTKWave views: the files of waves/, for another warp slot and barrier, with what opens them at
 * the event.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file of waves/ shows warp slot 0, barrier B0, and block slot 0 with its block barrier 0.  For
 * another one the two numbers change places wherever a row or its name has one of them.  Of a
 * block, all warps move up together. */
#include "harness/cmd/wave_view.h"
#include "cmodel/image/asm.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "view_text.h"

/* Every view: its file waves/NAME.gtkw, and what --view calls it. */
#define VIEWS(X) X(warp) X(why) X(barrier) X(block) X(stack) X(memory) X(difference)

static const struct { const char *name, *text; } views[] = {
#define VIEW(name) { #name, view_##name##_text },
    VIEWS(VIEW)
#undef VIEW
};

const char *wave_view_text(const char *name)
{
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++)
        if (!strcmp(views[i].name, name))
            return views[i].text;
    return NULL;
}

const char *wave_view_names(void)
{
#define NAME(name) ", " #name
    static const char names[] = VIEWS(NAME);
#undef NAME
    return names + strlen(", ");
}

/* ---- markers ---- */

/* `block B0, lane 3', `release B0, give way': of lanes, only which one stops, or how many. */
static void name_events(const struct lanes *w, unsigned events, char *out, size_t n)
{
    size_t at = 0;
    for (; events && at < n; events &= events - 1) {
        char text[160];
        lanes_event_text(w, events & -events, text, sizeof text);
        text[strcspn(text, ":;")] = 0;
        at += (size_t)snprintf(out + at, n - at, "%s%s", at ? ", " : "", text);
        unsigned lanes = (unsigned)__builtin_popcount(w->blocked);
        if (events & -events & LANES_BLOCK && lanes && at < n)
            at += (size_t)snprintf(out + at, n - at, lanes == 1 ? ", lane %u" : ", %u lanes",
                                   lanes == 1 ? (unsigned)__builtin_ctz(w->blocked) : lanes);
    }
}

/* ---- how wide values are ---- */

enum { MOST_TEXT = 56,           /* characters; the rest of a longer value stands in its row */
       SOME_TEXT = 44, LEAST_TEXT = 34 };       /* unknown; a token or a transaction */

/* `0x0180  LOP.AND R3, R0, 0x1  divergent.cu:23': its length, and the line. */
static unsigned place_length(const struct hd_image *img, uint32_t pc, unsigned *line)
{
    struct hd_word word;
    const char *file = "", *slash;
    char insn[160];
    *line = 0;
    if (!img || pc >= img->text_size || pc % HD_INSN_BYTES)
        return 0;
    memcpy(word.w, img->text + pc, sizeof word.w);
    hd_dis_insn(insn, sizeof insn, &word, NULL, NULL);
    hd_image_line(img, pc, &file, line);
    slash = strrchr(file, '/');
    file = slash ? slash + 1 : file;
    int n = *line ? snprintf(NULL, 0, "0x%04x  %s  %s:%u", pc, insn, file, *line)
                  : snprintf(NULL, 0, "0x%04x  %s", pc, insn);
    return n > 0 ? (unsigned)n : 0;
}

/* `A 00000001 run :23, ' of each group. */
static unsigned groups_length(const struct lanes *w)
{
    enum { EACH = 24 };
    uint32_t letters = 0;
    for (uint32_t m = w->live; m; m &= m - 1)
        letters |= 1u << (w->group[__builtin_ctz(m)] & 31);
    return EACH * (unsigned)__builtin_popcount(letters);
}

/* Near the marker of either view. */
static bool near(uint64_t cycle, uint64_t marker)
{
    return cycle + WAVE_BEFORE >= marker && cycle < marker + WAVE_BEFORE;
}

static void widen(struct window *w, unsigned length)
{
    w->text = length > w->text ? length : w->text;
}

/* By what the rows show after a commit. */
static void widen_by(struct window *w, const struct hd_commit *c)
{
    const bool units = !strcmp(w->view, "why") || !strcmp(w->view, "memory"),
               groups = !strcmp(w->view, "warp") || !strcmp(w->view, "block");
    const unsigned slot = units ? (unsigned)strlen("w00 ") : 0;
    unsigned line;
    if (!near(c->cycle, w->event) && !(w->released && near(c->cycle, w->until)))
        return;
    widen(w, LEAST_TEXT);
    widen(w, slot + place_length(w->image, c->pc, &line));
    widen(w, slot + place_length(w->image, lanes_pc(&w->lanes), &line));
    widen(w, groups ? groups_length(&w->lanes) : 0);
}

bool wave_view_mark(void *user, const struct hd_commit *c)
{
    struct window *w = user;
    if (c->slot != w->slot)
        return true;
    unsigned events = lanes_commit(&w->lanes, c), line;
    widen_by(w, c);
    if (!strcmp(w->view, "barrier"))          /* who comes, and when they go: not where they part */
        events &= ~(unsigned)LANES_DIVERGE;
    if (!events || c->cycle < w->from || c->cycle >= w->to)
        return true;
    /* A ring: the marks around the event are kept, and the last one is for how it ends. */
    struct wave_mark *m = &w->mark[w->nmarks % WAVE_MARKS];
    if (w->nmarks < WAVE_MARKS || m->cycle + WAVE_BEFORE < w->event)
        w->nmarks++;
    else if (events & (LANES_RELEASE | LANES_FAULT) && m->cycle <= w->until)
        m = &w->mark[(w->nmarks - 1) % WAVE_MARKS];
    else
        return true;
    m->cycle = c->cycle;
    name_events(&w->lanes, events, m->text, sizeof m->text);
    size_t at = strlen(m->text);
    if (place_length(w->image, c->pc, &line) && line)
        snprintf(m->text + at, sizeof m->text - at, " :%u", line);
    return true;
}

void wave_view_end(struct window *w)
{
    for (unsigned i = 0; i < WAVE_MARKS && i < w->nmarks; i++)
        if (w->mark[i].cycle == w->until)
            return;
    if (w->released)
        w->mark[w->nmarks++ % WAVE_MARKS] =
            (struct wave_mark){ .cycle = w->until, .text = "released" };
}

static int by_cycle(const void *a, const void *b)
{
    const struct wave_mark *x = a, *y = b;
    return (x->cycle > y->cycle) - (x->cycle < y->cycle);
}

/* GTKWave's line of zoom, marker and the named markers A to Z; then their names. */
static void write_markers(FILE *f, const struct window *w, uint64_t shown, unsigned wide)
{
    enum { FRAME = 200 };                          /* pixels of a zoom unit */
    struct wave_mark mark[WAVE_MARKS];
    size_t n = w->nmarks < WAVE_MARKS ? (size_t)w->nmarks : WAVE_MARKS;
    memcpy(mark, w->mark, sizeof mark);
    qsort(mark, n, sizeof *mark, by_cycle);
    fprintf(f, "*%f %llu", -log2((double)shown * FRAME / wide), (unsigned long long)w->event);
    for (size_t i = 0; i < WAVE_MARKS; i++)
        if (i < n)
            fprintf(f, " %llu", (unsigned long long)mark[i].cycle);
        else
            fprintf(f, " -1");
    fprintf(f, "\n");
    for (size_t i = 0; i < n; i++)
        fprintf(f, "[markername] %c%s\n", (int)('A' + i), mark[i].text);
}

/* ---- rows ---- */

/* A number at p after the word: of `digits' digits, or of any if 0.  -1: none. */
static int number_after(const char *start, const char *p, const char *word, int digits, int *length)
{
    size_t n = strlen(word);
    if (strncmp(p, word, n) || !isdigit((unsigned char)p[n]) ||
        (p > start && isalnum((unsigned char)p[-1])))
        return -1;
    char *end;
    long number = strtol(p + n, &end, 10);
    *length = (int)(end - p);
    return isalnum((unsigned char)*end) || (digits && end - p != (long)n + digits) ? -1
                                                                                   : (int)number;
}

static unsigned change_places(int n, unsigned with)
{
    return n == 0 ? with : (unsigned)n == with ? 0 : (unsigned)n;
}

static void write_rows(FILE *f, const char *text, const struct window *w)
{
    const bool block = !strcmp(w->view, "block");
    const unsigned block_slot = w->warps ? w->slot / w->warps : 0, first = block_slot * w->warps;
    for (const char *p = text; *p;) {
        int length = 0, n;
        if ((n = number_after(text, p, "w", 2, &length)) >= 0)
            fprintf(f, "w%02u", block ? (unsigned)n + first : change_places(n, w->slot));
        else if ((n = number_after(text, p, "b", 2, &length)) >= 0)
            fprintf(f, "b%02u", change_places(n, block_slot));
        else if ((n = number_after(text, p, "B", 0, &length)) >= 0)
            fprintf(f, "B%u", change_places(n, w->barrier));
        else if ((n = number_after(text, p, "bar", 0, &length)) >= 0)
            fprintf(f, "bar%u", change_places(n, w->barrier));
        else {
            fputc(*p++, f);
            continue;
        }
        p += length;
    }
}

/* Lanes that differ come first, too: of 64 rows the last ones are below the screen. */
static void write_apart(FILE *f, const char *lanes, const struct window *w)
{
    if (!w->apart || w->apart == UINT32_MAX)
        return;
    fprintf(f, "-lanes that differ\n");
    for (const char *p = strstr(lanes, "@28\n"), *next; p; p = next) {
        char name[16], *pair;
        next = strstr(p + 1, "@28\n");                  /* the model's */
        next = next ? strstr(next + 1, "@28\n") : NULL;
        pair = next ? strndup(p, (size_t)(next - p)) : strdup(p);
        for (unsigned l = 0; pair && l < HD_LANES; l++) {
            snprintf(name, sizeof name, "{lane %02u,", l);
            if (w->apart >> l & 1 && strstr(pair, name))
                write_rows(f, pair, w);
        }
        free(pair);
    }
    fprintf(f, "@200\n");
}

/* The file lists all warp slots; those after the block's are other blocks'. */
static void write_block(FILE *f, const char *text, const struct window *w)
{
    char name[16];
    snprintf(name, sizeof name, "+{w%02u}", w->warps);
    const char *other = strstr(text, name), *rest = other ? strstr(other, "@200\n") : NULL;
    while (rest && strncmp(other, "@28\n", 4))
        other--;
    char *own = rest ? strndup(text, (size_t)(other - text)) : NULL;
    write_rows(f, own ? own : text, w);
    if (own)
        write_rows(f, rest, w);
    free(own);
}

/* What is seen first: the event with a little before it.  GTKWave shows the beginning instead where
 * less is left than its window holds, so that some is kept in hand. */
struct span { uint64_t from, cycles; };
static struct span shown(const struct window *w)
{
    uint64_t whole = (w->to - w->from) * 30 / 31;
    uint64_t n = WAVE_SHOWN < whole ? WAVE_SHOWN : whole;
    uint64_t from = w->event > w->from + WAVE_BEFORE ? w->event - WAVE_BEFORE : w->from,
             last = w->to - n * 31 / 30;
    return (struct span){ from < last ? from : last, n };
}

bool wave_view_two(const struct window *w)
{
    struct span at = shown(w);
    return w->released && w->until > at.from + at.cycles * 9 / 10;
}

/* The longest name of the view's rows. */
static unsigned name_length(const char *text)
{
    size_t most = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t n = *line == '-' ? strcspn(line + 1, "\n")
                 : !strncmp(line, "+{", 2) ? strcspn(line + 2, "}\n") : 0;
        most = n > most ? n : most;
    }
    return (unsigned)most;
}

/* Pixels of names and values at the marker. */
static unsigned signals_width(const struct window *w)
{
    enum { LETTER = 8, FRAME = 16 };
    unsigned text = w->text ? w->text : SOME_TEXT;
    return LETTER * (name_length(wave_view_text(w->view)) + 1 +
                     (text < MOST_TEXT ? text : MOST_TEXT)) + FRAME;
}

void wave_view_write(FILE *f, const char *fst, const struct window *w)
{
    enum { WINDOW = 1600, FRAME = 70 };              /* pixels across; not of signals and waves */
    struct span at = shown(w);
    const unsigned signals = signals_width(w);
    char *full = realpath(fst, NULL);                /* GTKWave looks from its own folder */
    if (full)
        fprintf(f, "[dumpfile] \"%s\"\n", full);
    free(full);
    fprintf(f, "[size] %d 1000\n[sst_expanded] 0\n[signals_width] %u\n[timestart] %llu\n", WINDOW,
            signals, (unsigned long long)at.from);
    write_markers(f, w, at.cycles, WINDOW - FRAME - signals);
    const char *text = wave_view_text(w->view),
               *lanes = strcmp(w->view, "difference") ? NULL : strstr(text, "-lanes\n");
    if (lanes) {
        char *head = strndup(text, (size_t)(lanes - text));
        write_rows(f, head ? head : "", w);
        free(head);
        write_apart(f, lanes, w);
    }
    if (!strcmp(w->view, "block"))
        write_block(f, text, w);
    else
        write_rows(f, lanes ? lanes : text, w);
}

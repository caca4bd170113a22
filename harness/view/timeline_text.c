/* The timeline of one warp in the columns of a terminal.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/view/timeline.h"
#include "cmodel/isa/waits.h"
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 1000,
       LEFT = 2 /* columns of what lanes that live are left in */ };

/* Lines get letters in the order in which they first run. */
struct letters { const struct timeline_insn *first[25]; unsigned n; bool more; };

static bool same_place(const struct timeline_insn *a, const struct timeline_insn *b)
{
    return a == b || (a->line ? a->line == b->line && !strcmp(a->file, b->file)
                              : !b->line && a->function[0] && !strcmp(a->function, b->function));
}

/* Z stands for every line after the twenty-fifth. */
static char letter(struct letters *ls, const struct timeline_page *p, uint32_t pc)
{
    const struct timeline_insn *x = timeline_insn_at(p, pc);
    if (!x)
        return '?';
    for (unsigned i = 0; i < ls->n; i++)
        if (same_place(ls->first[i], x))
            return (char)('A' + i);
    if (ls->n == 25) {
        ls->more = true;
        return 'Z';
    }
    ls->first[ls->n] = x;
    return (char)('A' + ls->n++);
}

static char waiting(const struct timeline_group *g, unsigned n, unsigned lane)
{
    for (unsigned i = 0; i < n; i++) {
        uint8_t w = g[i].wait;
        if (g[i].mask >> lane & 1)
            return w >= HD_WAIT_BARRIER && w < HD_WAIT_BLOCK ? "0123456789abcdef"[w & 15]
                                                             : wait_form(w)->mark;
    }
    return ' ';
}

/* The event that a column shows: the first of these that happened in it. */
static char sign(uint32_t events)
{
    static const struct { uint32_t bit; char sign; } signs[] = {
        { TL_FAULT, '!' }, { TL_GAVEWAY, 'G' }, { TL_DIVERGED, '<' }, { TL_RELEASE, '>' },
        { TL_SPILL, 's' }, { TL_FILL, 'f' },    { TL_PUSH, '+' },     { TL_POP, '-' },
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (events & signs[i].bit)
            return signs[i].sign;
    return ' ';
}

void timeline_text(const struct timeline_page *p, const struct timeline_warp *w,
                   unsigned columns, FILE *out)
{
    static char cell[VIEW_LANES + 1][COLUMNS_MOST];
    uint32_t events[COLUMNS_MOST] = { 0 };
    struct letters ls = { 0 };
    struct timeline_group left[VIEW_LANES];
    unsigned nleft = timeline_left(w, left);
    columns = columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
    columns -= nleft && columns > LEFT ? LEFT : 0;
    if (w->n < columns)
        columns = (unsigned)w->n;
    memset(cell, ' ', sizeof cell);
    uint64_t n = 0;
    for (size_t k = 0; k < w->nchunks; k++) {
        struct timeline_reader r;
        if (!timeline_read(&r, &w->chunk[k]))
            fputs("heddle timeline: no memory\n", stderr);
        for (; timeline_next(&r); n++) {
            unsigned x = (unsigned)(n * columns / w->n);
            char here = letter(&ls, p, r.pc);
            events[x] |= r.events;
            for (unsigned l = 0; l < VIEW_LANES; l++)
                cell[l][x] = r.exec >> l & 1     ? here
                             : r.active >> l & 1 ? (char)(here | 32)
                                                 : waiting(r.group, r.ngroups, l);
        }
        timeline_done(&r);
    }
    fprintf(
        out,
        "block %u, warp %u: %llu commits, cycles %llu to %llu\n"
        "%.1f%% of lanes run; %.4g commits a column\n",
        w->block, w->warp, (unsigned long long)w->n, (unsigned long long)w->first,
        (unsigned long long)w->last, 100.0 * (double)w->lanes / timeline_lanes(p) / (double)w->n,
        columns ? (double)w->n / columns : 0.0);
    fputs("     ", out);
    for (unsigned x = 0; x < columns; x++)
        fputc(sign(events[x]), out);
    for (unsigned l = 0; l < timeline_lanes(p); l++) {
        fprintf(out, "\n%4u %.*s", l, (int)columns, cell[l]);
        if (nleft)
            fprintf(out, "|%c", waiting(left, nleft, l));
    }
    fputs("\n\n", out);
    for (unsigned i = 0; i < ls.n; i++) {
        const char *slash = strrchr(ls.first[i]->file, '/');
        const char *file = slash ? slash + 1 : ls.first[i]->file;
        if (ls.first[i]->line)
            fprintf(out, "  %c  %.60s:%u\n", 'A' + i, file, ls.first[i]->line);
        else if (ls.first[i]->function[0])
            fprintf(out, "  %c  %.50s, of the library\n", 'A' + i, ls.first[i]->function);
        else
            fprintf(out, "  %c  pc %05x  %.60s\n", 'A' + i, ls.first[i]->pc, ls.first[i]->text);
    }
    if (ls.more)
        fputs("  Z  any other line\n", out);
    fputs("  small letter: the guard does not hold   . ready   0-f waits at that barrier\n", out);
    for (unsigned i = 0; i < wait_nforms; i++) {
        const struct wait_form *f = &wait_forms[i];
        if (f->mark != ' ' && f->code != HD_WAIT_READY && f->code != HD_WAIT_BARRIER)
            fprintf(out, "  %c %s", f->mark, f->where);
    }
    fputs(
        "  blank: exited\n"
        "  above: < diverge   > released   G gave way   ! fault\n"
        "         + - push, pop   s f spill, fill\n",
        out);
    if (nleft)
        fputs("  after the |: lanes that were still there when the launch ended\n", out);
}

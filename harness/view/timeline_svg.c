/* The timeline of a few commits of one warp as a drawing, for pages: a column for each commit, a
 * row for each lane.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Colours, stripes and signs are those of the page (timeline.js).  What is no colour of its own
 * follows the reader's light or dark background.  Nothing in it depends on cycles, so model and
 * core draw the same. */
#include "harness/view/timeline.h"
#include "cmodel/isa/waits.h"
#include <stdlib.h>
#include <string.h>

enum { COLUMN = 20, ROW = 5, LEFT = 26, SIGN = 14,
       LETTER = 6 /* a character's width */, COLOURS = 7, GREY = COLOURS, BELOW = 4 };
/* Okabe and Ito: distinct with every kind of colour vision. */
static const char *const colour[COLOURS + 1] = { "#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                 "#56b4e9", "#d55e00", "#b5a800", "#8c959f" };

/* How a lane looks in a column. */
enum look { EXITED, RUNS, GUARD_FAILS, READY, AT_BARRIER, AT_BLOCK, OTHER };
struct cell { uint8_t look, colour; };
struct column {
    struct cell cell[VIEW_LANES];
    struct timeline_group group[VIEW_LANES]; unsigned ngroups;
    uint32_t pc, events;
};

struct drawing {
    const struct timeline_page *page;
    struct column *column;
    unsigned n;
    uint32_t place[64];
    unsigned nplaces;
    FILE *out;
};

static const struct timeline_insn *insn_at(const struct timeline_page *p, uint32_t pc)
{
    for (size_t i = 0; i < p->ninsns; i++)
        if (p->insn[i].pc == pc)
            return &p->insn[i];
    return NULL;
}

/* A colour for each source line, of a listing for each instruction, in the order in which they
 * come. */
static uint8_t colour_of(struct drawing *d, uint32_t pc)
{
    const struct timeline_insn *x = insn_at(d->page, pc);
    for (unsigned i = 0; i < d->nplaces; i++) {
        const struct timeline_insn *k = insn_at(d->page, d->place[i]);
        if (d->place[i] == pc ||
            (x && k && x->line && x->line == k->line && !strcmp(x->file, k->file)))
            return (uint8_t)(i % COLOURS);
    }
    if (d->nplaces == sizeof d->place / sizeof *d->place)
        return 0;
    d->place[d->nplaces] = pc;
    return (uint8_t)(d->nplaces++ % COLOURS);
}

static enum look look_of(uint8_t wait)
{
    return wait == HD_WAIT_READY                             ? READY
           : wait >= HD_WAIT_BARRIER && wait < HD_WAIT_BLOCK ? AT_BARRIER
           : wait >= HD_WAIT_BLOCK && wait < HD_WAIT_EXITED  ? AT_BLOCK
                                                             : OTHER;
}

static void take(struct drawing *d, const struct timeline_reader *r)
{
    struct column *c = &d->column[d->n++];
    uint8_t here = colour_of(d, r->pc);
    memset(c, 0, sizeof *c);
    c->pc = r->pc;
    c->events = r->events;
    c->ngroups = r->ngroups;
    memcpy(c->group, r->group, r->ngroups * sizeof *r->group);
    for (unsigned l = 0; l < VIEW_LANES; l++)
        if (r->active >> l & 1)
            c->cell[l] = (struct cell){ r->exec >> l & 1 ? RUNS : GUARD_FAILS, here };
    for (unsigned i = 0; i < r->ngroups; i++)
        for (uint64_t m = r->group[i].mask; m; m &= m - 1)
            c->cell[view_lowest(m)] = (struct cell){ (uint8_t)look_of(r->group[i].wait), 255 };
}

/* Lanes that do not run have the colour of where they go on, known once every column has named its
 * place; of lanes in tokens a record does not say where. */
static void colour_waiting(struct drawing *d)
{
    for (unsigned x = 0; x < d->n; x++)
        for (unsigned i = 0; i < d->column[x].ngroups; i++)
            for (uint64_t m = d->column[x].group[i].mask; m; m &= m - 1)
                d->column[x].cell[view_lowest(m)].colour =
                    wait_in_token(d->column[x].group[i].wait)
                        ? GREY
                        : colour_of(d, d->column[x].group[i].pc);
}

/* ---- drawing ---- */

static void put_text(const char *s, FILE *out)
{
    for (; *s; s++)
        switch (*s) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        default: fputc(*s, out);
        }
}

static void label_of(const struct drawing *d, uint32_t pc, char *buf, size_t n)
{
    const struct timeline_insn *x = insn_at(d->page, pc);
    const char *slash = x ? strrchr(x->file, '/') : NULL;
    if (x && x->line)
        snprintf(buf, n, "%s  %s:%u", x->text, slash ? slash + 1 : x->file, x->line);
    else
        snprintf(buf, n, "%x: %s", pc, x ? x->text : "?");
}

static unsigned head(const struct drawing *d)
{
    size_t most = 0;
    char label[240];
    for (unsigned i = 0; i < d->n; i++) {
        label_of(d, d->column[i].pc, label, sizeof label);
        most = strlen(label) > most ? strlen(label) : most;
    }
    return (unsigned)(most * LETTER * 0.71) + 12;    /* at 45 degrees */
}

static void put_styles(FILE *out)
{
    fputs(
        "<style>\n"
        "text { font: 10px ui-monospace, Menlo, Consolas, monospace; fill: #24292f }\n"
        ".rule { stroke: #24292f; stroke-opacity: .25 }\n.tag { font-size: 9px; "
        "font-weight: bold; stroke: #ffffff; stroke-width: 2.5px; "
        "paint-order: stroke }\n"
        "@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .rule { stroke: #e6edf3 } "
        ".tag { stroke: #0d1117 } }\n"
        "</style>\n<defs>\n",
        out);
    for (unsigned c = 0; c <= GREY; c++) {
        static const char *const line[] = { "M-1,7 L7,-1 M-1,1 L1,-1 M5,7 L7,5",
                                            "M1.5,0 V6 M4.5,0 V6", "M0,1.5 H6 M0,4.5 H6" };
        for (unsigned k = 0; k < 3; k++)
            fprintf(
                out,
                "<pattern id=\"p%u-%u\" width=\"6\" height=\"6\" "
                "patternUnits=\"userSpaceOnUse\"><path d=\"%s\" stroke=\"%s\" "
                "stroke-width=\"1.4\" fill=\"none\"/></pattern>\n",
                AT_BARRIER + k, c, line[k], colour[c]);
    }
    fputs("</defs>\n", out);
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
    return a->look == b->look && a->colour == b->colour;
}

/* One rectangle for neighbouring lanes that look alike. */
static void put_column(const struct drawing *d, unsigned x, unsigned top)
{
    const struct column *c = &d->column[x];
    for (unsigned l = 0, e; l < VIEW_LANES; l = e) {
        for (e = l + 1; e < VIEW_LANES && same_cell(&c->cell[l], &c->cell[e]); e++)
            ;
        const struct cell *k = &c->cell[l];
        if (k->look == EXITED)
            continue;
        fprintf(d->out, "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%u\" ", LEFT + x * COLUMN,
                top + l * ROW, COLUMN - 1, (e - l) * ROW - 1);
        if (k->look >= AT_BARRIER)
            fprintf(d->out, "fill=\"url(#p%u-%u)\"/>\n", k->look, k->colour);
        else
            fprintf(d->out, "fill=\"%s\"%s/>\n", colour[k->colour],
                    k->look == RUNS ? "" : " fill-opacity=\".28\"");
    }
}

static const char *tag_of(const struct timeline_group *g, char buf[16])
{
    const char *brief = wait_form(g->wait)->brief;
    wait_text(strncmp(brief, "wait ", 5) ? brief : brief + 5, g->wait, buf, 16);
    return buf;
}

/* The column has lanes of this group, waiting alike. */
static bool has_group(const struct column *c, const struct timeline_group *g)
{
    for (unsigned k = 0; k < c->ngroups; k++)
        if (c->group[k].wait == g->wait && (c->group[k].mask & g->mask) == g->mask)
            return true;
    return false;
}

/* What lanes wait for, once, where they begin to; a long word only where it has room. */
static void put_tags(const struct drawing *d, unsigned x, unsigned top)
{
    const struct column *c = &d->column[x];
    for (unsigned i = 0; i < c->ngroups; i++) {
        const struct timeline_group *g = &c->group[i];
        char buf[16];
        bool before = x && has_group(c - 1, g), after = x + 1 < d->n && has_group(c + 1, g);
        unsigned l = view_lowest(g->mask), e = l;
        while (e < VIEW_LANES && g->mask >> e & 1)
            e++;
        if (!before && (after || strlen(tag_of(g, buf)) < 3))
            fprintf(d->out, "<text class=\"tag\" x=\"%u\" y=\"%.1f\">%s</text>\n",
                    LEFT + x * COLUMN + 2, top + (double)(l + e) / 2 * ROW + 3, tag_of(g, buf));
    }
}

static char sign_of(uint32_t events)
{
    static const struct { uint32_t bit; char sign; } signs[] = {
        { TL_FAULT, '!' },   { TL_GAVEWAY, 'G' }, { TL_DIVERGED, '<' },
        { TL_RELEASE, '>' }, { TL_SPILL, 's' },   { TL_FILL, 'f' },
        { TL_PUSH, '+' },    { TL_POP, '-' },     { TL_BARRIER, 'b' },
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (events & signs[i].bit)
            return signs[i].sign;
    return 0;
}

static void draw(const struct drawing *d)
{
    unsigned up = head(d), top = up + SIGN, width = LEFT + d->n * COLUMN + up,
             height = top + timeline_lanes(d->page) * ROW + BELOW;
    fprintf(
        d->out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u "
        "%u\">\n",
        width, height, width, height);
    put_styles(d->out);
    for (unsigned l = 0; l < timeline_lanes(d->page); l += 8)
        fprintf(
            d->out,
            "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">%u</text><path class=\"rule\" "
            "d=\"M%d,%.1f H%u\"/>\n",
            LEFT - 5, top + l * ROW + 8, l, LEFT - 3, (double)(top + l * ROW) - 0.5,
            LEFT + d->n * COLUMN);
    for (unsigned x = 0; x < d->n; x++) {
        char label[240], sign = sign_of(d->column[x].events), text[2] = { sign, 0 };
        label_of(d, d->column[x].pc, label, sizeof label);
        fprintf(d->out, "<text transform=\"translate(%u,%u) rotate(-45)\">",
                LEFT + x * COLUMN + COLUMN / 2 + 2, up - 3);
        put_text(label, d->out);
        fprintf(d->out, "</text>\n<text x=\"%u\" y=\"%u\" text-anchor=\"middle\">",
                LEFT + x * COLUMN + COLUMN / 2 - 1, up + 10);
        put_text(text, d->out);
        fputs("</text>\n", d->out);
        put_column(d, x, top);
    }
    for (unsigned x = 0; x < d->n; x++)
        put_tags(d, x, top);
    fputs("</svg>\n", d->out);
}

bool timeline_svg(const struct timeline_page *p, const struct timeline_warp *w, uint64_t from,
                  uint64_t to, FILE *out)
{
    struct drawing d = { .page = p, .out = out, .column = calloc(TIMELINE_SVG, sizeof *d.column) };
    uint64_t n = 0;
    bool ok = d.column && from < to && to - from <= TIMELINE_SVG;
    for (size_t k = 0; ok && k < w->nchunks; k++) {
        struct timeline_reader r;
        ok = timeline_read(&r, &w->chunk[k]);
        for (; ok && timeline_next(&r); n++)
            if (n >= from && n < to)
                take(&d, &r);
        timeline_done(&r);
    }
    if (ok) {
        colour_waiting(&d);
        draw(&d);
    }
    free(d.column);
    return ok && !ferror(out);
}

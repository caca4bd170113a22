/* Source lines beside what `heddle stream` says of a stream.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cmd/stream_lines.h"
#include "harness/view/source_lines.h"
#include <stdlib.h>
#include <string.h>

enum { UNDER_WAY = 256 }; /* instructions of a warp whose PCs are remembered */

struct stream_lines {
    struct source_lines *of;
    bool asked, found;
    char place[400];
    struct {
        uint64_t n, pc;
        bool known;
    } issued[HS_WARPS][UNDER_WAY];
};

bool stream_lines_open(struct cli *c, struct stream_lines **to)
{
    struct hd_err err = { 0 };
    *to = NULL;
    if (!c->elf)
        return true;
    struct source_lines *of = source_lines_open(c->elf, &err);
    struct stream_lines *l = of ? calloc(1, sizeof *l) : NULL;
    if (!l) {
        source_lines_close(of);
        cli_usage(c, "--elf %s", of ? "out of memory" : err.text);
        return false;
    }
    l->of = of;
    *to = l;
    return true;
}

void stream_lines_close(struct cli *c, struct stream_lines *l)
{
    if (!l)
        return;
    if (l->asked && !l->found)
        fprintf(c->err, "heddle stream: no PC that was looked up has a source line in %s\n",
                c->elf);
    source_lines_close(l->of);
    free(l);
}

void stream_lines_begin(struct stream_lines *l)
{
    if (l)
        memset(l->issued, 0, sizeof l->issued);
}

void stream_lines_hear(struct stream_lines *l, const struct hs_event *e)
{
    if (!l || e->kind != HS_ISSUE)
        return;
    l->issued[e->warp][e->n % UNDER_WAY].n = e->n;
    l->issued[e->warp][e->n % UNDER_WAY].pc = e->pc;
    l->issued[e->warp][e->n % UNDER_WAY].known = true;
}

const char *stream_lines_where(void *lines, uint64_t pc)
{
    struct stream_lines *l = lines;
    const char *file;
    unsigned line;
    if (!l)
        return NULL;
    l->asked = true;
    if (!source_line_at(l->of, pc, &file, &line))
        return NULL;
    l->found = true;
    snprintf(l->place, sizeof l->place, "%.380s:%u", file, line);
    return l->place;
}

static bool has_member(const struct hs_event *e, unsigned member)
{
    for (const uint8_t *f = hs_fields(e->kind); *f != HS_MEMBER_COUNT; f++)
        if (*f == member)
            return true;
    return false;
}

const char *stream_lines_event(struct stream_lines *l, const struct hs_event *e)
{
    if (!l)
        return NULL;
    if (has_member(e, HS_M_pc))
        return stream_lines_where(l, e->pc);
    const unsigned k = e->n % UNDER_WAY;
    if (!has_member(e, HS_M_n) || !l->issued[e->warp][k].known || l->issued[e->warp][k].n != e->n)
        return NULL;
    return stream_lines_where(l, l->issued[e->warp][k].pc);
}

void stream_lines_text(struct stream_lines *l, const char *text, FILE *out)
{
    static const char before[] = " at ";
    for (const char *s = l ? text : NULL, *at; s && (at = strstr(s, before)); s = text) {
        const char *pc = at + strlen(before);
        const size_t n = strspn(pc, "0123456789abcdef");
        const bool whole = n && n <= 16 && !strchr("ghijklmnopqrstuvwxyz", pc[n] ? pc[n] : ' ');
        const char *where = whole ? stream_lines_where(l, strtoull(pc, NULL, 16)) : NULL;
        fprintf(out, "%.*s", (int)(pc + n - text), text);
        if (where)
            fprintf(out, " (%s)", where);
        text = pc + n;
    }
    fputs(text, out);
}

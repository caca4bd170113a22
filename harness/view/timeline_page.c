/* The timeline as one page of HTML that needs nothing else: data as JSON, the script and its style
 * inside.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/view/profile.h"
#include "harness/view/timeline.h"
#include "cmodel/image/asm.h"
#include "cmodel/isa/waits.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include "timeline_text.h"

/* ---- the program ---- */

const struct timeline_insn *timeline_insn_at(const struct timeline_page *p, uint32_t pc)
{
    size_t i = timeline_index(p, pc);
    return i < p->nplaces && p->place[i] ? &p->insn[p->place[i] - 1] : NULL;
}

struct timeline_insn *timeline_learn(struct timeline_page *p, size_t *room, uint32_t pc)
{
    const size_t i = timeline_index(p, pc);
    if (i >= p->nplaces) {
        const size_t n = i * 2 + 64;
        uint32_t *more = realloc(p->place, n * sizeof *more);
        if (!more)
            return NULL;
        memset(more + p->nplaces, 0, (n - p->nplaces) * sizeof *more);
        p->place = more;
        p->nplaces = n;
    }
    if (p->place[i])
        return &p->insn[p->place[i] - 1];
    if (p->ninsns == *room) {
        const size_t n = *room ? *room * 2 : 64;
        struct timeline_insn *more = realloc(p->insn, n * sizeof *more);
        if (!more)
            return NULL;
        p->insn = more;
        *room = n;
    }
    p->insn[p->ninsns] = (struct timeline_insn){ .pc = pc };
    p->place[i] = (uint32_t)++p->ninsns;
    return &p->insn[p->ninsns - 1];
}

static int by_pc(const void *a, const void *b)
{
    const struct timeline_insn *x = a, *y = b;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

void timeline_sort(struct timeline_page *p)
{
    if (p->ninsns)
        qsort(p->insn, p->ninsns, sizeof *p->insn, by_pc);
    for (size_t i = 0; i < p->ninsns; i++)
        p->place[timeline_index(p, p->insn[i].pc)] = (uint32_t)i + 1;
}

const char *timeline_function(const struct hd_image *img, uint32_t pc)
{
    const char *file, *name = NULL;
    unsigned line = 0;
    uint32_t off;
    hd_image_line(img, pc, &file, &line);
    for (uint32_t i = 0; !line && !name && i < img->nlines; i++)
        if (img->lines[i].file && img->lines[i].line)
            name = hd_image_func(img, pc, &off);
    return name ? name : "";
}

bool timeline_program(const struct hd_image *img, struct timeline_page *p)
{
    size_t n = img->text_size / HD_INSN_BYTES;
    p->insn = calloc(n + 1, sizeof *p->insn);
    p->place = calloc(n + 1, sizeof *p->place);
    if (!p->insn || !p->place)
        return false;
    p->nplaces = n;
    for (size_t i = 0; i < n; i++) {
        p->place[i] = (uint32_t)i + 1;
        struct timeline_insn *x = &p->insn[p->ninsns++];
        struct hd_word w;
        const char *file = "";
        char text[160];
        x->pc = (uint32_t)i * HD_INSN_BYTES;
        memcpy(w.w, img->text + x->pc, sizeof w.w);
        hd_dis_insn(text, sizeof text, &w, NULL, NULL);
        hd_image_line(img, x->pc, &file, &x->line);
        x->text = strdup(text);
        x->file = strdup(x->line ? file : "");
        x->function = strdup(timeline_function(img, x->pc));
        if (!x->text || !x->file || !x->function)
            return false;
    }
    return true;
}

void timeline_program_free(struct timeline_page *p)
{
    for (size_t i = 0; i < p->ninsns; i++) {
        free(p->insn[i].text);
        free(p->insn[i].file);
        free(p->insn[i].function);
    }
    free(p->insn);
    free(p->place);
    p->insn = NULL;
    p->place = NULL;
    p->ninsns = p->nplaces = 0;
}

/* ---- JSON ---- */

/* A string of JSON in which nothing can end the element that holds it. */
void profile_json_string(const char *text, FILE *out)
{
    cJSON *s = cJSON_CreateString(text ? text : "");
    char *quoted = s ? cJSON_PrintUnformatted(s) : NULL;
    for (const char *c = quoted; c && *c; c++)
        if (*c == '<')
            fputs("\\u003c", out);
        else
            fputc(*c, out);
    cJSON_free(quoted);
    cJSON_Delete(s);
}

static void put_program(const struct timeline_page *p, FILE *out)
{
    fputs("\"insn\": [", out);
    for (size_t i = 0; i < p->ninsns; i++) {
        fprintf(out, "%s[%u, ", i ? ",\n" : "", p->insn[i].pc);
        profile_json_string(p->insn[i].text, out);
        fputs(", ", out);
        profile_json_string(p->insn[i].file, out);
        fprintf(out, ", %u", p->insn[i].line);
        if (p->insn[i].function[0]) {
            fputs(", ", out);
            profile_json_string(p->insn[i].function, out);
        }
        fputs("]", out);
    }
    fputs("],\n", out);
}

static void put_lines(const char *path, FILE *out)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    FILE *f = fopen(path, "r");
    fputs("[", out);
    for (unsigned k = 0; f && k < 100000 && (n = getline(&line, &room, f)) >= 0; k++) {
        if (n && line[n - 1] == '\n')
            line[n - 1] = 0;
        fputs(k ? ",\n" : "", out);
        profile_json_string(line, out);
    }
    fputs("]", out);
    free(line);
    if (f)
        fclose(f);
}

static void put_files(const struct timeline_page *p, FILE *out)
{
    bool first = true;
    fputs("\"files\": {", out);
    for (size_t i = 0; i < p->ninsns; i++) {
        bool seen = !p->insn[i].file[0];
        for (size_t k = 0; k < i && !seen; k++)
            seen = !strcmp(p->insn[k].file, p->insn[i].file);
        if (seen)
            continue;
        fputs(first ? "" : ",\n", out);
        first = false;
        profile_json_string(p->insn[i].file, out);
        fputs(": ", out);
        put_lines(p->insn[i].file, out);
    }
    fputs("},\n", out);
}

/* The words of a mask, the lower one first, or the only one. */
static void put_left(const struct timeline_warp *w, const struct timeline_group *g, bool more,
                     FILE *out)
{
    fprintf(out, more ? ", [" : "[");
    if (w->wide)
        fprintf(out, "[%u, %u]", (uint32_t)g->mask, (uint32_t)(g->mask >> 32));
    else
        fprintf(out, "%u", (uint32_t)g->mask);
    fprintf(out, ", %u, %u]", g->wait, g->pc);
}

static void put_warp(const struct timeline_warp *w, FILE *out)
{
    unsigned n = TIMELINE_BUCKETS;
    while (n && !w->bucket[n - 1].n)
        n--;
    fprintf(
        out,
        "{\"b\": %u, \"w\": %u, \"n\": %llu, \"lanes\": %llu, \"first\": %llu, \"last\": %llu, "
        "\"width\": %llu, \"bk\": [",
        w->block, w->warp, (unsigned long long)w->n, (unsigned long long)w->lanes,
        (unsigned long long)w->first, (unsigned long long)w->last, (unsigned long long)w->width);
    for (unsigned k = 0; k < n; k++)
        fprintf(out, "%s%u,%u,%u", k ? "," : "", w->bucket[k].n, w->bucket[k].lanes,
                w->bucket[k].events);
    struct timeline_group g[VIEW_LANES];
    unsigned left = timeline_left(w, g);
    fputs(left ? "], \"left\": [" : "", out);
    for (unsigned i = 0; i < left; i++)
        put_left(w, &g[i], i > 0, out);
    fputs("], \"ch\": [", out);
    for (size_t k = 0; k < w->nchunks; k++)
        fprintf(out, "%s[%u, %llu, \"%s\"]", k ? ",\n" : "", w->chunk[k].n,
                (unsigned long long)w->chunk[k].first, w->chunk[k].text);
    fputs("]}", out);
}

static void put_side(const char *name, const struct hd_commit *c, FILE *out)
{
    fprintf(out,
            "\"%s\": {\"cycle\": %llu, \"pc\": %u, \"active\": %u, \"exec\": %u, \"groups\": [",
            name, (unsigned long long)c->cycle, c->pc, c->active, c->exec);
    bool first = true;
    for (unsigned l = 0; l < HD_LANES; l++)
        if ((c->live & ~c->active) >> l & 1) {
            unsigned wait = c->wait[l] == HD_WAIT_NONE ? HD_WAIT_READY : c->wait[l];
            fprintf(out, "%s[%u, %u, %u]", first ? "" : ", ", 1u << l, wait, c->npc[l]);
            first = false;
        }
    fputs("]}", out);
}

static void put_data(const struct timeline *t, const struct timeline_page *p, FILE *out)
{
    uint64_t lanes = 0;
    for (size_t i = 0; i < t->nwarps; i++)
        lanes += t->warp[i].lanes;
    fputs("{\"title\": ", out);
    profile_json_string(p->title, out);
    fputs(", \"status\": ", out);
    profile_json_string(p->status, out);
    fprintf(out, ", \"bad\": %s, \"n\": %llu, \"diverged\": %llu, \"lanes\": %u, "
            "\"efficiency\": %.4f,\n",
            p->rtl || p->report || p->race ? "true" : "false", (unsigned long long)t->n,
            (unsigned long long)t->diverged, timeline_lanes(p),
            t->n ? 100.0 * (double)lanes / timeline_lanes(p) / (double)t->n : 0.0);
    fputs("\"waits\": {", out);
    for (unsigned i = 0; i < wait_nforms; i++)
        fprintf(out, "%s\"%u\": \"%s\"", i ? ", " : "", wait_forms[i].code, wait_forms[i].words);
    fputs("},\n", out);
    put_program(p, out);
    put_files(p, out);
    if (p->profile) {
        fputs("\"profile\": ", out);
        profile_page(p->profile, p->gains, out);
        fputs(",\n", out);
    }
    fputs("\"report\": ", out);
    profile_json_string(p->report, out);
    fputs(", \"race\": ", out);
    profile_json_string(p->race, out);
    fputs(",\n", out);
    if (p->rtl) {
        fprintf(out, "\"diff\": {\"commit\": %llu, \"block\": %u, \"warp\": %u, \"field\": ",
                (unsigned long long)p->rtl->seq, p->rtl->block, p->rtl->warp);
        profile_json_string(p->field, out);
        fputs(", ", out);
        put_side("rtl", p->rtl, out);
        fputs(", ", out);
        put_side("model", p->model, out);
        fputs("},\n", out);
    }
    fputs("\"warps\": [", out);
    for (size_t i = 0; i < t->nwarps; i++) {
        fputs(i ? ",\n" : "", out);
        put_warp(&t->warp[i], out);
    }
    fputs("]}", out);
}

bool timeline_html(const struct timeline *t, const struct timeline_page *p, FILE *out)
{
    for (const char *c = timeline_template; *c;) {
        if (!strncmp(c, "@DATA@", 6)) {
            put_data(t, p, out);
            c += 6;
        } else if (!strncmp(c, "@SCRIPT@", 8)) {
            fputs(timeline_script, out);
            c += 8;
        } else
            fputc(*c++, out);
    }
    return !ferror(out);
}

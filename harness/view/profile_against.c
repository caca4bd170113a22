/* Two profiles side by side, line by line.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/view/profile.h"
#include "cmodel/base/infile.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long u64;

static bool wrong(const char *path, const char *what, struct hd_err *err)
{
    if (!err->status)
        hd_err_set(
            err, 2,
            "%s: %s: neither what `heddle profile --json' nor what `heddle trace --json' writes",
            path, what);
    return false;
}

static bool add_line(struct profile_old *o, const char *name, const uint64_t *n)
{
    struct profile_old_line *more = realloc(o->line, (o->n + 1) * sizeof *more);
    if (!more)
        return false;
    o->line = more;
    more[o->n] = (struct profile_old_line){ strdup(name), n[0], n[1], n[2], n[3] };
    return more[o->n++].name != NULL;
}

static bool from_json(const char *path, const cJSON *all, struct profile_old *o, struct hd_err *err)
{
    static const char *const fields[] = { "insns", "lanes", "lost", "cycles" };
    const cJSON *lines = cJSON_GetObjectItemCaseSensitive(all, "lines"), *x;
    const cJSON *what = cJSON_GetObjectItemCaseSensitive(all, "heddle");
    if (!cJSON_IsString(what) || strcmp(what->valuestring, "profile") || !cJSON_IsArray(lines))
        return wrong(path, "no profile", err);
    cJSON_ArrayForEach(x, lines)
    {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(x, "line");
        uint64_t n[4] = { 0 };
        if (!cJSON_IsString(name))
            return wrong(path, "a line without a name", err);
        for (unsigned i = 0; i < 4; i++) {
            const cJSON *v = cJSON_GetObjectItemCaseSensitive(x, fields[i]);
            if (v ? !cJSON_IsNumber(v) || !(v->valuedouble >= 0) || v->valuedouble > 0x1p53 : i < 3)
                return wrong(path, "a count is missing or is none", err);
            n[i] = v ? (uint64_t)v->valuedouble : 0;
        }
        o->cycles += n[3];
        if (!add_line(o, name->valuestring, n))
            return hd_err_set(err, 4, "out of memory"), false;
    }
    return true;
}

static bool take(void *user, const struct view_commit *c) { return profile_add(user, c); }

static bool from_log(const char *path, FILE *in, struct profile_old *o, struct hd_err *err)
{
    struct timeline_page page = { 0 };
    struct profile p;
    struct profile_sums s = { 0 };
    char name[64];
    bool ok = profile_open(&p, &page, false, false) &&
              timeline_log(in, path, &page, take, &p, err) && profile_sums(&p, &s);
    if (!ok && !err->status)
        hd_err_set(err, 4, "out of memory");
    for (size_t i = 0; ok && i < s.nlines; i++) {
        const struct profile_count *k = &s.line[i].k;
        ok = add_line(o, profile_line_name(s.line[i].file, s.line[i].line, name, sizeof name),
                      (uint64_t[]){ k->insns, k->lanes, profile_lost_all(k), 0 });
    }
    profile_sums_free(&s);
    profile_close(&p);
    timeline_program_free(&page);
    return ok;
}

bool profile_old_read(const char *path, struct profile_old *o, struct hd_err *err)
{
    char *text = NULL;
    size_t room = 0, n = 0;
    FILE *in = infile_open(path, err);
    *o = (struct profile_old){ 0 };
    if (!in)
        return false;
    bool ok = true;
    if (getdelim(&text, &room, '\n', in) > 0 && strstr(text, "\"pc\"")) { /* a commit a line */
        rewind(in);
        ok = from_log(path, in, o, err);
    } else {
        rewind(in);
        free(text);
        text = NULL;
        FILE *all = open_memstream(&text, &n);
        for (int c; all && (c = getc(in)) != EOF;)
            putc(c, all);
        if (all)
            fclose(all);
        cJSON *json = text ? cJSON_Parse(text) : NULL;
        ok = json ? from_json(path, json, o, err) : wrong(path, "no whole JSON", err);
        cJSON_Delete(json);
    }
    free(text);
    fclose(in);
    return ok;
}

void profile_old_free(struct profile_old *o)
{
    for (size_t i = 0; i < o->n; i++)
        free(o->line[i].name);
    free(o->line);
    *o = (struct profile_old){ 0 };
}

/* ---- the table ------------------------------------------------------------------------------ */

struct pair {
    const char *name;
    struct profile_old_line was, is;
};

static int by_change(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    int64_t p = llabs((int64_t)(x->is.lost - x->was.lost)),
            q = llabs((int64_t)(y->is.lost - y->was.lost));
    if (p == q) {
        p = llabs((int64_t)(x->is.insns - x->was.insns));
        q = llabs((int64_t)(y->is.insns - y->was.insns));
    }
    return p < q ? 1 : p > q ? -1 : strcmp(x->name, y->name);
}

static struct pair *pair_of(struct pair *all, size_t *n, const char *name)
{
    for (size_t i = 0; i < *n; i++)
        if (!strcmp(all[i].name, name))
            return &all[i];
    all[*n] = (struct pair){ .name = name };
    return &all[(*n)++];
}

static double efficiency(const struct profile_old_line *l)
{
    return l->insns ? 100.0 * (double)l->lanes / 32 / (double)l->insns : 0;
}

static void print_pair(const struct pair *p, bool cycles, bool json, bool first, FILE *out)
{
    if (json) {
        fputs(first ? "{\"line\": " : ",\n{\"line\": ", out);
        profile_json_string(p->name, out);
        fprintf(out,
                ", \"insns\": [%llu, %llu], \"efficiency\": [%.4f, %.4f], \"lost\": [%llu, %llu], "
                "\"cycles\": [%llu, %llu]}",
                (u64)p->was.insns, (u64)p->is.insns, efficiency(&p->was), efficiency(&p->is),
                (u64)p->was.lost, (u64)p->is.lost, (u64)p->was.cycles, (u64)p->is.cycles);
        return;
    }
    fprintf(out, "%-28s %11llu %11llu %+11lld %7.1f%% %6.1f%% %12llu %12llu %+12lld", p->name,
            (u64)p->was.insns, (u64)p->is.insns, (long long)(p->is.insns - p->was.insns),
            efficiency(&p->was), efficiency(&p->is), (u64)p->was.lost, (u64)p->is.lost,
            (long long)(p->is.lost - p->was.lost));
    if (cycles)
        fprintf(out, " %11llu %11llu %+11lld", (u64)p->was.cycles, (u64)p->is.cycles,
                (long long)(p->is.cycles - p->was.cycles));
    fprintf(out, "\n");
}

static void add(struct profile_old_line *to, const struct profile_old_line *l)
{
    to->insns += l->insns;
    to->lanes += l->lanes;
    to->lost += l->lost;
    to->cycles += l->cycles;
}

void profile_against(const struct profile_sums *s, const struct profile *p,
                     const struct profile_old *old, bool json, FILE *out)
{
    struct pair *all = calloc(s->nlines + old->n + 2, sizeof *all), sum = { .name = "all" };
    char(*name)[64] = calloc(s->nlines + 1, sizeof *name);
    size_t n = 0;
    const bool cycles = p->cycles && old->cycles;
    if (!all || !name) {
        fputs("heddle profile: no memory\n", stderr);
        goto end;
    }
    for (size_t i = 0; i < old->n; i++)
        add(&pair_of(all, &n, old->line[i].name)->was, &old->line[i]);
    for (size_t i = 0; i < s->nlines; i++) {
        const struct profile_count *k = &s->line[i].k;
        struct profile_old_line l = { NULL, k->insns, k->lanes, profile_lost_all(k),
                                      cycles ? profile_cycles_all(k) : 0 };
        add(&pair_of(all, &n,
                     profile_line_name(s->line[i].file, s->line[i].line, name[i], sizeof *name))
                 ->is,
            &l);
    }
    for (size_t i = 0; i < n; i++) {
        add(&sum.was, &all[i].was);
        add(&sum.is, &all[i].is);
    }
    qsort(all, n, sizeof *all, by_change);
    if (json)
        fputs("{\"heddle\": \"profile-difference\", \"version\": 1, \"lines\": [\n", out);
    else
        fprintf(out, "%-28s %11s %11s %11s %8s %7s %12s %12s %12s%s\n", "source line", "insns: was",
                "is", "change", "SIMT: was", "is", "lost: was", "is", "change",
                cycles ? " cycles: was          is      change" : "");
    for (size_t i = 0; i < n; i++)
        print_pair(&all[i], cycles, json, !i, out);
    print_pair(&sum, cycles, json, !n, out);
    fputs(json ? "]}\n" : "", out);
end:
    free(all);
    free(name);
}

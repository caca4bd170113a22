/* `heddle profile`: where lanes are lost.  Per source line and per branch, from the commit stream.
 * SPDX-License-Identifier: Apache-2.0
 *
 * SIMT efficiency of a line: lanes active over 32, averaged over the warp instructions it issued.  A
 * branch diverges when its lanes leave it for two places. */
#include "harness/cli/branches.h"
#include "harness/cli/cli.h"
#include "harness/process/stop.h"
#include "cmodel/base/outfile.h"
#include <stdlib.h>
#include <string.h>

struct count { uint64_t insns, lanes, branches, divergent; };
struct profile {
    const struct hd_image *img;
    struct count *pc;
    uint32_t n;
    uint64_t insns, lanes;
    struct branches *save;       /* --save, else NULL */
};

static bool is_split(enum hd_op op)
{
    return op == OP_BRA || op == OP_BRX || op == OP_CALL || op == OP_CALLR || op == OP_CALR || op == OP_RET;
}

static bool on_commit(void *user, const struct hd_commit *c)
{
    struct profile *p = user;
    struct hd_word w;
    struct hd_insn in;
    if (p->save)
        branches_add(p->save, c);
    if (c->pc / HD_INSN_BYTES >= p->n)
        return true;
    struct count *k = &p->pc[c->pc / HD_INSN_BYTES];
    unsigned lanes = (unsigned)__builtin_popcount(c->active);
    k->insns++;
    k->lanes += lanes;
    p->insns++;
    p->lanes += lanes;
    memcpy(w.w, c->insn, sizeof w.w);
    if (c->fault || !hd_decode(&w, p->img->stack_mode, &in) || !is_split((enum hd_op)in.op))
        return true;
    uint32_t first = c->active ? c->npc[__builtin_ctz(c->active)] : 0;
    bool split = false;
    for (unsigned l = 0; l < HD_LANES; l++)
        split |= (c->active >> l & 1) && c->npc[l] != first;
    k->branches++;
    k->divergent += split;
    return true;
}

static double efficiency(const struct count *k)
{
    return k->insns ? 100.0 * (double)k->lanes / 32 / (double)k->insns : 0;
}

struct line { const char *file; unsigned line; struct count k; };

static int by_issue(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return x->k.insns < y->k.insns ? 1 : x->k.insns > y->k.insns ? -1 : (int)x->line - (int)y->line;
}

static const char *base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void print_lines(const struct profile *p, bool json)
{
    struct line *lines = calloc(p->n + 1, sizeof *lines);
    size_t n = 0;
    for (uint32_t i = 0; lines && i < p->n; i++) {
        struct line at = { .file = "" };
        hd_image_line(p->img, i * HD_INSN_BYTES, &at.file, &at.line);
        size_t j = 0;
        while (j < n && (lines[j].line != at.line || strcmp(lines[j].file, at.file)))
            j++;
        if (j == n)
            lines[n++] = at;
        lines[j].k.insns += p->pc[i].insns;
        lines[j].k.lanes += p->pc[i].lanes;
        lines[j].k.branches += p->pc[i].branches;
        lines[j].k.divergent += p->pc[i].divergent;
    }
    if (n)
        qsort(lines, n, sizeof *lines, by_issue);
    if (!json)
        printf("%-28s %12s %7s %11s %10s %10s\n", "source line", "instructions", "share", "efficiency", "branches", "divergent");
    for (size_t i = 0; i < n && lines[i].k.insns; i++) {
        const struct line *l = &lines[i];
        char name[64];
        snprintf(name, sizeof name, l->line ? "%s:%u" : "(no line)", base(l->file), l->line);
        printf(json
               ? "%s{\"line\": \"%s\", \"insns\": %llu, \"share\": %.2f, \"efficiency\": %.2f, \"branches\": %llu, \"divergent\": %llu}"
                    : "%s%-28s %12llu %6.1f%% %10.1f%% %10llu %10llu\n", json && i ? ",\n" : "", name,
               (unsigned long long)l->k.insns, 100.0 * (double)l->k.insns / (double)(p->insns ? p->insns : 1),
               efficiency(&l->k), (unsigned long long)l->k.branches, (unsigned long long)l->k.divergent);
    }
    free(lines);
}

static void print_branches(const struct profile *p)
{
    printf("\n%-8s %-28s %12s %10s %10s\n", "branch", "source line", "executed", "divergent", "share");
    for (uint32_t i = 0; i < p->n; i++) {
        const struct count *k = &p->pc[i];
        const char *file = "";
        unsigned line = 0;
        char name[64];
        if (!k->branches)
            continue;
        hd_image_line(p->img, i * HD_INSN_BYTES, &file, &line);
        snprintf(name, sizeof name, line ? "%s:%u" : "(no line)", base(file), line);
        printf("%06x   %-28s %12llu %10llu %9.1f%%\n", i * HD_INSN_BYTES, name, (unsigned long long)k->branches,
               (unsigned long long)k->divergent, 100.0 * (double)k->divergent / (double)k->branches);
    }
}

/* What must hold for --save; else the exit status. */
static int may_save(const struct cli *c, const struct cc_map *map)
{
    if (c->cc.predict != CC_PREDICT_OFF)
        return cli_usage(c, "--save: a profile tells what happens without predictions; leave --predict off");
    if (!map->nfns)
        return cli_usage(c, "--save: %s is no source; a profile names the blocks of CUDA C or PTX", c->input);
    return -1;
}

static int write_counts(const struct cli *c, struct branches *b, struct outfile *out)
{
    struct hd_err err = { 0 };
    char *text = branches_json(b);
    fprintf(outfile_stream(out), "%s\n", text ? text : "");
    free(text);
    return outfile_keep(out, &err) ? EXIT_YES : cli_usage(c, "%s", err.text);
}

int cmd_profile(struct cli *c)
{
    struct session s;
    struct cc_map map = { 0 };
    struct hd_err err = { 0 };
    struct outfile *out = c->save ? outfile_open(c->save, &err) : NULL;
    if (c->save && !out)
        return cli_usage(c, "%s", err.text);
    if (c->save)
        c->cc.map = &map;
    stop_gracefully();
    int status = session_open(&s, c, HD_MODEL);
    if (status < 0 && c->save)
        status = may_save(c, &map);
    if (status < 0) {
        struct profile p = { .img = s.image, .n = s.image->text_size / HD_INSN_BYTES };
        p.pc = calloc(p.n + 1, sizeof *p.pc);
        if (c->save)
            p.save = branches_new(&map, s.image);
        session_on_commit(&s, on_commit, &p);
        enum hd_status st = p.pc && (p.save || !c->save) ? session_launch(&s) : HD_NO_MEMORY;
        if (st == HD_FAULT || st == HD_DEADLOCK)
            hd_explain(s.dev, stderr);
        else if (st > HD_STOPPED)
            session_error(&s, st);
        if (st <= HD_STOPPED) {
            const struct hd_counters *n = hd_get_counters(s.dev);
            struct count all = { .insns = p.insns, .lanes = p.lanes };
            printf(c->json ? "{\"efficiency\": %.2f, \"insns\": %llu, \"lines\": [\n"
                           : "SIMT efficiency %.1f%% over %llu warp instructions\n",
                   efficiency(&all), (unsigned long long)p.insns);
            if (!c->json) {
                session_stack(&s, stdout);
                printf("\n");
            }
            print_lines(&p, c->json);
            if (c->json)
                printf("],\n\"stack\": {\"pushes\": %llu, \"pops\": %llu, \"spills\": %llu, \"fills\": %llu, \"deepest\": %llu}}\n",
                       (unsigned long long)n->pushes, (unsigned long long)n->pops, (unsigned long long)n->spills,
                       (unsigned long long)n->fills, (unsigned long long)n->deepest);
            else
                print_branches(&p);
        }
        free(p.pc);
        status = cli_exit_status(st);
        if (c->save && status == EXIT_YES && !stop_requested()) {
            status = write_counts(c, p.save, out);
            out = NULL;
        }
        branches_free(p.save);
    }
    outfile_drop(out);
    map_free(&map);
    session_close(&s);
    return status;
}

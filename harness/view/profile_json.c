/* A profile as one JSON object: docs/schema/profile.json.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/view/profile.h"
#include <string.h>

typedef unsigned long long u64;

/* An object of what is not zero. */
static void named(const uint64_t *n, unsigned count, const struct profile_name *names, FILE *out)
{
    bool first = true;
    fputs("{", out);
    for (unsigned i = 0; i < count; i++)
        if (n[i]) {
            fprintf(out, "%s\"%s\": %llu", first ? "" : ", ", names[i].key, (u64)n[i]);
            first = false;
        }
    fputs("}", out);
}

static void counts(const struct profile *p, const struct profile_count *k, FILE *out)
{
    fprintf(out,
            "\"insns\": %llu, \"share\": %.4f, \"efficiency\": %.4f, \"lanes\": %llu, \"guarded\": "
            "%llu, \"branches\": %llu, "
            "\"divergent\": %llu, \"lost\": %llu, \"lost_by\": ",
            (u64)k->insns, p->all.insns ? 100.0 * (double)k->insns / (double)p->all.insns : 0.0,
            profile_efficiency(k), (u64)k->lanes, (u64)k->guarded, (u64)k->branches,
            (u64)k->divergent, (u64)profile_lost_all(k));
    named(k->lost, LOST_COUNT, profile_lost_names, out);
    if (p->cycles) {
        fprintf(out, ", \"cycles\": %llu, \"cycles_by\": ", (u64)profile_cycles_all(k));
        named(k->cycles, CYCLE_COUNT, profile_cycle_names, out);
    }
}

static void place(const struct timeline_insn *x, FILE *out)
{
    char name[64];
    fputs("\"line\": ", out);
    profile_json_string(profile_line_name(x ? x->file : "", x ? x->line : 0, name, sizeof name),
                        out);
}

static void lines(const struct profile *p, const struct profile_sums *s, FILE *out)
{
    char name[64];
    fputs(",\n\"lines\": [", out);
    for (size_t i = 0; i < s->nlines; i++) {
        const struct profile_line *l = &s->line[i];
        fputs(i ? ",\n{\"line\": " : "\n{\"line\": ", out);
        profile_json_string(profile_line_name(l->file, l->line, name, sizeof name), out);
        fputs(", \"file\": ", out);
        profile_json_string(l->file, out);
        fprintf(out, ", \"number\": %u, ", l->line);
        counts(p, &l->k, out);
        fputs("}", out);
    }
    fputs("],\n\"instructions\": [", out);
    for (size_t i = 0; i < s->ninsns; i++) {
        const struct profile_insn *x = &s->insn[i];
        fprintf(out, "%s{\"pc\": %u, \"text\": ", i ? ",\n" : "\n", x->pc);
        profile_json_string(x->at ? x->at->text : "", out);
        fputs(", ", out);
        place(x->at, out);
        fputs(", ", out);
        counts(p, &x->k, out);
        fputs("}", out);
    }
    fputs("]", out);
}

static void branches(const struct profile *p, const struct profile_sums *s,
                     const struct profile_gains *g, FILE *out)
{
    fputs(",\n\"branches\": [", out);
    for (size_t i = 0; i < s->nbranches; i++) {
        const struct profile_branch *b = &s->branch[i];
        struct profile_help h;
        fputs(i ? ",\n{" : "\n{", out);
        if (b->pc != PROF_NEVER)
            fprintf(out, "\"pc\": %u, ", b->pc);
        fputs("\"text\": ", out);
        profile_json_string(b->at ? b->at->text : "", out);
        fputs(", ", out);
        place(b->site, out);
        fprintf(out, ", \"executed\": %llu, \"divergent\": %llu, \"lost\": %llu, \"lost_by\": ",
                (u64)b->executed, (u64)b->divergent, (u64)b->lost_all);
        named(b->lost, LOST_COUNT, profile_lost_names, out);
        if (b->leaves >= 0)
            fprintf(out, ", \"leaves\": %u", s->loop[b->leaves].pc);
        if (b->lost_all) {
            profile_help(p, s, g, b, &h);
            fputs(", \"help\": ", out);
            profile_json_string(h.text, out);
            fprintf(out, ", \"gain\": %.4f, \"gain_by\": \"%s\"", h.gain, h.by);
        }
        fputs("}", out);
    }
    fputs("],\n\"loops\": [", out);
    for (size_t i = 0; i < s->nloops; i++) {
        const struct profile_loop *l = &s->loop[i];
        fprintf(out, "%s{\"pc\": %u, \"first\": %u, \"end\": %u, ", i ? ",\n" : "\n", l->pc,
                l->first, l->end);
        place(l->at, out);
        fprintf(out,
                ", \"entries\": %llu, \"rounds\": %llu, \"warp_entries\": %llu, \"warp_rounds\": "
                "%llu, ",
                (u64)l->entries, (u64)l->rounds, (u64)l->warp_entries, (u64)l->warp_rounds);
        counts(p, &l->k, out);
        fputs("}", out);
    }
    fputs("]", out);
}

static void warps(const struct profile *p, FILE *out)
{
    fputs(",\n\"warps\": [", out);
    for (size_t i = 0; i < p->nwarps; i++) {
        const struct profile_warp *w = &p->warp[i];
        fprintf(out,
                "%s{\"block\": %u, \"warp\": %u, \"slot\": %u, \"first\": %llu, \"last\": %llu, ",
                i ? ",\n" : "\n", w->block, w->warp, w->slot, (u64)w->first, (u64)w->last);
        counts(p, &w->k, out);
        fputs("}", out);
    }
    fputs("]", out);
}

void profile_json(const struct profile *p, const struct profile_sums *s,
                  const struct profile_gains *g, const struct profile_run *r, FILE *out)
{
    const struct hd_counters none = { 0 }, *n = r->count ? r->count : &none;
    fputs("{\"heddle\": \"profile\", \"version\": 1, \"command\": ", out);
    profile_json_string(r->command, out);
    fputs(", \"status\": ", out);
    profile_json_string(r->status, out);
    if (p->cycles)
        fprintf(out, ", \"core\": {\"lanes\": %u, \"cycles\": %llu}", r->lanes, (u64)r->cycles);
    fputs(",\n", out);
    counts(p, &p->all, out);
    lines(p, s, out);
    branches(p, s, g, out);
    warps(p, out);
    if (r->count)
        fprintf(out,
                ",\n\"stack\": {\"pushes\": %llu, \"pops\": %llu, \"spills\": %llu, \"fills\": "
                "%llu, \"deepest\": %llu}",
                (u64)n->pushes, (u64)n->pops, (u64)n->spills, (u64)n->fills, (u64)n->deepest);
    fputs("}\n", out);
}

/* A profile for the timeline's page: what stands beside its listing, and where lanes are lost.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Counts are [warp instructions, lane-slots used, warp cycles on the core, their largest
 * causes]. */
#include "harness/view/profile.h"
#include <stdlib.h>
#include <string.h>

typedef unsigned long long u64;

static void counts(const struct profile *p, const struct profile_count *k, FILE *out)
{
    char why[80] = "";
    if (p->cycles)
        profile_causes(k->cycles, CYCLE_COUNT, profile_cycle_names, why, sizeof why);
    fprintf(out, "[%llu, %llu, %llu, \"%s\"]", (u64)k->insns, (u64)k->lanes,
            (u64)profile_cycles_all(k), why);
}

static void losses(const struct profile *p, const struct profile_sums *s,
                   const struct profile_gains *g, FILE *out)
{
    enum { MOST = 12 };
    char name[64];
    fputs("], \"losses\": [", out);
    for (size_t i = 0; i < s->nbranches && i < MOST && s->branch[i].lost_all; i++) {
        const struct profile_branch *b = &s->branch[i];
        struct profile_help h;
        profile_help(p, s, g, b, &h);
        fprintf(out, "%s[%lld, %llu, ", i ? ",\n" : "",
                b->pc == PROF_NEVER ? -1ll : (long long)b->pc, (u64)b->lost_all);
        profile_json_string(profile_line_name(b->site ? b->site->file : "",
                                              b->site ? b->site->line : 0, name, sizeof name),
                            out);
        fputs(", ", out);
        profile_json_string(h.text, out);
        fputs("]", out);
    }
    fputs("]", out);
}

bool profile_page(const struct profile *p, const struct profile_gains *g, FILE *out)
{
    static const struct profile_gains none = { .regroup = -1, .bound = -1 };
    struct profile_sums s;
    bool ok = profile_sums(p, &s);
    fputs("{\"all\": ", out);
    counts(p, &p->all, out);
    fputs(", \"lines\": [", out);
    for (size_t i = 0; ok && i < s.nlines; i++) {
        fputs(i ? ",\n[" : "[", out);
        profile_json_string(s.line[i].file, out);
        fprintf(out, ", %u, ", s.line[i].line);
        counts(p, &s.line[i].k, out);
        fputs("]", out);
    }
    fputs("], \"insns\": [", out);
    for (size_t i = 0; ok && i < s.ninsns; i++) {
        fprintf(out, "%s[%u, ", i ? "," : "", s.insn[i].pc);
        counts(p, &s.insn[i].k, out);
        fputs("]", out);
    }
    if (ok)
        losses(p, &s, g ? g : &none, out);
    fputs(ok ? "}" : "]}", out);
    profile_sums_free(&s);
    return ok;
}

/* A profile for people.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/view/profile.h"
#include "cmodel/base/counted.h"
#include <string.h>

typedef unsigned long long u64;

static double share(uint64_t n, uint64_t of) { return of ? 100.0 * (double)n / (double)of : 0; }

static const char *name_of(const struct timeline_insn *x, char *buf, size_t n)
{
    return profile_line_name(x ? x->file : "", x ? x->line : 0, buf, n);
}

void profile_causes(const uint64_t *n, unsigned count, const struct profile_name *names, char *buf,
                   size_t size)
{
    uint64_t all = 0, done = 0;
    size_t at = 0;
    buf[0] = 0;
    for (unsigned i = 0; i < count; i++)
        all += n[i];
    for (unsigned round = 0; round < 3 && all; round++) {
        unsigned best = count;
        for (unsigned i = 0; i < count; i++)
            if (!(done >> i & 1) && n[i] && (best == count || n[i] > n[best]))
                best = i;
        if (best == count || at >= size)
            break;
        done |= 1u << best;
        at += (size_t)snprintf(buf + at, size - at, "%s%s %.0f%%", round ? ", " : "",
                               names[best].key, share(n[best], all));
    }
}

static void print_lines(const struct profile *p, const struct profile_sums *s, FILE *out)
{
    char name[64], why[80];
    const uint64_t lost = profile_lost_all(&p->all), cycles = profile_cycles_all(&p->all);
    fprintf(out, "%-28s %12s %7s %11s %14s %6s %10s %10s%s\n", "source line", "instructions",
            "share", "efficiency", "lost slots", "share", "branches", "divergent",
            p->cycles ? "   warp cycles  share  to what" : "");
    for (size_t i = 0; i < s->nlines; i++) {
        const struct profile_line *l = &s->line[i];
        fprintf(out, "%-28s %12llu %6.1f%% %10.1f%% %14llu %5.1f%% %10llu %10llu",
                profile_line_name(l->file, l->line, name, sizeof name), (u64)l->k.insns,
                share(l->k.insns, p->all.insns), profile_efficiency(&l->k),
                (u64)profile_lost_all(&l->k), share(profile_lost_all(&l->k), lost),
                (u64)l->k.branches, (u64)l->k.divergent);
        if (p->cycles) {
            profile_causes(l->k.cycles, CYCLE_COUNT, profile_cycle_names, why, sizeof why);
            fprintf(out, " %13llu %5.1f%%  %s", (u64)profile_cycles_all(&l->k),
                    share(profile_cycles_all(&l->k), cycles), why);
        }
        fprintf(out, "\n");
    }
}

static void print_loops(const struct profile *p, const struct profile_sums *s, FILE *out)
{
    char name[64], head[32];
    if (!s->nloops)
        return;
    fprintf(out, "\n%-15s %-28s %12s %12s %10s %10s %11s %7s\n", "loop", "source line", "entered",
            "rounds", "a lane", "a group", "efficiency", "share");
    for (size_t i = 0; i < s->nloops; i++) {
        const struct profile_loop *l = &s->loop[i];
        snprintf(head, sizeof head, "%06x to %05x", l->first, l->end);
        fprintf(out, "%-15s %-28s %12llu %12llu %10.1f %10.1f %10.1f%% %6.1f%%\n", head,
                name_of(l->at, name, sizeof name), (u64)l->entries, (u64)l->rounds,
                l->entries ? (double)l->rounds / (double)l->entries : 0.0,
                l->warp_entries ? (double)l->warp_rounds / (double)l->warp_entries : 0.0,
                profile_efficiency(&l->k), share(l->k.insns, p->all.insns));
    }
}

static void print_branches(const struct profile *p, const struct profile_sums *s, FILE *out)
{
    char name[64];
    fprintf(out, "\n%-8s %-28s %12s %10s %10s %14s\n", "branch", "source line", "executed",
            "divergent", "share", "lost slots");
    for (size_t i = 0; i < s->ninsns; i++)
        for (size_t k = 0; k < s->nbranches; k++) {
            const struct profile_branch *b = &s->branch[k];
            if (b->pc == s->insn[i].pc)
                fprintf(out, "%06x   %-28s %12llu %10llu %9.1f%% %14llu\n", b->pc,
                        name_of(b->site, name, sizeof name), (u64)b->executed, (u64)b->divergent,
                        share(b->divergent, b->executed), (u64)b->lost_all);
        }
    (void)p;
}

static void print_cycles(const struct profile *p, const struct profile_run *r, FILE *out)
{
    const uint64_t all = profile_cycles_all(&p->all);
    fprintf(out, "the core (LANES %u): %llu cycles; its %zu %s lived %llu\n", r->lanes,
            (u64)r->cycles, COUNTED(p->nwarps, "warp"), (u64)all);
    for (unsigned i = 0; i < CYCLE_COUNT; i++)
        if (p->all.cycles[i])
            fprintf(out, "  %-11s %14llu %5.1f%%  %s\n", profile_cycle_names[i].key,
                    (u64)p->all.cycles[i], share(p->all.cycles[i], all),
                    profile_cycle_names[i].words);
}

static void print_losses(const struct profile *p, const struct profile_sums *s,
                         const struct profile_gains *g, FILE *out)
{
    enum { MOST = 8 };
    const uint64_t lost = profile_lost_all(&p->all);
    char name[64], why[80];
    fprintf(out, "\nWhere the lanes are lost: %llu of %llu lane-slots\n", (u64)lost,
            (u64)(p->all.lanes + lost));
    for (size_t i = 0; i < s->nbranches && i < MOST && s->branch[i].lost_all; i++) {
        const struct profile_branch *b = &s->branch[i];
        struct profile_help h;
        profile_help(p, s, g, b, &h);
        profile_causes(b->lost, LOST_COUNT, profile_lost_names, why, sizeof why);
        if (b->pc == PROF_NEVER)
            fprintf(out, "%2zu. %5.1f%%  (no branch): %s\n", i + 1, share(b->lost_all, lost), why);
        else
            fprintf(out, "%2zu. %5.1f%%  %s, %06x %s: %s\n", i + 1, share(b->lost_all, lost),
                    name_of(b->site, name, sizeof name), b->pc, b->at ? b->at->text : "", why);
        fprintf(out, "           %s\n", h.text);
    }
}

void profile_text(const struct profile *p, const struct profile_sums *s,
                  const struct profile_gains *g, const struct profile_run *r, FILE *out)
{
    fprintf(out, "SIMT efficiency %.1f%% over %llu warp instructions\n",
            profile_efficiency(&p->all), (u64)p->all.insns);
    if (p->stack_mode && r->count)
        fprintf(out, "stack: %llu pushes, %llu pops, %llu spills, %llu fills, deepest %llu\n",
                (u64)r->count->pushes, (u64)r->count->pops, (u64)r->count->spills,
                (u64)r->count->fills, (u64)r->count->deepest);
    if (p->cycles)
        print_cycles(p, r, out);
    print_losses(p, s, g, out);
    fprintf(out, "\n");
    print_lines(p, s, out);
    print_loops(p, s, out);
    print_branches(p, s, out);
}

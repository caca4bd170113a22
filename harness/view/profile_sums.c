/* A profile summed by source line, instruction and branch.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/view/profile.h"
#include <stdlib.h>
#include <string.h>

const char *profile_line_name(const char *file, unsigned line, char *buf, size_t n)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (line)
        snprintf(buf, n, "%s:%u", slash ? slash + 1 : file, line);
    else
        snprintf(buf, n, "(no line)");
    return buf;
}

static uint64_t sum(const uint64_t *n, unsigned count)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < count; i++)
        all += n[i];
    return all;
}

static int by_lost(const void *a, const void *b)
{
    const struct profile_line *x = a, *y = b;
    uint64_t p = profile_lost_all(&x->k), q = profile_lost_all(&y->k);
    return p != q                     ? (p < q ? 1 : -1)
           : x->k.insns != y->k.insns ? (x->k.insns < y->k.insns ? 1 : -1)
                                      : (int)x->line - (int)y->line;
}

static int by_pc(const void *a, const void *b)
{
    const struct profile_insn *x = a, *y = b;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static int by_loss(const void *a, const void *b)
{
    const struct profile_branch *x = a, *y = b;
    return x->lost_all != y->lost_all ? (x->lost_all < y->lost_all ? 1 : -1)
           : x->pc < y->pc            ? -1
                                      : x->pc > y->pc;
}

static struct profile_line *line_of(struct profile_sums *s, const struct timeline_insn *at)
{
    size_t i = profile_sums_line(s, at);
    if (i == s->nlines)
        s->line[s->nlines++] =
            (struct profile_line){ at && at->line ? at->file : "", at ? at->line : 0, { 0 } };
    return &s->line[i];
}

/* The instruction's counts over all its places. */
static struct profile_count at_pc(const struct profile *p, uint32_t pc)
{
    struct profile_count k = { 0 };
    for (int i = p->head[timeline_index(p->program, pc)].place; i >= 0; i = p->place[i].next)
        profile_sum(&k, &p->place[i].k);
    return k;
}

static struct profile_branch *add_branch(const struct profile *p, struct profile_sums *s,
                                         uint32_t pc, const uint64_t *lost)
{
    struct profile_branch b = { .pc = pc, .loop = -1, .leaves = -1 };
    if (pc != PROF_NEVER) {
        struct profile_count k = at_pc(p, pc);
        int place = p->head[timeline_index(p->program, pc)].place;
        b.at = profile_insn(p, pc);
        b.site = place >= 0 ? profile_insn(p, p->place[place].site) : b.at;
        b.executed = k.insns;
        b.divergent = k.divergent;
    }
    if (lost)
        memcpy(b.lost, lost, sizeof b.lost);
    b.lost_all = sum(b.lost, LOST_COUNT);
    s->branch[s->nbranches] = b;
    return &s->branch[s->nbranches++];
}

struct profile_branch *profile_sums_branch(const struct profile *p, struct profile_sums *s,
                                           uint32_t pc)
{
    for (size_t i = 0; i < s->nbranches; i++)
        if (s->branch[i].pc == pc)
            return &s->branch[i];
    return add_branch(p, s, pc, NULL);
}

static const uint64_t *part_of(const struct profile *p, uint32_t pc)
{
    for (size_t i = 0; i < p->nparts; i++)
        if (p->part[i].pc == pc)
            return p->part[i].lost;
    return NULL;
}

static void add_branches(const struct profile *p, struct profile_sums *s)
{
    for (size_t i = 0; i < s->ninsns; i++) {
        const uint64_t *lost = part_of(p, s->insn[i].pc);
        if (s->insn[i].k.branches || lost)
            add_branch(p, s, s->insn[i].pc, lost);
    }
    if (part_of(p, PROF_NEVER))
        add_branch(p, s, PROF_NEVER, part_of(p, PROF_NEVER));
}

bool profile_sums(const struct profile *p, struct profile_sums *s)
{
    *s = (struct profile_sums){ 0 };
    s->line = calloc(p->nplaces + 1, sizeof *s->line);
    s->insn = calloc(p->nplaces + 1, sizeof *s->insn);
    s->branch = calloc(p->nplaces + 2, sizeof *s->branch);
    if (!s->line || !s->insn || !s->branch)
        return false;
    for (size_t i = 0; i < p->nplaces; i++)
        profile_sum(&line_of(s, profile_insn(p, p->place[i].site))->k, &p->place[i].k);
    for (size_t i = 0; i < p->nheads; i++)
        if (p->head[i].place >= 0) {
            uint32_t pc = p->program->base + (uint32_t)i * timeline_step(p->program);
            s->insn[s->ninsns++] = (struct profile_insn){ pc, profile_insn(p, pc), at_pc(p, pc) };
        }
    if (s->nlines)
        qsort(s->line, s->nlines, sizeof *s->line, by_lost);
    if (s->ninsns)
        qsort(s->insn, s->ninsns, sizeof *s->insn, by_pc);
    add_branches(p, s);
    if (!profile_loops(p, s))
        return false;
    if (s->nbranches)
        qsort(s->branch, s->nbranches, sizeof *s->branch, by_loss);
    return true;
}

size_t profile_sums_line(const struct profile_sums *s, const struct timeline_insn *at)
{
    const char *file = at && at->line ? at->file : "";
    const unsigned line = at ? at->line : 0;
    size_t i = 0;
    while (i < s->nlines && (s->line[i].line != line || strcmp(s->line[i].file, file)))
        i++;
    return i;
}

void profile_sums_free(struct profile_sums *s)
{
    free(s->line);
    free(s->insn);
    free(s->branch);
    free(s->loop);
    *s = (struct profile_sums){ 0 };
}

/* What the comparison shows: columns for gnuplot, docs/modes.md and docs/modes/kernels.md.
 * SPDX-License-Identifier: Apache-2.0 */
#include "modes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

bool modes_table(const struct modes *m, const char *path)
{
    static const char *const family[FAMILIES] = { "pattern", "random", "tests" };
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(
        f,
        "kernel family cycles_b cycles_s insns_b insns_s eff_b eff_s nest_b nest_s spills fills\n");
    for (unsigned i = 0; i < m->n; i++) {
        const struct row *r = &m->row[i];
        const struct hd_counters *b = &r->count[MODE_BARRIER], *s = &r->count[MODE_STACK];
        if (row_compares(r))
            fprintf(f, "%s %s %llu %llu %llu %llu %.2f %.2f %u %u %llu %llu\n", r->name,
                    family[r->family], (ull)b->cycles, (ull)s->cycles, (ull)b->warp_insns,
                    (ull)s->warp_insns, row_efficiency(r, MODE_BARRIER),
                    row_efficiency(r, MODE_STACK), r->nest[0], r->nest[1], (ull)s->spills,
                    (ull)s->fills);
    }
    return !fclose(f);
}

/* ---- figures of a family ---- */

static double cycles_ratio(const struct row *r)
{
    return (double)r->count[MODE_STACK].cycles / (double)r->count[MODE_BARRIER].cycles;
}

static double insns_ratio(const struct row *r)
{
    return (double)r->count[MODE_STACK].warp_insns / (double)r->count[MODE_BARRIER].warp_insns;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct spread { double least, median, most, mean; unsigned n; };     /* mean: geometric */

static struct spread spread(const struct modes *m, enum family f, double (*of)(const struct row *))
{
    double *v = calloc(m->n + 1, sizeof *v), logs = 0;
    struct spread s = { .n = 0 };
    for (unsigned i = 0; v && i < m->n; i++)
        if (row_compares(&m->row[i]) && m->row[i].family == f)
            logs += log(v[s.n++] = of(&m->row[i]));
    if (s.n) {
        qsort(v, s.n, sizeof *v, ascending);
        s = (struct spread){ v[0], v[s.n / 2], v[s.n - 1], exp(logs / s.n), s.n };
    }
    free(v);
    return s;
}

static void summary(FILE *f, const struct modes *m)
{
    static const char *const name[FAMILIES] = { "patterns `p_*`", "random programs `r*`",
                                                "tests/kernels" };
    fprintf(
        f,
        "| kernels | number | cycles, stack over barriers: least, median, most | geometric mean | "
        "instructions: geometric mean | "
        "SIMT efficiency: barriers, stack | kernels that spill |\n|---|--:|--:|--:|--:|--:|--:|\n");
    for (int k = 0; k < FAMILIES; k++) {
        struct spread c = spread(m, (enum family)k, cycles_ratio),
                      n = spread(m, (enum family)k, insns_ratio);
        double lanes[MODES] = { 0, 0 }, insns[MODES] = { 0, 0 };
        unsigned spilling = 0;
        for (unsigned i = 0; i < m->n; i++)
            if (row_compares(&m->row[i]) && (int)m->row[i].family == k) {
                spilling += m->row[i].count[MODE_STACK].spills > 0;
                for (int j = 0; j < MODES; j++) {
                    lanes[j] += (double)m->row[i].count[j].active_lanes;
                    insns[j] += (double)m->row[i].count[j].warp_insns;
                }
            }
        if (c.n)
            fprintf(f, "| %s | %u | %.2f, %.2f, %.2f | %.3f | %.3f | %.1f%%, %.1f%% | %u |\n",
                    name[k], c.n, c.least, c.median, c.most, c.mean, n.mean,
                    100 * lanes[0] / 32 / insns[0], 100 * lanes[1] / 32 / insns[1], spilling);
    }
}

/* The kernels with the lowest and the highest ratio of cycles. */
static void extremes(FILE *f, const struct modes *m)
{
    enum { SHOWN = 5 };
    for (int high = 0; high < 2; high++) {
        double last = high ? HUGE_VAL : 0;
        fprintf(
            f, high
                   ? "\nSlowest with the stack:"
                   : "\nFastest with the stack (cycles with the stack over cycles with barriers):");
        for (int k = 0; k < SHOWN; k++) {
            const struct row *best = NULL;
            for (const struct row *r = m->row; r < m->row + m->n; r++)
                if (row_compares(r) && (high ? cycles_ratio(r) < last &&
                                                   (!best || cycles_ratio(r) > cycles_ratio(best))
                                             : cycles_ratio(r) > last &&
                                                   (!best || cycles_ratio(r) < cycles_ratio(best))))
                    best = r;
            if (!best)
                break;
            last = cycles_ratio(best);
            fprintf(f, "%s `%s` %.2f", k ? "," : "", best->name, last);
        }
        fprintf(f, ".\n");
    }
}

static void table(FILE *f, const struct modes *m, bool random)
{
    fprintf(
        f,
        "| kernel | cycles: barriers | stack | ratio | instructions: barriers | stack | "
        "efficiency: barriers | stack | "
        "nesting: registers | tokens | chunks spilled | filled |\n"
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (unsigned i = 0; i < m->n; i++) {
        const struct row *r = &m->row[i];
        const struct hd_counters *b = &r->count[MODE_BARRIER], *s = &r->count[MODE_STACK];
        if (!row_compares(r) || (r->family == FAMILY_RANDOM) != random)
            continue;
        fprintf(
            f,
            "| `%s` | %llu | %llu | %.2f | %llu | %llu | %.1f%% | %.1f%% | %u | %u | %llu | %llu "
            "|\n",
            r->name, (ull)b->cycles, (ull)s->cycles, cycles_ratio(r), (ull)b->warp_insns,
            (ull)s->warp_insns, row_efficiency(r, MODE_BARRIER), row_efficiency(r, MODE_STACK),
            r->nest[0], r->nest[1], (ull)s->spills, (ull)s->fills);
    }
}

static void stuck(FILE *f, const struct modes *m)
{
    bool any = false;
    for (unsigned i = 0; i < m->n; i++)
        if (row_hangs(&m->row[i])) {
            fprintf(
                f, "%s`%s`",
                any ? ", "
                    : "Not compared, because their lanes wait for lanes of the same warp, which "
                      "is a deadlock "
                      "with a stack (and is reported as one): ",
                m->row[i].name);
            any = true;
        }
    fprintf(f, any ? ".\n\n" : "");
}

bool modes_page(const struct modes *m, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(
        f,
        "# Barriers and the stack, side by side\n\n"
        "The same kernels are compiled for both mechanisms and run in lockstep on the same core "
        "(LANES=32, 16 tokens on chip,\n"
        "fixed memory latency). Both mechanisms leave the same memory in every kernel compared, "
        "except for `log`, which holds\n"
        "clocks and the order of arrival. `make compare-modes` writes this page, [the table of "
        "kernels](modes/kernels.md), the\n"
        "pictures and `modes/modes.dat`.\n\n");
    stuck(f, m);
    fprintf(
        f,
        "The compiler places barriers and tokens by different rules, so a ratio compares the "
        "placements as well as the\n"
        "mechanisms. Lanes can join a barrier late and leave it early. A token's reconvergence "
        "point must post-dominate\n"
        "everything that its lanes may execute before it ([stack.md](stack.md)), and the lanes "
        "that take a branch run first.\n\n"
        "## In short\n\n");
    summary(f, m);
    extremes(f, m);
    fprintf(
        f,
        "\nSIMT efficiency is the number of active lanes over 32, over all warp instructions.\n\n"
        "![cycles, stack over barriers](modes/cycles.svg)\n\n"
        "![SIMT efficiency](modes/efficiency.svg)\n\n"
        "[area.md](area.md) compares what the two take of an FPGA.\n");
    return !fclose(f);
}

bool modes_kernels(const struct modes *m, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(
        f,
        "# Barriers and the stack, kernel by kernel\n\n"
        "[modes.md](../modes.md) says how this was measured; "
        "`make compare-modes` writes it. Efficiency is the number of active\n"
        "lanes over 32, over all warp instructions. Nesting is the largest number of barrier "
        "registers with participants, or of\n"
        "tokens, that one warp had at once.\n\n## Patterns and test kernels\n\n");
    table(f, m, false);
    fprintf(f, "\n## Random programs\n\n");
    table(f, m, true);
    return !fclose(f);
}

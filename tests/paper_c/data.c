/* The columns of every figure, and the arithmetic that the paper does with them.
 * SPDX-License-Identifier: Apache-2.0 */
#include "paper_c.h"
#include <stdlib.h>

FILE *paper_file(const struct paper *p, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", p->folder, name);
    return fopen(path, "w");
}

/* The paper fits the slope to the first 16 points and takes what is above it for the spills. */
struct costs paper_costs(const struct paper *p, uint64_t (*cycles)(const struct point *))
{
    const struct point *at = p->at[LOOP_SINGLE];
    struct costs c = { .divergence = ((double)cycles(&at[15]) - (double)cycles(&at[0])) / 15 };
    double above = (double)cycles(&at[31]) - (double)cycles(&at[0]) - 31 * c.divergence;
    c.chunk = above / at[31].emu.spills;
    return c;
}

static uint64_t core_stack(const struct point *at)
{
    return at->core_stack;
}

double paper_predict(const struct paper *p, unsigned n)
{
    const struct point *at = p->at[LOOP_DOUBLE];
    struct costs c = paper_costs(p, core_stack);
    return (double)at[0].core_stack + c.divergence * (at[n].emu.pushes - at[0].emu.pushes) +
           c.chunk * at[n].emu.spills;
}

struct split paper_split(const struct loop_run *r, const struct loop_run *converged)
{
    const int64_t *t = r->timer, *u = converged->timer;
    struct split s = { 0, 0 };
    s.branches = (t[32 * HD_LANES] - t[0]) - (u[32 * HD_LANES] - u[0]);
    s.unwinding = (t[33 * HD_LANES] - t[32 * HD_LANES]) - (u[33 * HD_LANES] - u[32 * HD_LANES]);
    return s;
}

static bool figures12(const struct paper *p, enum loop_kernel k, const char *name)
{
    FILE *f = paper_file(p, name);
    if (!f)
        return false;
    fprintf(f, "n kepler maxwell hopper h200 \"core, stack\" \"core, barriers\" line\n");
    for (unsigned n = 0; n < LOOP_POINTS; n++) {
        const struct point *at = &p->at[k][n];
        uint64_t base = p->at[k][0].kepler;
        unsigned divergences = at->emu.pushes - p->at[k][0].emu.pushes;
        fprintf(f, "%u %llu %llu %llu %llu ", n, (unsigned long long)at->kepler,
                (unsigned long long)at->maxwell, (unsigned long long)at->hopper,
                (unsigned long long)at->h200);
        if (p->rtl)
            fprintf(f, "%llu %llu", (unsigned long long)at->core_stack,
                    (unsigned long long)at->core_barrier);
        else
            fprintf(f, "? ?");
        fprintf(f, " %llu\n", (unsigned long long)base + 32ull * divergences);
    }
    return !fclose(f);
}

static bool figure6(const struct paper *p)
{
    FILE *f = paper_file(p, "fig6.dat");
    if (!f)
        return false;
    fprintf(f, "n spills emulator\n");
    for (unsigned n = 0; n < LOOP_POINTS; n++) {
        const struct point *at = &p->at[LOOP_DOUBLE][n];
        fprintf(f, "%u %llu %u\n", n,
                (unsigned long long)(p->rtl ? &at->core : &at->model)->loop.spills, at->emu.spills);
    }
    return !fclose(f);
}

static bool figures78(const struct paper *p)
{
    FILE *f = paper_file(p, "fig7.dat");
    if (!f)
        return false;
    fprintf(f, "n measured predicted difference\n");
    for (unsigned n = 0; p->rtl && n < LOOP_POINTS; n++) {
        double ours = (double)p->at[LOOP_DOUBLE][n].core_stack, guess = paper_predict(p, n);
        fprintf(f, "%u %.0f %.1f %.1f\n", n, ours, guess, ours - guess);
    }
    return !fclose(f);
}

/* Section IV-A: Listing 5's cost, by where it falls. */
static bool split(const struct paper *p)
{
    FILE *f = paper_file(p, "split.dat");
    const struct point *at = p->at[LOOP_PRECISE];
    if (!f)
        return false;
    fprintf(
        f, "n \"kepler, branches\" \"kepler, unwinding\" \"core, branches\" \"core, unwinding\"\n");
    for (unsigned n = 0; n < LOOP_POINTS; n++) {
        struct split k = paper_split(&at[n].model, &at[0].model),
                     c = paper_split(&at[n].core, &at[0].core);
        fprintf(f, "%u %lld %lld", n, (long long)k.branches, (long long)k.unwinding);
        if (p->rtl)
            fprintf(f, " %lld %lld\n", (long long)c.branches, (long long)c.unwinding);
        else
            fprintf(f, " ? ?\n");
    }
    return !fclose(f);
}

bool paper_write(const struct paper *p)
{
    return figures12(p, LOOP_SINGLE, "fig1.dat") && figures12(p, LOOP_DOUBLE, "fig2.dat") &&
           figure6(p) && figures78(p) && split(p);
}

/* XSBench: tables, and the host's lookups, which search each nuclide's own grid instead of the
 * merged one.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Published (large): 355 nuclides of 11303 points.  Both sizes have fewer points: the table of
 * indices grows with their number times 355 twice, and what diverges, the number of nuclides, does
 * not depend on it. */
#include "xsbench.h"
#include "workload.h"
#include <stdio.h>
#include <stdlib.h>

struct data { struct materials m; struct xs_point *points; float *unionized; int gridpoints; };

static int by_energy(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void make_grids(struct data *d, pa_u64 *seed)
{
    for (int n = 0; n < NUCLIDES; n++) {
        struct xs_point *grid = d->points + n * d->gridpoints;
        for (int i = 0; i < d->gridpoints; i++) {
            grid[i].energy = i == 0 ? 0.0f : i == d->gridpoints - 1 ? 1.0f : pa_lcg(seed);
            for (int k = 0; k < XS_KINDS; k++)
                grid[i].xs[k] = pa_lcg(seed);
        }
        qsort(grid, (size_t)d->gridpoints, sizeof *grid, by_energy);
        for (int i = 0; i < d->gridpoints; i++)
            d->unionized[n * d->gridpoints + i] = grid[i].energy;
    }
    qsort(d->unionized, (size_t)(NUCLIDES * d->gridpoints), sizeof(float), by_energy);
}

/* The last point that is not above e and has one after it. */
static int point_below(const struct xs_point *grid, int gridpoints, float e)
{
    int i = 0;
    while (i < gridpoints - 2 && grid[i + 1].energy <= e)
        i++;
    return i;
}

/* The digits of printf are those of a decimal integer; the kernel takes the lowest first. */
static uint32_t hash_text(uint32_t hash, float x)
{
    char text[16];
    int len = snprintf(text, sizeof text, "%u", (unsigned)(x * 100000.0f));
    while (len--)
        hash = hash * 33 + (uint32_t)text[len];
    return hash * 33 + ' ';
}

static void lookup(const struct data *d, pa_u64 *seed, float *sum, uint32_t *hash)
{
    float e = pa_lcg(seed), macro[XS_KINDS] = { 0 };
    int m = material_pick(d->m.running, pa_lcg(seed));
    for (int i = d->m.first[m]; i < d->m.first[m + 1]; i++) {
        const struct xs_point *grid = d->points + d->m.nuclide[i] * d->gridpoints;
        xs_add(macro, grid + point_below(grid, d->gridpoints, e), e, d->m.density[i]);
    }
    *hash = hash_text(*hash, e) + (uint32_t)m;
    for (int k = 0; k < XS_KINDS; k++) {
        *hash = hash_text(*hash, macro[k]);
        *sum += macro[k];
    }
}

void xsbench_make(struct problem *p, enum size size)
{
    int lookups = size == SIZE_RTL ? 6 : 34; /* 34: XSBench's own number of lookups of a particle */
    p->blocks = size == SIZE_RTL ? 1 : 2;
    p->threads = 64;
    struct data d = { .gridpoints = size == SIZE_RTL ? 8 : 64 };
    int total = NUCLIDES * d.gridpoints;
    pa_u64 seed = 42;
    materials_make(&d.m, &seed);
    memcpy(problem_in(p, "running", sizeof d.m.running), d.m.running, sizeof d.m.running);
    memcpy(problem_in(p, "first", sizeof d.m.first), d.m.first, sizeof d.m.first);
    memcpy(problem_in(p, "nuclide", sizeof d.m.nuclide), d.m.nuclide, sizeof d.m.nuclide);
    memcpy(problem_in(p, "density", sizeof d.m.density), d.m.density, sizeof d.m.density);
    d.unionized = problem_in(p, "unionized", sizeof(float) * (size_t)total);
    int *index = problem_in(p, "index", sizeof *index * (size_t)total * NUCLIDES);
    d.points = problem_in(p, "points", sizeof *d.points * (size_t)total);
    make_grids(&d, &seed);
    for (int n = 0; n < NUCLIDES; n++)
        for (int u = 0, at = 0; u < total; u++) {
            const struct xs_point *grid = d.points + n * d.gridpoints;
            while (at < d.gridpoints - 2 && grid[at + 1].energy <= d.unionized[u])
                at++;
            index[u * NUCLIDES + n] = at;
        }
    unsigned threads = p->blocks * p->threads;
    float *sums = problem_out(p, "sums", sizeof(float) * threads);
    uint32_t *hash = problem_out(p, "hash", sizeof(uint32_t) * threads);
    problem_int(p, "total", total);
    problem_int(p, "gridpoints", d.gridpoints);
    problem_int(p, "lookups", lookups);
    pa_u64 state = MATERIAL_SEED;
    for (unsigned i = 0; i < threads * (unsigned)lookups; i++)
        lookup(&d, &state, &sums[i / (unsigned)lookups], &hash[i / (unsigned)lookups]);
}

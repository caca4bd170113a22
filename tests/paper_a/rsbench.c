/* RSBench: resonance data, and the host's cross sections.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Published: 355 nuclides, on average 1000 poles and 100 windows each, four angular momenta.  The
 * RTL size has fewer poles and two momenta, so that a nuclide takes the core fewer cycles; windows,
 * nuclides and materials are the same. */
#include "rsbench.h"
#include "workload.h"

struct data {
    struct materials m;
    float *k0rs;
    struct rs_window *windows;
    struct rs_pole *poles;
    int nwindows, npoles, momenta;
};

/* A nuclide's poles are dealt to its windows in order, as evenly as numbers allow. */
static void make_nuclide(const struct data *d, int n, int used, pa_u64 *seed)
{
    for (int p = 0; p < used; p++) {
        float *word = (float *)&d->poles[n * d->npoles + p];
        for (int k = 0; k < 8; k++)
            word[k] = pa_lcg(seed);
        d->poles[n * d->npoles + p].momentum = (int)(pa_lcg(seed) * (float)d->momenta);
    }
    for (int w = 0; w < d->nwindows; w++) {
        struct rs_window *win = &d->windows[n * d->nwindows + w];
        win->first = w * used / d->nwindows;
        win->end = (w + 1) * used / d->nwindows;
        win->total = pa_lcg(seed);
        win->absorbed = pa_lcg(seed);
        win->fission = pa_lcg(seed);
    }
    for (int l = 0; l < RS_MOMENTA; l++)
        d->k0rs[n * RS_MOMENTA + l] = pa_lcg(seed);
}

static struct rs_xs micro_xs(const struct data *d, int n, float e)
{
    float root = sqrtf(e);
    int at = (int)(e * (float)d->nwindows);
    const struct rs_window *w =
        &d->windows[n * d->nwindows + (at < d->nwindows ? at : d->nwindows - 1)];
    struct rs_xs x = { e * w->total, 0, e * w->absorbed, e * w->fission };
    const float *k0rs = d->k0rs + n * RS_MOMENTA;
    for (const struct rs_pole *p = d->poles + n * d->npoles + w->first;
         p < d->poles + n * d->npoles + w->end; p++)
        rs_pole_add(&x, p, rs_phase(k0rs[p->momentum], root, p->momentum), e, root);
    x.elastic = x.total - x.absorbed;
    return x;
}

/* One lookup: macro[4], and which of them is the largest, from 1. */
static unsigned lookup(const struct data *d, pa_u64 *seed, float macro[4])
{
    float e = fmaxf(pa_lcg(seed), 1e-4f);
    int m = material_pick(d->m.running, pa_lcg(seed));
    unsigned largest = 0;
    memset(macro, 0, 4 * sizeof *macro);
    for (int i = d->m.first[m]; i < d->m.first[m + 1]; i++) {
        struct rs_xs x = micro_xs(d, d->m.nuclide[i], e);
        float micro[4] = { x.total, x.elastic, x.absorbed, x.fission };
        for (int k = 0; k < 4; k++)
            macro[k] = fmaf(micro[k], d->m.density[i], macro[k]);
    }
    for (unsigned k = 1; k < 4; k++)
        largest = macro[k] > macro[largest] ? k : largest;
    return largest + 1;
}

void rsbench_make(struct problem *p, enum size size)
{
    int lookups = size == SIZE_RTL ? 4 : 32, average = size == SIZE_RTL ? 100 : 1000;
    p->blocks = size == SIZE_RTL ? 1 : 2;
    p->threads = size == SIZE_RTL ? 32 : 64;
    struct data d = { .nwindows = 100,
                      .npoles = average * 3 / 2,
                      .momenta = size == SIZE_RTL ? 2 : RS_MOMENTA };
    pa_u64 seed = 42;
    materials_make(&d.m, &seed);
    memcpy(problem_in(p, "running", sizeof d.m.running), d.m.running, sizeof d.m.running);
    memcpy(problem_in(p, "first", sizeof d.m.first), d.m.first, sizeof d.m.first);
    memcpy(problem_in(p, "nuclide", sizeof d.m.nuclide), d.m.nuclide, sizeof d.m.nuclide);
    memcpy(problem_in(p, "density", sizeof d.m.density), d.m.density, sizeof d.m.density);
    d.k0rs = problem_in(p, "k0rs", sizeof(float) * NUCLIDES * RS_MOMENTA);
    d.windows = problem_in(p, "windows", sizeof *d.windows * NUCLIDES * (size_t)d.nwindows);
    d.poles = problem_in(p, "poles", sizeof *d.poles * NUCLIDES * (size_t)d.npoles);
    for (int n = 0; n < NUCLIDES; n++)               /* half the average to one and a half of it */
        make_nuclide(&d, n, average / 2 + (int)(pa_lcg(&seed) * (float)average), &seed);
    unsigned threads = p->blocks * p->threads;
    float *sums = problem_out(p, "sums", sizeof(float) * 4 * threads);
    uint32_t *hash = problem_out(p, "hash", sizeof(uint32_t) * threads);
    problem_int(p, "nwindows", d.nwindows);
    problem_int(p, "npoles", d.npoles);
    problem_int(p, "momenta", d.momenta);
    problem_int(p, "lookups", lookups);
    pa_u64 state = MATERIAL_SEED;                    /* two numbers a lookup, one after the other */
    for (unsigned i = 0; i < threads * (unsigned)lookups; i++) {
        float macro[4];
        unsigned t = i / (unsigned)lookups;
        hash[t] = hash[t] * 31 + lookup(&d, &state, macro);
        for (unsigned k = 0; k < 4; k++)
            sums[4 * t + k] += macro[k];
    }
}

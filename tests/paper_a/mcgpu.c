/* MC-GPU: phantom and attenuation, and the host's photons.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The phantom is a cylinder of water with two rods of bone, in air.  Attenuation follows the known
 * laws with round constants: Klein and Nishina's total cross section times electron density, E^-2
 * for Rayleigh, E^-3 for the photoelectric effect.  (MC-GPU reads a CT scan and the tables of
 * PENELOPE, which are not ours to ship.) */
#include "mcgpu.h"
#include "workload.h"

static const struct {
    double electrons, rayleigh, photo;
} tissue[MG_TISSUES] = { [MG_AIR] = { 0.0004, 0.00003, 0.00003 },
                         [MG_WATER] = { 0.334, 0.02, 0.03 },
                         [MG_BONE] = { 0.56, 0.05, 0.40 } };

static double klein_nishina(double keV)                  /* barn an electron */
{
    double k = keV / 510.99895, a = 1 + 2 * k, l = log(a);
    return 0.4990 *
           ((1 + k) / (k * k) * (2 * (1 + k) / a - l / k) + l / (2 * k) - (1 + 3 * k) / (a * a));
}

static void make_tables(struct mg_mu *mu, float *woodcock)
{
    for (int bin = 0; bin < MG_BINS; bin++) {
        double keV = (bin + 0.5) * (double)MG_TOP / MG_BINS, per30 = 30 / keV;
        for (int t = 0; t < MG_TISSUES; t++) {
            struct mg_mu *m = &mu[t * MG_BINS + bin];
            m->compton = (float)(klein_nishina(keV) * tissue[t].electrons);
            m->rayleigh = (float)(tissue[t].rayleigh * per30 * per30);
            m->photo = (float)(tissue[t].photo * per30 * per30 * per30);
            woodcock[bin] = fmaxf(woodcock[bin], m->compton + m->rayleigh + m->photo);
        }
    }
}

static unsigned char tissue_at(int x, int y)
{
    double dx = x + 0.5 - MG_SIDE / 2.0, dy = y + 0.5 - MG_SIDE / 2.0, r = sqrt(dx * dx + dy * dy);
    return fabs(fabs(dx) - 3) < 1 && fabs(dy) < 1 ? MG_BONE
           : r < 0.45 * MG_SIDE                   ? MG_WATER
                                                  : MG_AIR;
}

struct world {
    const unsigned char *phantom;
    const struct mg_mu *mu;
    const float *woodcock;
    uint32_t *dose, *detector;
};

/* One interaction, if any; false: the photon is gone. */
static bool step(const struct world *w, struct mg_photon *p)
{
    int bin = mg_bin(p->energy), voxel = mg_fly(p, w->woodcock[bin]);
    if (voxel < 0) {
        w->detector[bin] += p->at.z >= (float)MG_SIDE;
        return false;
    }
    const struct mg_mu *m = &w->mu[w->phantom[voxel] * MG_BINS + bin];
    float roll = pa_ranecu(&p->rng) * w->woodcock[bin];
    if (roll < m->compton) {
        w->dose[voxel] += (uint32_t)(mg_compton(p) * MG_SCALE);
        return true;
    }
    if (roll < m->compton + m->rayleigh) {
        mg_rayleigh(p);
        return true;
    }
    if (roll >= m->compton + m->rayleigh + m->photo && p->energy >= MG_LOWEST)
        return true;
    w->dose[voxel] += (uint32_t)(p->energy * MG_SCALE);
    return false;
}

void mcgpu_make(struct problem *p, enum size size)
{
    unsigned histories = size == SIZE_RTL ? 8 : 64;
    p->blocks = size == SIZE_RTL ? 1 : 4;
    p->threads = 64;
    unsigned char *phantom = problem_in(p, "phantom", MG_VOXELS);
    struct mg_mu *mu = problem_in(p, "mu", sizeof *mu * MG_TISSUES * MG_BINS);
    float *woodcock = problem_in(p, "woodcock", sizeof *woodcock * MG_BINS);
    struct world w = { .phantom = phantom, .mu = mu, .woodcock = woodcock };
    w.dose = problem_out(p, "dose", sizeof(uint32_t) * MG_VOXELS);
    w.detector = problem_out(p, "detector", sizeof(uint32_t) * MG_BINS);
    problem_int(p, "histories", (int)histories);
    for (int v = 0; v < MG_VOXELS; v++)
        phantom[v] = tissue_at(v % MG_SIDE, v / MG_SIDE % MG_SIDE);
    make_tables(mu, woodcock);
    for (unsigned i = 0; i < p->blocks * p->threads * histories; i++) {
        struct mg_photon one = { .rng = { (int)(pa_hash(2 * i) % 2147483561 + 1),
                                          (int)(pa_hash(2 * i + 1) % 2147483397 + 1) } };
        mg_birth(&one);
        while (step(&w, &one))
            ;
    }
}

/* MC-GPU: an x-ray photon's flight through voxels and its interactions, f32.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Badal and Badano (2009): Woodcock tracking, which flies by the largest attenuation of the phantom
 * and then decides whether the point reached is a real interaction; Compton, Rayleigh and
 * photoelectric interactions; RANECU. Compton scattering is Klein and Nishina's, sampled as Kahn
 * does; Rayleigh's form factor is left out (Thomson's angle). */
#ifndef PAPER_A_MCGPU_H
#define PAPER_A_MCGPU_H
#include "shared.h"

enum { MG_SIDE = 16, MG_VOXELS = MG_SIDE * MG_SIDE * MG_SIDE };  /* one voxel is a centimetre */
enum mg_tissue { MG_AIR, MG_WATER, MG_BONE, MG_TISSUES };
enum { MG_BINS = 64 };                           /* of energy, up to MG_TOP */
#define MG_TOP 128.0f                            /* keV */
#define MG_SOURCE 90.0f                          /* keV */
#define MG_LOWEST 5.0f                           /* keV below which a photon is absorbed */
#define MG_SCALE 64.0f /* scores: 1/64 keV, integers so that their order does not matter */

struct mg_mu { float compton, rayleigh, photo; };        /* per cm */
struct mg_photon { struct pa_v3 at, dir; float energy; struct pa_ranecu rng; };

PA_FN int mg_bin(float energy) { return (int)(energy * ((float)MG_BINS / MG_TOP)); }

/* A cone beam from above. */
PA_FN void mg_birth(struct mg_photon *p)
{
    float x = fmaf(pa_ranecu(&p->rng), 0.6f, -0.3f), y = fmaf(pa_ranecu(&p->rng), 0.6f, -0.3f);
    p->dir = pa_unit(pa_xyz(x, y, 1.0f));
    p->at = pa_xyz(0.5f * (float)MG_SIDE, 0.5f * (float)MG_SIDE, 0.0f);
    p->energy = MG_SOURCE;
}

/* Voxel of the point to which the photon flies; -1: outside. */
PA_FN int mg_fly(struct mg_photon *p, float longest_mu)
{
    float path = -pa_log(fmaxf(pa_ranecu(&p->rng), 1e-7f)) / longest_mu;
    p->at = pa_along(p->at, path, p->dir);
    if (!(p->at.x >= 0.0f && p->at.y >= 0.0f && p->at.z >= 0.0f && p->at.x < (float)MG_SIDE &&
          p->at.y < (float)MG_SIDE && p->at.z < (float)MG_SIDE))
        return -1;
    return ((int)p->at.z * MG_SIDE + (int)p->at.y) * MG_SIDE + (int)p->at.x;
}

/* Kahn's method: energy ratio by rejection.  Returns the energy that stays here. */
PA_FN float mg_compton(struct mg_photon *p)
{
    float k = p->energy / 510.99895f, k2 = 2.0f * k, x, cosine;
    for (;;) {
        float r1 = pa_ranecu(&p->rng), r2 = pa_ranecu(&p->rng), r3 = pa_ranecu(&p->rng), accept;
        if (r1 * (k2 + 9.0f) <= k2 + 1.0f) {
            x = fmaf(k2, r2, 1.0f);              /* energy before over energy after */
            float y = 1.0f / x;
            accept = 4.0f * fmaf(-y, y, y);
            cosine = 1.0f - (x - 1.0f) / k;
        } else {
            x = (k2 + 1.0f) / fmaf(k2, r2, 1.0f);
            cosine = 1.0f - (x - 1.0f) / k;
            accept = 0.5f * fmaf(cosine, cosine, 1.0f / x);
        }
        if (r3 <= accept)
            break;
    }
    float after = p->energy / x, lost = p->energy - after;
    p->dir = pa_turn(p->dir, fminf(fmaxf(cosine, -1.0f), 1.0f), 6.2831853f * pa_ranecu(&p->rng));
    p->energy = after;
    return lost;
}

/* Thomson's (1 + cos^2) by rejection. */
PA_FN void mg_rayleigh(struct mg_photon *p)
{
    float cosine;
    do
        cosine = fmaf(2.0f, pa_ranecu(&p->rng), -1.0f);
    while (2.0f * pa_ranecu(&p->rng) > fmaf(cosine, cosine, 1.0f));
    p->dir = pa_turn(p->dir, cosine, 6.2831853f * pa_ranecu(&p->rng));
}
#endif

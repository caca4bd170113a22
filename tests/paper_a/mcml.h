/* GPU-MCML: a photon packet's step through layered tissue, f32.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Wang, Jacques, Zheng: MCML (1995), whose ports to GPUs are CUDAMCML and GPU-MCML (Alerstam et al.
 * 2010): a packet hops, drops weight, spins (Henyey and Greenstein), is reflected or leaves at
 * boundaries, and plays roulette when little is left.  The tissue is the three-layer one of MCML's
 * own sample input. */
#ifndef PAPER_A_MCML_H
#define PAPER_A_MCML_H
#include "shared.h"

enum { ML_LAYERS = 3, ML_NZ = 40, ML_NR = 50 };
#define ML_PER_CM 100.0f                         /* cells of the grids in z and r */
#define ML_WEIGHT 1e-4f                          /* roulette below it */
#define ML_CHANCE 0.1f
#define ML_SCALE 12000000.0f                     /* scores are integers, as in CUDAMCML */
/* mua + mus; its inverse; absorbed share */
struct ml_layer { float n, g, mut, path, part, top, bottom; };
#define ML_LAYER(n, mua, mus, g, top, bottom)                                                      \
    {                                                                                              \
        n, g, mua + mus, 1 / (mua + mus), mua / (mua + mus), top, bottom                           \
    }
#define ML_TISSUE { ML_LAYER(1.37f, 1.0f, 100.0f, 0.9f, 0, 0.1f), \
    ML_LAYER(1.37f, 1.0f, 10.0f, 0, 0.1f, 0.2f), \
                    ML_LAYER(1.37f, 2.0f, 10.0f, 0.7f, 0.2f, 0.4f) }

struct ml_photon { struct pa_v3 at, dir; float weight, left; int layer; pa_u64 rng; };

/* Perpendicular on the first layer, of which its surface reflects a share at once. */
PA_FN void ml_launch(struct ml_photon *p, float n)
{
    float r = (1.0f - n) / (1.0f + n);
    p->at = pa_xyz(0.0f, 0.0f, 0.0f);
    p->dir = pa_xyz(0.0f, 0.0f, 1.0f);
    p->weight = fmaf(-r, r, 1.0f);
    p->left = 0.0f;                          /* of a step that a boundary cut, in mean free paths */
    p->layer = 0;
}

/* Goes on to the next interaction (0) or to the layer's boundary, which lies up (-1) or down
 * (1). */
PA_FN int ml_hop(struct ml_photon *p, const struct ml_layer *l)
{
    float free = p->left > 0.0f ? p->left : -pa_log(pa_mwc(&p->rng)), step = free * l->path;
    float wall = p->dir.z < 0.0f ? l->top : l->bottom;
    float room = fabsf(p->dir.z) > 1e-6f ? fmaxf((wall - p->at.z) / p->dir.z, 0.0f) : 1e9f;
    if (step <= room) {
        p->at = pa_along(p->at, step, p->dir);
        p->left = 0.0f;
        return 0;
    }
    p->left = fmaf(-room, l->mut, free);
    p->at = pa_xyz(fmaf(room, p->dir.x, p->at.x), fmaf(room, p->dir.y, p->at.y), wall);
    return p->dir.z < 0.0f ? -1 : 1;
}

/* Share that Fresnel reflects going from n1 to n2; *out is the cosine beyond the boundary. */
PA_FN float ml_fresnel(float n1, float n2, float cosine, float *out)
{
    float sine2 = fmaf(-cosine, cosine, 1.0f) * (n1 / n2) * (n1 / n2),
          c = sqrtf(fmaxf(1.0f - sine2, 0.0f));
    *out = c;
    if (sine2 >= 1.0f)
        return 1.0f;
    float s = fmaf(n1, cosine, -(n2 * c)) / fmaf(n1, cosine, n2 * c),
          q = fmaf(n1, c, -(n2 * cosine)) / fmaf(n1, c, n2 * cosine);
    return 0.5f * fmaf(s, s, q * q);
}

/* At a boundary: reflects or refracts.  True: the packet has left the tissue. */
PA_FN int ml_cross(struct ml_photon *p, const struct ml_layer *tissue, int way)
{
    int next = p->layer + way, outside = next < 0 || next >= ML_LAYERS;
    float n1 = tissue[p->layer].n, n2 = outside ? 1.0f : tissue[next].n, behind;
    if (pa_mwc(&p->rng) <= ml_fresnel(n1, n2, fabsf(p->dir.z), &behind)) {
        p->dir.z = -p->dir.z;
        return 0;
    }
    p->dir = pa_xyz(p->dir.x * (n1 / n2), p->dir.y * (n1 / n2), p->dir.z < 0.0f ? -behind : behind);
    p->layer = outside ? p->layer : next;
    return outside;
}

/* Takes the absorbed share from the packet and returns it. */
PA_FN float ml_drop(struct ml_photon *p, const struct ml_layer *l)
{
    float dropped = p->weight * l->part;
    p->weight = fmaf(-p->weight, l->part, p->weight);
    return dropped;
}

PA_FN void ml_spin(struct ml_photon *p, float g)
{
    float roll = pa_mwc(&p->rng), cosine = fmaf(2.0f, roll, -1.0f);
    if (g != 0.0f) {
        float t = fmaf(-g, g, 1.0f) / fmaf(2.0f * g, roll, 1.0f - g);
        cosine = fmaf(-t, t, fmaf(g, g, 1.0f)) / (2.0f * g);
    }
    p->dir = pa_turn(p->dir, fminf(fmaxf(cosine, -1.0f), 1.0f), 6.2831853f * pa_mwc(&p->rng));
}

/* False: roulette ended it. */
PA_FN int ml_roulette(struct ml_photon *p)
{
    if (p->weight >= ML_WEIGHT)
        return 1;
    p->weight *= 1.0f / ML_CHANCE;
    return pa_mwc(&p->rng) <= ML_CHANCE;
}

PA_FN int ml_ring(const struct ml_photon *p)
{
    float r = sqrtf(fmaf(p->at.x, p->at.x, p->at.y * p->at.y)) * ML_PER_CM;
    return r < (float)(ML_NR - 1) ? (int)r : ML_NR - 1;
}
PA_FN int ml_depth(const struct ml_photon *p)
{
    float z = p->at.z * ML_PER_CM;
    return z < (float)(ML_NZ - 1) ? (int)z : ML_NZ - 1;
}
#endif

/* MCB: one step of a particle through zones, f32.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The Monte Carlo Benchmark of LLNL solves "a simple heuristic transport equation": particles are
 * born in a domain of square zones, fly until the nearest of collision, zone boundary and the end
 * of the time step (census), scatter or are absorbed in collisions, and score what they leave in
 * each zone.  Its paper's title is all that is published of the heuristic; numbers below are ours:
 * opaque cells in a thin background, in two dimensions. */
#ifndef PAPER_A_MCB_H
#define PAPER_A_MCB_H
#include "shared.h"

enum { MCB_ZONES = 16 };                         /* along each side */
#define MCB_SCALE 65536.0f /* scores are integers, so that their order does not matter */
#define MCB_CENSUS 12.0f /* path length until the time step ends, in zones */
#define MCB_CUTOFF 0.01f                         /* weight below which a particle is absorbed */
#define MCB_SURVIVAL 0.85f                       /* weight that a collision leaves */

struct mcb_particle { float x, y, u, v, weight, left; int zx, zy; pa_u64 rng; };

PA_FN int mcb_opaque(int zx, int zy) { return (zx / 3 + zy / 3) % 3 == 0; }

PA_FN void mcb_isotropic(struct mcb_particle *p)
{
    pa_sincos(6.2831853f * pa_lcg(&p->rng), &p->v, &p->u);
}

PA_FN void mcb_birth(struct mcb_particle *p, unsigned id)
{
    p->rng = pa_lcg_skip(1070, 4096ull * id);
    p->x = pa_lcg(&p->rng) * (float)MCB_ZONES;
    p->y = pa_lcg(&p->rng) * (float)MCB_ZONES;
    p->zx = (int)p->x;
    p->zy = (int)p->y;
    p->weight = 1.0f;
    p->left = MCB_CENSUS * pa_lcg(&p->rng);      /* born some time in the step */
    mcb_isotropic(p);
}

/* Path to the zone's boundary along one axis. */
PA_FN float mcb_facet(float x, float u, int zone)
{
    float to = u > 0.0f ? (float)(zone + 1) - x : (float)zone - x;
    return fabsf(u) > 1e-6f ? fmaxf(to / u, 0.0f) : 1e9f;
}

enum mcb_event { MCB_COLLIDE, MCB_CROSS_X, MCB_CROSS_Y, MCB_END };

/* Flies to the nearest event. */
PA_FN enum mcb_event mcb_fly(struct mcb_particle *p)
{
    float sigma = mcb_opaque(p->zx, p->zy) ? 4.0f : 0.5f;
    float collision = -pa_log(fmaxf(pa_lcg(&p->rng), 1e-7f)) / sigma;
    float fx = mcb_facet(p->x, p->u, p->zx), fy = mcb_facet(p->y, p->v, p->zy);
    enum mcb_event e = MCB_COLLIDE;
    float d = collision;
    if (fx < d) d = fx, e = MCB_CROSS_X;
    if (fy < d) d = fy, e = MCB_CROSS_Y;
    if (p->left < d) d = p->left, e = MCB_END;
    p->x = fmaf(d, p->u, p->x);
    p->y = fmaf(d, p->v, p->y);
    p->left -= d;
    return e;
}
#endif

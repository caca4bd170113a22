/* OptiX: rays against a bounding-volume hierarchy, f32.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parker et al., OptiX (2010), and Aila and Laine (2009) before it: a ray walks the hierarchy,
 * tests boxes, and at a leaf tests triangles.  Nodes are in depth-first order and know where to go
 * on when they are missed, so that no stack is needed.  A ray that hits is mirrored, OX_BOUNCES
 * times at most. */
#ifndef PAPER_A_OPTIX_H
#define PAPER_A_OPTIX_H
#include "shared.h"

enum { OX_LEAF = 4, OX_BOUNCES = 2 };            /* triangles of a leaf, at most */
struct ox_node { struct pa_v3 low, high; int first, count, skip; };      /* count 0: inner */
struct ox_triangle { struct pa_v3 at, edge1, edge2; int id; };
struct ox_ray { struct pa_v3 from, dir; };
struct ox_hit { float t; int id; struct pa_v3 normal; };

PA_FN struct ox_ray ox_camera(int x, int y, int side, int sample)
{
    pa_u64 rng = pa_hash((pa_u32)((sample * side + y) * side + x) + 1);
    float dx = ((float)x + pa_mwc(&rng)) / (float)side - 0.5f,
          dy = ((float)y + pa_mwc(&rng)) / (float)side - 0.5f;
    struct ox_ray r = { pa_xyz(0.5f, 0.5f, -1.0f), pa_unit(pa_xyz(dx, dy, 1.0f)) };
    return r;
}

/* Moeller and Trumbore: the nearer triangle wins, of two equally near ones the lower number. */
PA_FN void ox_intersect(const struct ox_triangle *s, const struct ox_ray *r, struct ox_hit *hit)
{
    struct pa_v3 p = pa_cross(r->dir, s->edge2), from = pa_sub(r->from, s->at),
                 q = pa_cross(from, s->edge1);
    float det = pa_dot(s->edge1, p);
    if (fabsf(det) < 1e-12f)
        return;
    float inv = 1.0f / det, u = pa_dot(from, p) * inv, v = pa_dot(r->dir, q) * inv,
          t = pa_dot(s->edge2, q) * inv;
    if (u < 0.0f || v < 0.0f || u > 1.0f - v || t < 1e-4f || t > hit->t ||
        (t == hit->t && s->id > hit->id))
        return;
    hit->t = t;
    hit->id = s->id;
    hit->normal = pa_cross(s->edge1, s->edge2);
}

/* What a hit adds to the pixel's checksum. */
PA_FN pa_u32 ox_mix(pa_u32 sum, const struct ox_hit *hit)
{
    return (sum ^ (pa_u32)hit->id) * 16777619u + pa_bits(hit->t);
}

PA_FN void ox_mirror(struct ox_ray *r, const struct ox_hit *hit)
{
    struct pa_v3 n = pa_unit(hit->normal);
    r->from = pa_along(r->from, hit->t, r->dir);
    r->dir = pa_along(r->dir, -2.0f * pa_dot(n, r->dir), n);
}
#endif

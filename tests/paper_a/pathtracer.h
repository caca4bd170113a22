/* PathTracer: spheres that make a Cornell box, and one bounce of a path, f32.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The scene is that of Beason's smallpt: walls are spheres of radius 1e5; diffuse walls, a mirror,
 * glass, a lamp.  Paths end by Russian roulette from the first bounce on, or at PT_BOUNCES. */
#ifndef PAPER_A_PATHTRACER_H
#define PAPER_A_PATHTRACER_H
#include "shared.h"

enum { PT_SPHERES = 9, PT_BOUNCES = 24 };
enum pt_surface { PT_DIFFUSE, PT_MIRROR, PT_GLASS };
#define PT_EPSILON 0.1f                          /* f32 keeps about 0.01 beside a radius of 1e5 */

struct pt_sphere { float radius; struct pa_v3 at, glow, colour; int surface; };
#define PT_SCENE { \
    { 1e5f, { 1e5f + 1, 40.8f, 81.6f }, { 0, 0, 0 }, { .75f, .25f, .25f }, PT_DIFFUSE }, \
    { 1e5f, { -1e5f + 99, 40.8f, 81.6f }, { 0, 0, 0 }, { .25f, .25f, .75f }, PT_DIFFUSE }, \
    { 1e5f, { 50, 40.8f, 1e5f }, { 0, 0, 0 }, { .75f, .75f, .75f }, PT_DIFFUSE }, \
    { 1e5f, { 50, 40.8f, -1e5f + 170 }, { 0, 0, 0 }, { .25f, .25f, .25f }, PT_DIFFUSE }, \
    { 1e5f, { 50, 1e5f, 81.6f }, { 0, 0, 0 }, { .75f, .75f, .75f }, PT_DIFFUSE }, \
    { 1e5f, { 50, -1e5f + 81.6f, 81.6f }, { 0, 0, 0 }, { .75f, .75f, .75f }, PT_DIFFUSE }, \
    { 16.5f, { 27, 16.5f, 47 }, { 0, 0, 0 }, { .999f, .999f, .999f }, PT_MIRROR }, \
    { 16.5f, { 73, 16.5f, 78 }, { 0, 0, 0 }, { .999f, .999f, .999f }, PT_GLASS }, \
    { 600, { 50, 681.6f - .27f, 81.6f }, { 12, 12, 12 }, { 0, 0, 0 }, PT_DIFFUSE } }

struct pt_path { struct pa_v3 from, dir, weight, light; pa_u64 rng; };

/* Through a random point of pixel (x, y) of a square image. */
PA_FN void pt_camera(struct pt_path *p, int x, int y, int side)
{
    float dx = ((float)x + pa_mwc(&p->rng)) / (float)side - 0.5f,
          dy = ((float)y + pa_mwc(&p->rng)) / (float)side - 0.5f;
    p->dir = pa_unit(pa_xyz(dx * 0.5135f, fmaf(dy, 0.5135f, -0.042612f), -1.0f));
    p->from = pa_along(pa_xyz(50.0f, 52.0f, 295.6f), 140.0f, p->dir);
    p->weight = pa_xyz(1.0f, 1.0f, 1.0f);
    p->light = pa_xyz(0.0f, 0.0f, 0.0f);
}

/* Distance to a sphere along the ray; 0: it is missed. */
PA_FN float pt_hit(const struct pt_sphere *s, struct pa_v3 from, struct pa_v3 dir)
{
    struct pa_v3 to = pa_sub(s->at, from);
    float b = pa_dot(to, dir),
          discriminant = fmaf(s->radius, s->radius, fmaf(b, b, -pa_dot(to, to)));
    if (discriminant < 0.0f)
        return 0.0f;
    float root = sqrtf(discriminant);
    return b - root > PT_EPSILON ? b - root : b + root > PT_EPSILON ? b + root : 0.0f;
}

/* Of glass: reflects or refracts, by Schlick's share of reflection. */
PA_FN struct pa_v3 pt_glass(struct pa_v3 dir, struct pa_v3 normal, struct pa_v3 facing, pa_u64 *rng)
{
    float into = pa_dot(normal, facing), ratio = into > 0.0f ? 1.0f / 1.5f : 1.5f,
          ddn = pa_dot(dir, facing);
    float cos2 = fmaf(-ratio * ratio, fmaf(-ddn, ddn, 1.0f), 1.0f);
    struct pa_v3 mirrored = pa_along(dir, -2.0f * pa_dot(normal, dir), normal);
    if (cos2 < 0.0f)
        return mirrored;
    struct pa_v3 bent = pa_unit(
        pa_along(pa_times(dir, ratio), -fmaf(ddn, ratio, sqrtf(cos2)), facing));
    float c = 1.0f - (into > 0.0f ? -ddn : pa_dot(bent, normal)), c2 = c * c;
    float reflected = fmaf(0.96f, c2 * c2 * c, 0.04f);
    return pa_mwc(rng) < reflected ? mirrored : bent;
}

/* The path goes on from sphere s, t away; false: roulette ended it. */
PA_FN int pt_bounce(struct pt_path *p, const struct pt_sphere *s, float t)
{
    struct pa_v3 at = pa_along(p->from, t, p->dir), normal = pa_unit(pa_sub(at, s->at));
    struct pa_v3 facing = pa_dot(normal, p->dir) < 0.0f ? normal : pa_times(normal, -1.0f),
                 w = p->weight;
    p->light = pa_xyz(fmaf(w.x, s->glow.x, p->light.x), fmaf(w.y, s->glow.y, p->light.y),
                      fmaf(w.z, s->glow.z, p->light.z));
    float survive = fmaxf(fmaxf(s->colour.x, s->colour.y), s->colour.z);
    if (pa_mwc(&p->rng) > survive)
        return 0;
    float again = 1.0f / survive;
    p->weight = pa_xyz(w.x * s->colour.x * again, w.y * s->colour.y * again,
                       w.z * s->colour.z * again);
    p->from = at;
    if (s->surface == PT_DIFFUSE) {
        float azimuth = 6.2831853f * pa_mwc(&p->rng);
        p->dir = pa_turn(facing, sqrtf(1.0f - pa_mwc(&p->rng)), azimuth);
    } else if (s->surface == PT_MIRROR)
        p->dir = pa_along(p->dir, -2.0f * pa_dot(normal, p->dir), normal);
    else
        p->dir = pt_glass(p->dir, normal, facing, &p->rng);
    return 1;
}
#endif

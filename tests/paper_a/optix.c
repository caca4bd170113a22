/* OptiX: a scene and its hierarchy, and the host's rays, which test every triangle.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The scene: small triangles on a bowl, so that mirrored rays hit again.  Boxes are a little larger
 * than what they hold, so that rounding cannot cull what the host finds. */
#include "optix.h"
#include "workload.h"
#include <stdlib.h>

static float axis_of(struct pa_v3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
static int by_x(const void *a, const void *b)
{
    float x = ((const struct ox_triangle *)a)->at.x, y = ((const struct ox_triangle *)b)->at.x;
    return (x > y) - (x < y);
}
static int by_y(const void *a, const void *b)
{
    float x = ((const struct ox_triangle *)a)->at.y, y = ((const struct ox_triangle *)b)->at.y;
    return (x > y) - (x < y);
}
static int by_z(const void *a, const void *b)
{
    float x = ((const struct ox_triangle *)a)->at.z, y = ((const struct ox_triangle *)b)->at.z;
    return (x > y) - (x < y);
}

static void grow(struct ox_node *n, struct pa_v3 at)
{
    n->low = pa_xyz(fminf(n->low.x, at.x - 1e-3f), fminf(n->low.y, at.y - 1e-3f),
                    fminf(n->low.z, at.z - 1e-3f));
    n->high = pa_xyz(fmaxf(n->high.x, at.x + 1e-3f), fmaxf(n->high.y, at.y + 1e-3f),
                     fmaxf(n->high.z, at.z + 1e-3f));
}

/* Nodes of triangles [from, to) from node `used` on; returns one past the last.  Halves at the
 * median of the longest side; `behind` is where a ray continues that misses the whole. */
static int build(struct ox_node *nodes, int used, struct ox_triangle *tri, int from, int to,
                 int behind)
{
    static int (*const order[3])(const void *, const void *) = { by_x, by_y, by_z };
    struct ox_node *n = &nodes[used];
    *n = (struct ox_node){ { 1e9f, 1e9f, 1e9f }, { -1e9f, -1e9f, -1e9f }, from, 0, behind };
    for (int i = from; i < to; i++) {
        grow(n, tri[i].at);
        grow(n, pa_along(tri[i].at, 1.0f, tri[i].edge1));
        grow(n, pa_along(tri[i].at, 1.0f, tri[i].edge2));
    }
    if (to - from <= OX_LEAF) {
        n->count = to - from;
        return used + 1;
    }
    int longest = 0, middle = (from + to) / 2;
    for (int a = 1; a < 3; a++)
        if (axis_of(n->high, a) - axis_of(n->low, a) >
            axis_of(n->high, longest) - axis_of(n->low, longest))
            longest = a;
    qsort(tri + from, (size_t)(to - from), sizeof *tri, order[longest]);
    int second = build(nodes, used + 1, tri, from, middle, -2);
    for (int i = used + 1; i < second; i++)       /* now it is known where the second half begins */
        nodes[i].skip = nodes[i].skip == -2 ? second : nodes[i].skip;
    return build(nodes, second, tri, middle, to, behind);
}

static void make_scene(struct ox_triangle *tri, int count)
{
    pa_u64 seed = 2010;
    float size = 1.2f / sqrtf((float)count);
    for (int i = 0; i < count; i++) {
        float x = pa_lcg(&seed), y = pa_lcg(&seed), dx = x - 0.5f, dy = y - 0.5f;
        float e[6];
        for (int k = 0; k < 6; k++)
            e[k] = (pa_lcg(&seed) - 0.5f) * size * 2.0f;
        tri[i] = (struct ox_triangle){ { x, y, 1.0f - 2.0f * (dx * dx + dy * dy) + e[2] },
                                       { size + e[0], e[1], -4.0f * dx * size },
                                       { e[3], size + e[4], -4.0f * dy * size },
                                       i };
    }
}

void optix_make(struct problem *p, enum size size)
{
    int count = size == SIZE_RTL ? 256 : 2048, side = size == SIZE_RTL ? 8 : 16,
        samples = size == SIZE_RTL ? 4 : 16;
    p->threads = 64;
    p->blocks = (unsigned)(side * side) / p->threads;
    struct ox_node *nodes = problem_in(p, "nodes", sizeof *nodes * 2 * (size_t)count);
    struct ox_triangle *tri = problem_in(p, "triangles", sizeof *tri * (size_t)count);
    uint32_t *pixels = problem_out(p, "pixels", sizeof *pixels * (size_t)(side * side));
    problem_int(p, "side", side);
    problem_int(p, "samples", samples);
    make_scene(tri, count);
    build(nodes, 0, tri, 0, count, -1);
    for (int i = 0; i < side * side * samples; i++) {
        int pixel = i / samples, bounce = 0;
        struct ox_ray r = ox_camera(pixel % side, pixel / side, side, i % samples);
        struct ox_hit hit;
        do {
            hit = (struct ox_hit){ .t = 1e9f, .id = -1 };
            for (int k = 0; k < count; k++)
                ox_intersect(&tri[k], &r, &hit);
            pixels[pixel] = ox_mix(pixels[pixel], &hit);
            ox_mirror(&r, &hit);
        } while (hit.id >= 0 && bounce++ < OX_BOUNCES);
    }
}

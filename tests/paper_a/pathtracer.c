/* PathTracer on the host: a path follows itself recursively.
 * SPDX-License-Identifier: Apache-2.0 */
#include "pathtracer.h"
#include "workload.h"

static const struct pt_sphere scene[PT_SPHERES] = PT_SCENE;

static void follow(struct pt_path *p, int depth)
{
    const struct pt_sphere *hit = NULL;
    float nearest = 1e20f;
    for (const struct pt_sphere *s = scene; s < scene + PT_SPHERES; s++) {
        float t = pt_hit(s, p->from, p->dir);
        if (t > 0.0f && t < nearest) {
            nearest = t;
            hit = s;
        }
    }
    if (hit && pt_bounce(p, hit, nearest) && depth < PT_BOUNCES)
        follow(p, depth + 1);
}

void pathtracer_make(struct problem *p, enum size size)
{
    int side = size == SIZE_RTL ? 8 : 32, samples = size == SIZE_RTL ? 12 : 32;
    p->threads = 64;
    p->blocks = (unsigned)(side * side) / p->threads;
    memcpy(problem_in(p, "scene", sizeof scene), scene, sizeof scene);
    float *image = problem_out(p, "image", sizeof(float) * 3 * (size_t)(side * side));
    problem_int(p, "side", side);
    problem_int(p, "samples", samples);
    for (int pixel = 0; pixel < side * side; pixel++) {
        struct pt_path path = { .rng = pa_hash((pa_u32)pixel + 1) };
        struct pa_v3 sum = { 0 };
        for (int k = 0; k < samples; k++) {
            pt_camera(&path, pixel % side, pixel / side, side);
            follow(&path, 1);
            sum = pa_xyz(sum.x + path.light.x, sum.y + path.light.y, sum.z + path.light.z);
        }
        image[3 * pixel] = sum.x / (float)samples;
        image[3 * pixel + 1] = sum.y / (float)samples;
        image[3 * pixel + 2] = sum.z / (float)samples;
    }
}

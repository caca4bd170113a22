// PathTracer: one pixel by each thread, `samples` paths for a pixel.
// SPDX-License-Identifier: Apache-2.0
// Loop Merge: a path has one to PT_BOUNCES bounces.
#include "pathtracer.h"

extern "C" __global__ void pathtracer(const pt_sphere *scene, float *image, int side, int samples)
{
    int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    pt_path p;
    struct pa_v3 sum = { 0, 0, 0 };
    p.rng = pa_hash(pixel + 1);
    SIMT_PREDICT(bounce);
    for (int k = 0; k < samples; k++) {
        pt_camera(&p, pixel % side, pixel / side, side);
        bool alive = true;
        for (int depth = 0; alive && depth < PT_BOUNCES; depth++) {
            SIMT_LABEL(bounce);
            float nearest = 1e20f;
            int which = -1;
            for (int s = 0; s < PT_SPHERES; s++) {
                float t = pt_hit(&scene[s], p.from, p.dir);
                if (t > 0.0f && t < nearest)
                    nearest = t, which = s;
            }
            alive = which >= 0 && pt_bounce(&p, &scene[which], nearest);
        }
        sum = pa_along(sum, 1.0f, p.light);
    }
    image[3 * pixel] = sum.x / samples;
    image[3 * pixel + 1] = sum.y / samples;
    image[3 * pixel + 2] = sum.z / samples;
}

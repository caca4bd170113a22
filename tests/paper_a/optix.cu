// OptiX: a small ray tracer over a bounding-volume hierarchy, `samples` camera rays by each thread.
// SPDX-License-Identifier: Apache-2.0
// Iteration Delay: lanes meet at leaves; until then each goes on through the boxes on its way.
#include "optix.h"

PA_FN float reciprocal(float d) { return 1.0f / (fabsf(d) > 1e-8f ? d : 1e-8f); }

extern "C" __global__ void optix(const ox_node *nodes, const ox_triangle *triangles, unsigned *pixels, int side, int samples)
{
    int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (int k = 0; k < samples; k++) {
        ox_ray r = ox_camera(pixel % side, pixel / side, side, k);
        for (int bounce = 0; bounce <= OX_BOUNCES; bounce++) {
            struct ox_hit hit = { 1e9f, -1 };
            struct pa_v3 inv = pa_xyz(reciprocal(r.dir.x), reciprocal(r.dir.y), reciprocal(r.dir.z));
            SIMT_PREDICT(leaf);
            for (int at = 0; at >= 0;) {
                const ox_node *n = &nodes[at];
                float x0 = (n->low.x - r.from.x) * inv.x, x1 = (n->high.x - r.from.x) * inv.x;
                float y0 = (n->low.y - r.from.y) * inv.y, y1 = (n->high.y - r.from.y) * inv.y;
                float z0 = (n->low.z - r.from.z) * inv.z, z1 = (n->high.z - r.from.z) * inv.z;
                float enter = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
                float leave = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), hit.t));
                bool inside = enter <= leave;
                if (inside && n->count) {
                    SIMT_LABEL(leaf);
                    for (int i = 0; i < n->count; i++)
                        ox_intersect(&triangles[n->first + i], &r, &hit);
                }
                at = inside && !n->count ? at + 1 : n->skip;
            }
            sum = ox_mix(sum, &hit);
            if (hit.id < 0)
                break;
            ox_mirror(&r, &hit);
        }
    }
    pixels[pixel] = sum;
}

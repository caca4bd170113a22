/* Marching cubes: the triangles of an iso-surface in one voxel of a volume.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lorensen and Cline (1987).  The surface cuts an edge of the voxel where one end is inside and the
 * other is not; which corners are inside chooses a row of MC_MOST edges, three a triangle, from a
 * table that mc.c makes. */
#ifndef PAPER_B_MC_H
#define PAPER_B_MC_H
#include "../paper_a/shared.h"

enum { MC_CORNERS = 8, MC_EDGES = 12, MC_MOST = 24 };
#define MC_ISO 0.45f
struct mc_cut { unsigned char vertices, edge[MC_MOST]; };
struct mc_vertex { struct pa_v3 at, normal; };

/* Corner k of a voxel: bit 0 is x, bit 1 is y, bit 2 is z.  Edge e runs along axis e / 4. */
PA_FN int mc_from(int e)
{
    int a = e >> 2, k = e & 3;
    return a == 0 ? 2 * k : a == 1 ? (k & 1) | (k & 2) << 1 : k;
}
PA_FN int mc_to(int e) { return mc_from(e) | 1 << (e >> 2); }

/* Where the field is MC_ISO between two corners. */
PA_FN struct pa_v3 mc_between(struct pa_v3 a, struct pa_v3 b, float fa, float fb)
{
    return pa_along(a, (MC_ISO - fa) / (fb - fa), pa_sub(b, a));
}
#endif

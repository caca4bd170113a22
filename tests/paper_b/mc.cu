// Marching cubes: each thread makes the triangles of one voxel that the surface cuts.
// SPDX-License-Identifier: Apache-2.0
// All find the points on their twelve edges; the number of triangles differs.
#include "mc.h"
extern "C" __global__ void mc(const float *volume, const mc_cut *cuts, const int *voxels, const int *first, mc_vertex *out, int side,
                              int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int voxel = voxels[i], x = voxel % side, y = voxel / side % side, z = voxel / side / side, inside = 0;
    float field[MC_CORNERS];
    PA_UNROLL
    for (int k = 0; k < MC_CORNERS; k++) {
        field[k] = volume[voxel + (k & 1) + (k >> 1 & 1) * side + (k >> 2) * side * side];
        inside |= (field[k] < MC_ISO ? 0 : 1) << k;
    }
    pa_v3 point[MC_EDGES];
    PA_UNROLL
    for (int e = 0; e < MC_EDGES; e++) {
        int a = mc_from(e), b = mc_to(e);
        point[e] = mc_between(pa_xyz((float)(x + (a & 1)), (float)(y + (a >> 1 & 1)), (float)(z + (a >> 2))),
                              pa_xyz((float)(x + (b & 1)), (float)(y + (b >> 1 & 1)), (float)(z + (b >> 2))), field[a], field[b]);
    }
    const mc_cut *cut = &cuts[inside];
    mc_vertex *to = out + first[i];
    int vertices = cut->vertices;
    for (int v = 0; v < vertices; v += 3) {
        pa_v3 a = point[cut->edge[v]], b = point[cut->edge[v + 1]], c = point[cut->edge[v + 2]];
        pa_v3 normal = pa_cross(pa_sub(b, a), pa_sub(c, a));
        to[v].at = a, to[v + 1].at = b, to[v + 2].at = c;
        to[v].normal = to[v + 1].normal = to[v + 2].normal = normal;
    }
}

/* Marching cubes: the table of cuts, a molecule's volume, and the host's triangles.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The volume is the sum of 60 Gaussians at the atoms of a C60 cage.  The table is found, not
 * copied: on each face, the surface runs from where one comes out of the inside, walking around it,
 * to where one came in; these pieces join to polygons, which are cut into triangles from their
 * first point. */
#include "tests/paper_b/mc.h"
#include "tests/paper_b/random.h"
#include "tests/paper_b/workload.h"
#include <stdio.h>
#include <stdlib.h>

enum { ATOMS = 60 };

/* Corners around each face, seen from outside. */
static const int faces[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
                                 { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };

static int edge_between(int a, int b)
{
    int e = 0;
    while (!(mc_from(e) == (a & b) && mc_to(e) == (a | b)))
        e++;
    return e;
}

/* Of each face: where the walk leaves the inside the surface goes on to where it had come in. */
static void join(int inside, int next[MC_EDGES])
{
    for (int f = 0; f < 6; f++)
        for (int k = 0; k < 4; k++) {
            int here = faces[f][k], to = faces[f][(k + 1) % 4], back = k;
            if (!(inside >> here & 1) || inside >> to & 1)
                continue;
            while (inside >> faces[f][back] & 1)         /* stops: `to` is outside */
                back = (back + 3) % 4;
            next[edge_between(here, to)] = edge_between(faces[f][back], faces[f][(back + 1) % 4]);
        }
}

static void make_cut(int inside, struct mc_cut *cut)
{
    int next[MC_EDGES];
    for (int e = 0; e < MC_EDGES; e++)
        next[e] = -1;
    join(inside, next);
    for (int e = 0; e < MC_EDGES; e++) {
        int a = e, b = next[e];
        if (b < 0)
            continue;
        for (int c = next[b]; c != a; b = c, c = next[c]) {
            cut->edge[cut->vertices++] = (unsigned char)a;
            cut->edge[cut->vertices++] = (unsigned char)b;
            cut->edge[cut->vertices++] = (unsigned char)c;
            next[b] = -1;
        }
        next[b] = next[a] = -1;
    }
}

/* A truncated icosahedron of radius 1: even permutations of these, with every sign. */
static void place_atoms(struct pa_v3 *atom)
{
    const float g = 1.61803399f,
                kind[3][3] = { { 0, 1, 3 * g }, { 1, 2 + g, 2 * g }, { g, 2, 2 * g + 1 } };
    const float radius = sqrtf(fmaf(9 * g, g, 1));
    int n = 0;
    for (int k = 0; k < 3; k++)
        for (int turn = 0; turn < 3; turn++)
            for (int sign = 0; sign < 8; sign++) {
                float v[3];
                for (int a = 0; a < 3; a++)
                    v[a] = (sign >> a & 1 ? -kind[k][(a + turn) % 3] : kind[k][(a + turn) % 3]) /
                           radius;
                if (!(k == 0 && sign >> (3 - turn) % 3 & 1))     /* zero has one sign */
                    atom[n++] = pa_xyz(v[0], v[1], v[2]);
            }
}

/* Samples of [-1.5, 1.5] along each axis. */
static void fill(float *volume, int side)
{
    struct pa_v3 atom[ATOMS];
    place_atoms(atom);
    float step = 3.0f / (float)(side - 1);
    for (int k = 0; k < side * side * side; k++) {
        struct pa_v3 p = pa_xyz(fmaf((float)(k % side), step, -1.5f),
                                fmaf((float)(k / side % side), step, -1.5f),
                                fmaf((float)(k / side / side), step, -1.5f));
        for (int a = 0; a < ATOMS; a++) {
            struct pa_v3 d = pa_sub(p, atom[a]);
            float r2 = pa_dot(d, d);
            if (r2 < 0.25f)
                volume[k] += pb_exp(-30.0f * r2);
        }
    }
}

static void corner(const float *volume, int side, int voxel, int k, struct pa_v3 *at, float *field)
{
    int x = voxel % side + (k & 1), y = voxel / side % side + (k >> 1 & 1),
        z = voxel / side / side + (k >> 2);
    *at = pa_xyz((float)x, (float)y, (float)z);
    *field = volume[(z * side + y) * side + x];
}

static int inside_of(const float *volume, int side, int voxel)
{
    int inside = 0;
    for (int k = 0; k < MC_CORNERS; k++) {
        struct pa_v3 at;
        float f;
        corner(volume, side, voxel, k, &at, &f);
        inside |= (f >= MC_ISO) << k;
    }
    return inside;
}

static void triangles(const float *volume, int side, int voxel, const struct mc_cut *cut,
                      struct mc_vertex *out)
{
    for (int v = 0; v < cut->vertices; v++) {
        struct pa_v3 a, b;
        float fa, fb;
        corner(volume, side, voxel, mc_from(cut->edge[v]), &a, &fa);
        corner(volume, side, voxel, mc_to(cut->edge[v]), &b, &fb);
        out[v].at = mc_between(a, b, fa, fb);
        if (v % 3 == 2)
            out[v].normal = out[v - 1].normal = out[v - 2].normal =
                pa_cross(pa_sub(out[v - 1].at, out[v - 2].at), pa_sub(out[v].at, out[v - 2].at));
    }
}

/* Voxels that the surface cuts, at most n of them, the middle ones; returns how many there are. */
static int find_active(const float *volume, int side, const struct mc_cut *cuts, int *voxels, int n)
{
    int found = 0, skip = 0;
    for (int pass = 0; pass < 2; pass++) {
        skip = pass && found > n ? (found - n) / 2 : 0;
        found = pass ? -skip : 0;
        for (int z = 0; z < side - 1; z++)
            for (int y = 0; y < side - 1; y++)
                for (int x = 0; x < side - 1; x++) {
                    int voxel = (z * side + y) * side + x;
                    if (!cuts[inside_of(volume, side, voxel)].vertices)
                        continue;
                    if (pass && found >= 0 && found < n)
                        voxels[found] = voxel;
                    found++;
                }
    }
    return found < n ? found : n;
}

void mc_make(struct problem *p, enum size size)
{
    int n = size_threads(size),
        side = size == SIZE_RTL     ? 24
               : size == SIZE_MODEL ? 176
                                    : 560,
        total = 0;
    float *volume = problem_in(p, "volume",
                               sizeof *volume * (size_t)side * (size_t)side * (size_t)side);
    struct mc_cut *cuts = problem_in(p, "cuts", sizeof *cuts * 256);
    int *voxels = problem_in(p, "voxels", sizeof *voxels * (size_t)n),
        *first = problem_in(p, "first", sizeof *first * (size_t)n);
    for (int k = 0; k < 256; k++)
        make_cut(k, &cuts[k]);
    fill(volume, side);
    int found = find_active(volume, side, cuts, voxels, n);
    if (found < n) {
        fprintf(stderr, "paper_b: mc: %d voxels, %d wanted\n", found, n);
        exit(4);
    }
    for (int i = 0; i < n; i++) {
        first[i] = total;
        total += cuts[inside_of(volume, side, voxels[i])].vertices;
    }
    struct mc_vertex *out = problem_out(p, "out", sizeof *out * (size_t)total);
    for (int i = 0; i < n; i++)
        triangles(volume, side, voxels[i], &cuts[inside_of(volume, side, voxels[i])],
                  out + first[i]);
    problem_int(p, "side", side);
    problem_int(p, "n", n);
    workload_grid(p, n, 32);
}

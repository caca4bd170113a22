/* Stereo matching: a scene of overlapping rectangles seen by two cameras with noise, and the host's
 * disparities.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each rectangle has a disparity and a texture of its own; later ones stand before earlier ones.
 * Some have no texture. */
#include "tests/paper_b/sm.h"
#include "tests/paper_b/random.h"
#include "tests/paper_b/workload.h"

struct image { uint8_t *pixel; int stride, height; };

static uint8_t shade(uint32_t texture, int x, int y, int contrast)
{
    return (uint8_t)(100 + contrast * (int)(pa_hash(texture + (uint32_t)(y * 4099 + x)) % 16) / 2);
}

static void draw(struct image *left, struct image *right, int x0, int y0, int x1, int y1, int d,
                 uint32_t texture, int contrast)
{
    for (int y = y0; y < y1 && y < left->height; y++)
        for (int x = x0; x < x1 && x < left->stride; x++) {
            left->pixel[y * left->stride + x] = shade(texture, x, y, contrast);
            if (x >= d)
                right->pixel[y * left->stride + x - d] = shade(texture, x, y, contrast);
        }
}

static void add_noise(struct image *m, int amount, pa_u64 *seed)
{
    for (int k = 0; k < m->stride * m->height; k++)
        m->pixel[k] = (uint8_t)(m->pixel[k] + pb_below(seed, amount));
}

static int difference(const uint8_t *a, const uint8_t *b)
{
    int sum = 0;
    for (int x = 0; x < SM_CELL; x++)
        sum += a[x] < b[x] ? b[x] - a[x] : a[x] - b[x];
    return sum;
}

/* Every cost of every disparity, then the best two; the kernel's early end leaves these alone. */
static struct sm_best match(const struct image *left, const struct image *right, int corner)
{
    struct sm_best best = { -1, 1 << 20, 1 << 20 };
    int texture = 0;
    for (int y = 0; y < SM_CELL; y++)
        texture += difference(left->pixel + corner + y * left->stride,
                              left->pixel + corner + y * left->stride + 1);
    if (texture < SM_FLAT)
        return best;
    for (int d = 0; d < SM_DISPARITIES; d++) {
        int cost = 0;
        for (int y = 0; y < SM_CELL; y++)
            cost += difference(left->pixel + corner + y * left->stride,
                               right->pixel + corner + y * left->stride - d);
        if (cost < best.cost)
            best = (struct sm_best){ d, cost, best.cost };
        else if (cost < best.second)
            best.second = cost;
    }
    return best;
}

void sm_make(struct problem *p, enum size size)
{
    int cells = size == SIZE_RTL     ? 32
                : size == SIZE_MODEL ? 317
                                     : 1024,
        n = size_threads(size), rows = (n + cells - 1) / cells;
    pa_u64 seed = 2003;
    workload_grid(p, n, 128);
    struct image left = { .stride = cells * SM_CELL + 2 * SM_MARGIN, .height = rows * SM_CELL },
                 right = left;
    size_t bytes = (size_t)left.stride * (size_t)left.height;
    left.pixel = problem_in(p, "left", bytes);
    right.pixel = problem_in(p, "right", bytes);
    struct sm_best *out = problem_out(p, "out", sizeof *out * (size_t)n);
    problem_int(p, "cells", cells);
    problem_int(p, "stride", left.stride);
    problem_int(p, "n", n);
    draw(&left, &right, 0, 0, left.stride, left.height, 1, 77, 6);
    for (int k = n / 16; k; k--) {
        int x = pb_below(&seed, left.stride), y = pb_below(&seed, left.height);
        draw(&left, &right, x, y, x + 8 + pb_below(&seed, 56), y + 8 + pb_below(&seed, 40),
             pb_below(&seed, SM_DISPARITIES - 1), (uint32_t)k * 7919u,
             pb_below(&seed, 4) ? 4 + pb_below(&seed, 8) : 0);
    }
    add_noise(&left, 5, &seed);
    add_noise(&right, 5, &seed);
    for (int i = 0; i < n; i++)
        out[i] = match(&left, &right,
                       i / cells * SM_CELL * left.stride + i % cells * SM_CELL + SM_MARGIN);
}

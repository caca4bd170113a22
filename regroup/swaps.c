/* Exchanges of two threads between warps, while they make them cheaper.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A warp's cost falls only where the one thread goes that alone executes some block most often, so
 * one of the two threads must be such a one.  Only full warps exchange, so that places stay what
 * they are.  The order in which pairs are tried is random, but the same in every run. */
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NEIGHBOURS = 4, RANDOM = 4, IDLE = 4, LOOK = 16 };

struct swaps {
    const struct bbv *b;
    const double *lat;
    uint32_t *out, warps, columns;
    /* of the two warps, by column: largest count, and the next largest */
    uint32_t *most[2], *second[2];
    uint32_t random;
};

static uint32_t below(struct swaps *s, uint32_t n)
{
    s->random ^= s->random << 13, s->random ^= s->random >> 17, s->random ^= s->random << 5;
    return s->random % n;
}

static const uint32_t *row_of(const struct swaps *s, uint32_t warp, uint32_t lane)
{
    return bbv_row(s->b, s->out[(size_t)warp * WARP + lane]);
}

static void measure(struct swaps *s, int side, uint32_t warp)
{
    memset(s->most[side], 0, s->columns * sizeof *s->most[side]);
    memset(s->second[side], 0, s->columns * sizeof *s->second[side]);
    for (uint32_t l = 0; l < WARP; l++) {
        const uint32_t *row = row_of(s, warp, l);
        for (uint32_t c = 0; c < s->columns; c++) {
            uint32_t v = row[c], lower = v < s->most[side][c] ? v : s->most[side][c];
            s->most[side][c] = v > s->most[side][c] ? v : s->most[side][c];
            s->second[side][c] = lower > s->second[side][c] ? lower : s->second[side][c];
        }
    }
}

/* Does the lane alone execute some block most often? */
static bool leads(const struct swaps *s, int side, const uint32_t *row)
{
    for (uint32_t c = 0; c < s->columns; c++)
        if (row[c] > s->second[side][c] && s->lat[c] > 0)
            return true;
    return false;
}

/* What the warp on `side` costs more with `in` in place of `out`. */
static double change(const struct swaps *s, int side, const uint32_t *out, const uint32_t *in)
{
    double sum = 0;
    for (uint32_t c = 0; c < s->columns; c++) {
        uint32_t most = s->most[side][c], rest = out[c] == most ? s->second[side][c] : most;
        uint32_t now = in[c] > rest ? in[c] : rest;
        sum += s->lat[c] * ((double)now - most);
    }
    return sum;
}

/* The best exchange of two warps, if there is one. */
static bool exchange(struct swaps *s, uint32_t x, uint32_t y)
{
    double best = -1e-9;
    uint32_t bi = WARP, bj = WARP;
    bool leader[2][WARP];
    measure(s, 0, x);
    measure(s, 1, y);
    for (uint32_t l = 0; l < WARP; l++) {
        leader[0][l] = leads(s, 0, row_of(s, x, l));
        leader[1][l] = leads(s, 1, row_of(s, y, l));
    }
    for (uint32_t i = 0; i < WARP; i++)
        for (uint32_t j = 0; j < WARP; j++) {
            const uint32_t *a = row_of(s, x, i), *b = row_of(s, y, j);
            if ((!leader[0][i] && !leader[1][j]) || a == b)
                continue;
            double d = change(s, 0, a, b) + change(s, 1, b, a);
            if (d < best) {
                best = d;
                bi = i;
                bj = j;
            }
        }
    if (bi == WARP)
        return false;
    uint32_t *p = &s->out[(size_t)x * WARP + bi], *q = &s->out[(size_t)y * WARP + bj], t = *p;
    *p = *q;
    *q = t;
    return true;
}

double regroup_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Every warp with its neighbours and with some others; false: nothing has changed, or time is
 * over. */
static bool pass(struct swaps *s, double end)
{
    bool any = false;
    for (uint32_t x = 0; x < s->warps; x++) {
        for (uint32_t k = 1; k <= NEIGHBOURS + RANDOM; k++) {
            uint32_t y = k <= NEIGHBOURS ? x + k : below(s, s->warps);
            if (y >= s->warps || y == x)
                continue;
            while (exchange(s, x, y))
                any = true;
        }
        if (end > 0 && x % LOOK == 0 && regroup_seconds() > end)
            return false;
    }
    return any;
}

bool order_swaps(const struct bbv *b, const double *lat, uint32_t *out, uint32_t n, double seconds,
                 unsigned rounds)
{
    struct swaps s = { .b = b,
                       .lat = lat,
                       .out = out,
                       .warps = n / WARP,
                       .columns = b->ncolumns,
                       .random = 2463534242u };
    uint32_t *room = malloc((size_t)4 * b->ncolumns * sizeof *room);
    double end = rounds ? 0 : regroup_seconds() + seconds;
    if (!room)
        return false;
    for (int k = 0; k < 2; k++) {
        s.most[k] = room + (size_t)2 * k * b->ncolumns;
        s.second[k] = s.most[k] + b->ncolumns;
    }
    unsigned idle = s.warps < 2 ? IDLE : 0;          /* passes in a row without an exchange */
    for (unsigned k = 0; idle < IDLE && (rounds ? k < rounds : regroup_seconds() < end); k++)
        idle = pass(&s, end) ? 0 : idle + 1;
    free(room);
    return true;
}

/* Needleman and Wunsch: reads of log-normal length, and the host's scores, the matrix by rows.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/paper_b/nw.h"
#include "tests/paper_b/random.h"
#include "tests/paper_b/workload.h"
#include <stdlib.h>

/* A C G T N: match 5, transition -2, transversion -4, with an unknown base -1. */
static const int costs[NW_BASES][NW_BASES] = {
    { 5, -4, -2, -4, -1 }, { -4, 5, -4, -2, -1 },  { -2, -4, 5, -4, -1 },
    { -4, -2, -4, 5, -1 }, { -1, -1, -1, -1, -1 },
};

static int most(int a, int b) { return a > b ? a : b; }

/* What a column of an unknown base begins with, beyond its gaps. */
static int unknown_bonus(const uint8_t *query, int column)
{
    int q = query[column % NW_QUERY];
    return (costs[0][q] + costs[1][q] + costs[2][q] + costs[3][q]) / NW_UNKNOWN;
}

static int align(const uint8_t *query, const uint8_t *read, int length, int *h, int *top)
{
    for (int at = 0; at <= length; at++) {
        h[at] = -NW_GAP * at;
        top[at] = at && read[at - 1] == NW_UNKNOWN ? h[at] + unknown_bonus(query, at - 1) : h[at];
    }
    for (int row = 0; row < NW_QUERY; row++) {
        int corner = h[0];
        h[0] = -NW_GAP * (row + 1);
        for (int at = 1; at <= length; at++) {
            int above = row ? h[at] : top[at], match = corner + costs[read[at - 1]][query[row]];
            corner = h[at];
            h[at] = most(match, most(above, h[at - 1]) - NW_GAP);
        }
    }
    return h[length];
}

void nw_make(struct problem *p, enum size size) { nw_with(p, size, 0.7f); }

void nw_with(struct problem *p, enum size size, float sigma)
{
    int n = size_threads(size), total = 0, longest = 0;
    float mean = size == SIZE_RTL ? 40.0f : 300.0f;
    pa_u64 seed = 1970;
    uint8_t query[NW_QUERY];
    int *lengths = malloc(sizeof *lengths * (size_t)n);
    for (int i = 0; i < n; i++) {
        total += lengths[i] = pb_length(&seed, mean, sigma);
        longest = most(longest, lengths[i]);
    }
    workload_grid(p, n, 128);
    struct nw_row *profile = problem_in(p, "profile", sizeof *profile * NW_BASES);
    uint8_t *bases = problem_in(p, "bases", (size_t)total);
    int *first = problem_in(p, "first", sizeof *first * (size_t)n),
        *length = problem_in(p, "length", sizeof *length * (size_t)n);
    int *out = problem_out(p, "out", sizeof *out * (size_t)n),
        *work = calloc(2 * (size_t)longest + 2, sizeof *work);
    problem_int(p, "n", n);
    for (int k = 0; k < NW_QUERY; k++)
        query[k] = (uint8_t)pb_below(&seed, NW_UNKNOWN);
    for (int b = 0; b < NW_BASES; b++)
        for (int k = 0; k < NW_QUERY; k++)
            profile[b].scores[k / 4] |= (uint32_t)(uint8_t)costs[b][query[k]] << 8 * (k % 4);
    for (int i = 0, at = 0; i < n; at += lengths[i++]) {
        first[i] = at;
        length[i] = lengths[i];
        for (int k = 0; k < lengths[i]; k++)        /* one base in fifty was not called */
            bases[at + k] = (uint8_t)(pa_lcg(&seed) < 0.02f ? NW_UNKNOWN
                                                            : pb_below(&seed, NW_UNKNOWN));
        out[i] = align(query, bases + at, lengths[i], work, work + longest + 1);
    }
    free(work);
    free(lengths);
}

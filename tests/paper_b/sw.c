/* Smith and Waterman: a database with the lengths and letters of Swiss-Prot, and the host's scores.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lengths are log-normal; letters are independent, as frequent as in Swiss-Prot's statistics.  The
 * host fills the whole matrix of each alignment, every gap by its length. */
#include "tests/paper_b/sw.h"
#include "tests/paper_b/random.h"
#include "tests/paper_b/workload.h"
#include <stdlib.h>

/* ARNDCQEGHILKMFPSTWYV: percent in Swiss-Prot, and BLOSUM62. */
static const float frequency[SW_LETTERS] = { 8.25f, 5.53f, 4.06f, 5.46f, 1.38f, 3.93f, 6.72f,
                                             7.07f, 2.27f, 5.91f, 9.65f, 5.80f, 2.41f, 3.86f,
                                             4.74f, 6.65f, 5.36f, 1.10f, 2.92f, 6.86f };
static const signed char blosum[SW_LETTERS][SW_LETTERS] = {
    { 4, -1, -2, -2, 0, -1, -1, 0, -2, -1, -1, -1, -1, -2, -1, 1, 0, -3, -2, 0 },
    { -1, 5, 0, -2, -3, 1, 0, -2, 0, -3, -2, 2, -1, -3, -2, -1, -1, -3, -2, -3 },
    { -2, 0, 6, 1, -3, 0, 0, 0, 1, -3, -3, 0, -2, -3, -2, 1, 0, -4, -2, -3 },
    { -2, -2, 1, 6, -3, 0, 2, -1, -1, -3, -4, -1, -3, -3, -1, 0, -1, -4, -3, -3 },
    { 0, -3, -3, -3, 9, -3, -4, -3, -3, -1, -1, -3, -1, -2, -3, -1, -1, -2, -2, -1 },
    { -1, 1, 0, 0, -3, 5, 2, -2, 0, -3, -2, 1, 0, -3, -1, 0, -1, -2, -1, -2 },
    { -1, 0, 0, 2, -4, 2, 5, -2, 0, -3, -3, 1, -2, -3, -1, 0, -1, -3, -2, -2 },
    { 0, -2, 0, -1, -3, -2, -2, 6, -2, -4, -4, -2, -3, -3, -2, 0, -2, -2, -3, -3 },
    { -2, 0, 1, -1, -3, 0, 0, -2, 8, -3, -3, -1, -2, -1, -2, -1, -2, -2, 2, -3 },
    { -1, -3, -3, -3, -1, -3, -3, -4, -3, 4, 2, -3, 1, 0, -3, -2, -1, -3, -1, 3 },
    { -1, -2, -3, -4, -1, -2, -3, -4, -3, 2, 4, -2, 2, 0, -3, -2, -1, -2, -1, 1 },
    { -1, 2, 0, -1, -3, 1, 1, -2, -1, -3, -2, 5, -1, -3, -1, 0, -1, -3, -2, -2 },
    { -1, -1, -2, -3, -1, 0, -2, -3, -2, 1, 2, -1, 5, 0, -2, -1, -1, -1, -1, 1 },
    { -2, -3, -3, -3, -2, -3, -3, -3, -1, 0, 0, -3, 0, 6, -4, -2, -2, 1, 3, -1 },
    { -1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7, -1, -1, -4, -3, -2 },
    { 1, -1, 1, 0, -1, 0, 0, 0, -1, -2, -2, 0, -1, -2, -1, 4, 1, -3, -2, -2 },
    { 0, -1, 0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1, 5, -2, -2, 0 },
    { -3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1, -4, -3, -2, 11, 2, -3 },
    { -2, -2, -2, -3, -2, -1, -2, -3, 2, -1, -1, -2, -1, 3, -3, -2, -2, 2, 7, -1 },
    { 0, -3, -3, -3, -1, -2, -2, -3, -3, 3, 1, -2, 1, -1, -2, -2, 0, -3, -1, 4 },
};

static uint8_t draw(pa_u64 *seed)
{
    float roll = 100.0f * pa_lcg(seed);
    int k = 0;
    while (k < SW_LETTERS - 1 && roll >= frequency[k])
        roll -= frequency[k++];
    return (uint8_t)k;
}

static int most(int a, int b) { return a > b ? a : b; }

/* Cell (row, at) of the three matrices that the recurrence fills, by rows of the query. */
static int align(const uint8_t *query, const uint8_t *protein, int length, int *h, int *f)
{
    int best = 0;
    for (int at = 0; at <= length; at++)
        h[at] = f[at] = 0;
    for (int row = 0; row < SW_QUERY; row++)
        for (int at = 0, left = 0, e = 0, corner = 0; at < length; at++) {
            int above = h[at + 1];
            e = most(e - SW_EXTEND, left - SW_OPEN);            /* a gap in the query's direction */
            f[at] = most(f[at] - SW_EXTEND, above - SW_OPEN);
            left = most(most(corner + blosum[query[row]][protein[at]], 0), most(e, f[at]));
            corner = above;
            h[at + 1] = left;
            best = most(best, left);
        }
    return best;
}

void sw_make(struct problem *p, enum size size)
{
    int n = size_threads(size), total = 0, longest = 0;
    float mean = size == SIZE_RTL ? 40.0f : 360.0f;
    pa_u64 seed = 62;
    uint8_t query[SW_QUERY];
    int *lengths = malloc(sizeof *lengths * (size_t)n);
    for (int i = 0; i < n; i++) {
        total += lengths[i] = pb_length(&seed, mean, 0.66f);
        longest = most(longest, lengths[i]);
    }
    workload_grid(p, n, 128);
    struct sw_row *profile = problem_in(p, "profile", sizeof *profile * SW_LETTERS);
    uint8_t *letters = problem_in(p, "letters", (size_t)total);
    int *first = problem_in(p, "first", sizeof *first * (size_t)n),
        *length = problem_in(p, "length", sizeof *length * (size_t)n);
    int *out = problem_out(p, "out", sizeof *out * (size_t)n),
        *work = calloc(2 * (size_t)longest + 2, sizeof *work);
    problem_int(p, "n", n);
    for (int k = 0; k < SW_QUERY; k++)
        query[k] = draw(&seed);
    for (int l = 0; l < SW_LETTERS; l++)
        for (int k = 0; k < SW_QUERY; k++)
            profile[l].scores[k / 4] |= (uint32_t)(uint8_t)blosum[query[k]][l] << 8 * (k % 4);
    for (int i = 0, at = 0; i < n; at += lengths[i++]) {
        first[i] = at;
        length[i] = lengths[i];
        for (int k = 0; k < lengths[i]; k++)
            letters[at + k] = draw(&seed);
        out[i] = align(query, letters + at, lengths[i], work, work + longest + 1);
    }
    free(work);
    free(lengths);
}

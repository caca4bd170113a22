/* MUMmer: reads of mixed length, and the host's matches, by a sorted list of the reference's
 * suffixes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A read is a piece of the reference in which 0 to 10% of the letters are changed, a share of its
 * own each. */
#include "tests/paper_a/mummer.h"
#include "tests/paper_b/random.h"
#include "tests/paper_b/workload.h"
#include <stdlib.h>

struct suffixes { const uint8_t *text; int length, *start; };

/* How many letters of q, which has `left`, the text has from `at` on. */
static int common(const struct suffixes *s, int at, const uint8_t *q, int left)
{
    int n = 0;
    while (n < left && at + n < s->length && s->text[at + n] == q[n])
        n++;
    return n;
}

static int by_text(const void *a, const void *b, void *of)
{
    const struct suffixes *s = of;
    int x = *(const int *)a, y = *(const int *)b, left = s->length - (x > y ? x : y),
        n = memcmp(s->text + x, s->text + y, (size_t)left);
    return n ? n : y - x;                        /* the shorter one, which starts later, first */
}

/* The first place with the longest match: those with that match stand together, around where q
 * itself would. */
static struct mum_match longest(const struct suffixes *s, const uint8_t *q, int left)
{
    int low = 0, high = s->length;
    while (low < high) {
        int middle = (low + high) / 2, at = s->start[middle], n = common(s, at, q, left);
        bool below = n < left && (at + n == s->length || s->text[at + n] < q[n]);
        if (below)
            low = middle + 1;
        else
            high = middle;
    }
    int before = low > 0 ? common(s, s->start[low - 1], q, left) : 0;
    int behind = low < s->length ? common(s, s->start[low], q, left) : 0,
        most = before > behind ? before : behind;
    struct mum_match best = { most, s->length };
    if (most < MUM_SHORTEST)
        return (struct mum_match){ 0, 0 };
    for (int k = low - 1; k >= 0 && common(s, s->start[k], q, most) == most; k--)
        best.where = s->start[k] < best.where ? s->start[k] : best.where;
    for (int k = low; k < s->length && common(s, s->start[k], q, most) == most; k++)
        best.where = s->start[k] < best.where ? s->start[k] : best.where;
    return best;
}

void mum_make(struct problem *p, enum size size)
{
    int n = size_threads(size), reference = size == SIZE_RTL ? 500 : 20000, total = 0;
    pa_u64 seed = 2007;
    int *lengths = malloc(sizeof *lengths * (size_t)n);
    for (int i = 0; i < n; i++) {
        int length = pb_length(&seed,
                               size == SIZE_RTL   ? 13.0f
                               : size == SIZE_GPU ? 25.0f
                                                  : 120.0f,
                               size == SIZE_RTL ? 0.3f : 0.5f);
        total += lengths[i] = length < 400 ? length : 400;
    }
    workload_grid(p, n, 128);
    struct mum_node *tree = problem_in(p, "tree", sizeof *tree * 2 * (size_t)reference);
    struct suffixes s = { problem_in(p, "reference", (size_t)reference), reference,
                          malloc(sizeof(int) * (size_t)reference) };
    uint8_t *text = (uint8_t *)(uintptr_t)s.text, *reads = problem_in(p, "reads", (size_t)total);
    int *first = problem_in(p, "first", sizeof *first * (size_t)n),
        *length = problem_in(p, "size", sizeof *length * (size_t)n);
    struct mum_match *out = problem_out(p, "out", sizeof *out * (size_t)total);
    problem_int(p, "n", n);
    for (int i = 0; i < reference; i++) {
        text[i] = (uint8_t)pb_below(&seed, MUM_LETTERS);
        s.start[i] = i;
    }
    mum_tree(tree, text, reference);
    qsort_r(s.start, (size_t)reference, sizeof *s.start, by_text, &s);
    for (int i = 0, at = 0; i < n; at += lengths[i++]) {
        int from = pb_below(&seed, reference - lengths[i]);
        float changed = 0.1f * pa_lcg(&seed);
        first[i] = at;
        length[i] = lengths[i];
        for (int k = 0; k < lengths[i]; k++)
            reads[at + k] = pa_lcg(&seed) < changed ? (uint8_t)pb_below(&seed, MUM_LETTERS)
                                                    : text[from + k];
        for (int k = 0; k < lengths[i]; k++)
            out[at + k] = longest(&s, reads + at + k, lengths[i] - k);
    }
    free(s.start);
    free(lengths);
}

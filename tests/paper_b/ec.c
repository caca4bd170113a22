/* CUDA-EC: a genome, reads of it with errors, the filter, and the host's corrections, letter by
 * letter.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A read has EC_READ letters of the genome, each wrong with 2%: the number of errors is
 * binomial. */
#include "tests/paper_b/ec.h"
#include "tests/paper_b/random.h"
#include "tests/paper_b/workload.h"
#include <stdlib.h>

struct spectrum { uint32_t *filter; int bits; };

static pa_u32 word_at(const uint8_t *letters)
{
    pa_u32 word = 0;
    for (int k = EC_WORD - 1; k >= 0; k--)
        word = word << 2 | letters[k];
    return word;
}

static bool known(const struct spectrum *s, const uint8_t *letters)
{
    bool all = true;
    for (int k = 0; k < EC_HASHES; k++) {
        pa_u32 bit = ec_hash(word_at(letters), k, s->bits);
        all &= s->filter[bit / 32] >> bit % 32 & 1;
    }
    return all;
}

static int first_weak(const struct spectrum *s, const uint8_t *letters, int from)
{
    for (int at = from; at < EC_WORDS; at++)
        if (!known(s, letters + at))
            return at;
    return EC_WORDS;
}

/* One exchange of a letter that trusts most words, the first of them; false: none trusts any. */
static bool improve(const struct spectrum *s, uint8_t *letters, int weak)
{
    int most = weak, place = -1;
    uint8_t letter = 0;
    for (int at = weak; at < weak + EC_WORD; at++) {
        uint8_t was = letters[at];
        for (int by = 1; by < 4; by++) {
            letters[at] = (uint8_t)(was ^ by);
            int reach = first_weak(s, letters, weak);
            if (reach > most) {
                most = reach;
                place = at;
                letter = letters[at];
            }
        }
        letters[at] = was;
    }
    if (place >= 0)
        letters[place] = letter;
    return place >= 0;
}

static int correct(const struct spectrum *s, uint8_t *letters)
{
    for (int rounds = 0; rounds < EC_ROUNDS; rounds++) {
        int weak = first_weak(s, letters, 0);
        if (weak == EC_WORDS || !improve(s, letters, weak))
            return rounds;
    }
    return EC_ROUNDS;
}

static struct ec_read pack(const uint8_t *letters)
{
    struct ec_read r = { 0, 0 };
    for (int k = 0; k < EC_READ; k++) {
        if (k < 32)
            r.low |= (pa_u64)letters[k] << 2 * k;
        else
            r.high |= (pa_u64)letters[k] << (2 * k - 64);
    }
    return r;
}

void ec_make(struct problem *p, enum size size)
{
    int n = size_threads(size), genome = size == SIZE_RTL ? 4000 : 100000;
    struct spectrum s = { .bits = size == SIZE_RTL ? 17 : 22 };
    pa_u64 seed = 36;
    workload_grid(p, n, 128);
    s.filter = problem_in(p, "filter", ((size_t)1 << s.bits) / 8);
    struct ec_read *reads = problem_in(p, "reads", sizeof *reads * (size_t)n);
    struct ec_read *out = problem_out(p, "out", sizeof *out * (size_t)n);
    int *changes = problem_out(p, "changes", sizeof *changes * (size_t)n);
    problem_int(p, "bits", s.bits);
    problem_int(p, "n", n);
    uint8_t *text = malloc((size_t)genome), letters[EC_READ];
    for (int i = 0; i < genome; i++)
        text[i] = (uint8_t)pb_below(&seed, 4);
    for (int i = 0; i + EC_WORD <= genome; i++)
        for (int k = 0; k < EC_HASHES; k++) {
            pa_u32 bit = ec_hash(word_at(text + i), k, s.bits);
            s.filter[bit / 32] |= 1u << bit % 32;
        }
    for (int i = 0; i < n; i++) {
        int from = pb_below(&seed, genome - EC_READ);
        for (int k = 0; k < EC_READ; k++)
            letters[k] = text[from + k] ^
                         (uint8_t)(pa_lcg(&seed) < 0.02f ? 1 + pb_below(&seed, 3) : 0);
        reads[i] = pack(letters);
        changes[i] = correct(&s, letters);
        out[i] = pack(letters);
    }
    free(text);
}

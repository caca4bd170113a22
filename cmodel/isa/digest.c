/* Digests of commit records: see digest.h.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A field whose condition does not hold is zero (commit.def), so the sum goes over it in one step:
 * times x to the number of its words. */
#include "cmodel/isa/digest.h"

enum { X32 = 0x00400007 };                   /* the polynomial, less its highest term */
struct sums { uint32_t parity, weighed; };

static uint32_t times_x(uint32_t a) { return a << 1 ^ (a >> 31 ? X32 : 0); }

static void add(struct sums *s, const void *from, size_t bytes)
{
    const unsigned char *at = from;
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t w = 0;
        memcpy(&w, at + i, bytes - i < 4 ? bytes - i : 4);
        s->parity ^= w;
        s->weighed = times_x(s->weighed) ^ w;
    }
}

/* x to a power of words, times each power of two. */
struct jump { uint32_t column[32]; };

static struct jump make_jump(unsigned words)
{
    struct jump j;
    for (unsigned b = 0; b < 32; b++) {
        uint32_t a = (uint32_t)1 << b;
        for (unsigned k = 0; k < words; k++)
            a = times_x(a);
        j.column[b] = a;
    }
    return j;
}

static void jump(struct sums *s, const struct jump *j)
{
    uint32_t sum = 0;
    for (uint32_t m = s->weighed; m; m &= m - 1)
        sum ^= j->column[__builtin_ctz(m)];
    s->weighed = sum;
}

uint64_t digest_add(uint64_t digest, const struct hd_commit *c)
{
    static _Thread_local struct jump lanes, pairs;   /* over 32 and 64 words */
    struct sums s = { 0, 0 };
    if (!lanes.column[0]) {
        lanes = make_jump(HD_LANES);
        pairs = make_jump(2 * HD_LANES);
    }
#define FIELD(path, elements, form, part, valid, sentence)                                         \
    if (digest_leaves_out(#path))                                                                  \
        ;                                                                                          \
    else if (sizeof c->path == sizeof c->val[0] && !(valid))                                       \
        jump(&s, &lanes);                                                                          \
    else if (sizeof c->path == sizeof c->addr && !(valid))                                         \
        jump(&s, &pairs);                                                                          \
    else                                                                                           \
        add(&s, &c->path, sizeof c->path);
#include "cmodel/isa/commit.def"
    digest ^= digest << 13;
    digest ^= digest >> 7;
    digest ^= digest << 17;
    return digest ^ ((uint64_t)s.weighed << 32 | s.parity);
}

/* Digests of commit records: see digest.h.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The Horner sum stays unreduced while it fits into 64 bits, which it does for 32 words; over so
 * many of an array it needs no order, so that compilers use vectors.  A field whose condition does
 * not hold is zero (commit.def). */
#include "cmodel/isa/digest.h"

enum { WORDS = 32, BYTES = 4 * WORDS };
/* The sums, and how many words went in since it was reduced. */
struct sums { uint64_t weighed; uint32_t parity; unsigned words; };

/* What is left of it, divided by x^32 + x^22 + x^2 + x + 1: by the quotient q, of which two terms
 * high >> 30 cancel, and what q times the polynomial has below x^32. */
static inline uint32_t reduced(uint64_t a)
{
    const uint32_t high = (uint32_t)(a >> 32), q = high ^ high >> 10 ^ high >> 20 ^ high >> 31;
    return (uint32_t)a ^ q << 22 ^ q << 2 ^ q << 1 ^ q;
}

/* An array that fills its 32 words. */
static inline __attribute__((always_inline)) struct sums add_array(struct sums s, const void *from,
                                                                   size_t bytes, bool valid)
{
    for (size_t i = 0; i < bytes; i += BYTES) {
        uint64_t weighed = 0;
        if (valid) {
            uint32_t w[WORDS], parity = 0;
            memcpy(w, (const char *)from + i, BYTES);
            for (unsigned k = 0; k < WORDS; k++) {
                parity ^= w[k];
                weighed ^= (uint64_t)w[k] << (WORDS - 1 - k);
            }
            s.parity ^= parity;
        }
        s.weighed = (uint64_t)reduced(s.weighed) << WORDS ^ weighed;
        s.words = WORDS;
    }
    return s;
}

static inline __attribute__((always_inline)) struct sums add_few(struct sums s, const void *from,
                                                                 size_t bytes)
{
    const unsigned n = (unsigned)(bytes + 3) / 4;
    if (s.words + n > WORDS) {
        s.weighed = reduced(s.weighed);
        s.words = 0;
    }
    s.words += n;
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t w = 0;
        memcpy(&w, (const char *)from + i, bytes < 4 ? bytes : 4);
        s.parity ^= w;
        s.weighed = s.weighed << 1 ^ w;
    }
    return s;
}

uint64_t digest_add(uint64_t digest, const struct hd_commit *c)
{
    struct sums s = { 0 };
#define FIELD(path, elements, form, part, valid, sentence)                                         \
    if (digest_leaves_out(#path))                                                                  \
        ;                                                                                          \
    else if (sizeof c->path % BYTES == 0)                                                          \
        s = add_array(s, &c->path, sizeof c->path, valid);                                         \
    else                                                                                           \
        s = add_few(s, &c->path, sizeof c->path);
#include "cmodel/isa/commit.def"
    digest ^= digest << 13;
    digest ^= digest >> 7;
    digest ^= digest << 17;
    return digest ^ ((uint64_t)reduced(s.weighed) << 32 | s.parity);
}

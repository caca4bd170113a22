/* CUDA-EC: errors of short reads corrected by a spectrum of trusted words, kept in a Bloom filter.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Chaisson, Pevzner, Tang: spectral alignment; Shi, Schmidt, Liu, Mueller-Wittig (2010) put the
 * spectrum into a Bloom filter.  A read is right when all its words of EC_WORD letters are in the
 * filter; else letters are exchanged where the first weak word is, and what makes most words
 * trusted is kept. */
#ifndef PAPER_B_EC_H
#define PAPER_B_EC_H
#include "../paper_a/shared.h"

enum { EC_READ = 36, EC_WORD = 15, EC_WORDS = EC_READ - EC_WORD + 1, EC_HASHES = 2, EC_ROUNDS = 4 };
/* two bits a letter, the first lowest; high: those after 32 */
struct ec_read { pa_u64 low, high; };

/* Which bit of 2^bits stands for a word. */
PA_FN pa_u32 ec_hash(pa_u32 word, int k, int bits)
{
    return pa_hash(word ^ (pa_u32)k * 0x9e3779b9u) >> (32 - bits);
}
#endif

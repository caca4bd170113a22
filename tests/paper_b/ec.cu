// CUDA-EC: each thread corrects one read.
// SPDX-License-Identifier: Apache-2.0
// Reads without an error are done after one look; others try every letter under their first weak word.
#include "ec.h"
static __device__ __forceinline__ bool trusted(const unsigned *filter, int bits, ec_read r, int at)
{
    unsigned word = (unsigned)(at ? r.low >> 2 * at | r.high << (64 - 2 * at) : r.low) & ((1u << 2 * EC_WORD) - 1);
    for (int k = 0; k < EC_HASHES; k++) {
        unsigned bit = ec_hash(word, k, bits);
        if (!(filter[bit >> 5] >> (bit & 31) & 1))
            return false;
    }
    return true;
}

static __device__ __forceinline__ ec_read changed(ec_read r, int at, unsigned long long by)
{
    if (at < 32)
        r.low ^= by << 2 * at;
    else
        r.high ^= by << (2 * at - 64);
    return r;
}

extern "C" __global__ void ec(const unsigned *filter, const ec_read *reads, ec_read *out, int *changes, int bits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    ec_read r = reads[i];
    int rounds = 0;
    for (; rounds < EC_ROUNDS; rounds++) {
        int weak = 0, most = 0, best = 0;
        while (weak < EC_WORDS && trusted(filter, bits, r, weak))
            weak++;
        if (weak == EC_WORDS)
            break;
        for (int at = weak; at < weak + EC_WORD; at++)
            for (int by = 1; by < 4; by++) {
                ec_read other = changed(r, at, by);
                int words = weak;
                while (words < EC_WORDS && trusted(filter, bits, other, words))
                    words++;
                if (words - weak > most) {
                    most = words - weak;
                    best = 4 * at + by;
                }
            }
        if (!most)
            break;
        r = changed(r, best >> 2, best & 3);
    }
    out[i] = r;
    changes[i] = rounds;
}

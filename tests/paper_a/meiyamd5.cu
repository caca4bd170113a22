// MeiyaMD5: tries every password of `masks` masks by each thread.
// SPDX-License-Identifier: Apache-2.0
// Loop Merge: the spaces of the masks differ in size, and a trial is long and straight.
#include "meiyamd5.h"

PA_FN pa_u32 rotated(pa_u32 x, int n) { return x << n | x >> (32 - n); }
PA_FN pa_u32 f(pa_u32 b, pa_u32 c, pa_u32 d) { return d ^ (b & (c ^ d)); }
PA_FN pa_u32 g(pa_u32 b, pa_u32 c, pa_u32 d) { return c ^ (d & (b ^ c)); }
PA_FN pa_u32 h(pa_u32 b, pa_u32 c, pa_u32 d) { return b ^ c ^ d; }
PA_FN pa_u32 i(pa_u32 b, pa_u32 c, pa_u32 d) { return c ^ (b | ~d); }

// One step of RFC 1321, and four of them, after which a, b, c, d are in place again.
#define STEP(F, a, b, c, d, word, shift, k) a = b + rotated(a + F(b, c, d) + (word) + (k), shift)
#define FOUR(F, w0, w1, w2, w3, s0, s1, s2, s3, k0, k1, k2, k3) \
    STEP(F, a, b, c, d, w0, s0, k0); STEP(F, d, a, b, c, w1, s1, k1); \
    STEP(F, c, d, a, b, w2, s2, k2); STEP(F, b, c, d, a, w3, s3, k3)

extern "C" __global__ void meiyamd5(const md_mask *masks, md_found *found, int count)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    SIMT_PREDICT(trial);
    for (int k = 0; k < count; k++) {
        const md_mask m = masks[thread * count + k];
        pa_u32 w0 = m.first, digests = 0;
        int at = -1;
        for (int j = 0; j < m.count; j++) {
            SIMT_LABEL(trial);
            // Words of the block: eight characters, 0x80, zeros, the length in bits.
            pa_u32 w1 = m.rest | (pa_u32)(m.from + j) << 24, w2 = 0x80, z = 0, len = 64;
            pa_u32 a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;
            FOUR(f, w0, w1, w2, z, 7, 12, 17, 22,
                 0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu);
            FOUR(f, z, z, z, z, 7, 12, 17, 22,
                 0xf57c0fafu, 0x4787c62au, 0xa8304613u, 0xfd469501u);
            FOUR(f, z, z, z, z, 7, 12, 17, 22,
                 0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu);
            FOUR(f, z, z, len, z, 7, 12, 17, 22,
                 0x6b901122u, 0xfd987193u, 0xa679438eu, 0x49b40821u);
            FOUR(g, w1, z, z, w0, 5, 9, 14, 20,
                 0xf61e2562u, 0xc040b340u, 0x265e5a51u, 0xe9b6c7aau);
            FOUR(g, z, z, z, z, 5, 9, 14, 20,
                 0xd62f105du, 0x02441453u, 0xd8a1e681u, 0xe7d3fbc8u);
            FOUR(g, z, len, z, z, 5, 9, 14, 20,
                 0x21e1cde6u, 0xc33707d6u, 0xf4d50d87u, 0x455a14edu);
            FOUR(g, z, w2, z, z, 5, 9, 14, 20,
                 0xa9e3e905u, 0xfcefa3f8u, 0x676f02d9u, 0x8d2a4c8au);
            FOUR(h, z, z, z, len, 4, 11, 16, 23,
                 0xfffa3942u, 0x8771f681u, 0x6d9d6122u, 0xfde5380cu);
            FOUR(h, w1, z, z, z, 4, 11, 16, 23,
                 0xa4beea44u, 0x4bdecfa9u, 0xf6bb4b60u, 0xbebfbc70u);
            FOUR(h, z, w0, z, z, 4, 11, 16, 23,
                 0x289b7ec6u, 0xeaa127fau, 0xd4ef3085u, 0x04881d05u);
            FOUR(h, z, z, z, w2, 4, 11, 16, 23,
                 0xd9d4d039u, 0xe6db99e5u, 0x1fa27cf8u, 0xc4ac5665u);
            FOUR(i, w0, z, len, z, 6, 10, 15, 21,
                 0xf4292244u, 0x432aff97u, 0xab9423a7u, 0xfc93a039u);
            FOUR(i, z, z, z, w1, 6, 10, 15, 21,
                 0x655b59c3u, 0x8f0ccc92u, 0xffeff47du, 0x85845dd1u);
            FOUR(i, z, z, z, z, 6, 10, 15, 21,
                 0x6fa87e4fu, 0xfe2ce6e0u, 0xa3014314u, 0x4e0811a1u);
            FOUR(i, z, z, w2, z, 6, 10, 15, 21,
                 0xf7537e82u, 0xbd3af235u, 0x2ad7d2bbu, 0xeb86d391u);
            a += 0x67452301u;
            b += 0xefcdab89u;
            c += 0x98badcfeu;
            d += 0x10325476u;
            digests ^= a ^ b ^ c ^ d;
            at = ((a ^ m.target[0]) | (b ^ m.target[1]) | (c ^ m.target[2]) | (d ^ m.target[3])) ? at : j;
        }
        found[thread * count + k].at = at;
        found[thread * count + k].digests = digests;
    }
}

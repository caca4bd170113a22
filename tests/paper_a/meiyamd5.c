/* MeiyaMD5: masks, and the host's trials, with MD5 as RFC 1321's tables tell it.
 * SPDX-License-Identifier: Apache-2.0 */
#include "meiyamd5.h"
#include "workload.h"

static uint32_t rotated(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* Digest of one block that holds a message of `len` < 56 bytes. */
static void md5(const uint8_t *message, size_t len, uint32_t digest[4])
{
    static const unsigned shift[4][4] = {
        { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 }
    };
    static const uint32_t start[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
    uint8_t block[64] = { 0 };
    memcpy(block, message, len);
    block[len] = 0x80;
    block[56] = (uint8_t)(8 * len);
    uint32_t a = start[0], b = start[1], c = start[2], d = start[3];
    for (unsigned i = 0; i < 64; i++) {
        unsigned round = i / 16, w = round == 0   ? i
                                     : round == 1 ? 5 * i + 1
                                     : round == 2 ? 3 * i + 5
                                                  : 7 * i;
        uint32_t f = round == 0   ? (b & c) | (~b & d)
                     : round == 1 ? (d & b) | (~d & c)
                     : round == 2 ? b ^ c ^ d
                                  : c ^ (b | ~d);
        const uint8_t *at = block + 4 * (w % 16);
        uint32_t word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
                        (uint32_t)at[3] << 24;
        uint32_t next = b + rotated(a + f + word + (uint32_t)(fabs(sin(i + 1.0)) * 4294967296.0),
                                    shift[round][i % 4]);
        a = d, d = c, c = b, b = next;
    }
    digest[0] = a + start[0];
    digest[1] = b + start[1];
    digest[2] = c + start[2];
    digest[3] = d + start[3];
}

static uint32_t little_endian(const char *text, int n)
{
    uint32_t word = 0;
    for (int i = 0; i < n; i++)
        word |= (uint32_t)(uint8_t)text[i] << 8 * i;
    return word;
}

/* A password of the space, or in one mask of four of another one, is what the mask's target belongs
 * to. */
static void make_mask(struct md_mask *m, char *text, pa_u64 *seed)
{
    static const int sizes[MD_CLASSES] = MD_CLASS_SIZES;
    for (int i = 0; i < MD_PREFIX; i++)
        text[i] = (char)('a' + (int)(pa_lcg(seed) * 26));
    m->first = little_endian(text, 4);
    m->rest = little_endian(text + 4, 3);
    m->from = ' ';
    m->count = sizes[(int)(pa_lcg(seed) * MD_CLASSES)];
    char password[MD_PREFIX + 1];
    memcpy(password, text, MD_PREFIX);
    password[MD_PREFIX] = (char)(m->from + (int)(pa_lcg(seed) * (float)m->count));
    password[0] = pa_lcg(seed) < 0.25f ? '!' : password[0];
    md5((const uint8_t *)password, sizeof password, m->target);
}

static struct md_found search(const struct md_mask *m, const char *text)
{
    struct md_found found = { -1, 0 };
    uint8_t password[MD_PREFIX + 1];
    memcpy(password, text, MD_PREFIX);
    for (int j = 0; j < m->count; j++) {
        uint32_t digest[4];
        password[MD_PREFIX] = (uint8_t)(m->from + j);
        md5(password, sizeof password, digest);
        found.digests ^= digest[0] ^ digest[1] ^ digest[2] ^ digest[3];
        found.at = memcmp(digest, m->target, sizeof digest) ? found.at : j;
    }
    return found;
}

void meiyamd5_make(struct problem *p, enum size size)
{
    int count = size == SIZE_RTL ? 6 : 64;
    p->blocks = size == SIZE_RTL ? 1 : 2;
    p->threads = 64;
    unsigned n = p->blocks * p->threads * (unsigned)count;
    struct md_mask *masks = problem_in(p, "masks", sizeof *masks * n);
    struct md_found *found = problem_out(p, "found", sizeof *found * n);
    problem_int(p, "count", count);
    pa_u64 seed = 1321;
    for (unsigned i = 0; i < n; i++) {
        char text[MD_PREFIX + 1];
        make_mask(&masks[i], text, &seed);
        found[i] = search(&masks[i], text);
    }
}

/* zstd's frames, unpacked: what nvcc packs PTX with.  SPDX-License-Identifier: Apache-2.0 */
#ifndef ZSTD_H
#define ZSTD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Unpacks frames (RFC 8878) until `to` bytes are there.  False: they are damaged, or want a
 * dictionary. */
bool zstd_unpack(const uint8_t *in, size_t n, uint8_t *out, size_t to);

/* zstd_entropy.c: codes of zstd's own. */

/* A stream of bits that is read from its end; `at` bits are left, before the first come zeros. */
struct zbits { const uint8_t *p; size_t n; int64_t at; };
bool zbits_open(struct zbits *b, const uint8_t *p, size_t n);    /* false: it has no end mark */
uint32_t zbits_take(struct zbits *b, unsigned n);                /* at most 31 */

/* A table of asymmetric numerals: a state has a symbol, and says where the next state lies. */
enum { ZFSE_LOG_MOST = 9 };
struct zfse {
    unsigned log;
    struct { uint8_t symbol, bits; uint16_t base; } cell[1 << ZFSE_LOG_MOST];
};
bool zfse_build(struct zfse *t, const int16_t *counts, unsigned symbols, unsigned log);
/* The table that a description in n bytes gives; bytes that it has, 0: it is damaged. */
size_t zfse_read(struct zfse *t, const uint8_t *in, size_t n, unsigned symbols_most,
                 unsigned log_most);
/* a table of one symbol, which takes no bits */
void zfse_one(struct zfse *t, uint8_t symbol);

/* A prefix code of bytes. */
enum { ZHUF_LOG_MOST = 11 };
struct zhuf { unsigned log; struct { uint8_t symbol, bits; } cell[1 << ZHUF_LOG_MOST]; };
size_t zhuf_read(struct zhuf *t, const uint8_t *in, size_t n);   /* as zfse_read */
/* Exactly `to` bytes from one stream. */
bool zhuf_decode(const struct zhuf *t, const uint8_t *in, size_t n, uint8_t *out, size_t to);
#endif

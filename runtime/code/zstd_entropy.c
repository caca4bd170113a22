/* The entropy codes of zstd: tables of asymmetric numerals (FSE) and prefix codes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names and rules are those of RFC 8878, section 4. */
#include <string.h>
#include "runtime/code/zstd.h"

static unsigned highest(uint32_t v) { return 31u - (unsigned)__builtin_clz(v); }

/* ---- bits, from the end ---- */

bool zbits_open(struct zbits *b, const uint8_t *p, size_t n)
{
    if (!n || !p[n - 1])
        return false;
    *b = (struct zbits){ p, n, (int64_t)(8 * (n - 1) + highest(p[n - 1])) };
    return true;
}

/* The n bits from bit `at` on; those before bit 0 are zeros. */
static uint32_t bits_at(const struct zbits *b, int64_t at, unsigned n)
{
    uint32_t v = 0;
    unsigned missing = at < 0 ? at < -(int64_t)n ? n : (unsigned)-at : 0;
    if (missing == n)
        return 0;
    uint64_t first = (uint64_t)(at + missing), word = 0;
    size_t byte = first / 8, have = b->n - byte < 8 ? b->n - byte : 8;
    memcpy(&word, b->p + byte, have);       /* at most 7 + 31 bits of it count */
    v = (uint32_t)(word >> first % 8 & ((1ull << (n - missing)) - 1));
    return v << missing;
}

uint32_t zbits_take(struct zbits *b, unsigned n)
{
    b->at -= n;
    return bits_at(b, b->at, n);
}

/* ---- FSE ---- */

bool zfse_build(struct zfse *t, const int16_t *counts, unsigned symbols, unsigned log)
{
    unsigned size = 1u << log, high = size, at = 0, step = (size >> 1) + (size >> 3) + 3;
    uint16_t next[256];
    t->log = log;
    for (unsigned s = 0; s < symbols; s++) {
        next[s] = counts[s] < 0 ? 1 : (uint16_t)counts[s];
        if (counts[s] < 0)                  /* rarer than one state: the last cells, from the end */
            t->cell[--high].symbol = (uint8_t)s;
    }
    for (unsigned s = 0; s < symbols; s++)
        for (int k = 0; k < counts[s]; k++) {
            t->cell[at].symbol = (uint8_t)s;
            do
                at = (at + step) & (size - 1);
            while (at >= high);
        }
    if (at)
        return false;                       /* the counts do not fill the table */
    for (unsigned k = 0; k < size; k++) {
        unsigned state = next[t->cell[k].symbol]++, bits = log - highest(state);
        t->cell[k].bits = (uint8_t)bits;
        t->cell[k].base = (uint16_t)((state << bits) - size);
    }
    return true;
}

void zfse_one(struct zfse *t, uint8_t symbol)
{
    t->log = 0;
    t->cell[0].symbol = symbol, t->cell[0].bits = 0, t->cell[0].base = 0;
}

/* n bits from bit *at on, in ascending order; false: past the end. */
static bool forward(const uint8_t *in, size_t bytes, size_t *at, unsigned n, uint32_t *v)
{
    uint32_t word = 0;
    for (unsigned k = 0; k < 4; k++)
        word |= *at / 8 + k < bytes ? (uint32_t)in[*at / 8 + k] << 8 * k : 0;
    *v = word >> *at % 8 & ((1u << n) - 1);
    *at += n;
    return *at <= 8 * bytes;
}

size_t zfse_read(struct zfse *t, const uint8_t *in, size_t n, unsigned symbols_most,
                 unsigned log_most)
{
    int16_t counts[256] = { 0 };
    size_t at = 0;
    uint32_t v;
    if (!forward(in, n, &at, 4, &v) || v + 5 > log_most)
        return 0;
    unsigned log = v + 5, symbols = 0;
    int left = 1 << log;
    while (left > 0 && symbols < symbols_most) {
        /* A value from 0 to left + 1: the lower ones have a bit less. */
        unsigned bits = highest((uint32_t)left + 1) + 1;
        uint32_t half = (1u << (bits - 1)) - 1, fewer = (1u << bits) - 1 - ((uint32_t)left + 1);
        if (!forward(in, n, &at, bits, &v))
            return 0;
        if ((v & half) < fewer) {
            at--;
            v &= half;
        } else if (v > half)
            v -= fewer;
        int count = (int)v - 1;
        left -= count < 0 ? 1 : count;
        counts[symbols++] = (int16_t)count;
        /* two bits: how many more have none */
        for (uint32_t more = count ? 0 : 3; more == 3;) {
            if (!forward(in, n, &at, 2, &more) || symbols + more > symbols_most)
                return 0;
            symbols += more;
        }
    }
    return !left && zfse_build(t, counts, symbols, log) ? (at + 7) / 8 : 0;
}

/* ---- prefix codes ---- */

/* Weights as two states of one table give them, in turn. */
static unsigned weights_packed(const uint8_t *in, size_t n, uint8_t weights[255])
{
    struct zfse t;
    struct zbits b;
    unsigned count = 0;
    size_t head = zfse_read(&t, in, n, 256, 6);
    if (!head || !zbits_open(&b, in + head, n - head))
        return 0;
    uint32_t state[2] = { zbits_take(&b, t.log), 0 };
    state[1] = zbits_take(&b, t.log);
    for (unsigned k = 0; count < 254; k ^= 1) {
        weights[count++] = t.cell[state[k]].symbol;
        state[k] = t.cell[state[k]].base + zbits_take(&b, t.cell[state[k]].bits);
        if (b.at < 0) {
            weights[count++] = t.cell[state[k ^ 1]].symbol;
            return count;
        }
    }
    return 0;
}

static bool codes(struct zhuf *t, uint8_t *weights, unsigned count)
{
    uint32_t sum = 0, at = 0;
    for (unsigned k = 0; k < count; k++) {
        if (weights[k] > ZHUF_LOG_MOST)
            return false;
        sum += weights[k] ? 1u << (weights[k] - 1) : 0;
    }
    if (!sum || highest(sum) + 1 > ZHUF_LOG_MOST)
        return false;
    t->log = highest(sum) + 1;
    uint32_t left = (1u << t->log) - sum;   /* the last symbol's, which is not said */
    if (left & (left - 1))
        return false;
    weights[count++] = (uint8_t)(highest(left) + 1);
    for (unsigned w = 1; w <= t->log; w++)
        for (unsigned s = 0; s < count; s++)
            for (unsigned k = 0; weights[s] == w && k < 1u << (w - 1); k++, at++) {
                t->cell[at].symbol = (uint8_t)s;
                t->cell[at].bits = (uint8_t)(t->log + 1 - w);
            }
    return at == 1u << t->log;
}

size_t zhuf_read(struct zhuf *t, const uint8_t *in, size_t n)
{
    uint8_t weights[256];
    unsigned count = n && in[0] >= 128 ? in[0] - 127u : 0;
    size_t bytes = n ? 1 + (count ? (count + 1) / 2 : in[0]) : 1;
    if (bytes > n)
        return 0;
    for (unsigned k = 0; k < count; k++)
        weights[k] = k & 1 ? in[1 + k / 2] & 15 : in[1 + k / 2] >> 4;
    if (!count)
        count = weights_packed(in + 1, bytes - 1, weights);
    return count && codes(t, weights, count) ? bytes : 0;
}

bool zhuf_decode(const struct zhuf *t, const uint8_t *in, size_t n, uint8_t *out, size_t to)
{
    struct zbits b;
    if (!zbits_open(&b, in, n))
        return false;
    for (size_t k = 0; k < to; k++) {
        uint32_t cell = bits_at(&b, b.at - t->log, t->log);
        out[k] = t->cell[cell].symbol;
        b.at -= t->cell[cell].bits;
    }
    return b.at == 0;
}

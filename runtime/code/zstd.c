/* zstd's frames and blocks.  SPDX-License-Identifier: Apache-2.0
 *
 * RFC 8878, section 3.  All output of a frame is the window: nothing is forgotten while it is
 * unpacked.  Checksums are passed over. */
#include "runtime/code/zstd.h"
#include <string.h>

enum { FRAME = 0xfd2fb528u, SKIP = 0x184d2a50u, BLOCK_MOST = 1 << 17, CODES = 3 };
enum { LITERAL_LENGTH, OFFSET, MATCH_LENGTH };

/* What a frame's blocks leave to the next one. */
struct frame {
    uint8_t *out;
    size_t at, from, to;         /* of the output; the frame began at `from` */
    struct zhuf huf;
    struct zfse fse[CODES];
    bool has_huf, has_fse[CODES];
    uint64_t recent[3];          /* offsets */
    uint8_t literals[BLOCK_MOST];
    size_t nliterals;
};

static uint32_t little(const uint8_t *p, unsigned bytes)
{
    uint32_t v = 0;
    for (unsigned k = 0; k < bytes; k++)
        v |= (uint32_t)p[k] << 8 * k;
    return v;
}

/* ---- literals ---- */

static bool four_streams(struct frame *f, const uint8_t *in, size_t n)
{
    if (n < 6)
        return false;
    size_t each = (f->nliterals + 3) / 4, at = 6, done = 0;
    for (unsigned k = 0; k < 4; k++) {
        size_t bytes = k < 3 ? little(in + 2 * k, 2) : n - at,
            want = k < 3 ? each : f->nliterals - 3 * each;
        if (bytes > n - at || 3 * each > f->nliterals ||
            !zhuf_decode(&f->huf, in + at, bytes, f->literals + done, want))
            return false;
        at += bytes, done += want;
    }
    return true;
}

/* Bytes of the section; 0: it is damaged. */
static size_t literals(struct frame *f, const uint8_t *in, size_t n)
{
    enum { RAW, ONE, PACKED, PACKED_AGAIN };
    if (!n)
        return 0;
    unsigned kind = in[0] & 3, form = in[0] >> 2 & 3;
    size_t head = kind >= PACKED ? (form < 2 ? 3 : form + 2u) : !(form & 1) ? 1 : form == 1 ? 2 : 3;
    if (n < head)
        return 0;
    if (kind < PACKED) {
        f->nliterals = little(in, (unsigned)head) >> (form & 1 ? 4 : 3);
        size_t bytes = kind == RAW ? f->nliterals : 1;
        if (f->nliterals > BLOCK_MOST || bytes > n - head)
            return 0;
        if (kind == RAW)
            memcpy(f->literals, in + head, bytes);
        else
            memset(f->literals, in[head], f->nliterals);
        return head + bytes;
    }
    unsigned width = form < 2 ? 10 : form == 2 ? 14 : 18;
    uint64_t sizes = little(in, 4) | (uint64_t)(head > 4 ? in[4] : 0) << 32;
    size_t bytes = sizes >> (4 + width) & ((1u << width) - 1), used = 0;
    f->nliterals = sizes >> 4 & ((1u << width) - 1);
    if (bytes > n - head || f->nliterals > BLOCK_MOST)
        return 0;
    if (kind == PACKED) {
        used = zhuf_read(&f->huf, in + head, bytes);
        if (!used)
            return 0;
        f->has_huf = true;
    }
    bool ok = f->has_huf && (form ? four_streams(f, in + head + used, bytes - used)
                                  : zhuf_decode(&f->huf, in + head + used, bytes - used,
                                                f->literals, f->nliterals));
    return ok ? head + bytes : 0;
}

/* ---- sequences: copy so many literals, then so many bytes from so far back ---- */

static const int16_t plain_literal[] = {
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1,
    1, -1, -1, -1, -1 };
static const int16_t plain_offset[] = {
    1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1 };
static const int16_t plain_match[] = {
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1 };
static const struct {
    const int16_t *plain;
    unsigned plain_log, symbols, log_most;
} codes[CODES] = {
    { plain_literal, 6, sizeof plain_literal / sizeof *plain_literal, 9 },
    { plain_offset, 5, 32, 8 },
    { plain_match, 6, sizeof plain_match / sizeof *plain_match, 9 } };

/* The table of one code: bytes that describe it, -1: damaged. */
static int table(struct frame *f, unsigned code, unsigned mode, const uint8_t *in, size_t n)
{
    enum { PLAIN, ONE, PACKED, AGAIN };
    size_t plain = codes[code].symbols, used = 0;
    bool ok;
    if (code == OFFSET)                     /* its plain table has fewer than it may have */
        plain = sizeof plain_offset / sizeof *plain_offset;
    switch (mode) {
    case PLAIN:
        ok = zfse_build(&f->fse[code], codes[code].plain, (unsigned)plain, codes[code].plain_log);
        break;
    case ONE:
        ok = n && in[0] < codes[code].symbols;
        if (ok)
            zfse_one(&f->fse[code], in[0]);
        used = 1;
        break;
    case PACKED:
        used = zfse_read(&f->fse[code], in, n, codes[code].symbols, codes[code].log_most);
        ok = used;
        break;
    default: ok = f->has_fse[code]; break;
    }
    f->has_fse[code] = ok;
    return ok ? (int)used : -1;
}

/* What a code stands for: ranges that follow each other, of 2^extra[code] numbers each. */
static uint32_t length(struct zbits *b, unsigned code, bool match)
{
    static const uint8_t literal_extra[] = { 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12,
                                             13, 14, 15, 16 },
                         match_extra[] = { 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12,
                                           13, 14, 15, 16 };
    const uint8_t *extra = match ? match_extra : literal_extra;
    unsigned single = match ? 32 : 16;      /* codes of one number */
    uint32_t base = match ? 3 : 0;
    if (code < single)
        return base + code;
    base += single;
    for (unsigned k = single; k < code; k++)
        base += 1u << extra[k - single];
    return base + zbits_take(b, extra[code - single]);
}

/* Offsets 1 to 3 name recent ones, one further where no literal comes before. */
static uint64_t offset(struct frame *f, uint64_t value, uint32_t nliterals)
{
    uint64_t *r = f->recent, found;
    unsigned which = (unsigned)(value - 1 + !nliterals);
    if (value > 3 || which == 3) {
        found = value > 3 ? value - 3 : r[0] - 1;
        which = 2;
    } else
        found = r[which];
    for (; which; which--)
        r[which] = r[which - 1];
    return r[0] = found;
}

static bool copy(struct frame *f, const uint8_t *from, size_t n)
{
    if (n > f->to - f->at)
        return false;
    memcpy(f->out + f->at, from, n);
    f->at += n;
    return true;
}

static bool run(struct frame *f, struct zbits *b, uint32_t count)
{
    static const uint8_t order[CODES] = { LITERAL_LENGTH, MATCH_LENGTH, OFFSET };
    uint32_t state[CODES];
    size_t used = 0;
    for (unsigned k = 0; k < CODES; k++)
        state[k] = zbits_take(b, f->fse[k].log);
    for (uint32_t s = 0; s < count; s++) {
        unsigned code = f->fse[OFFSET].cell[state[OFFSET]].symbol;
        if (code > 31 || b->at < 0)
            return false;
        uint64_t value = (1ull << code) + zbits_take(b, code);
        uint32_t match = length(b, f->fse[MATCH_LENGTH].cell[state[MATCH_LENGTH]].symbol, true);
        uint32_t lits = length(b, f->fse[LITERAL_LENGTH].cell[state[LITERAL_LENGTH]].symbol, false);
        if (lits > f->nliterals - used || !copy(f, f->literals + used, lits))
            return false;
        used += lits;
        uint64_t back = offset(f, value, lits);
        if (!back || back > f->at - f->from || match > f->to - f->at)
            return false;
        for (; match; match--, f->at++)     /* it may overlap itself */
            f->out[f->at] = f->out[f->at - back];
        for (unsigned k = 0; k < CODES && s + 1 < count; k++) {
            const struct zfse *t = &f->fse[order[k]];
            uint32_t *at = &state[order[k]];
            *at = t->cell[*at].base + zbits_take(b, t->cell[*at].bits);
        }
    }
    return b->at == 0 && copy(f, f->literals + used, f->nliterals - used);
}

static bool packed_block(struct frame *f, const uint8_t *in, size_t n)
{
    size_t at = literals(f, in, n);
    if (!at || at == n)
        return false;
    uint32_t count = in[at++];
    if (count >= 128) {
        unsigned more = count == 255 ? 2 : 1;
        if (n - at < more)
            return false;
        count = count == 255 ? little(in + at, 2) + 0x7f00 : ((count - 128) << 8) + in[at];
        at += more;
    }
    if (!count)
        return at == n && copy(f, f->literals, f->nliterals);
    if (at == n)
        return false;
    unsigned modes = in[at++];
    for (unsigned k = 0; k < CODES; k++) {
        int used = table(f, k, modes >> (6 - 2 * k) & 3, in + at, n - at);
        if (used < 0)
            return false;
        at += (size_t)used;
    }
    struct zbits b;
    return zbits_open(&b, in + at, n - at) && run(f, &b, count);
}

/* ---- frames ---- */

/* Bytes of a frame's head; 0: it is damaged. */
static size_t head(const uint8_t *in, size_t n)
{
    static const uint8_t dictionary[] = { 0, 1, 2, 4 }, content[] = { 0, 2, 4, 8 };
    if (n < 5)
        return 0;
    unsigned d = in[4];
    bool single = d & 32;
    size_t bytes = 5 + !single + dictionary[d & 3] + (single && !(d >> 6) ? 1 : content[d >> 6]);
    return d & 8 || d & 3 || bytes > n ? 0 : bytes;
}

/* Bytes of a frame; 0: it is damaged. */
static size_t frame(struct frame *f, const uint8_t *in, size_t n)
{
    size_t at = head(in, n);
    if (!at)
        return 0;
    f->from = f->at;
    f->has_huf = f->has_fse[0] = f->has_fse[1] = f->has_fse[2] = false;
    f->recent[0] = 1, f->recent[1] = 4, f->recent[2] = 8;
    for (bool last = false; !last;) {
        enum { RAW, ONE, PACKED };
        if (n - at < 3)
            return 0;
        uint32_t block = little(in + at, 3), size = block >> 3, kind = block >> 1 & 3;
        size_t bytes = kind == ONE ? 1 : size;
        last = block & 1, at += 3;
        if (bytes > n - at)
            return 0;
        bool ok = kind == RAW ? copy(f, in + at, size) : kind == PACKED &&
                                                           packed_block(f, in + at, size);
        if (kind == ONE && size <= f->to - f->at) {
            memset(f->out + f->at, in[at], size);
            f->at += size;
            ok = true;
        }
        if (!ok)
            return 0;
        at += bytes;
    }
    at += in[4] & 4 ? 4 : 0;                /* a checksum */
    return at <= n ? at : 0;
}

bool zstd_unpack(const uint8_t *in, size_t n, uint8_t *out, size_t to)
{
    static _Thread_local struct frame f;    /* too large for a stack */
    f.out = out, f.at = 0, f.to = to;
    for (size_t at = 0; f.at < to;) {
        if (n - at < 8)
            return false;
        uint32_t magic = little(in + at, 4);
        size_t bytes = 0;
        if ((magic & ~15u) == SKIP)
            bytes = (size_t)little(in + at + 4, 4) + 8;
        else if (magic == FRAME)
            bytes = frame(&f, in + at, n - at);
        if (!bytes || bytes > n - at)
            return false;
        at += bytes;
    }
    return true;
}

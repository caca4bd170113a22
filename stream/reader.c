/* Reads a stream, trusting nothing.  SPDX-License-Identifier: Apache-2.0
 *
 * Memory is one chunk, whatever the stream's length; a chunk is checked before any of it is
 * decoded.  Every count that is read is bounded before it is used. */
#include <stdarg.h>
#include <stddef.h>
#include "stream/stream.h"

enum { CHUNK_MOST = HS_CHUNK + 4096, LINE = 1 << 14 };
struct hs_reader {
    FILE *in;
    struct hs_header h;
    struct hs_coder c;
    bool text, ended, whole;             /* whole: the last line of text has its end */
    uint64_t offset, line, events, chunk_at;
    uint64_t chunks; /* where each chunk of events lies, as one number: what the index must say */
    bool indexed;
    const uint8_t *p, *end; /* what is left of the chunk */
    uint8_t chunk[CHUNK_MOST];
    char buf[LINE];
};

static int fail(struct hs_reader *r, char error[HS_ERROR], const char *fmt, ...)
{
    va_list ap;
    int n = r->text
                ? snprintf(error, HS_ERROR, "line %llu: ", (unsigned long long)r->line)
                : snprintf(error, HS_ERROR, "offset %llu: ",
                           (unsigned long long)(r->p ? r->chunk_at + 9 + (uint64_t)(r->p - r->chunk)
                                                     : r->offset));
    va_start(ap, fmt);
    vsnprintf(error + n, HS_ERROR - (size_t)n, fmt, ap);
    va_end(ap);
    return -1;
}

static uint64_t le(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned k = 0; k < bytes; k++)
        v |= (uint64_t)p[k] << 8 * k;
    return v;
}

static uint64_t mix(uint64_t sum, uint64_t v) { return (sum ^ v) * 0x9e3779b97f4a7c15u ^ v >> 7; }

/* The index, as long as the stream, piece by piece: it must say where the chunks lie that came. */
static int read_index(struct hs_reader *r, size_t n, uint32_t sum, char error[HS_ERROR])
{
    enum { ENTRY = 24, PIECE = 1024 * ENTRY };
    uint32_t a = 1, b = 0;
    uint64_t says = 0;
    if (r->indexed || n % ENTRY)
        return fail(r, error, r->indexed ? "a second index" : "an index of %zu bytes", n);
    for (size_t left = n; left;) {
        const size_t part = left < PIECE ? left : PIECE;
        if (fread(r->chunk, 1, part, r->in) != part)
            return fail(r, error, "the index is cut off");
        for (size_t k = 0; k < part; k++) {
            a = (a + r->chunk[k]) % 65521;
            b = (b + a) % 65521;
        }
        for (size_t k = 0; k < part; k += ENTRY)
            says = mix(mix(says, le(r->chunk + k, 8)), le(r->chunk + k + 8, 8));
        left -= part;
    }
    if ((b << 16 | a) != sum)
        return fail(r, error, "the index is damaged");
    if (says != r->chunks)
        return fail(r, error, "the index says that the chunks of events lie elsewhere");
    r->indexed = true;
    return 'I';
}

/* The next chunk's kind, its payload at r->p; 0: the file ends; -1: it is damaged. */
static int next_chunk(struct hs_reader *r, char error[HS_ERROR])
{
    uint8_t h[9];
    r->p = NULL;
    r->chunk_at = r->offset;
    size_t got = fread(h, 1, sizeof h, r->in);
    if (!got && feof(r->in))
        return 0;
    if (got != sizeof h)
        return fail(r, error, "the stream is cut off");
    size_t n = (size_t)le(h + 1, 4);
    if (!strchr("HEIZ", h[0]) || !h[0])
        return fail(r, error, "there is no chunk of kind 0x%02x", h[0]);
    if (h[0] == 'I') {
        const int got_index = read_index(r, n, (uint32_t)le(h + 5, 4), error);
        r->offset += 9 + n;
        return got_index;
    }
    if (n > sizeof r->chunk)
        return fail(r, error, "a chunk of %zu bytes: at most %d are allowed", n, CHUNK_MOST);
    if (fread(r->chunk, 1, n, r->in) != n)
        return fail(r, error, "a chunk of %zu bytes is cut off", n);
    if (hs_adler(r->chunk, n) != le(h + 5, 4))
        return fail(r, error, "a chunk of %zu bytes is damaged", n);
    r->p = r->chunk;
    r->end = r->chunk + n;
    r->offset += 9 + n;
    return h[0];
}

static bool number(struct hs_reader *r, uint64_t *v)
{
    int last = 0;
    *v = 0;
    for (unsigned shift = 0; !last && r->p < r->end;)
        last = hs_number_byte(v, &shift, *r->p++);
    return last > 0;
}
static bool difference(struct hs_reader *r, uint64_t *v)
{
    if (!number(r, v))
        return false;
    *v = *v >> 1 ^ (0 - (*v & 1));
    return true;
}

static bool lanes(struct hs_reader *r, uint64_t *v, uint64_t mask)
{
    uint64_t at = 0, step = 0;
    if (!mask)
        return true;
    if (r->p == r->end)
        return false;
    unsigned how = *r->p++;
    if (how > 2 || (how < 2 && !number(r, &at)) || (how == 1 && !difference(r, &step)))
        return false;
    for (unsigned l = 0; l < HS_LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        if (how == 2) {
            if (!difference(r, &step))
                return false;
            v[l] = at += step;
        } else {
            v[l] = at;
            at += step;
        }
    }
    return true;
}

static bool word(struct hs_reader *r, struct hs_event *e)
{
    unsigned k = (unsigned)(e->pc ^ e->pc >> 4 ^ e->pc >> 12) & 255;
    if (r->p == r->end || *r->p > 1)
        return false;
    if (*r->p++) {
        memcpy(e->word, r->c.word[k].word, HS_WORD);
        return r->c.word[k].known && r->c.word[k].pc == e->pc;
    }
    if ((size_t)(r->end - r->p) < r->h.word_bytes)
        return false;
    memcpy(e->word, r->p, r->h.word_bytes);
    r->p += r->h.word_bytes;
    memcpy(r->c.word[k].word, e->word, HS_WORD);
    r->c.word[k].pc = e->pc;
    r->c.word[k].known = 1;
    return true;
}

static bool set(struct hs_reader *r, struct hs_event *e)
{
    for (uint64_t k;;) {
        if (!number(r, &k) || k > HS_WARPS)
            return false;
        if (!k)
            return true;
        e->warps[(k - 1) / 64] |= 1ull << (k - 1) % 64;
    }
}

static bool text(struct hs_reader *r, struct hs_event *e)
{
    uint64_t n;
    if (!number(r, &n) || n >= HS_NAME || n > (uint64_t)(r->end - r->p))
        return false;
    memcpy(e->name, r->p, (size_t)n);
    r->p += n;
    for (uint64_t k = 0; k < n; k++)
        if ((unsigned char)e->name[k] < ' ')
            return false;
    return true;
}

static bool member(struct hs_reader *r, struct hs_event *e, unsigned m)
{
    struct hs_warp_last *w = &r->c.warp[e->warp];
    uint64_t v = 0;
    switch (hs_form_of(m)) {
    case HS_DELTA:
        if (!difference(r, &v))
            return false;
        e->cycle = r->c.cycle += v;
        return true;
    case HS_NEXT:
        if (!difference(r, &v))
            return false;
        e->n = w->n + v;
        w->n = e->n + (e->kind == HS_ISSUE);
        return true;
    case HS_PC:
        if (!difference(r, &v))
            return false;
        e->pc = w->pc += v;
        return true;
    case HS_MASK:
        if (!number(r, &v))
            return false;
        hs_store(e, m, w->mask ^= v);
        return true;
    case HS_WORDS: return word(r, e);
    case HS_LANE: return hs_left_out(e, m) || lanes(r, hs_lanes_of(e, m), e->mask);
    case HS_SET: return set(r, e);
    case HS_TEXT: return text(r, e);
    default:
        if (!number(r, &v))
            return false;
        if (m == HS_M_warp && v >= HS_WARPS)
            return false;
        hs_store(e, m, v);
        return true;
    }
}

/* One event of the chunk.  What it does not hold is zero, but for the lanes' values. */
static bool decode(struct hs_reader *r, struct hs_event *e)
{
    memset(e, 0, offsetof(struct hs_event, addr));
    memset(e->warps, 0, sizeof e->warps);
    memset(e->name, 0, sizeof e->name);
    e->kind = *r->p++;
    if (!e->kind || e->kind >= HS_KINDS)
        return false;
    for (const uint8_t *f = hs_fields(e->kind); *f != HS_MEMBER_COUNT; f++)
        if (!member(r, e, *f))
            return false;
    return true;
}

/* A coder as at the beginning of a chunk, as far as one event of warp 0 has used it. */
static void coder_clear(struct hs_coder *c, const struct hs_event *e, unsigned word_bytes)
{
    c->cycle = 0;
    c->warp[0] = (struct hs_warp_last){ 0 };
    c->word[(e->pc ^ e->pc >> 4 ^ e->pc >> 12) & 255].known = 0;
    c->word_bytes = word_bytes;
}

size_t hs_pack(struct hs_event *e, uint8_t to[HS_ALONE], unsigned word_bytes)
{
    static _Thread_local struct hs_coder c;
    e->cycle = e->n = e->warp = 0;
    coder_clear(&c, e, word_bytes);
    return (size_t)(hs_encode(to, e, &c) - to);
}

void hs_unpack(const uint8_t *from, size_t bytes, struct hs_event *e, unsigned word_bytes)
{
    static _Thread_local struct hs_reader r;
    r.p = from;
    r.end = from + bytes;
    r.h.word_bytes = word_bytes;
    memset(&r.c, 0, sizeof r.c);
    decode(&r, e);
}

static int read_binary(struct hs_reader *r, struct hs_event *e, char error[HS_ERROR])
{
    while (!r->p || r->p == r->end) {
        int kind = next_chunk(r, error);
        if (kind < 0)
            return -1;
        if (!kind)
            return fail(r, error, "the stream is cut off: it has no end");
        if (kind == 'H')
            return fail(r, error, "a second header");
        if (kind == 'E' && r->indexed)
            return fail(r, error, "events after the index");
        if (kind == 'E')
            r->chunks = mix(mix(r->chunks, r->chunk_at), r->events);
        if (kind == 'Z') {
            if (r->end - r->p != 8 || le(r->p, 8) != r->events)
                return fail(r, error,
                            "the end says another number of events than the %llu that were read",
                            (unsigned long long)r->events);
            r->ended = true;
            return 0;
        }
        memset(&r->c, 0, sizeof r->c);
    }
    uint64_t at = r->chunk_at + 9 + (uint64_t)(r->p - r->chunk);
    if (!decode(r, e)) {
        r->p = NULL;
        r->offset = at;
        return fail(r, error, "this is no event");
    }
    return 1;
}

static int read_line(struct hs_reader *r, char error[HS_ERROR])
{
    r->line++;
    if (!fgets(r->buf, sizeof r->buf, r->in))
        return 0;
    size_t n = strlen(r->buf);
    r->whole = n && r->buf[n - 1] == '\n';
    if (r->whole)
        r->buf[--n] = 0;
    else if (n == sizeof r->buf - 1)
        return fail(r, error, "a line of more than %d characters", LINE - 2);
    if (n && r->buf[n - 1] == '\r')
        r->buf[--n] = 0;
    return 1;
}

static int read_text(struct hs_reader *r, struct hs_event *e, char error[HS_ERROR])
{
    for (;;) {
        int got = read_line(r, error);
        if (got < 0)
            return -1;
        if (!got)
            return fail(r, error, "the stream is cut off: it has no line `end-of-stream'");
        const char *s = r->buf + strspn(r->buf, " \t");
        if (!*s || *s == '#')
            continue;
        if (!strcmp(s, "end-of-stream"))
            return r->ended = true, 0;
        char why[HS_ERROR];
        if (!r->whole)
            return fail(r, error, "the stream is cut off in this line");
        if (!hs_parse(&r->h, r->buf, e, why))
            return fail(r, error, "%s", why);
        return 1;
    }
}

int hs_read(struct hs_reader *r, struct hs_event *e, char error[HS_ERROR])
{
    char why[HS_ERROR];
    if (r->ended)
        return 0;
    int got = r->text ? read_text(r, e, error) : read_binary(r, e, error);
    if (got > 0) {
        r->events++;
        if (!hs_legal(&r->h, e, why))
            return fail(r, error, "event %llu: %s", (unsigned long long)r->events, why);
    }
    return got;
}

static bool whole(struct hs_reader *r, char error[HS_ERROR])
{
    if (r->h.lanes && r->h.warps)
        return true;
    fail(r, error, "the header does not say %s", r->h.lanes ? "`warps'" : "`lanes'");
    return false;
}

static bool binary_header(struct hs_reader *r, char error[HS_ERROR])
{
    char why[HS_ERROR];
    if (next_chunk(r, error) < 0)
        return false;
    if (!r->p || (size_t)(r->end - r->p) > HS_HEADER)
        return fail(r, error, "a stream begins with its header"), false;
    char lines[HS_HEADER + 1], *save = NULL;
    size_t n = (size_t)(r->end - r->p);
    memcpy(lines, r->p, n);
    lines[n] = 0;
    r->p = NULL;
    for (char *line = strtok_r(lines, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        if (!hs_parse_header(&r->h, line, why))
            return fail(r, error, "%s", why), false;
    return whole(r, error);
}

static bool text_header(struct hs_reader *r, char error[HS_ERROR])
{
    char why[HS_ERROR];
    int got;
    r->text = true;
    while ((got = read_line(r, error)) > 0) {
        const char *s = r->buf + strspn(r->buf, " \t");
        if (r->line == 1) {
            if (strcmp(s, "-stream 1")) /* `heddle' has been read */
                return fail(r, error, "this is no stream of version %d", HS_VERSION), false;
        } else if (!strcmp(s, "begin")) {
            return whole(r, error);
        } else if (*s && *s != '#' && !hs_parse_header(&r->h, s, why)) {
            return fail(r, error, "%s", why), false;
        }
    }
    if (!got)
        fail(r, error, "the header has no end: no line `begin'");
    return false;
}

struct hs_reader *hs_open(FILE *in, char error[HS_ERROR])
{
    struct hs_reader *r = (struct hs_reader *)calloc(1, sizeof *r);
    char magic[8] = "";
    if (!r)
        return snprintf(error, HS_ERROR, "out of memory"), NULL;
    r->in = in;
    size_t n = fread(magic, 1, 6, in);
    bool ok = false;
    if (n == 6 && !memcmp(magic, "heddle", 6)) {
        ok = text_header(r, error);
    } else if (n == 6 && !memcmp(magic, HS_MAGIC, 6) && fread(magic + 6, 1, 2, in) == 2) {
        r->offset = 8;
        if (!memcmp(magic, HS_MAGIC, 8))
            ok = binary_header(r, error);
        else
            snprintf(error, HS_ERROR, "offset 0: a stream of version `%.2s', not %d", magic + 6,
                     HS_VERSION);
    } else {
        snprintf(error, HS_ERROR, "offset 0: this is no stream of warp events");
    }
    r->c.word_bytes = r->h.word_bytes;
    if (ok)
        return r;
    free(r);
    return NULL;
}

bool hs_ends(struct hs_reader *r, char error[HS_ERROR])
{
    int c = fgetc(r->in);
    while (r->text && c != EOF && strchr(" \t\r\n", c))
        c = fgetc(r->in);
    if (c == EOF)
        return true;
    r->p = NULL;
    r->line++;
    fail(r, error, "the stream has ended, but the file goes on");
    return false;
}

void hs_close(struct hs_reader *r) { free(r); }
const struct hs_header *hs_header_of(const struct hs_reader *r) { return &r->h; }
uint64_t hs_events_read(const struct hs_reader *r) { return r->events; }

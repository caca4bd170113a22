/* A stream of warp events: what a SIMT core says of itself, whoever built it (docs/stream.md).
 * SPDX-License-Identifier: Apache-2.0
 *
 * One header, no dependencies, C99 and C++.  A core's bench fills struct hs_event and calls hs_put;
 * what comes out is a file or a pipe that `heddle stream` checks, prints and compares.
 *
 *     FILE *out = fopen("core.hst", "wb");
 *     static struct hs_writer w;
 *     hs_begin(&w, out, "core mine\nlanes 4\nwarps 8\nstep 4\nreports issue fetch\n...");
 *     struct hs_event e = { HS_ISSUE };
 *     e.cycle = 12; e.warp = 0; e.n = 0; e.pc = 0x80000000; e.active = e.exec = 0xf;
 *     hs_put(&w, &e);
 *     hs_end(&w);
 *
 * Layout of a file: HS_MAGIC; then chunks: kind (1 byte), bytes of the payload (4, little-endian),
 * Adler-32 of the payload (4), payload.  Kinds: 'H' the header, as text, once and first; 'E'
 * events; 'I' the index: for each 'E' chunk its offset, first event and first cycle (8 bytes each);
 * 'Z' the end: number of events (8 bytes).  Every 'E' chunk can be decoded without the others: what
 * differences are taken to is 0 at its beginning.  A number is a LEB128 of at most 10 bytes; a
 * difference is zigzag-coded before. */
#ifndef HEDDLE_STREAM_H
#define HEDDLE_STREAM_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif

#define HS_VERSION 1
#define HS_MAGIC   "HeddleS1"
enum { HS_LANES = 64, HS_WARPS = 1024, HS_WORD = 16, HS_CHUNK = 1 << 16, HS_HEADER = 1 << 14,
       HS_NAME = 120 };

/* What an event can hold, in the order in which it is stored.  MEMBER(name, form, sentence); a form
 * says how it is stored and printed:
 *   DEC        a number            DELTA  a number, as a difference to that of the event before
 *   NEXT       a number that grows by one within a warp
 *   PC         an address of code, as a difference to the warp's last
 *   MASK       a bit a lane, as what differs from the warp's last; BITS  as a number
 *   WORD       an instruction word, bytes in order of address, stored where its PC had another
 *   LANES      a number for each lane of `mask'
 *   SET        a bit a warp        TEXT   up to HS_NAME - 1 bytes without control characters */
#define HS_MEMBERS(MEMBER) \
    MEMBER(cycle,      DELTA, "the core's clock") \
    MEMBER(warp,       DEC,   "the hardware slot that holds the warp, from 0") \
    MEMBER(n,          NEXT,  "number of the instruction in its warp; grows by one") \
    MEMBER(pc,         PC,    "address of the instruction, or where lanes go on") \
    MEMBER(active,     MASK,  "lanes that issue") \
    MEMBER(exec,       MASK,  "of these, lanes that execute: the guard holds") \
    MEMBER(mask,       MASK,  "the lanes that are meant") \
    MEMBER(word,       WORD,  "the instruction") \
    MEMBER(last,       DEC,   "1: nothing of this instruction follows") \
    MEMBER(reg,        DEC,   "number of the register or predicate") \
    MEMBER(bits,       BITS,  "the predicate, a bit a lane") \
    MEMBER(block,      DEC,   "linear number of the block") \
    MEMBER(index,      DEC,   "number of the warp in its block") \
    MEMBER(op,         DEC,   "1 load, 2 store, 3 atomic") \
    MEMBER(space,      DEC,   "1 global, 2 shared by a block, 3 of a lane alone, 4 constant") \
    MEMBER(size,       DEC,   "bytes that each lane accesses: 1, 2, 4, 8 or 16") \
    MEMBER(data,       DEC,   "bytes of data that follow for each lane: 0 (not reported) or size") \
    MEMBER(addr,       LANES, "address of each lane") \
    MEMBER(val,        LANES, "value of each lane; of 16 bytes the lower 8") \
    MEMBER(high,       LANES, "the upper 8; 0 where data is not 16") \
    MEMBER(token,      DEC,   "the place where lanes are parked; used again once closed") \
    MEMBER(to,         DEC,   "the token at which they are parked from now on") \
    MEMBER(why,        DEC,   "reason, in the core's own numbers; 0: none is said") \
    MEMBER(barrier,    DEC,   "name of the block barrier, one for all blocks") \
    MEMBER(need,       DEC,   "how many arrivals let it go, as it is now; 0: not said") \
    MEMBER(count,      DEC,   "how many arrivals this is: 1 where warps are counted, or lanes") \
    MEMBER(generation, DEC,   "how often this barrier was let go before") \
    MEMBER(by,         DEC,   "the warp that did it") \
    MEMBER(warps,      SET,   "the warps that are meant") \
    MEMBER(busy,       DEC,   "1: the core is still busy; 0: it is idle") \
    MEMBER(name,       TEXT,  "what runs")

/* The events.  EVENT(name, sentence), then its members: FIELD(event, member). */
#define HS_EVENTS(EVENT, FIELD) \
    EVENT(run, "A run begins: every lane is off, every token closed, every barrier open.") \
        FIELD(run, name) \
    EVENT(start, "Lanes that were off run, from pc; block and index say for whom.") \
        FIELD(start, cycle) FIELD(start, warp) FIELD(start, pc) FIELD(start, mask) \
        FIELD(start, block) \
        FIELD(start, index) \
    EVENT(spawn, "A warp has other warps started, or placed.") \
        FIELD(spawn, cycle) FIELD(spawn, by) FIELD(spawn, warps) \
    EVENT(issue, "An instruction of a warp issues.") \
        FIELD(issue, cycle) FIELD(issue, warp) FIELD(issue, n) FIELD(issue, pc) \
        FIELD(issue, active) \
        FIELD(issue, exec) FIELD(issue, word) \
    EVENT(read, "It reads a register.") \
        FIELD(read, cycle) FIELD(read, warp) FIELD(read, n) FIELD(read, mask) FIELD(read, reg) \
        FIELD(read, val) \
    EVENT(write, "It writes a register, under a mask.") \
        FIELD(write, cycle) FIELD(write, warp) FIELD(write, n) FIELD(write, mask) \
        FIELD(write, reg) \
        FIELD(write, val) \
    EVENT(pred, "It writes a predicate, under a mask.") \
        FIELD(pred, cycle) FIELD(pred, warp) FIELD(pred, n) FIELD(pred, mask) FIELD(pred, reg) \
        FIELD(pred, bits) \
    EVENT(mem, "Lanes access memory.") \
        FIELD(mem, cycle) FIELD(mem, warp) FIELD(mem, n) FIELD(mem, mask) FIELD(mem, op) \
        FIELD(mem, space) \
        FIELD(mem, size) FIELD(mem, data) FIELD(mem, addr) FIELD(mem, val) FIELD(mem, high) \
    EVENT(retire, "An instruction, or a part of it, ends: in any order, each lane once.") \
        FIELD(retire, cycle) FIELD(retire, warp) FIELD(retire, n) FIELD(retire, mask) \
        FIELD(retire, last) \
    EVENT(next, "Running lanes go on at pc, not at the instruction that follows.") \
        FIELD(next, cycle) FIELD(next, warp) FIELD(next, pc) FIELD(next, mask) \
    EVENT(end, "Lanes end: they are off.") \
        FIELD(end, cycle) FIELD(end, warp) FIELD(end, mask) \
    EVENT(open, "A token is opened: a barrier register, an entry of a stack, a side of a split.") \
        FIELD(open, cycle) FIELD(open, warp) FIELD(open, token) FIELD(open, why) \
    EVENT(park, "Running lanes park at a token; they will go on at pc.") \
        FIELD(park, cycle) FIELD(park, warp) FIELD(park, pc) FIELD(park, mask) \
        FIELD(park, token) FIELD(park, why) \
    EVENT(wake, "Lanes that were parked at a token run, at pc.") \
        FIELD(wake, cycle) FIELD(wake, warp) FIELD(wake, pc) FIELD(wake, mask) FIELD(wake, token) \
    EVENT(move, "Parked lanes are parked at another token; they will go on at pc.") \
        FIELD(move, cycle) FIELD(move, warp) FIELD(move, pc) FIELD(move, mask) \
        FIELD(move, token) FIELD(move, to) \
        FIELD(move, why) \
    EVENT(close, "A token is closed: no lane is parked there.") \
        FIELD(close, cycle) FIELD(close, warp) FIELD(close, token) \
    EVENT(arrive, "A warp, or lanes of it, arrives at a block barrier.") \
        FIELD(arrive, cycle) FIELD(arrive, warp) FIELD(arrive, mask) FIELD(arrive, barrier) \
        FIELD(arrive, need) \
        FIELD(arrive, count) FIELD(arrive, generation) \
    EVENT(release, "A block barrier lets warps go: all that are meant, at once.") \
        FIELD(release, cycle) FIELD(release, barrier) FIELD(release, need) \
        FIELD(release, generation) \
        FIELD(release, warps) \
    EVENT(fault, "An instruction does not end: lanes did what they must not do.") \
        FIELD(fault, cycle) FIELD(fault, warp) FIELD(fault, n) FIELD(fault, pc) \
        FIELD(fault, mask) FIELD(fault, why) \
    EVENT(finish, "The run ends.") \
        FIELD(finish, cycle) FIELD(finish, busy)

enum hs_form { HS_DEC, HS_DELTA, HS_NEXT, HS_PC, HS_MASK, HS_BITS, HS_WORDS, HS_LANE, HS_SET,
               HS_TEXT };
enum hs_member {
#define HS_M(name, form, sentence) HS_M_##name,
    HS_MEMBERS(HS_M)
#undef HS_M
    HS_MEMBER_COUNT
};
enum hs_kind {
    HS_NONE,
#define HS_E(name, sentence) HS_K_##name,
#define HS_F(event, member)
    HS_EVENTS(HS_E, HS_F)
#undef HS_E
#undef HS_F
    HS_KINDS
};
/* Those that a core cannot do without, in capitals for those who prefer it. */
#define HS_RUN    HS_K_run
#define HS_START  HS_K_start
#define HS_ISSUE  HS_K_issue
#define HS_WRITE  HS_K_write
#define HS_MEM    HS_K_mem
#define HS_RETIRE HS_K_retire
#define HS_FINISH HS_K_finish

/* Only the members that the table lists for `kind' mean anything.  LANES: elements of lanes outside
 * `mask' mean nothing. */
struct hs_event {
    uint32_t kind;
    uint32_t warp, last, reg, op, space, size, data, need, count, busy;
    uint64_t cycle, n, pc, active, exec, mask, bits, block, index, token, to, why;
    uint64_t barrier, generation, by;
    uint8_t word[HS_WORD];
    uint64_t addr[HS_LANES], val[HS_LANES], high[HS_LANES];
    uint64_t warps[HS_WARPS / 64];
    char name[HS_NAME];
};

/* What differences are taken to; the same on both sides. */
struct hs_warp_last { uint64_t n, pc, mask; };
struct hs_coder {
    uint64_t cycle;
    struct hs_warp_last warp[HS_WARPS];
    struct { uint64_t pc; uint8_t word[HS_WORD], known; } word[256];
    unsigned word_bytes;
};
struct hs_writer {
    FILE *out;
    struct hs_coder coder;
    uint8_t chunk[HS_CHUNK + 4096];
    size_t used;
    uint64_t events, offset, first_event, first_cycle;
    uint64_t (*index)[3];
    size_t nindex, room;
    int bad;                     /* what could not be written, or is no event: hs_end says so */
};

/* ---- what follows is the encoder */

/* The members of a kind, HS_MEMBER_COUNT at their end. */
static inline const uint8_t *hs_fields(unsigned kind)
{
    static uint8_t table[HS_KINDS][16];
    static int made;
    if (!made) {
        unsigned n[HS_KINDS] = { 0 };
        memset(table, HS_MEMBER_COUNT, sizeof table);
#define HS_E(name, sentence)
#define HS_F(event, member) table[HS_K_##event][n[HS_K_##event]++] = HS_M_##member;
        HS_EVENTS(HS_E, HS_F)
#undef HS_E
#undef HS_F
        made = 1;
    }
    return table[kind < HS_KINDS ? kind : 0];
}

static inline uint32_t hs_adler(const uint8_t *p, size_t n)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n;) {
        size_t end = n - i < 5552 ? n : i + 5552;
        for (; i < end; i++) b += a += p[i];
        a %= 65521u;
        b %= 65521u;
    }
    return b << 16 | a;
}
static inline uint8_t *hs_number(uint8_t *p, uint64_t v)
{
    for (; v > 127; v >>= 7) *p++ = (uint8_t)(v | 128);
    *p++ = (uint8_t)v;
    return p;
}
/* Reads a number byte by byte, from 0 and shift 0.  1: this was its last byte; 0: more follow; -1:
 * it is none. */
static inline int hs_number_byte(uint64_t *v, unsigned *shift, uint8_t b)
{
    if (*shift > 63 || (*shift == 63 && b > 1)) return -1;
    *v |= (uint64_t)(b & 127) << *shift;
    *shift += 7;
    return b < 128;
}
static inline uint64_t hs_zigzag(uint64_t d) { return d << 1 ^ (uint64_t)((int64_t)d >> 63); }

/* Values of the lanes of mask: 0 value: all the same; 1 value step: a row; 2: differences from lane
 * to lane. */
static inline uint8_t *hs_lanes(uint8_t *p, const uint64_t *v, uint64_t mask)
{
    uint64_t first = 0, before = 0, step = 0;
    int n = 0, row = 1;
    for (unsigned l = 0; l < HS_LANES && mask >> l; l++) {
        if (!(mask >> l & 1)) continue;
        if (!n) first = v[l];
        else if (n == 1) step = v[l] - first;
        else if (v[l] - before != step) row = 0;
        before = v[l];
        n++;
    }
    if (!n) return p;
    *p++ = (uint8_t)(!row ? 2 : step ? 1 : 0);
    if (row) {
        p = hs_number(p, first);
        return step ? hs_number(p, hs_zigzag(step)) : p;
    }
    before = 0;
    for (unsigned l = 0; l < HS_LANES && mask >> l; l++)
        if (mask >> l & 1) {
            p = hs_number(p, hs_zigzag(v[l] - before));
            before = v[l];
        }
    return p;
}
static inline uint8_t *hs_word(uint8_t *p, const struct hs_event *e, struct hs_coder *c)
{
    unsigned k = (unsigned)(e->pc ^ e->pc >> 4 ^ e->pc >> 12) & 255;
    int same = c->word[k].known && c->word[k].pc == e->pc &&
               !memcmp(c->word[k].word, e->word, c->word_bytes);
    *p++ = (uint8_t)same;
    if (!same) {
        memcpy(p, e->word, c->word_bytes);
        p += c->word_bytes;
        memcpy(c->word[k].word, e->word, HS_WORD);
        c->word[k].pc = e->pc;
        c->word[k].known = 1;
    }
    return p;
}

static inline uint8_t *hs_set(uint8_t *p, const uint64_t *set)
{
    for (unsigned k = 0; k < HS_WARPS; k++)
        if (set[k / 64] >> k % 64 & 1) p = hs_number(p, k + 1);
    *p++ = 0;
    return p;
}
static inline uint8_t *hs_text(uint8_t *p, const char *text)
{
    size_t n = strlen(text);
    p = hs_number(p, n);
    memcpy(p, text, n);
    return p + n;
}

/* What a memory event does not report takes no room: its data, or the upper half of it. */
static inline int hs_left_out(const struct hs_event *e, unsigned member)
{
    return (member == HS_M_val && e->kind == HS_K_mem && !e->data) ||
           (member == HS_M_high && e->data != 16);
}

/* The event as bytes (at most 4,000), after `p': each member as its form says. */
static inline uint8_t *hs_encode(uint8_t *p, const struct hs_event *e, struct hs_coder *c)
{
    struct hs_warp_last *w = &c->warp[e->warp < HS_WARPS ? e->warp : 0];
#define HS_PUT_DEC(m)   p = hs_number(p, e->m)
#define HS_PUT_DELTA(m) p = hs_number(p, hs_zigzag(e->m - c->m)), c->m = e->m
#define HS_PUT_NEXT(m)  \
    p = hs_number(p, hs_zigzag(e->m - w->m)), w->m = e->m + (e->kind == HS_K_issue)
#define HS_PUT_PC(m)    p = hs_number(p, hs_zigzag(e->m - w->m)), w->m = e->m
#define HS_PUT_MASK(m)  p = hs_number(p, e->m ^ w->mask), w->mask = e->m
#define HS_PUT_BITS(m)  p = hs_number(p, e->m)
#define HS_PUT_WORD(m)  p = hs_word(p, e, c)
#define HS_PUT_LANES(m) p = hs_lanes(p, e->m, e->mask)
#define HS_PUT_SET(m)   p = hs_set(p, e->m)
#define HS_PUT_TEXT(m)  p = hs_text(p, e->m)
    *p++ = (uint8_t)e->kind;
    for (const uint8_t *f = hs_fields(e->kind); *f != HS_MEMBER_COUNT; f++) {
        if (hs_left_out(e, *f)) continue;
        switch (*f) {
#define HS_M(name, form, sentence) case HS_M_##name: HS_PUT_##form(name); break;
        HS_MEMBERS(HS_M)
#undef HS_M
        default: break;
        }
    }
#undef HS_PUT_DEC
#undef HS_PUT_DELTA
#undef HS_PUT_NEXT
#undef HS_PUT_PC
#undef HS_PUT_MASK
#undef HS_PUT_BITS
#undef HS_PUT_WORD
#undef HS_PUT_LANES
#undef HS_PUT_SET
#undef HS_PUT_TEXT
    return p;
}

static inline void hs_bytes(struct hs_writer *w, char kind, const void *payload, size_t n)
{
    uint8_t h[9];
    uint32_t sum = hs_adler((const uint8_t *)payload, n);
    h[0] = (uint8_t)kind;
    for (int k = 0; k < 4; k++) {
        h[1 + k] = (uint8_t)(n >> 8 * k);
        h[5 + k] = (uint8_t)(sum >> 8 * k);
    }
    if (fwrite(h, 1, 9, w->out) != 9 || (n && fwrite(payload, 1, n, w->out) != n)) w->bad = 1;
    w->offset += 9 + n;
}
static inline void hs_le64(uint8_t *p, uint64_t v)
{
    for (int k = 0; k < 8; k++) p[k] = (uint8_t)(v >> 8 * k);
}

/* Writes what has come so far: a pipe's reader then has it. */
static inline void hs_flush(struct hs_writer *w)
{
    if (w->used) {
        if (w->nindex == w->room) {
            size_t room = w->room ? 2 * w->room : 64;
            uint64_t (*grown)[3] = (uint64_t (*)[3])realloc(w->index, room * sizeof *grown);
            if (grown) w->index = grown, w->room = room;
            else w->bad = 1;
        }
        if (w->nindex < w->room) {
            w->index[w->nindex][0] = w->offset;
            w->index[w->nindex][1] = w->first_event;
            w->index[w->nindex++][2] = w->first_cycle;
        }
        hs_bytes(w, 'E', w->chunk, w->used);
        w->used = 0;
        unsigned bytes = w->coder.word_bytes;
        memset(&w->coder, 0, sizeof w->coder);
        w->coder.word_bytes = bytes;
    }
    if (fflush(w->out)) w->bad = 1;
}

/* Begins a stream.  header: lines as docs/stream.md says; its bytes an instruction word are those
 * of `word N'. */
static inline void hs_begin(struct hs_writer *w, FILE *out, const char *header)
{
    const char *word = strstr(header, "\nword ");
    memset(w, 0, sizeof *w);
    w->out = out;
    w->coder.word_bytes = word ? (unsigned)atoi(word + 6) : 0;
    if (w->coder.word_bytes > HS_WORD || strlen(header) > HS_HEADER) {
        w->bad = 1;
        w->coder.word_bytes = 0;
    }
    if (fwrite(HS_MAGIC, 1, 8, out) != 8) w->bad = 1;
    w->offset = 8;
    hs_bytes(w, 'H', header, strlen(header));
}

static inline void hs_put(struct hs_writer *w, const struct hs_event *e)
{
    if (e->kind == HS_NONE || e->kind >= HS_KINDS || e->warp >= HS_WARPS ||
        (e->kind == HS_RUN && !memchr(e->name, 0, HS_NAME))) {
        w->bad = 1;
        return;
    }
    if (!w->used) {
        w->first_event = w->events;
        w->first_cycle = e->cycle;
    }
    w->used = (size_t)(hs_encode(w->chunk + w->used, e, &w->coder) - w->chunk);
    w->events++;
    if (w->used >= HS_CHUNK) hs_flush(w);
}

/* Ends the stream; the file is the caller's to close.  0: all of it was written. */
static inline int hs_end(struct hs_writer *w)
{
    uint8_t end[8], *index;
    hs_flush(w);
    index = (uint8_t *)malloc(w->nindex * 24 + 1);
    if (index) {
        for (size_t k = 0; k < w->nindex; k++)
            for (int j = 0; j < 3; j++) hs_le64(index + 24 * k + 8 * (size_t)j, w->index[k][j]);
        hs_bytes(w, 'I', index, w->nindex * 24);
        free(index);
    } else {
        w->bad = 1;
    }
    hs_le64(end, w->events);
    hs_bytes(w, 'Z', end, 8);
    free(w->index);
    w->index = NULL;
    if (fflush(w->out)) w->bad = 1;
    return w->bad;
}

#ifdef __cplusplus
}
#endif
#endif

/* Gathers commits for the timeline: records as bytes, chunks, spans of time.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A record: varint of the time since the warp's commit before; a byte of flags; zigzag varint of
 * the instructions between the PC and the one after the last; then, by flag, active mask, executing
 * mask (else equal to the active one), the groups that do not run, and what happened.  A chunk
 * begins as if nothing had been before. */
#include "harness/view/timeline.h"
#include "cmodel/base/packed.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { HAS_ACTIVE = 1, HAS_EXEC = 2, HAS_GROUPS = 4, HAS_EVENTS = 8,
       RECORD_MOST = 1100 /* bytes */ };

/* ---- bytes ---- */

static void put_var(struct timeline_warp *w, uint64_t v)
{
    for (; v > 127; v >>= 7)
        w->open[w->open_bytes++] = (uint8_t)(v | 128);
    w->open[w->open_bytes++] = (uint8_t)v;
}

static void put_mask(struct timeline_warp *w, uint64_t m)
{
    const size_t n = w->wide ? 8 : 4;
    memcpy(w->open + w->open_bytes, &m, n);
    w->open_bytes += n;
}

static bool close_chunk(struct timeline_warp *w)
{
    if (!w->open_n)
        return true;
    size_t n = 0;
    uint8_t *z = packed_deflate(w->open, w->open_bytes, &n);
    struct timeline_chunk *more = realloc(w->chunk, (w->nchunks + 1) * sizeof *more);
    if (more)
        w->chunk = more;
    char *text = z && more ? packed_letters(z, n, PACKED_BASE64) : NULL;
    free(z);
    if (!text)
        return false;
    w->chunk[w->nchunks++] = (struct timeline_chunk){ w->open_n, w->wide, w->open_first, text };
    w->open_bytes = w->open_n = 0;
    w->ngroups = 0;
    w->active = 0;
    w->pc = 0;
    w->time = 0;
    return true;
}

/* ---- warps ---- */

static size_t *place(struct timeline *t, uint32_t block, unsigned warp)
{
    uint64_t h = ((uint64_t)block << 6 ^ warp) * 0x9e3779b97f4a7c15u;
    for (size_t i = (size_t)(h >> 20) & (t->nslots - 1);; i = (i + 1) & (t->nslots - 1)) {
        size_t at = t->slot[i];
        if (!at || (t->warp[at - 1].block == block && t->warp[at - 1].warp == warp))
            return &t->slot[i];
    }
}

static bool grow(struct timeline *t)
{
    size_t n = t->nslots ? t->nslots * 2 : 64;
    size_t *slot = calloc(n, sizeof *slot);
    if (!slot)
        return false;
    free(t->slot);
    t->slot = slot;
    t->nslots = n;
    for (size_t i = 0; i < t->nwarps; i++)
        *place(t, t->warp[i].block, t->warp[i].warp) = i + 1;
    return true;
}

static struct timeline_warp *find(struct timeline *t, const struct view_commit *c)
{
    if (t->nwarps * 2 >= t->nslots && !grow(t))
        return NULL;
    size_t *at = place(t, c->block, c->warp);
    if (*at)
        return &t->warp[*at - 1];
    if (t->nwarps == t->room) {
        size_t room = t->room ? t->room * 2 : 32;
        struct timeline_warp *more = realloc(t->warp, room * sizeof *more);
        if (!more)
            return NULL;
        t->warp = more;
        t->room = room;
    }
    struct timeline_warp *w = &t->warp[t->nwarps];
    *w = (struct timeline_warp){ .block = c->block,
                                 .warp = c->warp,
                                 .wide = c->lanes > 32,
                                 .first = c->cycle,
                                 .width = 1 };
    w->bucket = calloc(TIMELINE_BUCKETS, sizeof *w->bucket);
    if (!w->bucket)
        return NULL;
    *at = ++t->nwarps;
    return w;
}

const struct timeline_warp *timeline_warp(const struct timeline *t, uint32_t block, unsigned warp)
{
    for (size_t i = 0; i < t->nwarps; i++)
        if (t->warp[i].block == block && t->warp[i].warp == warp)
            return &t->warp[i];
    return NULL;
}

/* ---- a commit ---- */

/* Lanes by place and reason. */
static unsigned by_place(uint64_t lanes, const uint32_t *npc, const uint8_t *waits,
                         struct timeline_group *g)
{
    unsigned n = 0;
    for (uint64_t m = lanes; m; m &= m - 1) {
        unsigned l = view_lowest(m), k = 0;
        uint8_t wait = waits[l] == HD_WAIT_NONE ? HD_WAIT_READY : waits[l];
        while (k < n && (g[k].wait != wait || g[k].pc != npc[l]))
            k++;
        if (k == n)
            g[n++] = (struct timeline_group){ 0, npc[l], wait };
        g[k].mask |= 1ull << l;
    }
    return n;
}

/* The live lanes that do not run this instruction.  The state is that after it: those that run
 * next were ready. */
static unsigned groups_of(const struct view_commit *c, struct timeline_group *g)
{
    return by_place(c->live & ~c->active, c->npc, c->wait, g);
}

unsigned timeline_left(const struct timeline_warp *w, struct timeline_group g[VIEW_LANES])
{
    return by_place(w->left.live, w->left.npc, w->left.wait, g);
}

static uint32_t events_of(const struct view_commit *c)
{
    return (c->conv ? TL_BARRIER : 0) | (c->released ? TL_RELEASE : 0) |
           (c->gaveway ? TL_GAVEWAY : 0) | (c->fault ? TL_FAULT : 0) | (c->pushed ? TL_PUSH : 0) |
           (c->popped ? TL_POP : 0) | (c->spilled ? TL_SPILL : 0) | (c->filled ? TL_FILL : 0);
}

static bool same_groups(const struct timeline_group *a, const struct timeline_group *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (a[i].mask != b[i].mask || a[i].pc != b[i].pc || a[i].wait != b[i].wait)
            return false;
    return true;
}

static void put_record(struct timeline_warp *w, const struct view_commit *c, uint32_t events,
                       const struct timeline_group *g, unsigned n)
{
    bool regroup = n != w->ngroups || !same_groups(g, w->group, n);
    int32_t skip = (int32_t)(c->pc - w->pc) - HD_INSN_BYTES;
    put_var(w, c->cycle - w->time);
    w->open[w->open_bytes++] = (uint8_t)((c->active != w->active ? HAS_ACTIVE : 0) |
                                         (c->exec != c->active ? HAS_EXEC : 0) |
                                         (regroup ? HAS_GROUPS : 0) | (events ? HAS_EVENTS : 0));
    put_var(w, (uint32_t)skip << 1 ^ (uint32_t)(skip >> 31));
    if (c->active != w->active)
        put_mask(w, c->active);
    if (c->exec != c->active)
        put_mask(w, c->exec);
    if (regroup) {
        w->open[w->open_bytes++] = (uint8_t)n;
        for (unsigned i = 0; i < n; i++) {
            put_mask(w, g[i].mask);
            w->open[w->open_bytes++] = g[i].wait;
            put_var(w, g[i].pc);
        }
        memcpy(w->group, g, n * sizeof *g);
        w->ngroups = n;
    }
    if (!events)
        return;
    put_var(w, events);
    if (events & TL_BARRIER) {
        w->open[w->open_bytes++] = c->bx;
        put_mask(w, c->bbefore);
        put_mask(w, c->bafter);
    }
    if (events & TL_RELEASE)
        put_mask(w, c->released);
    if (events & TL_FAULT)
        w->open[w->open_bytes++] = c->fault;
    if (events & (TL_PUSH | TL_POP | TL_SPILL | TL_FILL))
        put_var(w, c->depth);
}

/* Lanes that ran together and go on at two places or more. */
static bool splits(const struct view_commit *c)
{
    uint64_t m = c->active & c->live;
    if (!m || c->fault)
        return false;
    uint32_t first = c->npc[view_lowest(m)];
    for (; m; m &= m - 1)
        if (c->npc[view_lowest(m)] != first)
            return true;
    return false;
}

static void count(struct timeline_warp *w, const struct view_commit *c, uint32_t events)
{
    while (c->cycle / w->width >= TIMELINE_BUCKETS) {
        for (unsigned i = 0; i < TIMELINE_BUCKETS / 2; i++) {
            const struct timeline_bucket a = w->bucket[2 * i], b = w->bucket[2 * i + 1];
            w->bucket[i] = (struct timeline_bucket){ a.n + b.n, a.lanes + b.lanes,
                                                     a.events | b.events };
        }
        memset(w->bucket + TIMELINE_BUCKETS / 2, 0, TIMELINE_BUCKETS / 2 * sizeof *w->bucket);
        w->width *= 2;
    }
    struct timeline_bucket *b = &w->bucket[c->cycle / w->width];
    unsigned lanes = view_count(c->active);
    b->n++;
    b->lanes += lanes;
    b->events |= events;
    w->n++;
    w->lanes += lanes;
    w->last = c->cycle;
    w->left.live = c->live;
    memcpy(w->left.npc, c->npc, sizeof w->left.npc);
    memcpy(w->left.wait, c->wait, sizeof w->left.wait);
}

bool timeline_add(struct timeline *t, const struct view_commit *c)
{
    struct timeline_group g[VIEW_LANES];
    struct timeline_warp *w = find(t, c);
    if (!w || (w->open_n == TIMELINE_CHUNK && !close_chunk(w)))
        return !(t->no_memory = true);
    if (w->open_room < w->open_bytes + RECORD_MOST) {
        size_t room = w->open_room ? w->open_room * 2 : 2 * RECORD_MOST;
        uint8_t *more = realloc(w->open, room);
        if (!more)
            return !(t->no_memory = true);
        w->open = more;
        w->open_room = room;
    }
    if (!w->open_n)
        w->open_first = c->cycle;
    bool split = splits(c);
    uint32_t events = events_of(c) | (split ? TL_DIVERGED : 0);
    put_record(w, c, events, g, groups_of(c, g));
    w->open_n++;
    w->time = c->cycle;
    w->pc = c->pc;
    w->active = c->active;
    count(w, c, events);
    t->n++;
    t->diverged += split;
    return true;
}

bool timeline_end(struct timeline *t)
{
    for (size_t i = 0; i < t->nwarps; i++)
        t->no_memory |= !close_chunk(&t->warp[i]);
    return !t->no_memory;
}

void timeline_free(struct timeline *t)
{
    for (size_t i = 0; i < t->nwarps; i++) {
        struct timeline_warp *w = &t->warp[i];
        for (size_t k = 0; k < w->nchunks; k++)
            free(w->chunk[k].text);
        free(w->chunk);
        free(w->open);
        free(w->bucket);
    }
    free(t->warp);
    free(t->slot);
    *t = (struct timeline){ 0 };
}

/* ---- reading back ---- */

static unsigned digit_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? (unsigned)(c - 'A')
           : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 26
           : c >= '0' && c <= '9' ? (unsigned)(c - '0') + 52
           : c == '+'             ? 62
                                  : 63;
}

bool timeline_read(struct timeline_reader *r, const struct timeline_chunk *c)
{
    size_t n = strlen(c->text), bytes = n / 4 * 3, room = (size_t)c->n * RECORD_MOST;
    uint8_t *z = malloc(bytes + 3);
    *r = (struct timeline_reader){ .bytes = malloc(room), .wide = c->wide };
    if (!z || !r->bytes) {
        free(z);
        return false;
    }
    for (size_t i = 0; i + 3 < n; i += 4) {
        uint32_t v = 0;
        for (unsigned k = 0; k < 4; k++)
            v = v << 6 | (c->text[i + k] == '=' ? 0 : digit_of(c->text[i + k]));
        z[i / 4 * 3] = (uint8_t)(v >> 16);
        z[i / 4 * 3 + 1] = (uint8_t)(v >> 8);
        z[i / 4 * 3 + 2] = (uint8_t)v;
    }
    z_stream s = {
        .next_in = z, .avail_in = (uInt)bytes, .next_out = r->bytes, .avail_out = (uInt)room
    };
    bool ok = inflateInit2(&s, -15) == Z_OK && inflate(&s, Z_FINISH) == Z_STREAM_END;
    r->n = s.total_out;
    inflateEnd(&s);
    free(z);
    return ok;
}

static uint64_t get_var(struct timeline_reader *r)
{
    uint64_t v = 0;
    for (unsigned s = 0; r->at < r->n; s += 7) {
        uint8_t b = r->bytes[r->at++];
        v |= (uint64_t)(b & 127) << s;
        if (b < 128)
            break;
    }
    return v;
}

static uint64_t get_mask(struct timeline_reader *r)
{
    const size_t n = r->wide ? 8 : 4;
    uint64_t m = 0;
    if (r->at + n <= r->n)
        memcpy(&m, r->bytes + r->at, n);
    r->at += n;
    return m;
}

bool timeline_next(struct timeline_reader *r)
{
    if (r->at >= r->n)
        return false;
    r->time += get_var(r);
    uint8_t has = r->bytes[r->at++];
    uint32_t zigzag = (uint32_t)get_var(r);
    r->pc += HD_INSN_BYTES + ((zigzag >> 1) ^ (uint32_t)-(int32_t)(zigzag & 1));
    if (has & HAS_ACTIVE)
        r->active = get_mask(r);
    r->exec = has & HAS_EXEC ? get_mask(r) : r->active;
    if (has & HAS_GROUPS) {
        r->ngroups = r->bytes[r->at++];
        for (unsigned i = 0; i < r->ngroups; i++) {
            r->group[i].mask = get_mask(r);
            r->group[i].wait = r->bytes[r->at++];
            r->group[i].pc = (uint32_t)get_var(r);
        }
    }
    r->events = has & HAS_EVENTS ? (uint32_t)get_var(r) : 0;
    if (r->events & TL_BARRIER) {
        r->bx = r->bytes[r->at++];
        r->before = get_mask(r);
        r->after = get_mask(r);
    }
    r->released = r->events & TL_RELEASE ? get_mask(r) : 0;
    r->fault = r->events & TL_FAULT ? r->bytes[r->at++] : 0;
    if (r->events & (TL_PUSH | TL_POP | TL_SPILL | TL_FILL))
        r->depth = (uint32_t)get_var(r);
    return true;
}

void timeline_done(struct timeline_reader *r)
{
    free(r->bytes);
    *r = (struct timeline_reader){ 0 };
}

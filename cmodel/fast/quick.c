/* Accesses whose lanes all may act: a row of words, one address, or words anywhere in one range.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One look at all addresses decides, and one check of a range: of the lanes that take part, in a
 * row the first and the last one, otherwise the lowest and the highest address.
 *
 * Subtle: lanes are looked at by the lower words of their addresses, the upper word being the same
 * in all of them; where it is not, or a lower word would wrap around, it is left to memory.c. */
#include "cmodel/fast/quick.h"
#include <string.h>

struct quick {
    uint8_t *p;                             /* of address 0 of the space, */
    u32 base;                               /* which physically is this, but for shared memory */
    u64 at;                                 /* of the lowest lane that takes part */
    u32 first, last;                        /* lanes that take part */
    bool shared;
};

static inline u32 on(u32 exec, u32 l)
{
    return (u32)((s32)(exec << (HD_LANES - 1 - l)) >> 31);
}

/* Whether anything is to be done but the access itself.  m->fault: of a carrier whose pop faults;
 * its access is checked, but not done. */
static inline bool plain(const struct model *m, enum hd_space space, u32 exec)
{
    return exec && !m->hooks.accesses && !m->bus.n && space != SPACE_LOCAL && !m->fault;
}

static inline bool wide(enum hd_space space)
{
    return space == SPACE_GLOBAL || space == SPACE_GENERIC;
}

/* What the upper words are to be, as an address.  hi: the row of them, or NULL. */
static inline u64 upper(const u32 *hi, u32 exec)
{
    return hi ? (u64)hi[__builtin_ctz(exec)] << 32 : 0;
}

/* In a generic access it is shared or local memory that they name. */
static inline bool apart_from_global(enum hd_space space, u64 up)
{
    return space == SPACE_GENERIC && (up >> 32 == SPACE_SHARED || up >> 32 == SPACE_LOCAL);
}

/* mem_in_range, where the range that held the last access mostly holds this one. */
static inline bool in_range(struct model *m, u64 first, u64 last, bool write)
{
    const struct launch_range *r = &m->launch.range[m->last_range];
    const bool here = first >= r->base && last < r->limit && (!write || r->writable);
    return here || mem_in_range(m, first, last, write);
}

/* Bytes from a to end, as far as the lanes may reach them. */
static inline bool reaches(struct model *m, const struct warp *w, enum hd_space space, s64 a,
                           s64 end, bool write, struct quick *q)
{
    const struct launch *k = &m->launch;
    q->shared = space == SPACE_SHARED;
    q->base = space == SPACE_CONST ? k->const_base : 0;
    q->p = m->mem + (q->shared ? m->core.shared_at + (u64)w->block_slot * k->shared_size : q->base);
    if (a < 0)
        return false;
    return q->shared              ? end < k->shared_size
           : space == SPACE_CONST ? end < k->const_size
                                  : in_range(m, (u64)a, (u64)end, write);
}

/* Addresses in the lanes of exec are that of the lowest one plus `step` a lane. */
static inline bool steps(const u32 *lo, const u32 *hi, bool pairs, u32 exec, u32 step)
{
    u32 l0 = (u32)__builtin_ctz(exec), from = lo[l0] - step * l0, differ = 0;
    const u32 up = pairs ? hi[l0] : 0;
    if (exec == ~0u)
        for (u32 l = 0; l < HD_LANES; l++)
            differ |= (lo[l] ^ (from + step * l)) | (pairs ? hi[l] ^ up : 0);
    else
        for (u32 l = 0; l < HD_LANES; l++)
            differ |= ((lo[l] ^ (from + step * l)) | (pairs ? hi[l] ^ up : 0)) & on(exec, l);
    return !differ;
}

/* A row of words (step 4), or one address (step 0). */
static inline bool in_steps(struct model *m, const struct warp *w, const struct op *op,
                            enum hd_space space, u32 exec, u32 size, u32 step, bool write,
                            struct quick *q)
{
    const u32 *lo = w->r[op->ra], *hi = w->r[op->ra + 1];
    if (!steps(lo, hi, wide(space), exec, step))
        return false;
    q->first = (u32)__builtin_ctz(exec);
    q->last = HD_LANES - 1 - (u32)__builtin_clz(exec);
    const u64 up = upper(wide(space) ? hi : NULL, exec);
    const s64 a = (s64)(up | lo[q->first]) + op->i.off;
    q->at = (u64)a;
    return !(a & (size - 1)) && !apart_from_global(space, up) &&
           lo[q->first] <= UINT32_MAX - HD_LANES * 4 &&
           reaches(m, w, space, a, a + (s64)step * (q->last - q->first) + size - 1, write, q);
}

/* Whether what is `by' bytes on from the words that were looked at last is words, too, which share
 * their sectors alike. */
static inline bool same_sectors(const struct scatter *k, u32 by)
{
    const u32 up = by & 31;
    return !(up & 3) && (k->high + up < 32 || k->low + up >= 32);
}

/* Whether exec's words are those that were looked at last, all as many bytes on, in sectors that
 * they share alike.  Two lanes tell in most cases.  Upper words may be others than before. */
static inline bool moved(const struct scatter *k, const u32 *lo, const u32 *hi, u32 off, u32 exec)
{
    if (exec != k->exec)
        return false;
    const u32 l0 = (u32)__builtin_ctz(exec), l1 = HD_LANES - 1 - (u32)__builtin_clz(exec);
    const u32 by = lo[l0] - k->lo[l0];
    const u32 up = hi ? hi[l0] : 0;
    u32 differ = 0;
    if (lo[l1] - k->lo[l1] != by || !same_sectors(k, by + off - k->off))
        return false;
    for (u32 l = 0; l < HD_LANES; l++)
        differ |= ((lo[l] - k->lo[l] - by) | (hi ? hi[l] ^ up : 0)) & on(exec, l);
    return !differ;
}

/* Looks at all addresses of exec.  No branch depends on them: where lanes have gone their own ways
 * they are hard to foresee. */
static inline bool look(struct scatter *k, const u32 *lo, const u32 *hi, u32 off, u32 exec)
{
    u32 least = ~0u, most = 0, bits = 0, sectors = 0, from = 31, to = 0, columns = 0;
    const u32 up = hi ? hi[__builtin_ctz(exec)] : 0;
    for (u32 l = 0; l < HD_LANES; l++) {
        const u32 low = lo[l] | ~on(exec, l), high = lo[l] & on(exec, l);
        const u32 at = (lo[l] + off) & 31, last = at & on(exec, l);
        const u32 first = at | (31 & ~on(exec, l));
        least = low < least ? low : least;
        most = high > most ? high : most;
        from = first < from ? first : from;
        to = last > to ? last : to;
        bits |= ((at & 3) | (hi ? hi[l] ^ up : 0)) & on(exec, l);
        columns |= (1u << (lo[l] >> 2 & 31)) & on(exec, l);
    }
    if (bits || most - least >= 32 * (FAST_NEAR - 1))
        return false;
    if (!++k->mark) {
        memset(k->met, 0, sizeof k->met);
        k->mark = 1;
    }
    const u32 start = least - ((least + off) & 31);         /* of the first sector */
    const uint8_t mark = k->mark;
    for (u32 left = exec; left; left &= left - 1) {
        uint8_t *met = &k->met[(lo[__builtin_ctz(left)] - start) >> 5];
        sectors += *met != mark;
        *met = mark;
    }
    memcpy(k->lo, lo, sizeof k->lo);
    k->off = off;
    k->exec = exec;
    k->least = least;
    k->most = most;
    k->low = from;
    k->high = to;
    k->columns = __builtin_popcount(columns) == __builtin_popcount(exec);
    k->sectors = sectors;
    return true;
}

/* The lowest and the highest of exec's lo, which were looked at; false: they are no words, or too
 * far apart, or their upper words differ. */
static inline bool bounds(struct scatter *k, const u32 *lo, const u32 *hi, s32 off, u32 exec,
                          s64 *least, s64 *most)
{
    s64 by = 0;
    if (moved(k, lo, hi, (u32)off, exec))
        by = (s64)lo[__builtin_ctz(exec)] - k->lo[__builtin_ctz(exec)];
    else if (!look(k, lo, hi, (u32)off, exec))
        return false;
    *least = k->least + by;
    *most = k->most + by;
    return *least >= 0 && *most <= UINT32_MAX;
}

/* Words anywhere: lane l's at q->p + lo[l]. */
static inline bool apart(struct model *m, const struct warp *w, u32 ra, s32 off,
                         enum hd_space space, u32 exec, bool write, struct quick *q)
{
    const u32 *lo = w->r[ra], *hi = wide(space) ? w->r[ra + 1] : NULL;
    const u64 up = upper(hi, exec);
    s64 least, most;
    if (!bounds(&fast_of(m)->scatter, lo, hi, off, exec, &least, &most) ||
        apart_from_global(space, up) ||
        !reaches(m, w, space, (s64)up + least + off, (s64)up + most + off + 3, write, q))
        return false;
    q->p += (s64)up + off;
    return q->base % 32 == 0;               /* else its sectors are not those of lo + off */
}

/* The sectors of a row of words: exec's lanes, eight at a time, from the first one's sector. */
static inline u32 row_sectors(const struct quick *q, u32 exec)
{
    const u64 at = q->at + q->base;
    u64 lanes = (u64)(exec >> q->first) << (at >> 2 & 7), any = 0;
    if (exec == ~0u)
        return 4 + ((at & 31) != 0);
    for (unsigned i = 0; i < 8; i++)
        any |= lanes >> i & 0x0101010101010101u;
    return (u32)__builtin_popcountll(any);
}

static void load_row(const struct quick *q, u32 *to, u32 exec)
{
    const uint8_t *from = q->p + q->at;
    u32 row[HD_LANES];
    if (exec == ~0u) {
        memcpy(to, from, sizeof row);
        return;
    }
    memcpy(row + q->first, from, 4 * (q->last - q->first + 1));
    write_row(to, row, exec);
}

static void load_one(const struct quick *q, u32 (*to)[HD_LANES], u32 exec, u32 size)
{
    u32 word[4], row[HD_LANES];
    memcpy(word, q->p + q->at, size);
    for (u32 k = 0; k < size / 4; k++) {
        for (u32 l = 0; l < HD_LANES; l++)
            row[l] = word[k];
        write_row(to[k], row, exec);
    }
}

bool quick_load(struct model *m, struct warp *w, const struct op *op, enum hd_space space, u32 exec)
{
    static const uint8_t sizes[8] = { [SZ_32] = 4, [SZ_64] = 8, [SZ_128] = 16 };
    const u32 size = sizes[op->i.sz];
    const u32 *lo = w->r[op->ra];
    struct quick q;
    u32 sectors;
    if (!size || !plain(m, space, exec))
        return false;
    if (size == 4 && in_steps(m, w, op, space, exec, 4, 4, false, &q)) {
        load_row(&q, w->r[op->rd], exec);
        sectors = row_sectors(&q, exec);
    } else if (in_steps(m, w, op, space, exec, size, 0, false, &q)) {
        load_one(&q, &w->r[op->rd], exec, size);
        sectors = 1;
    } else if (size == 4 && apart(m, w, op->ra, op->i.off, space, exec, false, &q)) {
        u32 *to = w->r[op->rd];             /* may be the row of the addresses */
        for (u32 left = exec; left; left &= left - 1) {
            const u32 l = (u32)__builtin_ctz(left);
            memcpy(&to[l], q.p + lo[l], 4);
        }
        sectors = fast_of(m)->scatter.sectors;
    } else {
        return false;
    }
    m->count.loads++;
    m->count.mem_transactions += q.shared ? 0 : sectors;
    return true;
}

static void store_row(const struct quick *q, const u32 *from, u32 exec)
{
    uint8_t *to = q->p + q->at;
    if (exec == ~0u)
        memcpy(to, from, sizeof(u32[HD_LANES]));
    else
        for (u32 left = exec; left; left &= left - 1) {
            u32 l = (u32)__builtin_ctz(left);
            memcpy(to + 4 * (l - q->first), &from[l], 4);
        }
}

static void store_apart(const struct quick *q, const u32 *lo, const u32 *from, u32 exec)
{
    for (u32 left = exec; left; left &= left - 1) {
        const u32 l = (u32)__builtin_ctz(left);
        memcpy(q->p + lo[l], &from[l], 4);
    }
}

bool quick_store(struct model *m, struct warp *w, const struct op *op, enum hd_space space,
                 u32 exec)
{
    struct quick q;
    const u32 *from = w->r[op->rb], *lo = w->r[op->ra];
    u32 sectors;
    if (op->i.sz != SZ_32 || !plain(m, space, exec))
        return false;
    if (in_steps(m, w, op, space, exec, 4, 4, true, &q)) {
        store_row(&q, from, exec);
        sectors = row_sectors(&q, exec);
    } else if (apart(m, w, op->ra, op->i.off, space, exec, true, &q)) {
        store_apart(&q, lo, from, exec);
        sectors = fast_of(m)->scatter.sectors;
    } else {
        return false;
    }
    m->count.stores++;
    m->count.mem_transactions += q.shared ? 0 : sectors;
    return true;
}

/* ---- 32 global words in a row ---- */

/* Where they are; NULL: it is not such an access, or not all may be reached. */
static inline uint8_t *whole_row(struct model *m, const u32 *lo, const u32 *hi, s32 off, bool write)
{
    enum { BYTES = 4 * HD_LANES };
    const u32 from = lo[0], up = hi[0];
    const s64 at = (s64)((u64)up << 32 | from) + off;
    u32 differ = (u32)at & 3;
    if (lo[1] - from != 4)                  /* most that are none */
        return NULL;
    for (u32 l = 0; l < HD_LANES; l++)
        differ |= (lo[l] ^ (from + 4 * l)) | (hi[l] ^ up);
    if (differ || from > UINT32_MAX - BYTES || at < 0 || m->hooks.accesses || m->bus.n || m->fault)
        return NULL;
    return in_range(m, (u64)at, (u64)at + BYTES - 1, write) ? m->mem + at : NULL;
}

static inline u32 whole_row_sectors(const struct model *m, const uint8_t *p)
{
    return 4 + (((uintptr_t)(p - m->mem) & 31) != 0);
}

bool quick_load_row(struct region_state *s, u32 to, u32 ra, s32 off)
{
    struct model *m = model_of(s);
    const uint8_t *p = whole_row(m, s->r[ra], s->r[ra + 1], off, false);
    if (!p)
        return false;
    __builtin_prefetch(p + REGION_AHEAD);
    __builtin_prefetch(p + REGION_AHEAD + 64);
    memcpy(s->r[to], p, sizeof *s->r);
    m->count.loads++;
    m->count.mem_transactions += whole_row_sectors(m, p);
    return true;
}

enum { ROW_BYTES = 4 * HD_LANES, MOST_COLUMNS = 3 };

static bool store_words(struct region_state *s, u32 from, u32 ra, s32 off, u32 exec)
{
    struct model *m = model_of(s);
    struct quick q;
    if (!plain(m, SPACE_GLOBAL, exec) ||
        !apart(m, s->warp, ra, off, SPACE_GLOBAL, exec, true, &q))
        return false;
    store_apart(&q, s->r[ra], s->r[from], exec);
    m->count.stores++;
    m->count.mem_transactions += fast_of(m)->scatter.sectors;
    return true;
}

bool quick_store_words(struct region_state *s, u32 from, u32 ra, s32 off, u32 exec)
{
    struct model *m = model_of(s);
    uint8_t *p = exec != ~0u ? NULL : whole_row(m, s->r[ra], s->r[ra + 1], off, true);
    if (!p)
        return store_words(s, from, ra, off, exec);
    memcpy(p, s->r[from], sizeof *s->r);
    m->count.stores++;
    m->count.mem_transactions += whole_row_sectors(m, p);
    return true;
}

/* Lane by lane, not store by store: no lane's words are another one's.  n: a constant. */
static inline void store_columns(const struct region_state *s, const struct region_store *list,
                                 unsigned n, const u32 *lo, u64 up, u32 exec)
{
    uint8_t *p[MOST_COLUMNS];
    const u32 *from[MOST_COLUMNS];
    for (unsigned k = 0; k < n; k++) {
        p[k] = s->mem + (s64)up + list[k].off;
        from[k] = s->r[list[k].from];
    }
    for (u32 left = exec; left; left &= left - 1) {
        const u32 l = (u32)__builtin_ctz(left), at = lo[l];
        for (unsigned k = 0; k < n; k++)
            memcpy(p[k] + at, &from[k][l], 4);
    }
}

/* All of them at once, where they are rows apart and lanes have columns of their own. */
static bool run_at_once(struct region_state *s, const struct region_store *list, u32 n,
                        const u32 *lo, u64 up, s64 least, s64 most, u32 exec)
{
    struct model *m = model_of(s);
    s32 low = list[0].off, high = low;
    u32 differ = 0;
    struct quick q;
    for (u32 k = 1; k < n; k++) {
        const s32 off = list[k].off;
        differ |= (u32)off ^ (u32)list[0].off;
        low = off < low ? off : low;
        high = off > high ? off : high;
    }
    if (n > MOST_COLUMNS || !fast_of(m)->scatter.columns || differ % ROW_BYTES ||
        !reaches(m, s->warp, SPACE_GLOBAL, (s64)up + least + low, (s64)up + most + high + 3, true,
                 &q))
        return false;
    n == 2 ? store_columns(s, list, 2, lo, up, exec)
           : store_columns(s, list, MOST_COLUMNS, lo, up, exec);
    return true;
}

u32 quick_store_run(struct region_state *s, const struct region_store *list, u32 n, u32 ra,
                    u32 exec)
{
    struct model *m = model_of(s);
    const u32 *lo = s->r[ra], *hi = s->r[ra + 1];
    s64 least, most;
    u32 done = 0;
    if (!plain(m, SPACE_GLOBAL, exec) || (exec == ~0u && lo[1] - lo[0] == 4) ||
        !bounds(&fast_of(m)->scatter, lo, hi, list[0].off, exec, &least, &most))
        return 0;
    const u32 by = (u32)(least - fast_of(m)->scatter.least) - fast_of(m)->scatter.off;
    const u64 up = upper(hi, exec);
    if (run_at_once(s, list, n, lo, up, least, most, exec))
        done = n;
    for (; done < n; done++) {
        const s32 off = list[done].off;
        struct quick q;
        if (!same_sectors(&fast_of(m)->scatter, by + (u32)off) ||
            !reaches(m, s->warp, SPACE_GLOBAL, (s64)up + least + off, (s64)up + most + off + 3,
                     true, &q))
            break;
        q.p += (s64)up + off;
        store_apart(&q, lo, s->r[list[done].from], exec);
    }
    m->count.mem_transactions += done * fast_of(m)->scatter.sectors;
    m->count.stores += done;
    return done;
}

bool quick_reach(struct region_state *s, u32 access, u64 at, u32 bytes, bool write)
{
    struct model *m = model_of(s);
    if (at >= HD_ADDR_END || !mem_in_range(m, at, at + bytes - 1, write))
        return false;
    const struct launch_range *r = &m->launch.range[m->last_range];
    s->window[access] = (struct region_window){ r->base, r->limit - r->base - bytes + 1 };
    return true;
}

/* Four lanes; the lowest one moved up by one lane, and by two, zero in its place. */
typedef u32 quad __attribute__((vector_size(16)));
#define UP_ONE(q) __builtin_shufflevector(q, (quad){ 0 }, 4, 0, 1, 2)
#define UP_TWO(q) __builtin_shufflevector(q, (quad){ 0 }, 4, 4, 0, 1)
#define ALL_LAST(q) __builtin_shufflevector(q, q, 3, 3, 3, 3)

/* A counter that all lanes add to, the lowest first. */
bool quick_atom(struct model *m, struct warp *w, const struct op *op, enum hd_space space, u32 exec)
{
    const u32 *add = w->r[op->rb];
    u32 *to = w->r[op->rd], v;
    struct quick q;
    if (op->i.aop != AOP_ADD || op->i.aw || !plain(m, space, exec) ||
        !in_steps(m, w, op, space, exec, 4, 0, true, &q))
        return false;
    memcpy(&v, q.p + q.at, 4);
    quad before = { v, v, v, v };
    for (u32 l = 0; l < HD_LANES; l += 4) {
        quad part, sum, old;
        const u32 four = exec >> l;
        const quad acts = (quad)(((quad){ four, four, four, four } & (quad){ 1, 2, 4, 8 }) != 0);
        memcpy(&part, add + l, sizeof part);
        memcpy(&old, to + l, sizeof old);
        part &= acts;
        sum = part + UP_ONE(part);
        sum += UP_TWO(sum);
        old = ((before + sum - part) & acts) | (old & ~acts);
        before += ALL_LAST(sum);
        memcpy(to + l, &old, sizeof old);
    }
    memcpy(q.p + q.at, &before, 4);
    m->count.atomics++;
    m->count.mem_transactions += !q.shared;
    return true;
}

bool quick_add(struct region_state *s, u32 index, u32 exec)
{
    struct model *m = model_of(s);
    return quick_atom(m, s->warp, &m->code.op[index], SPACE_SHARED, exec);
}

/* Accesses whose addresses are a row of words, or one address.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One look at all addresses decides, and one check of a range: lane l's word lies 4 l after lane
 * 0's, or where lane 0's does, whether or not lane 0 takes part. */
#include "cmodel/machine/quick.h"
#include <string.h>

struct quick {
    u64 at;                                 /* of the lowest lane that takes part, from m->mem */
    u32 first, last;                        /* lanes that take part */
    bool shared;
};

/* Addresses in the lanes of exec are that of the lowest one plus `step` a lane. */
static bool steps(const struct warp *w, const struct op *op, bool wide, u32 exec, u32 step)
{
    const u32 *lo = w->r[op->ra], *hi = w->r[op->ra + 1];
    u32 l0 = (u32)__builtin_ctz(exec), from = lo[l0] - step * l0, differ = 0;
    for (u32 l = 0; l < HD_LANES; l++) {
        u32 on = (u32)((s32)(exec << (HD_LANES - 1 - l)) >> 31);
        differ |= (lo[l] ^ (from + step * l)) & on;
        differ |= wide ? (hi[l] ^ hi[l0]) & on : 0;
    }
    return !differ;
}

static bool resolve(struct model *m, const struct warp *w, const struct op *op, enum hd_space space,
                    u32 exec, u32 size, u32 step, bool write, struct quick *q)
{
    const struct launch *k = &m->launch;
    const bool wide = space == SPACE_GLOBAL || space == SPACE_GENERIC;
    /* m->fault: of a carrier whose pop faults; its access is checked, but not done. */
    if (!exec || m->watching || m->meet || m->bus.n || space == SPACE_LOCAL || m->fault)
        return false;
    q->first = (u32)__builtin_ctz(exec);
    q->last = HD_LANES - 1 - (u32)__builtin_clz(exec);
    u64 a = (u32)(w->r[op->ra][q->first] + (u32)op->i.off);
    if (wide)
        a = ((u64)w->r[op->ra + 1][q->first] << 32 | w->r[op->ra][q->first]) + (u64)(s64)op->i.off;
    u64 end = a + (u64)step * (q->last - q->first) + size - 1;
    if (a % size || end > UINT32_MAX || !steps(w, op, wide, exec, step) ||
        (wide && w->r[op->ra][q->first] > UINT32_MAX - HD_LANES * 4))
        return false;
    q->shared = space == SPACE_SHARED;
    q->at = q->shared ? m->shared_at + (u64)w->block_slot * k->shared_size + a
          : space == SPACE_CONST ? k->const_base + a : a;
    return q->shared              ? end < k->shared_size
           : space == SPACE_CONST ? end < k->const_size
                                  : mem_in_range(m, a, end, write);
}

/* The sectors of a row of words: exec's lanes, eight at a time, from the first one's sector. */
static u32 row_sectors(const struct quick *q, u32 exec)
{
    u64 lanes = (u64)(exec >> q->first) << (q->at >> 2 & 7), any = 0;
    for (unsigned i = 0; i < 8; i++)
        any |= lanes >> i & 0x0101010101010101u;
    return q->shared ? 0 : (u32)__builtin_popcountll(any);
}

bool quick_load(struct model *m, struct warp *w, const struct op *op, enum hd_space space, u32 exec)
{
    static const uint8_t sizes[8] = { [SZ_32] = 4, [SZ_64] = 8, [SZ_128] = 16 };
    const u32 size = sizes[op->i.sz];
    struct quick q;
    if (size == 4 && resolve(m, w, op, space, exec, 4, 4, false, &q)) {
        u32 row[HD_LANES];
        memcpy(row + q.first, m->mem + q.at, 4 * (q.last - q.first + 1));
        write_row(w->r[op->rd], row, exec);
        m->count.mem_transactions += row_sectors(&q, exec);
    } else if (size && resolve(m, w, op, space, exec, size, 0, false, &q)) {
        u32 word[4], row[HD_LANES];
        memcpy(word, m->mem + q.at, size);
        for (u32 k = 0; k < size / 4; k++) {
            for (u32 l = 0; l < HD_LANES; l++)
                row[l] = word[k];
            write_row(w->r[op->rd + k], row, exec);
        }
        m->count.mem_transactions += !q.shared;
    } else {
        return false;
    }
    m->count.loads++;
    return true;
}

bool quick_store(struct model *m, struct warp *w, const struct op *op, enum hd_space space,
                 u32 exec)
{
    struct quick q;
    const u32 *from = w->r[op->rb];
    if (op->i.sz != SZ_32 || !resolve(m, w, op, space, exec, 4, 4, true, &q))
        return false;
    if (exec == ~0u)
        memcpy(m->mem + q.at, from, sizeof w->r[0]);
    else
        for (u32 left = exec; left; left &= left - 1) {
            u32 l = (u32)__builtin_ctz(left);
            memcpy(m->mem + q.at + 4 * (l - q.first), &from[l], 4);
        }
    m->count.stores++;
    m->count.mem_transactions += row_sectors(&q, exec);
    return true;
}

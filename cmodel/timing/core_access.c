/* What a memory instruction touches: sectors, banks of shared memory, a range.
 * rtl/mem/lsu_walk.v, lsu_shared.v, lsu_known.v.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lanes in several spaces count as if all were in the space of the lowest. */
#include "cmodel/timing/core_state.h"

enum { SECTOR = 32, BANKS = 32 };

/* Of each residue the first sector that was met, counted from 1: most others need no search. */
enum { MET = 256 };

static void touch(struct access *a, uint8_t met[MET], u64 sector)
{
    uint8_t *first = &met[sector % MET];
    u32 i = *first ? *first - 1u : a->n;
    while (i < a->n && a->sector[i] != sector)
        i++;
    if (i == a->n) {
        a->sector[a->n++] = sector;
        a->lanes[i] = 0;
    }
    a->lanes[i]++;
    *first = *first ? *first : (uint8_t)a->n;
}

/* Local memory: word i of all lanes of a warp is one row; wide accesses go word by word. */
static void touch_local(struct core *c, struct access *a, const struct hd_commit *rec)
{
    const u32 base = c->g.local_base / SECTOR + a->warp * c->g.local_size;
    const u32 words = rec->size > 4 ? rec->size / 4 : 1;
    uint8_t met[MET] = { 0 };
    for (u32 k = 0; k < words; k++)
        for (u32 m = rec->exec; m; m &= m - 1)
            touch(a, met, base + (rec->addr[lowest(m)] / 4 + k) * 4 + lowest(m) / 8);
}

/* Cycles for one word of each lane: of every bank one row a cycle. */
static u32 bank_passes(const struct hd_commit *rec, u32 k, bool load)
{
    const u32 shift = rec->size == 8 ? 4 : rec->size == 16 ? 3 : 5;     /* where lanes start */
    u32 row[BANKS], banks = 0, passes = 1, rest = rec->exec;
    for (; rest; passes++) {
        u32 left = 0;
        banks = 0;
        for (u32 m = rest; m; m &= m - 1) {
            const u32 l = lowest(m), turn = load ? l >> shift : 0;
            const u32 word = (u32)rec->addr[l] / 4 | (k ^ turn), b = word % BANKS;
            if (!(banks >> b & 1))
                row[b] = word / BANKS;
            banks |= bit(b);
            left |= (u32)(row[b] != word / BANKS) << l;
        }
        rest = left;
    }
    return passes - 1;
}

static u32 shared_passes(const struct hd_commit *rec, bool load)
{
    u32 sum = 0;
    for (u32 k = 0; k < (rec->size > 4 ? rec->size / 4u : 1); k++)
        sum += bank_passes(rec, k, load);
    return sum;
}

/* An atomic takes a pair of words at a time, and then a cycle for each of its lanes. */
static u32 shared_atomic(struct access *a, const struct hd_commit *rec)
{
    uint8_t met[MET] = { 0 };
    u32 sum = 0;
    for (u32 m = rec->exec; m; m &= m - 1)
        touch(a, met, rec->addr[lowest(m)] / 8);
    for (u32 i = 0; i < a->n; i++)
        sum += a->lanes[i] + 3u;
    a->n = 0;
    return sum;
}

/* Global memory: the range that it is in, and whether the LSU knows it already. */
static void find_range(struct core *c, struct access *a, const struct hd_commit *rec)
{
    const struct core_range *r = c->g.range;
    u64 least = ~(u64)0, most = 0;
    for (u32 m = rec->exec; m; m &= m - 1) {
        least = rec->addr[lowest(m)] < least ? rec->addr[lowest(m)] : least;
        most = rec->addr[lowest(m)] > most ? rec->addr[lowest(m)] : most;
    }
    a->range = -1;
    a->sure = false;
    for (u32 k = 0; a->range < 0 && k < c->g.nranges; k++)
        if (least >= r[k].base && most < r[k].limit)
            a->range = (int)k;
    for (u32 k = 0; a->range >= 0 && k < 4; k++)
        a->sure |= c->known[k].range == a->range && c->known[k].from <= a->at;
    if (a->sure)                                /* only sectors that the range holds whole count */
        a->sure = least / SECTOR >= (r[a->range].base + SECTOR - 1) / SECTOR &&
                  most / SECTOR < r[a->range].limit / SECTOR;
}

void lsu_take(struct core *c, u32 warp, const struct decoded *i, const struct core_did *d, u64 at)
{
    const struct hd_commit *rec = d->rec;
    struct access *a = &c->access[c->in++ % SLOTS];
    a->at = at;
    a->through = NEVER;
    c->lsu_next = c->now;
    a->warp = warp;
    a->n = a->passes = 0;
    a->load = i->load;
    a->store = i->store;
    a->atom = i->atom;
    a->carrier = i->carrier;
    a->popped = false;
    if (a->carrier)
        a->pop = pop_of(warp, d);
    a->beats = rec->exec && i->nd ? i->beats : 0;
    a->sure = true;
    a->range = -1;
    a->space = rec->mem ? rec->space : SPACE_GLOBAL;
    if (!rec->mem || !rec->exec)
        return;
    if (a->space == SPACE_SHARED)
        a->passes = a->atom ? shared_atomic(a, rec) : shared_passes(rec, a->load);
    else if (a->space == SPACE_LOCAL)
        touch_local(c, a, rec);
    else {
        const u32 base = a->space == SPACE_CONST ? c->g.const_base : 0;
        uint8_t met[MET] = { 0 };
        for (u32 m = rec->exec; m; m &= m - 1)
            touch(a, met, (base + rec->addr[lowest(m)]) / SECTOR);
        if (a->space == SPACE_GLOBAL)
            find_range(c, a, rec);
    }
}

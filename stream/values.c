/* The rules that remember values: what a register of a lane holds, what a byte of memory holds.
 * SPDX-License-Identifier: Apache-2.0 */
#include "stream/monitor_state.h"

enum { CELLS_MOST = 1 << 24 }; /* 64 MiB of the core's memory; what comes after is not remembered */

void hs_values_forget(struct hs_monitor *m)
{
    for (unsigned k = 0; k < m->h->warps; k++)
        for (unsigned r = 0; r < REGISTERS; r++) {
            free(m->warp[k].reg[r]);
            m->warp[k].reg[r] = NULL;
        }
    if (m->cell)
        memset(m->cell, 0, m->cells * sizeof *m->cell);
    m->ncells = 0;
}

bool hs_values_write(struct hs_monitor *m, struct warp *w, const struct hs_event *e)
{
    if (!m->reported[HS_K_read] || e->reg >= REGISTERS)
        return true;
    struct value **v = &w->reg[e->reg];
    if (!*v && !(*v = calloc(1, sizeof **v)))
        return true;
    for (uint64_t l = e->mask; l; l &= l - 1)
        (*v)->val[__builtin_ctzll(l)] = e->val[__builtin_ctzll(l)];
    (*v)->known |= e->mask;
    return true;
}

bool hs_values_read(struct hs_monitor *m, struct warp *w, const struct hs_event *e)
{
    const struct value *v = e->reg < REGISTERS ? w->reg[e->reg] : NULL;
    for (uint64_t left = v ? e->mask & v->known : 0; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        if (!hs_check(
                m, HS_RULE_kept, v->val[l] == e->val[l],
                "warp %u, lane %d: number %llu reads %llx from register %u; %llx was written there",
                e->warp, l, (unsigned long long)e->n, (unsigned long long)e->val[l], e->reg,
                (unsigned long long)v->val[l]))
            return false;
    }
    return true;
}

static size_t place(const struct hs_monitor *m, uint64_t key, uint64_t addr)
{
    uint64_t h = (addr ^ key * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
    size_t at = (size_t)(h >> 20) & (m->cells - 1);
    while (m->cell[at].used && (m->cell[at].addr != addr || m->cell[at].key != key))
        at = (at + 1) & (m->cells - 1);
    return at;
}

/* Room for one more; false: as much is known as may be. */
static bool grow(struct hs_monitor *m)
{
    if (m->cell && m->ncells < m->cells / 2)
        return true;
    if (m->cells >= CELLS_MOST)
        return false;
    struct cell *old = m->cell;
    const size_t n = m->cells;
    struct cell *new = calloc(n ? 2 * n : 4096, sizeof *new);
    if (!new)
        return false;
    m->cell = new;
    m->cells = n ? 2 * n : 4096;
    for (size_t k = 0; k < n; k++)
        if (old[k].used)
            m->cell[place(m, old[k].key, old[k].addr)] = old[k];
    free(old);
    return true;
}

/* Whose memory it is: everybody's, a block's, a lane's. */
static uint64_t owner(const struct warp *w, unsigned lane, unsigned space)
{
    if (space == 2)
        return 2 + 4 * w->block;
    if (space == 3)
        return 3 + 4 * ((w->block << 20 ^ w->index << 8) + lane);
    return space & 3;
}

static bool byte_seen(struct hs_monitor *m, const struct hs_event *e, unsigned l, uint64_t key,
                      uint64_t addr, uint8_t value)
{
    if (!m->cell)
        return true;
    const struct cell *c = &m->cell[place(m, key, addr & ~7ull)];
    const unsigned k = addr & 7;
    return !c->used || !(c->known >> k & 1) ||
           hs_check(m, HS_RULE_loads, c->byte[k] == value,
                    "warp %u, lane %u: number %llu loads %02x from address %llx; %02x was stored "
                    "there last",
                    e->warp, l, (unsigned long long)e->n, value, (unsigned long long)addr,
                    c->byte[k]);
}

/* What a byte holds from now on; known: whether that is said. */
static void byte_stored(struct hs_monitor *m, uint64_t key, uint64_t addr, bool known,
                        uint8_t value)
{
    struct cell *c = m->cell ? &m->cell[place(m, key, addr & ~7ull)] : NULL;
    if (!c || !c->used) {
        if (!known || !grow(m))
            return;
        c = &m->cell[place(m, key, addr & ~7ull)];
        *c = (struct cell){ .key = key, .addr = addr & ~7ull, .used = 1 };
        m->ncells++;
    }
    c->byte[addr & 7] = value;
    c->known &= (uint8_t) ~(1u << (addr & 7));
    c->known |= (uint8_t)(known << (addr & 7));
}

bool hs_values_memory(struct hs_monitor *m, struct warp *w, const struct hs_event *e)
{
    if (!m->h->ordered_memory || (e->op == 1 && !e->data))
        return true;
    for (uint64_t left = e->mask; left; left &= left - 1) {
        const unsigned l = (unsigned)__builtin_ctzll(left);
        const uint64_t key = owner(w, l, e->space);
        for (unsigned k = 0; k < e->size; k++) {
            const uint8_t v = (uint8_t)((k < 8 ? e->val[l] : e->high[l]) >> 8 * (k & 7));
            if (e->op == 1 && !byte_seen(m, e, l, key, e->addr[l] + k, v))
                return false;
            if (e->op != 1)
                byte_stored(m, key, e->addr[l] + k, e->data, v);
        }
    }
    return true;
}

/* Which block starts when: rtl/front/dispatcher.v.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/timing/core_state.h"

/* A warp of the block in the slot could start in this cycle: *start. */
bool blocks_cycle(struct core *c, bool *start)
{
    *start = c->dispatch == D_WARPS;
    switch (c->dispatch) {
    case D_TIDS:
        if (c->now + 1 >= c->tids_end)
            c->dispatch = D_FIND;
        break;
    case D_FIND:
        if (!c->blocks_left)
            c->dispatch = c->used ? D_FIND : D_OVER;
        else if (!(c->used >> c->slot & 1))
            c->dispatch = D_BLOCK;
        else
            c->slot = (c->slot + 1) % c->g.block_slots;
        break;
    case D_BLOCK:
        c->dispatch = D_WARPS;
        c->index = 0;
        c->used |= bit(c->slot);
        c->live[c->slot] = c->g.warps_block;
        c->blocks_left--;
        return true;
    default:
        break;
    }
    return false;
}

void blocks_started(struct core *c)
{
    struct warp_time *t = &c->warp[c->slot * c->g.warps_block + c->index];
    t->chip = t->spilled = 0;
    t->in_order = c->now;
    memset(t->ready, 0, sizeof t->ready);
    fetch_go(c, c->slot * c->g.warps_block + c->index, c->g.entry);
    if (++c->index == c->g.warps_block)
        c->dispatch = D_FIND;
}

void blocks_ended(struct core *c, u32 warp)
{
    u32 slot = warp / c->g.warps_block;
    if (!--c->live[slot])
        c->used &= ~bit(slot);
}

u64 blocks_due(const struct core *c)
{
    const u32 all = c->g.block_slots == 32 ? ~0u : bit(c->g.block_slots) - 1;
    if (c->dispatch == D_TIDS)
        return c->tids_end - 1;
    const bool waits = c->blocks_left ? c->used == all : c->used != 0;
    return c->dispatch == D_FIND && waits ? NEVER : c->now;
}

/* The search goes round while nothing else happens. */
void blocks_skip(struct core *c, u64 cycles)
{
    if (c->dispatch == D_FIND && c->blocks_left)
        c->slot = (u32)((c->slot + cycles) % c->g.block_slots);
}

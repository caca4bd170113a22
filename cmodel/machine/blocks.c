/* Blocks: which slot holds which, special registers, block barriers, the end of a block.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Subtle: an EXIT may complete a block barrier, and that comes before the exiting warp's next():
 * its own lanes at the barrier are ready again when it looks for a group. */
#include "cmodel/machine/machine.h"
#include <string.h>

static void fill(u32 *row, u32 v)
{
    for (unsigned l = 0; l < HD_LANES; l++)
        row[l] = v;
}

/* Special registers that only depend on the launch and the place of the warp in its block. */
static void warp_setup(const struct launch *k, struct warp *w)
{
    const u32 same[][2] = {
        { SREG_NTID_X, k->block.x }, { SREG_NTID_Y, k->block.y }, { SREG_NTID_Z, k->block.z },
        { SREG_NCTAID_X, k->grid.x }, { SREG_NCTAID_Y, k->grid.y }, { SREG_NCTAID_Z, k->grid.z },
        { SREG_WARPID, w->number }, { SREG_NWARPID, k->warps_block },
        { SREG_SMID, k->core }, { SREG_NSMID, k->cores ? k->cores : 1 },
    };
    memset(w->sr, 0, sizeof w->sr);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        fill(w->sr[same[i][0]], same[i][1]);
    for (u32 l = 0; l < HD_LANES; l++) {
        u32 t = w->number * HD_LANES + l, bit = 1u << l;
        w->sr[SREG_TID_X][l] = t % k->block.x;
        w->sr[SREG_TID_Y][l] = t / k->block.x % k->block.y;
        w->sr[SREG_TID_Z][l] = t / k->block.x / k->block.y;
        w->sr[SREG_LANEID][l] = l;
        w->sr[SREG_LANEMASK_EQ][l] = bit;
        w->sr[SREG_LANEMASK_LT][l] = bit - 1;
        w->sr[SREG_LANEMASK_LE][l] = bit | (bit - 1);
        w->sr[SREG_LANEMASK_GT][l] = ~(bit | (bit - 1));
        w->sr[SREG_LANEMASK_GE][l] = ~(bit - 1);
    }
}

void model_launch(struct model *m, const struct launch *l)
{
    m->launch = *l;
    m->last_range = 0;
    m->next_block = m->blocks_ended = m->seq = m->time = 0;
    m->fault = HD_FAULT_NONE;
    model_check_code(m);
    memset(&m->count, 0, sizeof m->count);
    memset(m->block, 0, sizeof m->block);
    for (u32 s = 0; s < m->limits.warps; s++)
        m->warp[s].block = NULL;
    for (u32 s = 0; s < l->block_slots * l->warps_block; s++) {
        struct warp *w = &m->warp[s];
        w->slot = s;
        w->number = s % l->warps_block;
        w->block_slot = s / l->warps_block;
        warp_setup(l, w);
    }
    if (m->hooks.launches)
        m->hooks.launches(m->hooks.user);
}

const char *model_place(struct model *m, unsigned block_slot, uint32_t linear)
{
    const struct launch *k = &m->launch;
    if (block_slot >= k->block_slots)
        return "there is no such block slot";
    struct block *b = &m->block[block_slot];
    if (b->used)
        return "the block slot is not empty";
    if (linear != m->next_block || linear >= launch_blocks(k))
        return "blocks start in ascending order";
    m->next_block++;
    m->changes++;
    *b = (struct block){ .used = true, .linear = linear, .first_warp = block_slot * k->warps_block,
                         .warps_live = k->warps_block, .lanes_live = k->threads };
    for (u32 i = 0; i < k->warps_block; i++) {
        struct warp *w = &m->warp[b->first_warp + i];
        u32 lanes = k->threads - i * HD_LANES;
        w->block = b;
        memset(w->r, 0, m->code.rows_used * sizeof *w->r);
        memset(w->p, 0, sizeof w->p);
        w->p[PRED_TRUE] = ~0u;
        fill(w->sr[SREG_CTAID_X], linear % k->grid.x);
        fill(w->sr[SREG_CTAID_Y], linear / k->grid.x % k->grid.y);
        fill(w->sr[SREG_CTAID_Z], linear / k->grid.x / k->grid.y);
        w->stack.n = w->stack.spilled = w->stack.lost = 0;
        conv_start(&w->conv, lanes < HD_LANES ? (1u << lanes) - 1 : ~0u, k->entry);
    }
    return NULL;
}

bool model_skip(struct model *m, uint32_t linear)
{
    if (linear != m->next_block)
        return false;
    m->next_block++;
    m->blocks_ended++;
    m->changes++;
    return true;
}

u32 block_waiting(const struct model *m, const struct block *b, unsigned n)
{
    u32 waiting = 0;
    for (u32 i = 0; i < m->launch.warps_block; i++)
        waiting += (u32)__builtin_popcount(m->warp[b->first_warp + i].conv.bar_at[n]);
    return waiting;
}

static bool block_barrier_complete(const struct model *m, const struct block *b, unsigned n)
{
    u32 waiting = block_waiting(m, b, n);
    return waiting && waiting >= (b->need[n] ? b->need[n] : b->lanes_live);
}

static void block_barrier_release(struct model *m, struct block *b, unsigned n)
{
    b->waited &= ~(1u << n);
    m->changes++;
    for (u32 i = 0; i < m->launch.warps_block; i++) {
        struct conv *c = &m->warp[b->first_warp + i].conv;
        m->let_go |= (u32)(c->bar_at[n] != 0) << (b->first_warp + i);
        conv_block_release(c, n);
    }
}

void block_sync(struct model *m, struct warp *w, unsigned n, u32 need)
{
    w->block->need[n] = need;
    w->block->waited |= 1u << n;
    conv_block_wait(&w->conv, n);
    if (block_barrier_complete(m, w->block, n))
        block_barrier_release(m, w->block, n);
    else
        conv_next(&w->conv);
}

enum hd_fault block_exit(struct model *m, struct warp *w, u32 exec, struct hd_commit *rec)
{
    struct block *b = w->block;
    if (m->code.stack_mode && stack_check_exit(m, w, exec))
        return m->fault;
    conv_exit(&w->conv, exec);
    m->changes += exec != 0;
    b->lanes_live -= (u32)__builtin_popcount(exec);
    for (u32 left = exec ? b->waited : 0; left; left &= left - 1)
        if (block_barrier_complete(m, b, (unsigned)__builtin_ctz(left)))
            block_barrier_release(m, b, (unsigned)__builtin_ctz(left));
    if (w->conv.live && !w->conv.active) {
        if (m->code.stack_mode)
            stack_pop(m, w, rec);
        else
            conv_exited(&w->conv);
    }
    if (!w->conv.live) {
        if (m->hooks.leaves)
            m->hooks.leaves(m->hooks.user, w);
        w->block = NULL;
        if (!--b->warps_live) {
            b->used = false;
            m->blocks_ended++;
        }
    }
    return HD_FAULT_NONE;
}

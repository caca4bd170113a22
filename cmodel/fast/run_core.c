/* The scheduler under the profile of our own core: its model (cmodel/timing/core.h) says which warp
 * issues in which cycle, and this file executes.  docs/timing.md.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An instruction is executed when it issues.  That is also the order in which memory instructions
 * act, and control instructions of a block, on the core. */
#include "cmodel/fast/timed.h"
#include "cmodel/timing/core.h"

/* Cycles from issue to where a special register is read. */
enum { CLOCK_READ = 2 };

static struct core *open_core(const struct model *m, const struct timing *t)
{
    const struct launch *l = &m->launch;
    struct core_grid g = {
        .code_base = l->code_base, .const_base = l->const_base, .const_size = l->const_size,
        .local_base = l->local_base, .local_size = l->local_size, .entry = l->entry,
        .threads = l->threads, .warps_block = l->warps_block, .block_slots = l->block_slots,
        .stack_depth = l->stack_depth, .blocks = launch_blocks(l), .stack_mode = m->code.stack_mode,
        .nranges = l->nranges,
    };
    for (u32 r = 0; r < l->nranges; r++)
        g.range[r] = (struct core_range){ l->range[r].base, l->range[r].limit,
                                          l->range[r].writable };
    struct core *c = core_new(t, &g, m->code.words);
    for (u32 i = 0; c && i <= m->code.words; i++)
        core_code(c, i, &m->code.op[i].i);
    return c;
}

/* Warps of the block that stand still, no lane of them being able to run. */
static u32 standing(const struct model *m, u32 slot)
{
    const u32 first = slot - slot % m->launch.warps_block;
    u32 mask = 0;
    for (u32 k = 0; k < m->launch.warps_block; k++)
        mask |= (u32)(m->warp[first + k].block && !m->warp[first + k].conv.active) << (first + k);
    return mask;
}

/* One step of the warp in a slot, and what the core must know of it. */
static enum hd_status step(struct fast *f, struct core *c, u32 slot, const struct fast_run *how,
                           struct hd_commit *rec)
{
    struct model *const m = f->m;
    struct warp *w = &m->warp[slot];
    const struct op *op = &m->code.op[w->conv.active ? index_at(m, w->conv.pc) : m->code.words];
    const u64 clock = m->launch.clock + core_now(c) + CLOCK_READ, changes = m->changes;
    const bool meets = op->i.op == OP_BAR || op->i.op == OP_EXIT;
    const u32 stood = meets ? standing(m, slot) : 0;
    u32 freed_pc[LAUNCH_WARPS];
    if (how->on_commit) {
        if (f->bbv)
            bbv_before_step(f, w);
        model_step(m, slot, rec, &clock);
        rec->cycle = core_now(c);
    } else {
        m->clock = &clock;
        timed_step(f, w, op, rec);
        m->clock = NULL;
    }
    struct core_did did = { .rec = rec, .runs = w->block && w->conv.active, .pc = w->conv.pc,
                            .unwinds = m->code.stack_mode && w->block && stack_unwinds(w),
                            .ended = !w->block, .steps = w->conv.steps, .freed_pc = freed_pc };
    if (meets && m->changes != changes) {
        did.freed = (stood | (op->i.op == OP_BAR ? 1u << slot : 0)) & ~standing(m, slot);
        did.releases = did.freed != 0;
        for (u32 left = did.freed; left; left &= left - 1)
            freed_pc[__builtin_ctz(left)] = m->warp[__builtin_ctz(left)].conv.pc;
    }
    core_did(c, &did);
    m->time = core_now(c) + 1;
    if (how->on_commit && !how->on_commit(how->commit_user, rec))
        return HD_STOPPED;
    return m->fault ? HD_FAULT : HD_OK;
}

enum hd_status run_core(struct fast *f, const struct fast_run *how)
{
    struct model *const m = f->m;
    struct core *c = open_core(m, how->timing);
    struct hd_commit rec = { 0 };
    struct quiet quiet = quiet_begin(m);
    enum hd_status s = c ? HD_OK : HD_NO_MEMORY;
    repeat_watch(f);
    for (u64 n = 1; s == HD_OK; n++) {
        u32 slot = 0;
        enum core_due due = core_next(c, &slot);
        m->time = core_now(c);
        if (due == CORE_END)
            break;
        if (due == CORE_BLOCK)
            model_place(m, slot, (u32)m->next_block);
        else if (due == CORE_STUCK)
            s = HD_DEADLOCK;
        else
            s = how->limit && m->seq >= how->limit ? HD_LIMIT : step(f, c, slot, how, &rec);
        if (s == HD_OK && n % TIMED_LOOK == 0)
            s = timed_look(f, how, &quiet);
    }
    core_free(c);
    return s;
}

/* What translated code asks of the machine: operations that are no vector code, and where the group
 * goes on.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fast/inside.h"
#include "cmodel/fast/quick.h"
#include "cmodel/machine/effects.h"
#include "cmodel/machine/lanes.h"

#define ACCESS(kind) access_##kind
#define CALLED_LSU(id, operands, flags, effect) case OP_##id: WARP(effect); break;
#define CALLED_ALU(id, operands, flags, effect) \
    case OP_##id: if ((flags) & F_LANES) WARP(effect); break;
#define CALLED_MUL(id, operands, flags, effect)
#define CALLED_FPU(id, operands, flags, effect) \
    case OP_##id: LANES(operands, true, effect, false); break;
#define CALLED_SFU(id, operands, flags, effect) case OP_##id: fast_mufu(w, op, exec); break;
#define CALLED_F64(id, operands, flags, effect) \
    case OP_##id: LANES(operands, false, effect, false); break;
#define CALLED_CTL(id, operands, flags, effect)

/* The operations of translated code: those of effects.h that go on after themselves, and what is
 * no vector code. */
static bool region_call(struct region_state *s, u32 index, u32 exec)
{
    struct model *const m_ = model_of(s);
    struct warp *const w = s->warp;
    const struct op *const op = &m_->code.op[index];
    struct hd_commit *const rec = NULL;
    switch (op->i.op) {
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) \
    CALLED_##unit(id, operands, flags, effect)
#include "cmodel/isa/isa.def"
    }
    return true;
faulted:
    m_->fault = HD_FAULT_NONE;
    return false;
}

/* BSYNC, BREAK, WARPSYNC, and a branch that parts the lanes, as the rows of effects.h do it. */
static u32 region_regroup(struct region_state *s, u32 index, u32 exec)
{
    struct model *const m = model_of(s);
    struct warp *const w = s->warp;
    const struct op *const op = &m->code.op[index];
    struct conv *const c = &w->conv;
    const bool part = op->i.op == OP_BRA;
    if (!s->barrier || op->i.op == OP_CALL || (part && m->code.stack_mode))
        return REGION_NOWHERE;
    c->active = s->active;
    c->pc = op->pc;
    conv_begin(c);
    switch (op->i.op) {
    case OP_BSYNC: conv_bsync(c, op->i.bx); break;
    case OP_BREAK: conv_break(c, exec, op->i.bx); break;
    case OP_WARPSYNC: conv_warpsync(c, LOWEST(operand_b(w, op), s->active)); break;
    default: conv_branch(c, exec, op->i.imm);
    }
    m->count.divergent_branches += part;
    count_move(m, c);
    s->lanes += (u64)__builtin_popcount(s->active) * (s->done + 1 - s->since);
    s->since = s->done + 1;
    s->active = c->active;
    if (!c->active || c->pc % CONV_INSN || c->pc >= m->code.words * CONV_INSN)
        return REGION_MOVED;
    return c->pc / CONV_INSN;
}

/* A whole group that goes to one place; stack mode and counted blocks are left to others. */
static u32 region_leap(struct region_state *s, u32 index, u32 exec)
{
    struct model *const m = model_of(s);
    struct warp *const w = s->warp;
    const struct op *const op = &m->code.op[index];
    const u32 active = s->active, *target = w->r[op->ra];
    u32 differ = 0, to = target[__builtin_ctz(active)];
    if (!s->barrier || m->code.stack_mode || fast_of(m)->bbv || (exec && exec != active))
        return REGION_NOWHERE;
    for (unsigned l = 0; l < HD_LANES; l++)
        differ |= (target[l] != to) & (exec >> l & 1);
    if (differ || (exec && (to % CONV_INSN || to >= m->code.words * CONV_INSN)))
        return REGION_NOWHERE;
    for (unsigned l = 0; op->i.op == OP_CALLR && l < HD_LANES; l++)
        w->r[op->rd][l] = kept(op->pc + CONV_INSN, w->r[op->rd][l], exec, l);
    w->conv.again = false;
    return exec ? to / CONV_INSN : index + 1;
}

/* A block of code that counts, by that warp. */
static void region_other_lanes(struct region_state *s, u32 block, u32 lanes)
{
    const struct fast *f = s->model;
    const struct warp *w = s->warp;
    bbv_switch(f->bbv, w->slot, block, lanes);
}

void region_begin(struct fast *f, struct warp *w, struct region_state *s)
{
    struct model *m = f->m;
    *s = (struct region_state){ .r = w->r, .sr = (const u32 (*)[HD_LANES])w->sr, .p = w->p,
                                .bank = m->mem + m->launch.const_base,
                                .bank_size = m->launch.const_size,
                                .call = region_call, .load_row = quick_load_row,
                                .store_words = quick_store_words,
                                .store_run = quick_store_run, .add = quick_add, .mem = m->mem,
                                .reach = quick_reach, .model = f, .warp = w,
                                .tally = bbv_tally_of(f, w->slot),
                                .other_lanes = region_other_lanes, .barrier = w->conv.b,
                                .regroup = region_regroup, .leap = region_leap };
    for (unsigned k = 0; k < 3; k++)
        s->ctaid[k] = *w->sr[SREG_CTAID_X + k];
}

void region_counts(struct fast *f, const struct region_state *s)
{
    struct model *m = f->m;
    m->changes += s->clocks;
    m->count.branches += s->branches;
    m->count.loads += s->constants + s->loads;
    m->count.stores += s->stores;
    m->count.mem_transactions += s->fetches + s->sectors;
}

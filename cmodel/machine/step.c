/* Executes one instruction of one warp, by the effects of isa.def.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The effects are C: each row of the table becomes a case whose body is that text (lanes.h,
 * effects.h).  Control instructions let the convergence unit choose what runs next; all others
 * go on after themselves. */
#include "cmodel/machine/effects.h"
#include "cmodel/machine/lanes.h"

#define ACCESS(kind) mem_##kind
#define ROW(id, operands, unit, effect, text) \
    case OP_##id: \
        if (OP_##id == OP_S2R) \
            read_clock(m_, w, op->i.imm, m_->clock ? *m_->clock : m_->launch.clock + m_->seq); \
        if (IS_WARP(text)) WARP(effect); \
        else if (*text) LANES(operands, IS_FLOAT(unit), effect, false); \
        break;

/* The instruction itself; m->fault where it faults, and then nothing has happened. */
static void execute(struct model *m_, struct warp *w, const struct op *op, u32 exec, struct hd_commit *rec)
{
    struct conv *const cv = &w->conv;
    const u32 active = cv->active;
    u32 pc = op->pc, room_a[HD_LANES];
    switch (op->i.op) {
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) \
    ROW(id, operands, unit, effect, #effect)
#include "cmodel/isa/isa.def"
    }
    pc += CONV_INSN;
jumped:
    cv->pc = pc;
    return;
moved:
    count_move(m_, cv);
    return;
faulted:
    cv->active = active;
    cv->pc = pc;
}

/* `.S`: the instruction, then the pop.  A pop that will fault leaves it to an access to memory
 * to fault first. */
static void execute_and_pop(struct model *m, struct warp *w, const struct op *op, u32 exec, struct hd_commit *rec)
{
    const u32 active = w->conv.active;
    const bool accesses = hd_ops[op->i.op].unit == UNIT_LSU && op->i.op != OP_MEMBAR;
    if (stack_check_carrier(m, w) && !accesses)
        return;
    execute(m, w, op, exec, rec);
    if (m->fault) {
        w->conv.active = active;
        w->conv.pc = op->pc;
        return;
    }
    stack_pop(m, w, rec);
    count_move(m, &w->conv);
}

void step_warp(struct model *m, struct warp *w, struct hd_commit *rec)
{
    struct conv *const c = &w->conv;
    const struct op *op = &m->code.op[index_at(m, c->pc)];
    const u32 exec = c->active & (w->p[op->i.pg] ^ op->pn);
    conv_begin(c);
    m->count.active_lanes += (u32)__builtin_popcount(c->active);
    if (!c->active) {
        if (!stack_unwind(m, w, rec))
            count_move(m, c);
    } else if (op->is != OP_FINE) {
        model_set_fault(m, (enum hd_fault)op->is, c->active);
        if (op->is == OP_UNFETCHED)
            m->fault_at.addr = (u32)(m->launch.code_base + c->pc);
    } else {
        m->count.thread_insns += (u32)__builtin_popcount(exec);
        if (op->i.pop)
            execute_and_pop(m, w, op, exec, rec);
        else
            execute(m, w, op, exec, rec);
    }
    m->seq++;
}

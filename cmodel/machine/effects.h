/* What the warp-level effects of isa.def mean: the WARP_ names, for who executes an instruction (step.c, and
 * cmodel/fast/dispatch.c).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Their surroundings have the model m_, the warp w and its convergence unit cv, the record rec or NULL, the
 * instruction op, its pc, the running group `active` and of it the lanes `exec`; room for a row, room_a; the
 * labels moved (the convergence unit has chosen what runs), jumped (the group goes on at pc) and faulted; and
 * ACCESS(load), ACCESS(store), ACCESS(atom), which are mem_load and so on or do the same. */
#ifndef HD_EFFECTS_H
#define HD_EFFECTS_H
#include "cmodel/machine/machine.h"

#define LOWEST(row, mask) (row)[__builtin_ctz(mask)]

/* ---- what the rows call ---- */

/* The convergence unit has chosen what runs. */
static inline void count_move(struct model *m, const struct conv *c)
{
    m->count.gave_way += c->gaveway;
    m->count.reconvergences += c->joined;
}

static inline void indirect(struct model *m, struct conv *c, u32 exec, const u32 *target)
{
    u32 before = c->active;
    m->count.branches++;
    conv_indirect(c, exec, target);
    m->count.divergent_branches += c->active != before;
}

/* Counts a branch of stack mode that the lanes `before` have executed; passes its fault on. */
static inline enum hd_fault counted(struct model *m, const struct conv *c, u32 before, enum hd_fault f)
{
    m->count.branches++;
    m->count.divergent_branches += c->active != before;
    return f;
}

static inline void read_barrier(struct warp *w, const struct op *op, u32 exec)
{
    u32 row[HD_LANES];
    for (unsigned l = 0; l < HD_LANES; l++)
        row[l] = w->conv.b[op->i.bx];
    write_row(w->r[op->rd], row, exec);
    w->conv.pc += CONV_INSN;
}

static inline void write_barrier(struct warp *w, const struct op *op, u32 exec)
{
    unsigned b = op->i.bx;
    conv_bmov(&w->conv, b, exec ? LOWEST(operand_b(w, op), exec) : w->conv.b[b]);
}

/* ---- the names ---- */

/* `call` lets the convergence unit execute the instruction. */
#define CONTROL(call) \
    do { cv->active = active; cv->pc = pc; conv_begin(cv); call; goto moved; } while (0)
/* The same where it may fault, having done nothing then. */
#define MAY_FAULT(call) \
    do { cv->active = active; cv->pc = pc; conv_begin(cv); if (call) goto faulted; goto moved; } while (0)
#define STACK(call) do { if (m_->code.stack_mode) MAY_FAULT(call); } while (0)
#define BARRIER(call) \
    do { \
        if (rec) { \
            rec->conv = 1; \
            rec->bx = op->i.bx; \
            rec->bbefore = cv->b[op->i.bx]; \
        } \
        CONTROL(call); \
    } while (0)
#define FAULTS(call) do { if ((call) != HD_FAULT_NONE) goto faulted; } while (0)
#define WARP_LOAD(space) FAULTS(ACCESS(load)(m_, w, op, space, exec, rec))
#define WARP_STORE(space) FAULTS(ACCESS(store)(m_, w, op, space, exec, rec))
#define WARP_ATOM(space) FAULTS(ACCESS(atom)(m_, w, op, space, exec, rec))
#define WARP_VOTE() warp_vote(w, op, exec)
#define WARP_SHFL() warp_shfl(w, op, exec)
#define WARP_MATCH_ANY() warp_match_any(w, op, exec)
#define WARP_MATCH_ALL() warp_match_all(w, op, exec)

#define WARP_BRA() \
    do { \
        m_->count.branches++; \
        if (exec && exec != active) { \
            m_->count.divergent_branches++; \
            STACK(stack_branch(m_, w, exec, op->i.imm, rec)); \
            CONTROL(conv_branch(cv, exec, op->i.imm)); \
        } \
        pc = exec ? op->i.imm : pc + CONV_INSN; \
        goto jumped; \
    } while (0)
#define WARP_EXIT() MAY_FAULT(block_exit(m_, w, exec, rec))
#define WARP_BAR() CONTROL(block_sync(m_, w, op->i.bx, LOWEST(operand_b(w, op), active)))
#define WARP_TRAP() FAULTS(model_set_fault(m_, HD_FAULT_TRAP, exec))
#define LINK() \
    do { for (unsigned l_ = 0; l_ < HD_LANES; l_++) room_a[l_] = pc + CONV_INSN; \
         write_row(w->r[op->rd], room_a, exec); } while (0)
/* Before lanes go where a register says: who counts blocks looks at it. */
#ifndef LOOK
#define LOOK(lanes) do { } while (0)
#endif
#define INDIRECT() do { LOOK(exec); CONTROL(indirect(m_, cv, exec, w->r[op->ra])); } while (0)
#define WARP_BRX() \
    do { \
        LOOK(exec); \
        STACK(counted(m_, cv, active, stack_brx(m_, w, exec, w->r[op->ra], rec))); \
        INDIRECT(); \
    } while (0)
#define WARP_RET() INDIRECT()
#define WARP_CALL() do { LINK(); WARP_BRA(); } while (0)
#define WARP_CALLR() do { LINK(); INDIRECT(); } while (0)
#define WARP_BSSY() BARRIER(conv_bssy(cv, exec, op->i.bx))
#define WARP_BSYNC() BARRIER(conv_bsync(cv, op->i.bx))
#define WARP_BREAK() BARRIER(conv_break(cv, exec, op->i.bx))
#define WARP_BMOVR() BARRIER(read_barrier(w, op, exec))
#define WARP_BMOVB() BARRIER(write_barrier(w, op, exec))
/* In stack mode the record names those that pass as released. */
#define WARP_WARPSYNC() \
    CONTROL((conv_warpsync(cv, LOWEST(operand_b(w, op), active)), \
             cv->released |= m_->code.stack_mode ? cv->active : 0))
#define WARP_YIELD() CONTROL(conv_yield(cv))
#define WARP_SSY() MAY_FAULT(stack_ssy(m_, w, op->i.imm, rec))
#define WARP_CAL() MAY_FAULT(counted(m_, cv, active, stack_cal(m_, w, op->i.imm, rec)))
#define WARP_CALR() \
    do { LOOK(active); MAY_FAULT(counted(m_, cv, active, stack_calr(m_, w, w->r[op->ra], rec))); } while (0)
#define WARP_RETT() MAY_FAULT(stack_rett(m_, w, rec))

#endif

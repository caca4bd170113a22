/* Executes instructions of one warp: the dispatcher, and what isa.def's effects mean to it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The effects are C: each row of the table becomes a handler whose body is that text.  A row that
 * computes lane by lane becomes a loop over the lanes (two: all lanes execute, or only some), which
 * the compiler turns into vector code: rows of registers are equal or disjoint, never shifted, so
 * lanes do not depend on each other.  Which operands a row has is a constant in its handler.
 *
 * Subtle: the running group lives in `active` and `pc` here and in w->conv elsewhere; control
 * instructions write it back, let the convergence unit work, and fetch it again.  In effects a, b, c,
 * d, l and m have their meaning of isa.def; so the model is `m_` here and the convergence unit `cv`. */
#include "cmodel/machine/lane.h"
#include "cmodel/fp/fp32.h"
#include "cmodel/fp/mufu.h"
#include <string.h>

_Static_assert(GO_COUNT <= 256, "struct op holds a handler in a byte");

#define HAS(operands, letter) (__builtin_strchr(operands, letter) != NULL)
#define IS_FLOAT(unit) (UNIT_##unit == UNIT_FPU || UNIT_##unit == UNIT_SFU)
#define IS_WARP(effect) (__builtin_strncmp(effect, "WARP_", 5) == 0)

/* ---- f32 rows with default modifiers: fpwarp.c does all lanes at once -------------------------- */

#define WIDE_ROWS(X) \
    X(FADD, fp_add32(d, a, b)) X(FMUL, fp_mul32(d, a, b)) X(FFMA, fp_fma32(d, a, b, c)) \
    X(FMIN, fp_min32(d, a, b)) X(FMAX, fp_max32(d, a, b)) \
    X(I2FS, fp_from_s32x32(d, a)) X(I2FU, fp_from_u32x32(d, a)) \
    X(F2IS, fp_to_s32x32(d, a, op->i.rm)) X(F2IU, fp_to_u32x32(d, a, op->i.rm))

static bool has_wide(const struct hd_insn *i)
{
    switch (i->op) {
    case OP_FADD: case OP_FMUL: case OP_FFMA: case OP_FMIN: case OP_FMAX: case OP_I2FS: case OP_I2FU:
        return !i->rm && !i->ftz && !i->sat;
    case OP_F2IS: case OP_F2IU: case OP_FSETP:
        return !i->ftz;
    default:
        return false;
    }
}

uint8_t step_handler(const struct hd_insn *i)
{
    return (uint8_t)(has_wide(i) ? GO_WIDE + i->op : i->op);
}

static u32 signed_f32(u32 v, bool absolute, bool negate)
{
    return (absolute ? v & ~F32_SIGN : v) ^ (negate ? F32_SIGN : 0);
}

/* The operand with its signs applied: the row itself where it has none. */
static const u32 *signed_row(u32 *room, const u32 *row, bool absolute, bool negate)
{
    if (!absolute && !negate)
        return row;
    for (unsigned l = 0; l < HD_LANES; l++)
        room[l] = signed_f32(row[l], absolute, negate);
    return room;
}

/* ---- control and memory rows: what their effects call ------------------------------------------ */

/* `call` lets the convergence unit execute the instruction. */
#define CONTROL(call) \
    do { cv->active = active; cv->pc = pc; conv_begin(cv); call; goto moved; } while (0)
/* The same where it may fault, having done nothing then. */
#define MAY_FAULT(call) \
    do { cv->active = active; cv->pc = pc; conv_begin(cv); if (call) goto faulted; goto moved; } while (0)
#define STACK(call) do { if (m_->stack_mode) MAY_FAULT(call); } while (0)
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
#define LOWEST(row, mask) (row)[__builtin_ctz(mask)]

#define WARP_LOAD(space) FAULTS(mem_load(m_, w, op, space, exec, rec))
#define WARP_STORE(space) FAULTS(mem_store(m_, w, op, space, exec, rec))
#define WARP_ATOM(space) FAULTS(mem_atom(m_, w, op, space, exec, rec))
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
#define LOOK(lanes) do { if (m_->bbv) bbv_look(m_->bbv, lanes, w->r[op->ra]); } while (0)
#define INDIRECT() do { LOOK(exec); CONTROL(indirect(m_, cv, exec, w->r[op->ra])); } while (0)
#define WARP_BRX() do { LOOK(exec); STACK(counted(m_, cv, active, stack_brx(m_, w, exec, w->r[op->ra], rec))); INDIRECT(); } while (0)
#define WARP_RET() INDIRECT()
#define WARP_CALL() do { LINK(); WARP_BRA(); } while (0)
#define WARP_CALLR() do { LINK(); INDIRECT(); } while (0)
#define WARP_BSSY() BARRIER(conv_bssy(cv, exec, op->i.bx))
#define WARP_BSYNC() BARRIER(conv_bsync(cv, op->i.bx))
#define WARP_BREAK() BARRIER(conv_break(cv, exec, op->i.bx))
#define WARP_BMOVR() BARRIER(read_barrier(w, op, exec))
#define WARP_BMOVB() BARRIER(write_barrier(w, op, exec))
#define WARP_WARPSYNC() CONTROL(conv_warpsync(cv, LOWEST(operand_b(w, op), active)))
#define WARP_YIELD() CONTROL(conv_yield(cv))
#define WARP_SSY() MAY_FAULT(stack_ssy(m_, w, op->i.imm, rec))
#define WARP_CAL() MAY_FAULT(counted(m_, cv, active, stack_cal(m_, w, op->i.imm, rec)))
#define WARP_CALR() \
    do { LOOK(active); MAY_FAULT(counted(m_, cv, active, stack_calr(m_, w, w->r[op->ra], rec))); } while (0)
#define WARP_RETT() MAY_FAULT(stack_rett(m_, w, rec))

static void indirect(struct model *m, struct conv *c, u32 exec, const u32 *target)
{
    u32 before = c->active;
    m->count.branches++;
    conv_indirect(c, exec, target);
    m->count.divergent_branches += c->active != before;
}

/* Counts a branch of stack mode that the lanes `before` have executed; passes its fault on. */
static enum hd_fault counted(struct model *m, const struct conv *c, u32 before, enum hd_fault f)
{
    m->count.branches++;
    m->count.divergent_branches += c->active != before;
    return f;
}

static void read_barrier(struct warp *w, const struct op *op, u32 exec)
{
    u32 row[HD_LANES];
    for (unsigned l = 0; l < HD_LANES; l++)
        row[l] = w->conv.b[op->i.bx];
    write_row(w->r[op->rd], row, exec);
    w->conv.pc += CONV_INSN;
}

static void write_barrier(struct warp *w, const struct op *op, u32 exec)
{
    unsigned b = op->i.bx;
    conv_bmov(&w->conv, b, exec ? LOWEST(operand_b(w, op), exec) : w->conv.b[b]);
}

/* One value in all lanes: %clock.  Who reads it sees time pass. */
static void read_clock(struct model *m, struct warp *w, u32 which, u64 now)
{
    m->changes += which == SREG_CLOCKLO || which == SREG_CLOCKHI;
    if (m->clock)
        now = *m->clock;
    for (unsigned l = 0; l < HD_LANES; l++) {
        w->sr[SREG_CLOCKLO][l] = (u32)now;
        w->sr[SREG_CLOCKHI][l] = (u32)(now >> 32);
    }
}

/* ---- the handlers ------------------------------------------------------------------------------- */

/* The effect in every lane.  Values of lanes that do not execute are computed and dropped. */
#define LANES(operands, unit, effect, all) \
    do { \
        const struct hd_insn m = op->i; \
        const u32 *ra = w->r[op->ra], *rb = operand_b(w, op), *rc = w->r[op->rc]; \
        u32 *rd = w->r[op->rd], source = w->p[m.ps] ^ op->sn, second = w->p[m.pq], result = 0; \
        _Pragma("GCC ivdep") \
        for (unsigned l = 0; l < HD_LANES; l++) { \
            u32 a = ra[l], b = HAS(operands, 'b') ? rb[l] : 0, c = HAS(operands, 'c') ? rc[l] : 0; \
            u64 A = HAS(operands, 'A') ? (u64)ra[HD_LANES + l] << 32 | ra[l] : 0; \
            u64 B = HAS(operands, 'B') ? (u64)rb[HD_LANES + l] << 32 | rb[l] : 0; \
            u64 C = HAS(operands, 'C') ? (u64)rc[HD_LANES + l] << 32 | rc[l] : 0; \
            u32 ps = source >> l & 1, pt = second >> l & 1, pd = 0, d = 0; \
            u64 D = 0; \
            if (IS_FLOAT(unit)) { \
                a = signed_f32(a, m.aa, m.na); \
                b = signed_f32(b, m.ab, m.nb); \
                c = signed_f32(c, false, m.nc); \
            } \
            (void)a, (void)b, (void)c, (void)A, (void)B, (void)C, (void)ps, (void)pt; \
            effect; \
            if (HAS(operands, 'D')) { \
                rd[l] = all || exec >> l & 1 ? (u32)D : rd[l]; \
                rd[HD_LANES + l] = all || exec >> l & 1 ? (u32)(D >> 32) : rd[HD_LANES + l]; \
            } else if (HAS(operands, 'd')) { \
                rd[l] = all || exec >> l & 1 ? d : rd[l]; \
            } \
            result |= (pd & 1) << l; \
        } \
        if (HAS(operands, 'p')) \
            write_pred(w, op->pd, result, exec); \
    } while (0)

/* The effect once.  Rows that do not come here must compile here all the same. */
#define WARP(effect) \
    do { \
        const struct hd_insn m = op->i; \
        const unsigned l = 0; \
        u32 a = 0, b = 0, c = 0, d, ps = 0, pt = 0, pd; \
        u64 A = 0, B = 0, C = 0, D; \
        (void)m, (void)l, (void)a, (void)b, (void)c, (void)ps, (void)pt, (void)A, (void)B, (void)C; \
        effect; \
        (void)d, (void)pd, (void)D; \
    } while (0)

/* From a row's effect to its handler. */
#define HANDLER(id, operands, unit, effect, text) \
    L_##id: \
        if (OP_##id == OP_S2R) \
            read_clock(m_, w, op->i.imm, m_->launch.clock + m_->seq + (budget - left)); \
        if (IS_WARP(text)) WARP(effect); \
        else if (*text && exec == ~0u) LANES(operands, unit, effect, true); \
        else if (*text) LANES(operands, unit, effect, false); \
        goto next;

#define WIDE_HANDLER(id, call) \
    L_wide_##id: { \
        const u32 *a = signed_row(room_a, w->r[op->ra], op->i.aa, op->i.na); \
        const u32 *b = signed_row(room_b, operand_b(w, op), op->i.ab, op->i.nb); \
        const u32 *c = signed_row(room_c, w->r[op->rc], false, op->i.nc); \
        u32 *d = exec == ~0u ? w->r[op->rd] : room_d; \
        (void)b, (void)c; \
        call; \
        if (exec != ~0u) \
            write_row(w->r[op->rd], room_d, exec); \
        goto next; \
    }

static u32 compare_wide(const struct warp *w, const struct op *op, const u32 *a, const u32 *b)
{
    u32 r = fp_cmp32(a, b, op->i.fcmp), ps = w->p[op->i.ps] ^ op->sn;
    return op->i.fbop == FBOP_AND ? r & ps : op->i.fbop == FBOP_OR ? r | ps : r ^ ps;
}

static u64 run(struct model *m_, struct warp *w, u64 budget, struct hd_commit *rec, const struct op *first);

/* `.S`: the plain instruction as a run of its own, then the pop; `done` steps before it are not counted
 * yet.  A pop that will fault leaves it to an access to memory to fault first. */
static enum hd_fault carrier(struct model *m, struct warp *w, const struct op *op, u64 done,
                             struct hd_commit *rec)
{
    const u64 seq = m->seq, threads = m->count.thread_insns, lanes = m->count.active_lanes;
    struct op plain = *op;
    plain.go = step_handler(&op->i);
    if (stack_check_carrier(m, w) && (hd_ops[op->i.op].unit != UNIT_LSU || op->i.op == OP_MEMBAR))
        return m->fault;
    m->seq += done;
    run(m, w, 1, rec, &plain);
    m->seq = seq;                           /* the caller counts */
    m->count.thread_insns = threads;
    m->count.active_lanes = lanes;
    if (!m->fault)
        stack_pop(m, w, rec);
    return m->fault;
}

/* Executes instructions from the warp's PC on; `first`, if it is not NULL, in place of the first one. */
static u64 run(struct model *m_, struct warp *w, u64 budget, struct hd_commit *rec, const struct op *first)
{
    static const void *const handler[GO_COUNT] = {
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) [OP_##id] = &&L_##id,
#include "cmodel/isa/isa.def"
        [GO_BAD_PC] = &&L_bad_pc, [GO_ILLEGAL] = &&L_illegal, [GO_BUS] = &&L_bus,
        [GO_CARRIER] = &&L_carrier, [GO_ENTRY] = &&L_entry, [GO_ENTRY_APART] = &&L_entry_apart, [GO_WIDE + OP_FSETP] = &&L_wide_FSETP,
#define X(id, call) [GO_WIDE + OP_##id] = &&L_wide_##id,
        WIDE_ROWS(X)
#undef X
    };
    _Alignas(64) u32 room_a[HD_LANES], room_b[HD_LANES], room_c[HD_LANES], room_d[HD_LANES];
    struct conv *cv = &w->conv;
    const struct op *code = m_->code, *op;
    u32 active = cv->active, pc = cv->pc, exec = 0;
    const u32 size = m_->words * CONV_INSN;
    struct bbv_tally *const tally = m_->bbv ? m_->bbv->tally + (size_t)w->slot * m_->bbv->n : NULL;
    u64 left = budget, threads = 0, lanes = 0;
    if (!first)
        goto jumped_first;
    op = first;
    goto fetch;

next:
    pc += CONV_INSN;
    op++;
    if (!--left)
        goto out;
fetch:
    exec = active & (w->p[op->i.pg] ^ op->pn);
    threads += (u32)__builtin_popcount(exec);
    lanes += (u32)__builtin_popcount(active);
    goto *handler[op->go];

moved:
    active = cv->active;
    pc = cv->pc;
    m_->count.gave_way += cv->gaveway;
    m_->count.reconvergences += cv->joined;
jumped:
    left--;
jumped_first:
    if (!left || !active)
        goto stands;
    op = &code[pc < size && pc % CONV_INSN == 0 ? pc / CONV_INSN : m_->words];
    goto fetch;

#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) \
    HANDLER(id, operands, unit, effect, #effect)
#include "cmodel/isa/isa.def"
    WIDE_ROWS(WIDE_HANDLER)
L_wide_FSETP: {
        const u32 *a = signed_row(room_a, w->r[op->ra], op->i.aa, op->i.na);
        const u32 *b = signed_row(room_b, operand_b(w, op), op->i.ab, op->i.nb);
        write_pred(w, op->pd, compare_wide(w, op, a, b), exec);
        goto next;
    }
L_entry:
    bbv_entered(m_->bbv, tally, w->slot, op->entry, active);
    goto *handler[op->entry_go];
L_entry_apart: {
        u32 leave = bbv_leaving(active, exec, pc + CONV_INSN, w->r[op->ra], op->i.op == OP_CALR);
        if (leave)
            bbv_entered(m_->bbv, tally, w->slot, op->entry, leave);
        goto *handler[op->entry_go];
    }
stands:
    if (!left || !stack_unwinds(w))
        goto out;
    MAY_FAULT(stack_unwind(m_, w, rec));
L_carrier:
    MAY_FAULT(carrier(m_, w, op, budget - left, rec));
L_bad_pc:
    model_set_fault(m_, HD_FAULT_PC, active);
    threads -= (u32)__builtin_popcount(exec);
    goto faulted;
L_bus:
    model_set_fault(m_, HD_FAULT_BUS, active);
    m_->fault_addr = (u32)(m_->launch.code_base + pc);
    threads -= (u32)__builtin_popcount(exec);
    goto faulted;
L_illegal:
    model_set_fault(m_, HD_FAULT_ILLEGAL, active);
    threads -= (u32)__builtin_popcount(exec);
faulted:
    left--;
out:
    cv->active = active;
    cv->pc = pc;
    m_->count.thread_insns += threads;
    m_->count.active_lanes += lanes;
    m_->seq += budget - left;
    return budget - left;
}

u64 step_warp(struct model *m, struct warp *w, u64 budget, struct hd_commit *rec)
{
    return run(m, w, budget, rec, NULL);
}

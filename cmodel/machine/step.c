/* Executes instructions of one warp: the dispatcher, and what isa.def's effects mean to it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The effects are C: each row of the table becomes a handler whose body is that text.  A row that
 * computes lane by lane becomes a loop over the lanes (two: all lanes execute, or only some), which
 * the compiler turns into vector code: rows of registers are equal or disjoint, never shifted, so
 * lanes do not depend on each other.  Which operands a row has is a constant in its handler.
 *
 * A handler is a function whose last act is to call the next instruction's, which the compiler makes a
 * jump: what the dispatcher needs stays in the host's registers, and each handler has a jump of its own,
 * which the processor predicts by the instruction before.  Where the compiler does not do that (sanitizers,
 * no optimisation), handlers return to a loop that calls the next.
 *
 * Subtle: the running group lives in `active` and op->pc here and in w->conv elsewhere; control
 * instructions write it back, let the convergence unit work, and fetch it again.  In effects a, b, c,
 * d, l and m have their meaning of isa.def; so the model is `m_` here and the convergence unit `cv`. */
#include "cmodel/machine/machine.h"
#include "cmodel/machine/effects.h"
#include "cmodel/machine/quick.h"
#include "cmodel/fp/fp32.h"
#include "cmodel/fp/fp64.h"
#include "cmodel/fp/mufu.h"
#include <string.h>

_Static_assert(GO_COUNT <= 256, "struct op holds a handler in a byte");

#define HAS(operands, letter) (__builtin_strchr(operands, letter) != NULL)
#define WRITES(operands) (HAS(operands, 'd') || HAS(operands, 'D'))
#define IS_FLOAT(unit) (UNIT_##unit == UNIT_FPU || UNIT_##unit == UNIT_SFU)
#define IS_WARP(effect) (__builtin_strncmp(effect, "WARP_", 5) == 0)

/* ---- which handler ------------------------------------------------------------------------------ */

uint8_t step_handler(const struct hd_insn *i)
{
    if (i->op == OP_ISETP && i->bop == BOP_AND && i->ps == HD_PT && !i->sn)
        return (uint8_t)(GO_COMPARE + 2 * i->icmp + i->sg);
    const enum lane_way way = lane_way(i);
#define X(row, effect) \
    if (i->op == OP_##row && way == LANE_FAST) \
        return GO_FAST_##row;
    FAST_ROWS(X)
#undef X
#define X(row, effect) \
    if (i->op == OP_##row && way == LANE_FLUSH) \
        return GO_FLUSH_##row;
    FLUSH_ROWS(X)
#undef X
    if (i->op == OP_MUFU)
        return GO_MUFU;
    return (uint8_t)i->op;
}

/* ---- what control rows call ---------------------------------------------------------------------- */

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

/* ---- from handler to handler -------------------------------------------------------------------- */

struct run {
    struct model *m;
    struct hd_commit *rec;
    const struct op *code;
    u32 size;                               /* bytes of it */
    struct bbv_tally *tally;
    u64 budget, threads, lanes;
    u64 mark;                               /* lanes are counted down to that many steps left */
    void *next;                             /* TAIL_CALLS 0: the handler to call, and what with */
    const struct op *op;
    u32 active, exec;
    u64 left;
    struct region_state region;             /* of translated code, where m->fast.native is on */
    _Alignas(64) u32 room_a[HD_LANES];
};

#define ARGS struct run *s, struct warp *w, const struct op *op, u32 active, u32 exec, u64 left
#define PASS s, w, op, active, exec, left
typedef void handler_fn(ARGS);
static handler_fn *const handlers[GO_COUNT];

#if defined __OPTIMIZE__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define TAIL_CALLS 1
#define CALL(fn) do { (fn)(PASS); return; } while (0)
#else
#define TAIL_CALLS 0
#define CALL(fn) \
    do { \
        handler_fn *fn_ = (fn); \
        memcpy(&s->next, &fn_, sizeof fn_); \
        s->op = op, s->active = active, s->exec = exec, s->left = left; \
        return; \
    } while (0)
#endif

/* Execution of op begins. */
#define FETCH \
    do { \
        exec = active & (w->p[op->i.pg] ^ op->pn); \
        s->threads += (u32)__builtin_popcount(exec); \
        CALL(handlers[op->go]); \
    } while (0)
/* The active lanes of the steps since `mark` are counted: before `active` changes. */
#define COUNT_LANES do { s->lanes += (u64)__builtin_popcount(active) * (s->mark - left); s->mark = left; } while (0)
#define STOP do { s->left = left; return; } while (0)

/* The instruction is done, and the next one follows. */
#define NEXT \
    do { \
        if (!--left) \
            CALL(stop); \
        op++; \
        FETCH; \
    } while (0)
/* What runs is in the convergence unit; the instruction is not counted yet. */
#define MOVED \
    do { \
        left--; \
        COUNT_LANES; \
        active = w->conv.active; \
        s->m->count.gave_way += w->conv.gaveway; \
        s->m->count.reconvergences += w->conv.joined; \
        JUMP(w->conv.pc); \
    } while (0)
#define JUMP(to) \
    do { \
        u32 to_ = (to); \
        if (!left || !active) { \
            w->conv.pc = to_; \
            CALL(stands); \
        } \
        if (to_ >= s->size || to_ % CONV_INSN) { \
            w->conv.pc = to_; \
            CALL(bad_jump); \
        } \
        op = &s->code[to_ / CONV_INSN]; \
        FETCH; \
    } while (0)

/* A handler: `body` ends with one of the above, or at one of the labels that effects.h names. */
#define HANDLER(name, ...) \
    static void name(ARGS) \
    { \
        struct model *const m_ = s->m; \
        struct conv *const cv = &w->conv; \
        struct hd_commit *const rec = s->rec; \
        u32 *const room_a = s->room_a, pc = op->pc; \
        (void)m_, (void)cv, (void)rec, (void)room_a, (void)exec; \
        __VA_ARGS__ \
        NEXT; \
    moved: __attribute__((unused)); \
        MOVED; \
    jumped: __attribute__((unused)); \
        left--; \
        JUMP(pc); \
    faulted: __attribute__((unused)); \
        w->conv.pc = pc; \
        CALL(fault); \
    }

/* The budget is used up after op. */
static void stop(ARGS)
{
    (void)exec;
    COUNT_LANES;
    w->conv.active = active;
    w->conv.pc = op->pc + CONV_INSN;
    STOP;
}

/* The instruction at conv.pc did not happen, but counts as one step. */
static void fault(ARGS)
{
    (void)op, (void)exec;
    left--;
    COUNT_LANES;
    w->conv.active = active;
    STOP;
}

/* The group would go on at conv.pc, where no instruction is. */
static void bad_jump(ARGS)
{
    (void)w;
    model_set_fault(s->m, HD_FAULT_PC, active);
    CALL(fault);
}

/* No lane runs, or the budget is used up. */
HANDLER(stands, {
    COUNT_LANES;
    w->conv.active = active;
    pc = w->conv.pc;
    if (!left || !stack_unwinds(w))
        STOP;
    MAY_FAULT(stack_unwind(m_, w, rec));
})

/* ---- what an instruction does to the lanes ------------------------------------------------------ */

static inline u32 sreg(const struct warp *w, unsigned l, u32 n)
{
    return w->sr[n][l];
}

/* The effect in every lane.  Values of lanes that do not execute are computed and dropped. */
#define LANES(operands, signs, effect, all) \
    do { \
        const struct hd_insn m = op->i; \
        const u32 *ra = w->r[op->ra], *rb = operand_b(w, op), *rc = w->r[op->rc]; \
        u32 *rd = w->r[op->rd], source = w->p[m.ps] ^ op->sn, second = w->p[m.pq], result = 0; \
        const u32 keep_a = ~((u32)m.aa << 31), flip_a = (u32)m.na << 31; \
        const u32 keep_b = ~((u32)m.ab << 31), flip_b = (u32)m.nb << 31, flip_c = (u32)m.nc << 31; \
        (void)keep_a, (void)flip_a, (void)keep_b, (void)flip_b, (void)flip_c; \
        _Pragma("GCC ivdep") \
        for (unsigned l = 0; l < HD_LANES; l++) { \
            u32 a = ra[l], b = HAS(operands, 'b') ? rb[l] : 0, c = HAS(operands, 'c') ? rc[l] : 0; \
            u64 A = HAS(operands, 'A') ? (u64)ra[HD_LANES + l] << 32 | ra[l] : 0; \
            u64 B = HAS(operands, 'B') ? (u64)rb[HD_LANES + l] << 32 | rb[l] : 0; \
            u64 C = HAS(operands, 'C') ? (u64)rc[HD_LANES + l] << 32 | rc[l] : 0; \
            u32 ps = source >> l & 1, pt = second >> l & 1, pd = 0, d = 0; \
            u64 D = 0; \
            if (signs) { \
                a = (a & keep_a) ^ flip_a; \
                b = (b & keep_b) ^ flip_b; \
                c ^= flip_c; \
            } \
            (void)a, (void)b, (void)c, (void)A, (void)B, (void)C, (void)ps, (void)pt; \
            effect; \
            if (HAS(operands, 'D')) { \
                rd[l] = all ? (u32)D : kept((u32)D, rd[l], exec, l); \
                rd[HD_LANES + l] = all ? (u32)(D >> 32) \
                                       : kept((u32)(D >> 32), rd[HD_LANES + l], exec, l); \
            } else if (HAS(operands, 'd')) { \
                rd[l] = all ? d : kept(d, rd[l], exec, l); \
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

#define ROW(id, operands, unit, effect, text) \
    HANDLER(do_##id, \
        if (OP_##id == OP_S2R) \
            read_clock(m_, w, op->i.imm, m_->launch.clock + m_->seq + (s->budget - left)); \
        if (IS_WARP(text)) WARP(effect); \
        else if (*text && (exec == ~0u || !WRITES(operands))) LANES(operands, IS_FLOAT(unit), effect, true); \
        else if (*text) LANES(operands, IS_FLOAT(unit), effect, false);)
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) \
    ROW(id, operands, unit, effect, #effect)
#include "cmodel/isa/isa.def"

/* Of all rows, but only those of FAST_ROWS are called. */
#define X(name, effect) if (row_ == OP_##name) { effect; }
#define FAST_ROW(id, operands) \
    __attribute__((unused)) HANDLER(signed_##id, \
        const enum hd_op row_ = OP_##id; \
        LANES(operands, true, FAST_ROWS(X), false);) \
    __attribute__((unused)) HANDLER(fast_##id, \
        const enum hd_op row_ = OP_##id; \
        if (op->signs) CALL(signed_##id); \
        if (exec == ~0u || !WRITES(operands)) LANES(operands, false, FAST_ROWS(X), true); \
        else LANES(operands, false, FAST_ROWS(X), false);)
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) FAST_ROW(id, operands)
#include "cmodel/isa/isa.def"
#define FLUSH_ROW(id, operands) \
    __attribute__((unused)) HANDLER(flush_##id, \
        const enum hd_op row_ = OP_##id; \
        LANES(operands, true, FLUSH_ROWS(X), false);)
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) FLUSH_ROW(id, operands)
#include "cmodel/isa/isa.def"
#undef X

/* So few lanes are sooner done one by one. */
enum { FEW = 6 };

static void mufu_lanes(struct warp *w, const struct op *op, u32 exec)
{
    const u32 keep = ~((u32)op->i.aa << 31), flip = (u32)op->i.na << 31, *ra = w->r[op->ra];
    _Alignas(64) u32 row[HD_LANES];
    if (__builtin_popcount(exec) <= FEW) {
        for (u32 left = exec; left; left &= left - 1) {
            const unsigned l = (unsigned)__builtin_ctz(left);
            w->r[op->rd][l] = mufu_eval(op->i.mufu, (ra[l] & keep) ^ flip);
        }
        return;
    }
    for (unsigned l = 0; l < HD_LANES; l++)
        row[l] = (ra[l] & keep) ^ flip;
    mufu_eval32(op->i.mufu, row, row);
    write_row(w->r[op->rd], row, exec);
}

HANDLER(do_mufu_lanes, mufu_lanes(w, op, exec);)

/* ISETP without a second predicate, each comparison apart. */
#define COMPARES(X) X(EQ) X(NE) X(LT) X(LE) X(GT) X(GE)
#define COMPARE(name, cmp, sign) \
    HANDLER(name, \
        LANES("p,a,b", false, pd = isetp(a, b, 1, (struct hd_insn){ .icmp = cmp, .sg = sign, .bop = BOP_AND }), true);)
#define X(cmp) COMPARE(compare_##cmp##_U32, ICMP_##cmp, 0) COMPARE(compare_##cmp##_S32, ICMP_##cmp, 1)
COMPARES(X)
#undef X

HANDLER(entry, {
    bbv_entered(m_->fast.bbv, s->tally, w->slot, op->entry, active);
    CALL(handlers[op->entry_go]);
})
HANDLER(entry_apart, {
    u32 leave = op->i.op == OP_BSYNC
                    ? conv_bsync_past(&w->conv, active, op->i.bx, pc)
                    : bbv_leaving(active, exec, pc + CONV_INSN, w->r[op->ra],
                                  op->i.op == OP_CALR ? BBV_ALL
                                  : m_->code.stack_mode || w->conv.again ? BBV_FIRST : BBV_SMALLER);
    if (leave)
        bbv_entered(m_->fast.bbv, s->tally, w->slot, op->entry, leave);
    else if (op->i.op == OP_BSYNC)          /* all wait: the warp has executed it all the same */
        m_->fast.bbv->executions[op->entry]++;
    CALL(handlers[op->entry_go]);
})

/* Translated code, where the budget covers it and no record is wanted.  It ends before an operation
 * that faults, which is then executed here. */
HANDLER(native, {
    const struct region *region = &m_->fast.native->table->region[op->region];
    if (rec || left <= region->length)
        CALL(handlers[op->region_go]);
    s->region.active = active;
    s->region.left = left;
    s->region.clock = m_->launch.clock + m_->seq + (s->budget - left);
    s->region.done = s->region.threads = s->region.since = s->region.lanes = 0;
    u32 go_on = region->run(&s->region);
    if (!s->region.done)
        CALL(handlers[op->region_go]);
    s->threads += s->region.threads - (u32)__builtin_popcount(exec);
    if (s->region.since) {
        COUNT_LANES;
        s->lanes += s->region.lanes;
        s->mark = left - s->region.since;
        active = s->region.active;
    }
    left -= s->region.done;
    if (go_on == REGION_MOVED)
        JUMP(w->conv.pc);
    op = &s->code[go_on];
    FETCH;
})

static u64 run(struct model *m, struct warp *w, u64 budget, struct hd_commit *rec, const struct op *first);

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

HANDLER(do_carrier, MAY_FAULT(carrier(m_, w, op, s->budget - left, rec));)

/* Of the lanes nothing is counted where there was no instruction. */
HANDLER(bad_pc, {
    s->threads -= (u32)__builtin_popcount(exec);
    model_set_fault(m_, HD_FAULT_PC, active);
    goto faulted;
})
HANDLER(bus, {
    s->threads -= (u32)__builtin_popcount(exec);
    model_set_fault(m_, HD_FAULT_BUS, active);
    m_->fault_at.addr = (u32)(m_->launch.code_base + pc);
    goto faulted;
})
HANDLER(illegal, {
    s->threads -= (u32)__builtin_popcount(exec);
    model_set_fault(m_, HD_FAULT_ILLEGAL, active);
    goto faulted;
})

static handler_fn *const handlers[GO_COUNT] = {
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) [OP_##id] = do_##id,
#include "cmodel/isa/isa.def"
    [GO_BAD_PC] = bad_pc, [GO_ILLEGAL] = illegal, [GO_BUS] = bus, [GO_CARRIER] = do_carrier,
    [GO_ENTRY] = entry, [GO_ENTRY_APART] = entry_apart,
    [GO_NATIVE] = native,
#define X(id, effect) [GO_FAST_##id] = fast_##id,
    FAST_ROWS(X)
#undef X
#define X(id, effect) [GO_FLUSH_##id] = flush_##id,
    FLUSH_ROWS(X)
#undef X
    [GO_MUFU] = do_mufu_lanes,
#define X(cmp) \
    [GO_COMPARE + 2 * ICMP_##cmp] = compare_##cmp##_U32, [GO_COMPARE + 2 * ICMP_##cmp + 1] = compare_##cmp##_S32,
    COMPARES(X)
#undef X
};

/* Starts with `first`, or where the warp stands. */
static void begin(ARGS)
{
    if (op)
        FETCH;
    op = s->code;
    JUMP(w->conv.pc);
}

#define CALLED_LSU(id, operands, flags, effect) case OP_##id: WARP(effect); break;
#define CALLED_ALU(id, operands, flags, effect) case OP_##id: if ((flags) & F_LANES) WARP(effect); break;
#define CALLED_MUL(id, operands, flags, effect)
#define CALLED_FPU(id, operands, flags, effect) case OP_##id: LANES(operands, true, effect, false); break;
#define CALLED_SFU(id, operands, flags, effect) case OP_##id: mufu_lanes(w, op, exec); break;
#define CALLED_F64(id, operands, flags, effect) case OP_##id: LANES(operands, false, effect, false); break;
#define CALLED_CTL(id, operands, flags, effect)

/* The operations of translated code: those of effects.h that go on after themselves, and what is
 * no vector code. */
static bool region_call(struct region_state *s, u32 index, u32 exec)
{
    struct model *const m_ = s->model;
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
    struct model *const m = s->model;
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
    m->count.gave_way += c->gaveway;
    m->count.reconvergences += c->joined;
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
    struct model *const m = s->model;
    struct warp *const w = s->warp;
    const struct op *const op = &m->code.op[index];
    const u32 active = s->active, *target = w->r[op->ra];
    u32 differ = 0, to = target[__builtin_ctz(active)];
    if (!s->barrier || m->code.stack_mode || m->fast.bbv || (exec && exec != active))
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
    const struct model *m = s->model;
    const struct warp *w = s->warp;
    bbv_switch(m->fast.bbv, w->slot, block, lanes);
}

void step_region(struct model *m, struct warp *w, struct region_state *s)
{
    *s = (struct region_state){ .r = w->r, .sr = (const u32 (*)[HD_LANES])w->sr, .p = w->p,
                                .bank = m->mem + m->launch.const_base, .bank_size = m->launch.const_size,
                                .call = region_call, .load_row = quick_load_row,
                                .store_words = quick_store_words,
                                .store_run = quick_store_run, .add = quick_add, .mem = m->mem,
                                .reach = quick_reach, .model = m, .warp = w, .tally = model_tally(m, w->slot),
                                .other_lanes = region_other_lanes, .barrier = w->conv.b,
                                .regroup = region_regroup, .leap = region_leap };
    for (unsigned k = 0; k < 3; k++)
        s->ctaid[k] = *w->sr[SREG_CTAID_X + k];
}

void step_region_counts(struct model *m, const struct region_state *s)
{
    m->changes += s->clocks;
    m->count.branches += s->branches;
    m->count.loads += s->constants + s->loads;
    m->count.stores += s->stores;
    m->count.mem_transactions += s->fetches + s->sectors;
}

/* Executes instructions from the warp's PC on; `first`, if it is not NULL, in place of the first one. */
static u64 run(struct model *m, struct warp *w, u64 budget, struct hd_commit *rec, const struct op *first)
{
    struct run s;
    s.m = m;
    s.rec = rec;
    s.code = m->code.op;
    s.size = m->code.words * CONV_INSN;
    s.tally = model_tally(m, w->slot);
    s.budget = s.mark = budget;
    s.threads = s.lanes = 0;
    s.next = NULL;
    if (m->fast.native)
        step_region(m, w, &s.region);
    begin(&s, w, first, w->conv.active, 0, budget);
    while (!TAIL_CALLS && s.next) {
        handler_fn *fn;
        memcpy(&fn, &s.next, sizeof fn);
        s.next = NULL;
        fn(&s, w, s.op, s.active, s.exec, s.left);
    }
    m->count.thread_insns += s.threads;
    m->count.active_lanes += s.lanes;
    m->seq += budget - s.left;
    if (m->fast.native)
        step_region_counts(m, &s.region);
    return budget - s.left;
}

u64 step_warp(struct model *m, struct warp *w, u64 budget, struct hd_commit *rec)
{
    return run(m, w, budget, rec, NULL);
}

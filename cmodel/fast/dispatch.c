/* The dispatcher: executes instructions of one warp, one after the other, without records.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each row of isa.def becomes a handler whose body is its effect (cmodel/machine/lanes.h,
 * effects.h); of a row that computes lane by lane there are two loops: all lanes execute, or only
 * some.  Which operands a row has is a constant in its handler.  What is rare (`.S`, faults of the
 * code, unwinding) is a step of the plain machine.
 *
 * A handler is a function whose last act is to call the next instruction's, which the compiler
 * makes a jump: what the dispatcher needs stays in the host's registers, and each handler has a
 * jump of its own, which the processor predicts by the instruction before.  Where the compiler does
 * not do that (sanitizers, no optimisation), handlers return to a loop that calls the next.
 *
 * Subtle: the running group lives in `active` and op->pc here and in w->conv elsewhere; control
 * instructions write it back, let the convergence unit work, and fetch it again. */
#include "cmodel/fast/inside.h"
#include "cmodel/fast/quick.h"
#define ACCESS(kind) access_##kind
#define LOOK(lanes) do { if (s->f->bbv) bbv_look(s->f->bbv, lanes, w->r[op->ra]); } while (0)
#include "cmodel/machine/effects.h"
#include "cmodel/machine/lanes.h"
#include <string.h>

_Static_assert(GO_COUNT <= 256, "struct fast_op holds a handler in a byte");

#define WRITES(operands) (HAS(operands, 'd') || HAS(operands, 'D'))

/* ---- which handler --------------------------------------------------------------------------- */

uint8_t fast_handler(const struct op *op)
{
    const struct hd_insn *i = &op->i;
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

/* ---- from handler to handler ----------------------------------------------------------------- */

struct run {
    struct fast *f;
    struct model *m;
    const struct fast_op *code;
    u32 size;                               /* bytes of it */
    struct bbv_tally *tally;
    u64 budget, threads, lanes;
    u64 mark;                               /* lanes are counted down to that many steps left */
    void *next;                             /* TAIL_CALLS 0: the handler to call, and what with */
    const struct fast_op *o;
    u32 active, exec;
    u64 left;
    struct region_state region;             /* of translated code, where f->native is on */
    _Alignas(64) u32 room_a[HD_LANES];
};

#define ARGS struct run *s, struct warp *w, const struct fast_op *o, u32 active, u32 exec, u64 left
#define PASS s, w, o, active, exec, left
typedef void handler_fn(ARGS);
static handler_fn *const handlers[GO_COUNT];
static handler_fn stands, step_plain;

#if defined __OPTIMIZE__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define TAIL_CALLS 1
#define CALL(fn) do { (fn)(PASS); return; } while (0)
#else
#define TAIL_CALLS 0
#define CALL(fn) \
    do { \
        handler_fn *fn_ = (fn); \
        memcpy(&s->next, &fn_, sizeof fn_); \
        s->o = o, s->active = active, s->exec = exec, s->left = left; \
        return; \
    } while (0)
#endif

/* Execution of o begins. */
#define FETCH \
    do { \
        exec = active & (w->p[o->op.i.pg] ^ o->op.pn); \
        s->threads += (u32)__builtin_popcount(exec); \
        CALL(handlers[o->go]); \
    } while (0)
/* The active lanes of the steps since `mark` are counted: before `active` changes. */
#define COUNT_LANES \
    do { \
        s->lanes += (u64)__builtin_popcount(active) * (s->mark - left); \
        s->mark = left; \
    } while (0)
#define STOP do { s->left = left; return; } while (0)

/* The instruction is done, and the next one follows. */
#define NEXT \
    do { \
        if (!--left) \
            CALL(stop); \
        o++; \
        FETCH; \
    } while (0)
/* What runs is in the convergence unit; the instruction is not counted yet. */
#define MOVED \
    do { \
        left--; \
        COUNT_LANES; \
        active = w->conv.active; \
        count_move(s->m, &w->conv); \
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
            CALL(step_plain); \
        } \
        o = &s->code[to_ / CONV_INSN]; \
        FETCH; \
    } while (0)

/* A handler: `body` ends with one of the above, or at one of the labels that effects.h names. */
#define HANDLER(name, ...) \
    static void name(ARGS) \
    { \
        struct model *const m_ = s->m; \
        struct conv *const cv = &w->conv; \
        struct hd_commit *const rec = NULL; \
        const struct op *const op = &o->op; \
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

/* The budget is used up after o. */
static void stop(ARGS)
{
    (void)exec;
    COUNT_LANES;
    w->conv.active = active;
    w->conv.pc = o->op.pc + CONV_INSN;
    STOP;
}

/* The instruction at conv.pc did not happen, but counts as one step. */
static void fault(ARGS)
{
    (void)o, (void)exec;
    left--;
    COUNT_LANES;
    w->conv.active = active;
    STOP;
}

/* A step of the plain machine, which counts by itself, at conv.pc. */
static void step_plain(ARGS)
{
    struct hd_commit nobodys;
    COUNT_LANES;
    w->conv.active = active;
    s->m->seq += s->budget - left;
    step_warp(s->m, w, &nobodys);
    s->budget = s->mark = --left;
    if (s->m->fault)
        STOP;
    active = w->conv.active;
    JUMP(w->conv.pc);
}

/* No lane runs, or the budget is used up. */
static void stands(ARGS)
{
    COUNT_LANES;
    w->conv.active = active;
    if (!left || !stack_unwinds(w))
        STOP;
    CALL(step_plain);
}

/* ---- the handlers ---------------------------------------------------------------------------- */

#define ROW(id, operands, unit, effect, text) \
    HANDLER(do_##id, \
        if (OP_##id == OP_S2R) \
            read_clock(m_, w, op->i.imm, m_->launch.clock + m_->seq + (s->budget - left)); \
        if (IS_WARP(text)) WARP(effect); \
        else if (*text && (exec == ~0u || !WRITES(operands))) \
            LANES(operands, IS_FLOAT(unit), effect, true); \
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
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) \
    FAST_ROW(id, operands)
#include "cmodel/isa/isa.def"
#define FLUSH_ROW(id, operands) \
    __attribute__((unused)) HANDLER(flush_##id, \
        const enum hd_op row_ = OP_##id; \
        LANES(operands, true, FLUSH_ROWS(X), false);)
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) \
    FLUSH_ROW(id, operands)
#include "cmodel/isa/isa.def"
#undef X

/* So few lanes are sooner done one by one. */
enum { FEW = 6 };

void fast_mufu(struct warp *w, const struct op *op, u32 exec)
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

HANDLER(do_mufu_lanes, fast_mufu(w, op, exec);)

/* ISETP without a second predicate, each comparison apart. */
#define COMPARES(X) X(EQ) X(NE) X(LT) X(LE) X(GT) X(GE)
#define COMPARE(name, cmp, sign) \
    HANDLER(name, \
        const struct hd_insn how = { .icmp = cmp, .sg = sign, .bop = BOP_AND }; \
        LANES("p,a,b", false, pd = isetp(a, b, 1, how), true);)
#define X(cmp) \
    COMPARE(compare_##cmp##_U32, ICMP_##cmp, 0) COMPARE(compare_##cmp##_S32, ICMP_##cmp, 1)
COMPARES(X)
#undef X

HANDLER(entry, {
    bbv_entered(s->f->bbv, s->tally, w->slot, o->entry, active);
    CALL(handlers[o->entry_go]);
})
HANDLER(entry_apart, {
    bbv_entered_apart(s->f, w, o, active, exec);
    CALL(handlers[o->entry_go]);
})

/* Translated code, where the budget covers it.  It ends before an operation
 * that faults, which is then executed here. */
HANDLER(native, {
    const struct region *region = &s->f->native->table->region[o->region];
    if (left <= region->length)
        CALL(handlers[o->region_go]);
    s->region.active = active;
    s->region.left = left;
    s->region.clock = m_->launch.clock + m_->seq + (s->budget - left);
    s->region.done = s->region.threads = s->region.since = s->region.lanes = 0;
    u32 go_on = region->run(&s->region);
    if (!s->region.done)
        CALL(handlers[o->region_go]);
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
    o = &s->code[go_on];
    FETCH;
})

HANDLER(plain, {
    s->threads -= (u32)__builtin_popcount(exec);
    cv->pc = pc;
    CALL(step_plain);
})

static handler_fn *const handlers[GO_COUNT] = {
#define INSN(id, mnemonic, opcode, operands, mods, unit, flags, effect, sentence) \
    [OP_##id] = do_##id,
#include "cmodel/isa/isa.def"
    [GO_PLAIN] = plain, [GO_ENTRY] = entry, [GO_ENTRY_APART] = entry_apart, [GO_NATIVE] = native,
#define X(id, effect) [GO_FAST_##id] = fast_##id,
    FAST_ROWS(X)
#undef X
#define X(id, effect) [GO_FLUSH_##id] = flush_##id,
    FLUSH_ROWS(X)
#undef X
    [GO_MUFU] = do_mufu_lanes,
#define X(cmp) \
    [GO_COMPARE + 2 * ICMP_##cmp] = compare_##cmp##_U32, \
    [GO_COMPARE + 2 * ICMP_##cmp + 1] = compare_##cmp##_S32,
    COMPARES(X)
#undef X
};

/* The warp goes on where it stands. */
static void begin(ARGS)
{
    JUMP(w->conv.pc);
}

u64 fast_warp(struct fast *f, struct warp *w, u64 budget)
{
    struct model *m = f->m;
    struct run s;
    s.f = f;
    s.m = m;
    s.code = f->code;
    s.size = m->code.words * CONV_INSN;
    s.tally = bbv_tally_of(f, w->slot);
    s.budget = s.mark = budget;
    s.threads = s.lanes = 0;
    s.next = NULL;
    if (f->native)
        region_begin(f, w, &s.region);
    begin(&s, w, NULL, w->conv.active, 0, budget);
    while (!TAIL_CALLS && s.next) {
        handler_fn *fn;
        memcpy(&fn, &s.next, sizeof fn);
        s.next = NULL;
        fn(&s, w, s.o, s.active, s.exec, s.left);
    }
    m->count.thread_insns += s.threads;
    m->count.active_lanes += s.lanes;
    m->seq += s.budget - s.left;
    if (f->native)
        region_counts(f, &s.region);
    return budget - s.left;
}

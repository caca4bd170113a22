/* The reconvergence stack: push, pop, spill, fill, and the instructions of stack mode.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Follows docs/stack.md, which follows Bialas and Strzelecki 2015, Algorithms 1 and 2.
 * Subtle: an instruction that faults has done nothing, so each one asks first (may_pop), and a push
 * that spills asks for room before it moves anything.  What lives after an EXIT decides about its
 * pop, hence `live` as an argument. */
#include "cmodel/machine/machine.h"
#include <string.h>

enum { KIND_MASK = 3, ANY_KIND = 1 << HD_TOKEN_SYNC | 1 << HD_TOKEN_DIV | 1 << HD_TOKEN_CALL };

u32 stack_address(const struct model *m, const struct warp *w, u32 i)
{
    return m->launch.spill_base + w->slot * m->launch.spill_size + i * (u32)sizeof(struct hd_token);
}

struct hd_token stack_token(const struct model *m, const struct warp *w, u32 i)
{
    const struct stack *s = &w->stack;
    struct hd_token t;
    if (i >= s->spilled)
        return s->chip[i - s->spilled];
    memcpy(&t, m->mem + m->core.local_by + stack_address(m, w, i), sizeof t);
    return t;
}

static void record_chunk(const struct model *m, const struct warp *w, struct hd_commit *rec)
{
    rec->moved_addr = stack_address(m, w, w->stack.spilled);
    memcpy(rec->moved, w->stack.chip, sizeof rec->moved);
}

/* The four lowest tokens on chip go to memory; false: there is no room. */
static bool spill(struct model *m, struct warp *w, struct hd_commit *rec)
{
    struct stack *s = &w->stack;
    const u32 bytes = STACK_CHUNK * sizeof *s->chip;
    if (s->spilled * sizeof *s->chip + bytes > m->launch.spill_size)
        return false;
    if (bus_answer(&m->bus, stack_address(m, w, s->spilled), true))
        s->lost = s->spilled / STACK_CHUNK + 1;
    else
        memcpy(m->mem + m->core.local_by + stack_address(m, w, s->spilled), s->chip, bytes);
    if (rec) {
        rec->spilled = STACK_CHUNK;
        record_chunk(m, w, rec);
    }
    s->spilled += STACK_CHUNK;
    s->n -= STACK_CHUNK;
    memmove(s->chip, s->chip + STACK_CHUNK, s->n * sizeof *s->chip);
    m->count.spills++;
    return true;
}

/* The four highest tokens in memory come back to an empty chip. */
static void fill(struct model *m, struct warp *w, struct hd_commit *rec)
{
    struct stack *s = &w->stack;
    s->spilled -= STACK_CHUNK;
    s->n = STACK_CHUNK;
    memcpy(s->chip, m->mem + m->core.local_by + stack_address(m, w, s->spilled),
           STACK_CHUNK * sizeof *s->chip);
    if (rec) {
        rec->filled = STACK_CHUNK;
        record_chunk(m, w, rec);
    }
    m->count.fills++;
}

static enum hd_fault push(struct model *m, struct warp *w, u32 mask, enum hd_token_kind kind,
                          u32 pc, struct hd_commit *rec)
{
    struct stack *s = &w->stack;
    const struct hd_token t = { mask, (pc & ~(u32)KIND_MASK) | kind };
    if (s->n == m->launch.stack_depth && !spill(m, w, rec))
        return model_set_fault(m, HD_FAULT_SPILL, w->conv.active);
    s->chip[s->n++] = t;
    if (rec) {
        rec->pushed = 1;
        rec->push = t;
    }
    m->count.pushes++;
    if (stack_depth(s) > m->count.deepest)
        m->count.deepest = stack_depth(s);
    return HD_FAULT_NONE;
}

/* Whether the tokens that a pop needs cannot be had: a bus error, when they are filled or were
 * spilled. */
static bool fill_fails(struct model *m, const struct warp *w)
{
    const struct stack *s = &w->stack;
    if (s->n || !s->spilled)
        return false;
    u32 addr = stack_address(m, w, s->spilled - STACK_CHUNK);
    if (s->lost != s->spilled / STACK_CHUNK && !bus_answer(&m->bus, addr, false))
        return false;
    model_set_fault(m, HD_FAULT_BUS, w->conv.active ? w->conv.active : w->conv.live);
    m->fault_at.addr = addr;
    return true;
}

/* Whether a pop of one of these kinds is right, with these lanes live: the kind must fit, and if no
 * lane of the last token lives, the live lanes are nowhere any more. */
static enum hd_fault may_pop(struct model *m, const struct warp *w, u32 live, unsigned kinds)
{
    u32 depth = stack_depth(&w->stack);
    struct hd_token top = { 0, 0 };
    if (fill_fails(m, w))
        return m->fault;
    if (depth)
        top = stack_token(m, w, depth - 1);
    if (!(kinds >> (top.pc_kind & KIND_MASK) & 1) && (depth || kinds != ANY_KIND))
        return model_set_fault(m, HD_FAULT_TOKEN, w->conv.active);
    if (depth <= 1 && !(top.mask & live))
        return model_set_fault(m, HD_FAULT_TOKEN, live);
    return HD_FAULT_NONE;
}

/* What may_pop has allowed. */
void stack_pop(struct model *m, struct warp *w, struct hd_commit *rec)
{
    struct stack *s = &w->stack;
    struct conv *c = &w->conv;
    u32 before = c->active;
    if (!s->n)
        fill(m, w, rec);
    const struct hd_token t = s->chip[--s->n];
    c->active = t.mask & c->live;
    c->pc = t.pc_kind & ~(u32)KIND_MASK;
    c->joined = before && before != c->active && !(before & ~c->active);
    if (rec) {
        rec->popped = 1;
        rec->pop = t;
    }
    m->count.pops++;
}

enum hd_fault stack_ssy(struct model *m, struct warp *w, u32 target, struct hd_commit *rec)
{
    struct conv *c = &w->conv;
    if (push(m, w, c->active, HD_TOKEN_SYNC, target, rec))
        return m->fault;
    c->pc += CONV_INSN;
    return HD_FAULT_NONE;
}

enum hd_fault stack_branch(struct model *m, struct warp *w, u32 exec, u32 target,
                           struct hd_commit *rec)
{
    struct conv *c = &w->conv;
    if (push(m, w, c->active & ~exec, HD_TOKEN_DIV, c->pc + CONV_INSN, rec))
        return m->fault;
    c->active = exec;
    c->pc = target;
    return HD_FAULT_NONE;
}

/* The active lanes with the lowest active lane's target; lanes outside exec continue after it. */
static u32 first_group(const struct conv *c, u32 exec, const u32 *target, u32 *pc)
{
    u32 group = 0, behind = c->pc + CONV_INSN;
    unsigned first = (unsigned)__builtin_ctz(c->active);
    *pc = exec >> first & 1 ? target[first] : behind;
    for (unsigned l = 0; l < HD_LANES; l++)
        group |= (u32)((exec >> l & 1 ? target[l] : behind) == *pc) << l;
    return group & c->active;
}

enum hd_fault stack_brx(struct model *m, struct warp *w, u32 exec, const u32 *target,
                        struct hd_commit *rec)
{
    struct conv *c = &w->conv;
    u32 pc, group = first_group(c, exec, target, &pc);
    if (group != c->active && push(m, w, c->active & ~group, HD_TOKEN_DIV, c->pc, rec))
        return m->fault;
    c->active = group;
    c->pc = pc;
    return HD_FAULT_NONE;
}

enum hd_fault stack_cal(struct model *m, struct warp *w, u32 target, struct hd_commit *rec)
{
    struct conv *c = &w->conv;
    if (push(m, w, c->active, HD_TOKEN_CALL, c->pc + CONV_INSN, rec))
        return m->fault;
    c->pc = target;
    return HD_FAULT_NONE;
}

enum hd_fault stack_calr(struct model *m, struct warp *w, const u32 *target, struct hd_commit *rec)
{
    struct conv *c = &w->conv;
    u32 pc, group = first_group(c, c->active, target, &pc);
    if (group == c->active)
        return stack_cal(m, w, pc, rec);
    if (push(m, w, c->active & ~group, HD_TOKEN_DIV, c->pc, rec))
        return m->fault;
    c->active = group;
    return HD_FAULT_NONE;
}

enum hd_fault stack_rett(struct model *m, struct warp *w, struct hd_commit *rec)
{
    if (may_pop(m, w, w->conv.live, 1 << HD_TOKEN_CALL))
        return m->fault;
    stack_pop(m, w, rec);
    return HD_FAULT_NONE;
}

enum hd_fault stack_check_exit(struct model *m, const struct warp *w, u32 exec)
{
    u32 live = w->conv.live & ~exec;
    return live && !(w->conv.active & ~exec) ? may_pop(m, w, live, ANY_KIND) : HD_FAULT_NONE;
}

enum hd_fault stack_check_carrier(struct model *m, const struct warp *w)
{
    return may_pop(m, w, w->conv.live, 1 << HD_TOKEN_SYNC | 1 << HD_TOKEN_DIV);
}

bool stack_unwinds(const struct warp *w)
{
    const struct conv *c = &w->conv;
    return c->live && !(c->active | c->bar | c->wsync) && stack_depth(&w->stack);
}

enum hd_fault stack_unwind(struct model *m, struct warp *w, struct hd_commit *rec)
{
    if (may_pop(m, w, w->conv.live, ANY_KIND))
        return m->fault;
    stack_pop(m, w, rec);
    return HD_FAULT_NONE;
}

/* The naive reference of stack mode.
 * SPDX-License-Identifier: Apache-2.0 */
#include "stack_naive.h"
#include <string.h>

uint32_t naive_mask(const bool lanes[32])
{
    uint32_t m = 0;
    for (int l = 31; l >= 0; l--)
        m = m * 2 + lanes[l];
    return m;
}

static bool none(const bool lanes[32])
{
    return naive_mask(lanes) == 0;
}

bool naive_runs(const struct naive_warp *w)
{
    return !none(w->alive) && !w->stuck && (!none(w->active) || w->depth > 0);
}

static void push(struct naive_warp *w, struct naive_step *s, const bool lanes[32], uint32_t kind,
                 uint32_t pc)
{
    s->pushed = true;
    s->push = (struct naive_token){ naive_mask(lanes), kind, pc };
    w->stack[w->depth++] = s->push;
}

static void wrong_token(struct naive_step *s, uint32_t lanes)
{
    if (s->fault == HD_FAULT_NONE) {
        s->fault = HD_FAULT_TOKEN;
        s->fault_m = lanes;
    }
}

/* Which lanes were active before the instruction is in `before`. */
static void pop(struct naive_warp *w, struct naive_step *s, bool call_allowed, bool others_allowed,
                uint32_t before)
{
    if (w->depth == 0) {
        if (call_allowed && others_allowed)
            return;                         /* EXIT: what is lost is seen below */
        wrong_token(s, before);
        return;
    }
    s->popped = true;
    s->pop = w->stack[--w->depth];
    if (s->pop.kind == HD_TOKEN_CALL ? !call_allowed : !others_allowed)
        wrong_token(s, before);
    for (int l = 0; l < 32; l++)
        w->active[l] = w->alive[l] && (s->pop.mask >> l & 1);
    w->pc = s->pop.pc;
}

/* Each lane's next PC is known: the lowest lane's group goes there, the others wait at this
 * instruction. */
static bool split(struct naive_warp *w, struct naive_step *s, const uint32_t to[32],
                  uint32_t *target)
{
    bool others[32];
    int first = 0;
    while (!w->active[first])
        first++;
    *target = to[first];
    for (int l = 0; l < 32; l++)
        others[l] = w->active[l] && to[l] != *target;
    if (none(others))
        return false;
    push(w, s, others, HD_TOKEN_DIV, w->pc);
    for (int l = 0; l < 32; l++)
        w->active[l] = w->active[l] && !others[l];
    return true;
}

static void branch(struct naive_warp *w, struct naive_step *s, const struct hd_insn *i,
                   const bool runs[32])
{
    bool rest[32];
    for (int l = 0; l < 32; l++)
        rest[l] = w->active[l] && !runs[l];
    if (none(runs)) {
        w->pc += 16;
    } else {
        if (!none(rest))
            push(w, s, rest, HD_TOKEN_DIV, w->pc + 16);
        memcpy(w->active, runs, sizeof w->active);
        w->pc = i->imm;
    }
}

static void control(struct naive_warp *w, struct naive_step *s, const struct hd_insn *i,
                    const bool runs[32])
{
    uint32_t to[32], target, before = naive_mask(w->active);
    bool all = true;
    for (int l = 0; l < 32; l++)
        to[l] = runs[l] ? w->r[i->ra % NAIVE_REGS][l] : w->pc + 16;
    switch (i->op) {
    case OP_SSY:
        push(w, s, w->active, HD_TOKEN_SYNC, i->imm);
        w->pc += 16;
        break;
    case OP_BRA:
        branch(w, s, i, runs);
        break;
    case OP_BRX:
        split(w, s, to, &target);
        w->pc = target;
        break;
    case OP_CALR:
        if (split(w, s, to, &target))
            break;
        push(w, s, w->active, HD_TOKEN_CALL, w->pc + 16);
        w->pc = target;
        break;
    case OP_CAL:
        push(w, s, w->active, HD_TOKEN_CALL, w->pc + 16);
        w->pc = i->imm;
        break;
    case OP_RETT:
        pop(w, s, true, false, before);
        break;
    case OP_WARPSYNC:
        for (int l = 0; l < 32; l++)
            all = all && (w->active[l] || !w->alive[l] || !(i->imm >> l & 1));
        w->stuck = !all;
        w->pc += 16;
        break;
    case OP_EXIT:
        for (int l = 0; l < 32; l++)
            if (runs[l])
                w->alive[l] = w->active[l] = false;
        w->pc += 16;
        if (none(w->active) && !none(w->alive))
            pop(w, s, true, true, before);
        break;
    }
}

static void lane(struct naive_warp *w, const struct hd_insn *i, int l, uint8_t *mem, uint32_t base)
{
    uint32_t a = w->r[i->ra % NAIVE_REGS][l], b = i->bi ? i->imm : w->r[i->rb % NAIVE_REGS][l];
    uint32_t *d = &w->r[i->rd % NAIVE_REGS][l];
    uint8_t *at = mem + (a + (uint32_t)i->off - base) % NAIVE_MEM;
    switch (i->op) {
    case OP_IADD: *d = a + b; break;
    case OP_XOR: *d = a ^ b; break;
    case OP_IMAD: *d = a * b + w->r[i->rc % NAIVE_REGS][l]; break;
    case OP_ISETP: w->p[i->pd][l] = i->icmp == ICMP_LT ? a < b : a >= b; break;
    case OP_LDG: memcpy(d, at, 4); break;
    case OP_STG: memcpy(at, &w->r[i->rb % NAIVE_REGS][l], 4); break;
    }
}

struct naive_step naive_step(struct naive_warp *w, const struct hd_insn *code, uint32_t n,
                             uint8_t *mem, uint32_t base)
{
    struct naive_step s = { .unwind = none(w->active) };
    struct naive_warp old = *w;
    uint8_t old_mem[NAIVE_MEM];
    memcpy(old_mem, mem, sizeof old_mem);
    if (s.unwind) {
        pop(w, &s, true, true, 0);
    } else if (w->pc % 16 || w->pc / 16 >= n) {
        s.fault = HD_FAULT_PC;
        s.fault_m = naive_mask(w->active);
    } else {
        const struct hd_insn *i = &code[w->pc / 16];
        bool runs[32];
        for (int l = 0; l < 32; l++)
            runs[l] = w->active[l] && (i->pg == HD_PT || w->p[i->pg][l]) != i->pn;
        s.exec = naive_mask(runs);
        if (hd_ops[i->op].unit == UNIT_CTL) {
            control(w, &s, i, runs);
        } else {
            for (int l = 0; l < 32; l++)
                if (runs[l])
                    lane(w, i, l, mem, base);
            w->pc += 16;
            if (i->pop)
                pop(w, &s, false, true, naive_mask(w->active));
        }
    }
    if (!none(w->alive) && none(w->active) && w->depth == 0)
        wrong_token(&s, naive_mask(w->alive));
    if (s.fault) {
        *w = old;
        memcpy(mem, old_mem, sizeof old_mem);
        s = (struct naive_step){ .unwind = s.unwind, .exec = s.fault == HD_FAULT_PC ? 0 : s.exec,
                                 .fault = s.fault, .fault_m = s.fault_m };
    }
    return s;
}

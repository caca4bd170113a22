/* Fetch and its two caches: rtl/front/fetch.v, icache.v, const_cache.v.
 * SPDX-License-Identifier: Apache-2.0
 *
 * F0 picks a warp, F1 has the word a cycle later and puts it into the warp's buffer.  After a
 * control instruction or a carrier the warp is fetched no further until the convergence unit says
 * where.  One line at a time comes from memory, for either cache. */
#include "cmodel/timing/core_state.h"

enum { LINE = 64, INSN = HD_INSN_BYTES };

static u32 index_at(const struct core *c, u32 pc)
{
    return pc % INSN == 0 && pc / INSN < c->words ? pc / INSN : c->words;
}

static u32 constant_place(const struct core *c, u32 line)
{
    return (line & (c->nconstant - 1)) ^ (line >> 9 & 1 ? c->nconstant - 1 : 0);
}

/* The line of the constant cache that may hold its operand; the first lines keep their places for
 * operands of instructions. */
static bool constant_line(const struct core *c, const struct decoded *d, u32 *line)
{
    if (!d->constant || d->off < 0 || (u32)d->off % d->bytes ||
        (u32)d->off + d->bytes > c->g.const_size)
        return false;
    *line = (u32)d->off / LINE;
    return *line < OPERAND_BYTES / LINE || constant_place(c, *line) >= OPERAND_BYTES / LINE;
}

/* The unit of an instruction that fetch has: an LDC whose operand is in the constant cache is one
 * of the ALU. */
static uint8_t unit_here(const struct core *c, const struct decoded *d)
{
    u32 line;
    const bool mine = !d->operand && constant_line(c, d, &line);
    return mine && c->constant[constant_place(c, line)] == line + 1 ? U_INT : d->unit;
}

/* Where a group has begun there lately, and F1 has nothing to push, its first instruction comes in
 * this cycle: rtl/front/targets.v. */
void fetch_go(struct core *c, u32 warp, u32 pc)
{
    struct warp_time *t = &c->warp[warp];
    const u32 index = index_at(c, pc);
    const struct decoded *d = &c->code[index];
    c->want |= bit(warp);
    c->begins |= bit(warp);
    t->pc = pc;
    if (c->f1_live || c->target[index & (c->of[CORE_targets] - 1)] != index + 1)
        return;
    c->begins &= ~bit(warp);
    t->pc += INSN;
    if (d->stop)
        c->want &= ~bit(warp);
    t->under_way++;
    c->full = (c->full & ~bit(warp)) | (u32)(t->under_way >= BUFFER) << warp;
    issue_push(c, warp, (struct entry){ index, unit_here(c, d) });
}

static void ask_line(struct core *c, bool constant, u32 number)
{
    c->line_busy = true;
    c->line_constant = constant;
    c->line_number = number;
    c->line_end = memory_read_between(c, c->now + 1, 2);
    if (!constant)
        c->cached[number & (c->ncached - 1)] = 0;
}

/* The word of F1 arrives. */
static void arrive(struct core *c, u32 w, u32 pc, bool hit)
{
    struct warp_time *t = &c->warp[w];
    const u32 index = index_at(c, pc);
    const struct decoded *d = &c->code[index];
    u32 line = 0;
    bool missed = false, mine = index < c->words && hit && constant_line(c, d, &line);
    if (mine)
        missed = !c->constant[constant_place(c, line)];
    if (index < c->words && (!hit || missed)) {
        if (!c->line_busy) {
            c->owner = w;
            ask_line(c, hit, hit ? line : (c->g.code_base + pc) / LINE);
        }
        c->miss |= bit(w);
        t->pc = pc;
        t->under_way--;
        return;
    }
    if (d->stop)
        c->want &= ~bit(w);
    if (d->pops && !t->chip && t->spilled)
        t->filled = unit_fill(c, w, c->now);
    if (c->begins >> w & 1 && index < c->words && !d->pops)
        c->target[index & (c->of[CORE_targets] - 1)] = index + 1;
    c->begins &= ~bit(w);
    issue_push(c, w, (struct entry){ index, unit_here(c, d) });
}

void fetch_cycle(struct core *c)
{
    const bool ending = c->line_busy && c->now == c->line_end;
    const bool filled = !c->line_busy && c->now == c->line_end + 1;
    const u32 can = c->want & ~c->miss & ~c->full;
    const int f1 = c->f1;
    const u32 f1_pc = c->f1_pc;
    const bool f1_hit = c->f1_hit, live = f1 >= 0 && (c->want & ~c->miss) >> f1 & 1;
    c->f1_live = live;
    c->f1 = -1;
    if (ending)
        ;
    else if (filled)
        c->f1 = (c->want & ~c->full) >> c->owner & 1 ? (int)c->owner : -1;
    else if (c->list & can)
        c->f1 = (int)pick(c->list & can, c->owner);
    else if (can)
        c->f1 = (int)(c->last_fetch = pick(can, c->last_fetch));
    if (filled) {
        c->list |= c->miss;
        c->miss = 0;
    }
    if (c->f1 >= 0) {
        struct warp_time *t = &c->warp[c->f1];
        u32 number = (c->g.code_base + t->pc) / LINE;
        c->f1_pc = t->pc;
        c->f1_hit = c->cached[number & (c->ncached - 1)] == number + 1;
        t->pc += INSN;
        t->under_way++;
        c->list &= ~bit((u32)c->f1);
    }
    if (f1 >= 0 && live)
        arrive(c, (u32)f1, f1_pc, f1_hit);
    else if (f1 >= 0)
        c->warp[f1].under_way--;
    if (ending) {
        c->line_busy = false;
        if (c->line_constant)
            c->constant[constant_place(c, c->line_number)] = c->line_number + 1;
        else
            c->cached[c->line_number & (c->ncached - 1)] = c->line_number + 1;
    }
    for (int k = 0; k < 2; k++) {
        int w = k ? f1 : c->f1;
        if (w >= 0)
            c->full = (c->full & ~bit((u32)w)) | (u32)(c->warp[w].under_way >= BUFFER) << w;
    }
}

bool fetch_idle(const struct core *c)
{
    return c->f1 < 0 && !(c->want & ~c->miss & ~c->full) &&
           !(!c->line_busy && c->now == c->line_end + 1);
}

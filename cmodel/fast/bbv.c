/* Block counts while a grid runs: tallies, counters, the end of a warp.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fast/bbv.h"
#include "cmodel/fast/inside.h"
#include "cmodel/base/spill.h"
#include <stdlib.h>
#include <string.h>

void bbv_run_free(struct bbv_run *b)
{
    if (!b)
        return;
    free(b->entry);
    free(b->tally);
    free(b->row);
    free(b->seen);
    free(b->executions);
    free(b->is_entry);
    spill_free(b->within, b->of);
    bbv_set_free(&b->set);
    free(b);
}

static struct bbv_run *run_new(const u32 *entry, u32 n, u32 code, u32 most,
                               struct spill *within)
{
    struct bbv_run *b = calloc(1, sizeof *b);
    size_t cells = (size_t)LAUNCH_WARPS * n;
    if (!b)
        return NULL;
    b->within = b->set.within = within;
    b->n = n;
    b->words = n / 64 + 1;
    b->most = most;
    b->code = code;
    b->entry = malloc(n * sizeof *b->entry);
    b->tally = calloc(cells, sizeof *b->tally);
    b->row = aligned_alloc(64, cells * sizeof *b->row);
    b->seen = calloc((size_t)LAUNCH_WARPS * b->words, sizeof *b->seen);
    b->executions = calloc(n, sizeof *b->executions);
    b->is_entry = calloc(code / 64 + 1, sizeof *b->is_entry);
    if (!b->entry || !b->tally || !b->row || !b->seen || !b->executions || !b->is_entry) {
        bbv_run_free(b);
        return NULL;
    }
    memcpy(b->entry, entry, n * sizeof *entry);
    for (u32 i = 0; i < n; i++)
        b->is_entry[entry[i] / CONV_INSN / 64] |= (u64)1 << entry[i] / CONV_INSN % 64;
    return b;
}

void bbv_run_start(struct bbv_run *b, const struct launch *l)
{
    size_t cells = (size_t)LAUNCH_WARPS * b->n;
    bbv_set_free(&b->set);
    spill_free(b->within, b->of);
    b->threads = launch_blocks(l) * l->threads;
    b->of = spill_alloc(b->within, (size_t)b->threads * sizeof *b->of);
    b->lost = !b->of;
    b->stray = b->over = false;
    b->last_target = UINT32_MAX;
    memset(b->tally, 0, cells * sizeof *b->tally);
    memset(b->row, 0, cells * sizeof *b->row);
    memset(b->seen, 0, (size_t)LAUNCH_WARPS * b->words * sizeof *b->seen);
    memset(b->executions, 0, b->n * sizeof *b->executions);
}

/* Adds a tally to its lanes' counters. */
static void settle(struct bbv_run *b, u32 slot, u32 block)
{
    struct bbv_tally *t = &b->tally[(size_t)slot * b->n + block];
    u32 *row = b->row[(size_t)slot * b->n + block], over = 0;
    const u32 n = (u32)t->n, lanes = t->lanes, most = b->most;
    for (unsigned l = 0; l < HD_LANES; l++) {        /* lanes do not depend on each other */
        u32 add = lanes >> l & 1 ? n : 0, sum = row[l] + add;
        over |= (u32)(sum < add) | (u32)(sum > most);
        row[l] = sum;
    }
    if (over || t->n > most) {
        b->over = true;
        b->over_block = block;
    }
    b->executions[block] += t->n;
    t->n = 0;
}

void bbv_switch(struct bbv_run *b, u32 slot, u32 block, u32 lanes)
{
    struct bbv_tally *t = &b->tally[(size_t)slot * b->n + block];
    settle(b, slot, block);
    t->lanes = lanes;
    b->seen[(size_t)slot * b->words + block / 64] |= (u64)1 << block % 64;
}

void bbv_look(struct bbv_run *b, u32 lanes, const u32 *target)
{
    for (; lanes; lanes &= lanes - 1) {
        u32 pc = target[__builtin_ctz(lanes)], at = pc / CONV_INSN;
        if (pc == b->last_target)
            continue;
        b->last_target = pc;
        if (at < b->code && !(b->is_entry[at / 64] >> at % 64 & 1)) {
            b->stray = true;
            b->stray_pc = pc;
        }
    }
}

u32 bbv_leaving(u32 active, u32 exec, u32 behind, const u32 *target, enum bbv_part part)
{
    u32 first = (u32)__builtin_ctz(active), pc = exec >> first & 1 ? target[first] : behind,
        leave = 0;
    for (unsigned l = 0; l < HD_LANES; l++)
        leave |= (u32)((exec >> l & 1 ? target[l] : behind) == pc) << l;
    leave &= active;
    if (leave == active || part == BBV_FIRST ||
        (part == BBV_SMALLER && 2 * __builtin_popcount(leave) <= __builtin_popcount(active)))
        return leave;
    return 0;
}

static uint8_t *put(uint8_t *to, u64 v)
{
    for (; v >= 128; v >>= 7)
        *to++ = (uint8_t)(v | 128);
    *to++ = (uint8_t)v;
    return to;
}

/* One lane's vector, as text. */
static size_t write_vector(const struct bbv_run *b, u32 slot, unsigned lane, uint8_t *text)
{
    const u64 *seen = b->seen + (size_t)slot * b->words;
    uint8_t *to = text;
    u32 next = 0;
    for (u32 w = 0; w < b->words; w++)
        for (u64 left = seen[w]; left; left &= left - 1) {
            u32 block = w * 64 + (u32)__builtin_ctzll(left);
            u32 count = b->row[(size_t)slot * b->n + block][lane];
            if (!count)
                continue;
            to = put(put(to, block - next), count);
            next = block + 1;
        }
    return (size_t)(to - text);
}

/* Lanes of `left` that count what the lowest of them does. */
static u32 alike(const struct bbv_run *b, u32 slot, u32 left)
{
    const u64 *seen = b->seen + (size_t)slot * b->words;
    unsigned first = (unsigned)__builtin_ctz(left);
    u32 differ[HD_LANES] = { 0 }, same = 0;
    for (u32 w = 0; w < b->words; w++)
        for (u64 bits = seen[w]; bits; bits &= bits - 1) {
            const u32 *row = b->row[(size_t)slot * b->n + w * 64 + (u32)__builtin_ctzll(bits)];
            for (unsigned l = 0; l < HD_LANES; l++)
                differ[l] |= row[l] ^ row[first];
        }
    for (unsigned l = 0; l < HD_LANES; l++)
        same |= (u32)!differ[l] << l;
    return left & same;
}

void bbv_warp_ended(struct bbv_run *b, u32 slot, u64 first, u32 threads)
{
    u64 *seen = b->seen + (size_t)slot * b->words;
    u32 left = threads < HD_LANES ? (1u << threads) - 1 : ~0u, nseen = 0;
    const bool over = b->over;
    for (u32 w = 0; w < b->words; w++)
        for (u64 bits = seen[w]; bits; bits &= bits - 1, nseen++)
            settle(b, slot, w * 64 + (u32)__builtin_ctzll(bits));
    if (b->over && !over)
        b->over_thread = first;
    uint8_t *text = malloc((size_t)nseen * 10 + 1);
    b->lost |= !text;
    while (left && !b->lost) {
        u32 same = alike(b, slot, left);
        u32 v = bbv_set_add(&b->set, text,
                            write_vector(b, slot, (unsigned)__builtin_ctz(left), text));
        b->lost |= v == UINT32_MAX;
        left &= ~same;
        for (; same; same &= same - 1)
            b->of[first + (u32)__builtin_ctz(same)] = v;
    }
    free(text);
    for (u32 w = 0; w < b->words; w++) {
        for (u64 bits = seen[w]; bits; bits &= bits - 1) {
            size_t cell = (size_t)slot * b->n + w * 64 + (u32)__builtin_ctzll(bits);
            memset(b->row[cell], 0, sizeof b->row[cell]);
            b->tally[cell] = (struct bbv_tally){ 0 };
        }
        seen[w] = 0;
    }
}

/* ---- the model's interface ------------------------------------------------------------------- */

void bbv_counted(struct fast *f, u32 slot, u64 block, u32 number)
{
    const u32 first = number * HD_LANES, threads = f->m->launch.threads;
    bbv_warp_ended(f->bbv, slot, block * threads + first, threads - first);
}

const uint32_t *fast_entries(const struct model *m, uint32_t *n)
{
    const struct bbv_run *b = fast_of(m)->bbv;
    *n = b ? b->n : 0;
    return b ? b->entry : NULL;
}

static bool indirect(const struct hd_insn *i)
{
    return i->op == OP_BRX || i->op == OP_CALLR || i->op == OP_RET || i->op == OP_CALR;
}

/* Lanes with another target, and those that wait, execute it again. */
static bool parts(const struct hd_insn *i)
{
    return i->op == OP_BSYNC || indirect(i);
}

/* The counting handler stands at every entry, or at none. */
void bbv_mark(struct fast *f, bool on)
{
    const u32 words = f->m->code.words;
    for (u32 i = 0; f->bbv && i < f->bbv->n; i++) {
        u32 at = f->bbv->entry[i] / CONV_INSN;
        struct fast_op *o = &f->code[at < words ? at : words];
        if (at >= words || counts(o) == on)
            continue;
        o->entry_go = on ? o->go : o->entry_go;
        o->go = !on ? o->entry_go : parts(&o->op.i) ? GO_ENTRY_APART : GO_ENTRY;
        o->entry = i;
    }
}

void bbv_entered_apart(struct fast *f, struct warp *w, const struct fast_op *o, u32 active,
                       u32 exec)
{
    const struct hd_insn *i = &o->op.i;
    const enum bbv_part part = i->op == OP_CALR                             ? BBV_ALL
                               : f->m->code.stack_mode || w->conv.again ? BBV_FIRST
                                                                        : BBV_SMALLER;
    const u32 leave = i->op == OP_BSYNC
                          ? conv_bsync_past(&w->conv, active, i->bx, o->op.pc)
                          : bbv_leaving(active, exec, o->op.pc + CONV_INSN, w->r[o->op.ra], part);
    if (leave)
        bbv_entered(f->bbv, bbv_tally_of(f, w->slot), w->slot, o->entry, leave);
    else if (i->op == OP_BSYNC)             /* all wait: the warp has executed it all the same */
        f->bbv->executions[o->entry]++;
}

void bbv_before_step(struct fast *f, struct warp *w)
{
    const struct fast_op *o = &f->code[index_at(f->m, w->conv.pc)];
    const u32 active = w->conv.active, exec = active & (w->p[o->op.i.pg] ^ o->op.pn);
    if (!active)
        return;
    if (o->go == GO_ENTRY)
        bbv_entered(f->bbv, bbv_tally_of(f, w->slot), w->slot, o->entry, active);
    else if (o->go == GO_ENTRY_APART)
        bbv_entered_apart(f, w, o, active, exec);
    if (o->op.is == OP_FINE && indirect(&o->op.i))
        bbv_look(f->bbv, o->op.i.op == OP_CALR ? active : exec, w->r[o->op.ra]);
}

bool fast_count_blocks(struct model *m, const uint32_t *entry, uint32_t n, uint32_t most,
                        struct spill *within)
{
    struct fast *f = fast_of(m);
    bbv_mark(f, false);
    bbv_run_free(f->bbv);
    f->bbv = n ? run_new(entry, n, m->code.words, most, within) : NULL;
    return !n || f->bbv;
}

struct bbv *fast_block_counts(struct model *m, char *why, size_t why_size)
{
    const struct bbv_run *b = fast_of(m)->bbv;
    struct bbv *out = NULL;
    if (b && b->lost && spill_why(b->within))
        snprintf(why, why_size, "%s", spill_why(b->within));
    else if (!b || !b->of)
        snprintf(why, why_size, "no blocks were counted");
    else if (!model_ended(m) || m->fault)
        snprintf(why, why_size, "the grid has not ended, so its blocks are not counted");
    else if (b->stray)
        snprintf(why, why_size,
                 "a branch through a register went to PC 0x%x, where no block begins: "
                 "blocks cannot be counted",
                 b->stray_pc);
    else if (b->over)
        snprintf(why, why_size,
                 "a thread of the warp from thread %llu executed the block at PC 0x%x more than "
                 "%u times, which a count does not hold",
                 (unsigned long long)b->over_thread, b->entry[b->over_block], b->most);
    else if ((b->lost || !(out = bbv_collect(b, &m->launch))) && spill_why(b->within))
        snprintf(why, why_size, "%s", spill_why(b->within));
    else if (!out)
        snprintf(why, why_size, "no memory for the block counts of %llu threads",
                 (unsigned long long)b->threads);
    return out;
}

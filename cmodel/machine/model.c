/* The model as an object: creation, decoding of code, views of its state for reports.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/machine/machine.h"
#include "cmodel/base/reserve.h"
#include "cmodel/isa/waits.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct model *model_new(const struct launch_limits *limits)
{
    struct model *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->limits = *limits;
    m->core.shared_at = MODEL_SHARED;
    m->warp = aligned_alloc(64, (limits->warps + 1) * sizeof *m->warp);
    m->mem = reserve(model_window(limits, HD_JOBS));
    if (m->mem)
        madvise(m->mem, MODEL_SHARED, MADV_HUGEPAGE);   /* fewer TLB misses; a wish, may fail */
    if (!m->warp || !m->mem || !model_load(m, 0, 0, false)) {
        model_free(m);
        return NULL;
    }
    memset(m->warp, 0, (limits->warps + 1) * sizeof *m->warp);
    return m;
}

struct model *model_new_beside(struct model *first, unsigned n)
{
    struct model *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    const size_t bytes = (first->limits.warps + 1) * sizeof *m->warp;
    m->limits = first->limits;
    m->mem = first->mem;
    m->core.beside = true;
    m->core.number = n;
    m->core.shared_at = model_window(&m->limits, n);
    m->warp = aligned_alloc(64, bytes);
    if (!m->warp || !model_load(m, 0, 0, false)) {
        model_free(m);
        return NULL;
    }
    memset(m->warp, 0, bytes);
    return m;
}

void model_free(struct model *m)
{
    if (!m)
        return;
    if (m->hooks.ends)
        m->hooks.ends(m->hooks.user);
    if (m->mem && !m->core.beside)
        reserve_end(m->mem, model_window(&m->limits, HD_JOBS));
    free(m->warp);
    free(m->code.op);
    free(m->code.text);
    free(m->code.constant);
    free(m->code.pool);
    free(m);
}

uint8_t *model_memory(struct model *m)
{
    return m->mem;
}

uint8_t *model_shared(struct model *m)
{
    return m->mem + m->core.shared_at;
}

void model_clear_shared(struct model *m)
{
    memset(m->mem + m->core.shared_at, 0, m->limits.shared_bytes);
}

void model_set_sectors(struct model *m, model_sector_fn *fn, void *user)
{
    m->core.sector = fn;
    m->core.sector_user = user;
}

_Static_assert(MODEL_SEEN + (u64)MODEL_SECTORS * 32 <= WINDOW_SHARED,
               "a window holds what was seen");
uint8_t *model_sectors(struct model *m)
{
    return m->mem + model_window(&m->limits, m->core.number) + MODEL_SEEN;
}

static uint16_t source_row(unsigned reg)
{
    return reg == HD_RZ ? ROW_ZERO : (uint16_t)reg;
}

/* The row after the last register that an instruction names. */
static u32 rows_of(const struct hd_insn *i)
{
    const uint8_t reg[4] = { i->rd, i->ra, i->rb, i->rc };
    u32 rows = 0;
    for (int k = 0; k < 4; k++) {
        u32 end = reg[k] + (u32)hd_insn_width(i, k);
        if (reg[k] != HD_RZ && end > reg[k] && end > rows)
            rows = end;
    }
    return rows;
}

/* An immediate as two rows: the value, and its sign for rows that take a pair. */
static u32 *splat(u32 *row, u32 v)
{
    for (unsigned l = 0; l < HD_LANES; l++) {
        row[l] = v;
        row[HD_LANES + l] = (s32)v < 0 ? ~0u : 0;
    }
    return row + 2 * HD_LANES;
}

static void decode(struct model *m, struct op *op, const struct hd_word *text, u32 **pool)
{
    const u32 pc = (u32)(op - m->code.op) * CONV_INSN;
    *op = (struct op){ .is = OP_ILLEGAL, .i.pg = PRED_TRUE, .pc = pc };
    if (!hd_decode(text, m->code.stack_mode, &op->i)) {
        op->i = (struct hd_insn){ .pg = PRED_TRUE };
        return;
    }
    const struct hd_insn *i = &op->i;
    u32 rows = rows_of(i);
    m->code.rows_used = rows > m->code.rows_used ? rows : m->code.rows_used;
    op->is = OP_FINE;
    op->pd = i->pd == HD_PT ? PRED_SINK : i->pd;
    op->writes_pd = i->pd != HD_PT && strchr(hd_ops[i->op].operands, 'p');
    op->rd = i->rd == HD_RZ ? ROW_SINK : i->rd;
    op->nd = (uint8_t)(i->rd == HD_RZ ? 0 : hd_insn_width(i, 0));
    op->ra = source_row(i->ra);
    op->rb = source_row(i->rb);
    op->rc = source_row(i->rc);
    op->signs = i->na | i->aa | i->nb | i->ab | i->nc;
    op->pn = 0u - i->pn;
    op->sn = 0u - i->sn;
    if (i->bi) {
        op->k = *pool;
        *pool = splat(*pool, i->imm);
    }
}

bool model_load(struct model *m, uint32_t code_base, uint32_t code_size, bool stack_mode)
{
    u32 words = code_size / HD_INSN_BYTES, immediates = 0, constants = 0;
    free(m->code.op);
    free(m->code.text);
    free(m->code.pool);
    free(m->code.constant);
    m->code.constant = NULL;
    m->code.nconstants = 0;
    m->code.op = calloc((size_t)words + 1, sizeof *m->code.op);
    m->code.text = calloc((size_t)words + 1, sizeof *m->code.text);
    m->code.words = words;
    m->code.stack_mode = stack_mode;
    m->code.rows_used = 0;
    if (m->code.text)
        memcpy(m->code.text, m->mem + code_base, (size_t)words * sizeof *m->code.text);
    for (u32 i = 0; m->code.text && i < words; i++)
        immediates += m->code.text[i].w[ISA_BI_LSB / 32] >> ISA_BI_LSB % 32 & 1;
    const size_t rows = ((size_t)immediates + 1) * 2;
    m->code.pool = aligned_alloc(64, rows * HD_LANES * sizeof *m->code.pool);
    if (!m->code.op || !m->code.text || !m->code.pool)
        return false;
    u32 *pool = m->code.pool;
    for (u32 i = 0; i < words; i++) {
        decode(m, &m->code.op[i], &m->code.text[i], &pool);
        constants += m->code.op[i].i.cb;
    }
    if (constants && !(m->code.constant = malloc(constants * sizeof *m->code.constant)))
        return false;
    for (u32 i = 0; i < words && m->code.nconstants < constants; i++)
        if (m->code.op[i].i.cb)
            m->code.constant[m->code.nconstants++] = i;
    m->code.op[words] = (struct op){ .is = OP_BEYOND, .i.pg = PRED_TRUE, .pc = words * CONV_INSN };
    m->code.broken = false;
    return !m->hooks.loads || m->hooks.loads(m->hooks.user);
}

const struct hd_word *model_text(const struct model *m)
{
    return m->code.text;
}

void model_set_bus(struct model *m, const struct bus *bus)
{
    m->bus = *bus;
}

/* The constant of c[imm] in this launch, and how the instruction then goes on. */
static enum op_is put_constant(struct model *m, struct op *op)
{
    const u32 at = op->i.imm & ~7u, base = m->launch.const_base + op->i.imm;
    const u32 high = strchr(hd_ops[op->i.op].operands, 'B') ? 4 : 0;
    u32 word[2] = { 0, 0 };
    if (at + 8 > m->launch.const_size)
        return OP_ILLEGAL;
    memcpy(word, m->mem + base, 4 + high);
    for (unsigned l = 0; l < HD_LANES; l++)
        op->k[l] = word[0], op->k[HD_LANES + l] = word[1];
    return bus_answer(&m->bus, base, false) ? OP_UNFETCHED : OP_FINE;
}

void model_check_code(struct model *m)
{
    for (u32 i = 0; i < m->code.words && (m->bus.n || m->code.broken); i++) {
        struct op *op = &m->code.op[i];
        bool legal = hd_decode(&m->code.text[i], m->code.stack_mode, &(struct hd_insn){ 0 });
        op->is = bus_answer(&m->bus, m->launch.code_base + i * HD_INSN_BYTES, false) ? OP_UNFETCHED
               : legal ? OP_FINE : OP_ILLEGAL;
    }
    for (u32 i = 0; i < m->code.nconstants; i++) {
        struct op *op = &m->code.op[m->code.constant[i]];
        const enum op_is is = put_constant(m, op);
        op->is = m->bus.n && op->is == OP_UNFETCHED ? OP_UNFETCHED : is;
    }
    m->code.broken = m->bus.n > 0;
}

bool model_ended(const struct model *m)
{
    return m->blocks_ended == launch_blocks(&m->launch);
}

const struct hd_counters *model_counters(struct model *m)
{
    m->count.warp_insns = m->seq;
    m->count.cycles = m->time ? m->time : m->seq;
    return &m->count;
}

const struct hd_commit *model_fault(const struct model *m)
{
    return m->fault ? &m->fault_at.record : NULL;
}

uint32_t model_register(const struct model *m, unsigned warp_slot, unsigned reg, unsigned lane)
{
    /* model_place clears only the rows that the program uses; an earlier one may have used more. */
    return reg < m->code.rows_used ? m->warp[warp_slot].r[reg][lane] : 0;
}

uint32_t model_predicate(const struct model *m, unsigned warp_slot, unsigned pred)
{
    return m->warp[warp_slot].p[pred];
}

/* For each lane in tokens, the one that will wake it. */
static void view_tokens(const struct model *m, const struct warp *w, struct warp_view *out)
{
    out->depth = stack_depth(&w->stack);
    for (u32 i = 0; i < out->depth; i++) {
        struct hd_token t = stack_token(m, w, i);
        for (unsigned l = 0; l < HD_LANES; l++)
            if (t.mask >> l & 1 && wait_in_token(out->wait[l])) {
                out->token[l] = t.pc_kind & 3;
                out->npc[l] = t.pc_kind & ~3u;
            }
    }
}

void model_view(const struct model *m, unsigned warp_slot, struct warp_view *out)
{
    const struct warp *w = &m->warp[warp_slot];
    memset(out, 0, sizeof *out);
    if (warp_slot >= m->limits.warps || !w->block)
        return;
    out->used = true;
    out->block = w->block->linear;
    out->warp = (uint16_t)w->number;
    out->active = w->conv.active;
    out->pc = w->conv.pc;
    out->live = w->conv.live;
    out->runs = warp_runs(w);
    out->spins = out->runs && m->hooks.loops && m->hooks.loops(m->hooks.user, w, out->loop);
    out->deadlocked = conv_deadlocked(&w->conv) && !out->runs;
    conv_describe(&w->conv, out->npc, out->wait);
    memcpy(out->barrier, w->conv.b, sizeof out->barrier);
    memcpy(out->arrived, w->conv.arrived, sizeof out->arrived);
    memcpy(out->sync, w->conv.sync, sizeof out->sync);
    out->block_live = w->block->lanes_live;
    for (unsigned n = 0; n < CONV_BLOCK_BARRIERS; n++) {
        out->there[n] = block_waiting(m, w->block, n);
        out->needed[n] = w->block->need[n] ? w->block->need[n] : w->block->lanes_live;
    }
    view_tokens(m, w, out);
}

size_t model_unseen(const struct model *m, unsigned warp_slot, uint8_t *to)
{
    const struct warp *w = &m->warp[warp_slot];
    const struct conv *c = &w->conv;
    const u32 depth = stack_depth(&w->stack);
    const u32 word[] = { c->alt, c->alt ? c->alt_pc : 0, c->nstk, c->ptr, c->again,
                         w->stack.spilled, w->stack.lost };
    uint8_t stk[HD_LANES] = { 0 };
    memcpy(stk, c->stk, c->nstk);
    for (u32 i = 0; to && i < depth; i++) {
        const struct hd_token t = stack_token(m, w, i);
        memcpy(to + sizeof word + sizeof stk + i * sizeof t, &t, sizeof t);
    }
    if (to) {
        memcpy(to, word, sizeof word);
        memcpy(to + sizeof word, stk, sizeof stk);
    }
    return sizeof word + sizeof stk + depth * sizeof(struct hd_token);
}

uint64_t model_unstarted(const struct model *m, int *free_slot)
{
    *free_slot = -1;
    for (u32 s = 0; s < m->launch.block_slots && *free_slot < 0; s++)
        if (!m->block[s].used)
            *free_slot = (int)s;
    return launch_blocks(&m->launch) - m->next_block;
}

static void explain_wait(FILE *out, const struct warp_view *v, unsigned l, u32 lanes)
{
    fprintf(out, "  lanes %08x, next pc 0x%x: ", lanes, v->npc[l]);
    unsigned kind = v->wait[l];
    static const char *const token[] = { "no", "a SYNC", "a DIV", "a CALL" };
    if (kind == HD_WAIT_STACK)
        fprintf(out, "in %s token\n", token[v->token[l]]);
    else if (kind == HD_WAIT_WARPSYNC)
        fprintf(out, "at WARPSYNC for lanes %08x\n", v->sync[l] & v->live);
    else if (kind >= HD_WAIT_BLOCK)
        fprintf(out, "at block barrier %u\n", kind - HD_WAIT_BLOCK);
    else if (kind >= HD_WAIT_BARRIER)
        fprintf(out, "at BSYNC B%u for lanes %08x\n", kind - HD_WAIT_BARRIER,
                v->barrier[kind - HD_WAIT_BARRIER] & ~v->arrived[kind - HD_WAIT_BARRIER]);
    else
        fprintf(out, "%s\n", wait_form(kind)->words);
}

void model_explain(const struct model *m, FILE *out)
{
    for (unsigned s = 0; s < m->limits.warps; s++) {
        struct warp_view v;
        model_view(m, s, &v);
        if (!v.used)
            continue;
        fprintf(out, "block %u warp %u%s\n", v.block, v.warp,
                v.deadlocked ? " is deadlocked: none of its lanes can ever run" :
                v.runs ? "" : " waits for other warps");
        for (u32 left = v.live; left; ) {
            unsigned l = (unsigned)__builtin_ctz(left);
            u32 same = 0;
            for (unsigned j = l; j < HD_LANES; j++)
                same |= (u32)((left >> j & 1) && v.npc[j] == v.npc[l] && v.wait[j] == v.wait[l] &&
                              v.token[j] == v.token[l]) << j;
            explain_wait(out, &v, l, same);
            left &= ~same;
        }
    }
}

/* One instruction with its commit record; the record of a fault.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/machine/machine.h"
#include <string.h>

/* What follows from the instruction word alone. */
static void record_decoded(struct hd_commit *rec, const struct op *op)
{
    rec->nd = op->nd;
    rec->rd = rec->nd ? op->i.rd : 0;
    if (op->writes_pd) {
        rec->npd = 1;
        rec->pd = op->i.pd;
    }
    rec->is_clock = op->i.op == OP_S2R && (op->i.imm == SREG_CLOCKLO || op->i.imm == SREG_CLOCKHI);
}

static void record_results(struct hd_commit *rec, const struct warp *w)
{
    for (unsigned k = 0; k < rec->nd; k++)
        for (unsigned l = 0; l < HD_LANES; l++)
            rec->val[k][l] = rec->exec >> l & 1 ? w->r[rec->rd + k][l] : 0;
    if (rec->npd)
        rec->pval = w->p[rec->pd] & rec->exec;
}

/* What is known before the instruction runs; returns it decoded.  Without an active lane the step
 * is the unwinding of the stack, and the instruction is none: the word after the last one. */
static const struct op *record_before(const struct model *m, const struct warp *w,
                                      struct hd_commit *rec)
{
    const struct conv *c = &w->conv;
    const u32 at = c->active ? index_at(m, c->pc) : m->code.words;
    const struct op *op = &m->code.op[at];
    memset(rec, 0, sizeof *rec);
    rec->seq = rec->cycle = m->seq;
    rec->block = w->block->linear;
    rec->warp = (uint16_t)w->number;
    rec->slot = (uint16_t)w->slot;
    rec->pc = c->pc;
    memcpy(rec->insn, m->code.text[at].w, sizeof rec->insn);
    rec->active = c->active;
    rec->unwind = !c->active;
    rec->exec = c->active & (w->p[op->i.pg] ^ op->pn);
    return op;
}

/* No register has changed and no lane has moved, so that state is still the one before the
 * instruction. */
void record_fault(struct model *m, const struct warp *w, struct hd_commit *rec)
{
    const struct op *op = record_before(m, w, rec);
    const bool unfetched = op->is == OP_UNFETCHED;
    rec->seq = rec->cycle = m->seq - 1;
    if (m->fault == HD_FAULT_ILLEGAL || m->fault == HD_FAULT_PC || unfetched)
        rec->exec = 0;
    if (unfetched && bus_answer(&m->bus, m->launch.code_base + w->conv.pc, false))
        memset(rec->insn, 0, sizeof rec->insn);
    rec->live = w->conv.live;
    conv_describe(&w->conv, rec->npc, rec->wait);
    rec->fault = (uint8_t)m->fault;
    rec->fault_m = m->fault_at.lanes;
    rec->fault_addr = m->fault_at.addr;
}

enum step_status model_step(struct model *m, unsigned warp_slot, struct hd_commit *rec,
                            const uint64_t *clock)
{
    struct warp *w = &m->warp[warp_slot < m->limits.warps ? warp_slot : 0];
    struct conv *c = &w->conv;
    enum step_status none = warp_slot >= m->limits.warps || !w->block ? STEP_EMPTY
                          : m->fault ? STEP_FAULT : warp_runs(w) ? STEP_OK : STEP_WAITS;
    if (none != STEP_OK) {
        memset(rec, 0, sizeof *rec);
        return none;
    }
    const struct op *op = record_before(m, w, rec);
    m->clock = clock;
    m->let_go = 0;
    step_warp(m, w, rec);
    m->clock = NULL;
    if (m->hooks.steps)
        m->hooks.steps(m->hooks.user, w);
    if (m->fault) {
        record_fault(m, w, rec);
        m->fault_at.record = *rec;
        return STEP_FAULT;
    }
    if (!rec->unwind) {
        record_decoded(rec, op);
        record_results(rec, w);
    }
    rec->depth = stack_depth(&w->stack);
    rec->live = c->live;
    conv_describe(c, rec->npc, rec->wait);
    rec->next_active = c->active;
    rec->released = c->released;
    rec->gaveway = c->gaveway;
    rec->emptied = c->emptied;
    rec->let_go = m->let_go;
    rec->bafter = rec->conv ? c->b[rec->bx] : 0;
    return STEP_OK;
}

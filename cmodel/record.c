/* One instruction with its commit record.
 * SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"
#include <string.h>

/* What follows from the instruction word alone. */
static void record_decoded(struct hd_commit *rec, const struct op *op)
{
	const char *operands = hd_ops[op->i.op].operands;
	rec->nd = (uint8_t)(op->i.rd == HD_RZ ? 0 : hd_insn_width(&op->i, 0));
	rec->rd = rec->nd ? op->i.rd : 0;
	if (strchr(operands, 'p') && op->i.pd != HD_PT) {
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
	if (rec->npd & 1)
		rec->pval[0] = w->p[rec->pd] & rec->exec;
}

/* A fault: the state before it, and what went wrong; nothing else. */
static void record_fault(struct model *m, struct hd_commit *rec)
{
	bool fetched = m->fault != HD_FAULT_ILLEGAL && m->fault != HD_FAULT_PC;
	struct hd_commit f = {
		.seq = rec->seq, .cycle = rec->cycle, .block = rec->block, .warp = rec->warp, .slot = rec->slot,
		.pc = rec->pc, .exec = fetched ? rec->exec : 0, .active = rec->active, .live = rec->live,
		.fault = (uint8_t)m->fault, .fault_m = m->fault_m, .fault_addr = m->fault_addr,
	};
	memcpy(f.insn, rec->insn, sizeof f.insn);
	memcpy(f.npc, rec->npc, sizeof f.npc);
	memcpy(f.wait, rec->wait, sizeof f.wait);
	*rec = m->fault_record = f;
}

enum step_status model_step(struct model *m, unsigned warp_slot, struct hd_commit *rec,
                            const uint64_t *clock)
{
	struct warp *w = &m->warp[warp_slot];
	memset(rec, 0, sizeof *rec);
	if (warp_slot >= m->limits.warps || !w->block)
		return STEP_EMPTY;
	if (m->fault)
		return STEP_FAULT;
	if (!w->conv.act)
		return STEP_WAITS;
	struct conv *c = &w->conv;
	bool inside = c->pc % CONV_INSN == 0 && c->pc / CONV_INSN < m->words;
	const struct op *op = &m->code[inside ? c->pc / CONV_INSN : m->words];
	rec->seq = rec->cycle = m->seq;
	rec->block = w->block->linear;
	rec->warp = (uint16_t)w->number;
	rec->slot = (uint16_t)w->slot;
	rec->pc = c->pc;
	memcpy(rec->insn, m->text[inside ? c->pc / CONV_INSN : m->words].w, sizeof rec->insn);
	rec->active = c->act;
	rec->exec = c->act & (w->p[op->i.pg] ^ op->pn);
	m->clock = clock;
	conv_begin(c);
	step_warp(m, w, 1, rec);
	m->clock = NULL;
	rec->live = c->live;
	conv_describe(c, rec->npc, rec->wait);
	if (m->fault) {
		record_fault(m, rec);
		return STEP_FAULT;
	}
	record_decoded(rec, op);
	record_results(rec, w);
	rec->next_active = c->act;
	rec->released = c->released;
	rec->gaveway = c->gaveway;
	rec->bafter = rec->conv ? c->b[rec->bx] : 0;
	return STEP_OK;
}

/* Which cases of spilling and filling a run has met.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Records say what was moved for whom; that two warps move at once only the memory port shows. */
#include "core_cover.h"
#include "cmodel/isa.h"
#include <inttypes.h>
#include <string.h>

enum { STACK_ID = 8 };                          /* rtl/axi_arb.v */

void cover_launch(struct cover *c, const struct launch *l)
{
	c->launch = l;
	memset(c->spilled, 0, sizeof c->spilled);
}

void cover_commit(struct cover *c, const struct hd_commit *rec)
{
	bool plain = !rec->unwind && rec->insn[0] >> ISA_POP_LSB & 1;
	c->pushes += rec->pushed;
	c->pops += rec->popped;
	c->n[COVER_PUSH_FULL] += rec->spilled != 0;
	c->n[COVER_POP_EMPTY] += rec->filled != 0;
	c->n[COVER_CARRIER_FILL] += rec->filled && plain;
	c->n[COVER_UNWIND] += rec->unwind;
	c->n[COVER_UNWIND_FILL] += rec->unwind && rec->filled;
	c->n[COVER_FAULT_SPILL] += rec->fault == HD_FAULT_SPILL;
	c->n[COVER_FAULT_TOKEN] += rec->fault == HD_FAULT_TOKEN;
	c->n[COVER_FAULT_MEMORY] += plain && rec->fault >= HD_FAULT_MISALIGNED && rec->fault <= HD_FAULT_SPACE;
	if (rec->depth > c->deepest)
		c->deepest = rec->depth;
	c->spilled[rec->slot] += rec->spilled - rec->filled;
	if (rec->live == 0) {
		c->n[COVER_EXIT_SPILLED] += c->spilled[rec->slot] != 0;
		c->spilled[rec->slot] = 0;
	}
}

void cover_port(struct cover *c, const struct axi_mem *m)
{
	const struct launch *l = c->launch;
	uint32_t warps = 0;
	bool fills = false;
	if (!l->mode || !l->spill_size || !m->wr.n)
		return;
	for (unsigned i = 0; i < m->wr.n; i++)
		if (m->wr.t[i].id == STACK_ID)
			warps |= 1u << (m->wr.t[i].addr - l->spill_base) / l->spill_size;
	for (unsigned i = 0; i < m->rd.n; i++)
		fills |= m->rd.t[i].id == STACK_ID;
	c->n[COVER_SPILL_DURING_FILL] += warps && fills;
	c->n[COVER_SEVERAL] += (warps & (warps - 1)) != 0;
}

bool cover_print(const struct cover *c, FILE *out)
{
	static const char *const name[COVER_CASES] = {
		"push at full", "pop at empty chip", "of these carriers", "cycles spill during fill",
		"cycles several warps spill", "exit with spilled tokens", "unwindings", "of these filled",
		"spill faults", "token faults", "memory faults of carriers",
	};
	bool all = true;
	fprintf(out, "core_smoke: stack: pushes %" PRIu64 ", pops %" PRIu64 ", deepest %u", c->pushes, c->pops, c->deepest);
	for (unsigned i = 0; i < COVER_CASES; i++) {
		fprintf(out, ", %s %" PRIu64, name[i], c->n[i]);
		all &= c->n[i] || i >= COVER_FAULT_SPILL;
	}
	fprintf(out, "\n");
	return all;
}

/* Random machine code for the core's tests: chaos, any legal instruction anywhere.
 * SPDX-License-Identifier: Apache-2.0 */
#include "core_program.h"
#include <string.h>

struct hd_insn core_insn(enum hd_op op, unsigned rd, unsigned ra, uint32_t imm)
{
	struct hd_insn i = hd_insn_make(op);
	i.rd = (uint8_t)rd;
	if (op != OP_S2R && op != OP_MOV)
		i.ra = (uint8_t)ra;
	i.bi = op != OP_S2R;
	i.rb = 0;
	i.imm = imm;
	return i;
}

void core_prologue(struct hd_insn *w, struct rng *r, unsigned body)
{
	unsigned n = 0;
	w[n++] = core_insn(OP_S2R, 16, HD_RZ, SREG_TID_X);
	w[n++] = core_insn(OP_S2R, 17, HD_RZ, SREG_LANEID);
	/* 64 bytes a thread; in some programs threads share them.  Offsets reach one thread back. */
	w[n++] = core_insn(OP_AND, BASE_LO, 16, rnd(r, 4) ? 0xffff : 7);
	w[n++] = core_insn(OP_SHL, BASE_LO, BASE_LO, 6);
	w[n++] = core_insn(OP_IADD, BASE_LO, BASE_LO, LAUNCH_HEAP + 64);
	w[n++] = core_insn(OP_SHL, SHARED_AT, 16, 4);
	w[n++] = core_insn(OP_AND, TARGET, 17, 3);
	w[n++] = core_insn(OP_SHL, TARGET, TARGET, 4 + rnd(r, 3));
	w[n++] = core_insn(OP_IADD, TARGET, TARGET, 16 * (CORE_PROLOGUE + rnd(r, body)));
	for (unsigned p = 0; p < 4; p++) {
		struct hd_insn i = core_insn(OP_ISETP, 0, 17, rnd(r, 32));
		i.pd = (uint8_t)p;
		i.icmp = (uint8_t)(p & 1 ? ICMP_LT : ICMP_GE);
		w[n++] = i;
	}
	for (unsigned k = 0; n < CORE_PROLOGUE; k++) {
		struct hd_insn i = hd_insn_make(OP_LDG);
		i.rd = (uint8_t)(4 * k);
		i.ra = BASE_LO;
		i.sz = SZ_128;
		i.off = (int32_t)(16 * (k & 3));
		w[n++] = i;
	}
}

static unsigned allowed(unsigned op, unsigned kind, bool plain)
{
	const struct hd_op_info *o = &hd_ops[op];
	if (o->flags & (kind & KIND_STACK ? F_BARRIER : F_STACK))
		return 0;
	switch (o->unit) {
	case UNIT_ALU: case UNIT_MUL: return op == OP_NOP ? 0 : 2;
	case UNIT_LSU: return kind & KIND_MEM ? 6 : 0;
	case UNIT_CTL:
		return plain ? 0 : op == OP_TRAP ? !!(kind & KIND_BAD) : op == OP_EXIT || op == OP_BAR ? kind & KIND_CTL :
		       op == OP_BRA ? 16 : kind & KIND_CTL ? 8 : 0;
	default: return kind & KIND_FLOAT ? 2 : 0;
	}
}

/* Programs of KIND_CONV: many barriers, few that nobody can ever leave, predicates that change. */
static unsigned pick_conv(struct rng *r)
{
	static const struct { uint8_t weight; uint16_t op; } mix[] = {
		{ 8, OP_BSSY }, { 12, OP_BSYNC }, { 6, OP_BREAK }, { 14, OP_BRA }, { 2, OP_BRX }, { 1, OP_CALL },
		{ 1, OP_CALLR }, { 2, OP_RET }, { 3, OP_YIELD }, { 1, OP_WARPSYNC }, { 2, OP_BMOVR }, { 1, OP_BMOVB },
		{ 1, OP_EXIT }, { 1, OP_BAR }, { 16, OP_ISETP }, { 6, OP_IMAD } };
	unsigned total = 0, k = 0;
	for (unsigned j = 0; j < sizeof mix / sizeof *mix; j++)
		total += mix[j].weight;
	unsigned at = rnd(r, total);
	while (at >= mix[k].weight)
		at -= mix[k++].weight;
	return mix[k].op;
}

/* Loops go on for as long as the data say. */
static void change_data(struct rng *r, struct hd_insn *i)
{
	if (i->op == OP_ISETP) {
		*i = hd_insn_make(OP_ISETP);
		i->pd = (uint8_t)rnd(r, 4);
		i->ra = (uint8_t)rnd(r, 16);
		i->icmp = (uint8_t)(rnd(r, 2) ? ICMP_LT : ICMP_GE);
		i->imm = rnd(r, 0x7fffffff) * 2;
	} else {
		*i = hd_insn_make(OP_IMAD);
		i->rd = i->ra = (uint8_t)rnd(r, 16);
		i->rc = (uint8_t)rnd(r, 18);
		i->imm = rnd(r, 0x7fffffff) | 1;
	}
	i->bi = 1;
	i->rb = 0;
}

static unsigned pick_op(struct rng *r, unsigned kind, bool plain)
{
	if (kind & KIND_CONV)
		return pick_conv(r);
	for (;;) {
		unsigned op = rnd(r, OP_COUNT);
		if (rnd(r, 16) < allowed(op, kind, plain))
			return op;
	}
}

static void random_operand(struct hd_insn *i, struct rng *r, unsigned kind, char letter, unsigned at, unsigned words)
{
	switch (letter) {
	case 'd': case 'D': case 'Q': i->rd = (uint8_t)(rnd(r, 16) ? rnd(r, 16) : HD_RZ); break;
	case 'a': case 'A': i->ra = (uint8_t)(rnd(r, 12) ? rnd(r, 18) : HD_RZ); break;
	case 'b': case 'B':
		i->rb = 0;
		if ((i->bi = (uint8_t)(rnd(r, 3) == 0)))
			i->imm = rnd(r, 2) ? rnd(r, 40) : rnd(r, 0x7fffffff) * 3;
		else
			i->rb = (uint8_t)rnd(r, 18);
		break;
	case 'r': case 'S': i->rb = (uint8_t)rnd(r, 16); break;
	case 'c': case 'C': i->rc = (uint8_t)rnd(r, 16); break;
	case 'p': i->pd = (uint8_t)rnd(r, 8); break;
	case 'q': case 't': i->pq = (uint8_t)rnd(r, 8); break;
	case 's': i->ps = (uint8_t)rnd(r, 8); i->sn = (uint8_t)rnd(r, 2); break;
	case 'x': i->bx = (uint8_t)rnd(r, 3); break;
	case '@': {
		unsigned to = rnd(r, kind & KIND_CONV ? 20 : 3) ? at + 1 + rnd(r, 12) : CORE_PROLOGUE + rnd(r, words - CORE_PROLOGUE);
		i->imm = 16 * (to < words ? to : words - 1);
		break;
	}
	case 'm':
		i->ra = BASE_LO;
		i->off = 16 * (int32_t)rnd(r, 8) - 64 + (kind & KIND_BAD && !rnd(r, 8) ? (int32_t)rnd(r, 4) : 0);
		break;
	case 'n':
		i->ra = (uint8_t)(i->op == OP_LDC ? HD_RZ : i->op == OP_LDL || i->op == OP_STL ? LOCAL_AT : SHARED_AT);
		i->off = (int32_t)(16 * rnd(r, 4));
		break;
	case 'l': i->lut = (uint8_t)rnd(r, 256); break;
	case 'z': i->imm = rnd(r, SREG_COUNT); break;
	default: break;
	}
}

struct hd_insn core_random(struct rng *r, unsigned kind, bool plain, unsigned at, unsigned words)
{
	for (;;) {
		unsigned op = pick_op(r, kind, plain);
		const struct hd_op_info *o = &hd_ops[op];
		struct hd_insn i = hd_insn_make((enum hd_op)op);
		if (!(o->flags & F_NOGUARD) && rnd(r, 3) == 0)
			i.pg = (uint8_t)rnd(r, 4), i.pn = (uint8_t)rnd(r, 2);
		for (const char *p = o->operands; *p; p++)
			random_operand(&i, r, kind, *p, at, words);
		for (unsigned k = 0; k < o->nmods; k++) {
			const struct hd_mod_info *m = &hd_mods[o->mod[k]];
			((uint8_t *)&i)[m->offset] = (uint8_t)rnd(r, m->count);
		}
		if (strchr(o->operands, 'V'))
			i.rc = (uint8_t)(i.aop == AOP_CAS ? rnd(r, 8) * 2 : HD_RZ);
		if (op == OP_BRX || op == OP_RET || op == OP_CALLR || op == OP_CALR)
			i.ra = TARGET;
		if (kind & KIND_CONV && (op == OP_ISETP || op == OP_IMAD))
			change_data(r, &i);
		if (op == OP_WARPSYNC && rnd(r, 2))
			i.bi = 1, i.rb = 0, i.imm = kind & KIND_STACK ? 0 : 0xffffffff;
		if (op == OP_BAR)
			i.bi = 1, i.rb = 0, i.imm = rnd(r, 2) ? 0 : 32 * rnd(r, 4);
		if (!hd_insn_fault(&i, kind & KIND_STACK))
			return i;
	}
}

static unsigned chaos(struct hd_insn *w, struct rng *r, unsigned kind)
{
	const unsigned words = CORE_PROLOGUE + CORE_BODY + 1;
	core_prologue(w, r, CORE_BODY - 20);
	for (unsigned n = CORE_PROLOGUE; n < words - 1; n++) {
		w[n] = core_random(r, kind, false, n, words);
		if (kind & KIND_STACK && hd_ops[w[n].op].unit != UNIT_CTL && rnd(r, 12) == 0) {
			w[n].pop = 1;
			if (hd_ops[w[n].op].unit == UNIT_LSU && w[n].op != OP_MEMBAR && rnd(r, 3) == 0)
				w[n].off |= 1;                  /* two faults at once: which one wins? */
		}
	}
	if (kind & KIND_CONV) {                         /* most lanes go round the body again */
		w[words - 2] = hd_insn_make(OP_BRA);
		w[words - 2].pg = 3;
		w[words - 2].imm = 16 * CORE_PROLOGUE;
	}
	w[words - 1] = hd_insn_make(OP_EXIT);
	return words;
}

unsigned core_program(struct hd_word *w, struct rng *r, unsigned kind)
{
	struct hd_insn text[CORE_WORDS];
	unsigned words = kind & KIND_STRUCTURE ? core_stack_program(text, r, kind) : chaos(text, r, kind);
	for (unsigned n = 0; n < words; n++)
		w[n] = hd_encode(&text[n]);
	for (unsigned k = 0; kind & KIND_BAD && k < 3; k++)     /* bad words, bad addresses, bad targets */
		w[CORE_PROLOGUE + rnd(r, words - CORE_PROLOGUE)].w[rnd(r, 4)] ^= 1u << rnd(r, 32);
	return words;
}

/* Random programs for stack mode: branches, loops, switches and calls that nest, as a compiler would
 * write them, so that stacks get deep and every pop finds its token; or almost, when asked to fault.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A region ends with a carrier of `.S`, any plain instruction, in front of the point where its lanes
 * meet again (J below); the token for J lies under those of its branches:
 *     SSY J; @P BRA T; ...; x.S;  T: ...; x.S;  J:
 * In a loop the lanes that leave become one DIV token an iteration, which the carrier behind the loop
 * pops one after the other: that is how stacks get deep. */
#include "core_program.h"

enum { FUNCTIONS = 4, FIXUPS = 256, LABELS = 256, ROOM = 96, LEVELS = 5, RECURSIONS = COUNTER + LEVELS * FUNCTIONS };

struct fixup { unsigned at, label; };
struct text {
	struct hd_insn *w;
	struct rng *r;
	unsigned kind, n;
	unsigned label[LABELS], nlabels;
	struct fixup fix[FIXUPS];
	unsigned nfix;
	unsigned function[FUNCTIONS];           /* labels */
	unsigned calls;                         /* functions that may be called: those from here on */
	unsigned bank;                          /* of the loop counters: each function has its own */
};

static void emit(struct text *t, struct hd_insn i)
{
	t->w[t->n++] = i;
}

static unsigned label(struct text *t)
{
	return t->nlabels++;
}

static void place(struct text *t, unsigned l)
{
	t->label[l] = t->n;
}

/* An instruction whose immediate will be the address of a label. */
static void emit_to(struct text *t, struct hd_insn i, unsigned l)
{
	t->fix[t->nfix++] = (struct fixup){ t->n, l };
	emit(t, i);
}

static void plain(struct text *t, unsigned most)
{
	for (unsigned k = rnd(t->r, most + 1); k; k--)
		emit(t, core_random(t->r, t->kind, true, t->n, CORE_WORDS));
}

static void carrier(struct text *t)
{
	struct hd_insn i = rnd(t->r, 3) ? core_random(t->r, t->kind, true, t->n, CORE_WORDS) : hd_insn_make(OP_NOP);
	i.pop = 1;
	emit(t, i);
}

static struct hd_insn guarded(struct text *t, enum hd_op op)
{
	struct hd_insn i = hd_insn_make(op);
	i.pg = (uint8_t)rnd(t->r, 4);
	i.pn = (uint8_t)rnd(t->r, 2);
	return i;
}

static void body(struct text *t, unsigned level);

static void if_else(struct text *t, unsigned level)
{
	unsigned then = label(t), join = label(t);
	emit_to(t, hd_insn_make(OP_SSY), join);
	emit_to(t, guarded(t, OP_BRA), then);
	body(t, level + 1);
	carrier(t);
	place(t, then);
	body(t, level + 1);
	carrier(t);
	place(t, join);
}

static void loop(struct text *t, unsigned level)
{
	unsigned head = label(t), join = label(t), count = COUNTER + LEVELS * t->bank + level;
	struct hd_insn p = core_insn(OP_ISETP, 0, count, 0), back = hd_insn_make(OP_BRA);
	emit(t, core_insn(OP_AND, count, rnd(t->r, 3) ? 17 : 16, (1u << rnd(t->r, level ? 3 : 6)) - 1));
	emit_to(t, hd_insn_make(OP_SSY), join);
	place(t, head);
	body(t, level + 1);
	emit(t, core_insn(OP_ISUB, count, count, 1));
	p.pd = 6;
	p.icmp = ICMP_GE;
	p.sg = SG_S32;
	emit(t, p);
	back.pg = 6;
	emit_to(t, back, head);
	carrier(t);
	place(t, join);
}

/* Lanes go to two places, or with a guard behind. */
static void choose(struct text *t, unsigned a, unsigned b, unsigned reg)
{
	struct hd_insn sel = hd_insn_make(OP_SEL);
	emit_to(t, core_insn(OP_MOV, reg, 0, 0), a);
	emit_to(t, core_insn(OP_MOV, reg + 1, 0, 0), b);
	sel.rd = sel.ra = (uint8_t)reg;
	sel.rb = (uint8_t)(reg + 1);
	sel.ps = (uint8_t)rnd(t->r, 4);
	emit(t, sel);
}

static void branch_table(struct text *t, unsigned level)
{
	unsigned one = label(t), two = label(t), join = label(t);
	struct hd_insn brx = guarded(t, OP_BRX);
	choose(t, one, two, GOAL);
	emit_to(t, hd_insn_make(OP_SSY), join);
	brx.ra = GOAL;
	emit(t, brx);
	body(t, level + 1);
	carrier(t);
	place(t, one);
	body(t, level + 1);
	carrier(t);
	place(t, two);
	body(t, level + 1);
	carrier(t);
	place(t, join);
}

static void call(struct text *t)
{
	struct hd_insn calr = hd_insn_make(OP_CALR);
	unsigned left = FUNCTIONS - t->calls;
	if (!left)
		return;
	unsigned f = t->function[t->calls + rnd(t->r, left)], g = t->function[t->calls + rnd(t->r, left)];
	if (rnd(t->r, 2)) {
		emit_to(t, hd_insn_make(OP_CAL), f);
		return;
	}
	choose(t, f, g, GOAL + 2);
	calr.ra = GOAL + 2;
	emit(t, calr);
}

/* Instructions that keep the stack as it is. */
static void body(struct text *t, unsigned level)
{
	static void (*const kinds[])(struct text *, unsigned) = { if_else, loop, branch_table };
	for (unsigned k = 1 + rnd(t->r, 2); k; k--) {
		plain(t, 3);
		if (rnd(t->r, 24) == 0)
			emit(t, guarded(t, OP_EXIT));
		if (rnd(t->r, 10) == 0)
			call(t);
		if (level < LEVELS && t->n < CORE_WORDS - 4 * ROOM && t->nlabels < LABELS - 24 && t->nfix < FIXUPS - 32
		    && rnd(t->r, 4) >= level)
			kinds[rnd(t->r, 3)](t, level);
	}
}

/* Calls itself as often as a counter says, which differs between lanes. */
static void recursion(struct text *t)
{
	unsigned self = t->function[FUNCTIONS - 1], join = label(t), out = label(t), count = RECURSIONS;
	struct hd_insn p = core_insn(OP_ISETP, 0, count, 0), skip = hd_insn_make(OP_BRA);
	place(t, self);
	emit_to(t, hd_insn_make(OP_SSY), join);
	emit(t, core_insn(OP_ISUB, count, count, 1));
	p.pd = 6;
	p.icmp = ICMP_LT;
	p.sg = SG_S32;
	emit(t, p);
	skip.pg = 6;
	emit_to(t, skip, out);
	emit_to(t, hd_insn_make(OP_CAL), self);
	carrier(t);
	place(t, out);
	carrier(t);
	place(t, join);
	emit(t, hd_insn_make(OP_RETT));
}

/* A fault on purpose: a pop too many, a token of another kind, one that does not come back. */
static void spoil(struct text *t)
{
	static const enum hd_op ops[] = { OP_SSY, OP_CAL, OP_RETT, OP_EXIT, OP_BRX, OP_CALR };
	for (unsigned k = rnd(t->r, 3); k; k--) {
		unsigned at = CORE_PROLOGUE + rnd(t->r, t->n - CORE_PROLOGUE);
		struct hd_insn *i = &t->w[at];
		if (hd_ops[i->op].unit != UNIT_CTL)
			i->pop ^= 1;
		else {
			*i = hd_insn_make(ops[rnd(t->r, 6)]);
			if (i->op == OP_SSY || i->op == OP_CAL)
				i->imm = 16 * rnd(t->r, t->n) + (rnd(t->r, 4) ? 0 : rnd(t->r, 16));
			if (i->op == OP_BRX || i->op == OP_CALR)
				i->ra = (uint8_t)(GOAL + rnd(t->r, 4));
		}
	}
}

unsigned core_stack_program(struct hd_insn *w, struct rng *r, unsigned kind)
{
	struct text t = { .w = w, .r = r, .kind = kind, .n = CORE_PROLOGUE };
	core_prologue(w, r, CORE_BODY);
	for (unsigned f = 0; f < FUNCTIONS; f++)
		t.function[f] = label(&t);
	emit(&t, core_insn(OP_AND, RECURSIONS, 17, (1u << rnd(r, 6)) - 1));
	body(&t, 0);
	if (rnd(r, 2))
		emit(&t, core_insn(OP_BAR, 0, 0, 0));
	body(&t, 0);
	emit(&t, hd_insn_make(OP_EXIT));
	for (unsigned f = 0; f + 1 < FUNCTIONS; f++) {
		t.calls = t.bank = f + 1;
		place(&t, t.function[f]);
		body(&t, 2);
		emit(&t, hd_insn_make(OP_RETT));
	}
	recursion(&t);
	for (unsigned k = 0; k < t.nfix; k++)
		w[t.fix[k].at].imm = 16 * t.label[t.fix[k].label];
	if (kind & KIND_BAD)
		spoil(&t);
	return t.n;
}

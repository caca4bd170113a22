/* Random programs on the Verilated core, every commit compared with the golden model.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs are chaos on purpose: any legal instruction, branches to anywhere in the body, barriers
 * used wrongly.  A run ends with the grid, with a fault, when nothing retires any more (then the
 * model must agree that no warp can run), or after a number of commits.
 * Use: core_smoke [--lanes N] [--seed S] [--count N] [--commits N] [--kind int|ctl|mem|all|fault|conv] [-v]
 * [--first]: end at the first difference. */
#include "harness/rtl.h"
#include "harness/compare.h"
#include "cmodel/model.h"
#include "cmodel/isa.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODY = 96, PROLOGUE = 16, WORDS = PROLOGUE + BODY + 1, HEAP_BYTES = 1 << 18, QUIET = 20000 };
enum { BASE_LO = 20, BASE_HI, SHARED_AT, LOCAL_AT, TARGET, REG_FIRST_FIXED = 16 };

struct options { unsigned lanes, count, kind, verbose, first; uint64_t seed, commits; };
struct rng { uint64_t s; };

static uint32_t rnd(struct rng *r, uint32_t n)
{
	r->s ^= r->s << 13, r->s ^= r->s >> 7, r->s ^= r->s << 17;
	return n ? (uint32_t)((r->s * 0x2545f4914f6cdd1dull) >> 33) % n : 0;
}

/* ---- programs ---- */

static struct hd_word insn3(enum hd_op op, unsigned rd, unsigned ra, uint32_t imm)
{
	struct hd_insn i = hd_insn_make(op);
	i.rd = (uint8_t)rd;
	if (op != OP_S2R)
		i.ra = (uint8_t)ra;
	i.bi = op != OP_S2R;
	i.rb = 0;
	i.imm = imm;
	return hd_encode(&i);
}

static void prologue(struct hd_word *w, struct rng *r)
{
	struct hd_insn i;
	unsigned n = 0;
	w[n++] = insn3(OP_S2R, 16, HD_RZ, SREG_TID_X);
	w[n++] = insn3(OP_S2R, 17, HD_RZ, SREG_LANEID);
	w[n++] = insn3(OP_SHL, BASE_LO, 16, 6);
	w[n++] = insn3(OP_IADD, BASE_LO, BASE_LO, LAUNCH_HEAP);
	w[n++] = insn3(OP_SHL, SHARED_AT, 16, 4);
	w[n++] = insn3(OP_AND, TARGET, 17, 3);
	w[n++] = insn3(OP_SHL, TARGET, TARGET, 4 + rnd(r, 3));
	w[n++] = insn3(OP_IADD, TARGET, TARGET, 16 * (PROLOGUE + rnd(r, BODY - 20)));
	for (unsigned p = 0; p < 4; p++) {
		i = hd_insn_make(OP_ISETP);
		i.pd = (uint8_t)p;
		i.ra = 17;
		i.bi = 1;
		i.rb = 0;
		i.imm = rnd(r, 32);
		i.icmp = (uint8_t)(p & 1 ? ICMP_LT : ICMP_GE);
		w[n++] = hd_encode(&i);
	}
	for (unsigned k = 0; n < PROLOGUE; k++) {
		i = hd_insn_make(OP_LDG);
		i.rd = (uint8_t)(4 * k);
		i.ra = BASE_LO;
		i.sz = SZ_128;
		i.off = (int32_t)(16 * (k & 3));
		w[n++] = hd_encode(&i);
	}
}

static unsigned allowed(unsigned op, unsigned kind)
{
	const struct hd_op_info *o = &hd_ops[op];
	if (o->flags & F_STACK)
		return 0;
	switch (o->unit) {
	case UNIT_ALU: case UNIT_MUL: return op == OP_NOP ? 0 : 2;
	case UNIT_LSU: return kind & 2 ? 6 : 0;
	case UNIT_CTL: return op == OP_TRAP ? kind >> 3 : op == OP_EXIT ? (kind & 1) :
		              op == OP_BAR ? (kind & 1) : op == OP_BRA ? 16 : kind & 1 ? 8 : 0;
	default: return kind & 4 ? 2 : 0;
	}
}

/* Programs of kind `conv`: many barriers, few that nobody can ever leave, predicates that change. */
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

static unsigned pick_op(struct rng *r, unsigned kind)
{
	if (kind & 16)
		return pick_conv(r);
	for (;;) {
		unsigned op = rnd(r, OP_COUNT);
		if (rnd(r, 16) < allowed(op, kind))
			return op;
	}
}

static struct hd_word random_insn(struct rng *r, unsigned kind, unsigned at)
{
	for (;;) {
		unsigned op = pick_op(r, kind);
		const struct hd_op_info *o = &hd_ops[op];
		struct hd_insn i = hd_insn_make((enum hd_op)op);
		if (!(o->flags & F_NOGUARD) && rnd(r, 3) == 0)
			i.pg = (uint8_t)rnd(r, 4), i.pn = (uint8_t)rnd(r, 2);
		for (const char *p = o->operands; *p; p++)
			switch (*p) {
			case 'd': case 'D': case 'Q': i.rd = (uint8_t)(rnd(r, 16) ? rnd(r, 16) : HD_RZ); break;
			case 'a': case 'A': i.ra = (uint8_t)(rnd(r, 12) ? rnd(r, 18) : HD_RZ); break;
			case 'b': case 'B':
				i.rb = 0;
				if ((i.bi = (uint8_t)(rnd(r, 3) == 0)))
					i.imm = rnd(r, 2) ? rnd(r, 40) : rnd(r, 0x7fffffff) * 3;
				else
					i.rb = (uint8_t)rnd(r, 18);
				break;
			case 'r': case 'S': i.rb = (uint8_t)rnd(r, 16); break;
			case 'c': case 'C': i.rc = (uint8_t)rnd(r, 16); break;
			case 'V': if (i.aop == AOP_CAS) i.rc = (uint8_t)rnd(r, 16); break;
			case 'p': i.pd = (uint8_t)rnd(r, 8); break;
			case 'q': i.pq = (uint8_t)rnd(r, 8); break;
			case 't': i.pq = (uint8_t)rnd(r, 8); break;
			case 's': i.ps = (uint8_t)rnd(r, 8); i.sn = (uint8_t)rnd(r, 2); break;
			case 'x': i.bx = (uint8_t)rnd(r, 3); break;
			case '@': {
				unsigned to = rnd(r, kind & 16 ? 20 : 3) ? at + 1 + rnd(r, 12) : PROLOGUE + rnd(r, BODY);
				i.imm = 16 * (to < WORDS ? to : WORDS - 1);
				break;
			}
			case 'm': i.ra = BASE_LO; i.off = (int32_t)(16 * rnd(r, 4)); break;
			case 'n': i.ra = (uint8_t)(op == OP_LDC ? HD_RZ : op == OP_LDL || op == OP_STL ? LOCAL_AT : SHARED_AT);
				i.off = (int32_t)(16 * rnd(r, 4)); break;
			case 'l': i.lut = (uint8_t)rnd(r, 256); break;
			case 'z': i.imm = rnd(r, SREG_COUNT); break;
			}
		for (unsigned k = 0; k < o->nmods; k++) {
			const struct hd_mod_info *m = &hd_mods[o->mod[k]];
			((uint8_t *)&i)[m->offset] = (uint8_t)rnd(r, m->count);
		}
		if (strchr(o->operands, 'V'))
			i.rc = (uint8_t)(i.aop == AOP_CAS ? rnd(r, 8) * 2 : HD_RZ);
		if (op == OP_BRX || op == OP_RET || op == OP_CALLR)
			i.ra = TARGET;
		if (kind & 16 && (op == OP_ISETP || op == OP_IMAD))
			change_data(r, &i);
		if (op == OP_WARPSYNC && rnd(r, 2))
			i.bi = 1, i.rb = 0, i.imm = 0xffffffff;
		if (op == OP_BAR)
			i.bi = 1, i.rb = 0, i.imm = rnd(r, 2) ? 0 : 32 * rnd(r, 4);
		if (!hd_insn_fault(&i, false))
			return hd_encode(&i);
	}
}

static void program(struct hd_word *w, struct rng *r, unsigned kind)
{
	prologue(w, r);
	for (unsigned n = PROLOGUE; n < WORDS - 1; n++)
		w[n] = random_insn(r, kind, n);
	if (kind & 8)                                   /* bad words, bad addresses, bad targets */
		for (unsigned k = 0; k < 3; k++)
			w[PROLOGUE + rnd(r, BODY)].w[rnd(r, 4)] ^= 1u << rnd(r, 32);
	if (kind & 16) {                                /* most lanes go round the body again */
		struct hd_insn b = hd_insn_make(OP_BRA);
		b.pg = 3;
		b.imm = 16 * PROLOGUE;
		w[WORDS - 2] = hd_encode(&b);
	}
	struct hd_insn e = hd_insn_make(OP_EXIT);
	w[WORDS - 1] = hd_encode(&e);
}

static struct launch launch(struct rng *r)
{
	static const uint32_t block_x[] = { 32, 64, 40, 8, 100, 128 };
	struct launch l = { .code_base = LAUNCH_CODE, .code_size = WORDS * 16, .const_base = LAUNCH_CONST,
	                    .const_size = 4096, .local_base = LAUNCH_LOCAL, .local_size = 64, .shared_size = 4096 };
	l.block = (struct hd_dim3){ block_x[rnd(r, 6)], 1 + rnd(r, 2), 1 + rnd(r, 2) };
	l.grid = (struct hd_dim3){ 1 + rnd(r, 3), 1 + rnd(r, 2), 1 + rnd(r, 2) };
	l.threads = l.block.x * l.block.y * l.block.z;
	l.warps_block = (l.threads + 31) / 32;
	l.block_slots = 32 / l.warps_block;
	if (l.block_slots > 16)
		l.block_slots = 16;
	launch_add_range(&l, LAUNCH_HEAP, HEAP_BYTES, true);
	return l;
}

/* ---- one run ---- */

struct run { struct rtl *rtl; struct model *m; const struct options *o; uint64_t commits; };

static bool differs(struct run *t, const struct hd_commit *rtl, const struct hd_commit *ref, int status)
{
	struct difference d[8];
	unsigned n = commit_differences(rtl, ref, d, 8);
	if (!n && (status == STEP_OK || status == STEP_FAULT))
		return false;
	printf("commit %" PRIu64 " slot %u pc 0x%x insn %s word %08x %08x %08x %08x model status %d\n", t->commits,
	       rtl->slot, rtl->pc, "", rtl->insn[3], rtl->insn[2], rtl->insn[1], rtl->insn[0], status);
	for (unsigned i = 0; i < n && i < 8; i++)
		printf("  %s lane %u: rtl 0x%" PRIx64 " model 0x%" PRIx64 "\n", d[i].field->name, d[i].lane, d[i].rtl,
		       d[i].model);
	printf("  exec %08x/%08x active %08x/%08x next %08x/%08x live %08x\n", rtl->exec, ref->exec, rtl->active,
	       ref->active, rtl->next_active, ref->next_active, rtl->live);
	return true;
}

static bool check_commit(struct run *t, bool *fault)
{
	struct hd_commit rtl, ref;
	t->rtl->commit(t->rtl->core, &rtl);
	uint64_t clock = rtl.val[0][rtl.exec ? __builtin_ctz(rtl.exec) : 0];
	int status = model_step(t->m, rtl.slot, &ref, &clock);
	unsigned op = rtl.insn[0] & 511;
	const char *name = "?";
	for (unsigned i = 0; i < OP_COUNT; i++)
		if (hd_ops[i].opcode == op)
			name = hd_ops[i].mnemonic;
	if (t->o->verbose)
		printf("%6" PRIu64 " cycle %6" PRIu64 " slot %2u pc %4x %-10s exec %08x next %08x\n", t->commits, rtl.cycle,
		       rtl.slot, rtl.pc, name, rtl.exec, rtl.next_active);
	if (differs(t, &rtl, &ref, status)) {
		printf("  %s\n", name);
		return false;
	}
	t->commits++;
	*fault = rtl.fault;
	return true;
}

/* 1: good. */
static int lockstep(struct run *t, const struct launch *l)
{
	uint64_t quiet = 0;
	bool fault = false;
	model_launch(t->m, l);
	if (!rtl_start(t->rtl, l))
		return printf("the launch port is stuck\n"), 0;
	while (t->commits < t->o->commits && !fault) {
		if (*t->rtl->p.place_valid) {
			const char *why = model_place(t->m, *t->rtl->p.place_slot, *t->rtl->p.place_block);
			if (why)
				return printf("place: %s\n", why), 0;
		}
		if (*t->rtl->p.commit_valid) {
			if (!check_commit(t, &fault))
				return 0;
			quiet = 0;
		} else if (++quiet > QUIET) {
			struct warp_view v;
			bool can = false;
			for (unsigned s = 0; s < 32; s++)
				model_view(t->m, s, &v), can |= v.used && v.active;
			if (can)
				return printf("nothing retires, but the model could go on\n"), model_explain(t->m, stdout), 0;
			break;
		}
		if (rtl_ended(t->rtl) && model_ended(t->m))
			break;
		if (t->rtl->mem.error[0])
			return printf("memory port: %s\n", t->rtl->mem.error), 0;
		rtl_step(t->rtl);
	}
	if (t->commits < t->o->commits && memcmp(t->rtl->bytes + LAUNCH_HEAP, model_memory(t->m) + LAUNCH_HEAP, HEAP_BYTES))
		return printf("memory differs\n"), 0;
	return 1;
}

static int run_one(const struct options *o, uint64_t seed)
{
	struct rng r = { seed * 0x9e3779b97f4a7c15ull | 1 };
	struct launch_limits limits = { .warps = 32, .regs = 256, .shared_bytes = 65536 };
	char why[256];
	struct hd_word text[WORDS];
	for (int i = 0; i < 8; i++)
		rnd(&r, 1);
	struct run t = { .o = o, .m = model_new(&limits), .rtl = rtl_open(o->lanes, seed & 1 ? seed : 0, false, why, sizeof why) };
	if (!t.rtl || !t.m)
		return fprintf(stderr, "%s\n", why), 0;
	program(text, &r, o->kind);
	struct launch l = launch(&r);
	for (uint32_t a = 0; a < HEAP_BYTES; a++)
		model_memory(t.m)[LAUNCH_HEAP + a] = (uint8_t)(rnd(&r, 3) ? rnd(&r, 256) : 0);
	memcpy(model_memory(t.m) + LAUNCH_CODE, text, sizeof text);
	memcpy(t.rtl->bytes + LAUNCH_CODE, text, sizeof text);
	memcpy(t.rtl->bytes + LAUNCH_HEAP, model_memory(t.m) + LAUNCH_HEAP, HEAP_BYTES);
	int good = model_load(t.m, LAUNCH_CODE, sizeof text, false) && lockstep(&t, &l);
	uint64_t cycles = t.rtl->cycle;
	model_free(t.m);
	rtl_close(t.rtl);
	if (!good || o->count < 20)
		printf("seed %" PRIu64 ": %s, %" PRIu64 " commits, %" PRIu64 " cycles\n", seed, good ? "equal" : "DIFFERS",
		       t.commits, cycles);
	return good;
}

int main(int argc, char **argv)
{
	struct options o = { .lanes = 32, .count = 1, .kind = 7, .seed = 1, .commits = 3000 };
	for (int i = 1; i < argc; i++) {
		const char *v = i + 1 < argc ? argv[i + 1] : "";
		if (!strcmp(argv[i], "-v")) { o.verbose = 1; continue; }
		else if (!strcmp(argv[i], "--first")) { o.first = 1; continue; }
		else if (!strcmp(argv[i], "--lanes")) o.lanes = (unsigned)atoi(v);
		else if (!strcmp(argv[i], "--seed")) o.seed = strtoull(v, NULL, 0);
		else if (!strcmp(argv[i], "--count")) o.count = (unsigned)atoi(v);
		else if (!strcmp(argv[i], "--commits")) o.commits = strtoull(v, NULL, 0);
		else if (!strcmp(argv[i], "--kind")) o.kind = !strcmp(v, "int") ? 0 : !strcmp(v, "ctl") ? 1 : !strcmp(v, "mem") ? 3 : !strcmp(v, "fault") ? 15 : !strcmp(v, "conv") ? 17 : 7;
		else return fprintf(stderr, "core_smoke: what is %s?\n", argv[i]), 2;
		i++;
	}
	unsigned bad = 0;
	for (unsigned k = 0; k < o.count && !(bad && o.first); k++)
		bad += !run_one(&o, o.seed + k);
	printf("core_smoke: lanes %u, programs %u, equal %u, first seed %" PRIu64 "\n", o.lanes, o.count, o.count - bad, o.seed);
	return bad != 0;
}

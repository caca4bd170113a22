/* Random programs on the Verilated core, every commit compared with the golden model.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs are chaos on purpose: any legal instruction, branches to anywhere in the body, barriers
 * used wrongly; or, for the stack, regions that nest (core_stack.c).  A run ends with the grid, with a
 * fault, when nothing retires any more (then the model must agree that no warp can run), or after a
 * number of commits.
 * Use: core_smoke [--lanes N] [--seed S] [--count N] [--commits N] [--kind KIND] [--depth N] [--cover] [-v]
 *   kinds: int ctl conv mem all fault; stack stack-fault stack-chaos.  --depth: tokens on chip, 0: 4 to 64
 *   --cover: fail unless every case of spilling and filling has happened
 *   --first: end at the first difference */
#include "harness/rtl.h"
#include "harness/compare.h"
#include "cmodel/model.h"
#include "core_program.h"
#include "core_cover.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAP_BYTES = 1 << 18, QUIET = 20000, SHARED = 4096 };

struct options { unsigned lanes, count, kind, depth, verbose, cover, first; uint64_t seed, commits; };

static struct launch launch(struct rng *r, const struct options *o, unsigned words)
{
	static const uint32_t block_x[] = { 32, 64, 40, 8, 100, 128 };
	static const uint32_t depth[] = { 4, 5, 8, 15, 16, 64 }, spill[] = { 0, 64, 256 };
	struct launch l = { .mode = !!(o->kind & KIND_STACK), .code_base = LAUNCH_CODE, .code_size = words * 16,
	                    .const_base = LAUNCH_CONST, .const_size = 4096, .local_base = LAUNCH_LOCAL,
	                    .local_size = 64, .shared_size = SHARED, .spill_base = LAUNCH_SPILL,
	                    .spill_size = LAUNCH_SPILL_WARP };
	if (l.mode) {
		l.stack_depth = o->depth ? o->depth : depth[rnd(r, sizeof depth / sizeof *depth)];
		if (o->kind & KIND_BAD && rnd(r, 4) == 0)
			l.spill_size = spill[rnd(r, 3)];
	}
	l.block = (struct hd_dim3){ block_x[rnd(r, 6)], 1 + rnd(r, 2), 1 + rnd(r, 2) };
	l.grid = (struct hd_dim3){ 1 + rnd(r, 3), 1 + rnd(r, 2), 1 + rnd(r, 2) };
	l.threads = l.block.x * l.block.y * l.block.z;
	l.warps_block = (l.threads + 31) / 32;
	l.block_slots = 32 / l.warps_block;
	if (l.block_slots > 16)
		l.block_slots = 16;
	if (o->kind & KIND_BAD && rnd(r, 3) == 0)
		l.shared_size = SHARED / 4;
	/* With faults: part of the heap may only be read. */
	uint32_t rw = o->kind & KIND_BAD && rnd(r, 2) ? 64 * rnd(r, l.threads) + 64 : HEAP_BYTES;
	launch_add_range(&l, LAUNCH_HEAP, rw, true);
	if (rw < HEAP_BYTES)
		launch_add_range(&l, LAUNCH_HEAP + rw, HEAP_BYTES - rw, false);
	return l;
}

/* ---- one run ---- */

struct run { struct rtl *rtl; struct model *m; const struct options *o; struct cover *cover; uint64_t commits; };

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
	cover_commit(t->cover, &rtl);
	*fault = rtl.fault;
	return true;
}

/* 1: good. */
static int lockstep(struct run *t, const struct launch *l)
{
	uint64_t quiet = 0;
	bool fault = false;
	model_launch(t->m, l);
	cover_launch(t->cover, l);
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
			bool can = false, any = false;
			for (unsigned s = 0; s < 32; s++)
				model_view(t->m, s, &v), any |= v.used, can |= v.used && v.runs;
			if (!any)
				return printf("no block is there, and the grid does not end\n"), 0;
			if (can)
				return printf("nothing retires, but the model could go on\n"), model_explain(t->m, stdout), 0;
			break;
		}
		if (rtl_ended(t->rtl) && model_ended(t->m))
			break;
		if (t->rtl->mem.error[0])
			return printf("memory port: %s\n", t->rtl->mem.error), 0;
		cover_port(t->cover, &t->rtl->mem);
		rtl_step(t->rtl);
	}
	if (t->commits < t->o->commits && memcmp(t->rtl->bytes + LAUNCH_HEAP, model_memory(t->m) + LAUNCH_HEAP, HEAP_BYTES))
		return printf("memory differs\n"), 0;
	return 1;
}

static int run_one(const struct options *o, uint64_t seed, struct cover *cover)
{
	struct rng r = { seed * 0x9e3779b97f4a7c15ull | 1 };
	struct launch_limits limits = { .warps = 32, .regs = 256, .shared_bytes = 65536, .stack_depth = 64 };
	char why[256];
	struct hd_word text[CORE_WORDS];
	for (int i = 0; i < 8; i++)
		rnd(&r, 1);
	struct run t = { .o = o, .cover = cover, .m = model_new(&limits), .rtl = rtl_open(o->lanes, seed & 1 ? seed : 0, false, why, sizeof why) };
	if (!t.rtl || !t.m)
		return fprintf(stderr, "%s\n", why), 0;
	unsigned words = core_program(text, &r, o->kind), bytes = words * HD_INSN_BYTES;
	struct launch l = launch(&r, o, words);
	for (uint32_t a = 0; a < HEAP_BYTES; a++)
		model_memory(t.m)[LAUNCH_HEAP + a] = (uint8_t)(rnd(&r, 3) ? rnd(&r, 256) : 0);
	memcpy(model_memory(t.m) + LAUNCH_CODE, text, bytes);
	memcpy(t.rtl->bytes + LAUNCH_CODE, text, bytes);
	memcpy(t.rtl->bytes + LAUNCH_HEAP, model_memory(t.m) + LAUNCH_HEAP, HEAP_BYTES);
	int good = model_load(t.m, LAUNCH_CODE, bytes, l.mode) && lockstep(&t, &l);
	uint64_t cycles = t.rtl->cycle;
	model_free(t.m);
	rtl_close(t.rtl);
	if (!good || o->count < 20)
		printf("seed %" PRIu64 ": %s, %" PRIu64 " commits, %" PRIu64 " cycles\n", seed, good ? "equal" : "DIFFERS",
		       t.commits, cycles);
	return good;
}

static const struct { const char *name; unsigned kind; } kinds[] = {
	{ "int", 0 }, { "ctl", KIND_CTL }, { "conv", KIND_CTL | KIND_CONV }, { "mem", KIND_CTL | KIND_MEM }, { "all", KIND_CTL | KIND_MEM | KIND_FLOAT },
	{ "fault", KIND_CTL | KIND_MEM | KIND_FLOAT | KIND_BAD },
	{ "stack", KIND_CTL | KIND_MEM | KIND_FLOAT | KIND_STACK | KIND_STRUCTURE },
	{ "stack-fault", KIND_CTL | KIND_MEM | KIND_FLOAT | KIND_STACK | KIND_STRUCTURE | KIND_BAD },
	{ "stack-chaos", KIND_CTL | KIND_MEM | KIND_FLOAT | KIND_STACK | KIND_BAD },
};

static int set(struct options *o, const char *name, const char *v)
{
	if (!strcmp(name, "--lanes")) o->lanes = (unsigned)atoi(v);
	else if (!strcmp(name, "--seed")) o->seed = strtoull(v, NULL, 0);
	else if (!strcmp(name, "--count")) o->count = (unsigned)atoi(v);
	else if (!strcmp(name, "--commits")) o->commits = strtoull(v, NULL, 0);
	else if (!strcmp(name, "--depth")) o->depth = (unsigned)atoi(v);
	else if (!strcmp(name, "--kind")) {
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
			if (!strcmp(v, kinds[i].name))
				return o->kind = kinds[i].kind, 1;
		return 0;
	} else
		return 0;
	return 1;
}

int main(int argc, char **argv)
{
	struct options o = { .lanes = 32, .count = 1, .kind = 7, .seed = 1, .commits = 3000 };
	struct cover cover = { 0 };
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-v"))
			o.verbose = 1;
		else if (!strcmp(argv[i], "--first"))
			o.first = 1;
		else if (!strcmp(argv[i], "--cover"))
			o.cover = 1;
		else if (!set(&o, argv[i], i + 1 < argc ? argv[i + 1] : ""))
			return fprintf(stderr, "core_smoke: what is %s?\n", argv[i]), 2;
		else
			i++;
	}
	unsigned bad = 0;
	for (unsigned k = 0; k < o.count && !(bad && o.first); k++)
		bad += !run_one(&o, o.seed + k, &cover);
	printf("core_smoke: lanes %u, programs %u, equal %u, first seed %" PRIu64 "\n", o.lanes, o.count, o.count - bad, o.seed);
	if (o.kind & KIND_STACK && !cover_print(&cover, stdout) && o.cover)
		bad++;
	return bad != 0;
}

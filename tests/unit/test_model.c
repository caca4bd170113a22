/* The golden model: every lane effect against a bit-by-bit reference, memory and faults against a
 * byte array, launches, and that the fast path does what the recorded one does.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "asm.h"
#include "fp32.h"
#include "machine.h"
#include "mufu.h"

static const struct launch_limits core = { 32, 256, 16384, 0 };

static u64 seed = 1;

static u32 rnd(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (u32)(seed >> 32);
}

/* Small, large, and special values as often as random ones. */
static u32 rnd_value(void)
{
	static const u32 special[] = { 0, 1, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000,
	                               0x7fc00001, 0x00000001, 0x80000001, 0x3f800000, 0xff, 0x0820 };
	switch (rnd() % 4) {
	case 0: return special[rnd() % (sizeof special / sizeof *special)];
	case 1: return rnd() % 64;
	default: return rnd();
	}
}

/* ---- lane effects ------------------------------------------------------------------------------- */

struct lane_in { u32 a, b, c, ah, bh, ch, ps, pt; };
struct lane_out { u32 d, dh, pd; };

static u32 bit(u32 v, u32 i)
{
	return i < 32 ? v >> i & 1 : 0;
}

static u32 shifted(u64 v, int by)       /* the low word of v >> by, or of v << -by */
{
	for (; by > 0; by--)
		v >>= 1;
	for (; by < 0; by++)
		v <<= 1;
	return (u32)v;
}

static u32 ref_bits(const struct hd_insn *m, u32 a, u32 b, u32 c)
{
	u32 d = 0, pos = b & 255, len = c & 255, sign;
	u64 pair = (u64)c << 32 | a;
	switch (m->op) {
	case OP_LOP3:
		for (u32 i = 0; i < 32; i++)
			d |= (u32)(m->lut >> (bit(a, i) << 2 | bit(b, i) << 1 | bit(c, i)) & 1) << i;
		return d;
	case OP_SHL: return b > 31 ? 0 : shifted(a, -(int)b);
	case OP_SHRU: return b > 31 ? 0 : shifted(a, (int)b);
	case OP_SHRS:
		for (u32 i = 0; i < 32; i++)
			d |= bit(a, i + (b > 31 ? 31 : b) > 31 ? 31 : i + (b > 31 ? 31 : b)) << i;
		return d;
	case OP_SHFLW: return shifted(pair, 32 - (int)(b & 31));
	case OP_SHFLC: return shifted(pair, 32 - (int)(b > 32 ? 32 : b));
	case OP_SHFRW: return shifted(pair, (int)(b & 31));
	case OP_SHFRC: return shifted(pair, (int)(b > 32 ? 32 : b));
	case OP_BFEU: case OP_BFES:
		sign = m->op == OP_BFEU || !len ? 0 : bit(a, pos + len - 1 > 31 ? 31 : pos + len - 1);
		for (u32 i = 0; i < 32; i++)
			d |= (i < len && pos + i < 32 ? bit(a, pos + i) : sign) << i;
		return d;
	case OP_POPC: for (u32 i = 0; i < 32; i++) d += bit(a, i); return d;
	case OP_CLZ: while (d < 32 && !bit(a, 31 - d)) d++; return d;
	case OP_BREV: for (u32 i = 0; i < 32; i++) d |= bit(a, i) << (31 - i); return d;
	default: /* PRMT */
		for (u32 i = 0; i < 4; i++) {
			u32 sel = b >> 4 * i & 15, byte = (u32)(pair >> 8 * (sel & 7)) & 255;
			d |= (sel & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
		}
		return d;
	}
}

static bool ref_icmp(const struct hd_insn *m, const struct lane_in *x)
{
	long long a = m->sg ? (s32)x->a : (long long)x->a, b = m->sg ? (s32)x->b : (long long)x->b;
	bool r = m->icmp == ICMP_EQ ? a == b : m->icmp == ICMP_NE ? a != b : m->icmp == ICMP_LT ? a < b :
	         m->icmp == ICMP_LE ? a <= b : m->icmp == ICMP_GT ? a > b : a >= b;
	switch (m->bop) {
	case BOP_AND: return r && x->ps;
	case BOP_OR: return r || x->ps;
	case BOP_XOR: return r != (x->ps != 0);
	default: return a == b ? x->ps : r;
	}
}

static void set64(struct lane_out *y, u64 v)
{
	y->d = (u32)v;
	y->dh = (u32)(v >> 32);
}

/* f32 rows: fp32.c has its own tests; here signs and modifiers must reach it. */
static bool ref_float(const struct hd_insn *m, struct lane_in x, struct lane_out *y)
{
	u32 a = (m->aa ? x.a & 0x7fffffff : x.a) ^ (u32)m->na << 31;
	u32 b = (m->ab ? x.b & 0x7fffffff : x.b) ^ (u32)m->nb << 31;
	u32 c = x.c ^ (u32)m->nc << 31;
	u64 pair = (u64)x.ah << 32 | x.a;
	switch (m->op) {
	case OP_FADD: y->d = fp_add(a, b, m->rm, m->ftz, m->sat); return true;
	case OP_FMUL: y->d = fp_mul(a, b, m->rm, m->ftz, m->sat); return true;
	case OP_FFMA: y->d = fp_fma(a, b, c, m->rm, m->ftz, m->sat); return true;
	case OP_FMIN: y->d = fp_min(a, b, m->ftz); return true;
	case OP_FMAX: y->d = fp_max(a, b, m->ftz); return true;
	case OP_FSETP: y->pd = fp_combine(fp_cmp(a, b, m->fcmp, m->ftz), x.ps, m->fbop); return true;
	case OP_FRND: y->d = fp_rint(a, m->rm, m->ftz); return true;
	case OP_F2IS: y->d = fp_to_s32(a, m->rm, m->ftz); return true;
	case OP_F2IU: y->d = fp_to_u32(a, m->rm, m->ftz); return true;
	case OP_F2LS: set64(y, fp_to_s64(a, m->rm, m->ftz)); return true;
	case OP_F2LU: set64(y, fp_to_u64(a, m->rm, m->ftz)); return true;
	case OP_I2FS: y->d = fp_from_s32(x.a, m->rm); return true;
	case OP_I2FU: y->d = fp_from_u32(x.a, m->rm); return true;
	case OP_L2FS: y->d = fp_from_s64(pair, m->rm); return true;
	case OP_L2FU: y->d = fp_from_u64(pair, m->rm); return true;
	case OP_F2H: y->d = fp_to_half(a, m->rm, m->ftz); return true;
	case OP_H2F: y->d = fp_from_half(x.a); return true;
	case OP_MUFU: y->d = mufu_eval(m->mufu, a); return true;
	default: return false;
	}
}

/* What a lane must get; false: not a row that computes lane by lane. */
static bool reference(const struct hd_insn *m, struct lane_in x, struct lane_out *y)
{
	u32 a = x.a, b = x.b, c = x.c;
	u64 C = (u64)x.ch << 32 | c;
	switch (m->op) {
	case OP_MOV: y->d = b; return true;
	case OP_SEL: y->d = x.ps ? a : b; return true;
	case OP_IADD: y->d = a + b; return true;
	case OP_ISUB: y->d = a - b; return true;
	case OP_IRSUB: y->d = b - a; return true;
	case OP_IADD3: y->d = a + b + c; return true;
	case OP_IADDX: y->d = a + b + x.ps; y->pd = ((u64)a + b + x.ps) >> 32 != 0; return true;
	case OP_ISUBX: y->d = a - b - !x.ps; y->pd = (u64)a >= (u64)b + !x.ps; return true;
	case OP_IADDW: set64(y, ((u64)x.ah << 32 | a) + ((u64)x.bh << 32 | b)); return true;
	case OP_IMINS: y->d = (s32)a < (s32)b ? a : b; return true;
	case OP_IMAXS: y->d = (s32)a < (s32)b ? b : a; return true;
	case OP_IMINU: y->d = a < b ? a : b; return true;
	case OP_IMAXU: y->d = a < b ? b : a; return true;
	case OP_IABS: y->d = a >> 31 ? ~a + 1 : a; return true;
	case OP_AND: y->d = a & b; return true;
	case OP_OR: y->d = a | b; return true;
	case OP_XOR: y->d = a ^ b; return true;
	case OP_LOP3: case OP_SHL: case OP_SHRU: case OP_SHRS: case OP_SHFLW: case OP_SHFLC: case OP_SHFRW:
	case OP_SHFRC: case OP_BFEU: case OP_BFES: case OP_POPC: case OP_CLZ: case OP_BREV: case OP_PRMT:
		y->d = ref_bits(m, a, b, c); return true;
	case OP_ISETP: y->pd = ref_icmp(m, &x); return true;
	case OP_PLOP: y->pd = m->lut >> (2 * x.ps + x.pt) & 1; return true;
	case OP_IMAD: y->d = a * b + c; return true;
	case OP_IMADHU: y->d = (u32)((u64)a * b >> 32) + c; return true;
	case OP_IMADHS: y->d = (u32)((u64)((s64)(s32)a * (s32)b) >> 32) + c; return true;
	case OP_IMADWU: set64(y, (u64)a * b + C); return true;
	case OP_IMADWS: set64(y, (u64)((s64)(s32)a * (s32)b) + C); return true;
	default: return ref_float(m, x, y);
	}
}


/* A random legal instruction of a row: registers 4 to 15 and RZ, P0 to P3 and PT. */
static bool random_insn(struct hd_insn *i, enum hd_op op)
{
	const struct hd_op_info *o = &hd_ops[op];
	uint8_t *reg[4] = { &i->rd, &i->ra, &i->rb, &i->rc };
	*i = hd_insn_make(op);
	for (int k = 0; k < o->nmods; k++)
		((uint8_t *)i)[hd_mods[o->mod[k]].offset] = (uint8_t)(rnd() % hd_mods[o->mod[k]].count);
	for (int k = 0; k < 4; k++)
		if (o->width[k])
			*reg[k] = rnd() % 8 ? (uint8_t)(4 + 2 * (rnd() % 6) + (o->width[k] == WIDTH_1 ? rnd() % 2 : 0)) : HD_RZ;
	if (o->width[2] && strpbrk(o->operands, "bB") && rnd() % 3 == 0)
		i->bi = 1, i->rb = 0, i->imm = rnd_value();
	i->pd = strchr(o->operands, 'p') ? (uint8_t)(rnd() % 4 ? rnd() % 4 : HD_PT) : i->pd;
	i->ps = strchr(o->operands, 's') ? (uint8_t)(rnd() % 4) : i->ps;
	i->sn = strchr(o->operands, 's') ? rnd() % 2 : 0;
	i->pq = strchr(o->operands, 't') ? (uint8_t)(rnd() % 4) : i->pq;
	i->lut = strchr(o->operands, 'l') ? (uint8_t)rnd() : 0;
	i->na = strstr(o->mods, "na") ? rnd() % 2 : 0;
	i->aa = strstr(o->mods, "aa") ? rnd() % 2 : 0;
	i->nb = strstr(o->mods, "nb") ? rnd() % 2 : 0;
	i->ab = strstr(o->mods, "ab") ? rnd() % 2 : 0;
	i->nc = strstr(o->mods, "nc") ? rnd() % 2 : 0;
	i->pg = rnd() % 2 ? HD_PT : (uint8_t)(rnd() % 4);
	i->pn = i->pg == HD_PT ? 0 : rnd() % 2;
	return !hd_insn_fault(i, false);
}

enum { LAST = 18 };             /* registers that the random instructions may read */
struct state { u32 r[LAST][32], p[8]; };

static struct model *start(const struct hd_insn *code, unsigned n, u32 threads)
{
	struct model *m = model_new(&core);
	struct launch k = { .code_base = LAUNCH_CODE, .code_size = 16 * n, .grid = { 1, 1, 1 },
	                    .block = { threads, 1, 1 }, .threads = threads, .warps_block = (threads + 31) / 32,
	                    .block_slots = 1 };
	assert_non_null(m);
	for (unsigned i = 0; i < n; i++) {
		struct hd_word w = hd_encode(&code[i]);
		memcpy(model_memory(m) + LAUNCH_CODE + 16 * i, &w, sizeof w);
	}
	assert_true(model_load(m, LAUNCH_CODE, 16 * n, false));
	model_launch(m, &k);
	assert_null(model_place(m, 0, 0));
	return m;
}

static void reload(struct model *m, const struct hd_insn *i)
{
	struct hd_word w = hd_encode(i);
	memcpy(model_memory(m) + LAUNCH_CODE, &w, sizeof w);
	assert_true(model_load(m, LAUNCH_CODE, 32, false));
}

static void random_state(struct state *s)
{
	for (int r = 0; r < LAST; r++)
		for (int l = 0; l < 32; l++)
			s->r[r][l] = rnd_value();
	for (int p = 0; p < 7; p++)
		s->p[p] = rnd() % 4 ? rnd() : 0u - (rnd() & 1);
	s->p[7] = ~0u;
}

static u32 reg(const struct state *s, unsigned r, int l)
{
	return r == HD_RZ ? 0 : s->r[r][l];
}

/* What the instruction does to a state, by the reference. */
static u32 expect(const struct hd_insn *i, const struct state *old, struct state *s)
{
	u32 exec = old->p[i->pg] ^ (i->pn ? ~0u : 0);
	int width = hd_insn_width(i, 0);
	*s = *old;
	for (int l = 0; l < 32; l++) {
		unsigned h = i->rb == HD_RZ ? HD_RZ : i->rb + 1u;
		struct lane_in x = {
			.a = reg(old, i->ra, l), .ah = reg(old, i->ra == HD_RZ ? HD_RZ : i->ra + 1u, l),
			.b = i->bi ? i->imm : reg(old, i->rb, l), .bh = i->bi ? 0u - (i->imm >> 31) : reg(old, h, l),
			.c = reg(old, i->rc, l), .ch = reg(old, i->rc == HD_RZ ? HD_RZ : i->rc + 1u, l),
			.ps = (old->p[i->ps] >> l ^ i->sn) & 1, .pt = old->p[i->pq] >> l & 1,
		};
		struct lane_out y = { 0, 0, 0 };
		assert_true(reference(i, x, &y));
		if (!(exec >> l & 1))
			continue;
		if (width && i->rd != HD_RZ)
			s->r[i->rd][l] = y.d;
		if (width == 2 && i->rd != HD_RZ)
			s->r[i->rd + 1][l] = y.dh;
		if (strchr(hd_ops[i->op].operands, 'p') && i->pd != HD_PT)
			s->p[i->pd] = (s->p[i->pd] & ~(1u << l)) | y.pd << l;
	}
	return exec;
}

static void set_state(struct model *m, const struct state *s)
{
	memcpy(m->warp[0].r, s->r, sizeof s->r);
	memcpy(m->warp[0].p, s->p, sizeof s->p);
	m->warp[0].conv.pc = 0;
}

static void check_state(const struct model *m, const struct state *want, const struct hd_insn *i, const char *path)
{
	struct hd_word w = hd_encode(i);
	char text[128];
	hd_dis_insn(text, sizeof text, &w, NULL, NULL);
	for (int r = 0; r < LAST; r++)
		for (int l = 0; l < 32; l++)
			if (m->warp[0].r[r][l] != want->r[r][l])
				fail_msg("%s (%s): R%d lane %d is %08x, must be %08x", text, path, r, l,
				         m->warp[0].r[r][l], want->r[r][l]);
	for (int p = 0; p < 7; p++)
		if (m->warp[0].p[p] != want->p[p])
			fail_msg("%s (%s): P%d is %08x, must be %08x", text, path, p, m->warp[0].p[p], want->p[p]);
	for (int l = 0; l < 32; l++)
		assert_int_equal(m->warp[0].r[ROW_ZERO][l] | m->warp[0].r[ROW_ZERO + 1][l], 0);
}

static void check_record(const struct hd_commit *c, const struct state *want, const struct hd_insn *i, u32 exec)
{
	unsigned n = i->rd == HD_RZ ? 0 : (unsigned)hd_insn_width(i, 0);
	assert_int_equal(c->exec, exec);
	assert_int_equal(c->nd, n);
	for (unsigned k = 0; k < 4; k++)
		for (int l = 0; l < 32; l++)
			assert_int_equal(c->val[k][l], k < n && exec >> l & 1 ? want->r[i->rd + k][l] : 0);
	assert_int_equal(c->pval[0], c->npd ? want->p[i->pd] & exec : 0);
}

static void test_lane_effects(void **unused)
{
	struct hd_insn code[2] = { hd_insn_make(OP_NOP), hd_insn_make(OP_EXIT) };
	struct model *m = start(code, 2, 32);
	unsigned rows = 0;
	(void)unused;
	for (unsigned op = 0; op < OP_COUNT; op++) {
		struct hd_insn i = hd_insn_make((enum hd_op)op);
		struct lane_out y;
		if (!reference(&i, (struct lane_in){ 0 }, &y))
			continue;
		rows++;
		for (int k = 0; k < 400; ) {
			struct state old, want;
			struct hd_commit c;
			if (!random_insn(&i, (enum hd_op)op))
				continue;
			k++;
			random_state(&old);
			u32 exec = expect(&i, &old, &want);
			reload(m, &i);
			set_state(m, &old);
			assert_int_equal(model_step(m, 0, &c, NULL), STEP_OK);
			check_state(m, &want, &i, "recorded");
			check_record(&c, &want, &i, exec);
			set_state(m, &old);
			assert_int_equal(step_warp(m, &m->warp[0], 1, NULL), 1);
			check_state(m, &want, &i, "fast");
		}
	}
	assert_int_equal(rows, 56);
	model_free(m);
}

/* ---- programs ------------------------------------------------------------------------------------ */

struct run { struct model *m; struct hd_image *img; struct launch k; enum hd_status status; };

/* Assembles and runs; two buffers of 4096 bytes: A writable at LAUNCH_HEAP, B read-only 8192 above. */
static struct run run_text(const char *text, struct hd_dim3 grid, struct hd_dim3 block, hd_commit_fn *fn, void *user)
{
	struct run r = { 0 };
	struct hd_err err = { 0 };
	char why[256] = "";
	struct hd_launch l = { .grid = grid, .block = block };
	struct model_run how = { .limit = 10000000, .on_commit = fn, .commit_user = user };
	if (hd_asm("test", text, &r.img, &err))
		fail_msg("%s", err.text);
	r.m = model_new(&core);
	assert_non_null(r.m);
	if (launch_load(model_memory(r.m), r.img, why, sizeof why) ||
	    launch_prepare(&r.k, model_memory(r.m), r.img, &l, &core, why, sizeof why))
		fail_msg("%s", why);
	assert_true(launch_add_range(&r.k, LAUNCH_HEAP + 8192, 4096, false));
	assert_true(launch_add_range(&r.k, LAUNCH_HEAP, 4096, true));
	for (u32 i = 0; i < 4096; i++)
		model_memory(r.m)[LAUNCH_HEAP + 8192 + i] = (uint8_t)(i * 7 + (i >> 8));
	assert_true(model_load(r.m, r.k.code_base, r.k.code_size, r.img->stack_mode));
	model_launch(r.m, &r.k);
	r.status = model_run(r.m, &how);
	return r;
}

static void done(struct run *r)
{
	hd_image_free(r->img);
	model_free(r->m);
}

static u32 word_at(const struct model *m, u64 at)
{
	u32 v;
	memcpy(&v, m->mem + at, sizeof v);
	return v;
}

#define HEAD ".kernel k\n.regs 32\n.shared 256\n.local 64\nS2R R0, SR_TID_X\nSHL R1, R0, 2\nMOV R2, 0x10000000\n" \
	"IADD R2, R2, R1\nMOV R3, 0\n"
static const struct hd_dim3 one = { 1, 1, 1 }, warp = { 32, 1, 1 };

static void test_spaces(void **unused)
{
	/* Each size through global, shared, local and generic memory; the sum of what comes back. */
	static const char text[] = HEAD
		"MOV R8, 0x81828384\nIADD R8, R8, R0\nMOV R9, R0\nMOV R10, 3\nMOV R11, 4\n"
		"SHL R4, R0, 3\nSTS.64 [R4], R8\nLDS.64 R12, [R4]\n"
		"STL.128 [RZ+16], R8\nLDL.128 R16, [RZ+16]\nLDL.U8 R20, [RZ+17]\nLDL.S16 R21, [RZ+18]\n"
		"MOV R23, 2\nMOV R22, 20\nLD R24, [R22]\n"              /* generic, local: R9 */
		"MOV R23, 1\nMOV R22, R4\nLD R25, [R22]\n"              /* generic, shared: R8 */
		"IADD R26, R12, R13\nIADD R26, R26, R16\nIADD R26, R26, R19\nIADD R26, R26, R20\n"
		"IADD R26, R26, R21\nIADD R26, R26, R24\nIADD R26, R26, R25\nSTG [R2], R26\n"
		"LDG.U8 R5, [R2+8192]\nSTG [R2+1024], R5\nSTG.U8 [R2+2048], R8\nEXIT\n";
	(void)unused;
	struct run r = run_text(text, one, warp, NULL, NULL);
	assert_int_equal(r.status, HD_OK);
	for (u32 l = 0; l < 32; l++) {
		u32 v = 0x81828384 + l, want = v + l + v + 4 + (v >> 8 & 255) + (u32)(s32)(int16_t)(v >> 16) + l + v;
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 4 * l), want);
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 1024 + 4 * l), (uint8_t)(4 * l * 7));
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 2048 + 4 * l), v & 255);
		/* local memory: word k of lane l at 128 k + 4 l */
		assert_int_equal(word_at(r.m, LAUNCH_LOCAL + 128 * 4 + 4 * l), v);
		assert_int_equal(word_at(r.m, LAUNCH_LOCAL + 128 * 7 + 4 * l), 4);
	}
	done(&r);
}

static void test_store_order_and_atomics(void **unused)
{
	static const char text[] = HEAD
		"MOV R6, 0x10000400\nMOV R7, 0\nSTG [R6], R0\n"                 /* colliding stores: the last lane */
		"IADD R8, R0, 1\nATOMG.ADD R9, [R6+16], R8\nSTG [R2], R9\n"     /* prefix sums */
		"MOV R10, 5\nATOMG.INC R9, [R6+32], R10\nSTG [R2+128], R9\n"    /* 0 1 2 3 4 5 0 ... */
		"ATOMG.CAS R9, [R6+48], R0, R8\nATOMG.MINS RZ, [R6+64], R3\n"   /* only the matching lane goes on */
		"ISUB R11, RZ, R0\nATOMG.MINS RZ, [R6+68], R11\nATOMG.MAXU RZ, [R6+72], R11\n"
		"MOV R12, -1\nMOV R13, 0\nATOMG.ADD.64 R14, [R6+80], R12\nATOMS.EXCH R15, [RZ], R0\n"
		"STG [R2+256], R15\nATOMG.DEC R9, [R6+96], R10\nSTG [R2+384], R9\nEXIT\n";
	(void)unused;
	struct run r = run_text(text, one, warp, NULL, NULL);
	u32 at = LAUNCH_HEAP + 0x400;
	assert_int_equal(r.status, HD_OK);
	assert_int_equal(word_at(r.m, at), 31);
	for (u32 l = 0; l < 32; l++) {
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 4 * l), l * (l + 1) / 2);
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 128 + 4 * l), l % 6);
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 256 + 4 * l), l ? l - 1 : 0);
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 384 + 4 * l), (6 - l % 6) % 6);
	}
	assert_int_equal(word_at(r.m, at + 48), 32);    /* 0 -> 1 -> 2 ... */
	assert_int_equal(word_at(r.m, at + 68), (u32)-31);
	assert_int_equal(word_at(r.m, at + 72), ~0u);
	assert_int_equal(word_at(r.m, at + 80), (u32)-32);
	assert_int_equal(word_at(r.m, at + 84), 31);
	done(&r);
}

static void test_warp_operations(void **unused)
{
	static const char text[] = HEAD
		"LOP.AND R4, R0, 3\nISETP.LT.U32 P0, R0, 20, PT\nISETP.LT.U32 P1, R0, 10, PT\n"
		"@P0 VOTE.ANY R5, P2, P1\n@P0 STG [R2], R5\n"
		"@P0 MATCH.ANY R6, R4\n@P0 STG [R2+128], R6\n"
		"MOV R7, 0x1f\n@P0 SHFL.DOWN R8, P3, R0, 4, R7\n@P0 STG [R2+256], R8\n"
		"SEL R9, R0, RZ, P3\nSTG [R2+384], R9\nMATCH.ALL R10, P4, RZ\nSTG [R2+512], R10\nEXIT\n";
	(void)unused;
	struct run r = run_text(text, one, warp, NULL, NULL);
	assert_int_equal(r.status, HD_OK);
	for (u32 l = 0; l < 32; l++) {
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 4 * l), l < 20 ? 0x3ff : 0);
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 128 + 4 * l), l < 20 ? 0x11111u << l % 4 : 0);
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 256 + 4 * l), l < 16 ? l + 4 : l < 20 ? l : 0);
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 384 + 4 * l), l < 20 ? l : 0);
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 512 + 4 * l), ~0u);
	}
	done(&r);
}

static void test_faults(void **unused)
{
	static const struct { const char *text; enum hd_fault fault; u32 lanes; u64 addr; } cases[] = {
		{ "LDG.64 R4, [R2+4]", HD_FAULT_MISALIGNED, 0x55555555, 0x10000004 },
		{ "LDG R4, [R2-4]", HD_FAULT_RANGE, 1, 0xffffffc },
		{ "LDG R4, [R2+4000]", HD_FAULT_RANGE, 0xff000000, 0x10001000 },
		{ "MOV R3, 1; LDG R4, [R2]", HD_FAULT_RANGE, ~0u, 0x110000000 },
		{ "LDG R4, [RZ]", HD_FAULT_RANGE, ~0u, 0 },
		{ "STG [R2+8192], R0", HD_FAULT_READONLY, ~0u, 0x10002000 },
		{ "ATOMG.ADD R4, [R2+8192], R0", HD_FAULT_READONLY, ~0u, 0x10002000 },
		{ "STG [R2+4095], R0", HD_FAULT_MISALIGNED, ~0u, 0x10000fff },
		{ "LDS R4, [R1+252]", HD_FAULT_RANGE, 0xfffffffe, 0x100 },
		{ "LDS R4, [R1-4]", HD_FAULT_RANGE, 1, 0xfffffffc },
		{ "STL [R1], R0", HD_FAULT_RANGE, 0xffff0000, 64 },
		{ "LDC R4, [R1+65536]", HD_FAULT_RANGE, ~0u, 65536 },
		{ "MOV R3, 3; LD R4, [R2]", HD_FAULT_SPACE, ~0u, 0x310000000 },
		{ "MOV R3, 2; MOV R2, 0; ATOM.ADD R4, [R2], R0", HD_FAULT_SPACE, ~0u, 0x200000000 },
		{ "MOV R3, 2; MOV R2, R1; LD R4, [R2]", HD_FAULT_RANGE, 0xffff0000, 0x200000040 },
		{ "ISETP.GT.U32 P0, R0, 7, PT; @P0 BPT.TRAP", HD_FAULT_TRAP, 0xffffff00, 0 },
		{ ".insn 0x1ff, 0, 0, 0", HD_FAULT_ILLEGAL, ~0u, 0 },
		{ "BRX R2", HD_FAULT_PC, 1, 0 },
		{ "MOV R4, 8; BRX R4", HD_FAULT_PC, ~0u, 0 },
		{ "NOP", HD_FAULT_PC, ~0u, 0 },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[1000];
		snprintf(text, sizeof text, HEAD "%s\n", cases[i].text);
		for (char *s = text; *s; s++)
			*s = *s == ';' ? '\n' : *s;
		struct run r = run_text(text, one, warp, NULL, NULL);
		const struct hd_commit *f = model_fault(r.m);
		if (r.status != HD_FAULT)
			fail_msg("%s: no fault", cases[i].text);
		assert_int_equal(r.m->fault, cases[i].fault);
		assert_int_equal(r.m->fault_m, cases[i].lanes);
		if (f->fault_addr != cases[i].addr)
			fail_msg("%s: address %llx", cases[i].text, (unsigned long long)f->fault_addr);
		done(&r);
	}
}

static bool keep(void *user, const struct hd_commit *c)
{
	*(struct hd_commit *)user = *c;
	return true;
}

/* The record of a fault holds the state before it, and nothing happened. */
static void test_fault_record(void **unused)
{
	struct hd_commit c;
	struct run r = run_text(HEAD "ISETP.LT.U32 P0, R0, 30, PT\n@P0 STG [R2+4000], R0\nEXIT\n", one, warp, keep, &c);
	(void)unused;
	assert_int_equal(r.status, HD_FAULT);
	assert_int_equal(c.fault, HD_FAULT_RANGE);
	assert_int_equal(c.pc, 6 * 16);
	assert_int_equal(c.exec, 0x3fffffff);
	assert_int_equal(c.fault_m, 0x3f000000);
	assert_int_equal(c.active, ~0u);
	assert_int_equal(c.npc[5], 6 * 16);
	assert_int_equal(c.next_active | c.mem | c.size, 0);
	assert_int_equal(word_at(r.m, LAUNCH_HEAP + 4000), 0);
	assert_memory_equal(&c, model_fault(r.m), sizeof c);
	done(&r);
}

/* Many blocks of divergent, communicating warps: with and without records the same memory and counts. */
static bool count_commits(void *user, const struct hd_commit *c)
{
	uint64_t *n = user;
	assert_int_equal(c->seq, *n);
	++*n;
	return true;
}

static void test_fast_equals_recorded(void **unused)
{
	static const char text[] = HEAD
		"S2R R4, SR_CTAID_X\nIMAD R5, R4, 1664525, R0\nMOV R6, 0\n"
		"top:\nBSSY B0, join\nLOP.AND R7, R5, 7\nISETP.LT.U32 P0, R7, 3, PT\n@P0 BRA odd\n"
		"IADD R6, R6, R5\nSHR.U32 R5, R5, 1\nBRA join\nodd:\nIMAD R5, R5, 3, RZ\nSHR.U32 R5, R5, 2\n"
		"join:\nBSYNC B0\nISETP.NE.U32 P1, R5, 0, PT\n@P1 BRA top\n"
		"SHL R8, R0, 2\nLOP.AND R8, R8, 0xfc\nSTS [R8], R6\nBAR.SYNC 0, 0\nLDS R9, [R8]\nSHL R10, R4, 2\n"
		"MOV R12, 0x10000000\nIADD R12, R12, R10\nMOV R13, 0\nATOMG.ADD RZ, [R12], R9\n"
		"S2R R14, SR_CLOCKLO\nATOMG.XOR RZ, [R12+1024], R14\nEXIT\n";
	struct hd_dim3 grid = { 40, 1, 1 }, block = { 100, 1, 1 };
	uint64_t n = 0;
	(void)unused;
	struct run a = run_text(text, grid, block, NULL, NULL), b = run_text(text, grid, block, count_commits, &n);
	assert_int_equal(a.status, HD_OK);
	assert_int_equal(b.status, HD_OK);
	assert_true(model_ended(a.m));
	assert_memory_equal(a.m->mem + LAUNCH_HEAP, b.m->mem + LAUNCH_HEAP, 4096);
	assert_memory_equal(model_counters(a.m), model_counters(b.m), sizeof(struct hd_counters));
	assert_int_equal(model_counters(b.m)->warp_insns, n);
	assert_true(model_counters(a.m)->divergent_branches > 100);
	assert_true(model_counters(a.m)->reconvergences > 100);
	done(&a);
	done(&b);
}

static void test_special_registers(void **unused)
{
	static const char text[] = ".kernel k\n.regs 32\nS2R R0, SR_TID_X\nS2R R1, SR_TID_Y\nS2R R2, SR_TID_Z\n"
		"S2R R3, SR_NTID_X\nS2R R4, SR_NTID_Y\nIMAD R5, R2, R4, R1\nIMAD R5, R5, R3, R0\n"
		"S2R R6, SR_CTAID_X\nS2R R7, SR_CTAID_Y\nS2R R8, SR_NCTAID_X\nIMAD R9, R7, R8, R6\n"
		"S2R R14, SR_WARPID\nSHL R14, R14, 5\nS2R R15, SR_LANEID\nIADD R14, R14, R15\n"
		"IMAD R10, R9, 42, R5\nSHL R10, R10, 2\nIADD R12, R10, 0x10000000\nMOV R13, 0\nSTG [R12], R14\nEXIT\n";
	struct hd_dim3 grid = { 3, 2, 1 }, block = { 7, 3, 2 };
	(void)unused;
	struct run r = run_text(text, grid, block, NULL, NULL);
	assert_int_equal(r.status, HD_OK);
	for (u32 i = 0; i < 6 * 42; i++)
		assert_int_equal(word_at(r.m, LAUNCH_HEAP + 4 * i), i % 42);
	done(&r);
}

/* A spin loop across warps makes progress; one that waits for nobody hits the limit; deadlock is told. */
static void test_progress(void **unused)
{
	static const char spin[] = HEAD "MOV R6, 0x10000800\nMOV R7, 0\nISETP.LT.U32 P0, R0, 32, PT\n@!P0 BRA set\n"
		"L:\nLDG R8, [R6]\nISETP.EQ.U32 P1, R8, 0, PT\n@P1 BRA L\nEXIT\nset:\nMOV R8, 1\nSTG [R6], R8\nEXIT\n";
	char told[2000] = "";
	(void)unused;
	struct run r = run_text(spin, one, (struct hd_dim3){ 64, 1, 1 }, NULL, NULL);
	assert_int_equal(r.status, HD_OK);
	done(&r);
	r = run_text(".kernel k\n.regs 8\nL: BRA L\n", one, warp, NULL, NULL);
	assert_int_equal(r.status, HD_LIMIT);
	assert_int_equal(model_counters(r.m)->warp_insns, 10000000);
	done(&r);
	r = run_text(HEAD "ISETP.EQ.U32 P0, R0, 0, PT\n@P0 BRA w\nBAR.SYNC 2, 0\nEXIT\nw:\nWARPSYNC -1\nEXIT\n",
	             one, warp, NULL, NULL);
	assert_int_equal(r.status, HD_DEADLOCK);
	FILE *f = fmemopen(told, sizeof told, "w");
	model_explain(r.m, f);
	fclose(f);
	assert_non_null(strstr(told, "lanes 00000001, next pc 0xa0: at WARPSYNC for lanes ffffffff"));
	assert_non_null(strstr(told, "lanes fffffffe, next pc 0x80: at block barrier 2"));
	done(&r);
}

/* The RTL chooses; the model says when the choice is not legal. */
static void test_choice_is_checked(void **unused)
{
	struct hd_insn code[2] = { hd_insn_make(OP_NOP), hd_insn_make(OP_EXIT) };
	struct model *m = start(code, 2, 64);
	struct hd_commit c;
	uint64_t clock = 77;
	(void)unused;
	assert_non_null(model_place(m, 0, 1));          /* not empty */
	assert_non_null(model_place(m, 1, 1));          /* no such slot */
	assert_int_equal(model_step(m, 5, &c, NULL), STEP_EMPTY);
	assert_int_equal(model_step(m, 99, &c, NULL), STEP_EMPTY);
	assert_int_equal(model_step(m, 1, &c, &clock), STEP_OK);
	assert_int_equal(c.warp, 1);
	assert_int_equal(model_step(m, 1, &c, NULL), STEP_OK);
	assert_int_equal(c.live, 0);
	assert_int_equal(model_step(m, 1, &c, NULL), STEP_EMPTY);
	assert_false(model_ended(m));
	model_free(m);
}

static void test_launch_refuses(void **unused)
{
	struct hd_err err = { 0 };
	struct hd_image *img = NULL;
	struct hd_launch l = { .grid = one, .block = { 1024, 1, 1 } };
	static const struct launch_limits small = { 4, 64, 1024, 0 };
	struct launch k;
	char why[256];
	struct model *m = model_new(&core);
	(void)unused;
	assert_int_equal(hd_asm("t", ".kernel k\n.regs 80\n.shared 600\nEXIT\n", &img, &err), 0);
	assert_int_equal(launch_prepare(&k, m->mem, img, &l, &core, why, sizeof why), HD_OK);
	assert_int_equal(k.block_slots, 1);
	assert_int_equal(k.shared_size, 640);
	assert_int_equal(launch_prepare(&k, m->mem, img, &l, &small, why, sizeof why), HD_TOO_BIG);
	assert_non_null(strstr(why, "128 threads"));
	l.block.x = 32;
	assert_int_equal(launch_prepare(&k, m->mem, img, &l, &small, why, sizeof why), HD_TOO_BIG);
	assert_non_null(strstr(why, "80 registers"));
	l.shared_bytes = 20000;
	assert_int_equal(launch_prepare(&k, m->mem, img, &l, &core, why, sizeof why), HD_TOO_BIG);
	assert_non_null(strstr(why, "20608 bytes of shared"));
	l.shared_bytes = 0;
	l.grid.y = 0;
	assert_int_equal(launch_prepare(&k, m->mem, img, &l, &core, why, sizeof why), HD_BAD_ARGUMENT);
	l.grid = (struct hd_dim3){ 65536, 65536, 65536 };
	assert_int_equal(launch_prepare(&k, m->mem, img, &l, &core, why, sizeof why), HD_BAD_ARGUMENT);
	l.grid = one;
	l.kernel = "none";
	assert_int_equal(launch_prepare(&k, m->mem, img, &l, &core, why, sizeof why), HD_NO_KERNEL);
	for (u32 i = 0; i < LAUNCH_RANGES; i++)
		assert_true(launch_add_range(&k, 0x20000000 - 512 * i, 256, true));
	assert_int_equal(k.range[0].base, 0x20000000 - 512 * 15);
	assert_false(launch_add_range(&k, 0x30000000, 256, true));
	hd_image_free(img);
	model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lane_effects), cmocka_unit_test(test_spaces),
		cmocka_unit_test(test_store_order_and_atomics), cmocka_unit_test(test_warp_operations),
		cmocka_unit_test(test_faults), cmocka_unit_test(test_fault_record),
		cmocka_unit_test(test_fast_equals_recorded), cmocka_unit_test(test_special_registers),
		cmocka_unit_test(test_progress), cmocka_unit_test(test_choice_is_checked),
		cmocka_unit_test(test_launch_refuses),
	};
	return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}

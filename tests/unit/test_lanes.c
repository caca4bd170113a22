/* Every lane effect of the table against a bit-by-bit reference, and operations between lanes; each
 * instruction recorded and on the fast path, with all lanes and with some.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "cmodel/fp/fp32.h"
#include "cmodel/fp/mufu.h"
#include "one_insn.h"

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
    bool r = m->icmp == ICMP_EQ   ? a == b
             : m->icmp == ICMP_NE ? a != b
             : m->icmp == ICMP_LT ? a < b
             : m->icmp == ICMP_LE ? a <= b
             : m->icmp == ICMP_GT ? a > b
                                  : a >= b;
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
    case OP_LOP3:
    case OP_SHL:
    case OP_SHRU:
    case OP_SHRS:
    case OP_SHFLW:
    case OP_SHFLC:
    case OP_SHFRW:
    case OP_SHFRC:
    case OP_BFEU:
    case OP_BFES:
    case OP_POPC:
    case OP_CLZ:
    case OP_BREV:
    case OP_PRMT: y->d = ref_bits(m, a, b, c); return true;
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
static bool random_insn(u64 *seed, struct hd_insn *i, enum hd_op op)
{
    const struct hd_op_info *o = &hd_ops[op];
    uint8_t *reg[4] = { &i->rd, &i->ra, &i->rb, &i->rc };
    *i = hd_insn_make(op);
    for (int k = 0; k < o->nmods; k++)
        ((uint8_t *)i)[hd_mods[o->mod[k]].offset] = (uint8_t)(rnd(seed) % hd_mods[o->mod[k]].count);
    for (int k = 0; k < 4; k++)
        if (o->width[k])
            *reg[k] = rnd(seed) % 8 ? (uint8_t)(4 + 2 * (rnd(seed) % 6) +
                                                (o->width[k] == WIDTH_1 ? rnd(seed) % 2 : 0))
                                    : HD_RZ;
    if (o->width[2] && strpbrk(o->operands, "bB") && rnd(seed) % 3 == 0)
        i->bi = 1, i->rb = 0, i->imm = rnd_value(seed);
    i->pd = strchr(o->operands, 'p') ? (uint8_t)(rnd(seed) % 4 ? rnd(seed) % 4 : HD_PT) : i->pd;
    i->ps = strchr(o->operands, 's') ? (uint8_t)(rnd(seed) % 4) : i->ps;
    i->sn = strchr(o->operands, 's') ? rnd(seed) % 2 : 0;
    i->pq = strchr(o->operands, 't') ? (uint8_t)(rnd(seed) % 4) : i->pq;
    i->lut = strchr(o->operands, 'l') ? (uint8_t)rnd(seed) : 0;
    i->na = strstr(o->mods, "na") ? rnd(seed) % 2 : 0;
    i->aa = strstr(o->mods, "aa") ? rnd(seed) % 2 : 0;
    i->nb = strstr(o->mods, "nb") ? rnd(seed) % 2 : 0;
    i->ab = strstr(o->mods, "ab") ? rnd(seed) % 2 : 0;
    i->nc = strstr(o->mods, "nc") ? rnd(seed) % 2 : 0;
    i->pg = rnd(seed) % 2 ? HD_PT : (uint8_t)(rnd(seed) % 4);
    i->pn = i->pg == HD_PT ? 0 : rnd(seed) % 2;
    return !hd_insn_fault(i, false);
}

static u32 reg(const struct state *s, unsigned r, int l)
{
    return r == HD_RZ ? 0 : s->r[r][l];
}

/* Operations between lanes: the value for lane l, and the predicate. */
static bool reference_warp(const struct hd_insn *m, const struct state *s, u32 exec, int l,
                           struct lane_out *y)
{
    u32 yes = 0, same = 0, n = 0, equal = 0;
    int b = (int)(m->bi ? m->imm : reg(s, m->rb, l)) & 31, c = (int)reg(s, m->rc, l);
    int clamp = c & 31, seg = c >> 8 & 31, from = 0;
    for (int j = 0; j < 32; j++) {
        bool on = exec >> j & 1;
        yes |= (u32)(on && ((s->p[m->ps] >> j ^ m->sn) & 1)) << j;
        same |= (u32)(on && reg(s, m->ra, j) == reg(s, m->ra, l)) << j;
        n += on;
        equal += on && reg(s, m->ra, j) == reg(s, m->ra, l);
    }
    switch (m->op) {
    case OP_VOTE:
        y->d = yes;
        y->pd = m->vote == VOTE_ALL   ? yes == exec
                : m->vote == VOTE_ANY ? yes > 0
                                      : yes == exec || yes == 0;
        return true;
    case OP_MATCHN: y->d = same; return true;
    case OP_MATCHL: y->pd = equal == n; y->d = y->pd ? exec : 0; return true;
    case OP_SHFL: break;
    default: return false;
    }
    /* the pseudo-code of PTX */
    int max_lane = (l & seg) | (clamp & ~seg), min_lane = l & seg;
    switch (m->shfl) {
    case SHFL_UP: from = l - b; y->pd = from >= max_lane; break;
    case SHFL_DOWN: from = l + b; y->pd = from <= max_lane; break;
    case SHFL_BFLY: from = l ^ b; y->pd = from <= max_lane; break;
    default: from = min_lane | (b & ~seg); y->pd = from <= max_lane; break;
    }
    y->d = !y->pd ? reg(s, m->ra, l) : exec >> from & 1 ? reg(s, m->ra, from) : 0;
    return true;
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
            .a = reg(old, i->ra, l),
            .ah = reg(old, i->ra == HD_RZ ? HD_RZ : i->ra + 1u, l),
            .b = i->bi ? i->imm : reg(old, i->rb, l),
            .bh = i->bi ? 0u - (i->imm >> 31) : reg(old, h, l),
            .c = reg(old, i->rc, l),
            .ch = reg(old, i->rc == HD_RZ ? HD_RZ : i->rc + 1u, l),
            .ps = (old->p[i->ps] >> l ^ i->sn) & 1,
            .pt = old->p[i->pq] >> l & 1,
        };
        struct lane_out y = { 0, 0, 0 };
        assert_true(reference(i, x, &y) || reference_warp(i, old, exec, l, &y));
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

static void check_record(const struct hd_commit *c, const struct state *want,
                         const struct hd_insn *i, u32 exec)
{
    unsigned n = i->rd == HD_RZ ? 0 : (unsigned)hd_insn_width(i, 0);
    assert_int_equal(c->exec, exec);
    assert_int_equal(c->nd, n);
    for (unsigned k = 0; k < 4; k++)
        for (int l = 0; l < 32; l++)
            assert_int_equal(c->val[k][l], k < n && exec >> l & 1 ? want->r[i->rd + k][l] : 0);
    assert_int_equal(c->pval, c->npd ? want->p[i->pd] & exec : 0);
}

/* Few values and small segments, so that lanes match and shuffles stay in range now and then. */
static void shuffle_state(u64 *seed, struct state *s)
{
    u32 mask = rnd(seed) % 2 ? 0x1f1f : 3;
    for (int r = 0; r < LAST; r++)
        for (int l = 0; l < 32; l++)
            s->r[r][l] = rnd(seed) % 16 ? rnd(seed) & mask : s->r[r][0];
    for (int r = 0; r < LAST; r++)
        for (int l = 0; rnd(seed) % 2 && l < 32; l++)
            s->r[r][l] = s->r[r][0];
}

static void try_row(struct model *m, u64 *seed, enum hd_op op, bool talks)
{
    struct hd_insn i;
    for (int k = 0; k < 400; ) {
        struct state old, want;
        struct hd_commit c;
        if (!random_insn(seed, &i, op))
            continue;
        k++;
        random_state(seed, &old);
        if (talks)
            shuffle_state(seed, &old);
        u32 exec = expect(&i, &old, &want);
        one_insn_load(m, &i);
        set_state(m, 0, &old);
        assert_int_equal(model_step(m, 0, &c, NULL), STEP_OK);
        check_state(m, 0, &want, &i, "recorded");
        check_record(&c, &want, &i, exec);
        set_state(m, 0, &old);
        assert_int_equal(fast_warp(fast_of(m), &m->warp[0], 1), 1);
        check_state(m, 0, &want, &i, "fast");
    }
}

static void test_rows(void **unused)
{
    const struct launch k = { .code_base = LAUNCH_CODE,
                              .code_size = 32,
                              .grid = { 1, 1, 1 },
                              .block = { 32, 1, 1 },
                              .threads = 32,
                              .warps_block = 1,
                              .block_slots = 1 };
    const struct state none = { 0 };
    struct model *m = one_insn_start(&k);
    unsigned rows = 0, talking = 0;
    u64 seed = 1;
    (void)unused;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        struct hd_insn i = hd_insn_make((enum hd_op)op);
        struct lane_out y;
        bool alone = reference(&i, (struct lane_in){ 0 }, &y);
        bool talks = !alone && reference_warp(&i, &none, 1, 0, &y);
        if (alone || talks)
            try_row(m, &seed, (enum hd_op)op, talks);
        rows += alone;
        talking += talks;
    }
    assert_int_equal(rows, 56);
    assert_int_equal(talking, 4);
    model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };
    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}

/* What a kernel of the table FEATURES means, thread by thread on the host.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/pair_kernel.h"
#include <fenv.h>
#include <math.h>
#include <string.h>

typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;

struct mean {
    const struct features *p;
    u32 in[FUZZ_IN / 4];
    struct fuzz_expect *e;
};
struct thread {
    u32 v, u, t, g, lane, warp, r[R_WORDS];
    struct hd_dim3 tid, cta;
    uint8_t *out, own[32], local[OWN_BYTES];
};
#define OF(dim) (m->p->of[DIM_##dim])

static void put(struct thread *t, int k, u32 x)
{
    t->r[k] = 5 * t->r[k] + x;
}

static u32 fold(const u32 *y)
{
    return y[0] + 3 * y[1] + 7 * y[2] + 11 * y[3];
}

static bool guarded_off(const struct mean *m, const struct thread *t)
{
    const bool p = (s32)t->v < 0;
    return OF(GUARD_AT) == GUARD_AT_P ? !p : OF(GUARD_AT) == GUARD_AT_NOT && p;
}

static const unsigned bytes[] = { 4, 1, 1, 2, 2, 8, 8, 16, 16 };

/* A load of the plan's width. */
static u32 load(const struct mean *m, const struct thread *t, const uint8_t *from)
{
    u32 y[4] = { 85, 86, 87, 88 };
    const unsigned width = OF(WIDTH);
    if (width == WIDTH_U64 || width == WIDTH_V2_64)
        y[1] = 0, y[2] = 3, y[3] = 0;
    if (!guarded_off(m, t)) {
        if (bytes[width] < 4)
            y[0] = 0;
        memcpy(y, from, bytes[width]);
        if (width == WIDTH_S8 && y[0] & 0x80)
            y[0] |= 0xffffff00;
        if (width == WIDTH_S16 && y[0] & 0x8000)
            y[0] |= 0xffff0000;
    }
    return fold(y);
}

static void store(const struct mean *m, const struct thread *t, uint8_t *to)
{
    const u32 v[4] = { t->v, t->v ^ t->u, t->v + t->u, ~t->u };
    if (!guarded_off(m, t))
        memcpy(to, v, bytes[OF(WIDTH)]);
}

static u32 special(const struct mean *m, const struct thread *t)
{
    const struct fuzz_case *c = m->p->c;
    const u32 bit = 1u << t->lane;
    switch (OF(SREG)) {
    case SREG_P_TID_X: return t->tid.x;
    case SREG_P_TID_Y: return t->tid.y;
    case SREG_P_TID_Z: return t->tid.z;
    case SREG_P_NTID_X: return c->block.x;
    case SREG_P_NTID_Y: return c->block.y;
    case SREG_P_NTID_Z: return c->block.z;
    case SREG_P_CTAID_X: return t->cta.x;
    case SREG_P_CTAID_Y: return t->cta.y;
    case SREG_P_CTAID_Z: return t->cta.z;
    case SREG_P_NCTAID_X: return c->grid.x;
    case SREG_P_NCTAID_Y: return c->grid.y;
    case SREG_P_NCTAID_Z: return c->grid.z;
    case SREG_P_LANEID: return t->lane;
    case SREG_P_WARPID: return t->warp;
    case SREG_P_NWARPID: return (features_threads(m->p) + HD_LANES - 1) / HD_LANES;
    case SREG_P_NSMID: return 1;
    case SREG_P_EQ: return bit;
    case SREG_P_LT: return bit - 1;
    case SREG_P_LE: return bit | (bit - 1);
    case SREG_P_GT: return ~(bit | (bit - 1));
    case SREG_P_GE: return ~(bit - 1);
    default: return 0;                               /* SMID, GRIDID */
    }
}

static u32 index_of(const struct mean *m, const struct thread *t)
{
    switch (OF(INDEX)) {
    case INDEX_TID_X: return t->tid.x;
    case INDEX_TID_Y: return t->tid.y;
    case INDEX_TID_Z: return t->tid.z;
    case INDEX_CTAID_X: return t->cta.x;
    case INDEX_CTAID_Y: return t->cta.y;
    case INDEX_CTAID_Z: return t->cta.z;
    case INDEX_LANEID: return t->lane;
    case INDEX_WARPID: return t->warp;
    case INDEX_LINEAR: return t->g & 255;
    default: return t->v & 255;
    }
}

static u32 memory(const struct mean *m, struct thread *t)
{
    u32 words[4];
    uint8_t *to = t->local;
    switch (OF(SPACE)) {
    case SPACE_OUT: case SPACE_ANY_OUT: to = t->out; break;
    case SPACE_OWN: case SPACE_ANY_OWN: to = t->own; break;
    case SPACE_BANK:
        for (u32 k = 0; k < 4; k++)
            words[k] = bank_word(m->p, (t->v & 31) * 4 + k);
        return load(m, t, (const uint8_t *)words);
    case SPACE_PARAM:
        for (u32 k = 0; k < 4; k++)
            words[k] = pair_word(m->p->c, 2 + k);
        return load(m, t, (const uint8_t *)words);
    default: break;
    }
    store(m, t, to);
    return load(m, t, to);
}

/* What an atomic leaves, of words. */
static u32 changed(unsigned op, u32 old, u32 v)
{
    switch (op) {
    case ATOM_ADD: return old + v;
    case ATOM_MINU: return old < v ? old : v;
    case ATOM_MAXU: return old > v ? old : v;
    case ATOM_MINS: return (s32)old < (s32)v ? old : v;
    case ATOM_MAXS: return (s32)old > (s32)v ? old : v;
    case ATOM_AND: return old & v;
    case ATOM_OR: return old | v;
    case ATOM_XOR: return old ^ v;
    case ATOM_EXCH: return v;
    case ATOM_CAS: return old ? old : v;
    case ATOM_INC: return old >= v ? 0 : old + 1;
    default: return !old || old > v ? v : old - 1;
    }
}

static void atomic(const struct mean *m, struct thread *t)
{
    const unsigned op = OF(ATOM), at = OF(ATOM_AT);
    const bool off = guarded_off(m, t), sums = at == ATOM_AT_SUM;
    uint8_t *to = sums                                              ? m->e->sum + 16 * (op % 16)
                  : at == ATOM_AT_OUT || at == ATOM_AT_ANY_OUT ? t->out + ATOM_AT_BYTE
                                                               : t->own + 16;
    u32 y[4] = { 9, 8, 0, 0 };
    u64 wide, with = (u64)t->u << 32 | t->v;
    memcpy(&wide, to, 8);
    if (op >= ATOM_ADD64) {
        if (!off) {
            memcpy(y, to, 8);
            wide = op == ATOM_ADD64 ? wide + with : op == ATOM_EXCH64 ? with : wide ? wide : with;
            memcpy(to, &wide, 8);
        }
        memcpy(y + 2, to, 8);
    } else {
        if (!off) {
            memcpy(y, to, 4);
            const u32 new = changed(op, *y, t->v);
            memcpy(to, &new, 4);
        }
        memcpy(y + 2, to, 4);
    }
    if (!sums)
        put(t, R_ATOM, fold(y));
}

static float f32(u32 v) { float f; memcpy(&f, &v, 4); return f; }
static double f64(u64 v) { double f; memcpy(&f, &v, 8); return f; }

static double number(const struct mean *m, const struct thread *t, bool single)
{
    const double reg = (double)(s32)((t->u & 4095) - 2000);
    const u64 word = (u64)pair_word(m->p->c, DOUBLE_WORD + 1) << 32 |
                     pair_word(m->p->c, DOUBLE_WORD);
    switch (OF(OPERAND)) {
    case OPERAND_IMM: return 2.5;
    case OPERAND_PARAM: return single ? (double)f32(pair_word(m->p->c, FLOAT_WORD)) : f64(word);
    case OPERAND_CONST: return 3.5;
    case OPERAND_NEG: return -reg;
    case OPERAND_ABS: return fabs(reg);
    default: return reg;
    }
}

static u64 integer(const struct mean *m, const struct thread *t, bool wide)
{
    u64 v;
    switch (OF(OPERAND)) {
    case OPERAND_IMM: return m->p->k[1] & 0x7fffffff;
    case OPERAND_PARAM: v = (u64)pair_word(m->p->c, 3) << 32 | pair_word(m->p->c, 2); break;
    case OPERAND_CONST: v = (u64)7 << 32 | 123456789; break;
    default: v = (u64)t->v << 32 | t->u; break;
    }
    return wide ? v : (u32)v;
}

static u32 arithmetic(const struct mean *m, const struct thread *t)
{
    const u64 both = (u64)t->u << 32 | t->v;
    u64 w = 77;
    float single = 32;
    double twice = 2;
    u32 x = 77, b;
    const bool off = guarded_off(m, t);
    switch (OF(TYPE)) {
    case TYPE_U32: return off ? x : t->v * (u32)integer(m, t, false) + t->u;
    case TYPE_S32:
        b = (u32)integer(m, t, false);
        return off ? x : (u32)(((s32)t->v > (s32)b ? (s32)t->v : (s32)b) >> 3);
    case TYPE_U64: w = off ? w : (both - integer(m, t, true)) >> 7; break;
    case TYPE_S64: w = off ? w : (u64)((s64)(both - integer(m, t, true)) >> 7); break;
    case TYPE_F32:
        if (!off)
            single = fmaf((float)(t->v & 65535), (float)number(m, t, true), (float)(t->v & 65535));
        memcpy(&x, &single, 4);
        return x;
    default:
        if (!off)
            twice = fma((s32)t->v, number(m, t, false), (s32)t->v);
        memcpy(&w, &twice, 8);
    }
    return (u32)w + 3 * (u32)(w >> 32);
}

/* The case that v chooses. */
static u32 table(const struct mean *m, const struct thread *t)
{
    const u32 k = t->v & 15;
    u32 way = k;
    switch (OF(TABLE)) {
    case TABLE_BRX: way = t->v & 3; break;
    case TABLE_CHAIN: way = k < 6 ? k : 15; break;
    case TABLE_TREE: way = (k >= 5 && k < 8) || k >= 14 ? 15 : k; break;
    default: way = 4 * (k & 3) + (k >> 2);
    }
    return t->v + way_value(m->p, way);
}

static u32 called(const struct mean *m, const struct thread *t)
{
    if (OF(CALL) == CALL_APART && !(t->v & 2))
        return 5;
    return OF(CALL) == CALL_TWO ? (t->u * 3 + t->v) + t->v : t->v * 3 + t->u;
}

static u32 constants(const struct mean *m, const struct thread *t)
{
    u32 at[4], x = 0;
    const unsigned n = bank_reads(m->p, at);
    const u32 y[4] = { bank_word(m->p, at[0]), bank_word(m->p, at[1]), bank_word(m->p, at[2]), 0 };
    if (OF(BANK) == BANK_INDEX)
        return bank_word(m->p, t->u & (BANK_WORDS - 1));
    if (OF(BANK) == BANK_BORDER)
        return fold(y);
    for (unsigned k = 0; k < n; k++)
        x = 3 * x + bank_word(m->p, at[k]);
    return x;
}

static void body(const struct mean *m, struct thread *t)
{
    if (OF(SREG))
        put(t, R_SREG, special(m, t));
    if (OF(INDEX))
        put(t, R_INDEX, load(m, t, (const uint8_t *)m->in + index_of(m, t) * bytes[OF(WIDTH)]));
    if (OF(SPACE))
        put(t, R_MEMORY, memory(m, t));
    if (OF(ATOM))
        atomic(m, t);
    if (OF(TYPE))
        put(t, R_TYPE, arithmetic(m, t));
    if (OF(TABLE))
        put(t, R_TABLE, table(m, t));
    if (OF(CALL))
        put(t, R_CALL, called(m, t));
    if (OF(BANK))
        put(t, R_BANK, constants(m, t));
}

static void flow(const struct mean *m, struct thread *t)
{
    const unsigned how = OF(FLOW);
    const bool outer = how == FLOW_LOOP || how == FLOW_BREAK || how >= FLOW_TWO;
    const bool branches = how == FLOW_IF || how == FLOW_ELSE || how >= FLOW_TWO;
    for (u32 i = outer ? t->v & 3 : 0; ; i--) {
        if (branches && !((t->u + i) & 1)) {
            if (how == FLOW_ELSE)
                put(t, R_SREG, 19);
        } else {
            for (u32 n = how == FLOW_THREE ? (t->u & 1) + 1 : 1; n; n--)
                body(m, t);
        }
        if (!outer || !i || (how == FLOW_BREAK && !(t->u & 2)))
            return;
    }
}

/* ---- all threads of a block ---- */

static void barrier(const struct mean *m, struct thread *t, u32 threads)
{
    const unsigned how = OF(BARRIER);
    u32 n = 0, all = 1;
    for (u32 k = 0; k < threads; k++) {
        n += (t[k].u & 3) == 3;
        all &= (t[k].u & 3) <= 3;
    }
    for (u32 k = 0; k < threads; k++) {
        if (how == BARRIER_POPC || how == BARRIER_TWO)
            put(&t[k], R_BLOCK, n);
        if (how == BARRIER_OR || how == BARRIER_TWO)
            put(&t[k], R_BLOCK, n ? 21 : 22);
        if (how == BARRIER_AND)
            put(&t[k], R_BLOCK, all ? 21 : 22);
    }
}

static void shared(const struct mean *m, struct thread *t, u32 threads)
{
    for (unsigned which = SHARED_KERNEL; which <= SHARED_DYNAMIC; which++) {
        const bool has = OF(SHARED) == which || (OF(SHARED) == SHARED_BOTH && which < SHARED_BOTH);
        for (u32 k = 0; has && which != SHARED_BOTH && k < threads; k++)
            put(&t[k], R_BLOCK, t[(k + NEAR) % threads].v + which);
    }
}

static u32 shuffled(const struct mean *m, const struct thread *t, u32 l, u32 lanes)
{
    const s32 by = (s32)(m->p->k[5] % 31 + 1), at = (s32)l;
    const s32 from = OF(WARP) == WARP_UP ? at - by : OF(WARP) == WARP_DOWN ? at + by
                   : OF(WARP) == WARP_BFLY ? at ^ by : by;
    return from < 0 || from >= HD_LANES ? t[l].v : from < (s32)lanes ? t[from].v : 0;
}

/* The threads of one warp. */
static void warp(const struct mean *m, struct thread *t, u32 lanes)
{
    u32 ballot = 0, parity = m->p->k[6] & 1, x, first = t->g & (parity ? 0 : 64);
    bool same = true;
    for (u32 l = 0; l < lanes; l++) {
        ballot |= (u32)((t[l].u & 1) == parity) << l;
        same &= (t[l].g & (parity ? 0 : 64)) == first;
    }
    const u32 live = lanes == HD_LANES ? ~0u : (1u << lanes) - 1;
    for (u32 l = 0; l < lanes; l++) {
        switch (OF(WARP)) {
        case WARP_BALLOT: x = ballot; break;
        case WARP_ALL: x = ballot == live ? 31 : 32; break;
        case WARP_ANY: x = ballot ? 31 : 32; break;
        case WARP_UNI: x = !ballot || ballot == live ? 31 : 32; break;
        case WARP_MATCH: x = ((t[l].u & 1) == parity ? ballot : ~ballot) & live; break;
        case WARP_MATCH_ALL: x = same ? live : 0; break;
        default: x = shuffled(m, t, l, lanes);
        }
        put(&t[l], R_WARP, x);
    }
}

static void start(const struct mean *m, struct thread *t, u32 k, u32 linear)
{
    const struct fuzz_case *c = m->p->c;
    const u32 block = linear * features_threads(m->p);
    memset(t, 0, sizeof *t);
    t->t = k;
    t->g = block + k;
    t->lane = k % HD_LANES;
    t->warp = k / HD_LANES;
    t->tid = (struct hd_dim3){ k % c->block.x, k / c->block.x % c->block.y,
                               k / c->block.x / c->block.y };
    t->cta = (struct hd_dim3){ linear % c->grid.x, linear / c->grid.x % c->grid.y,
                               linear / c->grid.x / c->grid.y };
    t->v = m->in[t->g & 1023];
    t->u = m->in[(t->g * 7 + 5) & 1023];
    t->out = m->e->out + t->g * FUZZ_SLOT;
    for (u32 i = 0; i < R_WORDS; i++)
        t->r[i] = i;
}

void pair_mean(const struct features *f, struct fuzz_expect *e)
{
    static struct mean mean;
    static struct thread t[FUZZ_MAX_THREADS];
    struct mean *m = &mean;
    const struct fuzz_case *c = f->c;
    const u32 threads = features_threads(f), blocks = c->grid.x * c->grid.y * c->grid.z;
    memset(e, 0, sizeof *e);
    m->p = f;
    m->e = e;
    fuzz_data(c, m->in);
    for (u32 b = 0; b < blocks; b++) {
        for (u32 k = 0; k < threads; k++) {
            start(m, &t[k], k, b);
            flow(m, &t[k]);
        }
        barrier(m, t, threads);
        if (OF(SHARED))
            shared(m, t, threads);
        for (u32 k = 0; OF(WARP) && k < threads; k += HD_LANES)
            warp(m, &t[k], threads - k < HD_LANES ? threads - k : HD_LANES);
        for (u32 k = 0; k < threads; k++)
            memcpy(t[k].out + RESULTS, t[k].r, sizeof t[k].r);
    }
}

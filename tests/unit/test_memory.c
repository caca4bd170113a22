/* Random loads, stores and atomics against memory kept byte by byte: spaces, sizes, order of lanes,
 * faults and their priority, transactions, records.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "one_insn.h"

enum { SHARED = 256, LOCAL = 48, CONST = 80, AREA = 512, SLOTS = 2, WARPS = 4, GAP = 0x1000 };
/* Three ranges: writable, read-only after a gap, and writable directly after that. */
static const u32 area[3] = { LAUNCH_HEAP, LAUNCH_HEAP + GAP, LAUNCH_HEAP + GAP + AREA };
static u64 upper;                       /* of their addresses: bits 32 and up */
static const u32 length[3] = { AREA, AREA, AREA - 6 };         /* the last one ends within a word */

struct naive {
    uint8_t global[3][AREA], shared[SLOTS][SHARED], local[WARPS][32][LOCAL], cbank[CONST];
    u32 before[32], exec_before;            /* the last access of words: where, and its lanes */
};
struct lane { u64 full; enum hd_space space; u32 addr; enum hd_fault fault; };

static u32 size_of(const struct hd_insn *i)
{
    static const u32 bytes[] = { 1, 1, 2, 2, 4, 8, 16 };
    return strstr(hd_ops[i->op].mods, "AW") ? (i->aw ? 8 : 4) : bytes[i->sz];
}

static bool is(const struct hd_insn *i, const char *routine)
{
    return strstr(hd_ops[i->op].effect, routine) != NULL;
}

static int area_of(u32 addr)
{
    for (int k = 0; k < 3; k++)
        if (addr >= area[k] && addr < area[k] + length[k])
            return k;
    return -1;
}

/* Where the byte is kept; NULL: nowhere. */
static uint8_t *byte_of(struct naive *n, unsigned warp, int l, const struct lane *x, u32 k)
{
    u32 a = x->addr + k;
    switch (x->space) {
    case SPACE_GLOBAL: return area_of(a) < 0 ? NULL : &n->global[area_of(a)][a - area[area_of(a)]];
    case SPACE_SHARED: return a < SHARED ? &n->shared[warp / 2][a] : NULL;
    case SPACE_LOCAL: return a < LOCAL ? &n->local[warp][l][a] : NULL;
    case SPACE_CONST: return a < CONST ? &n->cbank[a] : NULL;
    default: return NULL;
    }
}

static struct lane resolve(struct naive *n, const struct hd_insn *i, const struct state *s,
                           unsigned warp, int l)
{
    static const char *const names[] = { "GLOBAL", "SHARED", "LOCAL", "CONST", "GENERIC" };
    struct lane x = { .space = SPACE_GLOBAL };
    u32 size = size_of(i);
    bool wide, writes = !is(i, "LOAD");
    for (int k = 0; k < 5; k++)
        if (is(i, names[k]))
            x.space = (enum hd_space)k;
    wide = x.space == SPACE_GLOBAL || x.space == SPACE_GENERIC;
    u32 lo = i->ra == HD_RZ ? 0 : s->r[i->ra][l],
        hi = i->ra == HD_RZ ? 0 : s->r[i->ra + (wide ? 1 : 0)][l];
    x.full = wide ? ((u64)hi << 32 | lo) + (u64)(s64)i->off : (u32)(lo + (u32)i->off);
    x.addr = (u32)x.full;
    if (x.full % size) {
        x.fault = HD_FAULT_MISALIGNED;
    } else if (x.space == SPACE_GENERIC && x.full >> 40) {
        x.fault = HD_FAULT_SPACE;
    } else {
        if (x.space == SPACE_GENERIC)
            x.space = x.full >> 32 == 1 ? SPACE_SHARED : x.full >> 32 == 2 ? SPACE_LOCAL
                                                                           : SPACE_GLOBAL;
        if (x.space == SPACE_LOCAL && is(i, "ATOM"))
            x.fault = HD_FAULT_SPACE;
        else if ((x.space == SPACE_GLOBAL && (x.full ^ upper) >> 32) ||
                 !byte_of(n, warp, l, &x, 0) || !byte_of(n, warp, l, &x, size - 1))
            x.fault = HD_FAULT_RANGE;
        if (!x.fault && writes && x.space == SPACE_GLOBAL && area_of(x.addr) == 1)
            x.fault = HD_FAULT_READONLY;
    }
    return x;
}

static u64 get(struct naive *n, unsigned warp, int l, const struct lane *x, u32 from, u32 bytes)
{
    u64 v = 0;
    for (u32 k = 0; k < bytes; k++)
        v |= (u64)*byte_of(n, warp, l, x, from + k) << 8 * k;
    return v;
}

static void put(struct naive *n, unsigned warp, int l, const struct lane *x, u32 from, u32 bytes,
                u64 v)
{
    for (u32 k = 0; k < bytes; k++)
        *byte_of(n, warp, l, x, from + k) = (uint8_t)(v >> 8 * k);
}

static u64 operand(const struct state *s, unsigned r, int l, u32 bytes)
{
    return r == HD_RZ ? 0 : s->r[r][l] | (bytes == 8 ? (u64)s->r[r + 1][l] << 32 : 0);
}

static u64 atomic(unsigned aop, u32 bytes, u64 old, u64 b, u64 c)
{
    s64 so = bytes == 8 ? (s64)old : (s32)old, sb = bytes == 8 ? (s64)b : (s32)b;
    u64 max = bytes == 8 ? ~(u64)0 : 0xffffffff;
    switch (aop) {
    case AOP_ADD: return (old + b) & max;
    case AOP_MINU: return b < old ? b : old;
    case AOP_MAXU: return b > old ? b : old;
    case AOP_MINS: return sb < so ? b : old;
    case AOP_MAXS: return sb > so ? b : old;
    case AOP_AND: return old & b;
    case AOP_OR: return old | b;
    case AOP_XOR: return old ^ b;
    case AOP_EXCH: return b;
    case AOP_INC: return old < b ? old + 1 : 0;
    case AOP_DEC: return old > b || old == 0 ? b : old - 1;
    default: return old == b ? c : old;
    }
}

static void act(struct naive *n, const struct hd_insn *i, struct state *s, unsigned warp, int l,
                const struct lane *x)
{
    u32 size = size_of(i), sink[4][32], (*rd)[32] = i->rd == HD_RZ ? sink : &s->r[i->rd];
    if (is(i, "LOAD")) {
        for (u32 k = 0; 4 * k < size; k++)
            rd[k][l] = (u32)get(n, warp, l, x, 4 * k, size < 4 ? size : 4);
        if (i->sz == SZ_S8 || i->sz == SZ_S16)
            rd[0][l] |= rd[0][l] >> (8 * size - 1) ? ~0u << 8 * size : 0;
    } else if (is(i, "STORE")) {
        for (u32 k = 0; 4 * k < size; k++)
            put(n, warp, l, x, 4 * k, size < 4 ? size : 4, i->rb == HD_RZ ? 0 : s->r[i->rb + k][l]);
    } else {
        u64 old = get(n, warp, l, x, 0, size);
        u64 b = operand(s, i->rb, l, size), c = operand(s, i->rc, l, size);
        put(n, warp, l, x, 0, size, atomic(i->aop, size, old, b, c));
        rd[0][l] = (u32)old;
        if (size == 8)
            rd[1][l] = (u32)(old >> 32);
    }
}

/* The words of the access before, all as far on, but perhaps for one. */
static void random_words_on(u64 *seed, const struct hd_insn *i, const struct naive *n,
                            struct state *s)
{
    const u32 by = rnd(seed) % 2 ? 32 * (rnd(seed) % 4 - 2) : 4 * (rnd(seed) % 16 - 8);
    const u32 odd = rnd(seed) % 64;
    for (u32 l = 0; l < 32; l++) {
        const u32 at = n->before[l] + by + (l == odd ? 32 : 0);
        s->r[i->ra][l] = at - (u32)i->off;
        s->r[i->ra + 1][l] = (u32)(((upper | at) - (u64)(s64)i->off) >> 32) + (l + 32 == odd);
    }
    if (i->pg != HD_PT)
        s->p[i->pg] = rnd(seed) % 2 ? n->exec_before : s->p[i->pg] & n->exec_before;
}

/* Addresses: mostly aligned and inside, in a row, equal or scattered; one lane in some hundreds is
 * odd. */
static void random_addresses(u64 *seed, const struct hd_insn *i, struct state *s)
{
    u32 size = size_of(i), shape = rnd(seed) % 4, odd = rnd(seed) % 3 ? 1000 : 30;
    u32 far = rnd(seed) % 8 ? 0 : 2;
    bool wide = is(i, "GLOBAL") || is(i, "GENERIC");
    u32 one_area = rnd(seed) % 4;           /* 3: each lane has its own */
    u32 start = rnd(seed) % (far ? AREA : 24) * size;
    for (u32 l = 0; i->ra != HD_RZ && l < 32; l++) {
        u32 at = shape == 0   ? start + l * size
                 : shape == 1 ? start
                              : rnd(seed) % (AREA / size) * size;
        u32 kind = is(i, "GENERIC") ? rnd(seed) % 3 : 0;
        const u64 up = kind ? (u64)kind << 32 : upper;
        u32 limit = is(i, "SHARED")  ? SHARED
                    : is(i, "LOCAL") ? LOCAL
                    : is(i, "CONST") ? CONST
                                     : AREA;
        at = kind == 1 ? at % SHARED : kind == 2 ? at % LOCAL : at;
        at = far ? at : at % limit;
        at += wide && !kind ? area[one_area < 3 ? one_area : rnd(seed) % 3] : 0;
        at += rnd(seed) % odd ? 0 : rnd(seed) % 2 ? 1 : 4096;
        s->r[i->ra][l] = at - (u32)i->off;
        if (wide)
            s->r[i->ra + 1][l] = (u32)(((up | at) - (u64)(s64)i->off) >> 32) +
                                 !(rnd(seed) % odd);
    }
}

static bool random_insn(u64 *seed, struct hd_insn *i, enum hd_op op)
{
    const struct hd_op_info *o = &hd_ops[op];
    *i = hd_insn_make(op);
    for (int k = 0; k < o->nmods; k++)
        ((uint8_t *)i)[hd_mods[o->mod[k]].offset] = (uint8_t)(rnd(seed) % hd_mods[o->mod[k]].count);
    if (rnd(seed) % 2 && strstr(o->mods, "SZ"))
        i->sz = SZ_32;                      /* words have ways of their own */
    i->ra = rnd(seed) % 40 ? 4 : HD_RZ;
    i->rd = o->width[0] ? (rnd(seed) % 8 ? (uint8_t)(8 + 4 * (rnd(seed) % 2)) : HD_RZ) : i->rd;
    i->rb = o->width[2] ? (rnd(seed) % 8 ? 12 : HD_RZ) : i->rb;
    i->rc = o->width[3] && i->aop == AOP_CAS ? 8 : i->rc;
    i->off = rnd(seed) % 2 ? 0 : (s32)(rnd(seed) % 2000) - 1000;
    i->pg = rnd(seed) % 2 ? HD_PT : 0;
    return !hd_insn_fault(i, false);
}

static uint8_t *place(struct model *m, u64 at)
{
    return model_memory(m) + at;
}

/* Local memory is interleaved: word k of lane l of a warp at 128 k + 4 l. */
static uint8_t *local_byte(struct model *m, int w, int l, u32 k)
{
    return place(m, LAUNCH_LOCAL) + w * 32 * LOCAL + k / 4 * 128 + 4 * l + k % 4;
}

static void compare_memory(struct model *m, const struct naive *n)
{
    for (int k = 0; k < 3; k++)
        assert_memory_equal(place(m, upper | area[k]), n->global[k], length[k]);
    assert_memory_equal(m->mem + MODEL_SHARED, n->shared, sizeof n->shared);
    for (int w = 0; w < WARPS; w++)
        for (int l = 0; l < 32; l++)
            for (u32 k = 0; k < LOCAL; k++)
                assert_int_equal(*local_byte(m, w, l, k), n->local[w][l][k]);
}

static u32 sectors(const struct lane *x, u32 exec, unsigned warp, u32 size)
{
    u32 n = 0, words = 1;
    u64 seen[128];
    for (int l = 0; l < 32; l++) {
        if (!(exec >> l & 1) || x[l].space == SPACE_SHARED)
            continue;
        words = x[l].space == SPACE_LOCAL && size > 4 ? size / 4 : 1;
        for (u32 k = 0; k < words; k++) {
            u64 at = x[l].space == SPACE_LOCAL ? LAUNCH_LOCAL + warp * 32 * LOCAL +
                                                     (x[l].addr / 4 + k) * 128 + 4u * (u32)l
                     : x[l].space == SPACE_CONST ? LAUNCH_CONST + x[l].addr
                                                 : x[l].addr;
            u32 j = 0;
            while (j < n && seen[j] != at >> 5)
                j++;
            seen[n] = at >> 5;
            n += j == n;
        }
    }
    return n;
}

/* The record; and the fault, if there is one. */
static void check_record(const struct hd_insn *i, const struct hd_commit *c, const struct lane *x,
                         u32 exec, enum hd_fault fault)
{
    u32 faulty = 0;
    u64 addr = 0;
    for (int l = 31; l >= 0; l--)
        if (fault && exec >> l & 1 && x[l].fault == fault) {
            faulty |= 1u << l;
            addr = x[l].full;
        }
    assert_int_equal(c->fault, fault);
    assert_int_equal(c->fault_m, faulty);
    assert_true(c->fault_addr == addr);
    assert_int_equal(c->mem, fault ? 0 : is(i, "LOAD") ? 1 : is(i, "STORE") ? 2 : 3);
    assert_int_equal(c->size, fault ? 0 : size_of(i));
    for (int l = 0; l < 32 && !fault; l++)
        assert_true(c->addr[l] == (!(exec >> l & 1) ? 0 : x[l].space == SPACE_GLOBAL ? x[l].full
                                                                                     : x[l].addr));
    if (!fault && exec)
        assert_int_equal(c->space, x[__builtin_ctz(exec)].space);
    for (int l = 0; l < 32 && !fault && is(i, "GENERIC"); l++) {
        bool on = exec >> l & 1;
        assert_int_equal(c->shared_m >> l & 1, on && x[l].space == SPACE_SHARED);
        assert_int_equal(c->local_m >> l & 1, on && x[l].space == SPACE_LOCAL);
    }
}

static void fill(u64 *seed, struct model *m, struct naive *n)
{
    for (size_t k = 0; k < sizeof *n; k++)
        ((uint8_t *)n)[k] = (uint8_t)rnd(seed);
    for (int k = 0; k < 3; k++)
        memcpy(place(m, upper | area[k]), n->global[k], length[k]);
    memcpy(m->mem + MODEL_SHARED, n->shared, sizeof n->shared);
    memcpy(place(m, LAUNCH_CONST), n->cbank, CONST);
    for (int w = 0; w < WARPS; w++)
        for (int l = 0; l < 32; l++)
            for (u32 k = 0; k < LOCAL; k++)
                *local_byte(m, w, l, k) = n->local[w][l][k];
}

/* One instruction; what the naive memory says must have happened.  True: it faulted. */
static bool try_insn(u64 *seed, struct model *m, struct naive *n, const struct hd_insn *i,
                     bool recorded)
{
    struct state s;
    struct lane x[32];
    struct hd_commit c = { 0 };
    enum hd_fault fault = HD_FAULT_NONE;
    unsigned warp = rnd(seed) % WARPS;
    random_state(seed, &s);
    random_addresses(seed, i, &s);
    if (i->ra != HD_RZ && size_of(i) == 4 && rnd(seed) % 2)
        random_words_on(seed, i, n, &s);
    u32 exec = s.p[i->pg] ^ (i->pn ? ~0u : 0), before = (u32)m->count.mem_transactions;
    one_insn_load(m, i);
    set_state(m, warp, &s);
    if (recorded)
        model_step(m, warp, &c, NULL);
    else
        fast_warp(fast_of(m), &m->warp[warp], 1);
    for (int l = 0; l < 32; l++) {
        x[l] = resolve(n, i, &s, warp, l);
        if (size_of(i) == 4 && !recorded)
            n->before[l] = x[l].addr;
        if (exec >> l & 1 && x[l].fault && (!fault || x[l].fault < fault))
            fault = x[l].fault;
    }
    if (size_of(i) == 4 && !recorded)
        n->exec_before = exec;
    assert_int_equal(m->fault, fault);
    if (recorded)
        check_record(i, &c, x, exec, fault);
    for (int l = 0; l < 32 && !fault; l++)
        if (exec >> l & 1)
            act(n, i, &s, warp, l, &x[l]);
    if (!fault && !is(i, "GENERIC"))
        assert_int_equal((u32)m->count.mem_transactions - before,
                         sectors(x, exec, warp, size_of(i)));
    check_state(m, warp, &s, i, recorded ? "recorded" : "fast");
    compare_memory(m, n);
    m->fault = HD_FAULT_NONE;
    return fault != HD_FAULT_NONE;
}

static void random_at(u64 high)
{
    struct launch k = { .code_base = LAUNCH_CODE,
                        .code_size = 32,
                        .const_base = LAUNCH_CONST,
                        .const_size = CONST,
                        .local_base = LAUNCH_LOCAL,
                        .local_size = LOCAL,
                        .grid = { SLOTS, 1, 1 },
                        .block = { 64, 1, 1 },
                        .threads = 64,
                        .warps_block = 2,
                        .block_slots = SLOTS,
                        .shared_size = SHARED };
    upper = high;
    for (int r = 0; r < 3; r++)
        assert_true(launch_add_range(&k, upper | area[r], length[r], r != 1));
    struct model *m = one_insn_start(&k);
    struct naive *n = calloc(1, sizeof *n);
    u64 seed = 1;
    unsigned rows = 0, faults = 0, runs = 0;
    assert_null(model_place(m, 1, 1));
    fill(&seed, m, n);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (hd_ops[op].unit != UNIT_LSU || op == OP_MEMBAR)
            continue;
        rows++;
        for (int t = 0; t < 2000; ) {
            struct hd_insn i;
            if (!random_insn(&seed, &i, (enum hd_op)op))
                continue;
            faults += try_insn(&seed, m, n, &i, t % 2);
            runs++;
            t++;
        }
    }
    assert_int_equal(rows, 12);
    assert_true(faults > runs / 20 && faults < runs * 9 / 10);
    free(n);
    model_free(m);
}

static void test_random(void **unused)
{
    (void)unused;
    random_at(0);
}

/* Above 4 GiB. */
static void test_high(void **unused)
{
    (void)unused;
    random_at((u64)0x85 << 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random),
                                        cmocka_unit_test(test_high) };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}

/* What a random program means: its tree, walked on the host for each thread.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/fuzz_prog.h"
#include <math.h>
#include <string.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

static float as_float(u32 v)
{
    float x;
    memcpy(&x, &v, 4);
    return x;
}

static u32 f(float x)
{
    u32 v;
    memcpy(&v, &x, 4);
    return x != x ? 0x7fffffffu : v;
}

static u32 reversed(u32 a)
{
    u32 d = 0;
    for (int i = 0; i < 32; i++)
        d |= (a >> i & 1) << (31 - i);
    return d;
}

/* One function an operation: op_0, op_1 ... by their line in the table. */
#define NAME2(line) op_##line
#define NAME(line) NAME2(line)
#define OP(text, value) \
    static u32 NAME(__LINE__)(u32 a, u32 b, u32 c) \
    { \
        float x = as_float(a), y = as_float(b), z = as_float(c); \
        (void)b, (void)c, (void)x, (void)y, (void)z; \
        return value; \
    }
#include "harness/fuzz/fuzz_ops.def"
#undef OP
const struct prog_op prog_ops[] = {
#define OP(text, value) { text, NAME(__LINE__) },
#include "harness/fuzz/fuzz_ops.def"
};
#undef OP
const int prog_nops = sizeof prog_ops / sizeof prog_ops[0];

const char *const prog_compares[PROG_COMPARES] = {
    "eq.u32", "ne.u32", "lt.u32", "le.u32", "gt.u32",
    "ge.u32", "lt.s32", "le.s32", "gt.s32", "ge.s32"
};

bool prog_holds(int compare, u32 a, u32 b)
{
    switch (compare) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    case 5: return a >= b;
    case 6: return (s32)a < (s32)b;
    case 7: return (s32)a <= (s32)b;
    case 8: return (s32)a > (s32)b;
    default: return (s32)a >= (s32)b;
    }
}

/* ---- one thread ---- */

enum flow { GOES_ON, BREAKS, CONTINUES, ENDS };
struct thread { u32 v[PROG_VARS], local[PROG_LOCAL / 4]; uint8_t *own; bool ended; };
struct eval { const struct prog *p; const uint8_t *in; struct fuzz_expect *e; };

static u32 value(const u32 *v, int which, u32 imm) { return which < PROG_VARS ? v[which] : imm; }
static bool guard(const struct node *n, const u32 *v)
{
    return prog_holds(n->compare, v[n->ga], value(v, n->gb, n->gimm));
}

static u32 get(const uint8_t *p, unsigned bytes)
{
    u32 v = 0;
    memcpy(&v, p, bytes);
    return v;
}

/* width: 0 u32, 1 u8, 2 s8, 3 u16, 4 s16 */
static const uint8_t width_bytes[] = { 4, 1, 1, 2, 2 };
static u32 load(const uint8_t *p, unsigned width)
{
    u32 v = get(p, width_bytes[width]);
    return width == 2 ? (u32)(s32)(int8_t)v : width == 4 ? (u32)(s32)(int16_t)v : v;
}

static void atomic(uint8_t *p, unsigned op, u32 b, u32 c)
{
    u32 old = get(p, 4), new;
    switch (op) {
    case 0: new = old + b; break;
    case 1: new = old & b; break;
    case 2: new = old | b; break;
    case 3: new = old ^ b; break;
    case 4: new = old < b ? old : b; break;
    case 5: new = old > b ? old : b; break;
    case 6: new = (s32)old < (s32)b ? old : b; break;
    case 7: new = (s32)old > (s32)b ? old : b; break;
    case 8: new = b; break;
    default: new = old == b ? c : old; break;
    }
    memcpy(p, &new, 4);
}

static enum flow walk(const struct eval *x, struct thread *t, u32 *v, int first);

static enum flow loop(const struct eval *x, struct thread *t, u32 *v, const struct node *n)
{
    for (s32 left = (s32)(v[n->a] & n->imm); ; ) {
        enum flow w = walk(x, t, v, n->body[0]);
        if (w == BREAKS)
            return GOES_ON;
        if (w == ENDS)
            return w;
        if (--left < 1)
            return GOES_ON;
    }
}

static enum flow call(const struct eval *x, struct thread *t, u32 *v, const struct node *n)
{
    u32 inner[PROG_VARS] = { v[n->a], value(v, n->b, n->imm) };
    for (int k = 2; k < PROG_VARS; k++)
        inner[k] = inner[k & 1] + (u32)k;
    walk(x, t, inner, x->p->function[n->op]);
    v[n->d] = inner[0];
    return GOES_ON;
}

static enum flow one(const struct eval *x, struct thread *t, u32 *v, const struct node *n)
{
    u32 a = v[n->a], b = value(v, n->b, n->imm), c = value(v, n->c, n->imm);
    unsigned width = n->imm % 5, at = n->imm / 8 % (PROG_OWN / 4) * 4;
    switch (n->kind) {
    case NODE_OP:
        if (!n->guarded || guard(n, v))
            v[n->d] = prog_ops[n->op].value(a, b, c);
        return GOES_ON;
    case NODE_LOAD: v[n->d] = load(x->in + (a & (FUZZ_IN - 4)), width); return GOES_ON;
    case NODE_OWN_STORE: memcpy(t->own + at, &a, width_bytes[width]); return GOES_ON;
    case NODE_OWN_LOAD: v[n->d] = load(t->own + at, width); return GOES_ON;
    case NODE_OWN_ATOM: {
        u32 old = get(t->own + at, 4);
        atomic(t->own + at, n->imm % 10, a, v[n->ga]);
        v[n->d] = old;
        return GOES_ON;
    }
    case NODE_LOCAL_STORE: t->local[a % (PROG_LOCAL / 4)] = v[n->ga]; return GOES_ON;
    case NODE_LOCAL_LOAD: v[n->d] = t->local[a % (PROG_LOCAL / 4)]; return GOES_ON;
    case NODE_RED: atomic(x->e->sum + 16 * (n->imm % 8), n->imm % 8, a, 0); return GOES_ON;
    case NODE_IF:
        if (n->fold == FIRST_ONLY || (n->fold == KEEP && guard(n, v)))
            return walk(x, t, v, n->body[0]);
        return walk(x, t, v, n->body[1]);
    case NODE_LOOP: return n->fold == FIRST_ONLY ? walk(x, t, v, n->body[0]) : loop(x, t, v, n);
    case NODE_SWITCH: return walk(x, t, v,
                                  n->body[n->fold == KEEP ? a & n->imm : n->fold == SECOND_ONLY]);
    case NODE_CALL: return call(x, t, v, n);
    case NODE_BREAK: return guard(n, v) ? BREAKS : GOES_ON;
    case NODE_CONTINUE: return guard(n, v) ? CONTINUES : GOES_ON;
    case NODE_EXIT: return guard(n, v) ? ENDS : GOES_ON;
    default: return GOES_ON;
    }
}

static enum flow walk(const struct eval *x, struct thread *t, u32 *v, int first)
{
    for (int i = first; i >= 0; i = x->p->node[i].next) {
        enum flow w = x->p->node[i].fold == DROPPED ? GOES_ON : one(x, t, v, &x->p->node[i]);
        if (w != GOES_ON)
            return w;
    }
    return GOES_ON;
}

/* ---- all threads ---- */

/* What lane l of a warp of so many threads reads: its own value if the lane is out of range, 0 if
 * no thread is there. */
static u32 other_lane(const struct thread *warp, const struct node *n, u32 l, u32 lanes)
{
    u32 by = n->imm >> 2 & 31;
    const s32 source[] = { (s32)(l - by), (s32)(l + by), (s32)(l ^ by), (s32)by };
    s32 from = source[n->imm & 3];
    if (from < 0 || from >= HD_LANES)
        return warp[l].v[n->a];
    return from < (s32)lanes ? warp[from].v[n->a] : 0;
}

static void together(struct thread *t, u32 threads, const struct node *n)
{
    u32 got[FUZZ_MAX_THREADS];
    for (u32 k = 0; k < threads; k++) {
        u32 warp = k / HD_LANES * HD_LANES;
        u32 lanes = threads - warp < HD_LANES ? threads - warp : HD_LANES;
        got[k] = 0;
        if (n->kind == NODE_SHARED)
            got[k] = t[(k + n->imm % threads) % threads].v[n->a];
        else if (n->kind == NODE_SHFL)
            got[k] = other_lane(&t[warp], n, k - warp, lanes);
        else
            for (u32 l = 0; l < lanes; l++)
                got[k] |= (u32)guard(n, t[warp + l].v) << l;
    }
    for (u32 k = 0; k < threads; k++)
        t[k].v[n->d] = got[k];
}

static void block(const struct eval *x, struct thread *t, u32 threads)
{
    for (int i = x->p->main; i >= 0; i = x->p->node[i].next) {
        const struct node *n = &x->p->node[i];
        if (n->fold == DROPPED)
            continue;
        if (n->kind >= NODE_SHARED)
            together(t, threads, n);
        for (u32 k = 0; n->kind < NODE_SHARED && k < threads; k++)
            if (!t[k].ended)
                t[k].ended = one(x, &t[k], t[k].v, n) == ENDS;
    }
}

void prog_eval(const struct prog *p, const struct fuzz_case *c, const uint32_t *in,
               struct fuzz_expect *e)
{
    static const struct thread none;
    struct eval x = { p, (const uint8_t *)in, e };
    struct thread t[FUZZ_MAX_THREADS];
    u32 threads = c->block.x * c->block.y * c->block.z, blocks = c->grid.x * c->grid.y * c->grid.z;
    memset(e, 0, sizeof *e);
    for (u32 b = 0; b < blocks; b++) {
        for (u32 k = 0; k < threads; k++) {
            u32 g = b * threads + k;
            t[k] = none;
            t[k].own = e->out + g * FUZZ_SLOT + FUZZ_SLOT / 2;
            for (u32 i = 0; i < PROG_VARS; i++)
                t[k].v[i] = in[(g * PROG_VARS + i) % (FUZZ_IN / 4)];
        }
        block(&x, t, threads);
        for (u32 k = 0; k < threads; k++)
            if (!t[k].ended)
                memcpy(t[k].own - FUZZ_SLOT / 2, t[k].v, sizeof t[k].v);
    }
}

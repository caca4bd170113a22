/* Memory of scalar execution, and the log that tells races.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two accesses of different threads to a byte are ordered only by block barriers that they
 * passed in between (scalar_order.c).  Unordered, with a plain write: a race.  Unordered
 * atomics are harmless where they are of one kind, commute and the old value is not used;
 * everything else depends on the order. */
#include "cmodel/places.h"
#include "cmodel/scalar/scalar_core.h"
#include <string.h>

enum access_kind { READ, WRITE, ATOMIC };
struct request {
    enum hd_space space;
    u64 addr;
    u32 size;
    enum access_kind kind;
    uint8_t aop;
    bool returns;
};

static enum hd_space row_space(unsigned op)
{
    switch (op) {
    case OP_LDG: case OP_STG: case OP_ATOMG: return SPACE_GLOBAL;
    case OP_LDS: case OP_STS: case OP_ATOMS: return SPACE_SHARED;
    case OP_LDL: case OP_STL: return SPACE_LOCAL;
    case OP_LDC: return SPACE_CONST;
    default: return SPACE_GENERIC;
    }
}

/* ---- the log ---- */

/* Whether an access of `who` in `phase` is not ordered before the one of t now; of many: threads of
 * these warps, the last of them in that phase. */
static bool unordered(const struct scalar *s, const struct thread *t, u32 who, u32 warps, u32 phase)
{
    if (!who || who == t->id)
        return false;
    if (who == (u32)SHADOW_EVERYBODY)
        return true;
    if (who & (u32)SHADOW_MANY)
        return (who & ~(u32)SHADOW_MANY) != s->block ||
               !scalar_comes_after_warps(s, t, warps, phase);
    const u32 threads = s->launch.threads;
    return (who - 1) / threads != s->block ||
           !scalar_comes_after(s, t, (who - 1) % threads, phase);
}

/* Adds t to them: to those that are not ordered before it. */
static void join(const struct scalar *s, const struct thread *t, u32 *who, u32 *warps, u32 phase)
{
    const u32 own = 1u << t->index / HD_LANES;
    if (!unordered(s, t, *who, *warps, phase)) {
        *who = t->id, *warps = own;
        return;
    }
    bool mine = *who == ((u32)SHADOW_MANY | s->block) ||
                (!(*who & (u32)SHADOW_MANY) && (*who - 1) / s->launch.threads == s->block);
    *who = mine ? (u32)SHADOW_MANY | s->block : (u32)SHADOW_EVERYBODY;
    *warps |= own;
}

static bool commutes(unsigned aop)
{
    return aop <= AOP_XOR;
}

/* Ends the run: t meets what `who` has done at `pc`. */
static bool clash(struct scalar *s, const struct thread *t, const struct request *q, u64 addr,
                  bool race, const char *did,
                  u32 who, u32 last, u32 pc)
{
    static const char *const does[] = {
        [READ] = "reads", [WRITE] = "writes", [ATOMIC] = "updates"
    };
    const char *where = q->space == SPACE_SHARED ? " of shared memory" : "";
    u32 n = s->launch.threads;
    bool said = s->suspect && !race;
    if (who & (u32)SHADOW_MANY)
        scalar_stop(s, race ? SCALAR_RACE : SCALAR_ORDER, t,
                    "%s byte 0x%llx%s, which several threads %s, block %u thread %u at PC 0x%x",
                    does[q->kind], (unsigned long long)addr, where, did, (last - 1) / n,
                    (last - 1) % n, pc);
    else
        scalar_stop(s, race ? SCALAR_RACE : SCALAR_ORDER, t,
                    "%s byte 0x%llx%s, which block %u thread %u %s at PC 0x%x", does[q->kind],
                    (unsigned long long)addr, where, (who - 1) / n, (who - 1) % n, did, pc);
    if (!said)
        s->place[s->places++] = pc;
    return false;
}

static bool note_read(struct scalar *s, struct thread *t, struct shadow *h,
                      const struct request *q, u64 addr)
{
    if (unordered(s, t, h->writer, h->wwarps, h->wphase))
        return clash(s, t, q, addr, !h->aop, "wrote", h->writer, h->wlast, h->wpc);
    if (h->rlast != t->id)
        h->rprev = h->rlast, h->rprevpc = h->rpc;
    h->rlast = t->id;
    join(s, t, &h->reader, &h->rwarps, h->rphase);
    h->rphase = s->phase;
    h->rpc = t->pc;
    return true;
}

static bool note_write(struct scalar *s, struct thread *t, struct shadow *h,
                       const struct request *q, u64 addr)
{
    bool atomic = q->kind == ATOMIC, both = unordered(s, t, h->writer, h->wwarps, h->wphase);
    bool same = atomic && h->aop == q->aop + 1 && commutes(q->aop) && !h->returned && !q->returns;
    bool own = h->rlast == t->id && h->rprev;       /* one of several readers is t itself */
    if (unordered(s, t, h->reader, h->rwarps, h->rphase))
        return clash(s, t, q, addr, !atomic, "read", h->reader, own ? h->rprev : h->rlast,
                     own ? h->rprevpc : h->rpc);
    if (both && !same)
        return clash(s, t, q, addr, !(atomic && h->aop), "wrote", h->writer, h->wlast,
                     h->wpc);
    h->wlast = t->id;
    h->returned = q->returns || (both && h->returned);
    join(s, t, &h->writer, &h->wwarps, h->wphase);
    h->wphase = s->phase;
    h->wpc = t->pc;
    h->aop = atomic ? (uint8_t)(q->aop + 1) : 0;
    return true;
}

/* ---- places ---- */

static struct scalar_area *find(struct scalar *s, enum hd_space space, u64 addr, u32 size)
{
    if (space == SPACE_SHARED || space == SPACE_CONST) {
        struct scalar_area *a = space == SPACE_SHARED ? &s->shared : &s->constant;
        return addr + size <= a->bytes ? a : NULL;
    }
    for (u32 i = 0; i < s->launch.nranges; i++)
        if (addr >= s->range[i].base && addr + size <= s->range[i].base + s->range[i].bytes)
            return &s->range[i];
    return NULL;
}

/* The bytes of a request, after faults and the log; NULL: the run ends.  *fresh: shared memory
 * that the program has not written, so what it holds is not the program's. */
static uint8_t *place(struct scalar *s, struct thread *t, struct request *q, bool *fresh)
{
    *fresh = false;
    if (q->space == SPACE_GENERIC) {
        const u64 up = q->addr >> 32;
        if (q->addr >> HD_ADDR_BITS)
            return scalar_stop(s, SCALAR_FAULT, t, "generic address of no space"), NULL;
        q->space = up == 1 ? SPACE_SHARED : up == 2 ? SPACE_LOCAL : SPACE_GLOBAL;
        if (q->space != SPACE_GLOBAL)
            q->addr = (u32)q->addr;
    }
    if (q->addr & (q->size - 1))
        return scalar_stop(s, SCALAR_FAULT, t, "misaligned address 0x%llx",
                           (unsigned long long)q->addr),
               NULL;
    if (q->space == SPACE_LOCAL) {
        if (q->kind == ATOMIC || q->addr + q->size > s->launch.local_size)
            return scalar_stop(s, SCALAR_FAULT, t, "local address 0x%llx",
                               (unsigned long long)q->addr),
                   NULL;
        return t->local + q->addr;
    }
    struct scalar_area *a = find(s, q->space, q->addr, q->size);
    if (!a || (q->kind != READ && !a->writable))
        return scalar_stop(s, SCALAR_FAULT, t, "address 0x%llx", (unsigned long long)q->addr), NULL;
    u64 off = q->addr - (q->space == SPACE_GLOBAL ? a->base : 0);
    for (u32 k = 0; k < q->size && q->space != SPACE_CONST; k++) {
        struct shadow *h = &a->shadow[off + k];
        *fresh |= q->space == SPACE_SHARED && !h->writer;
        bool fine = q->kind == READ ? note_read(s, t, h, q, q->addr + k)
                                    : note_write(s, t, h, q, q->addr + k);
        if (!fine)
            return NULL;
    }
    return a->data + off;
}

/* ---- instructions ---- */

static u64 get(const uint8_t *p, u32 bytes)
{
    u64 v = 0;
    memcpy(&v, p, bytes);
    return v;
}

static void load(struct thread *t, const struct hd_insn *i, const uint8_t *p, u32 size, bool taint)
{
    u32 v = (u32)get(p, size < 4 ? size : 4);
    if (i->sz == SZ_S8)
        v = (u32)(s32)(int8_t)v;
    if (i->sz == SZ_S16)
        v = (u32)(s32)(int16_t)v;
    scalar_set(t, i->rd, v, taint);
    for (u32 k = 1; k < size / 4 && i->rd != HD_RZ; k++)
        scalar_set(t, i->rd + k, (u32)get(p + 4 * k, 4), taint);
}

static u64 wide(const struct thread *t, unsigned reg, bool two)
{
    return reg == HD_RZ ? 0 : two ? (u64)t->r[reg + 1] << 32 | t->r[reg] : t->r[reg];
}

/* PTX's atom, written as its manual lists the operations. */
static u64 updated(unsigned aop, bool two, u64 old, u64 b, u64 c)
{
    bool less = two ? (s64)old < (s64)b : (s32)old < (s32)b;
    switch (aop) {
    case AOP_ADD: return old + b;
    case AOP_MINU: return old < b ? old : b;
    case AOP_MAXU: return old > b ? old : b;
    case AOP_MINS: return less ? old : b;
    case AOP_MAXS: return less ? b : old;
    case AOP_AND: return old & b;
    case AOP_OR: return old | b;
    case AOP_XOR: return old ^ b;
    case AOP_EXCH: return b;
    case AOP_INC: return old >= b ? 0 : old + 1;
    case AOP_DEC: return !old || old > b ? b : old - 1;
    default: return old == b ? c : old;
    }
}

static void atomic(struct thread *t, const struct hd_insn *i, uint8_t *p, bool taint)
{
    u32 bytes = i->aw ? 8 : 4;
    u64 old = get(p, bytes), new = updated(i->aop, i->aw, old, wide(t, i->rb, i->aw),
                                           wide(t, i->rc, i->aw));
    memcpy(p, &new, bytes);
    scalar_set(t, i->rd, (u32)old, taint);
    if (i->aw && i->rd != HD_RZ)
        scalar_set(t, i->rd + 1u, (u32)(old >> 32), taint);
}

bool scalar_access(struct scalar *s, struct thread *t, const struct hd_insn *i)
{
    static const uint8_t bytes[] = { 1, 1, 2, 2, 4, 8, 16 };
    const char *o = hd_ops[i->op].operands;
    bool is_atomic = strchr(o, 'V'), store = !is_atomic && strchr(o, 'S'), fresh;
    if (i->op == OP_MEMBAR)
        return true;
    if (scalar_tainted_address(t, i))
        return scalar_stop(s, SCALAR_ORDER, t, "an address depends on the schedule");
    if (scalar_tainted(t, i))
        scalar_suspect(s, t, "a stored value depends on the schedule");
    struct request q = { .space = row_space(i->op),
                         .size = is_atomic ? i->aw ? 8 : 4 : bytes[i->sz],
                         .kind = is_atomic ? ATOMIC
                                 : store   ? WRITE
                                           : READ,
                         .aop = i->aop,
                         .returns = is_atomic && i->rd != HD_RZ };
    bool is_wide = q.space == SPACE_GLOBAL || q.space == SPACE_GENERIC;
    q.addr = is_wide ? wide(t, i->ra, true) + (u64)(s64)i->off : t->r[i->ra] + (u32)i->off;
    uint8_t *p = place(s, t, &q, &fresh);
    if (!p)
        return false;
    if (is_atomic) {
        atomic(t, i, p, fresh);
    } else if (store) {
        for (u32 k = 0; k < (q.size + 3) / 4; k++)
            memcpy(p + 4 * k, &t->r[i->rb == HD_RZ ? HD_RZ : i->rb + k], q.size < 4 ? q.size : 4);
    } else {
        load(t, i, p, q.size, fresh);
    }
    return true;
}

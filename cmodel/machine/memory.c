/* Loads, stores and atomics of a warp: address spaces, faults, order.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Subtle: every lane is checked before any acts.  First the common case is tried on all lanes at
 * once (one space, one range); only where that fails are the lanes looked at one by one.
 * All memory is one array: the physical addresses, and shared memory after them, so an
 * access is an offset a lane, whatever the space. */
#include "cmodel/machine/machine.h"
#include <string.h>

static u32 word(const uint8_t *p)
{
    u32 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static void put_word(uint8_t *p, u32 v)
{
    memcpy(p, &v, sizeof v);
}

/* 1, 2 or 4 bytes. */
static void put_low(uint8_t *p, u32 v, u32 size)
{
    if (size >= 4)
        memcpy(p, &v, 4);
    else if (size == 2)
        memcpy(p, &v, 2);
    else
        *p = (uint8_t)v;
}

static unsigned lowest(u32 m)
{
    return (unsigned)__builtin_ctz(m);
}

bool mem_in_range(struct model *m, u64 first, u64 last, bool write)
{
    const struct launch *k = &m->launch;
    u32 at = m->last_range;
    for (u32 n = 0; n < k->nranges; n++, at = at + 1 < k->nranges ? at + 1 : 0) {
        const struct launch_range *r = &k->range[at];
        if (first >= r->base && last < r->limit && last >= first) {
            m->last_range = at;
            return !write || r->writable;
        }
    }
    return false;
}

/* The fault of one lane, in the order of enum hd_fault; its space is known. */
static enum hd_fault check(struct model *m, const struct access *x, enum hd_space space, u64 addr)
{
    u64 last = addr | (x->size - 1);
    const struct launch *k = &m->launch;
    if (addr & (x->size - 1))
        return HD_FAULT_MISALIGNED;
    switch (space) {
    case SPACE_GLOBAL:
        if (mem_in_range(m, addr, last, x->write))
            return HD_FAULT_NONE;
        return x->write && mem_in_range(m, addr, last, false) ? HD_FAULT_READONLY : HD_FAULT_RANGE;
    case SPACE_SHARED:
        return last < k->shared_size ? HD_FAULT_NONE : HD_FAULT_RANGE;
    case SPACE_LOCAL:
        return x->atomic ? HD_FAULT_SPACE : last < k->local_size ? HD_FAULT_NONE : HD_FAULT_RANGE;
    case SPACE_CONST:
        return last < k->const_size ? HD_FAULT_NONE : HD_FAULT_RANGE;
    default:
        return HD_FAULT_SPACE;
    }
}

static u64 offset(const struct model *m, const struct warp *w, enum hd_space space, unsigned l,
                  u64 a)
{
    const struct launch *k = &m->launch;
    switch (space) {
    case SPACE_SHARED:
        return m->core.shared_at + (u64)w->block_slot * k->shared_size + a;
    case SPACE_LOCAL:
        return m->core.local_by + k->local_base + (u64)w->slot * HD_LANES * k->local_size +
               (a >> 2) * ACCESS_LOCAL_ROW + l * 4 + (a & 3);
    case SPACE_CONST:
        return k->const_base + a;
    default:
        return a;
    }
}

/* What a generic address names by its upper word: 1 and 2 are shared and local memory, and no
 * address beyond the physical ones is any. */
static enum hd_space generic_space(u64 a)
{
    const u64 up = a >> 32;
    return up == SPACE_SHARED || up == SPACE_LOCAL ? (enum hd_space)up
           : a < HD_ADDR_END                       ? SPACE_GLOBAL
                                                   : SPACE_GENERIC;
}

/* Looks at each lane.  Generic addresses of shared and local memory lose their upper word. */
static enum hd_fault resolve_each(struct model *m, struct warp *w, enum hd_space space, u32 exec,
                                  struct access *x)
{
    enum hd_fault worst = HD_FAULT_NONE;
    for (u32 left = exec; left; left &= left - 1) {
        unsigned l = lowest(left);
        u64 full = x->addr[l], a = full;
        enum hd_space s = space;
        if (space == SPACE_GENERIC) {
            s = generic_space(full);
            a = s == SPACE_GLOBAL || s == SPACE_GENERIC ? full : (u32)full;
            x->shared_m |= (u32)(s == SPACE_SHARED) << l;
            x->local_m |= (u32)(s == SPACE_LOCAL) << l;
        }
        enum hd_fault f = check(m, x, s, a);
        if (f && (!worst || f < worst)) {
            worst = f;
            m->fault_at.lanes = 0;
            m->fault_at.addr = full;
        }
        if (f && f == worst)
            m->fault_at.lanes |= 1u << l;
        if (l == lowest(exec))
            x->space = s;
        x->strided_m |= (u32)(s == SPACE_LOCAL) << l;
        x->addr[l] = a;
        x->off[l] = offset(m, w, s, l, a);
    }
    return m->fault = worst ? worst : m->fault;
}

/* Addresses of all lanes, then whether each may do what it wants.  m->fault is as before if it
 * may. */
static enum hd_fault resolve(struct model *m, struct warp *w, const struct op *op,
                             enum hd_space space, u32 exec, struct access *x)
{
    const u32 *lo = w->r[op->ra], *hi = w->r[op->ra + 1];
    bool wide = space == SPACE_GLOBAL || space == SPACE_GENERIC;
    u64 first = ~(u64)0, last = 0;
    u32 bits = 0;
    s64 off = op->i.off;
    x->shared_m = x->local_m = x->strided_m = 0;
    x->stride = 4;
    x->space = SPACE_GLOBAL;
    for (unsigned l = 0; l < HD_LANES; l++) {
        u64 a = wide ? ((u64)hi[l] << 32 | lo[l]) + (u64)off : (u32)(lo[l] + (u32)off);
        u64 on = 0 - (u64)(exec >> l & 1);
        x->addr[l] = a;
        first = (a | ~on) < first ? a | ~on : first;
        last = (a & on) > last ? a & on : last;
        bits |= (u32)(a & on);
    }
    if (!exec)
        return m->fault;
    last |= x->size - 1;
    bool ok = !(bits & (x->size - 1));
    if (space == SPACE_GLOBAL)
        ok = ok && mem_in_range(m, first, last, x->write);
    else
        ok = ok && ((space == SPACE_SHARED && last < m->launch.shared_size) ||
                    (space == SPACE_CONST && last < m->launch.const_size));
    if (!ok)
        return resolve_each(m, w, space, exec, x);
    x->space = space;
    u64 base = offset(m, w, space, 0, 0);
    for (unsigned l = 0; l < HD_LANES; l++)
        x->off[l] = base + x->addr[l];
    return m->fault;
}

/* Its transactions: a byte of eight lanes is a sector. */
static u32 row_transactions(const struct access *x, u32 exec, u64 base)
{
    u64 lanes = (u64)exec << (base >> 2 & 7), any = 0;
    for (unsigned i = 0; i < 8; i++)
        any |= lanes >> i & 0x0101010101010101u;
    return x->space == SPACE_SHARED || x->shared_m ? 0 : (u32)__builtin_popcountll(any);
}

/* How many sectors, where no lane's lies before one of a lower lane; otherwise 0. */
static u32 ascending(const struct access *x, u32 exec)
{
    u64 last = x->off[lowest(exec)] >> 5;
    u32 n = 1;
    for (u32 left = exec & (exec - 1); left; left &= left - 1) {
        u64 sector = x->off[lowest(left)] >> 5;
        if (sector < last)
            return 0;
        n += sector != last;
        last = sector;
    }
    return n;
}

/* 32-byte transactions: distinct sectors, for each row of words in local memory.  Each lane is
 * compared with the one d lanes below it, for every d: vector code, and no branches. */
static u32 transactions(const struct access *x, u32 exec)
{
    u64 sector[2 * HD_LANES];
    u32 again[HD_LANES] = { 0 }, n = 0;
    exec &= ~(x->space == SPACE_SHARED ? ~0u : x->shared_m);
    if (!exec)
        return 0;
    if ((n = ascending(x, exec)))
        return x->strided_m && x->size > 4 ? n * (x->size / 4) : n;
    for (u32 l = 0; l < HD_LANES; l++) {
        sector[l] = ~(u64)l;            /* no sector, as no address has all bits */
        sector[HD_LANES + l] = exec >> l & 1 ? x->off[l] >> 5 : ~(u64)(HD_LANES + l);
    }
    for (u32 d = 1; d < HD_LANES; d++)
        for (u32 l = 0; l < HD_LANES; l++)
            again[l] |= sector[HD_LANES + l] == sector[HD_LANES + l - d];
    for (u32 l = 0; l < HD_LANES; l++)
        n += exec >> l & ~again[l] & 1;
    return x->strided_m && x->size > 4 ? n * (x->size / 4) : n;
}

/* ---- bus errors, sector by sector ---- */

/* The first byte of the lane's access that is answered with an error; 0: none.  An atomic needs
 * both ways.  What lies after the physical memory is shared memory. */
static u64 bus_byte(const struct model *m, const struct access *x, unsigned l)
{
    for (u32 k = 0; k < (x->size + 3) / 4; k++) {
        u64 at = x->off[l] + (u64)k * access_stride(x, l);
        if (bus_answer(&m->bus, at, x->write) || (x->atomic && bus_answer(&m->bus, at, false)))
            return at;
    }
    return 0;
}

/* Lanes with a bus error, which become the instruction's fault. */
static u32 bus_lanes(struct model *m, const struct access *x, u32 exec)
{
    u32 bad = 0;
    u64 at, first = 0;
    if (!m->bus.n)
        return 0;
    for (u32 left = exec; left; left &= left - 1)
        if ((at = bus_byte(m, x, lowest(left)))) {
            first = bad ? first : at;
            bad |= left & -left;
        }
    model_set_fault(m, HD_FAULT_BUS, bad);
    m->fault_at.addr = first;
    return bad;
}

static void record(struct hd_commit *rec, const struct access *x, unsigned kind, u32 exec)
{
    if (!rec)
        return;
    rec->mem = (uint8_t)kind;
    rec->space = (uint8_t)x->space;
    rec->size = (uint8_t)x->size;
    rec->shared_m = x->shared_m;
    rec->local_m = x->local_m;
    for (unsigned l = 0; l < HD_LANES; l++)
        rec->addr[l] = exec >> l & 1 ? x->addr[l] : 0;
}

/* Whether a hook refuses the access: a fault. */
static bool refused(struct model *m, const struct access *x, u32 exec, const struct op *op)
{
    if (!m->hooks.accesses || m->hooks.accesses(m->hooks.user, x, exec, op))
        return false;
    return model_set_fault(m, HD_FAULT_BUS, exec) != HD_FAULT_NONE;
}

/* With several cores a lane's bytes of global memory are what its core saw of them. */
static void see(struct model *m, struct access *x, u32 exec)
{
    for (u32 left = m->core.sector && x->space != SPACE_CONST ? exec & ~x->strided_m : 0; left;
         left &= left - 1) {
        unsigned l = lowest(left);
        const struct core *c = &m->core;
        uint8_t *at = x->off[l] < MODEL_SHARED
                          ? c->sector(c->sector_user, l, x->off[l], x->size, x->write)
                          : NULL;
        if (at)
            x->off[l] = (u64)(at - m->mem);
    }
}

static u32 sized(const struct op *op)
{
    static const uint8_t bytes[8] = { 1, 1, 2, 2, 4, 8, 16 };
    return bytes[op->i.sz];
}

/* A value of 1, 2 or 4 bytes, extended as .SZ says. */
static u32 narrow(const uint8_t *p, unsigned sz)
{
    uint16_t half;
    if (sz >= SZ_32)
        return word(p);
    if (sz <= SZ_S8)
        return sz == SZ_U8 ? *p : (u32)(s32)(int8_t)*p;
    memcpy(&half, p, sizeof half);
    return sz == SZ_U16 ? half : (u32)(s32)(int16_t)half;
}

enum hd_fault mem_load(struct model *m, struct warp *w, const struct op *op, enum hd_space space,
                       u32 exec, struct hd_commit *rec)
{
    struct access x;
    u64 base;
    x.size = sized(op);
    x.write = x.atomic = false;
    if (resolve(m, w, op, space, exec, &x) || bus_lanes(m, &x, exec) || refused(m, &x, exec, op))
        return m->fault;
    record(rec, &x, 1, exec);
    m->count.loads++;
    see(m, &x, exec);
    if (access_row(&x, exec, &base)) {
        const u32 *from = (const u32 *)(m->mem + base);
        write_row(w->r[op->rd], from, exec);
        m->count.mem_transactions += row_transactions(&x, exec, base);
        return HD_FAULT_NONE;
    }
    m->count.mem_transactions += transactions(&x, exec);
    for (u32 left = exec; left; left &= left - 1) {
        unsigned l = lowest(left);
        const uint8_t *p = m->mem + x.off[l];
        w->r[op->rd][l] = narrow(p, op->i.sz);
        for (u32 k = 1; k < x.size / 4; k++)
            w->r[op->rd + k][l] = word(p + k * access_stride(&x, l));
    }
    return HD_FAULT_NONE;
}

/* Whether a byte takes what a store writes. */
static bool writes(const struct model *m, u64 at)
{
    return !m->bus.n || !bus_answer(&m->bus, at, true);
}

enum hd_fault mem_store(struct model *m, struct warp *w, const struct op *op, enum hd_space space,
                        u32 exec, struct hd_commit *rec)
{
    struct access x;
    u64 base;
    x.size = sized(op);
    x.write = true;
    x.atomic = false;
    u32 keep = x.size == 1 ? 0xff : x.size == 2 ? 0xffff : ~0u;
    if (resolve(m, w, op, space, exec, &x) || refused(m, &x, exec, op))
        return m->fault;
    record(rec, &x, 2, exec);
    m->count.stores++;
    for (u32 k = 0; rec && (!k || k < x.size / 4); k++)
        for (unsigned l = 0; l < HD_LANES; l++)
            rec->wdata[k][l] = exec >> l & 1 ? w->r[op->rb + k][l] & keep : 0;
    see(m, &x, exec);
    if (!bus_lanes(m, &x, exec) && access_row(&x, exec, &base)) {
        const u32 *from = w->r[op->rb];
        u32 *to = (u32 *)(m->mem + base);
#pragma GCC ivdep
        for (unsigned l = 0; l < HD_LANES; l++)
            if (exec >> l & 1)
                to[l] = from[l];
        m->count.mem_transactions += row_transactions(&x, exec, base);
        return HD_FAULT_NONE;
    }
    m->count.mem_transactions += transactions(&x, exec);
    for (u32 left = exec; left; left &= left - 1) {
        unsigned l = lowest(left);
        uint8_t *p = m->mem + x.off[l];
        if (writes(m, x.off[l]))
            put_low(p, w->r[op->rb][l], x.size);
        for (u32 k = 1; k < x.size / 4; k++)
            if (writes(m, x.off[l] + k * access_stride(&x, l)))
                put_word(p + k * access_stride(&x, l), w->r[op->rb + k][l]);
    }
    return m->fault;
}

/* What an atomic leaves in memory.  32-bit values come zero-extended; `up` makes them signed. */
static u64 atom(unsigned aop, unsigned wide, u64 old, u64 b, u64 c)
{
    unsigned up = wide ? 0 : 32;
    s64 so = (s64)(old << up), sb = (s64)(b << up);
    switch (aop) {
    case AOP_ADD:  return old + b;
    case AOP_MINU: return old < b ? old : b;
    case AOP_MAXU: return old > b ? old : b;
    case AOP_MINS: return so < sb ? old : b;
    case AOP_MAXS: return so > sb ? old : b;
    case AOP_AND:  return old & b;
    case AOP_OR:   return old | b;
    case AOP_XOR:  return old ^ b;
    case AOP_EXCH: return b;
    case AOP_INC:  return old >= b ? 0 : old + 1;
    case AOP_DEC:  return old == 0 || old > b ? b : old - 1;
    default:       return old == b ? c : old;
    }
}

/* One lane's, by itself or beside other threads of the host; the value before. */
static u64 exchange(const struct op *op, uint8_t *p, u64 b, u64 c, bool together, u64 *new)
{
    const unsigned aop = op->i.aop, wide = op->i.aw;
    u64 old = 0;
    u32 low, low_new;
    if (!together) {
        old = wide ? (u64)word(p + 4) << 32 | word(p) : word(p);
        *new = atom(aop, wide, old, b, c);
        put_word(p, (u32)*new);
        if (wide)
            put_word(p + 4, (u32)(*new >> 32));
    } else if (wide) {
        old = __atomic_load_n((u64 *)(void *)p, __ATOMIC_RELAXED);
        do
            *new = atom(aop, wide, old, b, c);
        while (!__atomic_compare_exchange_n((u64 *)(void *)p, &old, *new, true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED));
    } else {
        low = __atomic_load_n((u32 *)(void *)p, __ATOMIC_RELAXED);
        do
            low_new = (u32)(*new = atom(aop, wide, low, b, c));
        while (!__atomic_compare_exchange_n((u32 *)(void *)p, &low, low_new, true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED));
        old = low;
    }
    return old;
}

enum hd_fault mem_atom(struct model *m, struct warp *w, const struct op *op, enum hd_space space,
                       u32 exec, struct hd_commit *rec)
{
    struct access x;
    x.size = op->i.aw ? 8 : 4;
    x.write = x.atomic = true;
    unsigned wide = op->i.aw;
    if (resolve(m, w, op, space, exec, &x) || refused(m, &x, exec, op))
        return m->fault;
    record(rec, &x, 3, exec);
    m->count.atomics++;
    see(m, &x, exec);
    m->count.mem_transactions += transactions(&x, exec);
    exec &= ~bus_lanes(m, &x, exec);
    const bool together = m->core.together;
    for (u32 left = exec; left; left &= left - 1) {
        unsigned l = lowest(left);
        u64 b = w->r[op->rb][l], c = w->r[op->rc][l], new;
        if (wide) {
            b |= (u64)w->r[op->rb + 1][l] << 32;
            c |= (u64)w->r[op->rc + 1][l] << 32;
        }
        u64 old = exchange(op, m->mem + x.off[l], b, c, together, &new);
        if (!m->fault) {
            w->r[op->rd][l] = (u32)old;
            if (wide)
                w->r[op->rd + 1][l] = (u32)(old >> 32);
        }
        if (rec) {
            rec->wdata[0][l] = (u32)new;
            rec->wdata[1][l] = wide ? (u32)(new >> 32) : 0;
        }
    }
    return m->fault;
}

/* See order.h.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/lockstep/order.h"
#include "cmodel/places.h"
#include <string.h>

enum { ID_LSU = 0 };

static bool is_local(uint64_t addr)
{
    return addr - LAUNCH_LOCAL < LAUNCH_LOCAL_MAX;
}

/* ---- what the port does ---- */

static void on_read(void *user, uint8_t id, uint64_t addr, uint64_t nth)
{
    struct order *o = user;
    if (id % AXI_IDS != ID_LSU)
        return;
    struct order_core *c = &o->core[id / AXI_IDS];
    c->read[nth % ORDER_READS].nth = nth + 1;
    c->read[nth % ORDER_READS].addr = addr;
    c->read[nth % ORDER_READS].at = o->mem->now;
    memcpy(c->read[nth % ORDER_READS].bytes, model_memory(c->model) + addr, GUARD_SECTOR);
}

static void on_write(void *user, uint8_t id, uint64_t addr, const uint32_t data[8],
                     uint32_t strobes)
{
    struct order *o = user;
    struct order_core *c = &o->core[id / AXI_IDS];
    guard_write(c->guard, id % AXI_IDS, addr, data, strobes);
    if (id % AXI_IDS != ID_LSU || c->guard->error[0])
        return;
    c->written[c->nwritten].addr = addr;
    c->written[c->nwritten].at = o->mem->now;
    c->written[c->nwritten].strobes = strobes;
    memcpy(c->written[c->nwritten++].data, data, GUARD_SECTOR);
    for (unsigned i = 0; !is_local(addr) && i < GUARD_SECTOR; i++)
        if (strobes >> i & 1)
            model_memory(c->model)[addr + i] = (uint8_t)(data[i / 4] >> 8 * (i % 4));
}

/* ---- what the model does ---- */

static uint8_t *bytes_of(const struct order_core *c, unsigned i)
{
    return model_sectors(c->model) + (size_t)i * GUARD_SECTOR;
}

static struct sector *add(struct order_core *c, uint64_t sector, const uint8_t *bytes)
{
    if (c->nsectors == ORDER_SECTORS)
        return NULL;
    memcpy(bytes_of(c, c->nsectors), bytes, GUARD_SECTOR);
    c->sector[c->nsectors] = (struct sector){ .addr = sector };
    return &c->sector[c->nsectors++];
}

static struct sector *find(struct order_core *c, uint64_t sector)
{
    for (unsigned i = 0; i < c->nsectors; i++)
        if (c->sector[i].addr == sector)
            return &c->sector[i];
    return NULL;
}

/* A load reads a sector for each group: the lanes of a beat that are in it.  A group in the sector
 * of the group before shares its read (rtl/mem/lsu_read.v).  So one that another core changes
 * meanwhile may look different to later beats. */
static struct sector *loaded(struct order_core *c, uint64_t sector, unsigned beat)
{
    struct sector *last = NULL, *s = c->sector;
    for (; s < c->sector + c->nsectors; s++)
        if (s->addr == sector && s->used && s->beat == beat)
            return s;
    if (c->group && c->sector[c->group - 1].addr == sector)
        last = &c->sector[c->group - 1];
    for (s = c->sector; !last && s < c->sector + c->nsectors; s++)
        if (s->addr == sector && !s->used)
            last = s;
    if (!last)
        last = find(c, sector);
    if (last) {
        last->used = true;
        last->beat = beat;
        c->group = 1 + (unsigned)(last - c->sector);
    }
    return last;
}

/* Where there was no read, or is no room, memory is what it is: the record tells. */
static uint8_t *see(void *user, unsigned lane, uint64_t addr, unsigned bytes, bool write)
{
    struct order_core *c = user;
    const uint64_t sector = addr / GUARD_SECTOR * GUARD_SECTOR;
    const uint32_t at = addr % GUARD_SECTOR;
    struct sector *s = write ? find(c, sector) : loaded(c, sector, lane / c->lanes);
    if (!s && write)
        s = add(c, sector, model_memory(c->model) + sector);
    if (!s)
        return NULL;
    if (write)
        s->model_m |= (uint32_t)((1ull << bytes) - 1) << at;
    return bytes_of(c, (unsigned)(s - c->sector)) + at;
}

void order_begin(struct order *o)
{
    o->mem->on_read = on_read;
    o->mem->on_write = on_write;
    o->mem->read_user = o->mem->write_user = o;
    for (unsigned k = 0; k < o->n; k++) {
        struct order_core *c = &o->core[k];
        c->first = o->mem->taken[k * AXI_IDS + ID_LSU];
        c->nwritten = c->nsectors = c->group = c->writes = 0;
        c->why = NULL;
        memset(c->retired, 0, sizeof c->retired);
        model_set_sectors(c->model, see, c);
    }
}

/* What it read or wrote acted at that time: the one before it of its warp must have retired. */
static void check_alone(struct order_core *c, unsigned slot, uint64_t at, uint64_t addr)
{
    if (c->why || at > c->retired[slot])
        return;
    c->why = "a memory instruction acts before the one before it of its warp has retired";
    c->addr = addr;
    c->rtl_byte = c->model_byte = model_memory(c->model)[addr];
}

void order_before(struct order *o, unsigned k, unsigned slot, unsigned reads, unsigned writes)
{
    struct order_core *c = &o->core[k];
    const bool acts = reads || writes;
    slot %= LAUNCH_WARPS;
    c->nsectors = c->group = 0;
    c->writes = writes;
    for (; reads; reads--, c->first++) {
        const unsigned i = c->first % ORDER_READS;
        if (c->read[i].nth != c->first + 1)
            c->why = "an instruction retires before what it reads has been read";
        else {
            check_alone(c, slot, c->read[i].at, c->read[i].addr);
            add(c, c->read[i].addr, c->read[i].bytes);
        }
    }
    for (unsigned w = 0; w < writes && w < c->nwritten; w++)
        check_alone(c, slot, c->written[w].at, c->written[w].addr);
    if (acts)
        c->retired[slot] = o->mem->now;
}

static bool differs(struct order_core *c, const struct sector *s, unsigned i)
{
    const uint32_t odd = s->model_m ^ s->rtl_m;
    c->addr = s->addr + i;
    c->rtl_byte = s->rtl[i];
    c->model_byte = bytes_of(c, (unsigned)(s - c->sector))[i];
    c->why = !(odd >> i & 1) ? "memory differs when its store retires"
           : s->rtl_m >> i & 1 ? "a byte was written that the instruction does not store"
                               : "a byte that the instruction stores was not written";
    return false;
}

bool order_after(struct order *o, unsigned k)
{
    struct order_core *c = &o->core[k];
    const unsigned n = c->writes < c->nwritten ? c->writes : c->nwritten;
    for (unsigned w = 0; w < n; w++) {
        if (is_local(c->written[w].addr))
            continue;
        struct sector *s = find(c, c->written[w].addr);
        if (!s && !(s = add(c, c->written[w].addr, model_memory(c->model) + c->written[w].addr)))
            continue;
        s->rtl_m |= c->written[w].strobes;
        for (unsigned i = 0; i < GUARD_SECTOR; i++)
            if (c->written[w].strobes >> i & 1)
                s->rtl[i] = (uint8_t)(c->written[w].data[i / 4] >> 8 * (i % 4));
    }
    c->nwritten -= n;
    memmove(c->written, c->written + n, c->nwritten * sizeof *c->written);
    c->writes = 0;
    for (const struct sector *s = c->sector; !c->why && s < c->sector + c->nsectors; s++)
        for (unsigned i = 0; i < GUARD_SECTOR; i++)
            if ((s->model_m | s->rtl_m) >> i & 1 &&
                ((s->model_m ^ s->rtl_m) >> i & 1 ||
                 s->rtl[i] != bytes_of(c, (unsigned)(s - c->sector))[i]))
                return differs(c, s, i);
    c->nsectors = 0;
    return !c->why;
}

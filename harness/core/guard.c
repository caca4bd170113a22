/* Watches every write of the core's memory port.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The commit record says what an instruction means to write; this is what comes out of the port.
 * Instructions write in the order in which they retire, and retire when their writes have their
 * answers; the probe says how many an instruction wrote.  So what it wrote is known when it
 * retires: those sectors must then hold what the model's hold, the bytes between the strobes
 * included, but for what later stores have written already.  What was written and never retired is
 * known, too, of a grid that was stopped or met a bus error.  Spills go the other way: they are
 * committed first, and reach memory later, in their order. */
#include "harness/core/guard.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/isa/isa.h"

static void wrong(struct guard *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void wrong(struct guard *g, const char *fmt, ...)
{
    va_list ap;
    if (g->error[0])
        return;
    va_start(ap, fmt);
    vsnprintf(g->error, sizeof g->error, fmt, ap);
    va_end(ap);
}

void guard_clear(struct guard *g)
{
    g->nareas = g->last = 0;
    g->nwritten = 0;
    g->spilled = g->arrived = 0;
    g->differs = false;
    g->error[0] = 0;
}

void guard_free(struct guard *g)
{
    free(g->area);
    *g = (struct guard){ 0 };
}

bool guard_allow(struct guard *g, uint64_t addr, size_t bytes)
{
    if (!bytes)
        return true;
    if (g->nareas == g->cap) {
        size_t cap = g->cap ? 2 * g->cap : 16;
        struct guard_area *more = realloc(g->area, cap * sizeof *more);
        if (!more)
            return false;
        g->area = more;
        g->cap = cap;
    }
    g->area[g->nareas++] = (struct guard_area){ addr, bytes };
    return true;
}

/* Neighbouring allocations have gaps between them, so one area holds a whole write. */
static bool allowed(struct guard *g, uint64_t addr, unsigned bytes)
{
    for (size_t k = 0; k < g->nareas; k++) {
        size_t i = (g->last + k) % g->nareas;
        const struct guard_area *a = &g->area[i];
        if (addr < a->addr || addr + bytes > a->addr + a->bytes)
            continue;
        g->last = i;
        return true;
    }
    return false;
}

static void lsu_write(struct guard *g, uint64_t addr, uint32_t strobes)
{
    unsigned low = strobes ? (unsigned)__builtin_ctz(strobes) : 0,
             high = strobes ? 31 - (unsigned)__builtin_clz(strobes) : 0;
    if (strobes && !allowed(g, addr + low, high - low + 1))
        wrong(g,
              "the core writes bytes 0x%08" PRIx64 " to 0x%08" PRIx64 ", where no store may write",
              addr + low, addr + high);
    if (g->nwritten == GUARD_WRITES) {
        wrong(g, "the core writes 0x%08" PRIx64 ": more than all instructions in flight may", addr);
        return;
    }
    g->written[g->nwritten].addr = addr;
    g->written[g->nwritten++].strobes = strobes;
}

static void spill_write(struct guard *g, uint64_t addr, const uint32_t data[8], uint32_t strobes)
{
    if (g->arrived == g->spilled) {
        wrong(g, "the core writes tokens to 0x%08" PRIx64 " that no instruction has spilled", addr);
        return;
    }
    unsigned i = (unsigned)(g->arrived++ % GUARD_SPILLS);
    if (addr != g->spill[i].addr || strobes != UINT32_MAX ||
        memcmp(data, g->spill[i].row, sizeof g->spill[i].row))
        wrong(g, "the core writes tokens to 0x%08" PRIx64
                 " that are not those which were spilled to 0x%08" PRIx64,
              addr, g->spill[i].addr);
}

void guard_write(void *guard, uint8_t id, uint64_t addr, const uint32_t data[8], uint32_t strobes)
{
    struct guard *g = guard;
    if (id == GUARD_ID_STACK)
        spill_write(g, addr, data, strobes);
    else if (id)
        wrong(g, "the core writes 0x%08" PRIx64 " with ID %u, which no unit owns", addr, id);
    else
        lsu_write(g, addr, strobes);
}

bool guard_is_open(const struct guard *g, uint64_t addr)
{
    for (unsigned i = 0; i < g->nwritten; i++)
        if (addr - g->written[i].addr < GUARD_SECTOR &&
            (g->written[i].strobes >> (addr - g->written[i].addr) & 1))
            return true;
    return false;
}

/* A later store may have written to it already. */
static void compare_sector(struct guard *g, uint64_t addr, const uint8_t *rtl,
                           const uint8_t *model)
{
    if (!memcmp(rtl + addr, model + addr, GUARD_SECTOR))
        return;
    for (uint64_t i = addr; i < addr + GUARD_SECTOR && !g->differs; i++)
        if (rtl[i] != model[i] && !guard_is_open(g, i)) {
            g->differs = true;
            g->addr = i;
            wrong(g, "memory differs when its store retires");
        }
}

void guard_commit(struct guard *g, const struct hd_commit *c, unsigned writes, const uint8_t *rtl,
                  const uint8_t *model)
{
    if (c->spilled) {
        unsigned i = (unsigned)(g->spilled++ % GUARD_SPILLS);
        if (g->spilled - g->arrived > GUARD_SPILLS)
            wrong(g, "%d spills have not reached memory", GUARD_SPILLS);
        g->spill[i].addr = c->moved_addr;
        memcpy(g->spill[i].row, c->moved, sizeof g->spill[i].row);
    }
    /* its record tells nothing of memory, but lanes have acted */
    bool bus = c->fault == HD_FAULT_BUS;
    /* constants need no LSU, whose instruction is another one */
    bool constant = c->mem == 1 && (c->space == SPACE_CONST || !c->exec);
    if (!(c->mem || bus) || constant || !writes)
        return;
    if (writes > g->nwritten)
        wrong(g, "an instruction retires before what it has written is in memory");
    else if (!bus && (c->mem == 1 || c->fault))
        wrong(g, "%s wrote to 0x%08" PRIx64, c->fault ? "an instruction that faults" : "a load",
              g->written[0].addr);
    if (g->error[0])
        return;
    uint64_t own[GUARD_WRITES];
    for (unsigned i = 0; i < writes; i++)
        own[i] = g->written[i].addr;
    g->nwritten -= writes;
    memmove(g->written, g->written + writes, g->nwritten * sizeof *g->written);
    for (unsigned i = 0; i < writes && !g->error[0]; i++)
        compare_sector(g, own[i], rtl, model);
}

/* Sectors may come twice: an atomic writes once a lane. */
unsigned guard_open(const struct guard *g)
{
    unsigned bytes = 0;
    for (unsigned i = 0; i < g->nwritten; i++) {
        uint32_t m = g->written[i].strobes;
        for (unsigned j = 0; j < i; j++)
            if (g->written[j].addr == g->written[i].addr)
                m &= ~g->written[j].strobes;
        bytes += (unsigned)__builtin_popcount(m);
    }
    return bytes;
}

bool guard_spills_done(struct guard *g)
{
    if (g->spilled != g->arrived)
        wrong(g, "%llu spills have not reached memory, the first at 0x%08" PRIx64,
              (unsigned long long)(g->spilled - g->arrived),
              g->spill[g->arrived % GUARD_SPILLS].addr);
    return g->spilled == g->arrived;
}

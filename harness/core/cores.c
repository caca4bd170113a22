/* Several Verilated cores, and rtl/cores/share.v between their ports and the memory.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cycle: all clocks rise at once, on the wires that settled in the cycle before; the memory
 * drives its answers; then wires are copied between the cores and the unit, and each that was
 * given something else is evaluated again, until nothing changes.  No path through a core leads
 * from what it is given to what it asks for, but for RREADY, so that takes two rounds. */
#include "harness/core/cores.h"
#include "harness/core/library.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- wires ---- */

static bool put8(uint8_t *to, uint8_t v)
{
    bool changes = *to != v;
    *to = v;
    return changes;
}

static bool put64(uint64_t *to, unsigned k, unsigned width, uint64_t v)
{
    const unsigned at = k * width;
    uint64_t mask = ((1ull << width) - 1) << at, new = (*to & ~mask) | v << at;
    bool changes = *to != new;
    *to = new;
    return changes;
}

static bool put_words(uint32_t *to, const void *from, unsigned words)
{
    bool changes = memcmp(to, from, words * sizeof *to);
    if (changes)
        memcpy(to, from, words * sizeof *to);
    return changes;
}

/* What the cores ask.  True: something is new. */
static bool ask(struct cores *g)
{
    enum { BITS = 9 };
    uint8_t *const to[BITS] = { g->p.ask, g->p.placing, g->p.placed, g->p.want, g->p.halted,
                                g->p.arvalid, g->p.rready, g->p.awvalid, g->p.wvalid };
    uint8_t bits[BITS] = { 0 };
    bool changes = false;
    for (unsigned k = 0; k < g->n; k++) {
        const struct rtl_ports *p = &g->rtl[k]->p;
        const uint8_t *const from[BITS] = { p->ask, p->placing, p->placed, p->want, p->halted,
                                            p->mem.arvalid, p->mem.rready, p->mem.awvalid,
                                            p->mem.wvalid };
        for (unsigned i = 0; i < BITS; i++)
            bits[i] |= (uint8_t)(*from[i] << k);
        if (*p->mem.arvalid) {
            changes |= put64(g->p.arid, k, 5, *p->mem.arid);
            changes |= put64(g->p.arlen, k, 8, *p->mem.arlen);
            changes |= put_words(g->p.araddr + 2 * k, p->mem.araddr, 2);
        }
        if (*p->mem.awvalid) {
            changes |= put64(g->p.awid, k, 5, *p->mem.awid);
            changes |= put_words(g->p.awaddr + 2 * k, p->mem.awaddr, 2);
        }
        if (*p->mem.wvalid) {
            changes |= put_words(g->p.wdata + 8 * k, p->mem.wdata, 8);
            changes |= put_words(g->p.wstrb + k, p->mem.wstrb, 1);
        }
    }
    for (unsigned i = 0; i < BITS; i++)
        changes |= put8(to[i], bits[i]);
    return changes;
}

/* What core k is answered. */
static bool answer(struct cores *g, unsigned k)
{
    const struct share_ports *s = &g->p;
    const struct rtl_ports *p = &g->rtl[k]->p;
    const struct axi_port *m = &g->mem.p;
    const struct { uint8_t *to; const uint8_t *from; } bits[] = {
        { p->give, s->give }, { p->skip, s->skip }, { p->lock, s->lock }, { p->stop, s->stop },
        { p->mem.arready, s->arready }, { p->mem.rvalid, s->rvalid },
        { p->mem.awready, s->awready }, { p->mem.wready, s->wready }, { p->mem.bvalid, s->bvalid },
    };
    bool changes = false;
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        changes |= put8(bits[i].to, *bits[i].from >> k & 1);
    if (*p->mem.rvalid) {
        changes |= put8(p->mem.rid, *m->rid % AXI_IDS);
        changes |= put8(p->mem.rresp, *m->rresp);
        changes |= put8(p->mem.rlast, *m->rlast);
        changes |= put_words(p->mem.rdata, m->rdata, 8);
    }
    if (*p->mem.bvalid) {
        changes |= put8(p->mem.bid, *m->bid % AXI_IDS);
        changes |= put8(p->mem.bresp, *m->bresp);
    }
    return changes;
}

/* The clock is low.  First everybody is evaluated, then who was given something else. */
static void settle(struct cores *g)
{
    enum { ROUNDS = 100 };
    bool all = true, any = true;
    for (unsigned n = 0; any; n++) {
        if (n == ROUNDS) {
            axi_violation(&g->mem.rules, "wires between cores do not settle", 0);
            return;
        }
        any = ask(g) || all;
        if (any)
            g->calls->eval(g->unit);
        for (unsigned k = 0; k < g->n; k++)
            if (answer(g, k) || all) {
                g->rtl[k]->calls->eval(g->rtl[k]->core);
                any = true;
            }
        all = false;
    }
}

/* Who has the lock does an atomic: there is one, when it gets it no write is under way, and none of
 * others begins (rtl/cores/share_lock.v). */
static void check_lock(struct cores *g)
{
    const uint8_t lock = *g->p.lock, new = lock & ~g->locked;
    const struct axi_queue *writes = &g->mem.wr;
    g->locked = lock;
    if (lock & (lock - 1))
        axi_violation(&g->mem.rules, "two cores have the lock for an atomic", 0);
    if (new & ~*g->p.want)
        axi_violation(&g->mem.rules, "a core has the lock that does no atomic", 0);
    if (new && g->mem.nahead)
        axi_violation(&g->mem.rules, "an atomic begins while data of a write have no address", 0);
    for (unsigned i = 0; lock && i < writes->n; i++)
        if (new || !(lock >> writes->t[i].id / AXI_IDS & 1))
            axi_violation(&g->mem.rules, "a write is under way beside another core's atomic",
                          writes->t[i].addr);
}

void cores_step(struct cores *g)
{
    for (unsigned k = 0; k < g->n; k++)
        rtl_before(g->rtl[k]);
    axi_sample(&g->mem);
    if (*g->p.lock | g->locked)
        check_lock(g);
    for (unsigned k = 0; k < g->n; k++)
        rtl_rise(g->rtl[k]);
    *g->p.clk = 1;
    g->calls->eval(g->unit);
    axi_drive(&g->mem);
    for (unsigned k = 0; k < g->n; k++) {
        rtl_after(g->rtl[k]);
        *g->rtl[k]->p.clk = 0;
    }
    *g->p.clk = 0;
    settle(g);
    for (unsigned k = 0; k < g->n; k++)
        rtl_end(g->rtl[k]);
}

/* ---- begin and end ---- */

static void set_reset(struct cores *g, bool on)
{
    for (unsigned k = 0; k < g->n; k++)
        *g->rtl[k]->p.rst_n = !on;
    *g->p.rst_n = !on;
}

static void pulse_reset(struct cores *g)
{
    enum { CYCLES = 8 };
    for (unsigned k = 0; k < g->n; k++) {
        rtl_begin(g->rtl[k]);
        *g->rtl[k]->p.cores = (uint8_t)g->n;
        g->rtl[k]->cycle = g->rtl[0]->cycle;
    }
    *g->p.clk = 0;
    set_reset(g, true);
    for (int i = 0; i < CYCLES; i++) {
        settle(g);
        for (unsigned k = 0; k < g->n; k++) {
            rtl_rise(g->rtl[k]);
            *g->rtl[k]->p.clk = 0;
            g->rtl[k]->cycle++;
        }
        *g->p.clk = 1;
        g->calls->eval(g->unit);
        *g->p.clk = 0;
    }
    set_reset(g, false);
    settle(g);
    cores_step(g);
}

static bool open_port(struct cores *g, uint64_t mem_seed)
{
    /* what no unit drives, as it is at a core's own port */
    static const uint8_t size = 5, incr = 1, one_beat = 0, yes = 1;
    const struct share_ports *s = &g->p;
    const struct axi_port port = {
        .arvalid = s->m_arvalid, .arid = s->m_arid, .arlen = s->m_arlen, .arsize = &size,
        .arburst = &incr, .araddr = s->m_araddr, .arready = s->m_arready, .rvalid = s->m_rvalid,
        .rid = s->m_rid, .rresp = &g->rresp, .rlast = &g->rlast, .rdata = g->rdata,
        .rready = s->m_rready, .awvalid = s->m_awvalid, .awid = s->m_awid, .awlen = &one_beat,
        .awsize = &size, .awburst = &incr, .awaddr = s->m_awaddr, .awready = s->m_awready,
        .wvalid = s->m_wvalid, .wlast = &yes, .wdata = s->m_wdata, .wstrb = s->m_wstrb,
        .wready = s->m_wready, .bvalid = s->m_bvalid, .bid = s->m_bid, .bresp = &g->bresp,
        .bready = &yes, .rst_n = s->rst_n,
    };
    return axi_open(&g->mem, &port, g->rtl[0]->bytes, mem_seed, g->n);
}

struct cores *cores_open(struct rtl *first, unsigned n, uint64_t mem_seed, char *why,
                         size_t why_size)
{
    struct cores *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->rtl[g->n++] = first;
    g->lib = rtl_library_share(why, why_size);
    g->calls = g->lib ? rtl_library_share_calls(g->lib) : NULL;
    if (g->lib && (!g->calls || !(g->unit = g->calls->new_unit(&g->p))))
        snprintf(why, why_size, "what the cores share is not ours, or there is no memory for it");
    while (g->unit && g->n < n && (g->rtl[g->n] = rtl_open_beside(first, g->n, why, why_size)))
        g->n++;
    if (!g->unit || g->n < n || !open_port(g, mem_seed)) {
        cores_close(g);
        return NULL;
    }
    for (unsigned k = 0; k < n; k++) {
        g->rtl[k]->cores = g;
        g->rtl[k]->mem = &g->mem;
    }
    pulse_reset(g);
    return g;
}

void cores_close(struct cores *g)
{
    if (!g)
        return;
    for (unsigned k = 1; k < g->n; k++)
        rtl_close(g->rtl[k]);
    g->rtl[0]->cores = NULL;
    g->rtl[0]->mem = &g->rtl[0]->own;
    axi_close(&g->mem);
    if (g->unit)
        g->calls->free_unit(g->unit);
    if (g->lib)
        rtl_library_close(g->lib);
    free(g);
}

bool cores_reset(struct cores *g, uint64_t mem_seed)
{
    bool ok = axi_reset(&g->mem, mem_seed);
    if (ok)
        pulse_reset(g);
    return ok;
}

bool cores_restart(struct cores *g, uint64_t mem_seed)
{
    bool ok = true;
    g->calls->free_unit(g->unit);
    axi_close(&g->mem);
    for (unsigned k = 0; k < g->n; k++)
        ok &= rtl_renew(g->rtl[k]);
    g->unit = g->calls->new_unit(&g->p);
    if (!ok || !g->unit || !open_port(g, mem_seed))
        return false;
    pulse_reset(g);
    return true;
}

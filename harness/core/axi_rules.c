/* The rules of AXI4 (ARM IHI 0022) on the core's side of its memory port.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is offered stays as it is, field by field, until it is taken; nothing is offered in reset or
 * in the first cycle after it; bursts are those the memory has (INCR of whole beats, none across a
 * 4 KiB boundary); an ID belongs to a unit of the core, and only so many of its transactions are
 * under way.  That a burst of data ends with WLAST is seen where data meet their address
 * (axi_mem.c). */
#include "harness/core/axi_rules.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BURST_INCR = 1, SIZE_32 = 5, PAGE = 4096 };

/* rtl/mem/axi_arb.v: LSU 0 (lsu_read.v READS; 32 lanes of four words of local memory), stack unit 8
 * (stack_mem.v QUEUE), instruction cache 16. */
const struct axi_limits axi_core_limits = { .reads = { [0] = 32, [8] = 8, [16] = 1 },
                                            .writes = { [0] = 128, [8] = 8 } };

void axi_violation(struct axi_rules *r, const char *what, uint64_t addr)
{
    if (!r->error[0])
        snprintf(r->error, sizeof r->error, "AXI4 protocol, cycle %llu: %s, address 0x%08" PRIx64,
                 (unsigned long long)r->cycle, what, addr);
}

static bool same_ask(const struct axi_ask *a, const struct axi_ask *b)
{
    return a->addr == b->addr && a->id == b->id && a->len == b->len && a->size == b->size &&
           a->burst == b->burst;
}

static bool same_datum(const struct axi_datum *a, const struct axi_datum *b)
{
    return !memcmp(a->data, b->data, sizeof a->data) && a->strb == b->strb && a->last == b->last;
}

static void check_ask(struct axi_rules *r, const struct axi_ask *a, bool write)
{
    if (a->burst != BURST_INCR || a->size != SIZE_32 || a->addr % AXI_BYTES)
        axi_violation(r, write ? "write burst is not INCR of aligned 32-byte beats"
                               : "read burst is not INCR of aligned 32-byte beats", a->addr);
    else if (a->addr / PAGE != (a->addr + a->len * AXI_BYTES) / PAGE)
        axi_violation(r, "burst crosses a 4 KiB boundary", a->addr);
}

static void count(struct axi_rules *r, const struct axi_ask *a, bool write)
{
    unsigned id = a->id % AXI_IDS, most = write ? r->limits->writes[id] : r->limits->reads[id];
    unsigned *n = write ? r->writes : r->reads;
    if (a->id >= AXI_IDS * r->cores || !most)
        axi_violation(r,
                      write ? "a write with an ID that no unit owns"
                            : "a read with an ID that no unit owns",
                      a->addr);
    else if (++n[a->id] > most)
        axi_violation(r, write ? "more writes under way than their unit may have"
                               : "more reads under way than their unit may have", a->addr);
}

/* An address of either channel, as it is offered in this cycle. */
static void check_address(struct axi_rules *r, struct axi_ask a, bool valid, bool ready, bool write)
{
    bool *waits = write ? &r->aw_waits : &r->ar_waits;
    struct axi_ask *before = write ? &r->aw : &r->ar;
    if (*waits && !valid)
        axi_violation(r, write ? "a write address was withdrawn before it was taken"
                               : "a read address was withdrawn before it was taken", before->addr);
    else if (*waits && !same_ask(&a, before))
        axi_violation(r, write ? "a write address changed before it was taken"
                               : "a read address changed before it was taken", before->addr);
    if (valid && ready) {
        check_ask(r, &a, write);
        count(r, &a, write);
    }
    *waits = valid && !ready;
    *before = a;
}

static void check_write_data(struct axi_rules *r, const struct axi_port *p)
{
    struct axi_datum d = { .strb = *p->wstrb, .last = *p->wlast };
    memcpy(d.data, p->wdata, sizeof d.data);
    if (r->w_waits && !*p->wvalid)
        axi_violation(r, "write data was withdrawn before it was taken", 0);
    else if (r->w_waits && !same_datum(&d, &r->w))
        axi_violation(r, "write data changed before it was taken", 0);
    r->w_waits = *p->wvalid && !*p->wready;
    r->w = d;
}

/* A reset acts at the clock edge, so its first cycle still shows what was there before. */
static void check_reset(struct axi_rules *r, const struct axi_port *p)
{
    if (r->in_reset && (*p->arvalid | *p->awvalid | *p->wvalid))
        axi_violation(r,
                      *p->rst_n ? "an offer in the first cycle after reset"
                                : "an offer during reset",
                      0);
    r->in_reset = !*p->rst_n;
    r->ar_waits = r->aw_waits = r->w_waits = false;
}

void axi_check(struct axi_rules *r, const struct axi_port *p)
{
    if (!*p->rst_n || r->in_reset)
        check_reset(r, p);
    else {
        if (*p->arvalid | r->ar_waits)
            check_address(r,
                          (struct axi_ask){ *p->araddr, *p->arid, *p->arlen, *p->arsize,
                                            *p->arburst },
                          *p->arvalid, *p->arready, false);
        if (*p->awvalid | r->aw_waits)
            check_address(r,
                          (struct axi_ask){ *p->awaddr, *p->awid, *p->awlen, *p->awsize,
                                            *p->awburst },
                          *p->awvalid, *p->awready, true);
        if (*p->wvalid | r->w_waits)
            check_write_data(r, p);
        if (*p->rvalid && *p->rready && *p->rlast)
            r->reads[*p->rid]--;
        if (*p->bvalid && *p->bready)
            r->writes[*p->bid]--;
    }
    r->cycle++;
}

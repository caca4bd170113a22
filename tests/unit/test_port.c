/* The launch port (AXI4-Lite) with a host that takes its time: address and data come apart, answers
 * wait to be taken while the next access is offered already.  Each access has its own answer, in
 * order, which stays until it is taken, and each register holds what was written last.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "harness/fuzz/fuzz.h"
#include "harness/core/rtl.h"

enum { ACCESSES = 400, PATIENCE = 100 * ACCESSES, RANGES = 0x100, REGS = 22 };

struct access { uint32_t offset, value; };
struct host {
    struct rtl *r;
    struct rng rng;
    unsigned slow;                                   /* a wire is raised in one of so many cycles */
    struct access list[ACCESSES];
};

/* A register that keeps every bit of what is written: launch registers but the first two, bases and
 * limits. */
static uint32_t any_offset(struct rng *r)
{
    if (rng_below(r, 2))
        return 8 + 4 * rng_below(r, REGS);
    return RANGES + 16 * rng_below(r, 16) + 4 * rng_below(r, 2);
}

static struct host open_host(unsigned slow, uint64_t seed)
{
    char why[256];
    struct host h = { .r = rtl_open(4, NULL, 0, false, 0, why, sizeof why),
                      .rng = { seed },
                      .slow = slow };
    if (!h.r)
        fail_msg("%s", why);
    for (unsigned i = 0; i < ACCESSES; i++)
        h.list[i] = (struct access){ any_offset(&h.rng), (uint32_t)rng_next(&h.rng) };
    return h;
}

static bool now(struct host *h) { return rng_one_in(&h->rng, h->slow); }

/* Everything is written, several accesses on their way at once. */
static void write_all(struct host *h)
{
    struct rtl_ports *p = &h->r->p;
    unsigned aw = 0, w = 0, b = 0;              /* accesses whose address, data, answer was taken */
    bool offered = false;
    for (unsigned cycle = 0; b < ACCESSES; cycle++) {
        if (cycle == PATIENCE)
            fail_msg("%u addresses and %u data were taken, but %u answers came", aw, w, b);
        if (!*p->awvalid && aw < ACCESSES && now(h))
            *p->awaddr = (uint16_t)h->list[aw].offset, *p->awvalid = 1;
        if (!*p->wvalid && w < ACCESSES && now(h))
            *p->wdata = h->list[w].value, *p->wstrb = 15, *p->wvalid = 1;
        *p->bready = now(h);
        h->r->calls->eval(h->r->core);
        if (offered)
            assert_true(*p->bvalid);                 /* an answer stays */
        bool aw_goes = *p->awvalid && *p->awready, w_goes = *p->wvalid && *p->wready,
             b_goes = *p->bvalid && *p->bready;
        if (*p->bvalid)
            assert_true(b < aw && b < w);            /* none comes before its access */
        offered = *p->bvalid && !b_goes;
        rtl_step(h->r);
        aw += aw_goes, w += w_goes, b += b_goes;
        if (aw_goes)
            *p->awvalid = 0;
        if (w_goes)
            *p->wvalid = 0;
    }
    *p->bready = 0;
}

/* Everything is read back. */
static void read_all(struct host *h)
{
    struct rtl_ports *p = &h->r->p;
    uint32_t last[0x200 / 4];
    unsigned ar = 0, got = 0;
    bool offered = false;
    uint32_t data = 0;
    for (unsigned i = 0; i < ACCESSES; i++)
        last[h->list[i].offset / 4] = h->list[i].value;
    for (unsigned cycle = 0; got < ACCESSES; cycle++) {
        if (cycle == PATIENCE)
            fail_msg("%u addresses were taken, but %u answers came", ar, got);
        if (!*p->arvalid && ar < ACCESSES && now(h))
            *p->araddr = (uint16_t)h->list[ar].offset, *p->arvalid = 1;
        *p->rready = now(h);
        h->r->calls->eval(h->r->core);
        if (offered && (!*p->rvalid || *p->rdata != data))
            fail_msg("answer %u changed before it was taken", got);
        bool ar_goes = *p->arvalid && *p->arready, goes = *p->rvalid && *p->rready;
        if (*p->rvalid && (got >= ar || *p->rdata != last[h->list[got].offset / 4]))
            fail_msg("register 0x%x reads 0x%x", h->list[got].offset, *p->rdata);
        offered = *p->rvalid && !goes;
        data = *p->rdata;
        rtl_step(h->r);
        ar += ar_goes, got += goes;
        if (ar_goes)
            *p->arvalid = 0;
    }
    *p->rready = 0;
}

static void slow_host(void **state)
{
    (void)state;
    static const unsigned slow[] = { 1, 2, 5 };
    for (unsigned i = 0; i < 3; i++) {
        struct host h = open_host(slow[i], i + 1);
        write_all(&h);
        read_all(&h);
        rtl_close(h.r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(slow_host) };
    return cmocka_run_group_tests_name("port", tests, NULL, NULL);
}

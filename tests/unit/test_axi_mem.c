/* The AXI4 memory against a model of a master: random traffic, and every violation that it must notice.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "harness/axi_mem.h"

enum { BYTES = 1 << 16, LINES = BYTES / AXI_BYTES };

/* The wires, as the Verilated class would hold them. */
struct wires {
    uint8_t arvalid, arid, arlen, arsize, arburst, arready, rvalid, rid, rresp, rlast, rready;
    uint8_t awvalid, awid, awlen, awsize, awburst, awready, wvalid, wlast, wready, bvalid, bid, bresp, bready;
    uint32_t araddr, awaddr, rdata[8], wdata[8], wstrb;
};
struct bench { struct wires w; struct axi_mem m; uint8_t *bytes; };

static struct bench *start(uint64_t seed)
{
    struct bench *b = calloc(1, sizeof *b);
    struct wires *w = &b->w;
    b->bytes = calloc(1, BYTES + 8192);
    const struct axi_port p = {
        &w->arvalid, &w->arid, &w->arlen, &w->arsize, &w->arburst, &w->araddr, &w->arready,
        &w->rvalid, &w->rid, &w->rresp, &w->rlast, w->rdata, &w->rready,
        &w->awvalid, &w->awid, &w->awlen, &w->awsize, &w->awburst, &w->awaddr, &w->awready,
        &w->wvalid, &w->wlast, w->wdata, &w->wstrb, &w->wready, &w->bvalid, &w->bid, &w->bresp, &w->bready };
    assert_true(axi_open(&b->m, &p, b->bytes, seed));
    w->arsize = w->awsize = 5;
    w->arburst = w->awburst = 1;
    return b;
}

static void stop(struct bench *b)
{
    axi_close(&b->m);
    free(b->bytes);
    free(b);
}

static void cycle(struct bench *b)
{
    axi_sample(&b->m);
    axi_drive(&b->m);
}

/* One write or read at a time, waiting for its end: memory must read back what was written. */
static void write_line(struct bench *b, uint32_t addr, unsigned beats, const uint32_t *data, uint32_t strb, uint8_t id)
{
    struct wires *w = &b->w;
    w->awvalid = 1, w->awaddr = addr, w->awlen = (uint8_t)(beats - 1), w->awid = id;
    for (;;) {
        bool taken = w->awready;
        cycle(b);
        if (taken)
            break;
    }
    w->awvalid = 0;
    for (unsigned i = 0; i < beats; i++) {
        memcpy(w->wdata, data + 8 * i, 32);
        w->wstrb = strb, w->wlast = i == beats - 1, w->wvalid = 1;
        for (bool taken = false; !taken; cycle(b))
            taken = w->wready;
    }
    w->wvalid = 0;
    w->bready = 1;
    for (bool done = false; !done; cycle(b))
        if ((done = w->bvalid))
            assert_int_equal(w->bid, id);
    w->bready = 0;
}

static void read_line(struct bench *b, uint32_t addr, unsigned beats, uint32_t *data, uint8_t id)
{
    struct wires *w = &b->w;
    w->arvalid = 1, w->araddr = addr, w->arlen = (uint8_t)(beats - 1), w->arid = id;
    for (bool taken = false; !taken; cycle(b))
        taken = w->arready;
    w->arvalid = 0;
    w->rready = 1;
    for (unsigned i = 0; i < beats;) {
        if (w->rvalid) {
            assert_int_equal(w->rid, id);
            assert_int_equal(w->rlast, i == beats - 1);
            memcpy(data + 8 * i++, w->rdata, 32);
        }
        cycle(b);
    }
    w->rready = 0;
}

static void readback(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct bench *b = start(seed);
        uint8_t *mirror = calloc(1, BYTES + 8192);
        srand((unsigned)seed + 1);
        for (int n = 0; n < 500; n++) {
            unsigned beats = 1 + (unsigned)rand() % 4;
            uint32_t line = (uint32_t)rand() % LINES / 4 * 4, data[32], strb = (uint32_t)rand() * 2654435761u;
            if (rand() & 1) {
                for (int i = 0; i < 32; i++)
                    data[i] = (uint32_t)rand();
                write_line(b, line * 32, beats, data, strb, (uint8_t)(rand() & 7));
                for (unsigned i = 0; i < beats * 32; i++)
                    if (strb >> (i % 32) & 1)
                        mirror[line * 32 + i] = ((uint8_t *)data)[i];
            } else {
                read_line(b, line * 32, beats, data, (uint8_t)(rand() & 7));
                assert_memory_equal(data, mirror + line * 32, beats * 32);
            }
        }
        assert_string_equal(b->m.error, "");
        assert_memory_equal(b->bytes, mirror, BYTES);
        free(mirror);
        stop(b);
    }
}

/* Answers of one ID keep their order; with a seed, others overtake at least once. */
static void order(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2; seed++) {
        struct bench *b = start(seed);
        struct wires *w = &b->w;
        unsigned sent[4] = { 0 }, got[4] = { 0 }, overtaken = 0, expected[400], head = 0, tail = 0;
        for (uint32_t i = 0; i < LINES; i++)
            memcpy(b->bytes + i * 32, &i, 4);
        uint32_t next[4][400];
        w->rready = 1;
        for (int t = 0; t < 20000 && head < 400; t++) {
            if (w->arvalid && w->arready && (axi_sample(&b->m), 1)) {
                next[w->arid][sent[w->arid]++] = w->araddr / 32;
                expected[tail++] = w->arid;
                w->arvalid = 0;
            } else
                axi_sample(&b->m);
            if (w->rvalid && w->rready) {
                assert_int_equal(w->rdata[0], next[w->rid][got[w->rid]++]);
                overtaken += expected[head++] != w->rid;
            }
            axi_drive(&b->m);
            if (!w->arvalid && tail < 400) {
                w->arvalid = 1;
                w->arid = (uint8_t)(tail % 4);
                w->araddr = (tail * 7 % LINES) * 32;
            }
        }
        assert_int_equal(head, 400);
        assert_true(seed ? overtaken > 0 : overtaken == 0);
        stop(b);
    }
}

static void violations(void **state)
{
    (void)state;
    struct bench *b = start(0);
    b->w.arvalid = 1;
    b->w.araddr = 36;                                /* not aligned */
    cycle(b);
    cycle(b);
    assert_non_null(strstr(b->m.error, "aligned"));
    stop(b);
    b = start(0);
    b->w.arvalid = 1, b->w.araddr = 4096 - 32, b->w.arlen = 1;
    cycle(b);
    cycle(b);
    assert_non_null(strstr(b->m.error, "4 KiB"));
    stop(b);
    b = start(0);
    b->w.arvalid = 1, b->w.araddr = 64;              /* not ready in the first cycle */
    cycle(b);
    b->w.arvalid = 0;
    cycle(b);
    assert_non_null(strstr(b->m.error, "withdrawn"));
    stop(b);
    b = start(0);
    b->w.awvalid = 1, b->w.awaddr = 64, b->w.awlen = 1;
    cycle(b);
    cycle(b);
    b->w.awvalid = 0;
    b->w.wvalid = b->w.wlast = 1;                    /* the first of two beats */
    cycle(b);
    cycle(b);
    assert_non_null(strstr(b->m.error, "wlast"));
    stop(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(readback), cmocka_unit_test(order), cmocka_unit_test(violations) };
    return cmocka_run_group_tests_name("axi_mem", tests, NULL, NULL);
}

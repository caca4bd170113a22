/* The AXI4 memory against a model of a master: random traffic, and every violation that it must
 * notice.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/heddle.h"
#include "cmodel/places.h"
#include "harness/core/axi_mem.h"

enum { BYTES = 1 << 16, LINES = BYTES / AXI_BYTES };

/* The wires, as the Verilated class would hold them. */
struct wires {
    uint8_t arvalid, arid, arlen, arsize, arburst, arready, rvalid, rid, rresp, rlast, rready;
    uint8_t rst_n, awvalid, awid, awlen, awsize, awburst, awready, wvalid, wlast, wready, bvalid,
        bid, bresp, bready;
    uint64_t araddr, awaddr;
    uint32_t rdata[8], wdata[8], wstrb;
};
/* A master with IDs 0 to 7. */
static const struct axi_limits any = { .reads = { 64, 64, 64, 64, 64, 64, 64, 64 },
                                       .writes = { 64, 64, 64, 64, 64, 64, 64, 64 } };
struct bench { struct wires w; struct axi_mem m; uint8_t *bytes; };

static struct bench *start(uint64_t seed)
{
    struct bench *b = calloc(1, sizeof *b);
    struct wires *w = &b->w;
    b->bytes = calloc(1, BYTES + 8192);
    const struct axi_port p = { &w->arvalid, &w->arid,    &w->arlen,   &w->arsize,  &w->arburst,
                                &w->araddr,  &w->arready, &w->rvalid,  &w->rid,     &w->rresp,
                                &w->rlast,   w->rdata,    &w->rready,  &w->awvalid, &w->awid,
                                &w->awlen,   &w->awsize,  &w->awburst, &w->awaddr,  &w->awready,
                                &w->wvalid,  &w->wlast,   w->wdata,    &w->wstrb,   &w->wready,
                                &w->bvalid,  &w->bid,     &w->bresp,   &w->bready,  &w->rst_n };
    assert_true(axi_open(&b->m, &p, b->bytes, seed, 1));
    b->m.rules.limits = &any;
    w->rst_n = 1;
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

/* One write or read at a time, waiting for its end: memory must read back what was written.
 * Address and data are offered together: what waits for the other one would wait for ever. */
static void write_line(struct bench *b, uint64_t addr, unsigned beats, const uint32_t *data,
                       uint32_t strb, uint8_t id)
{
    struct wires *w = &b->w;
    w->awvalid = 1, w->awaddr = addr, w->awlen = (uint8_t)(beats - 1), w->awid = id;
    for (unsigned i = 0; i < beats || w->awvalid;) {
        if ((w->wvalid = i < beats)) {
            memcpy(w->wdata, data + 8 * i, 32);
            w->wstrb = strb, w->wlast = i == beats - 1;
        }
        bool aw = w->awvalid && w->awready, d = w->wvalid && w->wready;
        cycle(b);
        i += d;
        w->awvalid = w->awvalid && !aw;
        w->wvalid = 0;
    }
    w->bready = 1;
    for (bool done = false; !done; cycle(b))
        if ((done = w->bvalid))
            assert_int_equal(w->bid, id);
    w->bready = 0;
}

static void read_line(struct bench *b, uint64_t addr, unsigned beats, uint32_t *data, uint8_t id)
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
    uint64_t data_first = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct bench *b = start(seed);
        uint8_t *mirror = calloc(1, BYTES + 8192);
        srand((unsigned)seed + 1);
        for (int n = 0; n < 500; n++) {
            unsigned beats = 1 + (unsigned)rand() % 4;
            uint32_t line = (uint32_t)rand() % LINES / 4 * 4, data[32],
                     strb = (uint32_t)rand() * 2654435761u;
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
        assert_string_equal(axi_error(&b->m), "");
        data_first += b->m.data_first;
        assert_memory_equal(b->bytes, mirror, BYTES);
        free(mirror);
        stop(b);
        assert_true(seed || !data_first);            /* fixed latency: the address goes first */
    }
    assert_true(data_first > 50);
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

/* ---- what the core must not do ---- */

/* Each rule broken once, between a good beginning and a good end: `first` is offered and not taken,
 * unless `taken`; then `change` is made. */
struct plant {
    const char *said;
    void (*first)(struct wires *w);
    void (*change)(struct wires *w);
    bool taken;
};

static void read_offer(struct wires *w) { w->arvalid = 1, w->araddr = 64; }
static void write_offer(struct wires *w) { w->awvalid = 1, w->awaddr = 64; }
static void data_offer(struct wires *w)
{
    write_offer(w), w->wvalid = w->wlast = 1, w->wstrb = ~0u;
}
static void nothing(struct wires *w) { (void)w; }
static void reset(struct wires *w) { w->rst_n = 0; }

static void ar_gone(struct wires *w) { w->arvalid = 0; }
static void ar_addr(struct wires *w) { w->araddr ^= 32; }
static void ar_id(struct wires *w) { w->arid ^= 1; }
static void ar_len(struct wires *w) { w->arlen ^= 1; }
static void ar_size(struct wires *w) { w->arsize = 4; }
static void ar_burst(struct wires *w) { w->arburst = 0; }
static void ar_odd(struct wires *w) { read_offer(w), w->araddr = 36; }
static void ar_page(struct wires *w) { read_offer(w), w->araddr = 4096 - 32, w->arlen = 1; }
static void ar_nobody(struct wires *w) { read_offer(w), w->arid = 9; }
static void ar_high(struct wires *w) { read_offer(w), w->arid = 32; }
static void ar_fixed(struct wires *w) { read_offer(w), w->arburst = 0; }
static void ar_narrow(struct wires *w) { read_offer(w), w->arsize = 4; }
static void aw_gone(struct wires *w) { w->awvalid = 0; }
static void aw_addr(struct wires *w) { w->awaddr ^= 32; }
static void aw_id(struct wires *w) { w->awid ^= 1; }
static void aw_len(struct wires *w) { w->awlen ^= 1; }
static void aw_size(struct wires *w) { w->awsize = 4; }
static void aw_burst(struct wires *w) { w->awburst = 0; }
static void aw_odd(struct wires *w) { write_offer(w), w->awaddr = 36; }
static void aw_page(struct wires *w) { write_offer(w), w->awaddr = 4096 - 32, w->awlen = 1; }
static void aw_nobody(struct wires *w) { write_offer(w), w->awid = 9; }
static void aw_wrap(struct wires *w) { write_offer(w), w->awburst = 2; }
static void w_gone(struct wires *w) { w->wvalid = 0; }
static void w_first(struct wires *w) { w->wdata[0] ^= 1; }
static void w_second(struct wires *w) { w->wdata[1] ^= 1; }
static void w_third(struct wires *w) { w->wdata[2] ^= 1; }
static void w_fourth(struct wires *w) { w->wdata[3] ^= 1; }
static void w_fifth(struct wires *w) { w->wdata[4] ^= 1; }
static void w_sixth(struct wires *w) { w->wdata[5] ^= 1; }
static void w_seventh(struct wires *w) { w->wdata[6] ^= 1; }
static void w_eighth(struct wires *w) { w->wdata[7] ^= 1u << 31; }
static void w_strb(struct wires *w) { w->wstrb ^= 1; }
static void w_last(struct wires *w) { w->wlast ^= 1; }
static void w_early(struct wires *w) { data_offer(w), w->awlen = 1; }
static void w_late(struct wires *w) { data_offer(w), w->wlast = 0; }

static const struct plant plants[] = {
    { "read address was withdrawn", read_offer, ar_gone, false },
    { "read address changed", read_offer, ar_addr, false },
    { "read address changed", read_offer, ar_id, false },
    { "read address changed", read_offer, ar_len, false },
    { "read address changed", read_offer, ar_size, false },
    { "read address changed", read_offer, ar_burst, false },
    { "read burst is not INCR of aligned", ar_odd, nothing, true },
    { "read burst is not INCR of aligned", ar_fixed, nothing, true },
    { "read burst is not INCR of aligned", ar_narrow, nothing, true },
    { "crosses a 4 KiB boundary", ar_page, nothing, true },
    { "a read with an ID that no unit owns", ar_nobody, nothing, true },
    { "a read with an ID that no unit owns", ar_high, nothing, true },
    { "write address was withdrawn", write_offer, aw_gone, false },
    { "write address changed", write_offer, aw_addr, false },
    { "write address changed", write_offer, aw_id, false },
    { "write address changed", write_offer, aw_len, false },
    { "write address changed", write_offer, aw_size, false },
    { "write address changed", write_offer, aw_burst, false },
    { "write burst is not INCR of aligned", aw_odd, nothing, true },
    { "write burst is not INCR of aligned", aw_wrap, nothing, true },
    { "crosses a 4 KiB boundary", aw_page, nothing, true },
    { "a write with an ID that no unit owns", aw_nobody, nothing, true },
    { "write data was withdrawn", data_offer, w_gone, false },
    { "write data changed", data_offer, w_first, false },
    { "write data changed", data_offer, w_second, false },
    { "write data changed", data_offer, w_third, false },
    { "write data changed", data_offer, w_fourth, false },
    { "write data changed", data_offer, w_fifth, false },
    { "write data changed", data_offer, w_sixth, false },
    { "write data changed", data_offer, w_seventh, false },
    { "write data changed", data_offer, w_eighth, false },
    { "write data changed", data_offer, w_strb, false },
    { "write data changed", data_offer, w_last, false },
    { "wlast on the wrong beat", w_early, nothing, true },
    { "wlast on the wrong beat", w_late, nothing, true },
    { "an offer during reset", reset, read_offer, false },
    { "an offer during reset", reset, write_offer, false },
    { "an offer during reset", reset, data_offer, false },
};

/* Two cycles: in the first nothing is taken, or all, as `ready` says. */
static void offer(struct bench *b, bool ready)
{
    struct wires *w = &b->w;
    w->arready = w->awready = w->wready = ready;
    axi_sample(&b->m);
}

static void violations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plants / sizeof plants[0]; i++) {
        const struct plant *p = &plants[i];
        struct bench *b = start(0);
        p->first(&b->w);
        offer(b, p->taken);
        if (!p->taken) {
            assert_string_equal(axi_error(&b->m), "");
            p->change(&b->w);
            offer(b, false);
        }
        if (!strstr(axi_error(&b->m), p->said))
            fail_msg("plant %zu: `%s' instead of `%s'", i, axi_error(&b->m), p->said);
        stop(b);
        /* The same without the change is no violation. */
        b = start(0);
        if (!p->taken) {
            p->first(&b->w);
            offer(b, false);
            offer(b, false);
            assert_string_equal(axi_error(&b->m), "");
        }
        stop(b);
    }
}

static void behind_reset(void **state)
{
    (void)state;
    struct bench *b = start(0);
    b->w.rst_n = 0;
    read_offer(&b->w);
    offer(b, false);                                 /* the edge that resets has yet to come */
    assert_string_equal(axi_error(&b->m), "");
    ar_gone(&b->w);
    offer(b, false);
    b->w.rst_n = 1;
    read_offer(&b->w);
    offer(b, false);
    assert_non_null(strstr(axi_error(&b->m), "first cycle after reset"));
    stop(b);
}

/* One more than an ID may have under way, each way. */
static void too_many(void **state)
{
    (void)state;
    static const struct axi_limits few = { .reads = { [3] = 2 }, .writes = { [3] = 2 } };
    for (int write = 0; write < 2; write++) {
        struct bench *b = start(0);
        b->m.rules.limits = &few;
        b->w.arid = b->w.awid = 3;
        for (int n = 0; n < 3; n++) {
            if (write)
                data_offer(&b->w);
            else
                read_offer(&b->w);
            assert_string_equal(axi_error(&b->m), "");
            offer(b, true);
        }
        assert_non_null(strstr(axi_error(&b->m), "under way than their unit may have"));
        stop(b);
    }
}

/* Those of the core: three units read, two write. */
static void units(void **state)
{
    (void)state;
    unsigned reads = 0, writes = 0;
    for (unsigned id = 0; id < AXI_IDS; id++)
        reads += axi_core_limits.reads[id] > 0, writes += axi_core_limits.writes[id] > 0;
    assert_int_equal(reads, 3);
    assert_int_equal(writes, 2);
}

/* Areas that answer with an error: nothing is written there, reads give something else, and the
 * neighbours are as ever; either answer, either way. */
static void errors(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct bench *b = start(seed);
        struct bus bus = { 0 };
        uint32_t data[8], old[8], got[8], resp[4];
        b->m.bus = &bus;
        assert_true(bus_add(&bus, 64, 32, HD_BUS_READ | HD_BUS_WRITE));
        assert_true(bus_add(&bus, 96, 32, HD_BUS_READ | HD_BUS_DECERR));
        for (uint32_t line = 1; line < 5; line++) {
            memset(b->bytes + 32 * line, (int)line, 32);
            memcpy(old, b->bytes + 32 * line, 32);
            memset(data, (int)(line + 16), 32);
            write_line(b, 32 * line, 1, data, ~0u, 0);
            resp[line - 1] = b->w.bresp;
            assert_memory_equal(b->bytes + 32 * line, line == 2 ? old : data, 32);
            read_line(b, 32 * line, 1, got, 0);
            assert_int_equal(!memcmp(got, b->bytes + 32 * line, 32), line != 2 && line != 3);
            resp[line - 1] |= (uint32_t)b->w.rresp << 4;
        }
        const uint32_t want[4] = { 0, 0x22, 0x30, 0 };
        assert_memory_equal(resp, want, sizeof want);
        stop(b);
    }
}

/* Whatever the mood, what is offered is taken in the end, and so is what waits for the other; each
 * way of waiting is met. */
static void moods(void **state)
{
    (void)state;
    unsigned met[3][3] = { { 0 } }, silent = 0, alternating = 0;
    for (uint64_t seed = 1; seed < 20; seed++) {
        struct bench *b = start(seed);
        uint32_t data[8] = { 1 };
        for (int n = 0; n < 400; n++) {
            uint64_t from = b->m.now;
            met[b->m.mood.aw_waits][b->m.mood.w_waits]++;
            silent += !b->m.mood.ar + !b->m.mood.aw + !b->m.mood.w + !b->m.mood.r + !b->m.mood.b;
            alternating += b->m.mood.interleave;
            write_line(b, 64, 1, data, ~0u, 0);
            assert_true(b->m.now - from < 2000);
        }
        assert_string_equal(axi_error(&b->m), "");
        stop(b);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_true((met[i][j] > 0) == (i != AXI_TAKEN || j != AXI_TAKEN));
    assert_true(silent && alternating);
}

/* Above the memory that is there nothing is read or written: DECERR, early reads and late ones. */
static void outside(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct bench *b = start(seed);
        uint32_t data[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
        for (uint64_t addr = HD_MEMORY; addr < HD_MEMORY + (uint64_t)4096 * 4096; addr += 1 << 20) {
            write_line(b, addr, 1, data, ~0u, 0);
            assert_int_equal(b->w.bresp, 3);
            read_line(b, addr, 1, data, 0);
            assert_int_equal(b->w.rresp, 3);
        }
        stop(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readback),     cmocka_unit_test(order),    cmocka_unit_test(violations),
        cmocka_unit_test(behind_reset), cmocka_unit_test(too_many), cmocka_unit_test(units),
        cmocka_unit_test(errors),       cmocka_unit_test(moods),    cmocka_unit_test(outside)
    };
    return cmocka_run_group_tests_name("axi_mem", tests, NULL, NULL);
}

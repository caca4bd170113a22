/* A core that hangs is distinguished from a program that does: wires are held or answers lost on
 * purpose, and the report must blame the RTL, name the warp that could run, and say what the memory
 * port still owes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The program's own deadlocks are tests/fail/deadlock*; hangs inside the core are tests/mutants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "harness/device/device.h"

/* Two blocks of two warps; each thread loads, adds, stores, meets the others, loads what a
 * neighbour stored. */
static const char program[] =
    ".text\n.kernel k\n.regs 16\n.param data u64 8\n"
    "    S2R R0, SR_TID_X\n    S2R R1, SR_CTAID_X\n    IMAD R0, R1, 64, R0\n    LDC.64 R4, [RZ]\n"
    "    IMAD.W.U32 R6, R0, 4, R4\n    LDG R8, [R6]\n    IADD R8, R8, 1\n    STG [R6], R8\n"
    "    BAR.SYNC B0, 0\n"
    "    LDG R9, [R6]\n    IADD R9, R9, R8\n    STG [R6], R9\n    EXIT\n";
/* The same deadlock whatever the memory does: half of the warp never comes to the barrier. */
static const char deadlock[] =
    ".text\n.kernel k\n.regs 16\n.param data u64 8\n"
    "    LDC.64 R4, [RZ]\n    LDG R8, [R4]\n    BAR.SYNC B0, 96\n    EXIT\n";

/* Block 0 works for a long time; block 1 loads once. */
static const char busy[] =
    ".text\n.kernel k\n.regs 16\n.param data u64 8\n"
    "    S2R R1, SR_CTAID_X\n    ISETP.EQ.U32.AND P0, R1, 0, PT\n    LDC.64 R4, [RZ]\n"
    "    @P0 BRA work\n    LDG R8, [R4]\n"
    "    IADD R8, R8, 1\n    EXIT\nwork:\n    IADD R2, R2, 1\n"
    "    ISETP.LT.U32.AND P0, R2, 100000, PT\n    @P0 BRA work\n    EXIT\n";

struct plant {
    const char *name;
    void (*meddle)(void *user, struct rtl *r);
    const char *said[3];
    bool done;
    uint64_t from;       /* cycle in which data is first accessed; 0: it has not been */
};

static bool of_data(const struct axi_queue *q)
{
    for (unsigned i = 0; i < q->n; i++)
        if (q->t[i].addr >= LAUNCH_HEAP)
            return true;
    return false;
}

/* From the first access to data on things go wrong: all warps have begun, loads are under way. */
static bool late(struct plant *p, const struct rtl *r)
{
    if (!p->from && r->start && (of_data(&r->mem->rd) || of_data(&r->mem->wr)))
        p->from = r->cycle;
    return p->from;
}

static bool answers_data(const struct rtl *r)
{
    return *r->p.mem.rvalid && r->mem->rd.t[r->mem->rcur].addr >= LAUNCH_HEAP;
}

/* An answer on the wires stays the next one, so nothing else is answered either. */
static void no_read_data(void *u, struct rtl *r)
{
    (void)u;
    if (answers_data(r))
        *r->p.mem.rvalid = 0;
}
static void no_write_answer(void *u, struct rtl *r) { if (late(u, r)) *r->p.mem.bvalid = 0; }
static void no_read_address(void *u, struct rtl *r) { if (late(u, r)) *r->p.mem.arready = 0; }
static void no_write_address(void *u, struct rtl *r) { if (late(u, r)) *r->p.mem.awready = 0; }
static void no_write_data(void *u, struct rtl *r) { if (late(u, r)) *r->p.mem.wready = 0; }
static void in_reset(void *u, struct rtl *r) { if (late(u, r)) *r->p.rst_n = 0; }
static void deaf_launch_port(void *u, struct rtl *r) { (void)u; *r->p.bready = 0; }
static void deaf_status(void *u, struct rtl *r) { if (late(u, r)) *r->p.rready = 0; }

static void forget(struct axi_queue *q, int *cur)
{
    memmove(&q->t[*cur], &q->t[*cur + 1], (--q->n - (unsigned)*cur) * sizeof q->t[0]);
    *cur = -1;
}

/* One answer is lost. */
static void lose_read(void *u, struct rtl *r)
{
    struct plant *p = u;
    if (p->done || !late(p, r) || !*r->p.mem.rvalid)
        return;
    *r->p.mem.rvalid = 0;
    forget(&r->mem->rd, &r->mem->rcur);
    p->done = true;
}

static void lose_last_beat(void *u, struct rtl *r)
{
    struct plant *p = u;
    if (p->done || !*r->p.mem.rvalid || !*r->p.mem.rlast || !r->mem->rd.t[r->mem->rcur].len)
        return;
    *r->p.mem.rvalid = 0;
    forget(&r->mem->rd, &r->mem->rcur);
    p->done = true;
}

static void lose_write_answer(void *u, struct rtl *r)
{
    struct plant *p = u;
    if (p->done || !late(p, r) || !*r->p.mem.bvalid)
        return;
    *r->p.mem.bvalid = 0;
    r->mem->wcur--;
    forget(&r->mem->wr, &r->mem->bcur);
    p->done = true;
}

static void lose_load(void *u, struct rtl *r)
{
    struct plant *p = u;
    if (p->done || !answers_data(r))
        return;
    *r->p.mem.rvalid = 0;
    forget(&r->mem->rd, &r->mem->rcur);
    p->done = true;
}

/* Half a second of silence is no hang: what comes late comes. */
static void slow(void *u, struct rtl *r)
{
    struct plant *p = u;
    if (late(p, r) && r->cycle - p->from < 60000)
        *r->p.mem.rvalid = 0;
}

static struct plant plants[] = {
    { "read data never comes",
      no_read_data,
      { "can run at PC", "read",
        "not answered; the oldest at 0x10000000 (ID 0) was due at cycle" },
      false, 0 },
    { "write answers never come",
      no_write_answer,
      { "stands still", "write", "not answered" },
      false, 0 },
    { "read addresses are never taken",
      no_read_address,
      { "can run at PC", "a read address that the core offers is not taken" },
      false, 0 },
    { "write addresses are never taken",
      no_write_address,
      { "stands still", "a write address that the core offers is not taken" },
      false, 0 },
    { "write data is never taken",
      no_write_data,
      { "stands still", "write data that the core offers is not taken" },
      false, 0 },
    { "a read answer is lost", lose_read, { "can run at PC", "memory port: idle" }, false, 0 },
    { "the last beat of a burst is lost",
      lose_last_beat,
      { "can run at PC", "memory port: idle" },
      false, 0 },
    { "a write answer is lost", lose_write_answer, { "memory port: idle" }, false, 0 },
    { "the core is held in reset", in_reset, { "stands still" }, false, 0 },
    { "the launch port never answers",
      deaf_launch_port,
      { "the launch port does not answer" },
      false, 0 },
    { "the status register never answers",
      deaf_status,
      { "every block has ended, but the RTL stays busy" },
      false, 0 },
};

static hd_device *open_device(void)
{
    struct hd_config cfg = { .kind = HD_LOCKSTEP };
    hd_device *d;
    if (hd_open(&cfg, &d) != HD_OK)
        fail_msg("%s", hd_device_error(d));
    return d;
}

static struct hd_image *assemble(const char *text)
{
    struct hd_image *img = NULL;
    struct hd_err err = { 0 };
    if (hd_asm("program", text, &img, &err))
        fail_msg("%s", err.text);
    return img;
}

static enum hd_status launch(hd_device *d, const struct hd_image *img, char **said)
{
    uint64_t data;
    size_t size = 0;
    assert_int_equal(hd_load(d, img), HD_OK);
    assert_int_equal(hd_malloc(d, 512, &data), HD_OK);
    uint64_t params[1] = { data };
    struct hd_launch l = {
        .grid = { 2, 1, 1 }, .block = { 64, 1, 1 }, .params = params, .params_size = sizeof params
    };
    enum hd_status s = hd_launch_grid(d, &l);
    FILE *f = open_memstream(said, &size);
    hd_explain(d, f);
    fclose(f);
    return s;
}

/* Every plant gives a difference, blamed on the RTL, in the words that it must say. */
static void rtl_hangs(void **state)
{
    (void)state;
    struct hd_image *img = assemble(program);
    for (size_t i = 0; i < sizeof plants / sizeof plants[0]; i++) {
        struct plant *p = &plants[i];
        char *said = NULL;
        hd_device *d = open_device();
        d->rtl->meddle = p->meddle;
        d->rtl->meddle_user = p;
        enum hd_status s = launch(d, img, &said);
        bool ok = s == HD_MISMATCH && d->verdict.trouble == HD_TROUBLE_HANG &&
                  strstr(said, "not the program's");
        for (unsigned k = 0; k < 3 && p->said[k]; k++)
            ok = ok && strstr(said, p->said[k]);
        if (!ok)
            fail_msg("%s: %s\n%s", p->name, hd_strerror(s), said);
        free(said);
        hd_close(d);
    }
    hd_image_free(img);
}

/* A deadlock of the program stays one when the memory is slow, and slowness alone is nothing. */
static void program_deadlock(void **state)
{
    (void)state;
    struct hd_image *dead = assemble(deadlock), *good = assemble(program);
    for (int k = 0; k < 2; k++) {
        char *said = NULL;
        hd_device *d = open_device();
        struct plant p = { .meddle = slow };
        d->rtl->meddle = p.meddle;
        d->rtl->meddle_user = &p;
        assert_int_equal(launch(d, k ? good : dead, &said), k ? HD_OK : HD_DEADLOCK);
        if (!k)
            assert_non_null(strstr(
                said, "deadlock of the program: no warp can ever run again (RTL and model agree)"));
        free(said);
        hd_close(d);
    }
    hd_image_free(dead);
    hd_image_free(good);
}

/* One warp hangs while others retire: found long before those have ended. */
static void one_warp(void **state)
{
    (void)state;
    struct plant p = { .meddle = lose_load };
    struct hd_image *img = assemble(busy);
    char *said = NULL;
    hd_device *d = open_device();
    d->rtl->meddle = p.meddle;
    d->rtl->meddle_user = &p;
    enum hd_status s = launch(d, img, &said);
    if (s != HD_MISMATCH || d->verdict.trouble != HD_TROUBLE_HANG ||
        !strstr(said, "can run at PC 0x40, but does not"))
        fail_msg("%s\n%s", hd_strerror(s), said);
    assert_true(hd_get_counters(d)->cycles < 120000);
    free(said);
    hd_close(d);
    hd_image_free(img);
}

/* A device goes on after a fault, a deadlock, a limit, a stop, a difference and a hang.  `good`
 * shows what it found in shared memory, and leaves zeros. */
static const char many[] =
    ".text\n.kernel good\n.regs 16\n.shared 1024\n.param data u64 8\n"
    "    S2R R0, SR_TID_X\n    LDC.64 R4, [RZ]\n    IMAD.W.U32 R6, R0, 4, R4\n    SHL R1, R0, 2\n"
    "    LDS R2, [R1]\n"
    "    STS [R1], RZ\n    IADD R0, R0, R2\n    STG [R6], R0\n    EXIT\n"
    ".kernel faults\n.regs 16\n.shared 1024\n.param data u64 8\n"
    "    S2R R0, SR_TID_X\n    SHL R1, R0, 2\n    STS [R1], R0\n    LDG R2, [RZ]\n    EXIT\n"
    ".kernel stuck\n.regs 16\n.param data u64 8\n    BAR.SYNC B0, 96\n    EXIT\n"
    ".kernel endless\n.regs 16\n.shared 1024\n.param data u64 8\n"
    "    S2R R0, SR_TID_X\n    SHL R1, R0, 2\n    LDC.64 R4, [RZ]\n    IMAD.W.U32 R6, R0, 4, R4\n"
    "more:\n    IADD R2, R2, 1\n"
    "    STS [R1], R2\n    STG [R6], R2\n    BRA more\n";

static void tamper(void *user, struct hd_commit *c)
{
    (void)user;
    if (c->seq == 20)
        c->val[0][3] ^= 1;
}

static bool stop_soon(void *user, const struct hd_commit *c)
{
    (void)user;
    return c->seq < 30;
}

static void again(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        enum hd_status want;
    } bad[] = { { "faults", HD_FAULT },    { "stuck", HD_DEADLOCK },   { "endless", HD_LIMIT },
                { "endless", HD_STOPPED }, { "endless", HD_MISMATCH }, { "good", HD_MISMATCH } };
    struct hd_image *img = assemble(many);
    for (int kind = HD_RTL; kind <= HD_LOCKSTEP; kind++) {
        struct hd_config cfg = { .kind = (enum hd_kind)kind, .limit = 20000 };
        uint64_t data;
        uint32_t got[64];
        hd_device *d;
        assert_int_equal(hd_open(&cfg, &d), HD_OK);
        assert_int_equal(hd_load(d, img), HD_OK);
        assert_int_equal(hd_malloc(d, sizeof got, &data), HD_OK);
        uint64_t params[1] = { data }, transactions = 0;
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            struct plant p = { .meddle = lose_write_answer };
            struct hd_launch l = { .kernel = bad[i].kernel,
                                   .grid = { 1, 1, 1 },
                                   .block = { 64, 1, 1 },
                                   .params = params,
                                   .params_size = sizeof params };
            if (kind == HD_RTL && bad[i].want == HD_MISMATCH)
                continue;
            if (bad[i].want == HD_STOPPED)
                hd_on_commit(d, stop_soon, NULL);
            d->tamper = bad[i].want == HD_MISMATCH && bad[i].kernel[0] == 'e' ? tamper : NULL;
            if (bad[i].want == HD_MISMATCH && !d->tamper)
                d->rtl->meddle = p.meddle, d->rtl->meddle_user = &p;
            enum hd_status s = hd_launch_grid(d, &l);
            if (s != bad[i].want)
                fail_msg("%s: %s", bad[i].kernel, hd_strerror(s));
            d->rtl->meddle = NULL;
            d->tamper = NULL;
            hd_on_commit(d, NULL, NULL);
            l.kernel = "good";
            for (int k = 0; k < 2; k++)
                assert_int_equal(hd_launch_grid(d, &l), HD_OK);
            assert_int_equal(hd_read(d, data, got, sizeof got), HD_OK);
            for (unsigned t = 0; t < 64; t++)
                assert_int_equal(got[t], t);
            assert_true(!transactions || transactions == hd_get_counters(d)->mem_transactions);
            transactions = hd_get_counters(d)->mem_transactions;
        }
        hd_close(d);
    }
    hd_image_free(img);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rtl_hangs),
                                        cmocka_unit_test(program_deadlock),
                                        cmocka_unit_test(one_warp), cmocka_unit_test(again) };
    return cmocka_run_group_tests_name("hangs", tests, NULL, NULL);
}

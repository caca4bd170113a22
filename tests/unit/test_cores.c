/* Several cores in lockstep: what is equal, and that each kind of error at the port they share is
 * noticed.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "harness/core/cores.h"
#include "harness/device/device.h"

enum { BLOCKS = 12, BUFFER = 4096 };

/* Every block stores its core, adds to a word, then stores its number; block 5 traps where told. */
static const char program[] =
    ".text\n.kernel k\n.regs 16\n.param data u64 8\n.param trap u32 4 8\n"
    "    LDC.64 R4, [RZ]\n    LDC R2, [RZ+0x8]\n    S2R R0, SR_CTAID_X\n    S2R R1, SR_SMID\n"
    "    ISETP.EQ.U32.AND P0, R0, 5, PT\n    ISETP.NE.U32.AND P1, R2, 0, PT\n"
    "    IMAD.W.U32 R6, R0, 4, R4\n    STG [R6+0x80], R1\n"
    "    MOV R3, 0x1\n    ATOM.ADD R8, [R4], R3\n"
    "    STG [R6+0x40], R0\n    LDG R11, [R6+0x80]\n    LDG R9, [R6+0x40]\n    IADD R9, R9, R0\n"
    "    STG [R6+0x40], R9\n"
    "    @!P0 BRA end\n    @P1 BPT.TRAP\nend:\n    EXIT\n";

static struct hd_image *img;

static int assemble(void **state)
{
    struct hd_err err = { 0 };
    (void)state;
    if (hd_asm("program", program, &img, &err))
        fprintf(stderr, "%s\n", err.text);
    return img == NULL;
}

static int drop(void **state)
{
    (void)state;
    hd_image_free(img);
    return 0;
}

static hd_device *open_cores(unsigned n, uint64_t seed, uint64_t *data)
{
    const struct hd_config cfg = {
        .kind = HD_LOCKSTEP, .lanes = 4, .cores = n, .mem_seed = seed, .limit = 100000
    };
    hd_device *d;
    if (hd_open(&cfg, &d) != HD_OK)
        fail_msg("%s", hd_device_error(d));
    assert_int_equal(hd_load(d, img), HD_OK);
    assert_int_equal(hd_malloc(d, BUFFER, data), HD_OK);
    return d;
}

static enum hd_status launch(hd_device *d, uint64_t data, uint32_t trap)
{
    const struct { uint64_t data; uint32_t trap, unused; } params = { data, trap, 0 };
    const struct hd_launch l = {
        .grid = { BLOCKS, 1, 1 }, .block = { 32, 1, 1 }, .params = &params, .params_size = 12
    };
    return hd_launch_grid(d, &l);
}

/* Each core has had blocks, none twice, and one that is done stays usable. */
static void equal(void **state)
{
    (void)state;
    for (unsigned n = 2; n <= SHARE_CORES; n += 2)
        for (uint64_t seed = 0; seed < 3; seed++) {
            uint64_t data;
            uint32_t of[BLOCKS], sum[BLOCKS], total, cores = 0;
            hd_device *d = open_cores(n, seed, &data);
            for (uint32_t round = 1; round <= 2; round++) {
                if (launch(d, data, 0) != HD_OK) {
                    hd_explain(d, stderr);
                    fail();
                }
                hd_read(d, data, &total, 4);
                assert_int_equal(total, round * BLOCKS * 32);
            }
            hd_read(d, data + 0x40, sum, sizeof sum);
            hd_read(d, data + 0x80, of, sizeof of);
            for (uint32_t b = 0; b < BLOCKS; b++) {
                assert_int_equal(sum[b], 2 * b);
                assert_in_range(of[b], 0, n - 1);
                cores |= 1u << of[b];
            }
            assert_int_equal(cores, (1u << n) - 1);
            hd_close(d);
        }
}

/* A fault stops all, is reported with its block, and the next launch is as the first. */
static void fault(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        uint64_t data;
        hd_device *d = open_cores(3, seed, &data);
        for (int round = 0; round < 2; round++) {
            assert_int_equal(launch(d, data, 1), HD_FAULT);
            assert_non_null(hd_get_fault(d));
            assert_int_equal(hd_get_fault(d)->block, 5);
            assert_int_equal(launch(d, data, 0), HD_OK);
        }
        hd_close(d);
    }
}

/* ---- errors at the port ---- */

static bool of_lsu(uint8_t id) { return id % AXI_IDS == 0; }

/* Data of writes, before they act. */
static void wrong_data(void *u, struct rtl *r)
{
    (void)u;
    for (unsigned i = 0; i < r->mem->nw; i++)
        if (of_lsu(r->mem->wbuf[i].txn_id))
            r->mem->wbuf[i].d.data[0] |= 0x100000;
}

static void lost_byte(void *u, struct rtl *r)
{
    (void)u;
    for (unsigned i = 0; i < r->mem->nw; i++)
        if (of_lsu(r->mem->wbuf[i].txn_id))
            r->mem->wbuf[i].d.strb &= r->mem->wbuf[i].d.strb - 1;
}

static void one_byte_more(void *u, struct rtl *r)
{
    (void)u;
    for (unsigned i = 0; i < r->mem->nw; i++)
        if (of_lsu(r->mem->wbuf[i].txn_id))
            r->mem->wbuf[i].d.strb |= 1u << 31;
}

/* The write of one core as if it were another's. */
static void other_core(void *u, struct rtl *r)
{
    (void)u;
    for (unsigned i = 0; i < r->mem->wr.n && i < r->mem->nw; i++)
        if (of_lsu(r->mem->wr.t[i].id) && r->mem->wr.t[i].id / AXI_IDS == 1)
            r->mem->wr.t[i].id = r->mem->wbuf[i].txn_id = 2 * AXI_IDS;
}

/* What a load is answered, once in a while. */
static void wrong_answer(void *u, struct rtl *r)
{
    (void)u;
    if (*r->mem->p.rvalid && of_lsu(*r->mem->p.rid))
        r->mem->p.rdata[r->cycle % 8] ^= 1u << r->cycle % 32;
}

/* ---- errors of the lock, and of a core ---- */

static struct cores *group;
static const struct share_calls *true_calls;
static struct share_calls meddled;
static uint8_t true_lock;
static bool early;

static void set_lock(uint8_t to) { memcpy((void *)(uintptr_t)group->p.lock, &to, sizeof to); }

/* Who wants the lock has it: one core before its time, or all beside the one whose it is. */
static void give_lock(share_unit *u)
{
    const uint8_t want = *group->p.want;
    set_lock(true_lock);
    true_calls->eval(u);
    true_lock = *group->p.lock;
    if (!true_lock == early)
        set_lock(early ? want & -want : want);
}

static void give(hd_device *d, bool before)
{
    group = d->cores;
    true_calls = group->calls;
    meddled = *true_calls;
    meddled.eval = give_lock;
    group->calls = &meddled;
    true_lock = 0;
    early = before;
}

static void too_early(hd_device *d) { give(d, true); }
static void to_all(hd_device *d) { give(d, false); }
/* A core that takes itself for the only one: its loads follow each other. */
static void alone(hd_device *d) { *d->cores->rtl[1]->p.cores = 1; }

static void noticed(void **state)
{
    static const struct {
        void (*meddle)(void *, struct rtl *);
        void (*plant)(hd_device *);
        enum hd_trouble trouble;
        const char *why;
    } error[] = {
        { wrong_data, NULL, HD_TROUBLE_MEMORY, "memory differs when its store retires" },
        { lost_byte, NULL, HD_TROUBLE_MEMORY, "that the instruction stores was not written" },
        { one_byte_more, NULL, HD_TROUBLE_MEMORY, "was written that the instruction does not" },
        { other_core, NULL, HD_TROUBLE_NONE, "" },
        { wrong_answer, NULL, HD_TROUBLE_NONE, "" },
        { NULL, too_early, HD_TROUBLE_PROTOCOL, "a write is under way beside" },
        { NULL, to_all, HD_TROUBLE_PROTOCOL, "two cores have the lock" },
        { NULL, alone, HD_TROUBLE_MEMORY, "acts before the one before it of its warp" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof error / sizeof *error; i++) {
        uint64_t data;
        struct hd_mismatch x;
        hd_device *d = open_cores(3, 0, &data);
        d->rtl->meddle = error[i].meddle;            /* the port is the same for all */
        if (error[i].plant)
            error[i].plant(d);
        enum hd_status got = launch(d, data, 0);
        if (got != HD_MISMATCH || !hd_get_mismatch(d, &x))
            fail_msg("error %zu: %s", i, hd_strerror(got));
        assert_non_null(strstr(x.why, "core "));
        if (error[i].trouble)
            assert_int_equal(x.trouble, error[i].trouble);
        if (!strstr(x.why, error[i].why))
            fail_msg("%s", x.why);
        hd_close(d);
    }
}

static void refused(void **state)
{
    const struct hd_config one[] = {
        { .kind = HD_LOCKSTEP, .cores = 9 },
        { .kind = HD_MODEL, .cores = 2 },
        { .kind = HD_LOCKSTEP, .cores = 2, .lanes = 4, .wave = "/tmp/none.fst" },
        { .kind = HD_LOCKSTEP, .cores = 2, .lanes = 4, .four_state = true },
    };
    uint64_t data;
    (void)state;
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        hd_device *d;
        assert_int_equal(hd_open(&one[i], &d), HD_BAD_ARGUMENT);
        hd_close(d);
    }
    hd_device *d = open_cores(2, 0, &data);
    assert_int_equal(hd_bus_error(d, data, 32, HD_BUS_READ), HD_OK);
    assert_int_equal(launch(d, data, 0), HD_BAD_ARGUMENT);
    hd_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(equal), cmocka_unit_test(fault),
                                        cmocka_unit_test(noticed), cmocka_unit_test(refused) };
    return cmocka_run_group_tests(tests, assemble, drop);
}

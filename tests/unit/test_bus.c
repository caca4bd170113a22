/* Bus errors through the public interface: what is refused, what an area is, launches after a
 * fault, and the core started again without a reset; random kernels with such areas.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which lanes fault and what is written all the same: tests/fail/bus.s and bus_stack.s. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "harness/device/device.h"
#include "harness/fuzz/fuzz.h"

/* out[i] = in[i] + 1 */
static const char add[] =
    ".text\n.kernel k\n.regs 16\n.param in u64 8\n.param out u64 8\n"
    "    LDC.64 R2, [RZ]\n    LDC.64 R4, [RZ+8]\n    S2R R0, SR_TID_X\n"
    "    IMAD.W.U32 R2, R0, 4, R2\n"
    "    IMAD.W.U32 R4, R0, 4, R4\n    LDG R6, [R2]\n    IADD R6, R6, 1\n    STG [R4], R6\n"
    "    EXIT\n";

struct bench { hd_device *d; struct hd_image *img; uint64_t at[2]; uint32_t out[32]; };

static void start(struct bench *b, enum hd_kind kind, uint64_t mem_seed)
{
    struct hd_config cfg = { .kind = kind, .lanes = 4, .mem_seed = mem_seed };
    struct hd_err err = { 0 };
    uint32_t in[32];
    if (hd_asm("add", add, &b->img, &err))
        fail_msg("%s", err.text);
    assert_int_equal(hd_open(&cfg, &b->d), HD_OK);
    assert_int_equal(hd_load(b->d, b->img), HD_OK);
    for (int k = 0; k < 2; k++) {
        uint64_t addr;
        assert_int_equal(hd_malloc(b->d, sizeof in, &addr), HD_OK);
        b->at[k] = addr;
    }
    for (uint32_t i = 0; i < 32; i++)
        in[i] = 100 + i;
    assert_int_equal(hd_write(b->d, (uint32_t)b->at[0], in, sizeof in), HD_OK);
}

static void stop(struct bench *b)
{
    hd_close(b->d);
    hd_image_free(b->img);
}

static enum hd_status launch(struct bench *b)
{
    struct hd_launch l = {
        .grid = { 1, 1, 1 }, .block = { 32, 1, 1 }, .params = b->at, .params_size = sizeof b->at
    };
    enum hd_status s = hd_launch_grid(b->d, &l);
    assert_int_equal(hd_read(b->d, (uint32_t)b->at[1], b->out, sizeof b->out), HD_OK);
    return s;
}

static void refused(void **state)
{
    (void)state;
    struct bench b;
    start(&b, HD_MODEL, 0);
    assert_int_equal(hd_bus_error(b.d, 64, 1, 0), HD_BAD_ARGUMENT);
    assert_int_equal(hd_bus_error(b.d, 64, 1, HD_BUS_DECERR), HD_BAD_ARGUMENT);
    assert_int_equal(hd_bus_error(b.d, HD_ADDR_END - 32, 33, HD_BUS_READ), HD_BAD_ARGUMENT);
    assert_int_equal(hd_bus_error(b.d, HD_ADDR_END, 1, HD_BUS_READ), HD_BAD_ARGUMENT);
    assert_int_equal(hd_bus_error(b.d, HD_ADDR_END - 32, 32, HD_BUS_READ), HD_OK);
    for (unsigned k = 1; k < BUS_AREAS; k++)
        assert_int_equal(hd_bus_error(b.d, 64 * k, 1, HD_BUS_WRITE), HD_OK);
    assert_int_equal(hd_bus_error(b.d, 64, 1, HD_BUS_READ), HD_TOO_BIG);
    assert_int_equal(hd_bus_error(b.d, 0, 0, 0), HD_OK);
    assert_int_equal(hd_bus_error(b.d, 64, 1, HD_BUS_READ), HD_OK);
    stop(&b);
}

/* An area is whole sectors: its neighbours are not of it. */
static void sectors(void **state)
{
    (void)state;
    struct bus b = { 0 };
    assert_true(bus_add(&b, 95, 2, HD_BUS_READ));
    assert_true(bus_add(&b, 256, 32, HD_BUS_WRITE | HD_BUS_DECERR));
    for (uint64_t addr = 0; addr < 512; addr++) {
        assert_int_equal(bus_answer(&b, addr, false), addr >= 64 && addr < 128 ? 2 : 0);
        assert_int_equal(bus_answer(&b, addr, true), addr >= 256 && addr < 288 ? 3 : 0);
    }
    assert_int_equal(bus_answer(&b, 64 + ((uint64_t)1 << 32), false), 0);
}

/* A fault, then launches with another area and with none, on the same device. */
static void again(void **state)
{
    (void)state;
    for (int kind = HD_MODEL; kind <= HD_LOCKSTEP; kind++)
        for (uint64_t seed = 0; seed < (kind == HD_MODEL ? 1 : 4); seed++) {
            struct bench b;
            if (kind == HD_RTL)
                continue;
            start(&b, (enum hd_kind)kind, seed);
            assert_int_equal(hd_bus_error(b.d, (uint32_t)b.at[0] + 64, 32, HD_BUS_READ), HD_OK);
            assert_int_equal(launch(&b), HD_FAULT);
            assert_int_equal(hd_get_fault(b.d)->fault, HD_FAULT_BUS);
            assert_int_equal(hd_get_fault(b.d)->fault_m, 0xff0000);
            assert_int_equal(hd_get_fault(b.d)->fault_addr, b.at[0] + 64);
            assert_int_equal(b.out[0], 0);
            assert_int_equal(hd_bus_error(b.d, 0, 0, 0), HD_OK);
            assert_int_equal(hd_bus_error(b.d, LAUNCH_CODE + 0x50, 1, HD_BUS_READ), HD_OK);
            assert_int_equal(launch(&b), HD_FAULT);
            assert_int_equal(hd_get_fault(b.d)->pc, 0x40);
            assert_int_equal(hd_get_fault(b.d)->fault_addr, LAUNCH_CODE + 0x40);
            assert_int_equal(hd_bus_error(b.d, 0, 0, 0), HD_OK);
            assert_int_equal(launch(&b), HD_OK);
            for (uint32_t i = 0; i < 32; i++)
                assert_int_equal(b.out[i], 101 + i);
            stop(&b);
        }
}

/* The registers of a fault, and the core started again without a reset: nothing of it is left. */
static void no_reset(void **state)
{
    (void)state;
    struct bench b;
    start(&b, HD_RTL, 0);
    const struct { uint32_t addr, pc, bytes; } areas[] = { { (uint32_t)b.at[0] + 32, 0x50, 32 },
                  { (uint32_t)b.at[1] + 96, 0x70, 1 },
                  { LAUNCH_CODE, 0, 1 },
                  { LAUNCH_CONST, 0, 1 } };
    for (size_t k = 0; k < 2 * sizeof areas / sizeof areas[0]; k++) {
        struct rtl *r = b.d->rtl;
        uint32_t v = 0;
        bool bad = k % 2 == 0;
        b.d->bus.n = 0;
        if (bad)
            assert_int_equal(hd_bus_error(b.d, areas[k / 2].addr, areas[k / 2].bytes,
                                          HD_BUS_READ | HD_BUS_WRITE),
                             HD_OK);
        b.d->broken_off = false;                     /* so that no new core is made */
        assert_int_equal(launch(&b), bad ? HD_FAULT : HD_OK);
        assert_true(rtl_read(r, CSR_FAULT, &v));
        assert_int_equal(v, bad ? HD_FAULT_BUS : 0);
        assert_true(rtl_read(r, CSR_FAULT_PC, &v));
        assert_int_equal(v, bad ? areas[k / 2].pc : 0);
        assert_true(rtl_read(r, CSR_FAULT_ADDR, &v));
        assert_int_equal(v, bad ? areas[k / 2].addr : 0);
        for (uint32_t i = 0; !bad && i < 32; i++)
            assert_int_equal(b.out[i], 101 + i);
    }
    stop(&b);
}

/* Random kernels, each with areas: RTL and model agree, and enough of them meet one. */
static void random_kernels(void **state)
{
    (void)state;
    unsigned faults = 0, fetches = 0;
    for (int stack_mode = 0; stack_mode < 2; stack_mode++) {
        struct fuzz_choice f = {
            .frame = { .stack_mode = stack_mode, .lanes = 4, .stack_depth = 4 },
            .level = FUZZ_MACHINE
        };
        struct fuzz_machine m = { 0 };
        struct fuzz_result r;
        assert_true(fuzz_choice_open(&f, NULL));
        for (uint64_t seed = 1; seed <= 40; seed++) {
            struct fuzz_case c = fuzz_choose(&f, seed * 7919);
            c.bus_seed = seed * 2654435761u;
            assert_true(fuzz_run(&m, &c, 0, true, &r));
            if (r.kind == FUZZ_FAIL)
                fail_msg("%s, seed %d: %s", stack_mode ? "stack" : "barriers", (int)seed, r.text);
            const struct hd_commit *fault = hd_get_fault(m.dev);
            faults += fault && fault->fault == HD_FAULT_BUS;
            fetches += fault && fault->fault == HD_FAULT_BUS && !fault->exec;
            fuzz_case_free(&c);
        }
        fuzz_machine_close(&m);
        fuzz_choice_close(&f);
    }
    assert_true(faults >= 20 && fetches >= 5 && fetches < faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(refused), cmocka_unit_test(sectors),
                                        cmocka_unit_test(again), cmocka_unit_test(no_reset),
                                        cmocka_unit_test(random_kernels) };
    return cmocka_run_group_tests_name("bus", tests, NULL, NULL);
}

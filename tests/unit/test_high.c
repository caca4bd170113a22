/* Addresses above 4 GiB through the public interface: every upper bit, buffers that go over a
 * multiple of 4 GiB, what is refused, and what lies beyond all physical addresses.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "cmodel/base/sparse.h"
#include "cmodel/image/asm.h"
#include "harness/device/device.h"

/* out[i] = in[i] + 1, and sum gets all of in; the last by generic addresses. */
static const char code[] =
    ".text\n.kernel k\n.regs 16\n.param in u64 8\n.param out u64 8\n.param sum u64 8\n"
    "    LDC.64 R2, [RZ]\n    LDC.64 R4, [RZ+8]\n    LDC.64 R8, [RZ+16]\n    S2R R0, SR_TID_X\n"
    "    IMAD.W.U32 R2, R0, 4, R2\n    IMAD.W.U32 R4, R0, 4, R4\n"
    "    LDG R6, [R2]\n    ATOMG.ADD RZ, [R8], R6\n    IADD R6, R6, 1\n    STG [R4], R6\n"
    "    LD R7, [R4]\n    ST [R4+128], R7\n    EXIT\n";

enum { N = 32, BYTES = 2 * 4 * N };
struct bench { hd_device *d; struct hd_image *img; };

static void start(struct bench *b, enum hd_kind kind, bool third)
{
    struct hd_config cfg = { .kind = kind, .lanes = 4, .third_leg = third };
    struct hd_err err = { 0 };
    if (hd_asm("high", code, &b->img, &err))
        fail_msg("%s", err.text);
    assert_int_equal(hd_open(&cfg, &b->d), HD_OK);
    assert_int_equal(hd_load(b->d, b->img), HD_OK);
}

static void stop(struct bench *b)
{
    hd_close(b->d);
    hd_image_free(b->img);
}

static enum hd_status launch(struct bench *b, const uint64_t at[3])
{
    struct hd_launch l = { .grid = { 1, 1, 1 }, .block = { N, 1, 1 }, .params = at,
                           .params_size = 3 * sizeof *at };
    enum hd_status s = hd_launch_grid(b->d, &l);
    if (s == HD_MISMATCH)
        hd_explain(b->d, stderr);
    return s;
}

/* Buffers at these places or after them: what the kernel leaves is right. */
static void adds(struct bench *b, uint64_t in_from, uint64_t out_from, uint64_t sum_from)
{
    const uint64_t from[3] = { in_from, out_from, sum_from };
    uint64_t at[3];
    uint32_t in[N], out[2 * N], sum, want = 0;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(hd_malloc_from(b->d, from[k], BYTES, &at[k]), HD_OK);
        assert_true(at[k] >= from[k] && at[k] < from[k] + (1 << 20));
    }
    for (uint32_t i = 0; i < N; i++)
        want += in[i] = (uint32_t)from[0] + (uint32_t)(from[0] >> 32) * 1000 + i;
    assert_int_equal(hd_write(b->d, at[0], in, sizeof in), HD_OK);
    assert_int_equal(launch(b, at), HD_OK);
    assert_int_equal(hd_get_third(b->d), HD_THIRD_OK);
    assert_int_equal(hd_read(b->d, at[1], out, sizeof out), HD_OK);
    assert_int_equal(hd_read(b->d, at[2], &sum, sizeof sum), HD_OK);
    for (uint32_t i = 0; i < 2 * N; i++)
        assert_int_equal(out[i], in[i % N] + 1);
    assert_int_equal(sum, want);
    for (int k = 0; k < 3; k++)
        assert_int_equal(hd_free(b->d, at[k]), HD_OK);
}

/* Each upper bit alone, and all of them; buffers that only it tells apart, and over a boundary. */
static void bits(void **state)
{
    (void)state;
    static const enum hd_kind kinds[] = { HD_MODEL, HD_LOCKSTEP };
    for (int k = 0; k < 2; k++) {
        struct bench b;
        start(&b, kinds[k], true);
        for (unsigned bit = 34; bit < HD_ADDR_BITS; bit++) {
            const uint64_t high = (uint64_t)1 << bit;
            adds(&b, LAUNCH_HEAP, high + LAUNCH_HEAP, high + 2 * LAUNCH_HEAP);
            adds(&b, high - 64 * 4, high - 4096, high + 4096);
        }
        adds(&b, LAUNCH_HIGH_END - 3 * 8192, LAUNCH_HEAP, LAUNCH_HIGH);
        adds(&b, LAUNCH_HEAP, (uint64_t)7 << 32 | LAUNCH_HEAP, (uint64_t)3 << 32 | LAUNCH_HEAP);
        stop(&b);
    }
}

/* An address with a bit above all, and one between buffers, faults; it is no other address. */
static void beyond(void **state)
{
    (void)state;
    static const enum hd_kind kinds[] = { HD_MODEL, HD_LOCKSTEP };
    for (int k = 0; k < 2; k++) {
        struct bench b;
        start(&b, kinds[k], false);
        uint64_t at[3];
        for (int i = 0; i < 3; i++)
            assert_int_equal(hd_malloc_from(b.d, (uint64_t)(5 + i) << 33, BYTES, &at[i]), HD_OK);
        for (unsigned bit = 33; bit < 64; bit++) {
            const uint64_t astray[3] = { at[0] ^ (uint64_t)1 << bit, at[1], at[2] };
            if (astray[0] == at[1] || astray[0] == at[2])
                continue;
            assert_int_equal(launch(&b, astray), HD_FAULT);
            assert_int_equal(hd_get_fault(b.d)->fault, HD_FAULT_RANGE);
            assert_true(hd_get_fault(b.d)->fault_addr == astray[0]);
        }
        assert_int_equal(launch(&b, at), HD_OK);
        stop(&b);
    }
}

static void allocator(void **state)
{
    (void)state;
    struct bench b;
    start(&b, HD_MODEL, false);
    uint64_t all = hd_memory(b.d), at[4];
    char byte = 1;
    assert_true(all >= LAUNCH_HEAP_END - LAUNCH_HEAP && all <= HD_ADDR_END);
    assert_int_equal(hd_malloc(b.d, all + 1, &at[0]), HD_NO_MEMORY);
    assert_int_equal(hd_malloc_from(b.d, 4096, 16, &at[0]), HD_NO_MEMORY);
    assert_int_equal(hd_malloc_from(b.d, HD_ADDR_END, 16, &at[0]), HD_NO_MEMORY);
    /* nothing lies where generic addresses are others; and the low ones are taken first */
    assert_int_equal(hd_malloc_from(b.d, (uint64_t)1 << 32, 16, &at[0]), HD_OK);
    assert_true(at[0] == LAUNCH_HIGH);
    assert_int_equal(hd_malloc_from(b.d, LAUNCH_HEAP_END - 16, 4096, &at[1]), HD_OK);
    assert_true(at[1] > at[0]);
    assert_int_equal(hd_malloc(b.d, (size_t)3 << 30, &at[2]), HD_OK);
    assert_true(at[2] == LAUNCH_HEAP);
    /* a large one that is freed leaves zeros */
    assert_int_equal(hd_write(b.d, at[2] + ((uint64_t)2 << 30) + 77, &byte, 1), HD_OK);
    assert_int_equal(hd_free(b.d, at[2]), HD_OK);
    assert_int_equal(hd_malloc(b.d, (size_t)3 << 30, &at[3]), HD_OK);
    assert_true(at[3] == at[2]);
    assert_int_equal(hd_read(b.d, at[3] + ((uint64_t)2 << 30) + 77, &byte, 1), HD_OK);
    assert_int_equal(byte, 0);
    stop(&b);
}

static bool there(uint8_t *memory, uint64_t addr)
{
    unsigned char in = 0;
    assert_int_equal(mincore(memory + addr / SPARSE_PAGE * SPARSE_PAGE, 1, &in), 0);
    return in & 1;
}

/* A campaign of places that are never the same takes no more memory than one of them. */
static void given_back(void **state)
{
    (void)state;
    struct bench b;
    start(&b, HD_LOCKSTEP, false);
    for (uint64_t k = 0; k < 4; k++) {
        uint64_t at[2];
        const char byte = 1;
        for (uint64_t i = 0; i < 2; i++) {
            assert_int_equal(hd_malloc_from(b.d, (5 + 2 * k + i) << 33, BYTES, &at[i]), HD_OK);
            assert_int_equal(hd_write(b.d, at[i], &byte, 1), HD_OK);
            assert_true(there(model_memory(b.d->model), at[i]) && there(b.d->rtl->bytes, at[i]));
        }
        if (k % 2) {
            assert_int_equal(hd_unload(b.d, 0), HD_OK);
        } else {
            assert_int_equal(hd_free(b.d, at[0]), HD_OK);
            assert_true(there(model_memory(b.d->model), at[1]) && there(b.d->rtl->bytes, at[1]));
            assert_int_equal(hd_free(b.d, at[1]), HD_OK);
        }
        for (int i = 0; i < 2; i++)
            assert_false(there(model_memory(b.d->model), at[i]) || there(b.d->rtl->bytes, at[i]));
    }
    stop(&b);
}

/* Every page of a large area is compared and copied, whichever of the two has it. */
static void sparse(void **state)
{
    (void)state;
    enum { AREA = 64 << 20, STEP = 3 * 4096 * 1024 + 5 };
    uint8_t *a = calloc(AREA, 1), *b = calloc(AREA, 1);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(sparse_differs(a, b, AREA), AREA);
    for (size_t at = 7; at < AREA; at += STEP) {
        uint8_t *in = at % 2 ? a : b;
        in[at] = 9;
        assert_int_equal(sparse_differs(a, b, AREA), at);
        assert_int_equal(sparse_differs(a + 100, b + 100, AREA - 100), at < 100 ? AREA - 100
                                                                                : at - 100);
        assert_int_equal(sparse_differs(a, b, at), at);
        sparse_copy(in == a ? b : a, in, AREA);
        assert_int_equal(sparse_differs(a, b, AREA), AREA);
        assert_int_equal(a[at] + b[at], 18);
        in[at] = 0;
        sparse_copy(in == a ? b : a, in, AREA);
        assert_int_equal(a[at] + b[at], 0);
    }
    free(a);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(bits), cmocka_unit_test(beyond),
                                        cmocka_unit_test(allocator), cmocka_unit_test(given_back),
                                        cmocka_unit_test(sparse) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

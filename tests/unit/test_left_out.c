/* What the final comparison leaves out: bytes that instructions wrote which did not retire.  Each
 * rule at its edges: one before, the first, the last, one after.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "cmodel/base/reserve.h"
#include "cmodel/isa/isa.h"
#include "harness/lockstep/lockstep.h"

enum { AT = 4096, MEMORY = 3 * AT };
static uint8_t rtl[MEMORY], model[MEMORY];

static uint32_t strobes(unsigned first, unsigned last)
{
    return (uint32_t)((UINT64_C(2) << last) - (UINT64_C(1) << first));
}

static void begin(struct guard *g)
{
    guard_clear(g);
    memset(rtl, 0, sizeof rtl);
    memset(model, 0, sizeof model);
    assert_true(guard_allow(g, 0, MEMORY));
}

static void write(struct guard *g, uint64_t addr, uint32_t mask)
{
    static const uint32_t data[8];
    guard_write(g, 0, addr, data, mask);
    assert_string_equal(g->error, "");
}

/* ---- global memory ---- */

/* Every span of a sector, and every byte of it and of its neighbours. */
static void written_bytes(void **state)
{
    static struct guard g;
    (void)state;
    for (unsigned first = 0; first < GUARD_SECTOR; first++)
        for (unsigned last = first; last < GUARD_SECTOR; last++) {
            begin(&g);
            write(&g, AT, strobes(first, last));
            assert_int_equal(guard_open(&g), last - first + 1);
            for (uint64_t a = AT - 33; a < AT + 2 * GUARD_SECTOR + 1; a++)
                assert_int_equal(guard_is_open(&g, a), a >= AT + first && a <= AT + last);
        }
    begin(&g);
    write(&g, 0, strobes(0, 0));
    assert_true(guard_is_open(&g, 0) && !guard_is_open(&g, 1) && !guard_is_open(&g, UINT64_MAX));
    guard_free(&g);
}

/* A sector that comes twice counts once; one that retires goes, the first, and the others stay. */
static void retired_writes(void **state)
{
    static struct guard g;
    const struct hd_commit store = { .mem = 2, .exec = 1, .space = SPACE_GLOBAL };
    (void)state;
    begin(&g);
    write(&g, AT, strobes(4, 7));
    write(&g, AT, strobes(6, 9));
    write(&g, AT + 32, strobes(31, 31));
    assert_int_equal(guard_open(&g), 7);
    guard_commit(&g, &store, 1, rtl, model);
    assert_string_equal(g.error, "");
    static const struct { unsigned at; bool open; } bytes[] = {
        { 3, false }, { 4, false }, { 5, false }, { 6, true }, { 9, true }, { 10, false },
        { 62, false }, { 63, true }, { 64, false } };
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        assert_int_equal(guard_is_open(&g, AT + bytes[i].at), bytes[i].open);
    guard_commit(&g, &store, 2, rtl, model);
    assert_int_equal(guard_open(&g), 0);
    assert_string_equal(g.error, "");
    guard_commit(&g, &store, 1, rtl, model);
    assert_string_equal(g.error, "an instruction retires before what it has written is in memory");
    guard_free(&g);
}

/* When a store of one sector retires, a byte that differs is seen in this sector alone, and not
 * where a later store has been. */
static void differing_bytes(void **state)
{
    static const struct { int at; bool later, seen; } bytes[] = {
        { -1, false, false }, { 0, false, true }, { 31, false, true }, { 32, false, false },
        { 7, true, true }, { 8, true, false }, { 11, true, false }, { 12, true, true } };
    static struct guard g;
    const struct hd_commit store = { .mem = 2, .exec = 1, .space = SPACE_GLOBAL };
    (void)state;
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        begin(&g);
        write(&g, AT, strobes(0, 3));
        if (bytes[i].later)
            write(&g, AT, strobes(8, 11));
        rtl[AT + bytes[i].at] = 1;
        guard_commit(&g, &store, 1, rtl, model);
        assert_int_equal(g.differs, bytes[i].seen);
        assert_int_equal(g.error[0] != 0, bytes[i].seen);
        if (bytes[i].seen)
            assert_int_equal(g.addr, AT + bytes[i].at);
    }
    guard_free(&g);
}

/* A store may write the bytes of an area and no other. */
static void allowed_bytes(void **state)
{
    enum { FIRST = AT + 40, LAST = AT + 103 };
    static const struct { uint64_t first, last; bool may; } spans[] = {
        { FIRST - 1, FIRST - 1, false }, { FIRST - 1, FIRST, false }, { FIRST, FIRST, true },
        { FIRST, FIRST + 3, true }, { LAST - 3, LAST, true }, { LAST, LAST, true },
        { LAST, LAST + 1, false }, { LAST + 1, LAST + 1, false } };
    static const uint32_t data[8];
    static struct guard g;
    (void)state;
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        const uint64_t sector = spans[i].first & ~UINT64_C(31);
        guard_clear(&g);
        assert_true(guard_allow(&g, 0, 32) && guard_allow(&g, FIRST, LAST - FIRST + 1));
        guard_write(&g, 0, sector, data,
                    strobes((unsigned)(spans[i].first - sector),
                            (unsigned)(spans[i].last - sector)));
        if ((g.error[0] == 0) != spans[i].may)
            fail_msg("bytes %d to %d of an area: %s", (int)(spans[i].first - FIRST),
                     (int)(spans[i].last - FIRST), g.error);
    }
    guard_free(&g);
}

/* ---- shared memory ---- */

/* Bytes of the lanes that have a part in an instruction that has acted, of every size, in every
 * slot. */
static void pending_bytes(void **state)
{
    static const unsigned lanes[] = { 0, 1, 31 }, sizes[] = { 1, 2, 4, 8, 16 };
    (void)state;
    for (unsigned slot = 0; slot < RTL_SLOTS; slot++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (unsigned l = 0; l < sizeof lanes / sizeof *lanes; l++) {
                struct rtl_pending p[RTL_SLOTS] = { 0 };
                const uint32_t at = 1024, n = sizes[s];
                p[slot].lanes = 1u << lanes[l];
                p[slot].bytes = n;
                for (unsigned k = 0; k < HD_LANES; k++)      /* lanes without a part */
                    p[slot].addr[k] = 64;
                p[slot].addr[lanes[l]] = at;
                assert_false(lockstep_pending(p, at - 1) || lockstep_pending(p, at + n));
                assert_true(lockstep_pending(p, at) && lockstep_pending(p, at + n - 1));
                assert_false(lockstep_pending(p, 64));
                p[slot].addr[lanes[l]] = 0;
                assert_true(lockstep_pending(p, 0) && !lockstep_pending(p, UINT32_MAX));
                p[slot].lanes = 0;
                assert_false(lockstep_pending(p, 0));
            }
}

/* ---- the host's ---- */

/* What the host may read and write: whole spans within one area. */
static void mapped_bytes(void **state)
{
    static const struct hd_image img;
    static struct alloc allocs[] = { { LAUNCH_HEAP, 8 }, { LAUNCH_HEAP + 256, 1 } };
    static struct hd_device d = { .image = &img, .gdata_size = 12, .cdata_size = 4,
                                  .allocs = allocs, .nallocs = 2 };
    const struct { uint64_t first, bytes; } area[] = {
        { LAUNCH_DATA, 12 }, { LAUNCH_CONST + HD_CONST_DATA, 4 }, { LAUNCH_HEAP, 8 },
        { LAUNCH_HEAP + 256, 1 } };
    (void)state;
    for (size_t i = 0; i < sizeof area / sizeof *area; i++) {
        const uint64_t first = area[i].first, end = first + area[i].bytes;
        assert_true(device_mapped(&d, first, area[i].bytes));
        assert_true(device_mapped(&d, first, 1) && device_mapped(&d, end - 1, 1));
        assert_false(device_mapped(&d, first - 1, 1) || device_mapped(&d, end, 1));
        assert_false(device_mapped(&d, first - 1, 2) || device_mapped(&d, end - 1, 2));
        assert_false(device_mapped(&d, first, area[i].bytes + 1));
    }
}

/* The final comparison: an area, what is beside it, and no more. */
static void compared_bytes(void **state)
{
    enum { BYTES = 40, TOP = 1 << 30 };
    static const struct launch_limits core = { .warps = 1, .regs = 64, .shared_bytes = 4096 };
    static struct alloc allocs[] = { { LAUNCH_HEAP + 65536, BYTES } };
    static struct rtl r;
    static struct hd_device d = { .rtl = &r, .limits = core, .allocs = allocs, .nallocs = 1,
                                  .launch = { .local_base = LAUNCH_LOCAL,
                                              .spill_base = LAUNCH_SPILL } };
    const uint64_t first = allocs[0].addr, end = first + BYTES;
    const struct { uint64_t at; bool seen; } bytes[] = {
        { first - LOCKSTEP_ZONE - 1, false }, { first - LOCKSTEP_ZONE, true }, { first - 1, true },
        { first, true }, { end - 1, true }, { end, true }, { end + 1, true },
        { end + LOCKSTEP_ZONE - 1, true }, { end + LOCKSTEP_ZONE, false } };
    (void)state;
    d.model = model_new(&core);
    r.bytes = reserve(TOP);
    assert_true(d.model && r.bytes && end + LOCKSTEP_ZONE < TOP);
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        d.verdict.trouble = 0;
        r.bytes[bytes[i].at] = 1;
        lockstep_compare_areas(&d);
        if ((d.verdict.trouble != 0) != bytes[i].seen ||
            (bytes[i].seen && d.verdict.addr != bytes[i].at))
            fail_msg("byte %d of an area of %d: %s", (int)(bytes[i].at - first), BYTES,
                     d.verdict.trouble ? d.verdict.why : "not compared");
        r.bytes[bytes[i].at] = 0;
    }
    reserve_end(r.bytes, TOP);
    model_free(d.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_bytes), cmocka_unit_test(retired_writes),
        cmocka_unit_test(differing_bytes), cmocka_unit_test(allowed_bytes),
        cmocka_unit_test(pending_bytes), cmocka_unit_test(mapped_bytes),
        cmocka_unit_test(compared_bytes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

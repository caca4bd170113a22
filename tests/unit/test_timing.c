/* Timing profiles: what they refuse, how warps share the core, and that `hopper` and `core` are
 * what they say.  Without the core's library (sanitised builds) the last part is left out.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmodel/image/asm.h"
#include "harness/cmd/loops.h"
#include "cmodel/timing/timing.h"

/* ---- reading ---- */

static char *write_profile(const char *text)
{
    static char name[] = "./timing-XXXXXX";
    strcpy(name, "./timing-XXXXXX");
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    return name;
}

static struct timing *open_text(const char *text, struct hd_err *err)
{
    const char *name = write_profile(text);
    *err = (struct hd_err){ 0 };
    struct timing *t = timing_open(name, err);
    unlink(name);
    return t;
}

static void test_refusals(void **unused)
{
    static const struct { const char *text, *why; } bad[] = {
        { "insn = 4\n", "source" },
        { "insn = 4 #\n", "comes from is missing" },
        { "insn 4 # x\n", ":1: " },
        { "insn = 4 # x\nMVO = 3 # x\n", ":2: `MVO`" },
        { "ALU = 4 # x\n", "no cycles for" },
        { "insn = 4 # x\npop = 3 4 # x\n", "two numbers" },
        { "insn = 4 # x\nbusy.pop = 3 # x\n", "`busy.pop` is no event" },
        { "insn = 4 # x\nbusy.LSU = 3 4 # x\n", "two numbers" },
        { "insn = 4 # x\nbusy.sector = 3 # x\n", "`busy.sector`" },
        { "insn = 4 # x\ncore.queue = 3 # x\n", "core.integer is missing" },
        { "insn = 4 # x\ncore.integer = 33 # x\n", "core.integer is out of range" },
        { "insn = 4 # x\ncore.tea = 4 # x\n", "`core.tea` is no event" },
    };
    struct hd_err err;
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(open_text(bad[i].text, &err));
        assert_int_equal(err.status, 2);
        if (i && !strstr(err.text, bad[i].why))
            fail_msg("`%s` is refused with `%s`, not with `%s`", bad[i].text, err.text, bad[i].why);
    }
    err = (struct hd_err){ 0 };
    assert_null(timing_open("voodoo", &err));
    assert_non_null(strstr(err.text, "kepler"));
}

static void test_later_lines_win(void **unused)
{
    struct hd_err err;
    struct timing *t = open_text(
        "# a profile\n\ninsn = 7 # x\nFPU = 3 9 # x\n  FADD = 2 # x\npop = 5 # x\nport = 2 # x\n",
        &err);
    (void)unused;
    assert_non_null(t);
    assert_int_equal(t->next[OP_IADD], 7);
    assert_int_equal(t->next[OP_FMUL], 3);
    assert_int_equal(t->result[OP_FMUL], 9);
    assert_int_equal(t->next[OP_FADD], 2);
    assert_int_equal(t->result[OP_FADD], 0);
    assert_int_equal(t->event[TIMING_pop], 5);
    assert_int_equal(t->port, 2);
    free(t);
}

/* ---- the clock of small programs ---- */

struct seen { uint64_t start[64]; uint8_t warp[64]; unsigned n; };

static bool see(void *user, const struct hd_commit *c)
{
    struct seen *s = user;
    assert_true(s->n < 64);
    s->warp[s->n] = (uint8_t)c->warp;
    s->start[s->n++] = c->cycle;
    return true;
}

static uint64_t run_program(const char *profile, const char *body, unsigned threads, struct seen *s)
{
    char text[1024];
    const char *name = write_profile(profile);
    struct hd_err err = { 0 };
    struct hd_image *img = NULL;
    struct hd_config cfg = { .kind = HD_MODEL, .timing = name };
    struct hd_launch l = { .grid = { 1, 1, 1 }, .block = { threads, 1, 1 } };
    hd_device *d;
    snprintf(text, sizeof text, ".kernel k\n.regs 16\n%s\nEXIT\n", body);
    hd_asm("test", text, &img, &err);
    assert_string_equal(err.text, "");
    if (hd_open(&cfg, &d) != HD_OK)
        fail_msg("%s", hd_device_error(d));
    unlink(name);
    assert_int_equal(hd_load(d, img), HD_OK);
    s->n = 0;
    hd_on_commit(d, see, s);
    assert_int_equal(hd_launch_grid(d, &l), HD_OK);
    uint64_t cycles = hd_get_counters(d)->cycles;
    hd_close(d);
    hd_image_free(img);
    return cycles;
}

static void starts(const struct seen *s, unsigned n, const uint64_t *want)
{
    assert_int_equal(s->n, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(s->start[i], want[i]);
}

static void test_operands(void **unused)
{
    struct seen s;
    (void)unused;
    /* The second waits for the first's result, the third does not, the fourth for a predicate. */
    uint64_t end =
        run_program("insn = 2 # x\nALU = 1 10 # x\n",
                    "MOV R1, 3\nIADD R2, R1, 1\nISETP.EQ.S32.AND P0, R3, 0, PT\n@P0 MOV R4, 1", 32,
                    &s);
    starts(&s, 5, (const uint64_t[]){ 0, 10, 11, 21, 22 });
    assert_int_equal(end, 24);
}

static void test_warps_share_the_port(void **unused)
{
    struct seen s;
    (void)unused;
    run_program("insn = 5 # x\nport = 2 # x\n", "NOP", 64, &s);
    starts(&s, 4, (const uint64_t[]){ 0, 2, 5, 7 });
    /* Four warps of five cycles keep a port of two busy. */
    run_program("insn = 5 # x\nport = 2 # x\n", "NOP", 128, &s);
    starts(&s, 8, (const uint64_t[]){ 0, 2, 4, 6, 8, 10, 12, 14 });
}

static void test_block_barrier(void **unused)
{
    struct seen s;
    (void)unused;
    /* Warp 1 is late: warp 0 goes on after the barrier when warp 1's BAR.SYNC is over. */
    run_program(
        "insn = 1 # x\nLSU = 50 # x\n",
        "S2R R0, SR_WARPID\nISETP.EQ.U32.AND P0, R0, 1, PT\n@P0 BRA late\nBRA join\nlate:\n"
        "MEMBAR.CTA\njoin:\nBAR.SYNC 0, RZ",
        64, &s);
    uint64_t last[2] = { 0, 0 };
    for (unsigned i = 0; i < s.n; i++)
        last[s.warp[i]] = s.start[i];
    assert_true(last[1] > 50);
    assert_true(last[0] == last[1] || last[0] == last[1] + 1 || last[1] == last[0] + 1);
}

/* ---- the loops ---- */

static uint64_t loop_cycles(const struct hd_image *img, enum loop_kernel k, unsigned n,
                            const struct hd_config *cfg)
{
    struct loop_run r = { .kernel = k, .image = img, .cfg = *cfg, .n = n, .warps = 1 };
    assert_true(loop_measure(&r));
    return r.cycles;
}

static void test_hopper(void **unused)
{
    const struct hd_config cfg = { .kind = HD_MODEL, .timing = "hopper" };
    (void)unused;
    for (int k = LOOP_SINGLE; k <= LOOP_DOUBLE; k++) {
        struct hd_image *img = loop_compile((enum loop_kernel)k, false);
        assert_non_null(img);
        for (unsigned n = 0; n < LOOP_POINTS; n++) {
            uint64_t h200 = 0;
            assert_true(loop_h200((enum loop_kernel)k, n, &h200));
            assert_int_equal(loop_cycles(img, (enum loop_kernel)k, n, &cfg), h200);
        }
        hd_image_free(img);
    }
}

static void test_core(void **unused)
{
    const struct hd_config model = { .kind = HD_MODEL, .timing = "core" }, rtl = { .kind = HD_RTL };
    hd_device *d;
    (void)unused;
    bool there = hd_open(&rtl, &d) == HD_OK;
    hd_close(d);
    if (!there)
        skip();
    for (int i = 0; i < 4; i++) {
        enum loop_kernel k = i & 1 ? LOOP_DOUBLE : LOOP_SINGLE;
        struct hd_image *img = loop_compile(k, i >= 2);
        for (unsigned n = 0; n < LOOP_POINTS; n += LOOP_POINTS - 1) {
            uint64_t ours = loop_cycles(img, k, n, &rtl), guess = loop_cycles(img, k, n, &model);
            print_message("%s loop, %s, n = %u: %llu cycles, profile %llu\n", loop_names[k],
                          i >= 2 ? "stack" : "barriers", n, (unsigned long long)ours,
                          (unsigned long long)guess);
            if (llabs((long long)(ours - guess)) * 100 > (long long)ours)
                fail_msg("more than 1%% apart");
        }
        hd_image_free(img);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_later_lines_win),
        cmocka_unit_test(test_operands),      cmocka_unit_test(test_warps_share_the_port),
        cmocka_unit_test(test_block_barrier), cmocka_unit_test(test_hopper),
        cmocka_unit_test(test_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

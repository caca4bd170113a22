/* Layout: forms of access are distinguished, every reason to refuse is given with its line, and a
 * kernel whose elements have changed places leaves what it leaves without, after they have changed
 * back.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/regroup/access.h"
#include "harness/device/device.h"

/* Line 8 is the first of the body; %g the global id, %a and %b the buffers, %n and %m numbers, %w
 * the grid's threads. */
#define KERNEL(text) \
    ".version 7.0\n.target sm_75\n.address_size 64\n.global .u32 flag; " \
    ".func reads(.param .u64 p) { .reg .b64 %a; .reg .b32 %x; ld.param.u64 %a,[p]; " \
    "ld.u32 %x,[%a]; ret; }\n" \
    ".func f(.param .u64 p) { .reg .b32 %x; mov.u32 %x,%tid.x; ret; }\n" \
    ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u32 pn, .param .u32 pm)\n" \
    "{ .reg .b32 %r<9>,%x,%y,%z,%g,%n,%m,%w0,%w,%i,%j,%u,%v; " \
    ".reg .b64 %a0,%a,%b0,%b,%o,%o2,%p; .reg .pred %q<4>; mov.u32 %x,%ctaid.x; " \
    "mov.u32 %y,%ntid.x; mov.u32 %z,%tid.x; mad.lo.s32 %g,%x,%y,%z; " \
    "mov.u32 %w0,%nctaid.x; mul.lo.u32 %w,%w0,%y; ld.param.u64 %a0,[pa]; " \
    "cvta.to.global.u64 %a,%a0; ld.param.u64 %b,[pb]; " \
    "ld.param.u32 %n,[pn]; ld.param.u32 %m,[pm];\n" text "\nret; }\n"
/* A register has one value but in loops: the analysis does not ask where it is read. */
#define AT(to, base, index, size) "mad.wide.u32 " to "," index "," size "," base ";"
#define OWN AT("%o", "%a", "%g", "4") " ld.global.u32 %v,[%o];\n"

/* ---- forms and refusals ---- */

static const struct {
    const char *text;
    enum access_form form;
    int64_t size;
    int rows;
    bool unsure;
} forms[] = {
    { OWN, ACCESS_ELEMENT, 4, 0, false },
    { AT("%o", "%a", "%g", "12") " ld.global.u32 %v,[%o+4]; ld.global.u32 %v,[%o+8];",
      ACCESS_ELEMENT, 12, 0, false },
    { "shl.b32 %r1,%g,3; cvt.u64.u32 %p,%r1; add.s64 %o,%a,%p; st.global.v2.u32 [%o],{%n,%n};",
      ACCESS_ELEMENT, 8, 0, false },
    { "add.s32 %r1,%g,%g; mul.wide.u32 %p,%r1,4; add.s64 %o,%p,%a; ld.global.u32 %v,[%o+4];",
      ACCESS_ELEMENT, 8, 0, false },
    { "ld.global.u32 %v,[%a]; ld.global.u32 %v,[%a+400];", ACCESS_FREE, 0, 0, false },
    { "mul.wide.u32 %p,%g,4; add.s64 %o2,%b,%p; ld.global.u32 %v,[%o2]; " AT(
          "%o", "%a", "%v", "4") " ld.global.u32 %u,[%o];",
      ACCESS_FREE, 0, 0, false },
    { "mov.u32 %i,%g;\nL: " AT(
          "%o", "%a", "%i",
          "4") " ld.global.u32 %v,[%o]; add.s32 %i,%i,%w;\nsetp.lt.u32 %q1,%i,%n; @%q1 bra L;",
      ACCESS_STRIDED, 4, ACCESS_GRID, false },
    { "mul.wide.u32 %p,%w,4; " AT(
          "%o", "%a", "%g", "4") " mov.u32 %j,0;\nL: ld.global.u32 %v,[%o]; add.s64 %o,%o,%p;\n"
                                 "add.s32 %j,%j,1; setp.lt.u32 %q1,%j,8; @%q1 bra L;",
      ACCESS_STRIDED, 4, ACCESS_GRID, false },
    { "mov.u32 %j,0;\nL: mad.lo.u32 %i,%j,%m,%g; " AT(
          "%o", "%a", "%i", "4") " ld.global.u32 %v,[%o];\n"
                                 "add.s32 %j,%j,1; setp.lt.u32 %q1,%j,8; @%q1 bra L;",
      ACCESS_STRIDED, 4, 3, false },
    { "setp.ge.u32 %q1,%g,%n; @%q1 bra E;\n" OWN "E:", ACCESS_ELEMENT, 4, 0, false },
    /* What only a run can show: where in an element, and in which buffer. */
    { "add.s32 %i,%g,%m; " AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o];", ACCESS_ELEMENT, 4,
      0, true },
    { "mul.wide.u32 %p,%g,4; add.s64 %o2,%p,0xfffffffc; add.s64 %o,%a,%o2; "
      "ld.global.u32 %v,[%o+4];",
      ACCESS_ELEMENT, 4, 0, true },
    { OWN " ld.global.u64 %p,[%b]; ld.global.u32 %v,[%p];", ACCESS_ELEMENT, 4, 0, true },
    { OWN " call reads, (%b);", ACCESS_ELEMENT, 4, 0, true },
};

static void every_form(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        struct access x;
        struct hd_err err = { 0 };
        char text[4096];
        snprintf(text, sizeof text, "%s%s\nret; }\n", KERNEL("//"), "");
        char *body = strstr(text, "//");
        snprintf(body, sizeof text - (size_t)(body - text), "%s\nret; }\n", forms[k].text);
        if (!access_find("t.ptx", text, strlen(text), "k", &x, NULL, &err))
            fail_msg("%s: %s", forms[k].text, err.text);
        if (x.unsure != forms[k].unsure || x.buffer[0].form != forms[k].form ||
            x.buffer[0].size != forms[k].size || x.buffer[0].rows != forms[k].rows)
            fail_msg("%s: form %d, %d bytes, rows of %d", forms[k].text, x.buffer[0].form,
                     (int)x.buffer[0].size, x.buffer[0].rows);
        access_free(&x);
    }
}

#define BEYOND "beyond the thread's own element"
#define USED "the global id is used beyond addresses"
#define TEST "setp.ge.u32 %q1,%g,%n; @%q1 bra L; "
static const struct { const char *text, *why; int line; } refusals[] = {
    { "\n" AT("%o", "%a", "%g", "4") " ld.global.u32 %v,[%o+4];", BEYOND, 9 },
    { AT("%o", "%a", "%g", "4") " ld.global.u32 %v,[%o-4];", BEYOND, 8 },
    { AT("%o", "%a", "%g", "4") " ld.global.v2.u32 {%v,%r1},[%o];", BEYOND, 8 },
    { "add.s32 %i,%g,1; " AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o];", BEYOND, 8 },
    { OWN AT("%o2", "%a", "%g", "8") " ld.global.u32 %v,[%o2];",
      "pa is read or written in two forms", 9 },
    { OWN "ld.global.u32 %v,[%a];", "pa is read or written in two forms", 9 },
    { "st.global.u32 [%a],%g;", "the global id is stored", 8 },
    { "rem.u32 %i,%g,7; " AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o];", USED, 8 },
    { "and.b32 %i,%g,1; setp.eq.u32 %q1,%i,0; @%q1 ld.global.u32 %v,[%a];", USED, 8 },
    { "setp.eq.u32 %q1,%g,0; @%q1 ld.global.u32 %v,[%a];",
      "compared with something else than a parameter", 8 },
    { "and.b32 %i,%z,1;", "%tid or %ctaid is used beyond the global id", 7 },
    { "mov.u32 %i,%tid.y;", "%tid or %ctaid is used beyond the global id", 8 },
    { "mul.wide.s32 %p,%g,-4; add.s64 %o,%a,%p; ld.global.u32 %v,[%o];", BEYOND, 8 },
    { "shfl.sync.idx.b32 %v,%v,0,31,-1; " OWN, "not regrouped: lanes of a warp exchange values",
      8 },
    { OWN "bar.sync 0;", "not regrouped: the block barrier", 9 },
    { "mul.wide.u32 %p,%g,4; add.s64 %o2,%p,0x100000000; add.s64 %o,%a,%o2; ld.global.u32 %v,[%o];",
      BEYOND, 8 },
    { "mul.wide.u32 %p,%g,2; cvt.u64.u32 %o2,%m; add.s64 %b0,%o2,%p; add.s64 %o,%a,%b0; "
      "ld.global.u32 %v,[%o];",
      BEYOND, 8 },
    { "call f, (%a);", "a function asks who the thread is", 5 },
    { "mul.wide.u32 %p,%g,4; mul.lo.u64 %o2,%p,0x7fffffffffffffff; add.s64 %o,%a,%o2; "
      "ld.global.u32 %v,[%o];",
      BEYOND, 8 },
    { "mul.lo.u32 %i,%g,%m; " AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o];", USED, 8 },
    { "mul.wide.u32 %p,%g,4; ld.global.u32 %v,[%p];", "the address is of no parameter's buffer",
      8 },
    { "mov.u32 %j,0;\nL: mul.lo.u32 %i,%j,%m; " AT("%o2", "%a", "%i", "8") AT(
          "%o", "%o2", "%g",
          "4") " ld.global.u32 %v,[%o];\nadd.s32 %j,%j,1; setp.lt.u32 %q1,%j,8; @%q1 bra L;",
      "rows are no multiple of N elements apart", 9 },
    { TEST TEST TEST TEST TEST TEST TEST TEST "\n" TEST "L:",
      "too many tests of the global id", 9 },
};
#undef TEST

static void every_refusal(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        struct access x;
        struct hd_err err = { 0 };
        char text[4096], want[64];
        snprintf(text, sizeof text, "%s", KERNEL("//"));
        char *body = strstr(text, "//");
        snprintf(body, sizeof text - (size_t)(body - text), "%s\nret; }\n", refusals[k].text);
        snprintf(want, sizeof want, "t.ptx:%d:", refusals[k].line);
        if (access_find("t.ptx", text, strlen(text), "k", &x, NULL, &err))
            fail_msg("%s: not refused, though %s", refusals[k].text, refusals[k].why);
        if (err.status != 2 || !strstr(err.text, refusals[k].why) ||
            strncmp(err.text, want, strlen(want)))
            fail_msg("not `%s %s`: %s", want, refusals[k].why, err.text);
    }
}

/* ---- runs ---- */

enum { GRID = 3, BLOCK = 40, THREADS = GRID * BLOCK, WORDS = 1000 };

static void launch(const char *text, const uint32_t *a, uint32_t *b, uint32_t n, uint32_t m)
{
    struct hd_config cfg = { .kind = HD_MODEL, .limit = 1000000 };
    struct hd_err err = { 0 };
    uint64_t at[2];
    struct { uint64_t a, b; uint32_t n, m; } params;
    hd_device *dev;
    struct hd_image *img = hd_compile_ptx("run.ptx", text, &(struct cc_options){ 0 }, &err);
    if (!img)
        fail_msg("%s", err.text);
    assert_int_equal(hd_open(&cfg, &dev), HD_OK);
    assert_int_equal(hd_load(dev, img), HD_OK);
    assert_int_equal(hd_malloc(dev, 4 * WORDS, &at[0]), HD_OK);
    assert_int_equal(hd_malloc(dev, 4 * WORDS, &at[1]), HD_OK);
    assert_int_equal(hd_write(dev, at[0], a, 4 * WORDS), HD_OK);
    assert_int_equal(hd_write(dev, at[1], b, 4 * WORDS), HD_OK);
    params.a = at[0], params.b = at[1], params.n = n, params.m = m;
    struct hd_launch l = { .kernel = "k",
                           .grid = { GRID, 1, 1 },
                           .block = { BLOCK, 1, 1 },
                           .params = &params,
                           .params_size = sizeof params };
    assert_int_equal(hd_launch_grid(dev, &l), HD_OK);
    assert_int_equal(hd_read(dev, at[1], b, 4 * WORDS), HD_OK);
    hd_close(dev);
    hd_image_free(img);
}

/* In the other order every thread has its new element, so it stores for another; afterwards all is
 * as without. words: of each buffer. */
static void means_the_same(const char *text, uint32_t n, uint32_t m, uint32_t sides, uint32_t words)
{
    static uint32_t a[WORDS], b[WORDS], moved_a[WORDS], moved_b[WORDS], back[WORDS];
    uint32_t d[THREADS];
    const uint64_t value[4] = { 1, 2, n, m }, bytes[4] = { 4 * words, 4 * words };
    struct access x;
    const struct layout l = { &x, THREADS, value, bytes };
    struct hd_err err = { 0 };
    if (!access_find("t.ptx", text, strlen(text), "k", &x, NULL, &err))
        fail_msg("%s", err.text);
    for (uint32_t k = 0; k < WORDS; k++)
        a[k] = k * 2654435761u, b[k] = ~k;
    for (uint32_t k = 0; k < THREADS; k++)       /* turned round on each side of `sides` */
        d[k] = k < sides ? sides - 1 - k : THREADS - 1 - (k - sides);
    if (!layout_check(&l, d, &err))
        fail_msg("%s", err.text);
    memcpy(moved_a, a, sizeof a);
    memcpy(moved_b, b, sizeof b);
    layout_move(&l, 0, d, a, moved_a, false);
    layout_move(&l, 1, d, b, moved_b, false);
    assert_memory_not_equal(a, moved_a, sizeof a);
    launch(text, a, b, n, m);
    launch(text, moved_a, moved_b, n, m);
    assert_memory_not_equal(b, moved_b, sizeof b);
    memcpy(back, moved_b, sizeof b);
    layout_move(&l, 1, d, moved_b, back, true);
    assert_memory_equal(b, back, sizeof b);
    access_free(&x);
}

#define COPY AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o]; " AT("%o2", "%b", "%i", "4") \
    " st.global.u32 [%o2],%v;\n"

static void elements_move(void **state)
{
    (void)state;
    means_the_same(KERNEL("mov.u32 %i,%g; " COPY), 0, 0, 0, WORDS);
    means_the_same(KERNEL("setp.ge.u32 %q1,%g,%n; @%q1 bra E; mov.u32 %i,%g; " COPY "E:"), 100, 0,
                   100, WORDS);
    means_the_same(KERNEL("mov.u32 %i,%g;\nL: " COPY "add.s32 %i,%i,%w; setp.lt.u32 %q1,%i,%n; "
                                                     "@%q1 bra L;"), 500, 0, 500 % THREADS, 500);
    means_the_same(KERNEL("mov.u32 %j,0; L: mad.lo.u32 %i,%j,%m,%g; " COPY "add.s32 %j,%j,1; "
                                                                           "setp.lt.u32 %q1,%j,5; "
                                                                           "@%q1 bra L;"), 0,
                   THREADS, 0, 5 * THREADS);
    means_the_same(KERNEL(AT("%o", "%a", "%g", "8") " ld.global.v2.u32 {%v,%i},[%o]; "
                                                    "add.u32 %u,%v,%i; " AT("%o2", "%b", "%g", "8")
                                                        " st.global.u32 [%o2+4],%u;"),
                   0, 0, 0, WORDS);
}

static void orders_refused(void **state)
{
    (void)state;
    static const char text[] = KERNEL("setp.ge.u32 %q1,%g,%n; @%q1 bra E; mov.u32 %i,%g; " COPY
                                      "E:");
    uint32_t d[THREADS];
    uint64_t value[4] = { 4096, 8192, 100, 0 }, bytes[4] = { 400, 400 };
    struct access x;
    const struct layout l = { &x, THREADS, value, bytes };
    struct hd_err err = { 0 };
    assert_true(access_find("t.ptx", text, strlen(text), NULL, &x, NULL, &err));
    for (uint32_t k = 0; k < THREADS; k++)
        d[k] = k;
    assert_true(layout_check(&l, d, &err));
    d[99] = 100, d[100] = 99;
    assert_false(layout_check(&l, d, &err));
    assert_non_null(strstr(err.text, "takes thread 99 to 100, across the bound of 100"));
    value[2] = THREADS;
    err = (struct hd_err){ 0 };
    assert_false(layout_check(&l, d, &err));
    assert_non_null(strstr(err.text, "takes thread 99 to 100, across the end of parameter 1"));
    bytes[1] = 0;
    err = (struct hd_err){ 0 };
    assert_false(layout_check(&l, d, &err));
    assert_non_null(strstr(err.text, "parameter 2 is an address, and no buffer of the launch"));
    bytes[1] = 400, value[1] = 4096;
    err = (struct hd_err){ 0 };
    assert_false(layout_check(&l, d, &err));
    assert_non_null(strstr(err.text, "parameters 1 and 2 are one buffer"));
    access_free(&x);
}

/* Threads keep their side; groups that were of one side are still groups. */
static void orders_fitted(void **state)
{
    (void)state;
    static const char text[] = KERNEL("setp.ge.u32 %q1,%g,%n; @%q1 bra E; mov.u32 %i,%g; " COPY
                                      "E:");
    uint32_t d[THREADS], seen[THREADS] = { 0 };
    const uint64_t value[4] = { 4096, 8192, 100, 0 }, bytes[4] = { 400, 400 };
    struct access x;
    struct hd_err err = { 0 };
    const struct layout l = { &x, THREADS, value, bytes };
    assert_true(access_find("t.ptx", text, strlen(text), NULL, &x, NULL, &err));
    /* threads 119 to 0: only the first warp is of both sides */
    for (uint32_t k = 0; k < THREADS; k++)
        d[k] = THREADS - 1 - k;
    assert_true(layout_fit(&l, d, 0));
    assert_true(layout_check(&l, d, &err));
    for (uint32_t k = 0; k < THREADS; k++)
        seen[d[k]]++;
    for (uint32_t k = 0; k < THREADS; k++)
        assert_int_equal(seen[k], 1);
    for (uint32_t k = 0; k < 64; k++)      /* the second warp and the third are the first two now */
        assert_int_equal(d[k], THREADS - 1 - 32 - k);
    /* in blocks: they turn round within them and the sides */
    for (uint32_t k = 0; k < THREADS; k++)
        d[k] = k / BLOCK * BLOCK + BLOCK - 1 - k % BLOCK;
    assert_true(layout_fit(&l, d, BLOCK));
    assert_true(layout_check(&l, d, &err));
    for (uint32_t k = 0; k < THREADS; k++)
        assert_int_equal(d[k] / BLOCK, k / BLOCK);
    access_free(&x);
}

/* What a run shows of an access. */
static void accesses_allowed(void **state)
{
    (void)state;
    struct access_buffer b[4] = { { ACCESS_ELEMENT, true, false, 8, 0 },
                                  { ACCESS_STRIDED, true, false, 4, 2 } };
    const struct access x = { .nparams = 4, .buffer = b };
    const uint64_t value[4] = { 4096, 8192, 10, 0 }, bytes[4] = { 80, 400 };
    const struct layout l = { &x, 10, value, bytes };
    assert_int_equal(layout_allows(&l, 3, 4096 + 24, 8), -1);
    assert_int_equal(layout_allows(&l, 3, 4096 + 28, 4), -1);
    assert_int_equal(layout_allows(&l, 3, 4096 + 28, 8), 0);
    assert_int_equal(layout_allows(&l, 3, 4096 + 20, 4), 0);
    assert_int_equal(layout_allows(&l, 0, 4096 - 4, 8), 0);      /* begins before it */
    assert_int_equal(layout_allows(&l, 0, 4096 - 4, 4), -1);     /* of another buffer */
    assert_int_equal(layout_allows(&l, 0, 4096 + 80, 4), -1);
    assert_int_equal(layout_allows(&l, 7, 8192 + 4 * 37, 4), -1);
    assert_int_equal(layout_allows(&l, 7, 8192 + 4 * 38, 4), 1);
    assert_int_equal(layout_allows(&l, 7, 8192 + 4 * 37 + 2, 4), 1);
    assert_int_equal(layout_address(&l, 3, 5, 4096 + 28), 4096 + 44);
    assert_int_equal(layout_address(&l, 7, 2, 8192 + 4 * 37), 8192 + 4 * 32);
    assert_int_equal(layout_address(&l, 7, 2, 4096 + 80), 4096 + 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),    cmocka_unit_test(every_refusal),
        cmocka_unit_test(elements_move), cmocka_unit_test(orders_refused),
        cmocka_unit_test(orders_fitted), cmocka_unit_test(accesses_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

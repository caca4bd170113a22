/* Layout: forms of access are distinguished, every reason to refuse is given with its line, and a kernel whose elements
 * have changed places leaves what it leaves without, after they have changed back.
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

/* Line 7 is the first of the body; %g the global id, %a and %b the buffers, %n and %m numbers, %w the grid's threads. */
#define KERNEL(text) \
    ".version 7.0\n.target sm_75\n.address_size 64\n.global .u32 flag;\n" \
    ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u32 pn, .param .u32 pm)\n{ .reg .b32 %r<9>,%x,%y,%z,%g,%n,%m,%w0,%w,%i,%j,%u,%v; " \
    ".reg .b64 %a0,%a,%b0,%b,%o,%o2,%p; .reg .pred %q<4>; mov.u32 %x,%ctaid.x; mov.u32 %y,%ntid.x; mov.u32 %z,%tid.x; mad.lo.s32 %g,%x,%y,%z; " \
    "mov.u32 %w0,%nctaid.x; mul.lo.u32 %w,%w0,%y; ld.param.u64 %a0,[pa]; cvta.to.global.u64 %a,%a0; ld.param.u64 %b,[pb]; " \
    "ld.param.u32 %n,[pn]; ld.param.u32 %m,[pm];\n" text "\nret; }\n"
/* A register has one value but in loops: the analysis does not ask where it is read. */
#define AT(to, base, index, size) "mad.wide.u32 " to "," index "," size "," base ";"
#define OWN AT("%o", "%a", "%g", "4") " ld.global.u32 %v,[%o];\n"

/* ---- forms and refusals ---- */

static const struct { const char *text; enum access_form form; int64_t size; int rows; } forms[] = {
    { OWN, ACCESS_ELEMENT, 4, 0 },
    { AT("%o", "%a", "%g", "12") " ld.global.u32 %v,[%o+4]; ld.global.u32 %v,[%o+8];", ACCESS_ELEMENT, 12, 0 },
    { "shl.b32 %r1,%g,3; cvt.u64.u32 %p,%r1; add.s64 %o,%a,%p; st.global.v2.u32 [%o],{%n,%n};", ACCESS_ELEMENT, 8, 0 },
    { "add.s32 %r1,%g,%g; mul.wide.u32 %p,%r1,4; add.s64 %o,%p,%a; ld.global.u32 %v,[%o+4];", ACCESS_ELEMENT, 8, 0 },
    { "ld.global.u32 %v,[%a]; ld.global.u32 %v,[%a+400];", ACCESS_FREE, 0, 0 },
    { "mul.wide.u32 %p,%g,4; add.s64 %o2,%b,%p; ld.global.u32 %v,[%o2]; " AT("%o", "%a", "%v", "4") " ld.global.u32 %u,[%o];",
      ACCESS_FREE, 0, 0 },
    { "mov.u32 %i,%g;\nL: " AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o]; add.s32 %i,%i,%w;\nsetp.lt.u32 %q1,%i,%n; @%q1 bra L;",
      ACCESS_STRIDED, 4, ACCESS_GRID },
    { "mul.wide.u32 %p,%w,4; " AT("%o", "%a", "%g", "4") " mov.u32 %j,0;\nL: ld.global.u32 %v,[%o]; add.s64 %o,%o,%p;\n"
      "add.s32 %j,%j,1; setp.lt.u32 %q1,%j,8; @%q1 bra L;", ACCESS_STRIDED, 4, ACCESS_GRID },
    { "mov.u32 %j,0;\nL: mad.lo.u32 %i,%j,%m,%g; " AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o];\n"
      "add.s32 %j,%j,1; setp.lt.u32 %q1,%j,8; @%q1 bra L;", ACCESS_STRIDED, 4, 3 },
    { "setp.ge.u32 %q1,%g,%n; @%q1 bra E;\n" OWN "E:", ACCESS_ELEMENT, 4, 0 },
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
        if (x.buffer[0].form != forms[k].form || x.buffer[0].size != forms[k].size || x.buffer[0].rows != forms[k].rows)
            fail_msg("%s: form %d, %d bytes, rows of %d", forms[k].text, x.buffer[0].form, (int)x.buffer[0].size, x.buffer[0].rows);
        access_free(&x);
    }
}

#define BEYOND "beyond the thread's own element"
#define USED "the global id is used beyond addresses"
static const struct { const char *text, *why; int line; } refusals[] = {
    { "\n" AT("%o", "%a", "%g", "4") " ld.global.u32 %v,[%o+4];", BEYOND, 8 },
    { AT("%o", "%a", "%g", "4") " ld.global.u32 %v,[%o-4];", BEYOND, 7 },
    { AT("%o", "%a", "%g", "4") " ld.global.v2.u32 {%v,%r1},[%o];", BEYOND, 7 },
    { "add.s32 %i,%g,1; " AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o];", BEYOND, 7 },
    { OWN AT("%o2", "%a", "%g", "8") " ld.global.u32 %v,[%o2];", "pa is read or written in two forms", 8 },
    { OWN "ld.global.u32 %v,[%a];", "pa is read or written in two forms", 8 },
    { "add.s32 %i,%g,%m; " AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o];", "the place in the thread's element is not known", 7 },
    { "st.global.u32 [%a],%g;", "the global id is stored", 7 },
    { "rem.u32 %i,%g,7; " AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o];", USED, 7 },
    { "and.b32 %i,%g,1; setp.eq.u32 %q1,%i,0; @%q1 ld.global.u32 %v,[%a];", USED, 7 },
    { "setp.eq.u32 %q1,%g,0; @%q1 ld.global.u32 %v,[%a];", "compared with something else than a parameter", 7 },
    { "and.b32 %i,%z,1;", "%tid or %ctaid is used beyond the global id", 6 },
    { "mov.u32 %i,%tid.y;", "%tid or %ctaid is used beyond the global id", 7 },
    { AT("%o", "%a", "%g", "4") " ld.global.u64 %p,[%b]; ld.global.u32 %v,[%p];", "the address is of no parameter's buffer", 7 },
    { "mul.wide.s32 %p,%g,-4; add.s64 %o,%a,%p; ld.global.u32 %v,[%o];", BEYOND, 7 },
    { "shfl.sync.idx.b32 %v,%v,0,31,-1; " OWN, "not regrouped: lanes of a warp exchange values", 7 },
    { OWN "bar.sync 0;", "not regrouped: the block barrier", 8 },
    { "mul.wide.u32 %p,%g,4; add.s64 %o2,%p,0x100000000; add.s64 %o,%a,%o2; ld.global.u32 %v,[%o];", BEYOND, 7 },
    { "mul.wide.u32 %p,%g,4; add.s64 %o2,%p,0xfffffffc; add.s64 %o,%a,%o2; ld.global.u32 %v,[%o+4];",
      "the place in the thread's element is not known", 7 },
    { "mul.wide.u32 %p,%g,4; mul.lo.u64 %o2,%p,0x7fffffffffffffff; add.s64 %o,%a,%o2; ld.global.u32 %v,[%o];", BEYOND, 7 },
    { "mul.lo.u32 %i,%g,%m; " AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o];", USED, 7 },
};

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
        if (err.status != 2 || !strstr(err.text, refusals[k].why) || strncmp(err.text, want, strlen(want)))
            fail_msg("not `%s %s`: %s", want, refusals[k].why, err.text);
    }
}

/* ---- runs ---- */

enum { GRID = 3, BLOCK = 40, THREADS = GRID * BLOCK, WORDS = 1000 };

static void launch(const char *text, const uint32_t *a, uint32_t *b, uint32_t n, uint32_t m)
{
    struct hd_config cfg = { .kind = HD_MODEL, .limit = 1000000 };
    struct hd_err err = { 0 };
    uint32_t at[2];
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
    struct hd_launch l = { .kernel = "k", .grid = { GRID, 1, 1 }, .block = { BLOCK, 1, 1 }, .params = &params, .params_size = sizeof params };
    assert_int_equal(hd_launch_grid(dev, &l), HD_OK);
    assert_int_equal(hd_read(dev, at[1], b, 4 * WORDS), HD_OK);
    hd_close(dev);
    hd_image_free(img);
}

/* In the other order every thread has its new element, so it stores for another; afterwards all is as without. */
static void means_the_same(const char *text, uint32_t n, uint32_t m, uint32_t sides)
{
    static uint32_t a[WORDS], b[WORDS], moved_a[WORDS], moved_b[WORDS], back[WORDS];
    uint32_t d[THREADS];
    const uint64_t value[4] = { 1, 2, n, m };
    struct access x;
    struct hd_err err = { 0 };
    if (!access_find("t.ptx", text, strlen(text), "k", &x, NULL, &err))
        fail_msg("%s", err.text);
    for (uint32_t k = 0; k < WORDS; k++)
        a[k] = k * 2654435761u, b[k] = ~k;
    for (uint32_t k = 0; k < THREADS; k++)       /* turned round on each side of `sides` */
        d[k] = k < sides ? sides - 1 - k : THREADS - 1 - (k - sides);
    if (!layout_check(&x, d, THREADS, value, &err))
        fail_msg("%s", err.text);
    layout_move(&x, 0, d, THREADS, value, a, moved_a, sizeof a, false);
    layout_move(&x, 1, d, THREADS, value, b, moved_b, sizeof b, false);
    assert_memory_not_equal(a, moved_a, sizeof a);
    launch(text, a, b, n, m);
    launch(text, moved_a, moved_b, n, m);
    assert_memory_not_equal(b, moved_b, sizeof b);
    layout_move(&x, 1, d, THREADS, value, moved_b, back, sizeof b, true);
    assert_memory_equal(b, back, sizeof b);
    access_free(&x);
}

#define COPY AT("%o", "%a", "%i", "4") " ld.global.u32 %v,[%o]; " AT("%o2", "%b", "%i", "4") " st.global.u32 [%o2],%v;\n"

static void elements_move(void **state)
{
    (void)state;
    means_the_same(KERNEL("mov.u32 %i,%g; " COPY), 0, 0, 0);
    means_the_same(KERNEL("setp.ge.u32 %q1,%g,%n; @%q1 bra E; mov.u32 %i,%g; " COPY "E:"), 100, 0, 100);
    means_the_same(KERNEL("mov.u32 %i,%g;\nL: " COPY "add.s32 %i,%i,%w; setp.lt.u32 %q1,%i,%n; @%q1 bra L;"), 500, 0, 500 % THREADS);
    means_the_same(KERNEL("mov.u32 %j,0; L: mad.lo.u32 %i,%j,%m,%g; " COPY "add.s32 %j,%j,1; setp.lt.u32 %q1,%j,5; @%q1 bra L;"), 0,
                   THREADS, 0);
    means_the_same(KERNEL(AT("%o", "%a", "%g", "8") " ld.global.v2.u32 {%v,%i},[%o]; add.u32 %u,%v,%i; " AT("%o2", "%b", "%g", "8") " st.global.u32 [%o2+4],%u;"),
                   0, 0, 0);
}

static void orders_refused(void **state)
{
    (void)state;
    static const char text[] = KERNEL("setp.ge.u32 %q1,%g,%n; @%q1 bra E; mov.u32 %i,%g; " COPY "E:");
    uint32_t d[THREADS];
    uint64_t value[4] = { 4096, 8192, 100, 0 };
    struct access x;
    struct hd_err err = { 0 };
    assert_true(access_find("t.ptx", text, strlen(text), NULL, &x, NULL, &err));
    for (uint32_t k = 0; k < THREADS; k++)
        d[k] = k;
    assert_true(layout_check(&x, d, THREADS, value, &err));
    d[99] = 100, d[100] = 99;
    assert_false(layout_check(&x, d, THREADS, value, &err));
    assert_non_null(strstr(err.text, "takes thread 99 to 100, across the bound of 100"));
    value[1] = 4096;
    err = (struct hd_err){ 0 };
    assert_false(layout_check(&x, d, THREADS, value, &err));
    assert_non_null(strstr(err.text, "parameters 1 and 2 are one buffer"));
    access_free(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form), cmocka_unit_test(every_refusal), cmocka_unit_test(elements_move),
        cmocka_unit_test(orders_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Redirection: every form of text comes out whole and means the same, every reason to refuse is
 * given with its line, an order that is none is refused.  Random kernels:
 * tests/regroup/fuzz_redirect.c.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/regroup/redirect.h"
#include "harness/fuzz/fuzz_prog.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
static char *redirected(const char *text, enum order_scope scope, const char *kernel,
                        struct redirect *r)
{
    struct hd_err err = { 0 };
    *r = (struct redirect){ .scope = scope, .kernel = kernel };
    char *out = redirect_ptx("t.ptx", text, strlen(text), r, &err);
    if (!out)
        fail_msg("%s", err.text);
    return out;
}

/* ---- what an entry holds ---- */

#define GLOBAL "mov.u32 %r1,%ctaid.x; mov.u32 %r2,%ntid.x; mov.u32 %r3,%tid.x;"

static const struct {
    const char *text;
    enum order_scope scope;
    int dims;
    unsigned fields, words;
} forms[] = {
    { GLOBAL "mad.lo.u32 %r4,%r1,%r2,%r3;", ORDER_GRID, 1, ORDER_ID, 1 },
    { GLOBAL "mad.lo.s32 %r4,%r2,%r1,%r3;", ORDER_BLOCK, 1, ORDER_ID, 1 },
    { GLOBAL "mul.lo.u32 %r5,%r1,%r2; add.u32 %r4,%r3,%r5;", ORDER_GRID, 1, ORDER_ID, 1 },
    { GLOBAL "mul.lo.u32 %r5,%r1,%r2; add.u32 %r4,%r3,%r5; add.u32 %r4,%r4,%r5;", ORDER_GRID, 1,
      ORDER_THREAD | ORDER_CTA_X, 2 },
    { GLOBAL "mad.lo.u32 %r4,%r1,%r2,%r3; and.b32 %r5,%r3,1;", ORDER_GRID, 1,
      ORDER_THREAD | ORDER_CTA_X, 2 },
    { GLOBAL "mad.lo.u32 %r4,%r1,%r2,%r3; and.b32 %r5,%r1,1;", ORDER_BLOCK, 1, ORDER_ID, 1 },
    { GLOBAL "mad.hi.u32 %r4,%r1,%r2,%r3;", ORDER_GRID, 1, ORDER_THREAD | ORDER_CTA_X, 2 },
    { GLOBAL "mov.u32 %r3,%r1; mad.lo.u32 %r4,%r1,%r2,%r3;", ORDER_GRID, 1,
      ORDER_THREAD | ORDER_CTA_X, 2 },
    { "mov.u32 %r3,%tid.x;", ORDER_GRID, 1, ORDER_THREAD, 1 },
    { "mov.u32 %r3,%ctaid.x;", ORDER_GRID, 1, ORDER_CTA_X, 1 },
    { "mov.u32 %r3,%ctaid.x;", ORDER_BLOCK, 1, ORDER_ID, 1 },
    { "mov.u32 %r3,%tid.y;", ORDER_GRID, 2, ORDER_THREAD, 1 },
    { "mov.u32 %r3,%tid.x; mov.u32 %r4,%ctaid.z; mov.u32 %r5,%ctaid.y;", ORDER_GRID, 3,
      ORDER_THREAD | ORDER_CTA_Y | ORDER_CTA_Z, 4 },
    { "mov.u32 %r3,%tid.x; mov.u32 %r4,%ctaid.z; mov.u32 %r5,%ctaid.y;", ORDER_BLOCK, 3,
      ORDER_THREAD, 1 },
    { "mov.u32 %r3,%ntid.x;", ORDER_GRID, 1, ORDER_ID, 1 },
};

static void every_form(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        struct redirect r;
        struct hd_err err = { 0 };
        char text[1024];
        snprintf(text, sizeof text, "%s.entry k(.param .u64 po) { .reg .b32 %%r<9>;\n%s ret; }\n",
                 HEAD, forms[k].text);
        char *out = redirected(text, forms[k].scope, NULL, &r);
        if (r.dims != forms[k].dims || r.fields != forms[k].fields || r.words != forms[k].words)
            fail_msg("%s: %d dimensions, fields %u, %u words", forms[k].text, r.dims, r.fields,
                     r.words);
        struct hd_image *img = hd_compile_ptx("out.ptx", out, &(struct cc_options){ 0 }, &err);
        if (!img)
            fail_msg("%s:\n%s\n%s", forms[k].text, err.text, out);
        hd_image_free(img);
        free(out);
    }
}

/* ---- text ---- */

enum { GRID = 3, BLOCK = 40, THREADS = GRID * BLOCK };

/* Runs a kernel whose first parameter is `out`; with r its last one is D.  d NULL: all do the work
 * of thread ALONE. */
enum { ALONE = 77 };
static void launch(const char *text, const char *kernel, const struct redirect *r,
                   const uint32_t *d, uint32_t out[THREADS])
{
    struct hd_config cfg = { .kind = HD_MODEL, .limit = 1000000 };
    struct hd_err err = { 0 };
    uint64_t at[2];
    uint32_t order[THREADS * ORDER_MAX_WORDS], same[THREADS];
    hd_device *dev;
    struct hd_image *img = hd_compile_ptx("run.ptx", text, &(struct cc_options){ 0 }, &err);
    if (!img)
        fail_msg("%s\n%s", err.text, text);
    assert_int_equal(hd_open(&cfg, &dev), HD_OK);
    assert_int_equal(hd_load(dev, img), HD_OK);
    assert_int_equal(hd_malloc(dev, 4 * THREADS, &at[0]), HD_OK);
    assert_int_equal(hd_malloc(dev, sizeof order, &at[1]), HD_OK);
    for (uint32_t k = 0; k < THREADS; k++)
        same[k] = k;
    if (r && !redirect_order(r, (struct hd_dim3){ GRID, 1, 1 }, (struct hd_dim3){ BLOCK, 1, 1 },
                             d ? d : same, THREADS, order, &err))
        fail_msg("%s", err.text);
    for (uint32_t k = 0; r && !d && k < THREADS; k++)
        memcpy(order + k * r->words, order + ALONE * r->words, r->words * 4);
    if (r)
        assert_int_equal(hd_write(dev, at[1], order, THREADS * r->words * 4), HD_OK);
    uint64_t params[2] = { at[0], at[1] };
    struct hd_launch l = { .kernel = kernel,
                           .grid = { GRID, 1, 1 },
                           .block = { BLOCK, 1, 1 },
                           .params = params,
                           .params_size = r ? 16 : 8 };
    if (hd_launch_grid(dev, &l) != HD_OK)
        fail_msg("%s", hd_device_error(dev));
    assert_int_equal(hd_read(dev, at[0], out, 4 * THREADS), HD_OK);
    hd_close(dev);
    hd_image_free(img);
}

static void shuffled(struct rng *g, uint32_t *d, uint32_t n, uint32_t part)
{
    for (uint32_t k = 0; k < n; k++)
        d[k] = k;
    for (uint32_t k = n; k-- > 0;) {
        uint32_t other = k / part * part + rng_below(g, k % part + 1), t = d[k];
        d[k] = d[other];
        d[other] = t;
    }
}

/* The entries are obeyed: no thread does its own work. */
static void obeys(const char *text, const struct redirect *r, const uint32_t want[THREADS])
{
    uint32_t got[THREADS];
    launch(text, "k", r, NULL, got);
    for (uint32_t k = 0; k < THREADS; k++) {
        bool mine = k == ALONE || (r->scope == ORDER_BLOCK && r->fields == ORDER_THREAD &&
                                   k % BLOCK == ALONE % BLOCK);
        if (got[k] != (mine ? want[k] : 0))
            fail_msg("thread %u's word is %u, it was %u:\n%s", k, got[k], want[k], text);
    }
}

/* k and other store what they stored, when k runs in another order. */
static void means_the_same(const char *text, const char *scratch)
{
    uint32_t want[THREADS], got[THREADS], d[THREADS];
    struct rng g = { 9 };
    struct redirect r;
    for (enum order_scope s = ORDER_GRID; s <= ORDER_BLOCK; s++) {
        char *out = redirected(text, s, "k", &r);
        if (scratch && !strstr(out, scratch))
            fail_msg("no `%s` in\n%s", scratch, out);
        shuffled(&g, d, THREADS, s == ORDER_GRID ? THREADS : BLOCK);
        launch(text, "k", NULL, NULL, want);
        launch(out, "k", &r, d, got);
        assert_memory_equal(got, want, sizeof want);
        obeys(out, &r, want);
        launch(text, "other", NULL, NULL, want);
        launch(out, "other", NULL, NULL, got);
        assert_memory_equal(got, want, sizeof want);
        free(out);
    }
}

/* k and other store at their global id %g what `value` puts into %v. */
#define STORES(name, value) \
    ".visible .entry " name "(.param .u64 po) // its list\n{ .reg .b32 %x<4>, %g, %v; " \
    ".reg .b64 %o, %f;\n" \
    "mov.u32 %x0,%ctaid.x; mov.u32 %x1,%ntid.x; mov.u32 %x2,%tid.x; mad.lo.s32 %g,%x0,%x1,%x2;\n" \
    value \
    " ld.param.u64 %o,[po]; cvta.to.global.u64 %o,%o; mad.wide.u32 %o,%g,4,%o; " \
    "st.global.u32 [%o],%v; ret; }\n"
#define OTHER STORES("other", "{ .param .b32 q; call (q), me; ld.param.u32 %v,[q]; }")

static void every_text(void **state)
{
    (void)state;
    /* A function without parameters, declared before; other passes its own ids. */
    means_the_same(
        HEAD ".func (.param .b32 q) me;\n" STORES(
            "k", "{ .param .b32 q; call (q), me; ld.param.u32 %v,[q]; }") OTHER
        ".func (.param .b32 q) me { .reg .b32 %t,%c; mov.u32 %t,%tid.x; mov.u32 %c,%ctaid.x;\n"
        "mad.lo.u32 %t,%c,100,%t; st.param.b32 [q],%t; ret; }\n",
        "me(");
    /* With an empty list; another function stands between; comments and strings that look like
     * code. */
    means_the_same(
        HEAD
        ".func (.param .b32 q) me() { .reg .b32 %t; mov.u32 %t, /* not %tid.y; */ %tid.x; "
        "st.param.b32 [q],%t; ret; }\n"
        ".func (.param .b32 q) you(.param .b32 /* ) */ a) .pragma \"nounroll\"; "
        "{ .reg .b32 %t,%u; call (%t), me, ( );\n"
        "ld.param.u32 %u,[a]; add.u32 %t,%t,%u; st.param.b32 [q],%t; ret; }\n" STORES(
            "k", ".pragma \"call (%v), me; .entry\"; call.uni (%v), you, (%g); // you, (%g);\n")
            OTHER,
        NULL);
    /* Through a register; the address of me is taken, so all that have one take the words. */
    means_the_same(
        HEAD
        ".func (.param .b32 q) me { .reg .b32 %t; mov.u32 %t,%tid.x; st.param.b32 [q],%t; ret; }\n"
        ".func (.param .b32 q) no { st.param.b32 [q],7; ret; }\n"
        ".global .u64 ways[2] = { me, no };\n" STORES(
            "k",
            "mov.u64 %f,ways; and.b32 %v,%g,1; mad.wide.u32 %f,%v,8,%f; ld.global.u64 %f,[%f];\n"
            "P: .callprototype (.param .b32 _) _; call (%v), %f, P;") OTHER,
        NULL);
    /* Its new names are not taken. */
    means_the_same(HEAD ".func (.param .b32 hd0_thread) me { .reg .b32 %hd1_thread; "
                        "mov.u32 %hd1_thread,%tid.x;\n"
                   "st.param.b32 [hd0_thread],%hd1_thread; ret; }\n"
                   STORES("k", "call (%v), me;") OTHER, "hd2_");
    /* Guarded and written twice: no global id. */
    means_the_same(
        HEAD STORES("k",
                    ".reg .pred %p; setp.gt.u32 %p,%x2,9; mov.u32 %v,1; @%p mov.u32 %v,%tid.x;")
            STORES("other", "mov.u32 %v,3;"),
        NULL);
    /* Words of a thread that are not all used. */
    means_the_same(
        HEAD STORES(
            "k",
            "mov.u32 %x0,%tid.z; mov.u32 %x1,%ctaid.z; mov.u32 %x2,%ctaid.y; add.u32 %v,%x0,%x1; "
            "mad.lo.u32 %v,%v,5,%x2; add.u32 %v,%v,%g;")
            STORES("other", "mov.u32 %v,%tid.y;"),
        NULL);
}

/* Lines of the source stay with their instructions. */
static void lines_stay(void **state)
{
    (void)state;
    struct redirect r;
    char *out = redirected(HEAD ".file 1 \"a.cu\"\n.entry k()\n{\n.reg .b32 %r<2>;\n.loc 1 7 0\n"
                                "mov.u32 %r0,%tid.x;\n.loc 1 8 3\nret;\n}\n",
                           ORDER_GRID, NULL, &r);
    assert_non_null(strstr(out, "\n.loc 1 7 0\nmov.u32 %r0,%hd0_thread;\n.loc 1 8 3\nret;\n}\n"));
    free(out);
}

/* ---- refusals ---- */

#define WAIT "mov.u64 %a0,flag;\nL: ld.global.u32 %r1,[%a0]; setp.eq.u32 %p0,%r1,0;\n@%p0 bra L;"

static const struct { const char *text, *why; bool grid, block; int line; } refusals[] = {
    { "\nshfl.sync.idx.b32 %r1,%r1,0,31,-1;", "lanes of a warp exchange values", true, true, 9 },
    { "vote.sync.any.pred %p1,%p0,-1;", "lanes of a warp exchange values", true, true, 8 },
    { "match.any.sync.b32 %r1,%r2,-1;", "lanes of a warp exchange values", true, true, 8 },
    { "activemask.b32 %r1;", "lanes of a warp exchange values", true, true, 8 },
    { "mov.u32 %r1,%laneid;", "%laneid tells where in its warp a thread is", true, true, 8 },
    { "mov.u32 %r1,%lanemask_lt;", "%lanemask tells where", true, true, 8 },
    { "mov.u32 %r1,%warpid;", "%warpid tells in which warp a thread is", true, true, 8 },
    { "bar.warp.sync -1;", "a warp barrier", true, true, 8 },
    { "mov.u64 %a0,flag; atom.global.add.u32 %r1,[%a0],1;\nadd.u32 %r1,%r1,1;",
      "the result of an atomic", true, true, 8 },
    { "mov.u64 %a0,flag; red.global.add.f32 [%a0],%f0;", "an atomic float", true, true, 8 },
    { "mov.u64 %a0,flag; atom.global.exch.b32 %r1,[%a0],1;", "what this atomic leaves", true, true,
      8 },
    { "mov.u64 %a0,flag; atom.global.add.u32 %r1,[%a0],1;", NULL, false, false, 0 },
    { "membar.gl;", "a fence", true, true, 8 },
    { "fence.acq_rel.gpu;", "a fence", true, true, 8 },
    { "mov.u64 %a0,flag; ld.volatile.global.u32 %r1,[%a0];", "a volatile access", true, true, 8 },
    { "mov.u64 %a0,flag; st.release.gpu.global.u32 [%a0],%r1;", "a volatile access", true, true,
      8 },
    { "nanosleep.u32 10;", "a thread that sleeps", true, true, 8 },
    { WAIT, "the loop may wait for another thread", true, true, 9 },
    { "call away;", "away is a function that is not known here", true, true, 8 },
    { "bar.sync 0;", "the block barrier needs the threads of the block", true, false, 8 },
    { "bar.sync 1,64;", "a barrier for a part of the block", true, true, 8 },
    { "st.shared.u32 [s],%r1;", "shared memory needs the threads of the block", true, false, 8 },
    { "mov.u32 %r1,s;", "shared memory needs the threads of the block", true, false, 8 },
};

static void expect_refusal(const char *text, enum order_scope scope, const char *kernel, int line,
                           const char *why)
{
    struct redirect r = { .scope = scope, .kernel = kernel };
    struct hd_err err = { 0 };
    char want[64];
    char *out = redirect_ptx("t.ptx", text, strlen(text), &r, &err);
    if (out)
        fail_msg("redirected, though %s:\n%s", why, out);
    snprintf(want, sizeof want, "t.ptx:%d:", line);
    if (err.status != 2 || !strstr(err.text, why) ||
        (line && strncmp(err.text, want, strlen(want))))
        fail_msg("not `%s %s`: status %d, %s", want, why, err.status, err.text);
}

/* In the kernel, and in a function that it calls. */
static void every_refusal(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++)
        for (enum order_scope s = ORDER_GRID; s <= ORDER_BLOCK; s++)
            for (int called = 0; called < 2; called++) {
                struct redirect r;
                char text[1024];
                snprintf(
                    text, sizeof text,
                    "%s.extern .func away;\n.global .u32 flag; .shared .u32 s;\n"
                    "%s {\n.reg .b32 %%r<9>; .reg .b64 %%a<9>; .reg .pred %%p<4>; "
                    ".reg .f32 %%f<4>;\n%s\nret;\n}\n%s",
                    HEAD, called ? ".func f" : ".visible .entry k", refusals[k].text,
                    called ? ".entry k { call f; ret; }\n" : "");
                if (s == ORDER_GRID ? refusals[k].grid : refusals[k].block)
                    expect_refusal(text, s, NULL, refusals[k].line, refusals[k].why);
                else
                    free(redirected(text, s, NULL, &r));
            }
    expect_refusal(HEAD ".entry a { ret; } .entry b { ret; }", ORDER_GRID, NULL, 0,
                   "name the kernel");
    expect_refusal(HEAD ".entry a { ret; }", ORDER_GRID, "b", 0, "there is no kernel b");
    expect_refusal(HEAD ".func a { ret; }", ORDER_GRID, NULL, 0, "there is no kernel");
    expect_refusal(HEAD ".entry a { jump; }", ORDER_GRID, NULL, 4, "there is no instruction jump");
}

/* ---- orders ---- */

static void expect_order(const struct redirect *r, struct hd_dim3 grid, struct hd_dim3 block,
                         const uint32_t *d, uint64_t n, const char *why)
{
    uint32_t out[64];
    struct hd_err err = { 0 };
    bool ok = redirect_order(r, grid, block, d, n, out, &err);
    if (ok ? why != NULL : !why || err.status != 2 || !strstr(err.text, why))
        fail_msg("not `%s`: %s", why ? why : "fine", ok ? "fine" : err.text);
}

static void every_order(void **state)
{
    (void)state;
    const struct redirect grid = { ORDER_GRID, NULL, 1, ORDER_THREAD | ORDER_CTA_X, 2 },
                          block = { ORDER_BLOCK, NULL, 1, ORDER_ID, 1 };
    const struct hd_dim3 two = { 2, 1, 1 }, four = { 4, 1, 1 }, flat = { 2, 2, 1 },
                         huge = { 0x7fffffff, 1, 1 };
    const uint32_t d[8] = { 3, 2, 1, 0, 4, 7, 5, 6 }, far[8] = { 0, 1, 2, 4, 3, 5, 6, 7 };
    expect_order(&grid, two, four, d, 8, NULL);
    expect_order(&block, two, four, d, 8, NULL);
    expect_order(&grid, two, four, far, 8, NULL);
    expect_order(&block, two, four, far, 8, "takes thread 3 to 4, which is of another block");
    expect_order(&grid, two, four, d, 7, "the order is of 7 threads, the launch has 8");
    expect_order(&grid, two, four, (uint32_t[]){ 0, 1, 2, 3, 4, 5, 6, 8 }, 8,
                 "names thread 8, the launch has 8");
    expect_order(&grid, two, four, (uint32_t[]){ 0, 1, 2, 5, 4, 5, 6, 7 }, 8, "5 occurs twice");
    expect_order(&grid, two, flat, d, 8,
                 "the launch has 2 dimensions, the redirected kernel reads %tid and %ctaid in 1");
    expect_order(&grid, huge, four, d, 8, "at most 2^32 - 1 threads");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form), cmocka_unit_test(every_text), cmocka_unit_test(lines_stay),
        cmocka_unit_test(every_refusal), cmocka_unit_test(every_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

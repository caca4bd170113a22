/* Slices: each thread executes each block as often as in the kernel; what is kept, and what is
 * refused.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/bbv.h"
#include "cmodel/image/asm.h"
#include "compiler/all.h"
#include "harness/fuzz/fuzz_prog.h"
#include "regroup/regroup.h"

enum { BUFFERS = 3, BYTES = 4096 };

/* ---- kernels in PTX ---- */

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define PARAMS "(.param .u64 a, .param .u64 b, .param .u32 n)\n"
#define BEGIN "{ .reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .f32 %f<9>; .reg .pred %p<9>;\n" \
    "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r9, [n];\n" \
    "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; " \
    "add.s64 %rd5, %rd2, %rd3;\n"
#define END "ret; }\n"
#define STORE "st.global.u32 [%rd5], %r1; st.global.u32 [%rd5+256], %r2; " \
    "st.global.u32 [%rd5+512], %r1;\n"
#define STORES STORE STORE STORE STORE
/* %r2 rounds of a loop. */
#define LOOP "mov.u32 %r3, 0;\nt: setp.ge.u32 %p1, %r3, %r2; @%p1 bra e; add.u32 %r3, %r3, 1; " \
    "mul.lo.u32 %r4, %r3, %r1;\n" \
    "xor.b32 %r5, %r4, %r9; st.global.u32 [%rd5], %r5; bra t;\ne: "

/* The second value of R10 is stored; the first, which is alive during a call, decides a branch. */
static const char two_calls[] =
    ".text\n.func k 176\n.kernel k\n.regs 16\n.param a u64 8 0\n.param b u64 8 8\n"
    ".param n u32 4 16\n.paramsize 20\n"
    "S2R R4, SR_TID_X\nMOV R10, R4\nCALL R2, f\nISETP.LT.U32.AND P0, R10, 0x20, PT\n@P0 EXIT\n"
    "MOV R10, 0x5\nIADD R10, R10, R4\nCALL R2, f\nLDC.64 R6, [RZ+0x8]\nSTG [R6], R10\nEXIT\n"
    ".func f 32\nIADD R4, R4, 0x1\nRET R2\n";

static struct hd_image *compile(const char *body, bool stack_mode)
{
    char text[4096];
    struct hd_err err = { 0 };
    struct cc_options cc = { .stack_mode = stack_mode };
    struct hd_image *img = NULL;
    snprintf(text, sizeof text, HEAD "%s", body);
    if (body == two_calls)
        hd_asm("t.s", body, &img, &err);
    else
        img = hd_compile_ptx("t.ptx", text, &cc, &err);
    if (!img)
        fail_msg("%s\n%s", err.text, text);
    return img;
}

struct launch { struct hd_launch l; uint64_t params[BUFFERS + 1]; struct slice_arg arg[BUFFERS]; };

/* A device with the image, and two buffers; one: both parameters are the same. */
static hd_device *place(const struct hd_image *img, struct launch *at, bool one)
{
    uint32_t words[BYTES / 4];
    hd_device *dev;
    assert_int_equal(hd_open(&(struct hd_config){ .kind = HD_MODEL, .limit = 4000000 }, &dev),
                     HD_OK);
    assert_int_equal(hd_load(dev, img), HD_OK);
    *at = (struct launch){ .l = { .grid = { 2, 1, 1 }, .block = { 64, 1, 1 }, .params_size = 20 } };
    at->l.params = at->params;
    for (uint32_t k = 0; k < BYTES / 4; k++)
        words[k] = k * 7 % 13;
    for (int k = 0; k < 2; k++) {
        uint64_t addr = at->params[0];
        if (!k || !one)
            assert_int_equal(hd_malloc(dev, BYTES, &addr), HD_OK);
        assert_int_equal(hd_write(dev, addr, words, sizeof words), HD_OK);
        at->params[k] = addr;
        at->arg[k] = (struct slice_arg){ addr, BYTES };
    }
    at->params[2] = 5;
    return dev;
}

static struct bbv *counted(hd_device *dev, const struct hd_launch *l)
{
    struct bbv *b;
    assert_int_equal(hd_count_blocks(dev, true), HD_OK);
    if (hd_launch_grid(dev, l) != HD_OK)
        fail_msg("%s", hd_device_error(dev));
    if (hd_block_counts(dev, &b) != HD_OK)
        fail_msg("%s", hd_device_error(dev));
    return b;
}

/* By block and thread; blocks, executions, columns and distinct vectors are as many. */
static void same_counts(const struct bbv *a, const struct bbv *b, uint64_t seed)
{
    bool same = a->nblocks == b->nblocks && a->threads == b->threads && a->shape == b->shape &&
                a->nvectors == b->nvectors;
    for (uint32_t k = 0; same && k < a->nblocks; k++) {
        const struct bbv_block *x = &a->blocks[k], *y = &b->blocks[k];
        same = x->pc == y->pc && x->insns == y->insns && x->column == y->column &&
               x->executions == y->executions;
        for (uint64_t t = 0; same && t < a->threads; t++)
            same = bbv_row(a, t)[x->column] == bbv_row(b, t)[y->column];
        if (!same)
            fail_msg("seed %llu: other counts at PC 0x%x", (unsigned long long)seed, x->pc);
    }
    assert_true(same);
}

/* Counts by kernel and slice are the same; how many instructions were kept, and of how many. */
static struct slice sliced(const char *body, bool stack_mode)
{
    struct hd_image *img = compile(body, stack_mode);
    struct hd_err err = { 0 };
    struct launch at, again;
    hd_device *dev = place(img, &at, false);
    struct bbv *run = counted(dev, &at.l);
    struct slice s;
    if (!slice_make(&s, img, hd_image_kernel(img, NULL, &err),
                    &(struct slice_launch){ BUFFERS, at.arg }, &err))
        fail_msg("%s\n%s", err.text, body);
    hd_device *other = place(s.image, &again, false);
    struct bbv *by = counted(other, &again.l);
    struct slice_work w = slice_counts(&s, img, by);
    same_counts(run, by, 0);
    if (!strstr(body, "brx")) {             /* lanes that it parts execute it one after the other */
        assert_int_equal(w.kernel, hd_get_counters(dev)->warp_insns);
        assert_int_equal(w.slice, hd_get_counters(other)->warp_insns);
    }
    bbv_free(run);
    bbv_free(by);
    hd_close(dev);
    hd_close(other);
    struct slice kept = { .kept = s.kept, .all = s.all };
    slice_free(&s);
    hd_image_free(img);
    return kept;
}

#define KERNEL(body) ".entry k" PARAMS BEGIN body END
#define LOAD "ld.global.u32 %r2, [%rd4];\n"

/* The loop's product and store go; its counter, bound and comparison stay. */
static void test_kept(void **unused)
{
    (void)unused;
    for (int stack = 0; stack < 2; stack++) {
        struct slice s = sliced(KERNEL(LOAD LOOP), stack);
        assert_true(s.kept < s.all - 3);
        s = sliced(
            KERNEL("ld.global.f32 %f1, [%rd4]; sqrt.approx.f32 %f2, %f1; sin.approx.f32 %f3, %f2; "
                   "st.global.f32 [%rd5], %f3;"),
            stack);
        assert_int_equal(s.kept, 1);                 /* EXIT */
    }
}

/* What goes through local and shared memory, functions, tables of branches and pointers to
 * functions. */
static void test_ways(void **unused)
{
    (void)unused;
    static const char *const bodies[] = {
        KERNEL(
            ".local .align 4 .b8 l[64]; mov.u32 %r6, l; and.b32 %r7, %r1, 7; shl.b32 %r7, %r7, 2; "
            "add.u32 %r6, %r6, %r7;" LOAD
            "st.local.u32 [%r6], %r2; ld.local.u32 %r2, [%r6];" LOOP),
        KERNEL(
            ".shared .align 4 .b8 s[512]; mov.u32 %r6, s; shl.b32 %r7, %r1, 2; "
            "add.u32 %r7, %r6, %r7;" LOAD
            "st.shared.u32 [%r7], %r2; bar.sync 0; xor.b32 %r8, %r1, 1; shl.b32 %r8, %r8, 2; "
            "add.u32 %r8, %r6, %r8;"
            "ld.shared.u32 %r2, [%r8];" LOOP),
        ".func (.param .u32 o) f(.param .u32 x) { .reg .b32 %r<4>; .reg .pred %p; "
        "ld.param.u32 %r1, [x];\n"
        "setp.gt.u32 %p, %r1, 6; @%p sub.u32 %r1, %r1, 3; @%p bra d; add.u32 %r1, %r1, 2;\n"
        "d: st.param.u32 [o], %r1; ret; }\n" KERNEL(
            LOAD
            "{ .param .u32 x; .param .u32 o; st.param.u32 [x], %r2; call (o), f, (x); "
            "ld.param.u32 %r2, [o]; }" LOOP),
        ".func (.param .u32 o) g(.param .u64 x) { .reg .b64 %rd<3>; .reg .b32 %r<3>; "
        "ld.param.u64 %rd1, [x];\n"
        /* a generic address, from a parameter */
        "ld.u32 %r1, [%rd1]; st.param.u32 [o], %r1; ret; }\n" KERNEL(
            "{ .param .u64 x; .param .u32 o; st.param.u64 [x], %rd4; call (o), g, (x); "
            "ld.param.u32 %r2, [o]; }" LOOP),
        KERNEL(
            LOAD
            "rem.u32 %r2, %r2, 3; ts: .branchtargets x0, x1, x2; brx.idx %r2, ts; "
            "x0: mov.u32 %r2, 5; bra j;\n"
            "x1: mov.u32 %r2, 2; bra j; x2: mov.u32 %r2, 7; j:" LOOP),
        ".global .align 4 .u32 bound[4] = {3, 1, 4, 1};\n" KERNEL(
            "mov.u64 %rd7, bound; and.b32 %r6, %r1, 3; mul.wide.u32 %rd8, %r6, 4; "
            "add.s64 %rd7, %rd7, %rd8;"
            "ld.global.u32 %r2, [%rd7];" LOOP),
        ".const .align 4 .u32 bound[4] = {3, 1, 4, 1};\n" KERNEL(
            "mov.u64 %rd7, bound; and.b32 %r6, %r1, 3; mul.wide.u32 %rd8, %r6, 4; "
            "add.s64 %rd7, %rd7, %rd8;"
            "ld.const.u32 %r2, [%rd7];" LOOP),
        /* a loaded offset stays in its parameter's buffer */
        KERNEL(
            "ld.global.u32 %r6, [%rd4]; mul.wide.s32 %rd7, %r6, 4; add.s64 %rd7, %rd1, %rd7; "
            "ld.global.u32 %r2, [%rd7];" LOOP),
        KERNEL(
            "ld.global.u32 %r6, [%rd4]; cvt.u64.u32 %rd7, %r6; and.b64 %rd7, %rd7, 60; "
            "add.s64 %rd7, %rd1, %rd7;"
            "ld.global.u8 %r2, [%rd7];" LOOP),
        /* guarded definitions */
        KERNEL(
            "mov.u32 %r2, 3; setp.gt.u32 %p2, %r1, 40; @%p2 ld.global.u32 %r2, [%rd4]; "
            "@!%p2 add.u32 %r9, %r9, 1;" LOOP),
        KERNEL(
            LOAD
            "setp.gt.u32 %p2, %r1, 40; setp.gt.u32 %p3, %r1, 9; @%p3 setp.gt.u32 %p2, %r2, 6; "
            "@%p2 st.global.u32 [%rd5], %r1;"
            "@%p2 bra j; mov.u32 %r2, 3; j:" LOOP),
        /* 64 bits that were loaded are an offset where a parameter is added */
        KERNEL(
            "ld.global.u64 %rd7, [%rd1]; cvt.u64.u32 %rd8, %r9; and.b64 %rd7, %rd7, %rd8; "
            "add.s64 %rd7, %rd1, %rd7;"
            "ld.global.u8 %r2, [%rd7];" LOOP),
        /* two sides, either of which decides */
        KERNEL(LOAD "setp.gt.u32 %p2, %r1, 40; @%p2 bra x; mov.u32 %r2, 3;" STORES
                    "bra j; x: mov.u32 %r2, 7;" STORES "j:" LOOP),
        ".func (.param .u32 o) f(.param .u32 x) { .reg .b32 %r<4>; ld.param.u32 %r1, [x]; "
        "sub.u32 %r1, 14, %r1;\n"
        "st.param.u32 [o], %r1; ret; }\n" KERNEL(
            LOAD
            "mov.u64 %rd7, f; { .param .u32 x; .param .u32 o; st.param.u32 [x], %r2; "
            "pr: .callprototype (.param .u32 _) _ "
            "(.param .u32 _); call (o), %rd7, (x), pr; ld.param.u32 %r2, [o]; }" LOOP),
        ".global .align 4 .u32 bound[4] = {3, 1, 4, 1};\n" /* its address is taken */
        KERNEL(
            LOAD
            "mov.u64 %rd7, bound; mov.u32 %r6, 9; st.global.u64 [%rd2], %rd7; "
            "st.global.u32 [%rd5], %r6;" LOOP),
        /* a float division decides nothing but its own branches */
        KERNEL(
            LOAD
            "ld.global.f32 %f1, [%rd4]; cvt.rn.f32.u32 %f2, %r2; div.rn.f32 %f3, %f2, %f1; "
            "st.global.f32 [%rd5], %f3;" LOOP),
        /* atomics whose results nobody reads */
        KERNEL(LOAD "red.global.add.u32 [%rd5], %r2;" LOOP),
    };
    for (int stack = 0; stack < 2; stack++)
        for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
            struct slice s = sliced(bodies[k], stack);
            assert_true(s.kept < s.all);
        }
}

/* ---- refusals ---- */

static void refused(const char *body, bool one, const char *why)
{
    struct hd_image *img = compile(body, false);
    struct hd_err err = { 0 };
    struct launch at;
    struct slice s;
    hd_device *dev = place(img, &at, one);
    assert_false(slice_make(&s, img, hd_image_kernel(img, NULL, &err),
                            &(struct slice_launch){ BUFFERS, at.arg }, &err));
    hd_close(dev);
    hd_image_free(img);
    assert_int_equal(err.status, 2);
    if (!strstr(err.text, why))
        fail_msg("`%s` has no `%s`", err.text, why);
}

#define FILED ".file 1 \"k.cu\"\n.entry k" PARAMS BEGIN
/* A function returns to all who call it; values that it does not write go past it. */
static void test_past_calls(void **unused)
{
    (void)unused;
    struct slice s = sliced(two_calls, false);
    assert_int_equal(s.kept, 8);        /* S2R, MOV, ISETP, and what is control */
    assert_int_equal(s.all, 13);
}

static void test_refused(void **unused)
{
    (void)unused;
    const char *const written =
        "k.cu:7: no slice: what is loaded here decides branches, and may be written by the "
        "kernel: k.cu:9";
    refused(FILED ".loc 1 7 0\nld.global.u32 %r2, [%rd5];\n.loc 1 9 0\n" LOOP END, false, written);
    refused(FILED ".loc 1 7 0\nld.global.u32 %r2, [%rd4];\n.loc 1 9 0\n" LOOP END, true, written);
    refused(FILED "ld.global.u64 %rd7, [%rd1];\n.loc 1 7 0\nld.global.u32 %r2, [%rd7];\n"
                  ".loc 1 9 0\n" LOOP END, false, written);
    refused(FILED ".loc 1 7 0\nld.global.u32 %r2, [%rd4];\n.loc 1 9 0\n"
                  "red.global.add.u32 [%rd4], 1;\n" LOOP END, false, written);
    refused(FILED "ld.global.u64 %rd7, [%rd1];\n.loc 1 9 0\nst.global.u32 [%rd7], %r1;\n"
                  ".loc 1 7 0\nld.global.u32 %r2, [%rd4];\n"
            LOOP END, false, written);
    refused(FILED "mov.u64 %rd7, 65536;\n.loc 1 9 0\nst.global.u32 [%rd7], %r1;\n.loc 1 7 0\n"
            LOAD LOOP END, false, written);
    refused(FILED "setp.gt.u32 %p2, %r1, 4; mov.u64 %rd7, %rd5; @%p2 mov.u64 %rd7, %rd4;\n"
                  ".loc 1 7 0\nld.global.u32 %r2, [%rd7];\n"
            ".loc 1 9 0\n" LOOP END, false, written);
    refused(FILED ".loc 1 7 0\natom.global.add.u32 %r2, [%rd5], 1; and.b32 %r2, %r2, 3;\n" LOOP END,
            false,
            "k.cu:7: no slice: the order in which atomics arrive decides branches");
    refused(FILED ".loc 1 7 0\nmov.u32 %r2, %clock; and.b32 %r2, %r2, 3;\n" LOOP END, false,
            "k.cu:7: no slice: the clock decides branches");
    refused(FILED LOAD ".loc 1 7 0\nshfl.sync.idx.b32 %r2, %r2, 0, 31, -1;\n" LOOP END, false,
            "k.cu:7: no slice: other lanes of the warp decide branches");
    refused(FILED LOAD ".loc 1 7 0\nsetp.gt.u32 %p2, %r2, 4; vote.sync.any.pred %p2, %p2, -1; "
                       "selp.u32 %r2, 1, 2, %p2;\n" LOOP END,
            false, "k.cu:7: no slice: other lanes");
}

/* ---- random kernels ---- */

struct tally { unsigned kernels, sliced; uint64_t kept, all; };

static struct bbv *run_case(hd_device *dev, const struct fuzz_case *c, const struct hd_image *img,
                            struct slice_arg *arg)
{
    const uint32_t bytes[3] = { FUZZ_IN, fuzz_room(c) * FUZZ_SLOT, FUZZ_SUM };
    uint64_t params[3];
    uint32_t in[FUZZ_IN / 4];
    uint64_t at = 0;
    assert_int_equal(hd_reset(dev, 0), HD_OK);
    assert_int_equal(hd_load(dev, img), HD_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(hd_malloc(dev, bytes[k], &at), HD_OK);
        params[k] = at;
        arg[k] = (struct slice_arg){ at, bytes[k] };
    }
    fuzz_data(c, in);
    assert_int_equal(hd_write(dev, (uint32_t)params[0], in, sizeof in), HD_OK);
    return counted(dev,
                   &(struct hd_launch){
                       .grid = c->grid, .block = c->block, .params = params, .params_size = 24 });
}

static void one_case(hd_device *dev, struct fuzz_case *c, struct tally *t)
{
    struct cc_options cc = { .stack_mode = c->stack_mode,
                             .maxregs = c->maxregs,
                             .no_ifconv = c->no_ifconv };
    struct hd_err err = { 0 };
    struct slice_arg arg[3];
    struct slice s;
    assert_true(fuzz_compile(c, &err));
    struct hd_image *img = hd_compile_ptx("case.ptx", c->ptx, &cc, &err);
    assert_non_null(img);
    struct bbv *run = run_case(dev, c, img, arg);
    if (slice_make(&s, img, hd_image_kernel(img, NULL, &err), &(struct slice_launch){ 3, arg },
                   &err)) {
        struct bbv *by = run_case(dev, c, s.image, arg);
        slice_counts(&s, img, by);
        same_counts(run, by, c->seed);
        t->sliced++;
        t->kept += s.kept;
        t->all += s.all;
        bbv_free(by);
        hd_reset(dev, 0);
        slice_free(&s);
    } else if (err.status != 2)
        fail_msg("seed %llu: %s", (unsigned long long)c->seed, err.text);
    hd_reset(dev, 0);
    bbv_free(run);
    hd_image_free(img);
}

static void test_random_kernels(void **unused)
{
    (void)unused;
    const unsigned wanted = 60;
    for (int stack_mode = 0; stack_mode < 2; stack_mode++) {
        struct fuzz_choice f = {
            .frame = { .stack_mode = stack_mode, .lanes = 32, .stack_depth = 16 }, .level = FUZZ_PTX
        };
        struct hd_config cfg = { .kind = HD_MODEL, .limit = 4000000 };
        struct tally t = { 0 };
        hd_device *dev;
        assert_true(fuzz_choice_open(&f, NULL));
        assert_int_equal(hd_open(&cfg, &dev), HD_OK);
        for (; t.sliced < wanted && t.kernels < 2000; t.kernels++) {
            struct fuzz_case c = fuzz_choose(&f, 3000000u * (unsigned)stack_mode + t.kernels);
            one_case(dev, &c, &t);
            fuzz_case_free(&c);
        }
        if (t.sliced < wanted)
            fail_msg("%u of %u kernels have a slice", t.sliced, t.kernels);
        printf("%u random kernels: %u have a slice, of %.0f%% of their instructions\n", t.kernels,
               t.sliced, 100.0 * (double)t.kept / (double)t.all);
        hd_close(dev);
        fuzz_choice_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept), cmocka_unit_test(test_ways), cmocka_unit_test(test_past_calls),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_random_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

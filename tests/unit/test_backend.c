/* The back end by what its code does: small PTX programs, compiled and run on the model, against C.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The operations themselves are tested against an H200 (`heddle silicon`); here are the parts
 * around them: register pressure and spills, calls and frames, barriers of nests and recursion,
 * addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/all.h"
#include "compiler/select/minsn.h"
#include "cmodel/image/image.h"
#include "cmodel/fast/fast.h"

enum { THREADS = 64, DATA = 0x10000000, BYTES = 1 << 16 };

static struct hd_image *compile(const char *text, int maxregs, bool stack, struct hd_err *err)
{
    struct cc_options opt = { .maxregs = maxregs, .stack_mode = stack };
    struct arena *a = arena_new();
    struct hd_image *img = NULL;
    struct module *m = ptx_parse(a, "test.ptx", text, strlen(text), err);
    if (m && cc_middle(m, &opt, err)) img = backend_run(m, &opt, err);
    arena_free(a);
    return img;
}

static int run_mode(const char *text, int maxregs, bool stack, uint32_t out[THREADS],
                    struct hd_kernel *info)
{
    struct hd_err err = { 0 };
    struct launch_limits limits = {
        .warps = 32, .regs = 256, .shared_bytes = 1 << 15, .stack_depth = 4
    };
    char why[200] = "";
    uint64_t param = DATA;
    struct launch launch;
    struct hd_image *img = compile(text, maxregs, stack, &err);
    if (!img) fail_msg("%s", err.text);
    struct model *m = fast_new(&limits);
    assert_non_null(m);
    struct hd_launch l = { .grid = { 1, 1, 1 },
                           .block = { THREADS, 1, 1 },
                           .params = &param,
                           .params_size = sizeof param };
    assert_int_equal(launch_load(model_memory(m), img, why, sizeof why), HD_OK);
    memset(model_memory(m) + DATA, 0, BYTES);
    assert_int_equal(launch_prepare(&launch, model_memory(m), img, &l, &limits, why, sizeof why),
                     HD_OK);
    launch_add_range(&launch, DATA, BYTES, true);
    assert_true(model_load(m, LAUNCH_CODE, img->text_size, stack));
    model_launch(m, &launch);
    struct fast_run how = { .limit = 1000000 };
    int status = (int)fast_run(m, &how);
    memcpy(out, model_memory(m) + DATA, THREADS * sizeof *out);
    if (info) *info = img->kernels[0], info->name = NULL, info->params = NULL;
    model_free(m);
    hd_image_free(img);
    return status;
}

/* Runs kernel `k`(out: u64) with THREADS threads, compiled for barriers and for the stack; out gets
 * a word a thread.  Zero, or the status. */
static int run(const char *text, int maxregs, uint32_t out[THREADS], struct hd_kernel *info)
{
    uint32_t other[THREADS];
    int status = run_mode(text, maxregs, true, other, NULL);
    assert_int_equal(run_mode(text, maxregs, false, out, info), status);
    assert_memory_equal(out, other, sizeof other);
    return status;
}

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define KERNEL ".visible .entry k(.param .u64 k_out)\n{\n.reg .b32 %r<200>; .reg .b64 %d<20>; " \
    ".reg .pred %p<30>;\n" \
    "mov.u32 %r0, %tid.x;\nld.param.u64 %d0, [k_out];\nmul.wide.u32 %d1, %r0, 4;\n" \
    "add.s64 %d2, %d0, %d1;\n"
#define STORE "st.global.u32 [%d2], %r1;\nret;\n}\n"

/* 60 values live at once, as words: with few registers most are spilled, and the sum is the
 * same. */
static void test_spills(void **state)
{
    static const int limits[] = { 255, 40, 24, 16, 12 };
    static char text[20000];
    (void)state;
    size_t n = (size_t)sprintf(text, "%s", HEAD KERNEL);
    for (int k = 0; k < 60; k++)
        n += (size_t)sprintf(text + n, "mad.lo.s32 %%r%d, %%r0, %d, %d;\n", 100 + k, 3 * k + 1,
                             k * k);
    n += (size_t)sprintf(text + n, "bar.sync 0;\nmov.u32 %%r1, 0;\n");
    for (int k = 59; k >= 0; k--)
        n += (size_t)sprintf(text + n, "mad.lo.s32 %%r1, %%r1, 31, %%r%d;\n", 100 + k);
    sprintf(text + n, "%s", STORE);
    for (size_t j = 0; j < sizeof limits / sizeof *limits; j++) {
        uint32_t out[THREADS];
        struct hd_kernel info;
        assert_int_equal(run(text, limits[j], out, &info), HD_OK);
        assert_true(info.regs <= (uint32_t)limits[j]);
        for (uint32_t t = 0; t < THREADS; t++) {
            uint32_t want = 0;
            for (uint32_t k = 60; k-- > 0;) want = want * 31 + t * (3 * k + 1) + k * k;
            assert_int_equal(out[t], want);
        }
    }
}

/* Twenty predicates at once: P0 to P6 do not suffice. */
static void test_predicate_spills(void **state)
{
    static char text[20000];
    uint32_t out[THREADS];
    (void)state;
    size_t n = (size_t)sprintf(text, "%s", HEAD KERNEL "mov.u32 %r1, 0;\n");
    for (int k = 0; k < 20; k++)
        n += (size_t)sprintf(text + n, "setp.gt.u32 %%p%d, %%r0, %d;\n", k, 3 * k);
    for (int k = 0; k < 20; k++)
        n += (size_t)sprintf(text + n, "@!%%p%d add.u32 %%r1, %%r1, %d;\n", k, 1 << k);
    sprintf(text + n, "%s", STORE);
    assert_int_equal(run(text, 255, out, NULL), HD_OK);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t want = 0;
        for (uint32_t k = 0; k < 20; k++) want += t > 3 * k ? 0 : 1u << k;
        assert_int_equal(out[t], want);
    }
}

/* Values live across calls, in a function that recurses: frames, saved registers, barriers. */
static void test_recursion(void **state)
{
    static const char text[] = HEAD
        ".func (.param .b32 r) fib(.param .b32 n)\n{\n.reg .b32 %r<9>; .reg .pred %p;\n"
        "ld.param.u32 %r1, [n];\nsetp.lt.u32 %p, %r1, 2;\n@%p bra L1;\nsub.u32 %r2, %r1, 1;\n"
        "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call.uni (b), fib, (a); "
        "ld.param.b32 %r3, [b]; }\n"
        "sub.u32 %r4, %r1, 2;\n"
        "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r4; call.uni (b), fib, (a); "
        "ld.param.b32 %r5, [b]; }\n"
        "add.u32 %r1, %r3, %r5;\nL1:\nst.param.b32 [r], %r1;\nret;\n}\n" KERNEL
        "and.b32 %r2, %r0, 7;\n"
        "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call.uni (b), fib, (a); "
        "ld.param.b32 %r1, [b]; }\n" STORE;
    static const uint32_t fib[] = { 0, 1, 1, 2, 3, 5, 8, 13 };
    uint32_t out[THREADS];
    struct hd_kernel info;
    (void)state;
    assert_int_equal(run(text, 255, out, &info), HD_OK);
    assert_true(info.local >= 4096);
    for (uint32_t t = 0; t < THREADS; t++) assert_int_equal(out[t], fib[t & 7]);
}

/* Fourteen functions in a circle, each with a branch of its own: all are recursive, whichever is
 * met first, and save the barrier that they use. */
static void test_circle(void **state)
{
    enum { N = 14 };
    static char text[20000];
    uint32_t out[THREADS];
    struct hd_kernel info;
    (void)state;
    size_t n = (size_t)sprintf(text, "%s", HEAD);
    for (int k = 0; k < N; k++)
        n += (size_t)sprintf(text + n, ".func (.param .b32 r) g%d(.param .b32 v, .param .b32 d);\n",
                             k);
    for (int k = 0; k < N; k++)
        n += (size_t)sprintf(
            text + n,
            ".func (.param .b32 r) g%d(.param .b32 v, .param .b32 d)\n{\n.reg .b32 %%r<9>; "
            ".reg .pred %%p<3>;\n"
            "ld.param.u32 %%r1, [v];\nld.param.u32 %%r2, [d];\nand.b32 %%r3, %%r1, %d;\n"
            "setp.eq.u32 %%p1, %%r3, 0;\n"
            "@%%p1 bra L1;\nmad.lo.u32 %%r1, %%r1, 5, %d;\nmembar.gl;\nL1:\n"
            "setp.eq.u32 %%p2, %%r2, 0;\n@%%p2 bra L2;\n"
            "sub.u32 %%r2, %%r2, 1;\n{ .param .b32 a; .param .b32 b; .param .b32 c;\n"
            "st.param.b32 [a], %%r1;\n"
            "st.param.b32 [b], %%r2;\ncall.uni (c), g%d, (a, b);\nld.param.b32 %%r1, [c]; }\n"
            "L2:\nst.param.b32 [r], %%r1;\nret;\n}\n",
            k, 1 << k % 3, k, (k + 1) % N);
    sprintf(text + n, "%s", KERNEL "and.b32 %r2, %r0, 31;\n{ .param .b32 a; .param .b32 b; "
                                   ".param .b32 c;\nst.param.b32 [a], %r0;\n"
            "st.param.b32 [b], %r2;\ncall.uni (c), g0, (a, b);\nld.param.b32 %r1, [c]; }\n" STORE);
    assert_int_equal(run(text, 255, out, &info), HD_OK);
    assert_true(info.local >= 4096);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t want = t;
        for (uint32_t k = 0; k <= (t & 31); k++)
            if (want & 1u << k % N % 3) want = want * 5 + k % N;
        assert_int_equal(out[t], want);
    }
}

/* Sixteen arguments, 64-bit ones among them, and a structure: registers, then memory. */
static void test_arguments(void **state)
{
    static char text[20000];
    uint32_t out[THREADS];
    (void)state;
    size_t n = (size_t)sprintf(text, HEAD ".func (.param .align 4 .b8 r[12]) f(");
    for (int k = 0; k < 16; k++)
        n += (size_t)sprintf(text + n, "%s.param .b%d p%d", k ? ", " : "", k & 1 ? 64 : 32, k);
    n += (size_t)sprintf(text + n,
                         ")\n{\n.reg .b32 %%r<40>; .reg .b64 %%d<20>;\nmov.u32 %%r0, 0;\n");
    for (int k = 0; k < 16; k++)
        n +=
            (size_t)(k & 1
                         ? sprintf(
                               text + n,
                               "ld.param.u64 %%d%d, [p%d];\ncvt.u32.u64 %%r%d, %%d%d;\n"
                               "mad.lo.u32 %%r0, %%r0, 7, %%r%d;\n",
                               k, k, k + 1, k, k + 1)
                         : sprintf(text + n,
                                   "ld.param.u32 %%r%d, [p%d];\nmad.lo.u32 %%r0, %%r0, 7, %%r%d;\n",
                                   k + 1, k, k + 1));
    n += (size_t)sprintf(
        text + n,
        "st.param.b32 [r+0], 5;\nst.param.b32 [r+4], %%r0;\nst.param.b32 [r+8], 6;\nret;\n}\n%s{\n",
        KERNEL);
    for (int k = 0; k < 16; k++)
        n += (size_t)sprintf(text + n, ".param .b%d a%d;\n", k & 1 ? 64 : 32, k);
    n += (size_t)sprintf(text + n, ".param .align 4 .b8 b[12];\n");
    for (int k = 0; k < 16; k++)
        n += (size_t)(k & 1 ? sprintf(text + n,
                                      "mul.wide.u32 %%d5, %%r0, %d;\nst.param.b64 [a%d], %%d5;\n",
                                      k + 1, k)
                            : sprintf(text + n,
                                      "mul.lo.u32 %%r5, %%r0, %d;\nst.param.b32 [a%d], %%r5;\n",
                                      k + 1, k));
    n += (size_t)sprintf(text + n, "call.uni (b), f, (");
    for (int k = 0; k < 16; k++) n += (size_t)sprintf(text + n, "%sa%d", k ? ", " : "", k);
    sprintf(text + n, "%s", ");\nld.param.b32 %r1, [b+4];\n}\n" STORE);
    assert_int_equal(run(text, 255, out, NULL), HD_OK);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t want = 0;
        for (uint32_t k = 0; k < 16; k++) want = want * 7 + t * (k + 1);
        assert_int_equal(out[t], want);
    }
}

/* A table of code addresses, and variables of every space through generic pointers. */
static void test_addresses(void **state)
{
    static const char text[] = HEAD
        ".const .align 4 .b32 c[4] = { 10, 20, 30, 40 };\n.global .align 4 .b32 g[4] = { 1, 2, 3, "
        "4 };\n"
        ".shared .align 4 .b8 s[256];\n" KERNEL ".local .align 8 .b8 depot[16];\n"
        "and.b32 %r2, %r0, 3;\nmul.wide.u32 %d3, %r2, 4;\n"
        "mov.u64 %d4, c;\nadd.s64 %d4, %d4, %d3;\nld.const.u32 %r3, [%d4];\n"
        "mov.u64 %d5, g;\nadd.s64 %d5, %d5, %d3;\nld.global.u32 %r4, [%d5];\n"
        "mov.u64 %d6, depot;\ncvta.local.u64 %d7, %d6;\nst.u32 [%d7+8], %r3;\n"
        "ld.local.u32 %r5, [depot+8];\n"
        "mov.u64 %d8, s;\ncvta.shared.u64 %d9, %d8;\nadd.s64 %d9, %d9, %d1;\nst.u32 [%d9], %r4;\n"
        "bar.sync 0;\n"
        "xor.b32 %r6, %r0, 1;\nmul.wide.u32 %d10, %r6, 4;\nadd.s64 %d11, %d8, %d10;\n"
        "ld.shared.u32 %r7, [%d11];\n"
        "ts: .branchtargets T0, T1, T2, T3;\nbrx.idx %r2, ts;\n"
        "T0: mov.u32 %r8, 100; bra J;\nT1: mov.u32 %r8, 200; bra J;\nT2: mov.u32 %r8, 300; "
        "bra J;\nT3: mov.u32 %r8, 400;\n"
        "J: add.u32 %r1, %r5, %r7;\nadd.u32 %r1, %r1, %r8;\n" STORE;
    uint32_t out[THREADS];
    (void)state;
    assert_int_equal(run(text, 255, out, NULL), HD_OK);
    for (uint32_t t = 0; t < THREADS; t++)
        assert_int_equal(out[t], 10 * ((t & 3) + 1) + ((t ^ 1) & 3) + 1 + 100 * ((t & 3) + 1));
}

/* A product whose factor is written before its addition, by one instruction, for the next turn. */
static void test_late_factor(void **state)
{
    static const char text[] = HEAD KERNEL
        "mov.u32 %r3, 0;\nL: mul.wide.u32 %d3, %r2, 4;\nadd.u32 %r2, %r0, %r3;\n"
        "add.s64 %d4, %d3, %d1;\nadd.u32 %r3, %r3, 1;\n"
        "setp.lt.u32 %p1, %r3, 9;\n@%p1 bra L;\ncvt.u32.u64 %r1, %d4;\n" STORE;
    uint32_t out[THREADS];
    (void)state;
    assert_int_equal(run(text, 255, out, NULL), HD_OK);
    for (uint32_t l = 0; l < THREADS; l++)
        assert_int_equal(out[l], 8 * l + 28);
}

/* Truth tables, differences and comparisons of a constant, as each of their sources, give what
 * those of a register with the same value give. */
static void test_constant_turned(void **state)
{
    static const char text[] = HEAD KERNEL
        "cvt.u32.u64 %r2, %d0;\nand.b32 %r3, %r0, 0;\nadd.u32 %r3, %r3, %r2;\n"
        "mul.lo.u32 %r4, %r0, 0x05030201;\nxor.b32 %r4, %r4, %r3;\nadd.u32 %r5, %r4, 77;\n"
        "lop3.b32 %r10, %r2, %r4, %r5, 0x2d;\nlop3.b32 %r20, %r3, %r4, %r5, 0x2d;\n"
        "lop3.b32 %r11, %r4, %r2, %r5, 0x2d;\nlop3.b32 %r21, %r4, %r3, %r5, 0x2d;\n"
        "lop3.b32 %r12, %r4, %r5, %r2, 0x2d;\nlop3.b32 %r22, %r4, %r5, %r3, 0x2d;\n"
        "sub.u32 %r13, %r2, %r4;\nsub.u32 %r23, %r3, %r4;\n"
        "setp.lt.s32 %p1, %r2, %r4;\nselp.u32 %r14, %r2, %r5, %p1;\n"
        "setp.lt.s32 %p2, %r3, %r4;\nselp.u32 %r24, %r3, %r5, %p2;\n"
        "setp.ltu.f32 %p1, %r2, %r4;\nselp.u32 %r15, 1, 2, %p1;\n"
        "setp.ltu.f32 %p2, %r3, %r4;\nselp.u32 %r25, 1, 2, %p2;\n"
        "mov.u32 %r16, %r2;\nL: add.u32 %r16, %r16, 3;\nadd.u32 %r26, %r0, %r3;\n"
        "setp.lt.u32 %p1, %r16, %r26;\n@%p1 bra L;\nsub.u32 %r16, %r16, %r3;\n"
        "rem.u32 %r26, %r0, 3;\nsub.u32 %r26, 3, %r26;\nrem.u32 %r26, %r26, 3;\n"
        "add.u32 %r26, %r0, %r26;\nmax.u32 %r26, %r26, 3;\n"
        "xor.b32 %r1, %r10, %r20;\nxor.b32 %r11, %r11, %r21;\nor.b32 %r1, %r1, %r11;\n"
        "xor.b32 %r12, %r12, %r22;\nor.b32 %r1, %r1, %r12;\nxor.b32 %r13, %r13, %r23;\n"
        "or.b32 %r1, %r1, %r13;\nxor.b32 %r14, %r14, %r24;\nor.b32 %r1, %r1, %r14;\n"
        "xor.b32 %r15, %r15, %r25;\nor.b32 %r1, %r1, %r15;\nxor.b32 %r16, %r16, %r26;\n"
        "or.b32 %r1, %r1, %r16;\n" STORE;
    uint32_t out[THREADS];
    (void)state;
    assert_int_equal(run(text, 255, out, NULL), HD_OK);
    for (uint32_t l = 0; l < THREADS; l++)
        assert_int_equal(out[l], 0);
}

/* Twenty nested conditions: more barriers than there are. */
static void test_deep_nest(void **state)
{
    static char text[20000];
    uint32_t out[THREADS];
    (void)state;
    size_t n = (size_t)sprintf(text, "%s", HEAD KERNEL "mov.u32 %r1, 0;\n");
    for (int k = 0; k < 20; k++)
        n += (size_t)
            sprintf(text + n,
                    "setp.lt.u32 %%p1, %%r0, %d;\n@%%p1 bra E%d;\nadd.u32 %%r1, %%r1, %d;\n"
                    "mul.wide.u32 %%d5, %%r0, %d;\nst.global.u32 [%%d2+4096], %%d5;\n",
                    2 * k, k, k + 1, k + 1);
    for (int k = 19; k >= 0; k--)
        n += (size_t)
            sprintf(text + n,
                    "E%d: mad.lo.u32 %%r1, %%r1, 3, %d;\nst.global.u32 [%%d2+8192], %%r1;\n", k, k);
    sprintf(text + n, "%s", STORE);
    assert_int_equal(run(text, 255, out, NULL), HD_OK);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t want = 0, in = 0;
        while (in < 20 && t >= 2 * in) want += ++in;
        for (uint32_t k = in < 20 ? in + 1 : 20; k-- > 0;) want = want * 3 + k;
        assert_int_equal(out[t], want);
    }
}

/* Whatever parts lanes: calls through a register, guards on call, return and library routine, a
 * jump table, exits inside a function. */
#define CALL(f) "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; call (b), " f \
    ", (a); ld.param.b32 %r5, [b]; }\n"
static void test_parting(void **state)
{
    static const char text[] = HEAD
        ".func (.param .b32 r) odd(.param .b32 n)\n{\n.reg .b32 %r<9>; .reg .pred %p;\n"
        "ld.param.u32 %r1, [n];\nsetp.gt.u32 %p, %r1, 40;\nst.param.b32 [r], 7;\n@%p ret;\n"
        "setp.eq.u32 %p, %r1, 13;\n@%p exit;\nmad.lo.u32 %r1, %r1, 3, 1;\n"
        "st.param.b32 [r], %r1;\nret;\n}\n"
        ".func (.param .b32 r) even(.param .b32 n)\n{\n.reg .b32 %r<9>; .reg .pred %p;\n"
        "ld.param.u32 %r1, [n];\nsetp.gt.u32 %p, %r1, 20;\n@%p bra A;\nst.param.b32 [r], 9;\nret;\n"
        "A: shr.u32 %r1, %r1, 1;\nst.param.b32 [r], %r1;\nret;\n}\n"
        ".global .align 8 .u64 table[2] = { even, odd };\n.global .align 4 .b32 sum[64];\n" KERNEL
        "st.global.u32 [%d2], 1;\nand.b32 %r2, %r0, 1;\nmul.wide.u32 %d3, %r2, 8;\n"
        "mov.u64 %d4, table;\n"
        "add.s64 %d4, %d4, %d3;\nld.global.u64 %d5, [%d4];\n"
        "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
        "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; call (b), %d5, (a), proto; "
        "ld.param.b32 %r1, [b]; }\n"
        "setp.lt.u32 %p1, %r0, 10;\nmov.u32 %r5, 0;\n"
        "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; @%p1 call (b), even, (a); "
        "@%p1 ld.param.b32 %r5, [b]; }\n"
        "add.u32 %r1, %r1, %r5;\n"
        "mov.u64 %d6, sum;\nand.b32 %r6, %r0, 62;\nmul.wide.u32 %d7, %r6, 4;\n"
        "add.s64 %d6, %d6, %d7;\n"
        "setp.ne.u32 %p2, %r2, 0;\n@%p2 red.global.add.f32 [%d6], 0f40000000;\n"
        "ts: .branchtargets T0, T1, T1, T2;\nand.b32 %r7, %r0, 3;\nbrx.idx %r7, ts;\n"
        "T0: add.u32 %r1, %r1, 1000;\nbra J;\nT1: add.u32 %r1, %r1, 2000;\nbra J;\n"
        "T2: add.u32 %r1, %r1, 3000;\n"
        "setp.gt.u32 %p3, %r0, 50;\n@%p3 bra T0;\nJ: bar.sync 0;\n"
        "ld.global.f32 %r8, [%d6];\ncvt.rzi.u32.f32 %r8, %r8;\nadd.u32 %r1, %r1, %r8;\n" STORE;
    uint32_t out[THREADS];
    (void)state;
    assert_int_equal(run(text, 255, out, NULL), HD_OK);
    for (uint32_t t = 0; t < THREADS; t++) {
        static const uint32_t way[] = { 1000, 2000, 2000, 3000 };
        uint32_t want = t & 1 ? t > 40 ? 7 : 3 * t + 1 : t > 20 ? t / 2 : 9;
        want += (t < 10 ? 9 : 0) + way[t & 3] + (t > 50 && (t & 3) == 3 ? 1000 : 0) +
                (t / 2 == 6 ? 0 : 2);
        assert_int_equal(out[t], t == 13 ? 1 : want);
    }
}

/* Lanes that go on at once meet others several rounds later: the counter differs there, and so does
 * a branch on it; lanes come back together before the function returns. */
static void test_rounds(void **state)
{
    static const char text[] = HEAD
        ".func (.param .b32 r) rounds(.param .b32 n)\n{\n.reg .b32 %r<9>; .reg .pred %p<4>;\n"
        "ld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\n"
        "H: add.u32 %r2, %r2, 1;\nmembar.gl;\nadd.u32 %r4, %r2, %r1;\nand.b32 %r4, %r4, 3;\n"
        "setp.ne.u32 %p1, %r4, 0;\n"
        "@%p1 bra H;\nmembar.gl;\nadd.u32 %r3, %r3, %r2;\nsetp.lt.u32 %p2, %r2, 7;\n@%p2 bra H;\n"
        "st.param.b32 [r], %r3;\nret;\n}\n" KERNEL CALL("rounds") "mov.u32 %r1, %r5;\n" STORE;
    uint32_t out[THREADS];
    (void)state;
    assert_int_equal(run(text, 255, out, NULL), HD_OK);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t n = 0, sum = 0;
        do {
            do n++; while ((n + t) & 3);
            sum += n;
        } while (n < 7);
        assert_int_equal(out[t], sum);
    }
}

static void test_refusals(void **state)
{
    static const struct { const char *line, *says; } refused[] = {
        { "tex.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d0, {%r0, %r0, %r0, %r0}];\n",
          "tex.2dms.v4.f32.s32 is not supported yet" },
        { "add.rn.ftz.f64 %f0, %f1, %f2;\n", "add of f64 has none of .ftz" },
        { "rcp.approx.f64 %f0, %f1;\n", "rcp of f64 is .approx.ftz" },
    };
    (void)state;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        char text[2000];
        struct hd_err err = { 0 };
        snprintf(text, sizeof text, "%s.reg .f64 %%f<3>; %s%s", HEAD KERNEL, refused[k].line,
                 STORE);
        assert_null(compile(text, 255, false, &err));
        assert_int_equal(err.status, 2);
        assert_non_null(strstr(err.text, refused[k].says));
        assert_non_null(strstr(err.text, "test.ptx:"));
    }
}

/* A constant that comes first, a byte with a sign, two sides of a branch of which one destroys what
 * the other reads: what each must give for thread t. */
static uint32_t constant_first(uint32_t t) { return 5 < t ? 1 : 2; }
static uint32_t signed_byte(uint32_t t) { return (uint32_t)(int8_t)(t + 100); }
static uint32_t both_sides(uint32_t t) { return t < 20 ? t + 7 + t : (t + 7) * 3 + 1; }

static void test_small(void **state)
{
    static const struct { const char *text; uint32_t (*want)(uint32_t t); } program[] = {
        { HEAD KERNEL "setp.lt.s32 %p0, 5, %r0;\nselp.u32 %r1, 1, 2, %p0;\n" STORE,
          constant_first },
        { HEAD KERNEL
          "add.u32 %r2, %r0, 100;\nst.global.u8 [%d2], %r2;\nld.global.s8 %r1, [%d2];\n" STORE,
          signed_byte },
        { HEAD KERNEL
          "add.u32 %r2, %r0, 7;\nsetp.lt.u32 %p0, %r0, 20;\n@%p0 bra A;\nmul.lo.u32 %r2, %r2, 3;\n"
          "add.u32 %r1, %r2, 1;\nbra E;\nA: add.u32 %r1, %r2, %r0;\nE:\n" STORE,
          both_sides },
    };
    uint32_t out[THREADS];
    (void)state;
    for (size_t k = 0; k < sizeof program / sizeof *program; k++) {
        assert_int_equal(run(program[k].text, 255, out, NULL), HD_OK);
        for (uint32_t t = 0; t < THREADS; t++) assert_int_equal(out[t], program[k].want(t));
    }
}

/* What a function destroys includes what its callees destroy: f uses little, g, which it calls, a
 * lot. */
static void test_callees(void **state)
{
    static char text[20000];
    uint32_t out[THREADS];
    (void)state;
    size_t n = (size_t)sprintf(text, HEAD ".func (.param .b32 r) g(.param .b32 n)\n{\n"
                                          ".reg .b32 %%r<40>;\n"
                               "ld.param.u32 %%r1, [n];\nmov.u32 %%r2, 0;\n");
    for (int k = 0; k < 20; k++)
        n += (size_t)sprintf(text + n, "mad.lo.s32 %%r%d, %%r1, %d, %d;\n", 10 + k, k + 1, k);
    for (int k = 19; k >= 0; k--)
        n += (size_t)sprintf(text + n, "mad.lo.s32 %%r2, %%r2, 31, %%r%d;\n", 10 + k);
    n += (size_t)sprintf(
        text + n,
        "st.param.b32 [r], %%r2;\nret;\n}\n"
        ".func (.param .b32 r) f(.param .b32 n)\n{\n.reg .b32 %%r<4>;\nld.param.u32 %%r1, [n];\n"
        "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %%r1; call.uni (b), g, (a); "
        "ld.param.b32 %%r2, [b]; }\n"
        "st.param.b32 [r], %%r2;\nret;\n}\n");
    sprintf(
        text + n, "%s",
        KERNEL
        "add.u32 %r2, %r0, 3;\nmul.lo.u32 %r3, %r0, 11;\nxor.b32 %r4, %r0, 0x55;\n"
        "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call.uni (b), f, (a); "
        "ld.param.b32 %r1, [b]; }\n"
        "add.u32 %r1, %r1, %r3;\nadd.u32 %r1, %r1, %r4;\nadd.u32 %r1, %r1, %r2;\n" STORE);
    assert_int_equal(run(text, 255, out, NULL), HD_OK);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t want = 0;
        for (uint32_t k = 20; k-- > 0;) want = want * 31 + (t + 3) * (k + 1) + k;
        assert_int_equal(out[t], want + t * 11 + (t ^ 0x55) + t + 3);
    }
}

/* down calls itself, and g, whose loop needs a barrier; the kernel calls down in a loop of its own.
 *  What g does with its register down gives back, so the kernel's loop may use it, too. */
static void test_recursive_caller(void **state)
{
#define ASK(function, reg) "{ .param .b32 a; .param .b32 b; st.param.b32 [a], " reg \
    "; call.uni (b), " function ", (a); "
    static const char text[] = HEAD
        ".func (.param .b32 r) g(.param .b32 n)\n{\n.reg .b32 %r<9>; .reg .pred %p;\n"
        "ld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\nL:\nmad.lo.u32 %r2, %r1, %r1, %r2;\n"
        "sub.u32 %r1, %r1, 1;\n"
        "setp.gt.s32 %p, %r1, 0;\n@%p bra L;\nst.param.b32 [r], %r2;\nret;\n}\n"
        ".func (.param .b32 r) down(.param .b32 n)\n{\n.reg .b32 %r<9>; .reg .pred %p;\n"
        "ld.param.u32 %r1, [n];\nmov.u32 %r3, 1;\nsetp.lt.s32 %p, %r1, 1;\n@%p bra E;\n"
        "sub.u32 %r2, %r1, 1;\n" ASK(
            "down",
            "%r2") "ld.param.b32 %r3, [b]; }\n" ASK("g",
                                                    "%r1") "ld.param.b32 %r4, [b]; }\n"
                                                           "mad.lo.u32 %r3, %r3, 3, %r4;\nE:\n"
                                                           "st.param.b32 [r], %r3;\nret;\n}\n"
                                                               KERNEL
                                                           "and.b32 %r2, %r0, 3;\n"
                                                           "mov.u32 %r1, 0;\nL:\n" ASK(
                                                               "down",
                                                               "%r2") "ld.param.b32 %r3, [b]; }\n"
                                                                      "add.u32 %r1, %r1, %r3;\n"
                                                                      "sub.u32 %r2, %r2, 1;\n"
                                                                      "setp.ge.s32 %p1, %r2, 0;\n"
                                                                      "@%p1 bra L;\n" STORE;
    /* 3 down(n - 1) + the sum of squares up to n */
    static const uint32_t down[] = { 1, 4, 17, 65 };
    uint32_t out[THREADS], sum = 0, want[4];
    (void)state;
    assert_int_equal(run(text, 255, out, NULL), HD_OK);
    for (uint32_t n = 0; n < 4; n++) want[n] = sum += down[n];
    for (uint32_t t = 0; t < THREADS; t++) assert_int_equal(out[t], want[t & 3]);
}

/* NVIDIA's numbers of nested barriers: `nest` names them as they begin, `}` ends the last. */
static void test_numbers(void **state)
{
    static const struct { const char *nest; int k, number[9]; } t[] = {
        { "((()()))", 3, { 1, 0, 2, 2 } },        /* r0005: an outer one, one in it, two in that */
        { "(((()()())))", 4, { 2, 1, 0, 3, 3, 3 } },
        { "((()()))", 4, { 0, 1, 2, 2 } },        /* r0098: another one is in use meanwhile */
        { "((()))", 3, { 0, 1, 2 } },
        { "((())())", 3, { 0, 1, 2, 1 } },       /* r0010 */
        { "((())((()())(())))", 4, { 0, 1, 2, 2, 1, 3, 3, 1, 3 } },        /* r0153 */
    };
    (void)state;
    for (size_t c = 0; c < sizeof t / sizeof *t; c++) {
        struct arena *a = arena_new();
        struct pairs pairs = { 0 };
        int open[16], depth = 0, n = 0, place[16], order[16], number[16];
        for (const char *s = t[c].nest; *s; s++) {
            if (*s == ')') {
                depth--;
                continue;
            }
            for (int k = 0; k < depth; k++) {
                pairs_add(a, &pairs, open[k], n);
                pairs_add(a, &pairs, n, open[k]);
                pairs_add(a, &pairs, n, open[k]);        /* some more than once */
            }
            place[n] = n;
            number[n] = -1;
            open[depth++] = n++;
        }
        const struct lists meets = pairs_sort(a, &pairs, n);
        colour_order(a, &meets, place, n, n, t[c].k, order);
        for (int k = 0; k < n; k++) {
            uint32_t taken = 0;
            for (int j = meets.first[order[k]]; j < meets.first[order[k] + 1]; j++)
                if (number[meets.item[j]] >= 0) taken |= 1u << number[meets.item[j]];
            number[order[k]] = __builtin_ctz(~taken);
        }
        for (int k = 0; k < n; k++) assert_int_equal(number[k], t[c].number[k]);
        arena_free(a);
    }
}

/* A function takes the barrier registers that are free where it is called, also below those that
 * are not: the nest takes B1, B0 and B2, and the function B0 and B2. */
static void test_callee_registers(void **state)
{
    static const char text[] = HEAD
        ".func f(.param .b32 a)\n{\n.reg .b32 %r<9>; .reg .pred %p<3>;\n"
        "ld.param.u32 %r1, [a]; and.b32 %r2, %r1, 2; setp.ne.u32 %p1, %r2, 0; @%p1 bra L;\n"
        "membar.gl; and.b32 %r2, %r1, 4; setp.ne.u32 %p2, %r2, 0; @%p2 bra K;\n"
        "membar.gl; membar.gl; K: membar.gl; L: membar.gl; ret;\n}\n" KERNEL
        "mov.u32 %r1, %r0; setp.gt.u32 %p1, %r0, 40; @%p1 bra OUT;\n"
        "and.b32 %r2, %r0, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra M; membar.gl;\n"
        "and.b32 %r3, %r0, 4; setp.ne.u32 %p3, %r3, 0; @%p3 bra I; membar.gl; membar.gl;\n"
        "I: membar.gl; and.b32 %r4, %r0, 8; setp.ne.u32 %p4, %r4, 0; @%p4 bra J;\n"
        "membar.gl; membar.gl; J: membar.gl; M: membar.gl;\n"
        "{ .param .b32 a; st.param.b32 [a], %r0; call.uni f, (a); }\nOUT: " STORE;
    uint32_t out[THREADS];
    struct hd_kernel info;
    (void)state;
    assert_int_equal(run(text, 255, out, &info), HD_OK);
    assert_int_equal(info.barriers, 3);
    for (uint32_t t = 0; t < THREADS; t++) assert_int_equal(out[t], t);
}

/* The barrier registers that the code's `op`s name, in its order. */
static size_t find_all(const char *text, int op, int *number, size_t room)
{
    struct hd_err err = { 0 };
    struct hd_image *img = compile(text, 255, false, &err);
    size_t n = 0;
    if (!img) fail_msg("%s", err.text);
    for (uint32_t at = 0; at < img->text_size; at += sizeof(struct hd_word)) {
        struct hd_word w;
        struct hd_insn i;
        memcpy(&w, img->text + at, sizeof w);
        if (!hd_decode(&w, false, &i) || i.op != op) continue;
        assert_true(n < room);
        number[n++] = i.bx;
    }
    hd_image_free(img);
    return n;
}

/* The registers that BSSYs name, in the order of the code. */
static void barriers_are(const char *text, const int *want, int n)
{
    int number[8];
    assert_int_equal(find_all(text, OP_BSSY, number, 8), n);
    assert_memory_equal(number, want, (size_t)n * sizeof *want);
}

/* Barriers of two functions and of those around their calls are numbered together: the functions'
 * leave the graph first, so the inner one of the caller's has the lower number. */
static void test_numbers_across_calls(void **state)
{
    static const char text[] = HEAD
#define ARM(n) ".func " n "(.param .b32 a)\n{\n.reg .b32 %r<9>; .reg .pred %p<3>;\n" \
        "ld.param.u32 %r1, [a]; and.b32 %r2, %r1, 2; setp.ne.u32 %p1, %r2, 0; @%p1 bra L;\n" \
        "membar.gl; membar.gl; L: membar.gl; ret;\n}\n"
        ARM("f") ARM("g") KERNEL
        "mov.u32 %r1, %r0; setp.gt.u32 %p1, %r0, 40; @%p1 bra OUT; membar.gl;\n"
        "and.b32 %r2, %r0, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra G;\n"
        "{ .param .b32 a; st.param.b32 [a], %r0; call.uni f, (a); }\nbra.uni J;\n"
        "G: { .param .b32 a; st.param.b32 [a], %r0; call.uni g, (a); }\n"
        "J: membar.gl; membar.gl;\nOUT: " STORE;
    static const int want[] = { 1, 0, 2, 2 };
    (void)state;
    barriers_are(text, want, 4);
}

/* A loop ends an arm: the two before it meet by themselves, as in NVIDIA's code. */
static void test_arms_before_a_loop(void **state)
{
    static const char text[] = HEAD KERNEL
        "mov.u32 %r1, %r0; and.b32 %r2, %r0, 3; setp.gt.u32 %p1, %r2, 1; membar.gl; @%p1 bra D;\n"
        "setp.eq.u32 %p2, %r2, 0; @%p2 bra B; membar.gl; membar.gl; bra.uni M;\n"
        "B: membar.gl; membar.gl; membar.gl; bra.uni M;\n"
        "D: setp.ne.u32 %p3, %r2, 2; @%p3 bra E; membar.gl;\n"
        "L: membar.gl; membar.gl; ld.volatile.global.u32 %r3, [%d2]; add.u32 %r1, %r1, %r3;\n"
        "and.b32 %r4, %r1, 56; setp.ne.u32 %p4, %r4, 0; @%p4 bra L; bra.uni M;\n"
        "E: membar.gl; membar.gl;\nM: membar.gl;\n" STORE;
    static const int want[] = { 0, 1, 1 };
    (void)state;
    barriers_are(text, want, 3);
}

/* The last two of three comparisons become a table, whatever stands before the first branch. */
static void test_table(void **state)
{
    static const char text[] = HEAD KERNEL
        "and.b32 %r2, %r0, 3; setp.eq.u32 %p1, %r2, 0; min.u32 %r1, %r0, 40; @%p1 bra A;\n"
        "setp.eq.u32 %p2, %r2, 1; @%p2 bra B; setp.eq.u32 %p3, %r2, 2; @%p3 bra C;\n"
        "membar.gl; add.u32 %r1, %r1, 3; bra.uni M; A: membar.gl; bra.uni M;\n"
        "B: membar.gl; add.u32 %r1, %r1, 1; bra.uni M; C: membar.gl; add.u32 %r1, %r1, 2;\n"
        "M: " STORE;
    uint32_t out[THREADS];
    int number[2];
    (void)state;
    assert_int_equal(find_all(text, OP_BRX, number, 2), 1);
    assert_int_equal(run(text, 255, out, NULL), HD_OK);
    for (uint32_t t = 0; t < THREADS; t++) assert_int_equal(out[t], (t < 40 ? t : 40) + (t & 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spills),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_predicate_spills),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_circle),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_late_factor),
        cmocka_unit_test(test_constant_turned),
        cmocka_unit_test(test_deep_nest),
        cmocka_unit_test(test_callee_registers),
        cmocka_unit_test(test_numbers_across_calls),
        cmocka_unit_test(test_arms_before_a_loop),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_parting),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_callees),
        cmocka_unit_test(test_recursive_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

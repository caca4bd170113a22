/* The PTX parser: accepts what compilers write, places its errors, survives any text.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/all.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define BODY(text)                                                                                 \
    HEAD ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"                                    \
         ".reg .b32 %r<8>; .reg .f32 %f<4>; .reg .f64 %d<4>; .reg .b64 %rd<4>; .reg .pred %p<4>; " \
         ".reg .b16 %h<4>;\n" text "\nret;\n}\n"

static struct module *parse(struct arena *a, const char *text, struct hd_err *err)
{
    *err = (struct hd_err){ 0 };
    return ptx_parse(a, "t.ptx", text, strlen(text), err);
}

static const struct ins *first_of(const struct module *m, enum pop op)
{
    for (const struct ins *i = m->fns[m->nfns - 1]->first; i; i = i->next)
        if (i->op == op) return i;
    fail_msg("no such instruction");
    return NULL;
}

/* Every file of real PTX: all operations of the silicon set, and the published loops. */
static void test_real_files(void **state)
{
    static const char *const path[] = { "tests/silicon/ops/ops.ptx",
                                        "tests/silicon/specrec/delay_128_64.ptx",
                                        "tests/silicon/specrec/merge_48_8.ptx" };
    (void)state;
    for (size_t k = 0; k < sizeof path / sizeof *path; k++) {
        struct hd_err err = { 0 };
        size_t len;
        char *text = cc_read(path[k], &len, &err);
        assert_non_null(text);
        struct arena *a = arena_new();
        struct module *m = ptx_parse(a, path[k], text, len, &err);
        if (!m) fail_msg("%s", err.text);
        if (k == 0) assert_int_equal(m->nfns, 458);
        arena_free(a);
        free(text);
    }
}

static void test_fields(void **state)
{
    (void)state;
    struct hd_err err;
    struct arena *a = arena_new();
    struct module *m =
        parse(a,
              BODY("ld.volatile.global.v2.u32 {%r1, %r2}, [%rd1+-8];\n"
                   "setp.lt.and.s32 %p1|%p2, %r1, -5, !%p3;\n"
                   "@!%p1 bra L;\nmad.wide.u32 %rd1, %r1, 4, %rd2;\nL: fma.rz.ftz.sat.f32 %f1, "
                   "%f2, 0f3F800000, 1.5;\n"
                   "atom.shared.cas.b32 %r1, [%r2], 0, 1;\nmov.b64 {%r1, %r2}, %rd1;\n"
                   ".pragma \"simt.label A\";\nshf.r.clamp.b32 %r1, %r2, %r3, 4;\n"
                   "shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, 0xffffffff;\nmov.u32 %r1, %tid.y;"),
              &err);
    if (!m) fail_msg("%s", err.text);
    const struct ins *i = first_of(m, P_LD);
    assert_true(i->vol && i->space == SP_GLOBAL && i->vecn == 2 && i->type == T_U32);
    assert_int_equal(i->o[0].nvec, 2);
    assert_int_equal((int64_t)i->o[1].imm, -8);
    i = first_of(m, P_SETP);
    assert_true(i->cmp == CMP_LT && i->sub == BOOL_AND && i->nops == 4 && i->o[3].neg &&
                i->o[0].reg2 >= 0);
    assert_true(first_of(m, P_BRA)->guard_neg);
    assert_true(first_of(m, P_MAD)->wide);
    i = first_of(m, P_FMA);
    assert_true(i->rnd == RND_Z && i->ftz && i->sat && i->o[3].kind == O_FIMM32 &&
                i->o[3].imm == 0x3fc00000);
    assert_int_equal(first_of(m, P_ATOM)->sub, AT_CAS);
    assert_string_equal(first_of(m, P_PRAGMA)->text, "simt.label A");
    assert_int_equal(first_of(m, P_SHF)->sub, SHF_R | SHF_CLAMP);
    assert_int_equal(first_of(m, P_SHFL)->sub, PS_BFLY);
    arena_free(a);
}

#define UNIT(text) ".version 6.4\n.target sm_70\n.address_size 64\n" text

/* Units after each other: a definition after a declaration and before one, weak names once,
 * others apart. */
static void test_units(void **state)
{
    static const char text[] =
        UNIT(".file 1 \"a.cu\"\n.extern .global .align 4 .u32 g[];\n.global .u32 own = 1;\n"
             ".weak .global .u32 w = 5;\n.extern .func (.param .b32 r) f(.param .b32 a);\n"
             ".weak .func both() { .reg .b32 %r; mov.u32 %r, 1; ret; }\n"
             ".visible .entry k() { .reg .b32 %r; .loc 1 7 0\nld.global.u32 %r, [g+4]; "
             "ld.global.u32 %r, [own]; call both; ret; }\n")
        UNIT(".file 1 \"b.cu\"\n.visible .global .align 4 .u32 g[2] = {1, 2};\n"
             ".global .u32 own = 2;\n"
             ".weak .global .u32 w = 6;\n.extern .global .align 4 .u32 g[];\n"
             ".weak .func both() { .reg .b32 %r; mov.u32 %r, 2; ret; }\n"
             ".visible .func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r; .loc 1 9 0\n"
             "ld.param.u32 %r, [a]; st.param.b32 [r], %r; ret; }\n");
    static const char *const bad[] = {
        UNIT(".visible .global .u32 g = 1;\n") UNIT(".visible .global .u32 g = 1;\n"),
        UNIT(".visible .func f() { ret; }\n") UNIT(".visible .func f() { ret; }\n"),
    };
    struct hd_err err;
    struct arena *a = arena_new();
    struct module *m = parse(a, text, &err);
    (void)state;
    assert_non_null(m);
    assert_int_equal(m->nsyms, 7);       /* g, own, w, f, both, k, and the second own */
    assert_int_equal(m->nfns, 3);
    for (int k = 0; k < m->nsyms; k++) {
        const struct sym *s = m->syms[k];
        if (!strcmp(s->name, "g")) assert_true(s->size == 8 && s->init[4] == 2 && !s->external);
        if (!strcmp(s->name, "w")) assert_int_equal(s->init[0], 5);
    }
    assert_true(m->fns[0]->defined && m->fns[1]->defined && m->fns[2]->defined);
    assert_string_equal(m->files[m->nfiles - 1], "b.cu");
    arena_free(a);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        a = arena_new();
        assert_null(parse(a, bad[k], &err));
        assert_non_null(strstr(err.text, "is defined twice"));
        arena_free(a);
    }
}

static void test_messages(void **state)
{
    static const struct { const char *text, *says; } bad[] = {
        { BODY("add.s32 %r1, %r2;"),
          "t.ptx:7:17: expected ',' before ';'\nadd.s32 %r1, %r2;\n                ^" },
        { BODY("add.s32 %r1, %r2, %f1;"), "t.ptx:7:19: %f1 is .f32, the instruction wants .s32" },
        { BODY("  tex.2d.v4.f32.f32 x, y;"), "x is not declared" },
        { BODY("  tex.cube.v4.f32.s32 {_,_,_,_}, [%rd1, {%r1,%r1,%r1,%r1}];"),
          "tex.cube.v4.f32.s32 is not supported yet" },
        { BODY("  tex.2d.v4.f32.f32 {_,_,_,_}, [%r1, {%r1,%r1}];"),
          "expected a texture or surface here" },
        { BODY("  tex.2d.v4.f32.f32 {_,_}, [%rd1, {%r1,%r1}];"), "expected 4 elements" },
        { BODY("  tex.2d.v4.f32.f32 {_,_,_,_}, [%rd1, {%r1}];"),
          "tex.2d.v4.f32.f32 is not supported yet" },
        { BODY("  sust.p.2d.v4.b32.trap [%rd1, {%r1,%r1}], {%r1,%r1,%r1,%r1};"),
          "sust.p.2d.v4.b32.trap is not supported yet" },
        { BODY("  redux.sync.min.NaN.f32 %f1, %f2, -1;"),
          "redux.sync.min.NaN.f32 is not supported yet" },
        { BODY("  redux.sync.add.s32 %r1, %rd1, -1;"), "%rd1 is .b64, the instruction wants .s32" },
        { BODY("  redux.sync.and.s32 %r1, %r1, -1;"),
          "redux is .add, .min or .max of integers, else of .b32" },
        { BODY("  txq.filter_mode.b32 %r1, [%rd1];"), "txq.filter_mode.b32 is not supported yet" },
        { BODY("add.rz.f16 %h1, %h2, %h3;"), "t.ptx:7:1: add of f16 and bf16 rounds to nearest" },
        { BODY("elect.sync %r1, #;"), "unexpected character 0x23" },
        { BODY("ldmatrix.sync.aligned.m8n8.x1.b16 {%r1}, %rd1;"),
          "expected an address in brackets" },
        { BODY("wmma.load.b.sync.aligned.col.m8n8k4.f64 {%rd1}, [%rd1], %rd1;"),
          "%rd1 is .b64, the instruction wants .b32" },
        { BODY("wmma.mma.sync.aligned.row.col.m2147483647n2147483647k16.f32.f32 {%f1,%f1,%f1,%f1,"
               "%f1,%f1,%f1,%f1}, {%r1}, {%r1}, {%f1,%f1,%f1,%f1,%f1,%f1,%f1,%f1};"),
          "is not supported yet" },
        { BODY("bar.red.and.u32 %r1, 0, %p1;"), "bar.red is .popc.u32, .and.pred or .or.pred" },
        { BODY("bar.red.popc.u32 %r1, %p1;"), "%p1 is .pred, the instruction wants .b32" },
        { BODY("bmsk.b32 %r1, %r2, %r3;"), "bmsk needs one of: clamp wrap" },
        { BODY("frob %r1;"), "t.ptx:7:1: there is no instruction frob" },
        { BODY("bra NOWHERE;"), "t.ptx:7:5: there is no label NOWHERE" },
        { BODY("mov.u32 %r9, 1;"), "t.ptx:7:9: %r9 is not declared" },
        { BODY("ld.param.u64 %rd1, [n];"), "this access is outside n" },
        { BODY("call (x), y;"), "x is not declared" },
        { BODY("@%r1 ret;"), "%r1 is no predicate register" },
        { BODY("vote.ballot.sync.b32 %r1, %p1;"), "a mask belongs to .sync" },
        { BODY("{ .reg .b32 %z;"), "this '{' is never closed" },
        { BODY("mov.f32 %f1, 0f12;"), "a 0f constant has 8 hexadecimal digits" },
        { BODY("st.const.u32 [%rd1], %r1;"), "this state space can't be written" },
        { HEAD ".global .u32 x[2] = {1,2,3};", "x has more values than elements" },
        { HEAD ".global .u32 x; .global .u32 x;", "x is already declared here" },
        { HEAD ".entry k() { .reg .b32 %r<9999999>; }", "more than 1048576 registers" },
        { ".version 7.0\n.address_size 32\n", "only .address_size 64 is supported" },
        { HEAD ".func f(.param .b32 a) { ret; }\n.entry k() { call f; }",
          "this call has 0 results and 0 arguments" },
        { HEAD ".visible .entry k(.param .u64 p);", "kernel k has no body" },
        { "/* open", "this comment has no end" },
    };
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct hd_err err;
        struct arena *a = arena_new();
        assert_null(parse(a, bad[k].text, &err));
        assert_int_equal(err.status, 2);
        if (!strstr(err.text, bad[k].says)) fail_msg("want: %s\ngot: %s", bad[k].says, err.text);
        arena_free(a);
    }
}

/* A list of `limit` items is accepted, one more is refused. */
static void check_limit(const char *before, const char *item, int limit, const char *after,
                        const char *says)
{
    for (int n = limit; n <= limit + 1; n++) {
        char *text = malloc(strlen(before) + (size_t)n * (strlen(item) + 1) + strlen(after) + 1),
             *end = text;
        end += sprintf(end, "%s%s", before, item);
        for (int i = 1; i < n; i++) end += sprintf(end, ",%s", item);
        strcpy(end, after);
        struct hd_err err;
        struct arena *a = arena_new();
        parse(a, text, &err);
        if (!strstr(err.text, says) != (n == limit)) fail_msg("%d of %s: %s", n, item, err.text);
        arena_free(a);
        free(text);
    }
}

static void test_limits(void **state)
{
    (void)state;
    check_limit(HEAD ".entry k() { L: ret; t: .branchtargets ", "L", 1024, "; }",
                "more than 1024 targets");
    check_limit(HEAD ".func f(.param .b32 a) { ret; }\n.entry k() { call f, (", "1", 256, "); }",
                "more than 256 arguments");
}

/* A scope hides and gives back a name; a label is found from inside. */
static void test_scopes(void **state)
{
    (void)state;
    struct hd_err err;
    struct arena *a = arena_new();
    assert_non_null(parse(a, BODY("L: { .reg .f32 %r1; add.f32 %r1, %r1, %r1; bra L; }\n"
                                  "add.s32 %r1, %r1, %r1;\n{ bra M; M: }\n{ bra M; M: }"), &err));
    assert_null(parse(a, BODY("{ M: }\nbra M;"), &err));
    arena_free(a);
}

/* ---- any text -------------------------------------------------------------------------------- */

static const char seed_text[] = HEAD
    ".file 1 \"a.cu\"\n.extern .func (.param .b32 r) g(.param .b32 a, .param .b64 b);\n"
    ".extern .shared .align 16 .b8 dyn[];\n.const .f32 c[2] = {1.5, 0f00000000};\n"
    ".func (.param .b32 r) f(.param .b32 a, .param .b64 b) { .reg .b32 %r<3>; ld.param.u32 %r1, "
    "[a]; st.param.b32 [r+0], %r1; ret; }\n"
    ".global .align 8 .u64 t[2] = {f, generic(c)+4};\n"
    ".visible .entry k(.param .u64 .ptr .global .align 4 p, .param .align 8 .b8 s[16])\n.maxntid "
    "128, 1, 1\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .f32 %f<3>; .local .align 8 .b8 "
    "depot[32];\n"
    ".loc 1 3 0\nld.param.u64 %rd1, [p];\nmov.u64 %rd2, depot;\ncvta.local.u64 %rd2, "
    "%rd2;\nmov.u32 %r1, %tid.x;\n"
    "setp.lt.and.s32 %p1|%p2, %r1, 5, !%p1;\n@!%p1 bra L;\n"
    "{ .param .b32 q0; st.param.b32 [q0+0], %r1; .param .b64 q1; st.param.b64 [q1], %rd1; .param "
    ".b32 rv;\n"
    "call.uni (rv), f, (q0, q1); ld.param.b32 %r2, [rv+0]; }\n"
    "{ .param .b32 a0; .param .b64 a1; .param .b32 rv; pr: .callprototype (.param .b32 _) _ "
    "(.param .b32 _, .param .b64 _);\n"
    "call (rv), %rd1, (a0, a1), pr; }\n"
    "L: ts: .branchtargets L, M;\nbrx.idx %r1, ts;\nM: mov.b64 {%r1, %r2}, %rd1; st.global.v2.u32 "
    "[%rd1+8], {%r1, 7};\n"
    "atom.global.cas.b32 %r1, [%rd1], 0, 1; fma.rn.f32 %f1, %f1, 0f3F800000, 2.0; bar.sync 0; "
    ".pragma \"x\";\n"
    "vote.sync.ballot.b32 %r1, %p1, 0xffffffff; prmt.b32.b4e %r1, %r2, %r3, 4; trap; exit;\n}\n";

static uint32_t next(uint32_t *s) { return *s = *s * 1664525u + 1013904223u; }

static void survive(const char *text, size_t len)
{
    struct hd_err err = { 0 };
    struct cc_options opt = { 0 };
    struct arena *a = arena_new();
    char *exact = malloc(len + !len);                   /* reading one byte too far is seen */
    memcpy(exact, text, len);
    struct module *m = ptx_parse(a, "f.ptx", exact, len, &err);
    if (!m) assert_true(err.status == 2 && err.text[0]);
    else assert_true(cc_middle(m, &opt, &err));
    arena_free(a);
    free(exact);
}

static void test_truncation(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof seed_text; n++) survive(seed_text, n);
}

static void test_mutation(void **state)
{
    static const char piece[][12] = { ".u32",   "[",  "]",          "{",   "}",  ",",   ";",
                                      "%r1",    "L",  "bra",        "ret", "0x", "-",   "@",
                                      "!",      ":",  ".f64",       "(",   ")",  "%p1", "call",
                                      ".param", "\"", "4294967296", ".b8", "L:" };
    const char *env = getenv("FUZZ");
    int rounds = env ? atoi(env) : 20000;
    uint32_t s = 1;
    (void)state;
    for (int k = 0; k < rounds; k++) {
        char text[2 * sizeof seed_text];
        size_t len = sizeof seed_text - 1;
        memcpy(text, seed_text, len);
        for (uint32_t n = next(&s) >> 30, e = 0; e <= n; e++) {
            size_t at = (next(&s) >> 8) % len;
            const char *p = piece[(next(&s) >> 8) % (sizeof piece / sizeof *piece)];
            size_t add = strlen(p), cut = (next(&s) >> 8) % 12;
            if (next(&s) >> 31) {
                text[at] = (char)(next(&s) >> 24);
            } else {
                if (at + cut > len) cut = len - at;
                memmove(text + at + add, text + at + cut, len - at - cut);
                memcpy(text + at, p, add);
                len = len - cut + add;
            }
        }
        survive(text, len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_files), cmocka_unit_test(test_fields),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_units),
            cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_truncation), cmocka_unit_test(test_mutation),
    };
    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}

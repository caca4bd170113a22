/* Speculative reconvergence: paper A's figures come out instruction by instruction, and no
 * placement of random predictions on random control flow lets a warp get stuck.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The paper's drawings are not in its text, so the figures are those that sections 4.2 to 4.6
 * describe: Listing 1 is a loop of a prolog, a rare condition over expensive code (the label), and
 * an epilog. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "cmodel/image/image.h"
#include "compiler/predict.h"
#include "random_ways.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define BODY(text)                                                                                 \
    HEAD ".visible .entry k(.param .u64 o, .param .u32 n) {\n"                                     \
    ".reg .pred %p<5>; .reg .b32 %r<9>; .reg .b64 %rd<4>; ld.param.u64 %rd1, [o];\n"               \
    "ld.param.u32 %r2, [n]; mov.u32 %r1, %tid.x; mov.u32 %r3, 0;\n" text "\nmembar.gl; ret; }\n"
#define PREDICT(words) ".pragma \"simt.predict " words "\";\n"
#define LABEL(name) ".pragma \"simt.label " name "\";\n"
#define RANDOM "mad.lo.s32 %r1, %r1, 1664525, 1013904223; shr.u32 %r4, %r1, 20; " \
    "and.b32 %r5, %r4, 7;\n"
#define NEXT "add.s32 %r3, %r3, 1; setp.lt.s32 %p2, %r3, %r2; @%p2 bra "

/* BB0 join; BB1 prolog; BB2 (the guard) BB3 expensive; BB4 epilog; BB5 after the loop. */
static const char listing_1[] = BODY(PREDICT("L1 0") "BB1: " RANDOM "setp.ne.s32 %p1, %r5, 0; "
                                                                    "@%p1 bra BB4;\n"
                                                                    "BB3: " LABEL("L1")
                                     "membar.gl;\nBB4: membar.gl; " NEXT "BB1;");
/* The expensive code is an inner loop of a divergent trip count. */
static const char loop_merge[] = BODY(PREDICT("L1 0") "BB1: " RANDOM "membar.gl;\nBB2: " LABEL("L1")
                                      "membar.gl; sub.s32 %r5, %r5, 1; setp.gt.s32 %p1, %r5, 0; "
                                      "@%p1 bra BB2;\nmembar.gl; " NEXT "BB1;");

static struct module *middle(struct arena *a, const char *text, const struct cc_options *opt,
                             struct hd_err *err)
{
    struct module *m = ptx_parse(a, "t.ptx", text, strlen(text), err);
    return m && cc_middle(m, opt, err) ? m : NULL;
}

/* ---- figures --------------------------------------------------------------------------------- */

/* b0: the prediction's, exit: the region-exit barrier, pdom: one that the compiler placed. */
static const char *barrier_name(const struct fn *f, int vb)
{
    const struct prediction none = { .vb = -1, .exit = -1 },
                            *p = f->npredictions ? &f->predictions[0] : &none;
    if (p->threshold)
        return vb == p->vb      ? "bTemp"
               : vb == p->count ? "bCount"
               : vb == p->all   ? "bAll"
               : vb == p->exit  ? "exit"
                                : "bPdom";
    return vb == p->vb ? "b0" : vb == p->exit ? "exit" : "pdom";
}

static const char *operation(const struct ins *i)
{
    switch (i->op) {
    case P_BSSY: return i->sub != JOIN ? "Rejoin " : "Join ";
    case P_BSYNC: return "Wait ";
    case P_BREAK: return "Cancel ";
    case P_BMOV_SAVE: return "r = ";
    case P_BMOV_LOAD: return "r to ";
    case P_POPC: return "popc";
    default: return NULL;
    }
}

/* Every barrier operation, block by block: "1: Join exit, Join b0; 3: ..." */
static const char *operations(const struct fn *f)
{
    char *out = arena_printf(f->m->arena, "%s", "");
    for (int k = 0; k < f->nblocks; k++) {
        bool any = false;
        for (const struct ins *i = f->blocks[k]->first; i; i = i->next) {
            const char *what = operation(i);
            if (!what) continue;
            if (!any) out = arena_printf(f->m->arena, "%s%s%d:", out, *out ? "; " : "", k);
            out = arena_printf(f->m->arena, "%s%s %s%s%s", out, any ? "," : "",
                               i->guard < 0   ? ""
                               : i->guard_neg ? "@!p "
                                              : "@p ",
                               what, i->vb < 0 ? "" : barrier_name(f, i->vb));
            any = true;
        }
    }
    return out;
}

static void test_figures(void **state)
{
    static const struct { const char *text; int deconflict, soft; const char *want; } t[] = {
        /* Figures 4(d) and 5(b): the region-exit barrier is the one that the compiler placed for
         * the loop. */
        { listing_1, 0, 0,
          "1: Join b0, Join exit; 3: Wait b0, Rejoin b0; 5: Cancel b0, Wait exit" },
        /* Figure 5(c) */
        { listing_1, 1, 0,
          "1: Join b0, Join exit; 2: Join pdom; 3: Cancel pdom, Wait b0, Rejoin b0; 4: Wait pdom; "
          "5: Cancel b0, Wait exit" },
        { loop_merge, 0, 0,
          "1: Join b0, Join exit; 3: Wait b0, Rejoin b0; 5: Cancel b0, Wait exit" },
        { loop_merge, 1, 0,
          "1: Join b0, Join exit; 2: Join pdom; 3: Cancel pdom, Wait b0, Rejoin b0; 4: Wait pdom; "
          "5: Cancel b0, Wait exit" },
        /* Figure 6: BB0; BB3, whose blocks BB4 and BB5 are the guards; BB6; BB7; BB8 */
        { loop_merge, 1, 8,
          "1: Join bAll, r = bAll, r to bTemp, Join exit; 2: Join bPdom; "
          "3: Join bCount, r = bCount, popc, @p Cancel bPdom, @!p r to bTemp, Wait bTemp, "
          "Cancel bCount, r = bAll, r to bTemp, @p Rejoin bPdom; 4: Wait bPdom; "
          "5: Cancel bAll, Cancel bTemp, Wait exit" },
        { listing_1, 0, 1,
          "1: Join bAll, r = bAll, r to bTemp, Join exit; "
          "3: Join bCount, r = bCount, popc, @!p r to bTemp, Wait bTemp, Cancel bCount, r = bAll, "
          "r to bTemp; "
          "5: Cancel bAll, Cancel bTemp, Wait exit" },
    };
    (void)state;
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        struct arena *a = arena_new();
        struct hd_err err = { 0 };
        struct cc_options opt = { .predict = 1, .deconflict = t[k].deconflict, .soft = t[k].soft };
        const struct module *m = middle(a, t[k].text, &opt, &err);
        if (!m) fail_msg("%s", err.text);
        assert_string_equal(operations(m->fns[0]), t[k].want);
        arena_free(a);
    }
}

/* The block in which lanes join vb. */
static int joined_at(const struct fn *f, int vb)
{
    for (int k = 0; k < f->nblocks; k++)
        for (const struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (i->op == P_BSSY && i->vb == vb && i->sub == JOIN) return k;
    return -1;
}

/* Lanes that leave several barriers leave the inner one first: else who waits in it would be
 * released from the outer one, too. */
static void test_inner_first(void **state)
{
    static const char text[] = BODY(PREDICT("L1 0") "BB1: " RANDOM "setp.ne.s32 %p1, %r5, 0; "
                                    "@%p1 bra BB5;\nmembar.gl; setp.ne.s32 %p3, %r4, 9; "
                                    "@%p3 bra BB4;\nBB3: " LABEL("L1")
                                    "membar.gl;\nBB4: membar.gl;\nBB5: membar.gl; " NEXT "BB1;");
    struct arena *a = arena_new();
    struct hd_err err = { 0 };
    struct cc_options opt = { .predict = 1, .deconflict = 1 };
    (void)state;
    const struct module *m = middle(a, text, &opt, &err);
    if (!m) fail_msg("%s", err.text);
    const struct fn *f = m->fns[0];
    int pairs = 0;
    for (int k = 0; k < f->nblocks; k++)
        for (const struct ins *i = f->blocks[k]->first; i && i->next; i = i->next) {
            if (i->op != P_BREAK || i->next->op != P_BREAK) continue;
            assert_true(joined_at(f, i->vb) > joined_at(f, i->next->vb));
            pairs++;
        }
    assert_int_equal(pairs, 1);
    arena_free(a);
}

/* Figure 2(c): foo is called on both sides of a branch; lanes meet at its entry, and after the
 * branch as always.  In a loop they will wait again, and so rejoin as they are released, in foo. */
static void test_function(void **state)
{
#define FOO ".visible .func _Z3foov() { .reg .b32 %r1; mov.u32 %r1, 1; membar.gl; ret; }\n"
#define SIDES "setp.eq.s32 %p1, %r4, 0; @%p1 bra A;\nmembar.gl; call _Z3foov; " \
    "bra J;\nA: call _Z3foov;\nJ: membar.gl;\n"
    static const char body[] = BODY(PREDICT("foo 0") RANDOM SIDES),
        loop[] = BODY(PREDICT("foo 0") "L: " RANDOM SIDES NEXT "L;");
    static const char *const kernel[] = {
        "1: Join b0, Join exit; 3: Wait b0; 4: Wait b0; 5: Wait exit",
        "1: Join b0, Join exit; 4: Wait b0, Rejoin b0; 5: Wait b0, Rejoin b0; "
        "7: Cancel b0, Wait exit"
    };
    static const char *const callee[] = { "0: Wait pdom",
                                          "0: r = pdom, Wait pdom, @p Rejoin pdom" };
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct arena *a = arena_new();
        struct hd_err err = { 0 };
        struct cc_options opt = { .predict = 1 };
        char text[4096];
        snprintf(text, sizeof text, "%s%s", HEAD FOO, (k ? loop : body) + sizeof HEAD - 1);
        const struct module *m = middle(a, text, &opt, &err);
        if (!m) fail_msg("%s", err.text);
        assert_string_equal(operations(m->fns[1]), kernel[k]);
        assert_string_equal(operations(m->fns[0]), callee[k]);
        arena_free(a);
    }
}

static const char *placed(struct arena *a, const char *text, int deconflict)
{
    struct hd_err err = { 0 };
    struct cc_options opt = { .predict = 1, .deconflict = deconflict };
    const struct module *m = middle(a, text, &opt, &err);
    if (!m) fail_msg("%s", err.text);
    return operations(m->fns[m->nfns - 1]);
}

/* Several waits in the block of a call: at a label before it, whichever prediction comes first; in
 * the call in the order of its way in.  Of two in the call that would wait for each other the
 * second is given up. */
static void test_waits_in_call(void **state)
{
#define K(text) ".visible .entry k() { .reg .pred %p<4>;\n" text " membar.gl; ret; }\n"
#define F(name, text) ".func " name "() { " text " membar.gl; ret; }\n"
    static const struct { const char *text, *want; } t[] = {
        { HEAD F("foo", "") K(PREDICT("foo 0") "L: " PREDICT("P 0") "I: call foo; " LABEL(
              "P") "@%p1 bra I; @%p2 bra L;"),
          "0: Join exit, Join b0; 1: Join pdom, Join pdom; 2: Wait pdom, Rejoin pdom, Cancel "
          "pdom, Cancel pdom, Wait b0, "
          "Rejoin b0, Rejoin pdom; 3: Cancel pdom, Wait pdom; 4: Cancel b0, Wait exit" },
        { HEAD F("foo", "") F("bar", "") F("both", "call foo; call bar;")
              K(PREDICT("foo 0") PREDICT("bar 0") "L: call both; @%p1 bra L;"),
          "0: Join exit, Join b0; 2: Wait b0, Rejoin b0; 3: Cancel b0, Wait exit" },
        { HEAD F("foo", "") F("bar", "call foo;") K(PREDICT("foo 0") PREDICT("bar 0") "call bar;"),
          "0: Join b0; 1: Join pdom; 2: Wait pdom, Wait b0, Cancel b0" },
    };
    (void)state;
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        struct arena *a = arena_new();
        assert_string_equal(placed(a, t[k].text, 1), t[k].want);
        arena_free(a);
    }
}

static void expect_flags(const struct fn *f, const bool *on, const char *want)
{
    char *got = arena_printf(f->m->arena, "%s", "");
    for (int k = 0; k < f->nblocks; k++)
        got = arena_printf(f->m->arena, "%s%c", got, on[k] ? '1' : '.');
    assert_string_equal(got, want);
}

/* Figures 4(b) and (c): b0 is joined into BB1 to BB5 and cleared in BB3, dead at BB5 and BB0. */
static void test_equations(void **state)
{
    struct arena *a = arena_new();
    struct hd_err err = { 0 };
    struct cc_options opt = { .predict = 1 };
    (void)state;
    const struct module *m = middle(a, listing_1, &opt, &err);
    if (!m) fail_msg("%s", err.text);
    const struct fn *f = m->fns[0];         /* blocks: 0 entry, 1 BB0, 2 BB1, 3 BB3, 4 BB4, 5 BB5 */
    const struct flags joined = predict_joined(f, f->predictions[0].vb, false, NULL),
                       live = predict_live(f, f->predictions[0].vb);
    expect_flags(f, predict_region(f, &f->predictions[0]), ".1111.");
    expect_flags(f, joined.in, "..1111");
    expect_flags(f, joined.out, ".11.11");
    expect_flags(f, live.in, "..111.");
    expect_flags(f, live.out, ".1111.");
    arena_free(a);
}

/* Without --predict the pragmas are not even read. */
static void test_off(void **state)
{
    struct arena *a = arena_new();
    struct hd_err err = { 0 };
    struct cc_options opt = { 0 };
    (void)state;
    const struct module *m = middle(a, BODY(PREDICT("nobody 99") "membar.gl;"), &opt, &err);
    assert_non_null(m);
    assert_int_equal(m->fns[0]->npredictions, 0);
    arena_free(a);
}

/* A barrier of the block is found however far in it is called, and however many ways lead there. */
static void test_far_barrier(void **state)
{
    enum { DEEP = 40 };
    static char text[20000];
    struct arena *a = arena_new();
    struct hd_err err = { 0 };
    struct cc_options opt = { .predict = 1 };
    (void)state;
    size_t n = (size_t)sprintf(text, HEAD ".func f0() { bar.sync 0; ret; }\n");
    for (int k = 1; k <= DEEP; k++)
        n += (size_t)sprintf(text + n, ".func f%d() { call f%d; call f%d; call f%d; ret; }\n", k,
                             k - 1, k - 1, k - 1);
    sprintf(text + n, "%s", BODY(PREDICT("L1 0") "BB1: call f40;\nBB2: " LABEL("L1") "membar.gl; "
                                 NEXT "BB1;") + sizeof HEAD - 1);
    assert_null(middle(a, text, &opt, &err));
    assert_int_equal(err.status, 2);
    assert_non_null(
        strstr(err.text, "t.ptx:4:14: a barrier of the block stands in the region of `L1`"));
    arena_free(a);
}

#define IN_FUNCTION(there, here) HEAD ".func foo() { " there " ret; }\n" ".visible .entry k() {\n" \
    here " ret; }\n"
static void test_errors(void **state)
{
    static const struct { const char *text, *want; } t[] = {
        { BODY(PREDICT("L1 0") "membar.gl;"),
          "t.ptx:7:1: no label `L1` in k, and no function: SIMT_LABEL(L1) says where lanes meet" },
        { BODY("A: " LABEL("L1") "membar.gl; bra B; B: " PREDICT("L1 0")),
          "t.ptx:8:22: label `L1` can't be reached from here" },
        { BODY(PREDICT("L1 33") LABEL("L1")),
          "t.ptx:7:1: simt.predict L1: `33` is no number of lanes from 0 to 32 (0: all)" },
        { BODY(PREDICT("L1 x") LABEL("L1")),
          "t.ptx:7:1: simt.predict L1: `x` is no number of lanes from 0 to 32 (0: all)" },
        { BODY(PREDICT("L1") LABEL("L1")),
          "t.ptx:7:1: simt.predict L1: `` is no number of lanes from 0 to 32 (0: all)" },
        { BODY(PREDICT("")), "t.ptx:7:1: simt.predict names no label" },
        { BODY(PREDICT("L1 -1") LABEL("L1")),
          "t.ptx:7:1: simt.predict L1: `-1` is no number of lanes from 0 to 32 (0: all)" },
        { BODY(PREDICT("L1 0") LABEL("L1") LABEL("")), "t.ptx:9:1: simt.label has no name" },
        { BODY(".pragma \"simt.lable L1\";"),
          "t.ptx:7:1: no directive `simt.lable L1`: there are simt.predict and simt.label" },
        { BODY(PREDICT("L1 0") PREDICT("L1 0") LABEL("L1")),
          "t.ptx:7:1: label `L1` can be reached from here after another simt.predict of it only: "
          "one of the two is too many" },
        { BODY("setp.eq.s32 %p1, %r1, 0; @%p1 bra B; " PREDICT(
              "L1 4") "membar.gl; bra J; B: " PREDICT("L1 5") "J: " LABEL("L1")),
          "t.ptx:8:22: simt.predict L1 has another threshold elsewhere" },
        { IN_FUNCTION("membar.gl;", PREDICT("foo 4") "call foo;"),
          "t.ptx:6:1: simt.predict foo: a function waits for all lanes: leave the threshold away" },
        { IN_FUNCTION("membar.gl;", "call foo; " PREDICT("foo 0")),
          "t.ptx:6:11: no call of `foo` can be reached from here (__noinline__ keeps those that "
          "there were)" },
        { IN_FUNCTION(LABEL("L1") "membar.gl;", PREDICT("L1 0") "call foo;"),
          "t.ptx:7:1: label `L1` is in foo, not in k: one function "
          "holds a region and its label; SIMT_PREDICT(FUNCTION) lets lanes meet in another" },
        { HEAD
          ".extern .func foo();\n.visible .entry k() {\n" PREDICT("foo 0") "call foo; ret; }\n",
          "t.ptx:6:1: function `foo` is defined elsewhere: call it in a function of this source, "
          "and name that one" },
        { BODY(PREDICT("L1 0") "BB1: bar.sync 0;\nBB2: " LABEL("L1") "membar.gl; " NEXT "BB1;"),
          "t.ptx:8:6: a barrier of the block stands in the region of `L1`: lanes that wait at the "
          "label would never come" },
    };
    (void)state;
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        struct arena *a = arena_new();
        struct hd_err err = { 0 };
        struct cc_options opt = { .predict = 1 };
        assert_null(middle(a, t[k].text, &opt, &err));
        assert_int_equal(err.status, 2);
        char *end = strchr(err.text, '\n');
        if (end) *end = 0;
        assert_string_equal(err.text, t[k].want);
        arena_free(a);
    }
}

/* ---- random ---------------------------------------------------------------------------------- */

/* Up to three predictions, their starts and labels at random blocks of the text. */
static void add_pragmas(char *out, size_t size, const char *text, uint32_t *s)
{
    static const char name[] = "XYZ";
    size_t k = 0;
    int names = 1 + (int)rnd(s, 3);
    for (const char *p = text; *p && k + 200 < size; p++) {
        out[k++] = *p;
        if (strncmp(p, ": membar.gl", 11)) continue;
        p++;
        out[k++] = ' ';
        for (int j = 0; j < names; j++) {
            if (!rnd(s, 6))
                k += (size_t)snprintf(out + k, size - k, ".pragma \"simt.predict %c 0\"; ",
                                      name[j]);
            if (!rnd(s, 5))
                k += (size_t)snprintf(out + k, size - k, ".pragma \"simt.label %c\"; ", name[j]);
        }
    }
    out[k] = 0;
}

static void test_random(void **state)
{
    uint32_t s = 11;
    int predictions = 0, conflicts = 0, refused = 0;
    (void)state;
    for (int k = 0; k < 4000; k++) {
        char plain[8192], text[16384];
        struct arena *a = arena_new();
        struct hd_err err = { 0 };
        struct cc_options opt = { .predict = 1,
                                  .deconflict = (int)rnd(&s, 2),
                                  .soft = rnd(&s, 4) ? 0 : 1 + (int)rnd(&s, 30) };
        random_ptx(plain, sizeof plain, &s, 3 + (int)rnd(&s, 20), rnd(&s, 4) != 0, rnd(&s, 4) == 0);
        add_pragmas(text, sizeof text, plain, &s);
        const struct module *m = middle(a, text, &opt, &err);
        if (!m && err.status == 2) refused++;
        else if (!m) fail_msg("%s\n%s", err.text, text);
        for (int n = 0; m && !opt.soft && n < 4 && m->fns[0]->nvb <= MAX_VB; n++)
            simulate(m->fns[0], &s);
        for (int n = 0; m && n < m->fns[0]->npredictions; n++)
            predictions++, conflicts += m->fns[0]->predictions[n].nconflicts;
        arena_free(a);
    }
    print_message("%d predictions, %d conflicts; %d texts refused\n", predictions, conflicts,
                  refused);
    assert_true(predictions > 1000 && conflicts > 300);
}

/* Nobody waits at bAll, the register that is read first: a BREAK of it would release lanes that are
 * blocked elsewhere. */
static void test_soft_left(void **state)
{
    struct hd_err err = { 0 };
    struct cc_options opt = { .predict = 1, .deconflict = 1, .soft = 8 };
    struct hd_image *image = hd_compile_ptx("t.ptx", loop_merge, &opt, &err);
    int all = -1, written = 0;
    (void)state;
    if (!image) fail_msg("%s", err.text);
    for (uint32_t pc = 0; pc < image->text_size; pc += HD_INSN_BYTES) {
        struct hd_word w;
        struct hd_insn i;
        memcpy(w.w, image->text + pc, sizeof w.w);
        if (!hd_decode(&w, false, &i)) continue;
        if (i.op == OP_BMOVR && all < 0) all = i.bx;
        assert_false(i.op == OP_BREAK && i.bx == all);
        written += i.op == OP_BMOVB && i.bx == all;
    }
    assert_int_equal(written, 1);
    hd_image_free(image);
}

/* Soft barriers in nests that need more registers than there are: whole programs are compiled, and
 * verify_code.c accepts each. */
static void test_soft_registers(void **state)
{
    uint32_t s = 12;
    int compiled = 0;
    (void)state;
    for (int k = 0; k < 4000; k++) {
        char plain[8192], text[16384];
        struct hd_err err = { 0 };
        struct cc_options opt = { .predict = 1,
                                  .deconflict = (int)rnd(&s, 2),
                                  .soft = 1 + (int)rnd(&s, 30) };
        random_ptx(plain, sizeof plain, &s, 3 + (int)rnd(&s, 20), rnd(&s, 4) != 0, rnd(&s, 4) == 0);
        add_pragmas(text, sizeof text, plain, &s);
        struct hd_image *image = hd_compile_ptx("t.ptx", text, &opt, &err);
        if (!image && strstr(err.text, "internal")) fail_msg("%s\n%s", err.text, text);
        compiled += image != NULL;
        hd_image_free(image);
    }
    print_message("%d compiled\n", compiled);
    assert_true(compiled > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),       cmocka_unit_test(test_inner_first),
        cmocka_unit_test(test_function),      cmocka_unit_test(test_waits_in_call),
        cmocka_unit_test(test_equations),     cmocka_unit_test(test_off),
        cmocka_unit_test(test_errors),        cmocka_unit_test(test_far_barrier),
        cmocka_unit_test(test_random),        cmocka_unit_test(test_soft_left),
        cmocka_unit_test(test_soft_registers)
    };
    return cmocka_run_group_tests_name("predict", tests, NULL, NULL);
}

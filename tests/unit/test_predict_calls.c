/* No placement of random predictions in programs of several functions is refused by the compiler's
 * own proofs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Predictions name labels and functions; labels stand before calls and after them; functions call
 * each other, themselves now and then, and hold predictions of their own.  Nothing runs: the proofs
 * of placement (verify.c) and of the code (verify_code.c) judge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "cmodel/image/image.h"
#include "random_cfg.h"

/* Programs that were refused once, by some state of the compiler, shrunk. */
#define FUNCTION(name, text) ".func " name "()\n{\n.reg .pred %p<4>;\n" text "ret;\n}\n"
#define KERNEL(text) ".visible .entry k()\n{\n.reg .pred %p<4>;\n" text "ret;\n}\n"
#define PREDICT(words) ".pragma \"simt.predict " words "\"; "
#define LABEL(name) ".pragma \"simt.label " name "\"; "
static const struct { const char *what, *text; int deconflict, soft; } found[] = {
    { "a label in the block of a call, after it: lanes wait for it before the call",
      FUNCTION("f", "") KERNEL(PREDICT("f 0") "L: " PREDICT("P 0") "I: call f; " LABEL(
          "P") "membar.gl; @%p1 bra I; @%p2 bra L; "),
      1, 0 },
    { "the same, soft",
      FUNCTION("f", "") KERNEL(PREDICT("f 0") "L: " PREDICT("P 4") "I: call f; " LABEL(
          "P") "membar.gl; @%p1 bra I; @%p2 bra L; "),
      1, 0 },
    { "two predictions wait in one call",
      FUNCTION("f", "") FUNCTION("g", "") FUNCTION("h", "call f; call g; ")
          KERNEL(PREDICT("f 0") PREDICT("g 0") "L: call h; bra L; "),
      0, 0 },
    { "two predictions, one further in than the other",
      FUNCTION("f", "") FUNCTION("g", "call f; ") FUNCTION("h", "call g; ")
          KERNEL(PREDICT("f 0") "L: call h; " PREDICT("h 0") "bra L; "),
      0, 0 },
    { "a prediction that is given up in one call of two",
      FUNCTION("f", "") FUNCTION("g", "call f; ") FUNCTION("h", "call g; ")
          KERNEL(PREDICT("f 0") "call h; " PREDICT("g 0") "call h; "),
      0, 0 },
    { "waits in a call on two ways",
      FUNCTION("f", "") FUNCTION("g", "call f; ")
          KERNEL("L: call g; @!%p1 bra M; call f; " PREDICT("g 0") "M: " PREDICT("f 0") "bra L; "),
      0, 0 },
    { "several regions of a function, one within the other",
      FUNCTION("f", "")
          FUNCTION("g", PREDICT("f 0") "L: call f; " PREDICT("f 0") "@%p1 bra M; " PREDICT(
                            "f 0") "@!%p1 bra L; M: call f; " PREDICT("f 0") "@%p1 bra M; ")
              KERNEL(""),
      0, 0 },
    { "a function predicts itself",
      FUNCTION("f", "")
          FUNCTION("g", PREDICT("f 0") "call f; " PREDICT("g 0") "L: call g; @%p1 bra L; ")
              KERNEL(""),
      0, 0 },
    { "a loop with a YIELD begins where lanes leave a region: they leave first",
      FUNCTION("f", "") FUNCTION("g", "L: @!%p1 bra N; " LABEL("P") "M: " PREDICT(
                                          "P 0") "@%p1 bra L; N: call f; bra M; ")
          KERNEL("call g; "),
      0, 0 },
    { "a soft barrier's waiters rejoin only what no other prediction has made all lanes leave",
      FUNCTION("f", "") FUNCTION("g", "call f; ") FUNCTION(
          "h",
          "") ".visible .entry k()\n{\n.reg .pred %p<3>; .reg .b32 %r<4>; L: call h; M: "
              PREDICT("X 8")
          LABEL("X") PREDICT("h 0") "@!%p1 bra N; call g; " LABEL("X") "ret; N: " PREDICT(
              "f 0") "call g; setp.eq.s32 %p1, %r1, 7; @%p1 bra L; bra M; }\n",
      1, 0 },
    { "registers run out, and a prediction goes: so does the barrier that lanes left for it",
      ".func f0() { .reg .pred %p<3>; .reg .b32 %r<4>; mov.u32 %r1, %tid.x; L0: L2: @!%p1 bra L2; "
      "@!%p1 "
      "bra L0; setp.eq.s32 %p1, %r1, 4; @!%p1 bra L2; } .func f1() { .reg .pred %p<3>; "
      ".reg .b32 %r<4>; "
      "mov.u32 %r1, %tid.x; L0: call f0; setp.eq.s32 %p1, %r1, 1; @!%p1 bra L0; "
      "} .func f2() { .reg "
      ".pred %p<3>; .reg .b32 %r<4>; mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 2; @%p1 bra L5; "
      "L3: "
      "@!%p1 bra L5; L5: call f1; @!%p1 bra L3; } .visible .entry k() { .reg .pred %p<3>; "
      ".reg .b32 "
      "%r<4>; mov.u32 %r1, %tid.x; @%p1 bra L10; L2: @%p1 bra L2; call f2; "
      ".pragma \"simt.predict f1 0\"; "
      ".pragma \"simt.predict Y3 8\"; @%p1 bra L13; L5: .pragma \"simt.predict X3 0\"; membar.gl; "
      ".pragma "
      "\"simt.label X3\"; @%p1 bra L5; .pragma \"simt.label Y3\"; @%p1 bra L14; @%p1 bra L11; "
      "L10: @%p1 bra "
      "L12; L11: .pragma \"simt.label X3\"; L12: .pragma \"simt.predict f0 0\"; "
      "setp.eq.s32 %p1, %r1, 12; "
      "@!%p1 bra L2; L13: membar.gl; L14: membar.gl; } ",
      1, 0 },
    { "registers run out, and a prediction that several joins lead to has none of its own",
      ".func f0() { .reg .pred %p<3>; .reg .b32 %r<4>; mov.u32 %r1, %tid.x; "
      "L2: .pragma \"simt.label "
      "X0\"; .pragma \"simt.predict X0 8\"; setp.eq.s32 %p1, %r1, 3; @%p1 bra L2; "
      "} .func f1() { .reg "
      ".pred %p<3>; .reg .b32 %r<4>; mov.u32 %r1, %tid.x; L0: call f0; setp.eq.s32 %p1, %r1, 1; "
      "@!%p1 "
      "bra L0; } .func f2() { .reg .pred %p<3>; .reg .b32 %r<4>; mov.u32 %r1, %tid.x; "
      "@%p1 bra L2; call"
      " f1; setp.eq.s32 %p1, %r1, 1; L2: .pragma \"simt.predict Y2 8\"; "
      ".pragma \"simt.label Y2\"; } "
      ".visible .entry k() { .reg .pred %p<3>; .reg .b32 %r<4>; L0: call f0; "
      ".pragma \"simt.predict f1 "
      "0\"; .pragma \"simt.predict f0 0\"; @!%p1 bra L0; @!%p1 bra L10; bra L13; "
      "L10: @%p1 bra L12; "
      ".pragma \"simt.predict f2 0\"; setp.eq.s32 %p1, %r1, 11; @%p1 bra L14; L12: membar.gl; L13: "
      ".pragma \"simt.predict Y3 0\"; call f2; L14: .pragma \"simt.label Y3\"; @%p1 bra L14; } ",
      1, 0 },
};

enum { PROGRAMS = 4000, FUNCTIONS = 3 };
struct text { char s[32768]; size_t n; };

static void put(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    t->n += (size_t)vsnprintf(t->s + t->n, sizeof t->s - t->n, fmt, ap);
    va_end(ap);
    assert_true(t->n < sizeof t->s);
}

/* What a block begins with.  self: the function's number; the kernel has FUNCTIONS.  Most programs
 * have few predictions, since one that can't be followed spoils all. */
static void statement(struct text *t, uint32_t *s, int self, uint32_t many)
{
    char label = (char)('X' + rnd(s, 2));
    int called = (int)rnd(s, FUNCTIONS);
    if (called >= self && rnd(s, 12)) called = self ? (int)rnd(s, (uint32_t)self) : -1;
    switch (rnd(s, 10)) {
    case 0:
        if (!rnd(s, many)) put(t, ".pragma \"simt.predict %c%d %u\"; ", label, self, 8 * rnd(s, 2));
        break;
    case 1: case 2: case 3: put(t, ".pragma \"simt.label %c%d\"; ", label, self); break;
    case 4:
        if (called >= 0 && !rnd(s, many)) put(t, ".pragma \"simt.predict f%d 0\"; ", called);
        break;
    case 5: case 6: case 7:
        if (called >= 0) put(t, "call f%d; ", called);
        break;
    default: put(t, "membar.gl; ");
    }
}

/* Random control flow, with statements in place of its stores. */
static void function(struct text *t, uint32_t *s, int self)
{
    char plain[8192];
    const uint32_t many = self == FUNCTIONS ? 1 + rnd(s, 3) : 3 + rnd(s, 9);
    random_ptx(plain, sizeof plain, s, 2 + (int)rnd(s, self == FUNCTIONS ? 14 : 6), true,
               !rnd(s, 4));
    if (self < FUNCTIONS) put(t, ".func f%d()\n{\n", self);
    else put(t, ".visible .entry k()\n{\n");
    put(t, ".reg .pred %%p<3>; .reg .b32 %%r<4>;\n");
    if (rnd(s, 2)) put(t, "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x;\n");
    for (const char *p = strstr(plain, "L0: "); *p; p++) {
        put(t, "%c", *p);
        if (strncmp(p, ": membar.gl;", 12)) continue;
        put(t, rnd(s, 3) ? " membar.gl; " : " ");
        for (int n = (int)rnd(s, 5); n; n--) statement(t, s, self, many);
        p += 11;
    }
}

static void program(struct text *t, uint32_t *s)
{
    put(t, ".version 7.0\n.target sm_75\n.address_size 64\n");
    for (int k = 0; k < FUNCTIONS; k++) put(t, ".func f%d();\n", k);
    for (int k = 0; k <= FUNCTIONS; k++) function(t, s, k);
}

static void test_found(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof found / sizeof *found; k++) {
        struct text t = { .n = 0 };
        struct hd_err err = { 0 };
        struct cc_options opt = { .predict = 1,
                                  .deconflict = found[k].deconflict,
                                  .soft = found[k].soft };
        put(&t, ".version 7.0\n.target sm_75\n.address_size 64\n%s", found[k].text);
        struct hd_image *image = hd_compile_ptx("t.ptx", t.s, &opt, &err);
        if (!image) fail_msg("%s: %s", found[k].what, err.text);
        hd_image_free(image);
    }
}

static void test_random(void **state)
{
    const char *first = getenv("SEED"), *count = getenv("COUNT");
    uint32_t s;
    int compiled = 0, refused = 0;
    (void)state;
    for (uint32_t k = 0; k < (count ? (uint32_t)atoi(count) : PROGRAMS); k++) {
        static struct text t;
        struct hd_err err = { 0 };
        s = (first ? (uint32_t)atoi(first) : 1) * 1000003u + k * 2654435761u;
        t.n = 0;
        program(&t, &s);
        struct cc_options opt = { .predict = 1, .deconflict = (int)rnd(&s, 2),
                                  .soft = rnd(&s, 3) ? 0 : 1 + (int)rnd(&s, 30) };
        struct hd_image *image = hd_compile_ptx("t.ptx", t.s, &opt, &err);
        if (!image && err.status != 2)
            fail_msg("%u: deconflict %d, soft %d: %s\n%s", k, opt.deconflict, opt.soft, err.text,
                     t.s);
        compiled += image != NULL;
        refused += !image;
        hd_image_free(image);
    }
    print_message("%d compiled, %d with directives that cannot be followed\n", compiled, refused);
    assert_true(compiled > PROGRAMS / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_found),
                                        cmocka_unit_test(test_random) };
    return cmocka_run_group_tests_name("predict_calls", tests, NULL, NULL);
}

/* MUFU: its error against the host's double precision, the cases that are exact, and an H200's
 * special results.  `--exhaustive` measures every mantissa and prints the worst error: these are
 * the figures of docs/mufu.md.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fp/mufu.h"
#include "silicon_ops.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const double TURN = 6.283185307179586477;

static float as_float(u32 u) { float f; memcpy(&f, &u, 4); return f; }
static u32 as_bits(float f) { u32 u; memcpy(&u, &f, 4); return u; }

static double truth(unsigned fn, double x)
{
    switch (fn) {
    case MUFU_RCP: return 1 / x;
    case MUFU_RSQ: return 1 / sqrt(x);
    case MUFU_SQRT: return sqrt(x);
    case MUFU_SIN: return sin(TURN * x);
    case MUFU_COS: return cos(TURN * x);
    case MUFU_LG2: return log2(x);
    case MUFU_EX2: return exp2(x);
    default: return tanh(x);
    }
}

static double ulp_of(double y)
{
    int e;
    frexp(y, &e);
    return ldexp(1, (e < -125 ? -125 : e) - 24);
}

enum measure { ABSOLUTE, RELATIVE, ULPS };

static double error_of(enum measure how, unsigned fn, u32 a)
{
    double exact = truth(fn, as_float(a)), err = fabs(as_float(mufu_eval(fn, a)) - exact);
    return how == ABSOLUTE ? err : how == RELATIVE ? err / fabs(exact) : err / ulp_of(exact);
}

/* What is promised: `bound` over the patterns [from, to). */
static const struct promise {
    const char *what;
    unsigned fn;
    u32 from, to;
    enum measure how;
    double bound; /* ulps, or the exponent of two */
} promises[] = {
    {"rcp  [1, 2)          absolute", MUFU_RCP, 0x3f800000, 0x40000000, ABSOLUTE, -23},
    {"rcp  [1, 2)          ulp", MUFU_RCP, 0x3f800000, 0x40000000, ULPS, 1.25},
    {"rsq  [1, 4)          relative", MUFU_RSQ, 0x3f800000, 0x40800000, RELATIVE, -22.4},
    {"rsq  [1, 4)          ulp", MUFU_RSQ, 0x3f800000, 0x40800000, ULPS, 2},
    {"sqrt [1, 4)          ulp", MUFU_SQRT, 0x3f800000, 0x40800000, ULPS, 2},
    {"sin  [2^-12, 1/4] turn absolute", MUFU_SIN, 0x39800000, 0x3e800001, ABSOLUTE, -20.9},
    {"cos  [2^-12, 1/4] turn absolute", MUFU_COS, 0x39800000, 0x3e800001, ABSOLUTE, -20.9},
    {"lg2  [1/2, 2)        absolute", MUFU_LG2, 0x3f000000, 0x40000000, ABSOLUTE, -22.6},
    {"lg2  [2, 16)         relative", MUFU_LG2, 0x40000000, 0x41800000, RELATIVE, -22},
    {"ex2  [2^-12, 2)      relative", MUFU_EX2, 0x39800000, 0x40000000, RELATIVE, -22.5},
    {"ex2  (-2, -2^-12]    relative", MUFU_EX2, 0xb9800000, 0xc0000000, RELATIVE, -22.5},
    {"tanh [2^-14, 16)     ulp", MUFU_TANH, 0x38800000, 0x41800000, ULPS, 4},
};
enum { PROMISES = sizeof promises / sizeof *promises };

static double worst_error(const struct promise *p, u32 step, u32 *where)
{
    double worst = 0;
    for (u32 a = p->from; a < p->to; a += step) {
        double err = error_of(p->how, p->fn, a);
        if (err > worst)
            worst = err, *where = a;
    }
    return p->how == ULPS ? worst : log2(worst);
}

static int report(void)
{
    int bad = 0;
    for (int i = 0; i < PROMISES; i++) {
        const struct promise *p = &promises[i];
        u32 at = 0;
        double worst = worst_error(p, 1, &at);
        printf("%-32s worst %s%.2f at %08x, bound %s%.4g%s\n", p->what, p->how == ULPS ? "" : "2^",
               worst, at, p->how == ULPS ? "" : "2^", p->bound,
               worst > p->bound ? "  EXCEEDED" : "");
        bad |= worst > p->bound;
    }
    return bad;
}

static void keeps_promises(void **state)
{
    (void)state;
    for (int i = 0; i < PROMISES; i++) {
        u32 at = 0;
        double worst = worst_error(&promises[i], 1021, &at);
        if (worst > promises[i].bound)
            fail_msg("%s: %.3f at %08x", promises[i].what, worst, at);
    }
}

static void exact_where_it_must_be(void **state)
{
    (void)state;
    for (int e = -149; e <= 127; e++) {
        u32 a = as_bits(ldexpf(1, e));
        assert_int_equal(mufu_eval(MUFU_RCP, a), as_bits((float)ldexp(1, -e)));
        assert_int_equal(mufu_eval(MUFU_LG2, a), as_bits((float)e));
        assert_int_equal(mufu_eval(MUFU_EX2, as_bits((float)e)), a);
        if (e % 2 == 0) {
            assert_int_equal(mufu_eval(MUFU_SQRT, a), as_bits(ldexpf(1, e / 2)));
            assert_int_equal(mufu_eval(MUFU_RSQ, a), as_bits(ldexpf(1, -e / 2)));
        }
    }
    static const float quarters[] = {0, 0.25f, 0.5f, 0.75f, 1, 1.25f, 8388608};
    static const float sines[] = {0, 1, 0, -1, 0, 1, 0}, cosines[] = {1, 0, -1, 0, 1, 0, 1};
    for (int i = 0; i < 7; i++) {
        assert_true(as_float(mufu_eval(MUFU_SIN, as_bits(quarters[i]))) == sines[i]);
        assert_true(as_float(mufu_eval(MUFU_COS, as_bits(quarters[i]))) == cosines[i]);
    }
}

/* 32 lanes at once, each as alone: of all operands those `step' apart. */
static unsigned long warp_differs(unsigned fn, u32 step)
{
    unsigned long differ = 0;
    for (u64 from = 0; from < (u64)1 << 32; from += (u64)step * 32) {
        u32 a[32], d[32];
        for (u32 l = 0; l < 32; l++)
            a[l] = (u32)from + step * l;
        mufu_eval32(fn, d, a);
        for (u32 l = 0; l < 32; l++)
            if (d[l] != mufu_eval(fn, a[l]) && !differ++)
                fprintf(stderr, "MUFU %u of %08x: %08x, alone %08x\n", fn, a[l], d[l],
                        mufu_eval(fn, a[l]));
    }
    return differ;
}

static void warp_form_matches_lanes(void **state)
{
    (void)state;
    static const u32 ends[] = {
        0, 1, 2, 0x7ffffe, 0x7fffff, 0x800000, 0x800001, 0x38ffffff, 0x39000000, 0x39800000,
        0x41000000, 0x417fffff, 0x41800000, 0x42ffffff, 0x43000000, 0x7f7fffff, F32_INF, 0x7f800001,
        F32_NAN, 0x3e800000, 0x3f000000, F32_ONE};
    for (unsigned fn = MUFU_RCP; fn <= MUFU_TANH; fn++) {
        u32 a[32] = {0}, d[32];
        for (u32 i = 0; i < 2 * sizeof ends / sizeof *ends; i++) {
            a[i % 32] = ends[i / 2] ^ (i & 1) << 31;
            mufu_eval32(fn, d, a);
            assert_int_equal(d[i % 32], mufu_eval(fn, a[i % 32]));
        }
        assert_int_equal(warp_differs(fn, 4099), 0);
    }
}

static u32 flush(u32 a) { return fp_add(a, F32_SIGN, FP_RN, true, false); }

/* The machine's instructions for a PTX .approx operation. */
static u32 machine(unsigned fn, bool ftz, u32 a)
{
    a = ftz ? flush(a) : a;
    if (fn == MUFU_SIN || fn == MUFU_COS)
        a = fp_mul(a, 0x3e22f983, FP_RN, false, false); /* 1 / (2 pi) */
    u32 r = mufu_eval(fn, a);
    return ftz ? flush(r) : r;
}

/* Zero, infinity, NaN, in or out: as the H200.  Else 4 ulp or 2^-20 of the truth; sine and cosine
 * up to 2 pi, where the multiplication's rounding does not show yet. */
static void matches_silicon(void **state)
{
    (void)state;
    static const char *const names[] = {"rcp", "rsqrt", "sqrt", "sin", "cos", "lg2", "ex2", "tanh"};
    struct silicon_ops *s = silicon_load();
    assert_non_null(s);
    int ops = 0, wrong = 0;
    for (unsigned k = 0; k < 16; k++) {
        char name[40];
        unsigned fn = k / 2;
        bool ftz = k & 1, sine = fn == MUFU_SIN || fn == MUFU_COS;
        snprintf(name, sizeof name, "%s.approx%s.f32", names[fn], ftz ? ".ftz" : "");
        int op = silicon_find(s, name);
        if (op < 0)
            continue;
        ops++;
        for (int i = 0; i < SILICON_SLOTS; i++) {
            u32 a = (u32)s->in32[0][i], r = machine(fn, ftz, a), h = (u32)s->out[op][i];
            double x = as_float(ftz ? flush(a) : a), y = sine ? truth(fn, x / TURN) : truth(fn, x);
            bool special = (a & F32_INF) == F32_INF || !(a & ~F32_SIGN) || (h & F32_INF) == F32_INF;
            double err = fabs(as_float(r) - y);
            bool ok = special                 ? r == h
                      : sine && fabs(x) > 6.3 ? true
                                              : err <= 4 * ulp_of(y) || err <= 0x1p-20;
            if (!ok)
                fprintf(stderr, "%s(%08x): %08x, H200 %08x, exact %.9g\n", name, a, r, h, y);
            wrong += !ok;
        }
    }
    free(s);
    printf("silicon: %d approximate operations, %d results out of bounds\n", ops, wrong);
    assert_int_equal(ops, 15);
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--exhaustive") == 0)
        return report();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_promises),
        cmocka_unit_test(exact_where_it_must_be),
        cmocka_unit_test(warp_form_matches_lanes),
        cmocka_unit_test(matches_silicon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

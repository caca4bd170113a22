/* f32 against an H200, bit for bit, and against the host's own arithmetic on random operands.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fp/fplane.h"
#include "random_f32.h"
#include "silicon_ops.h"
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* The modifiers that a PTX name carries, e.g. "fma.rz.ftz.sat.f32". */
struct mods {
    unsigned rm, cmp;
    bool ftz, sat;
};

static struct mods parse_mods(const char *name)
{
    static const char *const rms[] = {"rn", "rz", "rm", "rp"};
    static const char *const cmps[] = {"eq", "ne", "lt", "le", "gt", "ge", "num", "nan",
                                       "equ", "neu", "ltu", "leu", "gtu", "geu"};
    struct mods m = {0};
    char copy[64], *save = NULL;
    snprintf(copy, sizeof copy, "%s", name);
    for (char *t = strtok_r(copy, ".", &save); t; t = strtok_r(NULL, ".", &save)) {
        for (unsigned i = 0; i < 4; i++)
            if (strncmp(t, rms[i], 2) == 0 && (!t[2] || (t[2] == 'i' && !t[3])))
                m.rm = i;
        for (unsigned i = 0; i < 14; i++)
            if (strcmp(t, cmps[i]) == 0)
                m.cmp = i;
        m.ftz |= strcmp(t, "ftz") == 0;
        m.sat |= strcmp(t, "sat") == 0;
    }
    return m;
}

static bool starts(const char *s, const char *p) { return strncmp(s, p, strlen(p)) == 0; }
static bool ends(const char *s, const char *p)
{
    size_t n = strlen(s), k = strlen(p);
    return n >= k && strcmp(s + n - k, p) == 0;
}

/* What the machine computes for the PTX operation; *known says whether it is one of ours. */
static u64 machine(const char *n, const u64 *in, u64 wide, bool *known)
{
    struct mods m = parse_mods(n);
    u32 a = (u32)in[0], b = (u32)in[1], c = (u32)in[2];
    *known = true;
    if (ends(n, ".approx.f32") || ends(n, ".approx.ftz.f32") || strstr(n, "f64"))
        return *known = false;
    if (starts(n, "add.r")) return fp_add(a, b, m.rm, m.ftz, m.sat);
    if (starts(n, "sub.r")) return fp_add(a, b ^ F32_SIGN, m.rm, m.ftz, m.sat);
    if (starts(n, "mul.r")) return fp_mul(a, b, m.rm, m.ftz, m.sat);
    if (starts(n, "fma.r")) return fp_fma(a, b, c, m.rm, m.ftz, m.sat);
    if (strcmp(n, "min.f32") == 0 || strcmp(n, "min.ftz.f32") == 0) return fp_min(a, b, m.ftz);
    if (strcmp(n, "max.f32") == 0) return fp_max(a, b, m.ftz);
    if (starts(n, "abs.") && ends(n, "f32"))
        return fp_add(a & ~F32_SIGN, F32_SIGN, FP_RN, m.ftz, false);
    if (strcmp(n, "neg.f32") == 0) return fp_add(a ^ F32_SIGN, F32_SIGN, FP_RN, false, false);
    if (starts(n, "set.") && ends(n, ".u32.f32")) return 0u - fp_cmp(a, b, m.cmp, m.ftz);
    if (strcmp(n, "set.lt.f32.f32") == 0) return fp_cmp(a, b, FP_LT, false) ? F32_ONE : 0;
    if (strcmp(n, "slct.f32.f32") == 0) return fp_cmp(c, 0, FP_GE, false) ? a : b;
    if (strcmp(n, "cvt.sat.f32.f32") == 0 || strcmp(n, "cvt.ftz.f32.f32") == 0)
        return fp_add(a, F32_SIGN, FP_RN, m.ftz, m.sat);
    if (ends(n, "i.f32.f32")) return fp_rint(a, m.rm, m.ftz);
    if (ends(n, "i.s32.f32")) return fp_to_s32(a, m.rm, m.ftz);
    if (ends(n, "i.u32.f32")) return fp_to_u32(a, m.rm, m.ftz);
    if (ends(n, "i.s64.f32")) return fp_to_s64(a, m.rm, m.ftz);
    if (ends(n, "i.u64.f32")) return fp_to_u64(a, m.rm, m.ftz);
    if (ends(n, ".f32.s32")) return fp_from_s32(a, m.rm);
    if (ends(n, ".f32.u32")) return fp_from_u32(a, m.rm);
    if (ends(n, ".f32.s64")) return fp_from_s64(wide, m.rm);
    if (ends(n, ".f32.u64")) return fp_from_u64(wide, m.rm);
    if (ends(n, ".f16.f32")) return fp_to_half(a, m.rm, m.ftz);
    if (strcmp(n, "cvt.f32.f16") == 0) return fp_from_half(a);
    *known = false;
    return 0;
}

static void matches_silicon(void **state)
{
    (void)state;
    struct silicon_ops *s = silicon_load();
    assert_non_null(s);
    int ops = 0, equal = 0;
    for (int k = 0; k < SILICON_OPS; k++) {
        bool known = true, ok = true;
        for (int i = 0; i < SILICON_SLOTS && known; i++) {
            u64 in[3] = {s->in32[0][i], s->in32[1][i], s->in32[2][i]};
            u64 r = machine(s->name[k], in, s->in64[0][i], &known);
            if (known && ok && r != s->out[k][i])
                fprintf(stderr, "%s slot %d (%08x %08x %08x): %llx, H200 %llx\n", s->name[k], i,
                        (u32)in[0], (u32)in[1], (u32)in[2], (unsigned long long)r,
                        (unsigned long long)s->out[k][i]);
            ok = ok && (!known || r == s->out[k][i]);
        }
        ops += known;
        equal += known && ok;
    }
    printf("silicon: f32 operations %d/%d equal\n", equal, ops);
    free(s);
    assert_true(ops >= 100);
    assert_int_equal(equal, ops);
}

static float as_float(u32 u) { float f; memcpy(&f, &u, 4); return f; }
static u32 as_bits(float f) { u32 u; memcpy(&u, &f, 4); return f != f ? F32_NAN : u; }
static const int host_rm[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static u32 host(int op, u32 a, u32 b, u32 c, unsigned rm)
{
    volatile float x = as_float(a), y = as_float(b), z = as_float(c), r;
    fesetround(host_rm[rm]);
    r = op == 0 ? x + y : op == 1 ? x * y : op == 2 ? fmaf(x, y, z) : rintf(x);
    fesetround(FE_TONEAREST);
    return as_bits(r);
}

static void matches_host(void **state)
{
    (void)state;
    u64 seed = 1;
    for (int i = 0; i < 2000000; i++) {
        u32 a = random_f32(&seed), b = random_f32(&seed), c = random_f32(&seed);
        unsigned rm = (unsigned)i & 3;
        if (i % 3 == 0)
            c = as_bits(-as_float(a) * as_float(b)) ^ (i / 3 & 1); /* cancellation */
        u32 got[4] = {fp_add(a, b, rm, false, false), fp_mul(a, b, rm, false, false),
                      fp_fma(a, b, c, rm, false, false), fp_rint(a, rm, false)};
        for (int op = 0; op < 4; op++)
            if (got[op] != host(op, a, b, c, rm))
                fail_msg("seed 1 case %d op %d rm %u (%08x %08x %08x): %08x, host %08x", i, op, rm,
                         a, b, c, got[op], host(op, a, b, c, rm));
        fesetround(host_rm[rm]);
        volatile float s32f = (float)(volatile s32){(s32)a}, u32f = (float)(volatile u32){a};
        u64 w = (u64)a << 32 | b;
        volatile float s64f = (float)(volatile s64){(s64)w}, u64f = (float)(volatile u64){w};
        fesetround(FE_TONEAREST);
        assert_int_equal(fp_from_s32(a, rm), as_bits(s32f));
        assert_int_equal(fp_from_u32(a, rm), as_bits(u32f));
        assert_int_equal(fp_from_s64(w, rm), as_bits(s64f));
        if (rm == FP_RN) /* the host's own routine for this one only rounds to nearest rightly */
            assert_int_equal(fp_from_u64(w, rm), as_bits(u64f));
    }
}

static void warp_forms_match_lanes(void **state)
{
    (void)state;
    u64 seed = 7;
    for (int i = 0; i < 20000; i++) {
        u32 a[32], b[32], c[32], d[9][32];
        for (int l = 0; l < 32; l++)
            a[l] = random_f32(&seed), b[l] = random_f32(&seed), c[l] = random_f32(&seed);
        unsigned rm = (unsigned)i & 3;
        fp_add32(d[0], a, b), fp_mul32(d[1], a, b), fp_fma32(d[2], a, b, c);
        fp_min32(d[3], a, b), fp_max32(d[4], a, b);
        fp_from_s32x32(d[5], a), fp_from_u32x32(d[6], a), fp_to_s32x32(d[7], a, rm);
        fp_to_u32x32(d[8], a, rm);
        for (int l = 0; l < 32; l++) {
            assert_int_equal(d[0][l], fp_add(a[l], b[l], FP_RN, false, false));
            assert_int_equal(d[1][l], fp_mul(a[l], b[l], FP_RN, false, false));
            assert_int_equal(d[2][l], fp_fma(a[l], b[l], c[l], FP_RN, false, false));
            assert_int_equal(d[3][l], fp_min(a[l], b[l], false));
            assert_int_equal(d[4][l], fp_max(a[l], b[l], false));
            assert_int_equal(d[5][l], fp_from_s32(a[l], FP_RN));
            assert_int_equal(d[6][l], fp_from_u32(a[l], FP_RN));
            assert_int_equal(d[7][l], fp_to_s32(a[l], rm, false));
            assert_int_equal(d[8][l], fp_to_u32(a[l], rm, false));
        }
        for (unsigned cmp = FP_EQ; cmp <= FP_GEU; cmp++) {
            u32 m = fp_cmp32(a, b, cmp);
            for (int l = 0; l < 32; l++)
                assert_int_equal(m >> l & 1, fp_cmp(a[l], b[l], cmp, false));
        }
    }
}

/* The forms with ftz and sat, where much is subnormal, or the smallest normal number but for what
 * rounding does. */
static void modified_lanes_match(void **state)
{
    (void)state;
    u64 seed = 11;
    int flushed = 0;
    for (int i = 0; i < 2000000; i++) {
        u32 a = random_f32(&seed), b = random_f32(&seed), c = random_f32(&seed);
        const u32 ftz = i & 1, sat = i >> 1 & 1, least = as_bits(0x1p-126f);
        const unsigned rm = (unsigned)i >> 2 & 3;
        if (i % 5 == 0) {                       /* a product near 2^-126, and a sum with it */
            b = as_bits(0x1p-126f / as_float(a)) + (u32)(i / 5 % 3) - 1;
            c = i % 2 ? least : 0;
        } else if (i % 5 == 1) {                /* sums around 2^-126 by less than f32 can tell */
            a = as_bits(ldexpf(1 + (float)(b & 7), -100));
            c = least | (b & F32_SIGN);
            b = as_bits(ldexpf(i % 7 < 3 ? -1 : 1, -60 - i % 40));
        }
        u32 want = fp_fma(a, b, c, FP_RN, ftz, sat);
        flushed += ftz && !sat && !(want & ~F32_SIGN) &&
                   fp_fma(a, b, c, FP_RN, false, false) == least;
        assert_int_equal(fp_lane_fma_mod(a, b, c, ftz, sat), want);
        assert_int_equal(fp_lane_mul_mod(a, b, ftz, sat), fp_mul(a, b, FP_RN, ftz, sat));
        assert_int_equal(fp_lane_add_mod(a, c, ftz, sat), fp_add(a, c, FP_RN, ftz, sat));
        assert_int_equal(fp_lane_rint(a, rm, ftz), fp_rint(a, rm, ftz));
    }
    assert_true(flushed > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_silicon),
        cmocka_unit_test(matches_host),
        cmocka_unit_test(warp_forms_match_lanes),
        cmocka_unit_test(modified_lanes_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

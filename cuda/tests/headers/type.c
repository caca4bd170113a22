/* The types of functions.tsv: where their elements lie, what their bits mean.
 * SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"
#include <math.h>

static const struct { const char *name; enum kind kind; int width, n; bool sign; } types[] = {
    { "bool", BIT, 8, 1, 0 }, { "char", INT8, 8, 1, 1 }, { "signed char", INT8, 8, 1, 1 },
    { "unsigned char", INT8, 8, 1, 0 }, { "short", INT16, 16, 1, 1 },
    { "unsigned short", INT16, 16, 1, 0 }, { "int", INT32, 32, 1, 1 },
    { "unsigned", INT32, 32, 1, 0 }, { "long", INT64, 64, 1, 1 },
    { "unsigned long", INT64, 64, 1, 0 }, { "long long", INT64, 64, 1, 1 },
    { "unsigned long long", INT64, 64, 1, 0 }, { "float", F32, 32, 1, 1 },
    { "double", F64, 64, 1, 1 }, { "float2", F32, 32, 2, 1 }, { "float4", F32, 32, 4, 1 },
    { "double2", F64, 64, 2, 1 }, { "double4", F64, 64, 4, 1 }, { "char4", INT8, 8, 4, 1 },
    { "uchar4", INT8, 8, 4, 0 }, { "short2", INT16, 16, 2, 1 }, { "ushort2", INT16, 16, 2, 0 },
    { "__half", F16, 16, 1, 1 }, { "__half2", F16, 16, 2, 1 }, { "__half_raw", F16, 16, 1, 1 },
    { "__half2_raw", F16, 16, 2, 1 }, { "__nv_bfloat16", BF16, 16, 1, 1 },
    { "__nv_bfloat162", BF16, 16, 2, 1 }, { "__nv_bfloat16_raw", BF16, 16, 1, 1 },
    { "__nv_bfloat162_raw", BF16, 16, 2, 1 }, { "__nv_saturation_t", BIT, 32, 1, 0 },
    { "__nv_fp8_interpretation_t", BIT, 32, 1, 0 }, { "__nv_fp8_storage_t", INT8, 8, 1, 0 },
    { "__nv_fp8x2_storage_t", INT16, 16, 1, 0 }, { "__nv_fp8x4_storage_t", INT32, 32, 1, 0 },
    { "__nv_fp8_e4m3", INT8, 8, 1, 0 }, { "__nv_fp8_e5m2", INT8, 8, 1, 0 },
    { "__nv_fp8x2_e4m3", INT8, 8, 2, 0 }, { "__nv_fp8x2_e5m2", INT8, 8, 2, 0 },
    { "__nv_fp8x4_e4m3", INT8, 8, 4, 0 }, { "__nv_fp8x4_e5m2", INT8, 8, 4, 0 },
};

bool type_of(const char *name, struct type *t)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        if (strcmp(name, types[k].name)) continue;
        t->parts = types[k].n;
        t->words = (types[k].n * types[k].width + 63) / 64;
        for (int e = 0; e < t->parts; e++)
            t->part[e] = (struct part){ types[k].kind, types[k].sign, e * types[k].width / 64,
                                        e * types[k].width % 64, types[k].width };
        return true;
    }
    return false;
}

bool is_float(enum kind k) { return k == F16 || k == BF16 || k == F32 || k == F64; }

struct format format_of(enum kind k)
{
    return k == F16    ? (struct format){ 11, -14, 15 }
           : k == BF16 ? (struct format){ 8, -126, 127 }
           : k == F32  ? (struct format){ 24, -126, 127 }
                       : (struct format){ 53, -1022, 1023 };
}

static int bits_of(enum kind k) { return k == F64 ? 64 : k == F32 ? 32 : 16; }
static word size_of(enum kind k, word w) { return w & ((1ull << (bits_of(k) - 1)) - 1); }
static word infinity_of(enum kind k)
{
    struct format f = format_of(k);
    return (word)(2 * f.most + 1) << (f.precision - 1);
}
bool is_nan_bits(enum kind k, word w) { return is_float(k) && size_of(k, w) > infinity_of(k); }

double value_of(enum kind k, bool sign, word w)
{
    if (!is_float(k)) {
        int n = k == INT8 ? 8 : k == INT16 ? 16 : k == INT64 ? 64 : 32;
        return sign ? (double)((long long)(w << (64 - n)) >> (64 - n)) : (double)w;
    }
    struct format f = format_of(k);
    word size = size_of(k, w), m = size & ((1ull << (f.precision - 1)) - 1);
    int e = (int)(size >> (f.precision - 1));
    double v = size > infinity_of(k)    ? (double)NAN
               : size == infinity_of(k) ? (double)INFINITY
               : e ? ldexp((double)(m | 1ull << (f.precision - 1)), e + f.least - f.precision)
                   : ldexp((double)m, f.least - f.precision + 1);
    return w >> (bits_of(k) - 1) & 1 ? -v : v;
}

long long order_of(enum kind k, word w)
{
    long long size = (long long)size_of(k, w);
    return w >> (bits_of(k) - 1) & 1 ? -size : size;
}

long long order_of_exact(enum kind k, mpfr_t exact)
{
    struct format f = format_of(k);
    int minus = mpfr_signbit(exact) ? -1 : 1, e;
    long long size;
    mpfr_t t;
    if (mpfr_zero_p(exact)) return 0;
    if (mpfr_inf_p(exact)) return minus * (long long)infinity_of(k);
    if (mpfr_get_exp(exact) > f.most + 2) return minus * (long long)infinity_of(k);
    if (mpfr_get_exp(exact) < f.least - f.precision - 2) return 0;
    e = (int)mpfr_get_exp(exact) - 1 < f.least ? f.least : (int)mpfr_get_exp(exact) - 1;
    mpfr_init2(t, mpfr_get_prec(exact));
    mpfr_mul_2si(t, exact, f.precision - 1 - e, MPFR_RNDN), mpfr_abs(t, t, MPFR_RNDN);
    mpfr_rint(t, t, MPFR_RNDN);
    size = ((long long)(e - f.least) << (f.precision - 1)) + (long long)mpfr_get_ui(t, MPFR_RNDN);
    mpfr_clear(t);
    if (size > (long long)infinity_of(k)) size = (long long)infinity_of(k);
    return minus * size;
}

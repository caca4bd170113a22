/* MUFU: one table row, one quadratic in integers, one rounding; docs/mufu.md is the definition.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fp/mufu.h"
#include "cmodel/fp/fpround.h"
#include "mufu_table.h"

enum { DBITS = 19, YBITS = 28 };

/* What the front end hands to the interpolator: the result is
 * (-1)^neg * (whole + y(row, d)) * 2^exp, y in units of 2^-28. */
struct job {
    unsigned row;
    u32 d;
    bool neg;
    int exp, whole;
};

/* Row and d from the top `bits` and the following bits of a fraction of `width` bits. */
static void split(struct job *j, unsigned base, u32 frac, int width, int bits)
{
    j->row = base + (frac >> (width - bits));
    j->d = (frac << (DBITS - width + bits)) & ((1u << DBITS) - 1);
}

/* |x| * 2^scale, cut to an integer modulo 2^32. */
static u32 to_fixed(struct fp_num x, int scale)
{
    int n = 62 - x.exp - scale;
    return n > 63 ? 0 : n >= 0 ? (u32)(x.sig >> n) : n > -32 ? (u32)(x.sig << -n) : 0;
}

static struct job job_root(unsigned base, struct fp_num x, u32 m, int bits, bool inverse)
{
    bool odd = x.exp & 1;
    int half = (x.exp - odd) / 2;
    struct job j = {.exp = inverse ? -half : half};
    split(&j, base + ((unsigned)odd << bits), m, 23, bits);
    return j;
}

/* x counts turns.  A quarter turn is 2^24 units; odd quarters run backwards. */
static struct job job_sine(struct fp_num x, bool cosine)
{
    u32 t = to_fixed(x, 26) + ((u32)cosine << 24), f = t & 0xffffff;
    bool back = t >> 24 & 1;
    struct job j = {.neg = (t >> 25 & 1) ^ (x.neg & !cosine)};
    if (back)
        f = 0x1000000 - f;
    if (f == 0) /* a zero: sine has the sign of its argument, cosine none */
        j.neg = x.neg & !cosine;
    split(&j, MUFU_ROW_SIN, f, 24, 6);
    return j;
}

static struct job job_ex2(struct fp_num x)
{
    s64 t = to_fixed(x, 24); /* |x| < 2^8 */
    struct job j = {0};
    if (x.neg)
        t = -t;
    j.exp = (int)(t >> 24);
    split(&j, MUFU_ROW_EX2, (u32)t & 0xffffff, 24, 6);
    return j;
}

/* -12 <= x.exp <= 3 */
static struct job job_tanh(struct fp_num x, u32 m)
{
    unsigned e = (unsigned)(x.exp + 12);
    struct job j = {.neg = x.neg, .exp = x.exp < 0 ? x.exp : 0};
    switch (x.exp) {
    case 3: split(&j, MUFU_ROW_TANH_3, m, 23, 4); break;
    case 2: split(&j, MUFU_ROW_TANH_2, m, 23, 5); break;
    case 1: split(&j, MUFU_ROW_TANH_1, m, 23, 6); break;
    case 0: case -1: case -2: split(&j, MUFU_ROW_TANH_MID + (e - 10) * 32, m, 23, 5); break;
    default: split(&j, MUFU_ROW_TANH_LOW + e * 16, m, 23, 4); break;
    }
    return j;
}

static u32 finish(struct job j)
{
    s64 t = mufu_rows[j.row].c1 + ((s64)mufu_rows[j.row].c2 * j.d >> DBITS);
    s64 y = mufu_rows[j.row].c0 + (t * j.d >> DBITS) + (s64)j.whole * (1 << YBITS);
    bool neg = j.neg ^ (y < 0);
    return fp_pack32(fp_normal(neg, j.exp + 62 - YBITS, (u64)(y < 0 ? -y : y)), FP_RN);
}

/* The results that are no interpolation. */
static bool special(unsigned fn, u32 a, struct fp_num x, u32 *r)
{
    u32 sign = a & F32_SIGN;
    bool zero = fp_is_zero(a), inf = fp_is_inf(a), neg = sign && !zero;
    if (fp_is_nan(a))
        return *r = F32_NAN, true;
    switch (fn) {
    case MUFU_RCP: return *r = sign | (zero ? F32_INF : 0), zero || inf;
    case MUFU_RSQ: return *r = neg ? F32_NAN : zero ? sign | F32_INF : 0, zero || inf || neg;
    case MUFU_SQRT: return *r = neg ? F32_NAN : a, zero || inf || neg;
    case MUFU_SIN: case MUFU_COS: return *r = F32_NAN, inf;
    case MUFU_LG2:
        return *r = neg ? F32_NAN : zero ? F32_SIGN | F32_INF : F32_INF, zero || inf || neg;
    case MUFU_EX2: return *r = sign ? 0 : F32_INF, inf || x.exp > 7;
    default: /* MUFU_TANH: itself when tiny, one from 16 up */
        return *r = inf || x.exp > 3 ? sign | F32_ONE : a, zero || inf || x.exp > 3 || x.exp < -12;
    }
}

u32 mufu_eval(unsigned fn, u32 a)
{
    struct fp_num x = fp_unpack(a);
    u32 m = (u32)(x.sig >> 39) & 0x7fffff, r;
    struct job j = {.neg = x.neg, .exp = -x.exp};
    if (special(fn, a, x, &r))
        return r;
    switch (fn) {
    case MUFU_RCP: split(&j, MUFU_ROW_RCP, m, 23, 7); break;
    case MUFU_RSQ: j = job_root(MUFU_ROW_RSQ, x, m, 6, true); break;
    case MUFU_SQRT: j = job_root(MUFU_ROW_SQRT, x, m, 5, false); break;
    case MUFU_SIN: j = job_sine(x, false); break;
    case MUFU_COS: j = job_sine(x, true); break;
    case MUFU_LG2:
        j = (struct job){.whole = x.exp};
        split(&j, MUFU_ROW_LG2, m, 23, 7);
        break;
    case MUFU_EX2: j = job_ex2(x); break;
    default: j = job_tanh(x, m); break;
    }
    return finish(j);
}

/* Selection of f64: rows of the f64 unit; or routines of the library (softlib/f64.cuh), which
 * division, roots and a few rare conversions always are, and all else with --f64 routines.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons, moves and memory are selected where those of other types are. */
#include <string.h>
#include "compiler/select/minsn.h"

enum { ABSOLUTE_HI = 0x7fffffff, INF_HI = 0x7ff00000, QUIET_HI = 0x00080000, NORMAL_HI = 0x00100000,
       TO_ODD = 4 /* the library's rounding besides RM_* */ };

static struct val src(struct sel *s, int k) { return sel_src(s, &s->in->o[k], 2); }
static struct val f64_imm(uint64_t k)
{
    return (struct val){ .v = -1, .n = 2, .imm = true, .k = k };
}
static struct val rounding(struct sel *s) { return v_imm(sel_rounding(s->in->rnd)); }

/* To nearest one routine, in the three directions another, with the direction as an argument. */
static struct val rounded(struct sel *s, const char *const name[2], int n, struct val a,
                          struct val b, struct val c)
{
    bool to = sel_rounding(s->in->rnd) != RM_RN;
    struct val m = rounding(s);
    if (n == 1) return to ? sel_lib(s, name[1], 2, 2, a, m) : sel_lib(s, name[0], 2, 1, a);
    if (n == 2) return to ? sel_lib(s, name[1], 2, 3, a, b, m) : sel_lib(s, name[0], 2, 2, a, b);
    return to ? sel_lib(s, name[1], 2, 4, a, b, c, m) : sel_lib(s, name[0], 2, 3, a, b, c);
}

static bool unit(const struct sel *s) { return !s->be->opt->f64_routines; }

/* A row, rounded as the instruction says. */
static struct val row(struct sel *s, enum hd_op op, struct val a, struct val b, struct val c)
{
    struct val d = sel_do(s, op, sel_reg(s, a), sel_reg(s, b), sel_reg(s, c));
    if (strstr(hd_ops[op].mods, "RM")) s->last->i.rm = sel_rounding(s->in->rnd);
    return d;
}

static struct val unit_arithmetic(struct sel *s)
{
    struct val d;
    switch (s->in->op) {
    case P_ADD: return row(s, OP_DADD, src(s, 1), src(s, 2), VZERO);
    case P_SUB:
        d = row(s, OP_DADD, src(s, 1), src(s, 2), VZERO);
        s->last->i.nb = 1;
        return d;
    case P_MUL: return row(s, OP_DMUL, src(s, 1), src(s, 2), VZERO);
    default: return row(s, OP_DFMA, src(s, 1), src(s, 2), src(s, 3));
    }
}

static struct val arithmetic(struct sel *s)
{
    static const char *const add[] = { "__hd_add_f64", "__hd_add_f64_to" },
                             *const sub[] = { "__hd_sub_f64", "__hd_sub_f64_to" },
                             *const mul[] = { "__hd_mul_f64", "__hd_mul_f64_to" },
                             *const fma[] = { "__hd_fma_f64", "__hd_fma_f64_to" },
                             *const div[] = { "__hd_div_f64", "__hd_div_f64_to" },
                             *const sqrt[] = { "__hd_sqrt_f64", "__hd_sqrt_f64_to" };
    bool root = s->in->op == P_DIV || s->in->op == P_RCP || s->in->op == P_SQRT;
    if (unit(s) && !root) return unit_arithmetic(s);
    switch (s->in->op) {
    case P_ADD: return rounded(s, add, 2, src(s, 1), src(s, 2), VZERO);
    case P_SUB: return rounded(s, sub, 2, src(s, 1), src(s, 2), VZERO);
    case P_MUL: return rounded(s, mul, 2, src(s, 1), src(s, 2), VZERO);
    case P_DIV: return rounded(s, div, 2, src(s, 1), src(s, 2), VZERO);
    case P_RCP: return rounded(s, div, 2, f64_imm(0x3ff0000000000000), src(s, 1), VZERO);
    case P_SQRT: return rounded(s, sqrt, 1, src(s, 1), VZERO, VZERO);
    default: return rounded(s, fma, 3, src(s, 1), src(s, 2), src(s, 3));
    }
}

static int test(struct sel *s, struct val a, uint32_t k, int icmp, int ps, int bop)
{
    int p = sel_ptmp(s);
    struct mins *m = sel_setp(s, OP_ISETP, p, a, v_imm(k), (struct pval){ ps, false });
    m->i.icmp = (uint8_t)icmp, m->i.bop = (uint8_t)bop;
    return p;
}

/* mag is the upper word without its sign. */
static int is_nan(struct sel *s, struct val lo, struct val mag)
{
    return test(s, mag, INF_HI, ICMP_GT, test(s, lo, 0, ICMP_NE, -1, BOP_AND), BOP_EX);
}

/* A NaN is quieted and keeps its sign. */
static struct val sign_off(struct sel *s, bool flip)
{
    struct val a = sel_reg(s, src(s, 1)), hi = sel_tmp(s, 1),
               mag = sel_do(s, OP_AND, HI(a), v_imm(ABSOLUTE_HI), VZERO);
    int nan = is_nan(s, LO(a), mag);
    struct val quiet = sel_do(s, OP_OR, HI(a), v_imm(QUIET_HI), VZERO);
    struct val other = flip ? sel_do(s, OP_XOR, HI(a), v_imm(0x80000000), VZERO) : mag;
    sel_sel(s, hi, quiet, other, (struct pval){ nan, false });
    return sel_pair(s, LO(a), hi);
}

static struct val copy_sign(struct sel *s)       /* the sign of a, the rest of b */
{
    struct val a = sel_reg(s, src(s, 1)), b = sel_reg(s, src(s, 2));
    struct val hi = sel_do(s, OP_LOP3, HI(a), v_imm(0x80000000), HI(b));
    s->last->i.lut = 0xe2;
    return sel_pair(s, LO(b), hi);
}

static void test_class(struct sel *s)
{
    struct val a = sel_reg(s, src(s, 1)), x = sel_do(s, OP_AND, HI(a), v_imm(ABSOLUTE_HI), VZERO),
               lo = LO(a);
    struct val any = sel_do(s, OP_OR, x, lo, VZERO);
    int p;
    switch (s->in->sub) {
    case TP_FINITE: p = test(s, x, INF_HI, ICMP_LT, -1, BOP_AND); break;
    case TP_INFINITE:
        p = test(s, x, INF_HI, ICMP_EQ, test(s, lo, 0, ICMP_EQ, -1, BOP_AND), BOP_AND);
        break;
    case TP_NUMBER:
        p = test(s, x, INF_HI, ICMP_LT, test(s, lo, 0, ICMP_EQ, -1, BOP_AND), BOP_EX);
        break;
    case TP_NOTANUMBER: p = is_nan(s, lo, x); break;
    case TP_SUBNORMAL:
        p = test(s, x, NORMAL_HI, ICMP_LT, test(s, any, 0, ICMP_NE, -1, BOP_AND), BOP_AND);
        break;
    default:                             /* zero counts as normal */
        p = test(s, x, NORMAL_HI, ICMP_GE, test(s, any, 0, ICMP_EQ, -1, BOP_AND), BOP_OR);
        p = test(s, x, INF_HI, ICMP_LT, p, BOP_AND);
    }
    sel_plop(s, s->in->o[0].reg, (struct pval){ p, false }, -1, 0xc);
}

void sel_compare_f64(struct sel *s, int pd, struct pval ps, int bop)
{
    enum { LESS = 1, EQUAL = 2, GREATER = 4, NAN_IN = 8 };       /* what the routine answers */
    static const uint8_t holds[] = { [CMP_EQ] = EQUAL,
                                     [CMP_NE] = LESS | GREATER,
                                     [CMP_LT] = LESS,
                                     [CMP_LE] = LESS | EQUAL,
                                     [CMP_GT] = GREATER,
                                     [CMP_GE] = GREATER | EQUAL,
                                     [CMP_LO] = LESS,
                                     [CMP_LS] = LESS | EQUAL,
                                     [CMP_HI] = GREATER,
                                     [CMP_HS] = GREATER | EQUAL,
                                     [CMP_EQU] = EQUAL | NAN_IN,
                                     [CMP_NEU] = LESS | GREATER | NAN_IN,
                                     [CMP_LTU] = LESS | NAN_IN,
                                     [CMP_LEU] = LESS | EQUAL | NAN_IN,
                                     [CMP_GTU] = GREATER | NAN_IN,
                                     [CMP_GEU] = GREATER | EQUAL | NAN_IN,
                                     [CMP_NUM] = LESS | EQUAL | GREATER,
                                     [CMP_NAN] = NAN_IN };
    if (unit(s)) {
        struct val a = sel_reg(s, src(s, 1)), b = sel_reg(s, src(s, 2));
        struct mins *set = sel_setp(s, OP_DSETP, pd, a, b, ps);
        set->i.fcmp = (uint8_t)sel_float_cmp(s->in->cmp), set->i.fbop = (uint8_t)bop;
        return;
    }
    struct val r = sel_lib(s, "__hd_cmp_f64", 1, 2, src(s, 1), src(s, 2));
    r = sel_do(s, OP_AND, r, v_imm(holds[s->in->cmp]), VZERO);
    struct mins *m = sel_setp(s, OP_ISETP, pd, r, v_imm(0), ps);
    m->i.icmp = ICMP_NE, m->i.bop = (uint8_t)bop;
}

/* ---- conversions ----------------------------------------------------------------------------- */

static struct val to_f64(struct sel *s)
{
    struct ins *in = s->in;
    bool sign = type_signed(in->stype);
    struct val a;
    if (in->stype == T_F64) {
        a = src(s, 1);
        if (in->rnd < RND_NI) return a;
        return unit(s) ? row(s, OP_DRND, a, VZERO, VZERO)
                       : sel_lib(s, "__hd_rint_f64", 2, 2, a, rounding(s));
    }
    if (type_size(in->stype) == 8 && unit(s))
        return row(s, sign ? OP_L2DS : OP_L2DU, src(s, 1), VZERO, VZERO);
    if (type_size(in->stype) == 8)
        return sel_lib(s, sign ? "__hd_s64_f64" : "__hd_u64_f64", 2, 2, src(s, 1), rounding(s));
    a = sel_src(s, &in->o[1], 1);
    if (in->stype == T_F16) a = sel_do(s, OP_H2F, a, VZERO, VZERO);
    else if (in->stype == T_F32) a = sel_flush(s, a);
    if (type_float(in->stype))
        return unit(s) ? row(s, OP_F2D, a, VZERO, VZERO) : sel_lib(s, "__hd_f32_f64", 2, 1, a);
    if (unit(s)) return row(s, sign ? OP_I2DS : OP_I2DU, sel_extend(s, a, in->stype), VZERO, VZERO);
    return sel_lib(s, sign ? "__hd_s32_f64" : "__hd_u32_f64", 2, 1, sel_extend(s, a, in->stype));
}

/* Saturating; of a NaN the highest bit alone, in whatever width. */
static struct val to_int(struct sel *s)
{
    struct ins *in = s->in;
    bool sign = type_signed(in->type);
    struct val a = sel_reg(s, src(s, 1)), r;
    if (type_size(in->type) == 8)
        return unit(s) ? row(s, sign ? OP_D2LS : OP_D2LU, a, VZERO, VZERO)
                       : sel_lib(s, sign ? "__hd_f64_s64" : "__hd_f64_u64", 2, 2, a, rounding(s));
    r = unit(s) ? row(s, sign ? OP_D2IS : OP_D2IU, a, VZERO, VZERO)
                : sel_lib(s, sign ? "__hd_f64_s32" : "__hd_f64_u32", 1, 2, a, rounding(s));
    int bits = 8 * type_size(in->type);
    if (bits < 32) r = sel_clamp32(s, r, sign ? T_S32 : T_U32, in->type);
    if (bits < 32 && !sign) {
        struct val number = r, mag = sel_do(s, OP_AND, HI(a), v_imm(ABSOLUTE_HI), VZERO);
        r = sel_tmp(s, 1);
        sel_sel(s, r, v_imm(1u << (bits - 1)), number,
                (struct pval){ is_nan(s, LO(a), mag), false });
    }
    return sel_dst(s, &in->o[0]).n == 2 ? sel_widen(s, r, sign) : r;
}

/* To f16 by way of the odd of two neighbours in f32: so that it is rounded once. */
static struct val to_narrow(struct sel *s)
{
    struct ins *in = s->in;
    bool half = in->type == T_F16;
    struct val r;
    if (unit(s) && half && !in->sat && !in->ftz) return row(s, OP_D2H, src(s, 1), VZERO, VZERO);
    if (unit(s) && !half)
        r = row(s, OP_D2F, src(s, 1), VZERO, VZERO);
    else
        r = sel_lib(s, "__hd_f64_f32", 1, 2, src(s, 1), half ? v_imm(TO_ODD) : rounding(s));
    if (in->sat || in->ftz) {
        r = sel_do(s, OP_FADD, r, v_imm(0x80000000), VZERO);     /* -0 changes no number */
        s->last->i.sat = in->sat, s->last->i.ftz = in->ftz;
    }
    if (!half) return r;
    r = sel_do(s, OP_F2H, r, VZERO, VZERO);
    s->last->i.rm = sel_rounding(in->rnd);
    return r;
}

static struct val convert(struct sel *s)
{
    if (s->in->type == T_F64) {
        struct val r = to_f64(s);
        return s->in->sat ? sel_lib(s, "__hd_sat_f64", 2, 1, r) : r;
    }
    return type_float(s->in->type) ? to_narrow(s) : to_int(s);
}

bool select_f64(struct sel *s)
{
    struct ins *in = s->in;
    struct val r;
    if (in->type != T_F64 && in->stype != T_F64) return false;
    switch (in->op) {
    case P_MOV:
    case P_LD:
    case P_LDU:
    case P_ST:
    case P_SELP:
    case P_SETP:
    case P_SET:
    case P_SLCT:
    case P_ATOM:
    case P_RED: return false;
    case P_RCP:
        r = in->approx ? sel_lib(s, "__hd_rcp_approx_f64", 2, 1, src(s, 1)) : arithmetic(s);
        break;
    case P_RSQRT:
        r = sel_lib(s, in->ftz ? "__hd_rsqrt_approx_f64" : "__hd_rsqrt_f64", 2, 1, src(s, 1));
        break;
    case P_ADD:
    case P_SUB:
    case P_MUL:
    case P_MAD:
    case P_FMA:
    case P_DIV:
    case P_SQRT: r = arithmetic(s); break;
    case P_MIN:
        r = unit(s) ? row(s, OP_DMIN, src(s, 1), src(s, 2), VZERO)
                    : sel_lib(s, "__hd_min_f64", 2, 2, src(s, 1), src(s, 2));
        break;
    case P_MAX:
        r = unit(s) ? row(s, OP_DMAX, src(s, 1), src(s, 2), VZERO)
                    : sel_lib(s, "__hd_max_f64", 2, 2, src(s, 1), src(s, 2));
        break;
    case P_ABS: r = sign_off(s, false); break;
    case P_NEG: r = sign_off(s, true); break;
    case P_COPYSIGN: r = copy_sign(s); break;
    case P_CVT: r = convert(s); break;
    case P_TESTP: test_class(s); return true;
    default: sel_unsupported(s); return true;
    }
    sel_put(s, &in->o[0], r);
    return true;
}

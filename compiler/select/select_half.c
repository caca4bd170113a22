/* Selection of f16 and bf16, one or two in a word: instructions of f32, and one rounding at the
 * end.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every f16 and bf16 is an f32.  f32 has at least two bits more than twice as many as either, so
 * what is rounded to f32 and then again is what one rounding gives, for sums, and for products that
 * f32 holds exactly.  Where that does not suffice (fma, products of bf16 below f32's normal
 * numbers, long integers), the first rounding is to the odd one of the two neighbours. */
#include "compiler/select/minsn.h"

enum { NEGATIVE_ZERO = (int)0x80000000, NAN_32 = 0x7fffffff, NAN_16 = 0x7fff,
       F16_NORMAL = 0x38800000 /* 2^-14 */,
       TO_ODD = 4 /* the library's rounding besides RM_* */ };

static int test(struct sel *s, enum hd_op op, struct val a, struct val b, int cmp)
{
    int p = sel_ptmp(s);
    struct mins *m = sel_setp(s, op, p, a, b, P_TRUE);
    if (op == OP_FSETP) m->i.fcmp = (uint8_t)cmp;
    else m->i.icmp = (uint8_t)cmp;
    return p;
}

static struct val choose(struct sel *s, int p, struct val a, struct val b)
{
    struct val d = sel_tmp(s, 1);
    sel_sel(s, d, a, b, (struct pval){ p, false });
    return d;
}

/* ---- in and out of f32 ----------------------------------------------------------------------- */

/* f16's subnormals to zero of their sign, where .ftz is given. */
static struct val flush(struct sel *s, enum ptype t, struct val x)
{
    if (!s->in->ftz || type_bf16(t)) return x;
    int small = test(s, OP_FSETP, x, v_imm(F16_NORMAL), FCMP_LT);
    s->last->i.aa = 1;
    return choose(s, small, sel_do(s, OP_AND, x, v_imm(0x80000000), VZERO), x);
}

/* Number k of a word. */
static struct val widen(struct sel *s, enum ptype t, struct val a, int k)
{
    a = sel_reg(s, a);
    if (type_bf16(t))
        return k ? sel_do(s, OP_AND, a, v_imm(0xffff0000), VZERO)
                 : sel_do(s, OP_SHL, a, v_imm(16), VZERO);
    if (k) a = sel_do(s, OP_SHRU, a, v_imm(16), VZERO);
    return flush(s, t, sel_do(s, OP_H2F, a, VZERO, VZERO));
}

/* Number k of an operand.  .xorsign looks at the sign of a NaN, too, which H2F does not keep. */
static struct val operand(struct sel *s, int which, int k)
{
    struct val a = sel_reg(s, sel_src(s, &s->in->o[which], 1)), x = widen(s, s->in->type, a, k);
    if (!s->in->xorsign || type_bf16(s->in->type)) return x;
    x = sel_do(s, OP_LOP3, k ? a : sel_do(s, OP_SHL, a, v_imm(16), VZERO), v_imm(0x80000000), x);
    s->last->i.lut = 0xe2;                           /* the sign of a, the rest of x */
    return x;
}

/* To bf16: what is added below the last bit decides. */
static struct val to_bf16(struct sel *s, struct val x, int rm)
{
    struct val add, sign, r = x;
    switch (rm) {
    case RM_RN:
        add = sel_do(s, OP_AND, sel_do(s, OP_SHRU, x, v_imm(16), VZERO), v_imm(1), VZERO);
        r = sel_do(s, OP_IADD, x, sel_do(s, OP_IADD, add, v_imm(0x7fff), VZERO), VZERO);
        break;
    case RM_RZ: break;
    default:
        sign = sel_do(s, OP_SHRS, x, v_imm(31), VZERO);
        if (rm == RM_RP) sign = sel_do(s, OP_XOR, sign, v_imm(0xffffffff), VZERO);
        r = sel_do(s, OP_IADD, x, sel_do(s, OP_SHRU, sign, v_imm(16), VZERO), VZERO);
    }
    int nan = test(s, OP_FSETP, x, x, FCMP_NAN);
    return choose(s, nan, sel_reg(s, v_imm(NAN_16)), sel_do(s, OP_SHRU, r, v_imm(16), VZERO));
}

static struct val narrow(struct sel *s, enum ptype t, struct val x, enum rnd rnd)
{
    int rm = sel_rounding(rnd);
    if (s->in->relu)
        x = choose(s, test(s, OP_FSETP, x, v_imm(0), FCMP_LE), sel_reg(s, v_imm(0)), x);
    if (type_bf16(t)) return to_bf16(s, x, rm);
    x = sel_do(s, OP_F2H, x, VZERO, VZERO);
    s->last->i.rm = (uint8_t)rm;
    return x;
}

static struct val pair(struct sel *s, const struct val half[2])
{
    return sel_do(s, OP_PRMT, half[0], v_imm(0x5410), half[1]);
}

/* A result rounded to the odd one of its neighbours.  A difference of zero is -0 rounded down, +0
 * rounded up: both are even, so that it comes out positive. */
static struct val odd(struct sel *s, enum hd_op op, struct val a, struct val b, struct val c)
{
    struct val down = sel_do(s, op, a, b, c);
    s->last->i.rm = sel_rounding(RND_M);
    struct val up = sel_do(s, op, a, b, c);
    s->last->i.rm = sel_rounding(RND_P);
    return choose(s, test(s, OP_ISETP, sel_do(s, OP_AND, down, v_imm(1), VZERO), v_imm(0), ICMP_NE),
                  down, up);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

struct val sel_min_max(struct sel *s, struct val a, struct val b)
{
    struct ins *in = s->in;
    bool ftz = in->ftz && in->type == T_F32;
    struct val d = sel_do(s, in->op == P_MIN ? OP_FMIN : OP_FMAX, a, b, VZERO);
    s->last->i.ftz = ftz, s->last->i.aa = s->last->i.ab = in->xorsign;
    if (in->xorsign) {
        d = sel_do(s, OP_LOP3, d, v_imm(0x80000000), sel_do(s, OP_XOR, a, b, VZERO));
        s->last->i.lut = 0xf8;                       /* a | (b & c) */
        d = sel_do(s, OP_FADD, d, v_imm(0x80000000), VZERO);     /* a NaN has no sign */
    }
    return in->nan ? choose(s, test(s, OP_FSETP, a, b, FCMP_NAN), sel_reg(s, v_imm(NAN_32)), d) : d;
}

/* ex2 and tanh are f32's. */
static struct val function(struct sel *s, struct val a)
{
    struct ins *in = s->in, f32 = *in;
    struct val d = sel_tmp(s, 1);
    f32.type = T_F32;
    f32.o[0] = (struct opd){ .kind = O_REG, .reg = d.v, .reg2 = -1 };
    f32.o[1] = (struct opd){ .kind = O_REG, .reg = a.v, .reg2 = -1 };
    s->in = &f32;
    select_float(s);
    s->in = in;
    return d;
}

static struct val compute(struct sel *s, int k)
{
    struct ins *in = s->in;
    struct val a = operand(s, 1, k), b = in->nops > 2 ? operand(s, 2, k) : VZERO, r;
    switch (in->op) {
    case P_ADD: case P_SUB:
        r = sel_do(s, OP_FADD, a, b, VZERO);
        s->last->i.nb = in->op == P_SUB;
        break;
    case P_MUL:
        r = type_bf16(in->type) ? odd(s, OP_FMUL, a, b, VZERO) : sel_do(s, OP_FMUL, a, b, VZERO);
        break;
    case P_FMA: r = odd(s, OP_FFMA, a, b, operand(s, 3, k)); break;
    case P_MIN: case P_MAX: r = sel_min_max(s, a, b); break;
    case P_ABS: case P_NEG:
        r = sel_do(s, OP_FADD, a, v_imm(0x80000000), VZERO);
        s->last->i.aa = in->op == P_ABS, s->last->i.na = in->op == P_NEG;
        break;
    default: r = function(s, a);
    }
    r = flush(s, in->type, r);
    if (in->sat) {
        r = sel_do(s, OP_FADD, r, v_imm(0x80000000), VZERO);
        s->last->i.sat = 1;
    }
    return narrow(s, in->type, r, RND_N);
}

/* The sign alone. */
static struct val sign_bits(struct sel *s)
{
    bool two = type_packed(s->in->type);
    struct val a = sel_reg(s, sel_src(s, &s->in->o[1], 1));
    if (s->in->op == P_ABS) return sel_do(s, OP_AND, a, v_imm(two ? 0x7fff7fff : 0x7fff), VZERO);
    return sel_do(s, OP_XOR, a, v_imm(two ? 0x80008000 : 0x8000), VZERO);
}

static void arithmetic(struct sel *s)
{
    struct ins *in = s->in;
    struct val half[2];
    bool sign = (in->op == P_ABS || in->op == P_NEG) && !in->ftz;
    for (int k = 0; !sign && k < (type_packed(in->type) ? 2 : 1); k++) half[k] = compute(s, k);
    sel_put(s, &in->o[0], sign ? sign_bits(s) : type_packed(in->type) ? pair(s, half) : half[0]);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

void sel_compare_half(struct sel *s, enum ptype t, int k, int pd, struct pval ps, int bop)
{
    struct val a = widen(s, t, sel_src(s, &s->in->o[1], 1), k),
               b = widen(s, t, sel_src(s, &s->in->o[2], 1), k);
    struct mins *m = sel_setp(s, OP_FSETP, pd, a, b, ps);
    m->i.fcmp = (uint8_t)sel_float_cmp(s->in->cmp), m->i.fbop = (uint8_t)bop;
}

/* Two comparisons, each combined with the same predicate. */
static void compare_two(struct sel *s, enum ptype t, int p[2])
{
    struct ins *in = s->in;
    struct pval c = in->sub != BOOL_NONE ? sel_pred(s, &in->o[3]) : P_TRUE;
    for (int k = 0; k < 2; k++) {
        p[k] = sel_ptmp(s);
        sel_compare_half(s, t, k, p[k], c,
                         in->sub == BOOL_NONE ? BOP_AND : in->sub - BOOL_AND + BOP_AND);
    }
}

static void setp_two(struct sel *s)
{
    struct opd *d = &s->in->o[0];
    int p[2];
    compare_two(s, s->in->type, p);
    sel_put_preds(s, d->kind == O_REG ? d->reg : -1, p[0], d->reg2, p[1]);
}

static void set_two(struct sel *s)
{
    struct ins *in = s->in;
    struct val half[2], yes = v_imm(in->type == T_F16X2    ? 0x3c00
                                    : in->type == T_BF16X2 ? 0x3f80
                                                           : 0xffff);
    int p[2];
    compare_two(s, in->stype, p);
    for (int k = 0; k < 2; k++) half[k] = choose(s, p[k], yes, VZERO);
    sel_put(s, &in->o[0], pair(s, half));
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* A source as an f32 that a further rounding to bf16 makes right. */
static struct val as_f32(struct sel *s, const struct opd *o)
{
    struct ins *in = s->in;
    bool sign = type_signed(in->stype), wide = type_size(in->stype) == 8;
    struct val a = sel_src(s, o, wide ? 2 : 1);
    switch (in->stype) {
    case T_F64: return sel_lib(s, "__hd_f64_f32", 1, 2, a, v_imm(TO_ODD));
    case T_F32: return sel_flush(s, sel_reg(s, a));
    case T_F16: return sel_do(s, OP_H2F, sel_reg(s, a), VZERO, VZERO);
    case T_BF16: return widen(s, T_BF16, a, 0);
    default:
        if (!wide) a = sel_extend(s, a, in->stype);
        return odd(s,
                   wide   ? sign ? OP_L2FS : OP_L2FU
                   : sign ? OP_I2FS
                          : OP_I2FU,
                   sel_reg(s, a), VZERO, VZERO);
    }
}

/* To another type from bf16: as from the f32 that it is. */
static void from_bf16(struct sel *s)
{
    struct ins *in = s->in, f32 = *in;
    struct val a = widen(s, T_BF16, sel_src(s, &in->o[1], 1), 0);
    f32.stype = T_F32;
    f32.o[1] = (struct opd){ .kind = O_REG, .reg = a.v, .reg2 = -1 };
    s->in = &f32;
    if (!select_f64(s)) select_conv(s);
    s->in = in;
}

/* To tf32, which has 10 bits of fraction: to the nearest, a tie away from zero. */
static struct val to_tf32(struct sel *s)
{
    struct val x = sel_reg(s, sel_src(s, &s->in->o[1], 1)),
               r = sel_do(s, OP_IADD, x, v_imm(0x1000), VZERO);
    r = sel_do(s, OP_AND, r, v_imm(0xffffe000), VZERO);
    return choose(s, test(s, OP_FSETP, x, x, FCMP_NAN), sel_reg(s, v_imm(NAN_32)), r);
}

static void convert(struct sel *s)
{
    struct ins *in = s->in;
    struct val r, half[2];
    if (in->type == T_TF32) {
        r = to_tf32(s);
    } else if (type_packed(in->type)) {                 /* the first source is the upper one */
        for (int k = 0; k < 2; k++)
            half[k] = narrow(s, in->type, as_f32(s, &in->o[2 - k]), in->rnd);
        r = pair(s, half);
    } else if (in->rnd >= RND_NI && in->type == T_BF16) {
        r = sel_do(s, OP_FRND, as_f32(s, &in->o[1]), VZERO, VZERO);
        s->last->i.rm = sel_rounding(in->rnd);
        r = narrow(s, T_BF16, r, RND_N);
    } else {
        r = narrow(s, in->type, as_f32(s, &in->o[1]), in->rnd);
    }
    sel_put(s, &in->o[0], r);
}

bool select_half(struct sel *s)
{
    struct ins *in = s->in;
    if (!type_half(in->type) && !type_half(in->stype) && in->type != T_TF32) return false;
    switch (in->op) {
    case P_ADD:
    case P_SUB:
    case P_MUL:
    case P_FMA:
    case P_MIN:
    case P_MAX:
    case P_ABS:
    case P_NEG:
    case P_EX2:
    case P_TANH: arithmetic(s); return true;
    case P_SETP:
        if (type_packed(in->type)) setp_two(s);
        return type_packed(in->type);
    case P_SET:
        if (type_packed(in->stype)) set_two(s);
        return type_packed(in->stype);
    case P_CVT:
        if (type_bf16(in->type) || type_packed(in->type) || in->type == T_TF32 || in->relu)
            convert(s);
        else if (in->stype == T_BF16) from_bf16(s);
        else return false;
        return true;
    default: return false;
    }
}

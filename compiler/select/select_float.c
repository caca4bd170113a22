/* Selection of f32 arithmetic.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Division, reciprocal and square root with IEEE rounding are library routines (softlib/).  The
 * approximations are MUFU, with the scaling that its range needs: docs/mufu.md. */
#include "compiler/select/minsn.h"

static struct val src(struct sel *s, int k) { return sel_src(s, &s->in->o[k], 1); }

uint8_t sel_rounding(enum rnd r)
{
    switch (r) {
    case RND_Z: case RND_ZI: return RM_RZ;
    case RND_M: case RND_MI: return RM_ON;                /* .RM */
    case RND_P: case RND_PI: return RM_RP;
    default: return RM_RN;
    }
}

static void modify(struct sel *s, struct mins *m)
{
    m->i.rm = sel_rounding(s->in->rnd);
    m->i.ftz = s->in->ftz;
    m->i.sat = s->in->sat;
}

static struct val fop(struct sel *s, enum hd_op op, struct val a, struct val b)
{
    struct val d = sel_do(s, op, a, b, VZERO);
    s->last->i.ftz = s->in->ftz;
    return d;
}

static struct val mufu(struct sel *s, int fn, struct val a)
{
    struct val d = sel_do(s, OP_MUFU, a, VZERO, VZERO);
    s->last->i.mufu = (uint8_t)fn;
    return d;
}

static int fless(struct sel *s, struct val a, uint32_t limit, int cmp)     /* |a| cmp limit */
{
    int p = sel_ptmp(s);
    struct mins *m = sel_setp(s, OP_FSETP, p, a, v_imm(limit), P_TRUE);
    m->i.fcmp = (uint8_t)cmp, m->i.aa = 1;
    return p;
}

static struct val choose(struct sel *s, struct val a, struct val b, int p)
{
    struct val d = sel_tmp(s, 1);
    sel_sel(s, d, a, b, (struct pval){ p, false });
    return d;
}

struct val sel_flush(struct sel *s, struct val a)            /* subnormals to zero of their sign */
{
    if (!s->in->ftz) return a;
    return fop(s, OP_FADD, a, v_imm(0x80000000));
}

/* A function whose argument or result may be subnormal, which MUFU takes for zero: below `limit`
 * the argument is scaled by `in`, and the result by `out`. */
static struct val scaled(struct sel *s, int fn, struct val a, uint32_t limit, uint32_t in,
                         uint32_t out)
{
    a = sel_reg(s, a);
    if (s->in->ftz) return sel_flush(s, mufu(s, fn, sel_flush(s, a)));
    int p = fless(s, a, limit, FCMP_LT);
    struct val x = choose(s, sel_do(s, OP_FMUL, a, v_imm(in), VZERO), a, p), r = mufu(s, fn, x);
    return choose(s, sel_do(s, OP_FMUL, r, v_imm(out), VZERO), r, p);
}

/* 1/b: a large b has a subnormal reciprocal, so it is scaled down as a small one is scaled up. */
static struct val reciprocal(struct sel *s, struct val b)
{
    b = sel_reg(s, b);
    if (s->in->ftz) return sel_flush(s, mufu(s, MUFU_RCP, sel_flush(s, b)));
    int small = fless(s, b, 0x00800000, FCMP_LT), big = fless(s, b, 0x7e800000, FCMP_GT);
    struct val k = choose(s, sel_reg(s, v_imm(0x4b800000)), v_imm(0x3f800000), small);    /* 2^24 */
    k = choose(s, sel_reg(s, v_imm(0x3e800000)), k, big);                                 /* 2^-2 */
    return sel_do(s, OP_FMUL, mufu(s, MUFU_RCP, sel_do(s, OP_FMUL, b, k, VZERO)), k, VZERO);
}

/* a / b: b is brought to where its reciprocal is normal, and a goes with it; but .approx takes the
 * reciprocal of a b above 2^126 for 0, as PTX says: so is the result, or a NaN of an infinite a. */
static struct val div_approx(struct sel *s)
{
    struct val a = sel_reg(s, sel_flush(s, sel_reg(s, src(s, 1)))),
               b = sel_flush(s, sel_reg(s, src(s, 2)));
    int small = fless(s, b, 0x00800000, FCMP_LT), big = fless(s, b, 0x7e800000, FCMP_GT);
    struct val k = choose(s, sel_reg(s, v_imm(0x4b800000)), v_imm(0x3f800000), small);
    if (s->in->full) k = choose(s, sel_reg(s, v_imm(0x3e800000)), k, big);
    struct val x = sel_do(s, OP_FMUL, a, k, VZERO),
               r = mufu(s, MUFU_RCP, sel_do(s, OP_FMUL, b, k, VZERO));
    if (!s->in->full) r = choose(s, sel_do(s, OP_FMUL, r, VZERO, VZERO), r, big);
    return fop(s, OP_FMUL, x, r);
}

/* sin and cos: MUFU takes turns.  ex2 of a small result: halved, and squared again. */
static struct val approximate(struct sel *s)
{
    struct ins *in = s->in;
    struct val a = sel_reg(s, src(s, 1));
    switch (in->op) {
    case P_RCP: return reciprocal(s, a);
    case P_SQRT: return scaled(s, MUFU_SQRT, a, 0x00800000, 0x4b800000, 0x39800000);
    case P_RSQRT: return scaled(s, MUFU_RSQ, a, 0x00800000, 0x4b800000, 0x45800000);
    case P_SIN: case P_COS: {
        /* Turns are a / 2 pi, with 48 bits of 1 / 2 pi; the whole ones are taken away unrounded. */
        a = sel_reg(s, sel_flush(s, a));
        struct val n = sel_do(s, OP_FRND, sel_do(s, OP_FMUL, a, v_imm(0x3e22f983), VZERO), VZERO,
                              VZERO);
        struct val t = sel_do(s, OP_FFMA, a, v_imm(0x3e22f983), n);
        s->last->i.nc = 1;
        t = sel_do(s, OP_FFMA, a, v_imm(0x31dc9c88), t);
        if (in->op == P_SIN) t = choose(s, a, t, fless(s, a, 0, FCMP_EQ));      /* of -0: -0 */
        return sel_flush(s, mufu(s, in->op == P_SIN ? MUFU_SIN : MUFU_COS, t));
    }
    case P_LG2: {
        if (in->ftz) return mufu(s, MUFU_LG2, sel_flush(s, a));
        int p = fless(s, a, 0x00800000, FCMP_LT);
        struct val x = choose(s, sel_do(s, OP_FMUL, a, v_imm(0x4b800000), VZERO), a, p);
        struct val r = mufu(s, MUFU_LG2, x);
        return choose(s, sel_do(s, OP_FADD, r, v_imm(0xc1c00000), VZERO), r, p);
    }
    case P_EX2: {
        a = sel_flush(s, a);
        if (in->ftz) return sel_flush(s, mufu(s, MUFU_EX2, a));
        int p = sel_ptmp(s);
        struct mins *m = sel_setp(s, OP_FSETP, p, a, v_imm(0xc2fc0000), P_TRUE);    /* -126 */
        m->i.fcmp = FCMP_LT;
        struct val x = choose(s, sel_do(s, OP_FMUL, a, v_imm(0x3f000000), VZERO), a, p);
        struct val r = mufu(s, MUFU_EX2, x);
        return choose(s, sel_do(s, OP_FMUL, r, r, VZERO), r, p);
    }
    default: return mufu(s, MUFU_TANH, a);
    }
}

/* IEEE results in four roundings, from the library. */
static void exact(struct sel *s)
{
    static const char *const names[][4] = {
        { "__hd_div_rn", "__hd_div_rz", "__hd_div_rm", "__hd_div_rp" },
        { "__hd_rcp_rn", "__hd_rcp_rz", "__hd_rcp_rm", "__hd_rcp_rp" },
        { "__hd_sqrt_rn", "__hd_sqrt_rz", "__hd_sqrt_rm", "__hd_sqrt_rp" },
    };
    struct ins *in = s->in;
    const char *const *n = names[in->op == P_DIV ? 0 : in->op == P_RCP ? 1 : 2];
    struct val a = sel_flush(s, sel_reg(s, src(s, 1))), r;
    if (in->op == P_DIV)
        r = sel_lib(s, n[sel_rounding(in->rnd)], 1, 2, a, sel_flush(s, sel_reg(s, src(s, 2))));
    else r = sel_lib(s, n[sel_rounding(in->rnd)], 1, 1, a);
    r = sel_flush(s, r);
    if (in->sat) {
        r = fop(s, OP_FADD, r, v_imm(0x80000000));
        s->last->i.sat = 1;
    }
    sel_put(s, &in->o[0], r);
}

static void min_max(struct sel *s)
{
    struct ins *in = s->in;
    struct val a = src(s, 1), b = src(s, 2);
    if (in->nan || in->xorsign) {
        sel_put(s, &in->o[0], sel_min_max(s, sel_reg(s, a), sel_reg(s, b)));
        return;
    }
    if (a.imm) { struct val t = a; a = b; b = t; }
    sel_op(s, in->op == P_MIN ? OP_FMIN : OP_FMAX, sel_dst(s, &in->o[0]), a, b, VZERO)->i.ftz =
        in->ftz;
}

static void add_mul(struct sel *s)
{
    struct ins *in = s->in;
    struct val a = src(s, 1), b = src(s, 2), d = sel_dst(s, &in->o[0]);
    bool sub = in->op == P_SUB, swap = a.imm && !b.imm;
    struct mins *m;
    if (sub && b.imm) b.k ^= 0x80000000, sub = false;
    if (swap) { struct val t = a; a = b; b = t; }
    m = sel_op(s, in->op == P_MUL ? OP_FMUL : OP_FADD, d, a, b, VZERO);
    modify(s, m);
    if (sub && swap) m->i.na = 1;
    else if (sub) m->i.nb = 1;
}

bool select_float(struct sel *s)
{
    struct ins *in = s->in;
    if (in->type != T_F32) return false;
    struct val a, b, d = in->nops ? sel_dst(s, &in->o[0]) : VZERO;
    switch (in->op) {
    case P_ADD: case P_SUB: case P_MUL: add_mul(s); return true;
    case P_FMA: case P_MAD:
        a = src(s, 1), b = src(s, 2);
        if (a.imm) { struct val t = a; a = b; b = t; }
        modify(s, sel_op(s, OP_FFMA, d, a, b, src(s, 3)));
        return true;
    case P_MIN: case P_MAX: min_max(s); return true;
    case P_ABS: case P_NEG: {         /* an addition of -0, which makes NaNs the one NaN */
        struct mins *m = sel_op(s, OP_FADD, d, sel_reg(s, src(s, 1)), v_imm(0x80000000), VZERO);
        m->i.ftz = in->ftz;
        m->i.aa = in->op == P_ABS, m->i.na = in->op == P_NEG;
        return true;
    }
    case P_COPYSIGN:         /* the sign of a, the rest of b */
        a = sel_do(s, OP_LOP3, src(s, 1), v_imm(0x80000000), src(s, 2));
        s->last->i.lut = 0xe2;
        sel_put(s, &in->o[0], a);
        return true;
    case P_DIV:
        if (!in->approx && !in->full) exact(s);
        else sel_put(s, &in->o[0], div_approx(s));
        return true;
    case P_RCP: case P_SQRT:
        if (!in->approx) exact(s);
        else sel_put(s, &in->o[0], approximate(s));
        return true;
    case P_RSQRT: case P_SIN: case P_COS: case P_LG2: case P_EX2: case P_TANH:
        sel_put(s, &in->o[0], approximate(s));
        return true;
    default: return false;
    }
}

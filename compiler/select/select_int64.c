/* Selection of 64-bit integer operations, on pairs.
 * SPDX-License-Identifier: Apache-2.0 */
#include "compiler/select/minsn.h"

static struct val src(struct sel *s, int k) { return sel_src(s, &s->in->o[k], 2); }

static struct val subtract(struct sel *s, struct val a, struct val b)
{
    struct val d = sel_tmp(s, 2);
    int borrow = sel_ptmp(s);                /* 1 = none, as ISUB.X wants it */
    struct mins *m = sel_op(s, OP_ISUBX, LO(d), LO(a), LO(b), VZERO);
    m->p[PR_D] = borrow;
    m = sel_op(s, OP_ISUBX, HI(d), HI(a), HI(b), VZERO);
    m->p[PR_S] = borrow;
    return d;
}

/* p = a < b. */
static int less(struct sel *s, bool sign, struct val a, struct val b)
{
    int lo = sel_ptmp(s), p = sel_ptmp(s);
    struct mins *m = sel_setp(s, OP_ISETP, lo, LO(a), LO(b), P_TRUE);
    m->i.icmp = ICMP_LT;
    m = sel_setp(s, OP_ISETP, p, HI(a), HI(b), (struct pval){ lo, false });
    m->i.icmp = ICMP_LT, m->i.sg = sign, m->i.bop = BOP_EX;
    return p;
}

static struct val choose(struct sel *s, struct val a, struct val b, struct pval p)
{
    struct val d = sel_tmp(s, 2);
    sel_sel(s, LO(d), LO(a), LO(b), p);
    sel_sel(s, HI(d), HI(a), HI(b), p);
    return d;
}

static int negative(struct sel *s, struct val hi)
{
    int p = sel_ptmp(s);
    struct mins *m = sel_setp(s, OP_ISETP, p, hi, v_imm(0), P_TRUE);
    m->i.icmp = ICMP_LT, m->i.sg = SG_S32;
    return p;
}

static struct val product(struct sel *s, struct val a, struct val b, struct val c)
{
    struct val t = sel_do(s, OP_IMADWU, LO(a), LO(b), c);
    sel_op(s, OP_IMAD, HI(t), LO(a), HI(b), HI(t));
    sel_op(s, OP_IMAD, HI(t), HI(a), LO(b), HI(t));
    return t;
}

/* The high half of 64 x 64 bits: four partial products, each with room for two carried words. */
static struct val product_high(struct sel *s, struct val a, struct val b, bool sign)
{
    a = sel_reg(s, a), b = sel_reg(s, b);
    struct val p0 = sel_do(s, OP_IMADWU, LO(a), LO(b), VZERO);
    struct val p1 = sel_do(s, OP_IMADWU, LO(a), HI(b), sel_pair(s, HI(p0), VZERO));
    struct val p2 = sel_do(s, OP_IMADWU, HI(a), LO(b), sel_pair(s, LO(p1), VZERO));
    struct val t = sel_do(s, OP_IMADWU, HI(a), HI(b), sel_pair(s, HI(p1), VZERO));
    t = sel_do(s, OP_IADDW, t, sel_pair(s, HI(p2), VZERO), VZERO);
    if (!sign) return t;
    struct val zero = { .v = -1, .n = 2 };
    t = subtract(s, t, choose(s, b, zero, (struct pval){ negative(s, HI(a)), false }));
    return subtract(s, t, choose(s, a, zero, (struct pval){ negative(s, HI(b)), false }));
}

/* Shifts by a constant below 64. */
static struct val shift_imm(struct sel *s, enum pop op, bool sign, struct val a, unsigned n)
{
    struct val d = sel_tmp(s, 2), lo = LO(a), hi = HI(a);
    enum hd_op right = sign ? OP_SHRS : OP_SHRU;
    if (op == P_SHL) {
        if (n >= 32) sel_op(s, OP_SHL, HI(d), lo, v_imm(n - 32), VZERO);
        else sel_op(s, OP_SHFLW, HI(d), lo, v_imm(n), hi);
        if (n >= 32) sel_op(s, OP_MOV, LO(d), VZERO, VZERO, VZERO);
        else sel_op(s, OP_SHL, LO(d), lo, v_imm(n), VZERO);
    } else {
        if (n >= 32) sel_op(s, right, LO(d), hi, v_imm(n - 32), VZERO);
        else sel_op(s, OP_SHFRW, LO(d), lo, v_imm(n), hi);
        if (n >= 32 && !sign) sel_op(s, OP_MOV, HI(d), VZERO, VZERO, VZERO);
        else sel_op(s, right, HI(d), hi, v_imm(n >= 32 ? 31 : n), VZERO);
    }
    return d;
}

/* Shifts by a register: amounts above 63 give zeros or signs, as the word shifts do above 31. */
static struct val shift_reg(struct sel *s, enum pop op, bool sign, struct val a, struct val n)
{
    a = sel_reg(s, a);
    struct val d = sel_tmp(s, 2), over = sel_do(s, OP_IADD, n, v_imm((uint32_t)-32), VZERO);
    int far = sel_ptmp(s);
    struct mins *m = sel_setp(s, OP_ISETP, far, n, v_imm(32), P_TRUE);
    m->i.icmp = ICMP_GT;
    struct pval p = { far, false };
    enum hd_op right = sign ? OP_SHRS : OP_SHRU;
    if (op == P_SHL) {
        sel_sel(s, HI(d), sel_do(s, OP_SHL, LO(a), over, VZERO),
                sel_do(s, OP_SHFLC, LO(a), n, HI(a)), p);
        sel_op(s, OP_SHL, LO(d), LO(a), n, VZERO);
    } else {
        sel_sel(s, LO(d), sel_do(s, right, HI(a), over, VZERO),
                sel_do(s, OP_SHFRC, LO(a), n, HI(a)), p);
        sel_op(s, right, HI(d), HI(a), n, VZERO);
    }
    return d;
}

static void shift(struct sel *s)
{
    struct ins *in = s->in;
    struct val a = src(s, 1), n = sel_src(s, &in->o[2], 1);
    bool sign = in->op == P_SHR && type_signed(in->type);
    if (!n.imm) sel_put(s, &in->o[0], shift_reg(s, in->op, sign, a, n));
    else if (n.k > 63 && !sign) sel_put(s, &in->o[0], (struct val){ .v = -1, .n = 2 });
    else sel_put(s, &in->o[0], shift_imm(s, in->op, sign, a, n.k > 63 ? 63 : (unsigned)n.k));
}

static void logic(struct sel *s, enum hd_op op, struct val a, struct val b)
{
    struct val d = sel_dst(s, &s->in->o[0]);
    if (a.imm) { struct val t = a; a = b; b = t; }
    if (d.v < 0) return;
    /* Halves do not meet, so they may be written one after the other. */
    sel_op(s, op, LO(d), LO(a), LO(b), VZERO);
    sel_op(s, op, HI(d), HI(a), HI(b), VZERO);
}

static struct val clz64(struct sel *s, struct val a)
{
    struct val d = sel_tmp(s, 1);
    int p = sel_ptmp(s);
    struct mins *m = sel_setp(s, OP_ISETP, p, HI(a), v_imm(0), P_TRUE);
    m->i.icmp = ICMP_NE;
    struct val lo = sel_do(s, OP_IADD, sel_do(s, OP_CLZ, LO(a), VZERO, VZERO), v_imm(32), VZERO);
    sel_sel(s, d, sel_do(s, OP_CLZ, HI(a), VZERO, VZERO), lo, (struct pval){ p, false });
    return d;
}

static void find(struct sel *s, struct val a, bool sign, bool amount)
{
    struct val d = sel_tmp(s, 1);
    a = sel_reg(s, a);
    if (sign) {
        struct val f = sel_do(s, OP_SHRS, HI(a), v_imm(31), VZERO), x = sel_tmp(s, 2);
        sel_op(s, OP_XOR, LO(x), LO(a), f, VZERO);
        sel_op(s, OP_XOR, HI(x), HI(a), f, VZERO);
        a = x;
    }
    struct val n = clz64(s, a);
    if (!amount) {
        sel_op(s, OP_IRSUB, d, n, v_imm(63), VZERO);
    } else {
        int p = sel_ptmp(s);
        struct mins *m = sel_setp(s, OP_ISETP, p, n, v_imm(64), P_TRUE);
        m->i.icmp = ICMP_EQ;
        sel_sel(s, d, v_imm(0xffffffff), n, (struct pval){ p, false });
    }
    sel_put(s, &s->in->o[0], d);
}

static void add(struct sel *s)
{
    struct val a = src(s, 1), b = src(s, 2), d = sel_dst(s, &s->in->o[0]);
    if (a.imm && !b.imm) { struct val t = a; a = b; b = t; }
    sel_op(s, OP_IADDW, d, a, b, VZERO);
}

static void divide(struct sel *s)
{
    bool sign = type_signed(s->in->type), rem = s->in->op == P_REM;
    const char *name = rem    ? sign ? "__hd_rem_s64" : "__hd_rem_u64"
                       : sign ? "__hd_div_s64"
                              : "__hd_div_u64";
    sel_put(s, &s->in->o[0], sel_lib(s, name, 2, 2, src(s, 1), src(s, 2)));
}

static void multiply(struct sel *s)
{
    struct ins *in = s->in;
    struct val a = src(s, 1), b = src(s, 2), c = in->op == P_MAD ? src(s, 3) : VZERO, d;
    if (a.imm) { struct val t = a; a = b; b = t; }
    if (in->sub != MUL_HI) {
        d = product(s, sel_reg(s, a), b, c);
    } else {
        d = product_high(s, a, b, type_signed(in->type));
        if (in->op == P_MAD) d = sel_do(s, OP_IADDW, d, c, VZERO);
    }
    sel_put(s, &in->o[0], d);
}

static void absolute(struct sel *s)
{
    struct val a = sel_reg(s, src(s, 1)), zero = { .v = -1, .n = 2 };
    struct val n = subtract(s, zero, a);
    sel_put(s, &s->in->o[0], choose(s, n, a, (struct pval){ negative(s, HI(a)), false }));
}

static void not_zero(struct sel *s, struct val a)
{
    struct val d = sel_tmp(s, 2);
    int p = sel_ptmp(s);
    struct mins *m = sel_setp(s, OP_ISETP, p, sel_do(s, OP_OR, LO(a), HI(a), VZERO), v_imm(0),
                              P_TRUE);
    m->i.icmp = ICMP_EQ;
    sel_sel(s, LO(d), v_imm(1), VZERO, (struct pval){ p, false });
    sel_op(s, OP_MOV, HI(d), VZERO, VZERO, VZERO);
    sel_put(s, &s->in->o[0], d);
}

static bool fields(struct sel *s)        /* bfe and bfi are library routines */
{
    struct ins *in = s->in;
    struct val a = src(s, 1), r;
    if (in->op == P_BFI)
        r = sel_lib(s, "__hd_bfi_b64", 2, 4, a, src(s, 2), sel_src(s, &in->o[3], 1),
                    sel_src(s, &in->o[4], 1));
    else
        r = sel_lib(s, type_signed(in->type) ? "__hd_bfe_s64" : "__hd_bfe_u64", 2, 3, a,
                    sel_src(s, &in->o[2], 1), sel_src(s, &in->o[3], 1));
    sel_put(s, &in->o[0], r);
    return true;
}

bool select_int64(struct sel *s)
{
    struct ins *in = s->in;
    struct val a, b;
    if (type_size(in->type) != 8 || in->type == T_F64) return false;
    if (in->cc) return false;
    bool sign = type_signed(in->type);
    switch (in->op) {
    case P_ADD: add(s); return true;
    case P_SUB: sel_put(s, &in->o[0], subtract(s, src(s, 1), src(s, 2))); return true;
    case P_MUL: case P_MAD: multiply(s); return true;
    case P_DIV: case P_REM: divide(s); return true;
    case P_NEG:
        sel_put(s, &in->o[0], subtract(s, (struct val){ .v = -1, .n = 2 }, src(s, 1)));
        return true;
    case P_ABS: absolute(s); return true;
    case P_MIN: case P_MAX:
        a = sel_reg(s, src(s, 1)), b = sel_reg(s, src(s, 2));
        sel_put(s, &in->o[0],
                choose(s, a, b, (struct pval){ less(s, sign, a, b), in->op == P_MAX }));
        return true;
    case P_AND: logic(s, OP_AND, src(s, 1), src(s, 2)); return true;
    case P_OR: logic(s, OP_OR, src(s, 1), src(s, 2)); return true;
    case P_XOR: logic(s, OP_XOR, src(s, 1), src(s, 2)); return true;
    case P_NOT:
        logic(s, OP_XOR, src(s, 1), (struct val){ .v = -1, .n = 2, .imm = true, .k = ~0ull });
        return true;
    case P_CNOT: not_zero(s, src(s, 1)); return true;
    case P_SHL: case P_SHR: shift(s); return true;
    case P_POPC:
        a = src(s, 1);
        b = sel_do(s, OP_POPC, HI(a), VZERO, VZERO);
        sel_put(s, &in->o[0],
                sel_do(s, OP_IADD, sel_do(s, OP_POPC, LO(a), VZERO, VZERO), b, VZERO));
        return true;
    case P_CLZ: sel_put(s, &in->o[0], clz64(s, sel_reg(s, src(s, 1)))); return true;
    case P_BREV:
        a = src(s, 1);
        b = sel_do(s, OP_BREV, HI(a), VZERO, VZERO);
        sel_put(s, &in->o[0], sel_pair(s, b, sel_do(s, OP_BREV, LO(a), VZERO, VZERO)));
        return true;
    case P_BFIND: find(s, src(s, 1), sign, in->sub == BFIND_SHIFTAMT); return true;
    case P_BFE: case P_BFI: return fields(s);
    default: return false;
    }
}

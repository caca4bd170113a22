/* Selection of 32-bit and narrower integer arithmetic, with the carry chains.
 * SPDX-License-Identifier: Apache-2.0 */
#include "compiler/select/minsn.h"

static struct val src(struct sel *s, int k)      /* operand k, extended from the type's width */
{
    return sel_extend(s, sel_src(s, &s->in->o[k], 1), s->in->type);
}
static struct val raw(struct sel *s, int k) { return sel_src(s, &s->in->o[k], 1); }

/* d and the carry pd = a op b with carry in. */
static struct val carry(struct sel *s, enum hd_op op, int pd, struct val a, struct val b,
                        struct pval in)
{
    struct val d = sel_tmp(s, 1);
    struct mins *m = sel_op(s, op, d, a, b, VZERO);
    m->p[PR_D] = pd;
    m->p[PR_S] = in.p;
    m->i.sn = in.neg;
    if (pd >= 0 && !s->mf->regs[pd].temp) sel_guard(s, m);
    return d;
}

/* add.cc, addc, sub.cc, subc, mad.cc, madc: the carry lives in one predicate of the function; of
 * sub.cc it is 1 where nothing is borrowed. */
static bool chain(struct sel *s)
{
    struct ins *in = s->in;
    bool uses = in->op == P_ADDC || in->op == P_SUBC || in->op == P_MADC;
    bool sub = in->op == P_SUB || in->op == P_SUBC, mad = in->op == P_MAD || in->op == P_MADC;
    if (!uses && !in->cc) return false;
    struct pval c = uses ? (struct pval){ in->carry, false } : (struct pval){ -1, !sub };
    enum hd_op op = sub ? OP_ISUBX : OP_IADDX;
    int words = type_size(in->type) == 8 ? 2 : 1;
    struct val a = sel_src(s, &in->o[1], words), b = sel_src(s, &in->o[2], words);
    if (mad && words == 1) {
        bool hi = in->sub == MUL_HI, sign = in->type == T_S32;
        a = sel_do(s, hi ? sign ? OP_IMADHS : OP_IMADHU : OP_IMAD, a, b, VZERO);
        b = raw(s, 3);
    } else if (mad) {
        return false;
    }
    int out = in->cc ? in->carry : -1;
    if (words == 1) {
        sel_put(s, &in->o[0], carry(s, op, out, a, b, c));
        return true;
    }
    int mid = sel_ptmp(s);
    struct val lo = carry(s, op, mid, LO(a), LO(b), c);
    sel_put(s, &in->o[0],
            sel_pair(s, lo, carry(s, op, out, HI(a), HI(b), (struct pval){ mid, false })));
    return true;
}

/* Signed a + b or a - b, held at the ends of the range. */
static struct val saturated(struct sel *s, bool sub, struct val a, struct val b)
{
    a = sel_reg(s, a), b = sel_reg(s, b);
    struct val t = sel_do(s, sub ? OP_ISUB : OP_IADD, a, b, VZERO), d = sel_tmp(s, 1);
    struct val over = sel_do(s, OP_LOP3, a, b, t);
    s->last->i.lut = sub ? 0x18 : 0x42;     /* (a^b) & (a^t), (a^t) & (b^t): its sign is overflow */
    int p = sel_ptmp(s);
    struct mins *m = sel_setp(s, OP_ISETP, p, over, v_imm(0), P_TRUE);
    m->i.icmp = ICMP_LT, m->i.sg = SG_S32;
    struct val end = sel_do(s, OP_XOR, sel_do(s, OP_SHRS, a, v_imm(31), VZERO), v_imm(0x7fffffff),
                            VZERO);
    sel_sel(s, d, end, t, (struct pval){ p, false });
    return d;
}

static bool add_sub(struct sel *s)
{
    struct ins *in = s->in;
    struct val a = raw(s, 1), b = raw(s, 2), d = sel_dst(s, &in->o[0]);
    if (in->sat) {
        sel_put(s, &in->o[0], saturated(s, in->op == P_SUB, a, b));
    } else if (in->op == P_ADD) {
        if (a.imm && !b.imm) sel_op(s, OP_IADD, d, b, a, VZERO);
        else sel_op(s, OP_IADD, d, a, b, VZERO);
    } else if (a.imm && !b.imm) {
        sel_op(s, OP_IRSUB, d, b, a, VZERO);
    } else {
        sel_op(s, OP_ISUB, d, a, b, VZERO);
    }
    return true;
}

/* A 24-bit operand. */
static struct val low24(struct sel *s, struct val a, bool sign)
{
    if (!sign) return sel_do(s, OP_AND, a, v_imm(0xffffff), VZERO);
    return sel_do(s, OP_SHRS, sel_do(s, OP_SHL, a, v_imm(8), VZERO), v_imm(8), VZERO);
}

static bool multiply(struct sel *s)
{
    struct ins *in = s->in;
    bool sign = type_signed(in->type), narrow = type_size(in->type) < 4;
    bool mad = in->op == P_MAD || in->op == P_MAD24, m24 = in->op == P_MUL24 || in->op == P_MAD24;
    struct val a = raw(s, 1), b = raw(s, 2), d = sel_dst(s, &in->o[0]);
    if (a.imm && !b.imm) { struct val t = a; a = b; b = t; }
    if (m24) {
        a = low24(s, a, sign), b = low24(s, b, sign);
        if (in->sub == MUL_HI) {         /* bits 16 to 47 of the product */
            struct val w = sel_do(s, sign ? OP_IMADWS : OP_IMADWU, a, b, VZERO);
            struct val h = sel_do(s, OP_SHFRW, LO(w), v_imm(16), HI(w));
            if (mad && in->sat) h = saturated(s, false, h, raw(s, 3));
            else if (mad) h = sel_do(s, OP_IADD, h, raw(s, 3), VZERO);
            sel_put(s, &in->o[0], h);
            return true;
        }
    }
    if (in->sub == MUL_WIDE && !narrow) {
        struct val c = mad ? sel_src(s, &in->o[3], 2) : VZERO;
        sel_op(s, sign ? OP_IMADWS : OP_IMADWU, d, a, b, c);
        return true;
    }
    if (narrow && in->sub != MUL_LO) {
        a = sel_extend(s, a, in->type), b = sel_extend(s, b, in->type);
        struct val c = mad && in->sub == MUL_WIDE ? raw(s, 3) : VZERO;
        if (in->sub == MUL_WIDE) {
            sel_op(s, OP_IMAD, d, a, b, c);
            return true;
        }
        struct val h = sel_do(s, OP_SHRU, sel_do(s, OP_IMAD, a, b, VZERO), v_imm(16), VZERO);
        sel_put(s, &in->o[0], mad ? sel_do(s, OP_IADD, h, raw(s, 3), VZERO) : h);
        return true;
    }
    enum hd_op op = in->sub != MUL_HI ? OP_IMAD : sign ? OP_IMADHS : OP_IMADHU;
    if (in->sat) sel_put(s, &in->o[0], saturated(s, false, sel_do(s, op, a, b, VZERO), raw(s, 3)));
    else sel_op(s, op, d, a, b, mad ? raw(s, 3) : VZERO);
    return true;
}

static bool divide(struct sel *s)
{
    bool sign = type_signed(s->in->type), rem = s->in->op == P_REM;
    const char *name = rem    ? sign ? "__hd_rem_s32" : "__hd_rem_u32"
                       : sign ? "__hd_div_s32"
                              : "__hd_div_u32";
    sel_put(s, &s->in->o[0], sel_lib(s, name, 1, 2, src(s, 1), src(s, 2)));
    return true;
}

static struct val extreme(struct sel *s, bool max, bool sign, struct val a, struct val b)
{
    if (a.imm) { struct val t = a; a = b; b = t; }
    return sel_do(s, max ? sign ? OP_IMAXS : OP_IMAXU : sign ? OP_IMINS : OP_IMINU, a, b, VZERO);
}

bool select_int(struct sel *s)
{
    struct ins *in = s->in;
    if (in->type == T_PRED || type_float(in->type)) return false;
    if (chain(s)) return true;
    if (type_size(in->type) == 8) return false;
    bool sign = type_signed(in->type);
    struct val a, b, d = in->nops ? sel_dst(s, &in->o[0]) : VZERO;
    switch (in->op) {
    case P_ADD: case P_SUB: return add_sub(s);
    case P_MUL: case P_MAD: case P_MUL24: case P_MAD24: return multiply(s);
    case P_DIV: case P_REM: return divide(s);
    case P_SAD:
        a = src(s, 1), b = src(s, 2);
        a = sel_do(s, OP_ISUB, extreme(s, true, sign, a, b), extreme(s, false, sign, a, b), VZERO);
        sel_op(s, OP_IADD, d, a, raw(s, 3), VZERO);
        return true;
    case P_ABS: sel_op(s, OP_IABS, d, src(s, 1), VZERO, VZERO); return true;
    case P_NEG: sel_op(s, OP_IRSUB, d, raw(s, 1), v_imm(0), VZERO); return true;
    case P_MIN: case P_MAX:
        sel_put(s, &in->o[0], extreme(s, in->op == P_MAX, sign, src(s, 1), src(s, 2)));
        return true;
    default: return false;
    }
}

/* Selection of comparisons, selections and operations on predicates.
 * SPDX-License-Identifier: Apache-2.0 */
#include "compiler/select/minsn.h"

static int int_cmp(enum cmpop c, bool *sign)
{
    switch (c) {
    case CMP_EQ: return ICMP_EQ;
    case CMP_NE: return ICMP_NE;
    case CMP_LT: return ICMP_LT;
    case CMP_LE: return ICMP_LE;
    case CMP_GT: return ICMP_GT;
    case CMP_GE: return ICMP_GE;
    case CMP_LO: *sign = false; return ICMP_LT;
    case CMP_LS: *sign = false; return ICMP_LE;
    case CMP_HI: *sign = false; return ICMP_GT;
    case CMP_HS: *sign = false; return ICMP_GE;
    default: return -1;
    }
}

int sel_float_cmp(enum cmpop c)
{
    switch (c) {
    case CMP_EQ: return FCMP_EQ;
    case CMP_NE: return FCMP_NE;
    case CMP_LT: case CMP_LO: return FCMP_LT;
    case CMP_LE: case CMP_LS: return FCMP_LE;
    case CMP_GT: case CMP_HI: return FCMP_GT;
    case CMP_GE: case CMP_HS: return FCMP_GE;
    case CMP_NUM: return FCMP_NUM;
    case CMP_NAN: return FCMP_NAN;
    case CMP_EQU: return FCMP_EQU;
    case CMP_NEU: return FCMP_NEU;
    case CMP_LTU: return FCMP_LTU;
    case CMP_LEU: return FCMP_LEU;
    case CMP_GTU: return FCMP_GTU;
    case CMP_GEU: return FCMP_GEU;
    default: return -1;
    }
}

uint8_t icmp_mirrored(uint8_t icmp)
{
    static const uint8_t m[] = { [ICMP_EQ] = ICMP_EQ, [ICMP_NE] = ICMP_NE, [ICMP_LT] = ICMP_GT,
                             [ICMP_LE] = ICMP_GE, [ICMP_GT] = ICMP_LT, [ICMP_GE] = ICMP_LE };
    return m[icmp];
}

/* pd = o1 cmp o2, combined with ps by bop (BOP_*). */
static void compare(struct sel *s, enum ptype t, int pd, struct pval ps, int bop)
{
    struct ins *in = s->in;
    struct mins *m;
    bool sign = type_signed(t);
    if (type_float(t)) {
        int c = sel_float_cmp(in->cmp);
        if (t == T_F64 && c >= 0) {
            sel_compare_f64(s, pd, ps, bop);
            return;
        }
        if ((t == T_F16 || t == T_BF16) && c >= 0) {
            sel_compare_half(s, t, 0, pd, ps, bop);
            return;
        }
        if (t != T_F32 || c < 0) {
            sel_unsupported(s);
            return;
        }
        m = sel_setp(s, OP_FSETP, pd, sel_src(s, &in->o[1], 1), sel_src(s, &in->o[2], 1), ps);
        m->i.fcmp = (uint8_t)c, m->i.ftz = in->ftz, m->i.fbop = (uint8_t)bop;
        return;
    }
    int c = int_cmp(in->cmp, &sign), words = type_size(t) == 8 ? 2 : 1;
    if (c < 0) {
        sel_unsupported(s);
        return;
    }
    struct val a = sel_src(s, &in->o[1], words), b = sel_src(s, &in->o[2], words);
    if (a.imm && !b.imm) {
        struct val x = a;
        a = b, b = x, c = icmp_mirrored((uint8_t)c);
    }
    if (words == 1) {
        m = sel_setp(s, OP_ISETP, pd, sel_extend(s, a, t), sel_extend(s, b, t), ps);
        m->i.icmp = (uint8_t)c, m->i.sg = sign, m->i.bop = (uint8_t)bop;
        return;
    }
    int lo = sel_ptmp(s), hi = ps.p < 0 && !ps.neg ? pd : sel_ptmp(s);
    m = sel_setp(s, OP_ISETP, lo, LO(a), LO(b), P_TRUE);
    m->i.icmp = (uint8_t)c;
    m = sel_setp(s, OP_ISETP, hi, HI(a), HI(b), (struct pval){ lo, false });
    m->i.icmp = (uint8_t)c, m->i.sg = sign, m->i.bop = BOP_EX;
    static const int lut[] = { [BOP_AND] = 8, [BOP_OR] = 0xe, [BOP_XOR] = 6 };
    if (hi != pd) sel_plop(s, pd, ps, hi, lut[bop]);
}

static const int plop_of[] = { [BOOL_NONE] = 0xa, [BOOL_AND] = 8, [BOOL_OR] = 0xe, [BOOL_XOR] = 6 };
/* As plop_of, with the second predicate negated. */
static const int plop_not[] = { [BOOL_NONE] = 5, [BOOL_AND] = 4, [BOOL_OR] = 0xd, [BOOL_XOR] = 9 };

void sel_put_preds(struct sel *s, int p, int a, int q, int b)
{
    bool last = p >= 0 && p == s->in->guard;     /* the guard of the other write, so it goes last */
    if (p >= 0 && !last) sel_plop(s, p, (struct pval){ a, false }, -1, 0xc);
    if (q >= 0) sel_plop(s, q, (struct pval){ b, false }, -1, 0xc);
    if (last) sel_plop(s, p, (struct pval){ a, false }, -1, 0xc);
}

static void setp(struct sel *s)
{
    struct ins *in = s->in;
    struct pval c = in->sub != BOOL_NONE ? sel_pred(s, &in->o[3]) : P_TRUE;
    int p = in->o[0].kind == O_REG ? in->o[0].reg : -1, q = in->o[0].reg2;
    if (q < 0 && p >= 0) {
        compare(s, in->type, p, c, in->sub == BOOL_NONE ? BOP_AND : in->sub - BOOL_AND + BOP_AND);
        return;
    }
    /* Both results, and perhaps c is one of them: compare once, then combine twice. */
    int t = sel_ptmp(s), a = sel_ptmp(s), b = sel_ptmp(s);
    compare(s, in->type, t, P_TRUE, BOP_AND);
    sel_plop(s, a, c, t, plop_of[in->sub]);
    sel_plop(s, b, c, t, plop_not[in->sub]);
    sel_put_preds(s, p, a, q, b);
}

static void set(struct sel *s)
{
    struct ins *in = s->in;
    struct pval c = in->sub != BOOL_NONE ? sel_pred(s, &in->o[3]) : P_TRUE;
    int p = sel_ptmp(s);
    compare(s, in->stype, p, c, in->sub == BOOL_NONE ? BOP_AND : in->sub - BOOL_AND + BOP_AND);
    struct val yes = v_imm(in->type == T_F32    ? 0x3f800000
                           : in->type == T_F16  ? 0x3c00
                           : in->type == T_BF16 ? 0x3f80
                                                : 0xffffffff);
    struct val d = sel_tmp(s, 1);
    sel_sel(s, d, yes, VZERO, (struct pval){ p, false });
    sel_put(s, &in->o[0], d);
}

static void selp(struct sel *s)
{
    struct ins *in = s->in;
    int words = type_size(in->type) == 8 ? 2 : 1;
    struct val a = sel_src(s, &in->o[1], words), b = sel_src(s, &in->o[2], words),
               d = sel_dst(s, &in->o[0]);
    struct pval p = sel_pred(s, &in->o[3]);
    for (int k = 0; k < words && d.v >= 0; k++)
        sel_sel(s, v_word(d, k), v_word(a, k), v_word(b, k), p);
}

static void slct(struct sel *s)
{
    struct ins *in = s->in;
    int words = type_size(in->type) == 8 ? 2 : 1, p = sel_ptmp(s);
    struct val a = sel_src(s, &in->o[1], words), b = sel_src(s, &in->o[2], words),
               d = sel_tmp(s, words);
    struct mins *m;
    if (in->stype == T_F32) {
        m = sel_setp(s, OP_FSETP, p, sel_src(s, &in->o[3], 1), v_imm(0), P_TRUE);
        m->i.fcmp = FCMP_GE, m->i.ftz = in->ftz;
    } else {
        m = sel_setp(s, OP_ISETP, p, sel_src(s, &in->o[3], 1), v_imm(0), P_TRUE);
        m->i.icmp = ICMP_GE, m->i.sg = SG_S32;
    }
    for (int k = 0; k < words; k++)
        sel_sel(s, v_word(d, k), v_word(a, k), v_word(b, k), (struct pval){ p, false });
    sel_put(s, &in->o[0], d);
}

/* Classes of f32, as ranges of the magnitude: base <= |x| <= base + count, unsigned. */
static void testp(struct sel *s)
{
    static const struct { uint32_t base, count; bool out; } k[] = {
        [TP_FINITE] = { 0, 0x7f7fffff, false }, [TP_INFINITE] = { 0x7f800000, 0, false },
        [TP_NUMBER] = { 0, 0x7f800000, false }, [TP_NOTANUMBER] = { 0, 0x7f800000, true },
        [TP_NORMAL] = { 1, 0x007ffffe, true }, [TP_SUBNORMAL] = { 1, 0x007ffffe, false },
    };
    struct ins *in = s->in;
    struct val x = sel_do(s, OP_AND, sel_src(s, &in->o[1], 1), v_imm(0x7fffffff), VZERO);
    struct pval also = P_TRUE;
    if (in->sub == TP_NORMAL) {          /* zero counts as normal: finite and not subnormal */
        also.p = sel_ptmp(s);
        struct mins *f = sel_setp(s, OP_ISETP, also.p, x, v_imm(k[TP_FINITE].count), P_TRUE);
        f->i.icmp = ICMP_LE;
    }
    if (k[in->sub].base) x = sel_do(s, OP_ISUB, x, v_imm(k[in->sub].base), VZERO);
    struct mins *m = sel_setp(s, OP_ISETP, in->o[0].reg, x, v_imm(k[in->sub].count), also);
    m->i.icmp = k[in->sub].out ? ICMP_GT : ICMP_LE;
}

/* Predicates: mov, not, and, or, xor. */
static bool predicates(struct sel *s)
{
    struct ins *in = s->in;
    int d = in->o[0].kind == O_REG ? in->o[0].reg : -1;
    if (in->op == P_MOV || in->op == P_NOT) {
        struct pval a = sel_pred(s, &in->o[1]);
        sel_plop(s, d, a, -1, in->op == P_NOT ? 3 : 0xc);
        return true;
    }
    if (in->op != P_AND && in->op != P_OR && in->op != P_XOR) return false;
    struct pval a = sel_pred(s, &in->o[1]), b = sel_pred(s, &in->o[2]);
    int lut = in->op == P_AND ? 8 : in->op == P_OR ? 0xe : 6;
    if (b.neg) lut = (lut & 5) << 1 | (lut & 10) >> 1;
    sel_plop(s, d, a, b.p, lut);
    return true;
}

bool select_cmp(struct sel *s)
{
    struct ins *in = s->in;
    if (in->op == P_TESTP && in->o[0].kind == O_REG) { testp(s); return true; }
    if (in->op == P_SETP) { setp(s); return true; }
    if (in->op == P_SET) { set(s); return true; }
    if (in->op == P_SELP) { selp(s); return true; }
    if (in->op == P_SLCT) { slct(s); return true; }
    return in->type == T_PRED && predicates(s);
}

/* Selection of conversions and moves.
 * SPDX-License-Identifier: Apache-2.0 */
#include "compiler/select/minsn.h"

static bool is_int(enum ptype t) { return t != T_PRED && !type_float(t); }

struct val sel_clamp32(struct sel *s, struct val v, enum ptype from, enum ptype to)
{
    int bits = 8 * type_size(to);
    bool sf = type_signed(from), st = type_signed(to);
    uint32_t max = (uint32_t)((UINT64_C(1) << (st ? bits - 1 : bits)) - 1), min = ~max;
    if (!sf) return max == 0xffffffff ? v : sel_do(s, OP_IMINU, v, v_imm(max), VZERO);
    if (!st) v = sel_do(s, OP_IMAXS, v, VZERO, VZERO);
    if (!st && bits == 32) return v;
    v = sel_do(s, OP_IMINS, v, v_imm(max), VZERO);
    return st ? sel_do(s, OP_IMAXS, v, v_imm(min), VZERO) : v;
}

/* A 64-bit value held to what 32 bits of `to` hold (narrower: then clamp32 goes on). */
static struct val clamp64(struct sel *s, struct val v, enum ptype from, enum ptype to)
{
    bool sf = type_signed(from), st = type_signed(to);
    struct val fits = sel_tmp(s, 1);
    int p = sel_ptmp(s);
    v = sel_reg(s, v);
    if (sf && st) {          /* the upper word repeats the sign */
        struct val sign = sel_do(s, OP_SHRS, HI(v), v_imm(31), VZERO);
        struct mins *m = sel_setp(s, OP_ISETP, p, sel_do(s, OP_SHRS, LO(v), v_imm(31), VZERO),
                                  HI(v), P_TRUE);
        m->i.icmp = ICMP_EQ;
        sel_sel(s, fits, LO(v), sel_do(s, OP_XOR, sign, v_imm(0x7fffffff), VZERO),
                (struct pval){ p, false });
        return fits;
    }
    struct mins *m = sel_setp(s, OP_ISETP, p, HI(v), VZERO, P_TRUE);
    m->i.icmp = ICMP_EQ;
    struct val end = v_imm(0xffffffff), x = LO(v);
    if (sf)
        end = sel_do(s, OP_XOR, sel_do(s, OP_SHRS, HI(v), v_imm(31), VZERO), v_imm(0xffffffff),
                     VZERO);
    sel_sel(s, fits, x, end, (struct pval){ p, false });
    return st ? sel_do(s, OP_IMINU, fits, v_imm(0x7fffffff), VZERO) : fits;
}

static void int_to_int(struct sel *s)
{
    struct ins *in = s->in;
    int ds = type_size(in->type), ss = type_size(in->stype);
    bool dsign = type_signed(in->type), ssign = type_signed(in->stype);
    struct val v;
    if (ss == 8) {
        v = sel_src(s, &in->o[1], 2);
        if (ds == 8) {
            if (in->sat && ssign != dsign) {
                int p = sel_ptmp(s);
                v = sel_reg(s, v);
                struct mins *m = sel_setp(s, OP_ISETP, p, HI(v), v_imm(0), P_TRUE);
                m->i.icmp = ICMP_LT, m->i.sg = SG_S32;
                struct val t = sel_tmp(s, 2);
                sel_sel(s, LO(t), v_imm(ssign ? 0 : 0xffffffff), LO(v), (struct pval){ p, false });
                sel_sel(s, HI(t), v_imm(ssign ? 0 : 0x7fffffff), HI(v), (struct pval){ p, false });
                v = t;
            }
            sel_put(s, &in->o[0], v);
            return;
        }
        if (in->sat) {
            enum ptype mid = dsign ? T_S32 : T_U32;
            v = clamp64(s, v, in->stype, mid);
            if (ds < 4) v = sel_clamp32(s, v, mid, in->type);
        } else {
            v = LO(v);
        }
    } else {
        v = sel_extend(s, sel_src(s, &in->o[1], 1), in->stype);
        if (in->sat && (ds < ss || (ds == ss && ssign != dsign) || (ssign && !dsign))) {
            v = sel_clamp32(s, v, ssign ? T_S32 : T_U32,
                            ds == 8 ? (dsign ? T_S32 : T_U32) : in->type);
            ssign = ssign && dsign;
        }
    }
    struct val d = sel_dst(s, &in->o[0]);
    if (ds < 4 && (d.v < 0 || s->f->regs[in->o[0].reg].type != in->type))
        v = sel_extend(s, v, in->type);
    if (d.n == 2 && v.n == 1) v = sel_widen(s, v, ds == 8 ? ssign : dsign);
    sel_put(s, &in->o[0], v);
}

static void float_to_int(struct sel *s)
{
    struct ins *in = s->in;
    bool sign = type_signed(in->type);
    struct val a = sel_src(s, &in->o[1], 1), r;
    if (in->stype == T_F16) a = sel_do(s, OP_H2F, a, VZERO, VZERO);
    enum hd_op op = type_size(in->type) == 8 ? sign ? OP_F2LS : OP_F2LU : sign ? OP_F2IS : OP_F2IU;
    r = sel_do(s, op, a, VZERO, VZERO);
    s->last->i.rm = sel_rounding(in->rnd);
    s->last->i.ftz = in->ftz;
    if (type_size(in->type) < 4) r = sel_clamp32(s, r, sign ? T_S32 : T_U32, in->type);
    if (sel_dst(s, &in->o[0]).n == 2 && r.n == 1) r = sel_widen(s, r, sign);
    sel_put(s, &in->o[0], r);
}

static void int_to_float(struct sel *s)
{
    struct ins *in = s->in;
    bool sign = type_signed(in->stype), wide = type_size(in->stype) == 8;
    struct val a = sel_src(s, &in->o[1], wide ? 2 : 1), r;
    if (!wide) a = sel_extend(s, a, in->stype);
    r = sel_do(s,
               wide   ? sign ? OP_L2FS : OP_L2FU
               : sign ? OP_I2FS
                      : OP_I2FU,
               sel_reg(s, a), VZERO, VZERO);
    s->last->i.rm = sel_rounding(in->rnd);
    if (in->sat) {
        r = sel_do(s, OP_FADD, r, v_imm(0x80000000), VZERO);
        s->last->i.sat = 1;
    }
    /* f32 has every integer that f16 reaches, and two roundings in one direction are one */
    if (in->type == T_F16) {
        r = sel_do(s, OP_F2H, r, VZERO, VZERO);
        s->last->i.rm = sel_rounding(in->rnd);
    }
    sel_put(s, &in->o[0], r);
}

static void float_to_float(struct sel *s)
{
    struct ins *in = s->in;
    struct val a = sel_reg(s, sel_src(s, &in->o[1], 1)), r = a;
    if (in->stype == T_F16) r = sel_do(s, OP_H2F, a, VZERO, VZERO);
    bool integral = in->rnd >= RND_NI;
    if (integral) {
        r = sel_do(s, OP_FRND, r, VZERO, VZERO);
        s->last->i.rm = sel_rounding(in->rnd);
        s->last->i.ftz = in->ftz;
    }
    if (in->sat || (in->ftz && !integral) ||
        (in->stype == T_F32 && in->type == T_F32 && !integral)) {
        r = sel_do(s, OP_FADD, r, v_imm(0x80000000), VZERO);     /* -0 changes no number */
        s->last->i.sat = in->sat, s->last->i.ftz = in->ftz;
    }
    if (in->type == T_F16) {
        r = sel_do(s, OP_F2H, r, VZERO, VZERO);
        s->last->i.rm = sel_rounding(in->rnd);
    }
    sel_put(s, &in->o[0], r);
}

/* mov.b64 {lo, hi} and the like: pieces of a word or a pair. */
static void unpack(struct sel *s)
{
    struct ins *in = s->in;
    struct opd *vec = in->o[0].vec;
    int n = in->o[0].nvec, bits = 8 * type_size(in->type) / n;
    struct val a = sel_reg(s, sel_src(s, &in->o[1], type_size(in->type) == 8 ? 2 : 1)), t[4];
    for (int k = 0; k < n; k++) {
        struct val w = v_word(a, k * bits / 32);
        t[k] = bits >= 32 || k * bits % 32 == 0
                   ? w
                   : sel_do(s, OP_SHRU, w, v_imm((unsigned)(k * bits % 32)), VZERO);
        if (k + 1 < n) {     /* the source may be a destination too */
            struct val c = sel_tmp(s, 1);
            sel_move(s, c, t[k]);
            t[k] = c;
        }
    }
    for (int k = 0; k < n; k++) sel_put(s, &vec[k], t[k]);
}

static void pack(struct sel *s)
{
    struct ins *in = s->in;
    struct opd *vec = in->o[1].vec;
    int n = in->o[1].nvec, bits = 8 * type_size(in->type) / n;
    struct val t[4], d = sel_tmp(s, type_size(in->type) == 8 ? 2 : 1);
    for (int k = 0; k < n; k++) t[k] = sel_src(s, &vec[k], 1);
    for (int w = 0; w < d.n; w++) {
        struct val *p = &t[w * 32 / bits];
        struct val dw = v_word(d, w);
        if (bits == 32) {
            sel_op(s, OP_MOV, dw, VZERO, p[0], VZERO);
        } else if (bits == 16) {
            sel_op(s, OP_PRMT, dw, p[0], v_imm(0x5410), p[1]);
        } else {
            struct val a = sel_do(s, OP_PRMT, p[0], v_imm(0x40), p[1]),
                       b = sel_do(s, OP_PRMT, p[2], v_imm(0x40), p[3]);
            sel_op(s, OP_PRMT, dw, a, v_imm(0x5410), b);
        }
    }
    sel_put(s, &in->o[0], d);
}

static void move(struct sel *s)
{
    struct ins *in = s->in;
    struct val d;
    if (in->o[0].kind == O_VEC) { unpack(s); return; }
    if (in->o[1].kind == O_VEC) { pack(s); return; }
    d = sel_dst(s, &in->o[0]);
    sel_put(s, &in->o[0], sel_src(s, &in->o[1], d.n));
}

bool select_conv(struct sel *s)
{
    struct ins *in = s->in;
    if (in->op == P_MOV && in->type != T_PRED) { move(s); return true; }
    if (in->op != P_CVT) return false;
    if (is_int(in->type) && is_int(in->stype)) int_to_int(s);
    else if (is_int(in->type)) float_to_int(s);
    else if (is_int(in->stype)) int_to_float(s);
    else float_to_float(s);
    return true;
}

/* The PTX parser: an instruction's name and modifiers, by the table in parse_table.c.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "compiler/ptx/parse_ins.h"

static int sub_index(const char *subs, const char *name, int len)
{
    for (int k = 0; *subs; k++) {
        const char *end = strchrnul(subs, ' ');
        if (end - subs == len && !memcmp(subs, name, (size_t)len)) return k;
        subs = *end ? end + 1 : end;
    }
    return -1;
}

static bool take_sub(const struct opinfo *op, struct ins *i, const struct atom *a, bool *have_sub)
{
    int k = sub_index(op->subs, a->name, a->len);
    if (k < 0) return false;
    if (op->op == P_CVTA) i->to_generic = false;
    else if (op->op == P_SHF) i->sub |= k == 1 ? SHF_R : k == 3 ? SHF_CLAMP : 0;
    else i->sub = k;
    *have_sub = true;
    return true;
}

static void take_flag(struct ins *i, unsigned flag)
{
    switch (flag) {
    case M_FTZ: i->ftz = true; break;
    case M_SAT: i->sat = true; break;
    case M_APPROX: i->approx = true; break;
    case M_FULL: i->full = true; break;
    case M_CC: i->cc = true; break;
    case M_VOL: i->vol = true; break;
    case M_UNI: i->uni = true; break;
    case M_SYNC: i->sync = true; break;
    case M_NC: i->nc = true; break;
    case M_RELU: i->relu = true; break;
    case M_NAN: i->nan = true; break;
    case M_XORSIGN: i->xorsign = true; break;
    case M_MAGNITUDE: i->magnitude = true; break;
    case M_NOFTZ: i->noftz = true; break;
    case M_HINT: i->hint = true; break;
    default: break;
    }
}

/* One word after a dot; false: this instruction has no such modifier. */
static bool take_mod(const struct opinfo *op, struct ins *i, const struct atom *a, int *ntypes,
                     bool *have_sub)
{
    static const unsigned needs[] = { [MC_SPACE] = M_SPACE, [MC_RND] = M_RND, [MC_CMP] = M_CMP,
                                      [MC_VEC] = M_VEC, [MC_CACHE] = M_CACHE };
    const struct modinfo *m = a->mod;
    if (!strcmp(a->name, "b128") && op->mods & M_VEC && !*ntypes) {    /* two words of 64 bits */
        i->type = T_B64, i->vecn = 2, *ntypes = 1;
        return true;
    }
    if (!(m && m->cls == MC_TYPE) && take_sub(op, i, a, have_sub)) return true;
    if (!m) return false;
    if (m->cls == MC_FLAG) {
        if (!(op->mods & m->value)) return false;
        take_flag(i, m->value);
        return true;
    }
    if (m->cls == MC_TYPE) {
        if (*ntypes == (op->mods & M_TWO ? 2 : 1) || !op->types) return false;
        if ((*ntypes)++) i->stype = (enum ptype)m->value; else i->type = (enum ptype)m->value;
        return true;
    }
    if (!(op->mods & needs[m->cls])) return false;
    switch (m->cls) {
    case MC_SPACE: i->space = (enum pspace)m->value; break;
    case MC_RND: i->rnd = (enum rnd)m->value; break;
    case MC_CMP: i->cmp = (enum cmpop)m->value; break;
    case MC_VEC: i->vecn = (int)m->value; break;
    case MC_CACHE:
        if (m->value == 1) i->vol = true;
        else if (m->value) i->fresh = true;
        break;
    default: break;
    }
    return true;
}

/* Only conversions, and approximations of which there are two, flush or saturate f64. */
static void check_f64(struct parser *p, const struct ins *i, const char *name)
{
    bool own = i->op == P_CVT || i->op == P_RCP || i->op == P_RSQRT || i->op == P_SLCT;
    if (i->type != T_F64 && i->stype != T_F64) return;
    if (!own && (i->ftz || i->sat || i->approx || i->full))
        parse_fail(p, p->ins_loc, "%s of f64 has none of .ftz, .sat, .approx, .full", name);
    if (i->op == P_RCP && i->approx != i->ftz)
        parse_fail(p, p->ins_loc, "rcp of f64 is .approx.ftz or has a rounding");
}

static void check_mods(struct parser *p, const struct opinfo *op, struct ins *i, int ntypes,
                       bool have_sub)
{
    const char *name = op->name;
    bool flt = type_float(i->type), two = op->mods & M_TWO;
    if (op->types && ntypes != (two ? 2 : 1))
        parse_fail(p, p->ins_loc, "%s needs %s", name, two ? "two types" : "a type");
    if (op->types && !(op->types & 1u << i->type)) {
        if (i->type == T_F16) parse_ins_unsupported(p);
        parse_fail(p, p->ins_loc, "%s has no such type", name);
    }
    if ((op->mods & M_CMP) && i->cmp == CMP_NONE)
        parse_fail(p, p->ins_loc, "%s needs a comparison", name);
    /* f32 multiplies have no .lo; every other operation with names needs one of them. */
    bool sub_optional = op->subs[0] == '-' || !op->subs[0] || flt || i->op == P_PREFETCH;
    if (!sub_optional && !have_sub)
        parse_fail(p, p->ins_loc, "%s needs one of: %s", name, op->subs);
    if (flt && have_sub && (i->op == P_MUL || i->op == P_MAD))
        parse_fail(p, p->ins_loc, "%s of floats has no .lo", name);
    if (!flt && (i->rnd || i->ftz) && i->op != P_CVT && i->op != P_SET && i->op != P_SLCT)
        parse_fail(p, p->ins_loc, "%s of integers does not round", name);
    check_f64(p, i, name);
    check_half(p, i, name);
    if (flt && i->cc) parse_fail(p, p->ins_loc, "%s of floats has no carry", name);
    if (i->cc || i->op == P_ADDC || i->op == P_SUBC || i->op == P_MADC) {
        if (p->fn->carry < 0) p->fn->carry = reg_new(p->fn, T_PRED);
        i->carry = p->fn->carry;
    }
    i->hi = (i->op == P_MUL || i->op == P_MAD || i->op == P_MADC) && i->sub == MUL_HI;
    i->wide = (i->op == P_MUL || i->op == P_MAD) && i->sub == MUL_WIDE;
    if (i->wide && type_size(i->type) == 8)
        parse_fail(p, p->ins_loc, "there is no 128-bit product");
    if (i->op == P_BARRED && (i->type == T_PRED) == (i->sub == BR_POPC))
        parse_fail(p, p->ins_loc, "bar.red is .popc.u32, .and.pred or .or.pred");
    if (i->op == P_REDUX && (i->type == T_B32) != (i->sub >= AT_AND))
        parse_fail(p, p->ins_loc, "redux is .add, .min or .max of integers, else of .b32");
    if (i->op == P_VOTE && (i->type == T_PRED) == (i->sub == PV_BALLOT))
        parse_fail(p, p->ins_loc, "this vote has another type");
    if (i->op == P_ATOM || i->op == P_LD || i->op == P_ST || i->op == P_RED || i->op == P_LDU ||
        i->op == P_PREFETCH)
        if (i->space == SP_NONE) i->space = SP_GENERIC;
    if ((i->op == P_CVTA || i->op == P_ISSPACEP) && i->space == SP_NONE)
        parse_fail(p, p->ins_loc, "%s needs a state space", name);
    if (i->op == P_CVTA && !have_sub) i->to_generic = true;
    if ((i->op == P_ATOM || i->op == P_RED) && flt && i->sub != AT_ADD && i->sub != AT_EXCH)
        parse_ins_unsupported(p);
    if (i->vecn == 0) i->vecn = 1;
    if (i->op == P_BAR && !have_sub && !op->subs[0]) i->sub = BAR_ALIGNED;   /* bar, not barrier */
    if (i->op == P_MEMBAR || i->op == P_FENCE) i->sub = have_sub ? i->sub : MB_SYS;
}

const struct opinfo *parse_mnemonic(struct parser *p, struct ins **out)
{
    struct atom *a = parse_name(p, "an instruction");
    const struct opinfo *op = a->op;
    if (!op) {
        if (op_unsupported(a->name)) parse_ins_unsupported(p);
        parse_fail(p, p->ins_loc, "there is no instruction %s", a->name);
    }
    if (op->op == P_BAR && parse_is_dot(p, "warp")) {
        op = &op_barwarp;
        lex_next(p);
    }
    if (op->op == P_BAR && parse_is_dot(p, "cta")) lex_next(p);
    if (op->op == P_BAR && parse_is_dot(p, "red")) {
        int commas = 0;
        for (const char *c = p->p; c < p->end && *c != ';'; c++) commas += *c == ',';
        op = &op_barred[commas == 3];
        lex_next(p);
    }
    struct ins *i = ins_new(p->m, op->op);
    int ntypes = 0;
    bool have_sub = false;
    for (; p->tok == TK_DOT; lex_next(p))
        if (!take_mod(op, i, p->name, &ntypes, &have_sub)) parse_ins_unsupported(p);
    check_mods(p, op, i, ntypes, have_sub);
    if ((op->op == P_BAR || op->op == P_BARWARP) && !i->sync) parse_ins_unsupported(p);
    *out = i;
    return op;
}

/* Instruction selection: walks a function and builds machine instructions; the operand toolbox.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A PTX instruction becomes temporaries and one last write of its destination.  The destination may
 * also be a source, so nothing may write it before everything is read; that, and the guard being
 * needed on the last write only, is why sequences work in temporaries.  Copies are coalesced later.
 *
 * Requires: edges, loops; variables have addresses (layout.c).
 * Ensures:  the function as machine instructions over virtual registers and barriers, with edges;
 *           or err says why. */
#include <stdarg.h>
#include <string.h>
#include "compiler/select/minsn.h"

void sel_error(struct sel *s, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    cc_error(s->be->err, s->f->m, s->in ? s->in->loc : s->f->loc, "%s", text);
}

void sel_unsupported(struct sel *s)
{
    sel_error(s, "%s is not supported yet", ins_name(s->f->m, s->in));
}

struct val sel_tmp(struct sel *s, int words)
{
    return (struct val){ mreg_new(s->mf, words), 0, (uint8_t)words, false, 0 };
}

int sel_ptmp(struct sel *s) { return mreg_new(s->mf, 0); }

static int words_of(enum ptype t) { return type_size(t) == 8 ? 2 : 1; }

/* Special registers that the machine lacks are put together here. */
static struct val special(struct sel *s, int sreg, int words)
{
    struct val d = sel_tmp(s, 1), wide = sel_tmp(s, 2);
    struct mins *m;
    if (sreg == SREG_CLOCK64 || sreg == SREG_GLOBALTIMER) {
        for (int k = 0; k < 2; k++) {
            m = sel_op(s, OP_S2R, v_word(wide, k), VZERO, VZERO, VZERO);
            m->i.imm = (uint32_t)(k ? SREG_CLOCKHI : SREG_CLOCKLO);
        }
        return wide;
    }
    if (sreg == SREG_ZERO) return words == 2 ? v_imm(0) : VZERO;
    if (sreg < 0) {
        sel_error(s, "this special register is not supported");
        return v_imm(0);
    }
    m = sel_op(s, OP_S2R, d, VZERO, VZERO, VZERO);
    m->i.imm = (uint32_t)sreg;
    return words == 2 ? sel_pair(s, d, VZERO) : d;
}

struct val sel_src(struct sel *s, const struct opd *o, int words)
{
    struct val v;
    switch (o->kind) {
    case O_REG:
        v = (struct val){ o->reg, 0, s->mf->regs[o->reg].n, false, 0 };
        if (v.n > words) v.n = (uint8_t)words;      /* the low word of a pair */
        else if (v.n < words) v = sel_pair(s, v, VZERO);
        return v;
    case O_IMM: case O_FIMM64: v = v_imm(o->imm); break;
    case O_FIMM32: v = v_imm((uint32_t)o->imm); break;
    case O_SREG: return special(s, o->sreg, words);
    case O_SYM: case O_ADDR:
        if (!o->sym || !sel_symbol(s, o->sym, (int64_t)o->imm, &v)) return v_imm(0);
        if (words == 1) v = LO(v);
        return v;
    default:
        sel_error(s, "this operand is not supported here");
        return v_imm(0);
    }
    v.n = (uint8_t)words;
    if (words == 1) v.k = (uint32_t)v.k;
    return v;
}

struct val sel_dst(struct sel *s, const struct opd *o)
{
    if (o->kind != O_REG || o->reg < 0) return VZERO;
    return (struct val){ o->reg, 0, s->mf->regs[o->reg].n, false, 0 };
}

struct pval sel_pred(struct sel *s, const struct opd *o)
{
    if (o->kind == O_REG && s->mf->regs[o->reg].pred) return (struct pval){ o->reg, o->neg };
    if (o->kind == O_IMM) return (struct pval){ -1, o->imm == 0 };
    sel_error(s, "a predicate is expected");
    return P_TRUE;
}

void sel_guard(struct sel *s, struct mins *m)
{
    if (s->in && s->in->guard >= 0) {
        m->p[PR_G] = s->in->guard;
        m->i.pn = s->in->guard_neg;
    }
}

static struct mins *append(struct sel *s, int op)
{
    struct mins *m = mins_new(s->mf, op);
    if (s->in) m->sfile = s->in->sfile, m->sline = s->in->sline, m->home = s->in->home;
    m->strong = !s->in || s->in->vol || (s->in->op != P_LD && s->in->op != P_ST);
    mins_before(s->b, NULL, m);
    s->last = m;
    return m;
}

struct val sel_reg(struct sel *s, struct val v)
{
    if (!v.imm) return v;
    if (v.k == 0) return (struct val){ -1, 0, v.n, false, 0 };
    struct val t = sel_tmp(s, v.n);
    for (int k = 0; k < v.n; k++) {
        struct mins *m = append(s, OP_MOV);
        m->r[R_D] = t.v;
        m->sub[R_D] = (uint8_t)k;
        m->i.bi = 1;
        m->i.imm = (uint32_t)(v.k >> (32 * k));
    }
    return t;
}

static void set_reg(struct mins *m, int which, struct val v)
{
    m->r[which] = v.v;
    m->sub[which] = v.v < 0 ? 0 : v.sub;
}

struct mins *sel_op(struct sel *s, enum hd_op op, struct val d, struct val a, struct val b,
                    struct val c)
{
    const char *opds = hd_ops[op].operands;
    bool wide_b = strchr(opds, 'B'), may_imm = wide_b || strchr(opds, 'b');
    a = sel_reg(s, a);
    c = sel_reg(s, c);
    if (b.imm && !(may_imm && (!wide_b || (int64_t)b.k == (int32_t)b.k))) b = sel_reg(s, b);
    struct mins *m = append(s, op);
    set_reg(m, R_D, d);
    set_reg(m, R_A, a);
    set_reg(m, R_C, c);
    if (b.imm) m->i.bi = 1, m->i.imm = (uint32_t)b.k;
    else set_reg(m, R_B, b);
    if (d.v >= 0 && !s->mf->regs[d.v].temp) sel_guard(s, m);
    return m;
}

struct val sel_do(struct sel *s, enum hd_op op, struct val a, struct val b, struct val c)
{
    const char *opds = hd_ops[op].operands;
    struct val d = sel_tmp(s, opds[0] == 'D' ? 2 : 1);
    sel_op(s, op, d, a, b, c);
    return d;
}

struct mins *sel_setp(struct sel *s, enum hd_op op, int pd, struct val a, struct val b,
                      struct pval ps)
{
    struct mins *m = sel_op(s, op, VZERO, a, b, VZERO);
    m->p[PR_D] = pd;
    m->p[PR_S] = ps.p;
    m->i.sn = ps.neg;
    if (pd >= 0 && !s->mf->regs[pd].temp) sel_guard(s, m);
    return m;
}

void sel_plop(struct sel *s, int pd, struct pval ps, int t, int lut)
{
    struct mins *m = append(s, OP_PLOP);
    m->p[PR_D] = pd;
    m->p[PR_S] = ps.p;
    m->p[PR_T] = t;
    m->i.sn = ps.neg;
    m->i.lut = (uint8_t)lut;
    if (pd >= 0 && !s->mf->regs[pd].temp) sel_guard(s, m);
}

void sel_sel(struct sel *s, struct val d, struct val a, struct val b, struct pval p)
{
    if (a.imm && !b.imm) {           /* only the second may be an immediate */
        struct val t = a;
        a = b, b = t, p.neg = !p.neg;
    }
    struct mins *m = sel_op(s, OP_SEL, d, a, b, VZERO);
    m->p[PR_S] = p.p;
    m->i.sn = p.neg;
}

/* Copies words; d is a register. */
void sel_move(struct sel *s, struct val d, struct val v)
{
    if (d.v < 0) return;
    if (!v.imm && v.v >= 0 && d.n == v.n && d.n == s->mf->regs[d.v].n &&
        v.n == s->mf->regs[v.v].n) {
        struct mins *m = append(s, M_COPY);
        m->r[R_D] = d.v;
        m->r[R_A] = v.v;
        if (!s->mf->regs[d.v].temp) sel_guard(s, m);
        return;
    }
    for (int k = 0; k < d.n; k++)
        sel_op(s, OP_MOV, v_word(d, k), VZERO, k < v.n || v.imm ? v_word(v, k) : VZERO, VZERO);
}

void sel_put(struct sel *s, const struct opd *o, struct val v)
{
    struct val d = sel_dst(s, o);
    if (d.v >= 0 && v.n > d.n) v.n = d.n;
    sel_move(s, d, v);
}

struct val sel_pair(struct sel *s, struct val lo, struct val hi)
{
    struct val t = sel_tmp(s, 2);
    sel_op(s, OP_MOV, LO(t), VZERO, lo, VZERO);
    sel_op(s, OP_MOV, HI(t), VZERO, hi, VZERO);
    return t;
}

struct val sel_extend(struct sel *s, struct val v, enum ptype t)
{
    if (v.imm) {
        switch (t) {
        case T_S8: return v_imm((uint32_t)(int8_t)v.k);
        case T_S16: return v_imm((uint32_t)(int16_t)v.k);
        case T_U8: case T_B8: return v_imm((uint8_t)v.k);
        case T_U16: case T_B16: case T_F16: return v_imm((uint16_t)v.k);
        default: return v;
        }
    }
    switch (t) {
    case T_S8: return sel_do(s, OP_PRMT, v, v_imm(0x8880), VZERO);
    case T_S16: return sel_do(s, OP_PRMT, v, v_imm(0x9910), VZERO);
    case T_U8: case T_B8: return sel_do(s, OP_AND, v, v_imm(0xff), VZERO);
    case T_U16: case T_B16: case T_F16: return sel_do(s, OP_AND, v, v_imm(0xffff), VZERO);
    default: return v;
    }
}

struct val sel_widen(struct sel *s, struct val v, bool sign)
{
    if (v.imm) {
        v.k = sign ? (uint64_t)(int64_t)(int32_t)v.k : (uint32_t)v.k;
        v.n = 2;
        return v;
    }
    return sel_pair(s, v, sign ? sel_do(s, OP_SHRS, v, v_imm(31), VZERO) : VZERO);
}

static void select_ins(struct sel *s)
{
    static bool (*const all[])(
        struct sel *) = { select_param_slots, select_half, select_f64, select_mem,   select_int64,
                          select_int,         select_bits, select_cmp, select_float, select_conv,
                          select_warp,        select_call, select_ctl };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k](s)) return;
    sel_unsupported(s);
}

void select_fn(struct backend *be, struct mfn *mf)
{
    struct fn *f = mf->f;
    fn_requires(f, KNOWN_EDGES | KNOWN_LOOPS);
    struct sel s = { .be = be, .mf = mf, .f = f, .link = -1, .kernel = f->entry };
    for (int k = 0; k < f->nregs; k++) {
        int r = mreg_new(mf, f->regs[k].type == T_PRED ? 0 : words_of(f->regs[k].type));
        mf->regs[r].temp = false;
    }
    mf->nvb = f->nvb;
    s.map = arena_alloc(be->a, ((size_t)f->nblocks + 1) * sizeof *s.map);
    struct mblk *entry = mblk_new(mf);
    /* Blocks that selection adds stand after the one it works on, so their order is the layout. */
    for (int k = 0; k < f->nblocks; k++) {
        s.map[k] = arena_alloc(be->a, sizeof **s.map);
        f->blocks[k]->id = k;
    }
    s.b = entry;
    sel_entry(&s);
    for (int k = 0; k < f->nblocks && !be->err->status; k++) {
        struct mblk *b = mblk_new(mf);
        *s.map[k] = *b;
        mf->blks[mf->nblks - 1] = s.b = s.map[k];
        s.b->depth = f->blocks[k]->loop ? f->blocks[k]->loop->depth : 0;
        for (s.in = f->blocks[k]->first; s.in; s.in = s.in->next) select_ins(&s);
        s.in = NULL;
    }
    mfn_edges(mf);
}

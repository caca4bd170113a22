/* Selection of loads, stores, atomics and operations on addresses.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Global and generic addresses are pairs; shared, local and constant ones the low word.  A generic
 * address names its space in the upper word, so cvta is a move of one word.  Local variables and
 * stack arguments are relative to R1; frame.c adds what is not known before allocation. */
#include "compiler/select/minsn.h"

struct addr { enum pspace space; struct val base; bool sp; enum frame_part frame; int64_t off; };

static struct argslot *slot_of(struct sel *s, const struct sym *sym)
{
    for (int k = s->nslots - 1; k >= 0; k--)
        if (s->slots[k].sym == sym) return &s->slots[k];
    return NULL;
}

void sel_frame_addr(struct sel *s, struct val d, enum frame_part part, uint32_t off)
{
    struct mins *m = sel_op(s, OP_IADD, d, VZERO, v_imm(off), VZERO);
    m->i.ra = REG_SP;
    m->frame = part;
}

void sel_frame_mem(struct sel *s, bool store, struct val v, enum frame_part part, uint32_t off,
                   int sz)
{
    struct mins *m = sel_op(s, store ? OP_STL : OP_LDL, store ? VZERO : v, VZERO,
                            store ? sel_reg(s, v) : VZERO, VZERO);
    m->i.ra = REG_SP;
    m->i.off = (int32_t)off;
    m->i.sz = (uint8_t)sz;
    m->frame = part;
    sel_guard(s, m);
}

static uint32_t local_at(const struct sel *s, const struct sym *sym)
{
    for (int k = 0; k < s->f->nlocals; k++)
        if (s->f->locals[k] == sym) return s->local_at[k];
    return 0;
}

bool sel_symbol(struct sel *s, struct sym *sym, int64_t add, struct val *out)
{
    struct val d;
    uint32_t at;
    if (sym->kind == S_FUNC || (sym->kind == S_VAR && sym->space == SP_GLOBAL)) {
        if (sym->kind == S_FUNC && !backend_addressed(s->be, sym)) return false;
        if (sym->kind == S_VAR && !layout_find(s->be, sym, s->f, &at)) goto bad;
        d = sel_tmp(s, 2);
        sel_op(s, OP_MOV, LO(d), VZERO, v_imm(0), VZERO);
        s->last->sym = sym;
        s->last->add = add;
        sel_op(s, OP_MOV, HI(d), VZERO, VZERO, VZERO);
        *out = d;
        return true;
    }
    if (sym->space == SP_LOCAL && sym->kind == S_VAR) {
        d = sel_tmp(s, 2);
        sel_frame_addr(s, LO(d), FR_LOCAL, local_at(s, sym) + (uint32_t)add);
        sel_op(s, OP_MOV, HI(d), VZERO, VZERO, VZERO);
        *out = d;
        return true;
    }
    if (sym->kind == S_PARAM && s->kernel && !sym->call_param) {
        *out = v_imm(sym->addr + (uint64_t)add);
        out->n = 2;
        return true;
    }
    if (sym->kind == S_PARAM) {
        struct argslot *slot = slot_of(s, sym);
        if (!slot || (!slot->mem && !slot->addressed)) goto bad;
        d = sel_tmp(s, 2);
        sel_frame_addr(s, LO(d), slot->addressed ? FR_LOCAL : sym->call_param ? FR_OUT : FR_IN,
                       slot->off + (uint32_t)add);
        sel_op(s, OP_MOV, HI(d), VZERO, VZERO, VZERO);
        *out = d;
        return true;
    }
    if (sym->kind == S_VAR && layout_find(s->be, sym, s->f, &at)) {
        *out = v_imm((uint64_t)(at + add));
        out->n = 2;
        return true;
    }
bad:
    sel_error(s, "the address of %s cannot be taken here", sym->name ? sym->name : "this symbol");
    return false;
}

static bool wide(enum pspace sp) { return sp == SP_GLOBAL || sp == SP_GENERIC || sp == SP_NONE; }

static struct addr address(struct sel *s, const struct opd *o)
{
    struct addr a = { .space = s->in->space, .base = VZERO, .off = (int64_t)o->imm };
    uint32_t at;
    if (o->kind == O_IMM) return a;
    if (o->sym) {
        struct sym *y = o->sym;
        if (wide(a.space) && y->kind == S_VAR) a.space = y->space;
        if (a.space == SP_LOCAL && y->space == SP_LOCAL) {
            a.sp = true, a.frame = FR_LOCAL, a.off += local_at(s, y);
        } else if (y->kind == S_PARAM && s->kernel && !y->call_param) {
            a.off += (int64_t)y->addr;
        } else if (a.space != SP_GLOBAL && y->kind == S_VAR && layout_find(s->be, y, s->f, &at)) {
            a.off += at;
        } else {
            sel_symbol(s, y, a.off, &a.base);
            a.off = 0;
        }
    } else if (o->reg >= 0) {
        struct opd r = { .kind = O_REG, .reg = o->reg };
        /* a function's parameters that have an address lie in its caller's frame */
        if (a.space == SP_PARAM && !s->kernel) a.space = SP_LOCAL;
        a.base = sel_src(s, &r, wide(a.space) ? 2 : 1);
    }
    if (a.off < -0x800000 || a.off > 0x7fffff) {
        struct val k = { .v = -1, .n = 2, .imm = true, .k = (uint64_t)a.off };
        if (a.sp) sel_error(s, "this local variable is too large");
        if (wide(a.space))
            a.base = sel_do(s, OP_IADDW, (struct val){ a.base.v, a.base.sub, 2, false, 0 }, k,
                            VZERO);
        else a.base = sel_do(s, OP_IADD, a.base, v_imm((uint32_t)a.off), VZERO);
        a.off = 0;
    }
    return a;
}

static void set_address(struct sel *s, struct mins *m, struct addr a, int more)
{
    (void)s;
    m->r[R_A] = a.base.v;
    m->sub[R_A] = a.base.sub;
    if (a.sp) m->i.ra = REG_SP, m->frame = a.frame;
    m->i.off = (int32_t)a.off + more;
}

static int size_code(enum ptype t)
{
    switch (t) {
    case T_S8: return SZ_S8;
    case T_B8: case T_U8: return SZ_U8;
    case T_S16: return SZ_S16;
    case T_B16: case T_U16: case T_F16: return SZ_U16;
    default: return type_size(t) == 8 ? SZ_64 : SZ_32;
    }
}

static enum hd_op load_op(enum pspace sp)
{
    switch (sp) {
    case SP_GLOBAL: return OP_LDG;
    case SP_SHARED: return OP_LDS;
    case SP_LOCAL: return OP_LDL;
    case SP_CONST: case SP_PARAM: return OP_LDC;
    default: return OP_LD;
    }
}

static enum hd_op store_op(enum pspace sp)
{
    return sp == SP_GLOBAL ? OP_STG : sp == SP_SHARED ? OP_STS : sp == SP_LOCAL ? OP_STL : OP_ST;
}

/* A loaded word reaches its register, which may be wider than the type. */
static void arrive(struct sel *s, const struct opd *o, struct val v)
{
    if (sel_dst(s, o).n == 2 && v.n == 1) v = sel_widen(s, v, type_signed(s->in->type));
    sel_put(s, o, v);
}

static void load(struct sel *s, struct addr a)
{
    struct ins *in = s->in;
    struct opd *o = in->o[0].kind == O_VEC ? in->o[0].vec : &in->o[0];
    int n = in->o[0].kind == O_VEC ? in->o[0].nvec : 1, size = type_size(in->type),
        words = size / 4;
    enum hd_op op = load_op(a.space);
    struct val got[4];
    bool together = n > 1 && size >= 4;
    if (n == 1 && words && sel_dst(s, o).n == words) {       /* straight into its register */
        struct mins *m = sel_op(s, op, sel_dst(s, o), VZERO, VZERO, VZERO);
        m->i.sz = (uint8_t)size_code(in->type);
        set_address(s, m, a, 0);
        return;
    }
    struct val all = together ? sel_tmp(s, n * words) : VZERO;
    for (int k = 0; k < n; k++) {
        got[k] = together ? (struct val){ all.v, (uint8_t)(k * words), (uint8_t)words, false, 0 }
                          : sel_tmp(s, words == 2 ? 2 : 1);
        if (together && k) continue;
        struct mins *m = sel_op(s, op, together ? all : got[k], VZERO, VZERO, VZERO);
        m->i.sz = (uint8_t)(!together ? size_code(in->type) : n * words == 4 ? SZ_128 : SZ_64);
        set_address(s, m, a, together ? 0 : k * size);
        sel_guard(s, m);
    }
    for (int k = 0; k < n; k++) arrive(s, &o[k], got[k]);
}

static void store(struct sel *s, struct addr a)
{
    struct ins *in = s->in;
    struct opd *o = in->o[1].kind == O_VEC ? in->o[1].vec : &in->o[1];
    int n = in->o[1].kind == O_VEC ? in->o[1].nvec : 1, size = type_size(in->type),
        words = size / 4;
    enum hd_op op = store_op(a.space);
    bool together = n > 1 && size >= 4;
    struct val all = together ? sel_tmp(s, n * words) : VZERO;
    for (int k = 0; k < n; k++) {
        struct val v = sel_src(s, &o[k], words == 2 ? 2 : 1);
        if (together) {
            for (int w = 0; w < words; w++) sel_move(s, v_word(all, k * words + w), v_word(v, w));
            if (k < n - 1) continue;
            v = all;
        }
        struct mins *m = sel_op(s, op, VZERO, VZERO, sel_reg(s, v), VZERO);
        m->i.sz = (uint8_t)(!together ? size_code(in->type) : n * words == 4 ? SZ_128 : SZ_64);
        set_address(s, m, a, together ? 0 : k * size);
        sel_guard(s, m);
    }
}

/* ld.param and st.param of a function's or a call's parameter, when it is a variable in
 * registers. */
static bool param(struct sel *s)
{
    struct ins *in = s->in;
    bool ld = in->op == P_LD;
    struct opd *o = &in->o[ld ? 1 : 0];
    if (in->space != SP_PARAM || !o->sym || o->sym->kind != S_PARAM) return false;
    if (s->kernel && !o->sym->call_param) return false;
    struct argslot *slot = slot_of(s, o->sym);
    if (!slot) {
        sel_error(s, "parameter %s belongs to no call", o->sym->name);
        return true;
    }
    if (slot->mem) {
        struct addr a = { .space = SP_LOCAL,
                          .base = VZERO,
                          .sp = true,
                          .off = (int64_t)(slot->off + o->imm),
                          .frame = o->sym->call_param ? FR_OUT : FR_IN };
        if (ld) load(s, a);
        else store(s, a);
        return true;
    }
    if (o->imm) {
        sel_error(s, "an offset into a scalar parameter is not supported");
        return true;
    }
    struct val v = slot->v;
    if (!ld) {
        v = sel_src(s, &in->o[1], v.n);
        sel_move(s, slot->v, v);
        return true;
    }
    if (type_size(in->type) < 4) v = sel_extend(s, v, in->type);
    arrive(s, &in->o[0], v);
    return true;
}

static int atom_code(const struct ins *in)
{
    bool sign = type_signed(in->type);
    switch (in->sub) {
    case AT_ADD: return AOP_ADD;
    case AT_MIN: return sign ? AOP_MINS : AOP_MINU;
    case AT_MAX: return sign ? AOP_MAXS : AOP_MAXU;
    case AT_AND: return AOP_AND;
    case AT_OR: return AOP_OR;
    case AT_XOR: return AOP_XOR;
    case AT_EXCH: return AOP_EXCH;
    case AT_INC: return AOP_INC;
    case AT_DEC: return AOP_DEC;
    default: return AOP_CAS;
    }
}

/* Of floats, and of 16 bits, a loop in the library; it has no guard (cfg.c). */
static const char *atom_routine(const struct sel *s)
{
    const struct ins *in = s->in;
    if (in->type == T_B16) return "__hd_atom_cas_b16";
    if (in->sub != AT_ADD) return NULL;
    switch (in->type) {
    case T_F32: return "__hd_atom_add_f32";
    case T_F64: return s->be->opt->f64_routines ? "__hd_atom_add_f64" : "__hd_atom_add_f64_unit";
    case T_F16: return "__hd_atom_add_f16";
    case T_BF16: return "__hd_atom_add_bf16";
    case T_F16X2: return "__hd_atom_add_f16x2";
    case T_BF16X2: return "__hd_atom_add_bf16x2";
    default: return NULL;
    }
}

static void atom_loop(struct sel *s, const struct opd *to, const struct opd *at,
                      const struct opd *by)
{
    struct val p = VZERO, r;
    const char *name = atom_routine(s);
    int words = s->in->type == T_F64 ? 2 : 1;
    if (!name) {
        sel_unsupported(s);
        return;
    }
    struct addr a = address(s, at);
    struct val off = { .v = -1, .n = 2, .imm = true, .k = (uint64_t)a.off };
    p = wide(a.space) ? (struct val){ a.base.v, a.base.sub, 2, false, 0 }
                      : sel_pair(s, a.base, VZERO);
    p = sel_do(s, OP_IADDW, p, off, VZERO);
    if (a.space == SP_SHARED) p = sel_pair(s, LO(p), v_imm(1));
    if (s->in->sub == AT_CAS)
        r = sel_lib(s, name, 1, 3, p, sel_src(s, by, 1), sel_src(s, by + 1, 1));
    else r = sel_lib(s, name, words, 2, p, sel_src(s, by, words));
    if (to) sel_put(s, to, r);
}

static void atom(struct sel *s)
{
    struct ins *in = s->in;
    int k = in->op == P_ATOM, words = type_size(in->type) == 8 ? 2 : 1;
    if ((type_float(in->type) && in->sub != AT_EXCH) || type_size(in->type) < 4) {
        atom_loop(s, k ? &in->o[0] : NULL, &in->o[k], &in->o[k + 1]);
        return;
    }
    struct addr a = address(s, &in->o[k]);
    enum hd_op op = a.space == SP_GLOBAL ? OP_ATOMG : a.space == SP_SHARED ? OP_ATOMS : OP_ATOM;
    struct val b = sel_reg(s, sel_src(s, &in->o[k + 1], words));
    struct val c = in->sub == AT_CAS ? sel_reg(s, sel_src(s, &in->o[k + 2], words)) : VZERO;
    struct mins *m = sel_op(s, op, k ? sel_dst(s, &in->o[0]) : VZERO, VZERO, b, c);
    m->i.aop = (uint8_t)atom_code(in);
    m->i.aw = words == 2 ? AW_64 : 0;
    set_address(s, m, a, 0);
    sel_guard(s, m);
}

static void convert_address(struct sel *s)
{
    struct ins *in = s->in;
    struct val a = sel_src(s, &in->o[1], 2);
    if (in->space == SP_GLOBAL) {
        sel_put(s, &in->o[0], a);
    } else if (in->space != SP_SHARED && in->space != SP_LOCAL) {
        sel_error(s, "cvta: a generic address can name global, shared and local memory only");
    } else {
        uint32_t window = !in->to_generic ? 0 : in->space == SP_SHARED ? 1 : 2;
        sel_put(s, &in->o[0], sel_pair(s, LO(a), v_imm(window)));
    }
}

static void is_space(struct sel *s)
{
    struct ins *in = s->in;
    uint32_t window = in->space == SP_GLOBAL   ? 0
                      : in->space == SP_SHARED ? 1
                      : in->space == SP_LOCAL  ? 2
                                               : 3;
    struct mins *m = sel_setp(s, OP_ISETP, in->o[0].reg, HI(sel_src(s, &in->o[1], 2)),
                              v_imm(window), P_TRUE);
    m->i.icmp = ICMP_EQ;
}

bool select_mem(struct sel *s)
{
    struct ins *in = s->in;
    struct mins *m;
    switch (in->op) {
    case P_LD: case P_LDU:
        if (!param(s)) load(s, address(s, &in->o[1]));
        return true;
    case P_ST:
        if (!param(s)) store(s, address(s, &in->o[0]));
        return true;
    case P_ATOM: case P_RED: atom(s); return true;
    case P_CVTA: convert_address(s); return true;
    case P_ISSPACEP: is_space(s); return true;
    case P_PREFETCH: return true;
    case P_MEMBAR: case P_FENCE:
        m = sel_op(s, OP_MEMBAR, VZERO, VZERO, VZERO, VZERO);
        m->i.memb = (uint8_t)(in->sub == MB_CTA  ? MEMB_CTA
                              : in->sub == MB_GL ? MEMB_GPU
                                                 : MEMB_SYS);
        return true;
    default: return false;
    }
}

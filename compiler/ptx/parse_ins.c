/* The PTX parser: one instruction, its modifiers and operands, by the table in parse_table.c.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "cmodel/image/image.h"
#include "compiler/ptx/parse_ins.h"

_Noreturn void parse_ins_unsupported(struct parser *p)
{
    const char *s = p->line_at + p->ins_loc.col - 1; /* modifiers stand on the instruction's line */
    int n = 0;
    if (p->line != p->ins_loc.line) s = p->p;
    while (s + n < p->end && s[n] > ' ' && s[n] != ';' && n < 80) n++;
    parse_fail(p, p->ins_loc, "%.*s is not supported yet", n, s);
}

/* ---- modifiers ------------------------------------------------------------------------------- */

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

static const struct opinfo *parse_mnemonic(struct parser *p, struct ins **out)
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

/* ---- operands -------------------------------------------------------------------------------- */

/* Special registers that say where memory lies, as variables: what cooperative groups count in when
 * a whole grid waits (%envreg1 and 2: upper and lower word), and what tiles of several warps
 * use. */
static bool parse_place(struct parser *p, const char *name, struct opd *o)
{
    static const struct { const char *reg, *var; enum pspace space; uint64_t size; } places[] = {
        { "%envreg0", NULL, SP_NONE, 0 },
        { "%envreg1", NULL, SP_NONE, 0 },
        { "%envreg2", "__hd_grid_workspace", SP_GLOBAL, 8 },
        { "%reserved_smem_offset_1", "__hd_reserved_shared", SP_SHARED, 288 },
        { "%hd_named_barriers", "__hd_named_barriers", SP_SHARED, 128 },    /* expand_block.c */
        { "%hd_launch_sizes", "__hd_launch_sizes", SP_CONST, 8 } };
    struct module *m = p->m;
    size_t k = 0, n = sizeof places / sizeof *places;
    while (k < n && strcmp(places[k].reg, name)) k++;
    if (k == n) return false;
    o->kind = O_IMM;
    if (!places[k].var) return true;
    o->kind = O_SYM;
    for (int i = 0; i < m->nsyms && !o->sym; i++)
        if (!strcmp(m->syms[i]->name, places[k].var)) o->sym = m->syms[i];
    if (o->sym) return true;
    o->sym = arena_alloc(p->arena, sizeof *o->sym);
    *o->sym = (struct sym){ .kind = S_VAR, .name = places[k].var, .space = places[k].space,
                            .type = T_B64, .align = 16, .size = places[k].size,
                            .nelem = places[k].size / 8 };
    parse_list_add(p, &m->syms, &m->nsyms, o->sym);
    return true;
}

static struct opd *vector_new(struct parser *p, struct opd *o, int n)
{
    o->kind = O_VEC;
    o->nvec = n;
    o->vec = arena_alloc(p->arena, (size_t)n * sizeof *o->vec);
    for (int k = 0; k < n; k++) o->vec[k] = (struct opd){ .reg = -1, .reg2 = -1 };
    return o->vec;
}

/* v, or an element of it: v.x, v.r. */
static void vector_named(struct parser *p, const struct binding *b, struct opd *o)
{
    static const char names[] = "xyzwrgba";
    if (p->tok == TK_DOT) {
        const char *at = p->name->len == 1 ? strchr(names, p->name->name[0]) : NULL;
        if (!at || (at - names) % 4 >= b->nvec)
            parse_fail(p, p->loc, "%s has no element .%s", b->atom->name, p->name->name);
        lex_next(p);
        o->kind = O_REG;
        o->reg = b->reg + (int)(at - names) % 4;
        return;
    }
    struct opd *e = vector_new(p, o, b->nvec);
    for (int k = 0; k < b->nvec; k++) e[k].kind = O_REG, e[k].reg = b->reg + k;
}

/* %ntid without a dot is a vector of four; false: this is none. */
static bool special_vector(struct parser *p, const char *name, struct opd *o)
{
    static const char elements[] = "xyzw";
    char text[48];
    struct opd *e = NULL;
    for (int k = 0; k < 4; k++) {
        int len = snprintf(text, sizeof text, "%.20s.%c", name, elements[k]);
        const struct atom *s = lex_atom(p, text, len);
        if (!s->is_sreg) return false;
        if (!e) e = vector_new(p, o, 4);
        e[k].kind = O_SREG;
        e[k].sreg = s->sreg;
    }
    return true;
}

/* %globaltimer_lo, _hi: a half of what is read once. */
static bool timer_half(struct parser *p, const char *name, struct opd *o)
{
    bool hi = !strcmp(name, "%globaltimer_hi");
    if (!hi && strcmp(name, "%globaltimer_lo")) return false;
    struct ins *read = ins_new(p->m, P_MOV), *part = ins_new(p->m, P_MOV);
    read->type = part->type = T_B64;
    read->nops = part->nops = 2;
    read->o[0] = (struct opd){ .kind = O_REG, .reg = reg_new(p->fn, T_B64), .reg2 = -1 };
    part->o[1] = read->o[0];
    read->o[1] = (struct opd){ .kind = O_SREG, .sreg = SREG_GLOBALTIMER, .reg = -1, .reg2 = -1 };
    struct opd *e = vector_new(p, &part->o[0], 2);
    *o = e[hi] = (struct opd){ .kind = O_REG, .reg = reg_new(p->fn, T_B32), .reg2 = -1 };
    p->fn->regs[read->o[0].reg].name = p->fn->regs[o->reg].name = "timer";
    parse_ins_append(p, read, -1, false);
    parse_ins_append(p, part, -1, false);
    return true;
}

/* Sizes of shared memory, which the launch leaves in the constant bank where the image has data
 * there. */
static bool shared_size(struct parser *p, const char *name, struct opd *o)
{
    bool dynamic = !strcmp(name, "%dynamic_smem_size");
    if (!dynamic && strcmp(name, "%total_smem_size") && strcmp(name, "%aggr_smem_size"))
        return false;
    struct opd unused = { .reg = -1 };
    parse_place(p, "%hd_launch_sizes", &unused);
    struct ins *read = ins_new(p->m, P_LD);
    read->type = T_B32;
    read->space = SP_CONST;
    read->vecn = 1;
    read->nops = 2;
    *o = read->o[0] = (struct opd){ .kind = O_REG, .reg = reg_new(p->fn, T_B32), .reg2 = -1 };
    p->fn->regs[o->reg].name = "size";
    read->o[1] = (struct opd){ .kind = O_ADDR, .reg = -1, .reg2 = -1,
                               .imm = HD_CONST_SHARED + (dynamic ? 0 : 4) };
    parse_ins_append(p, read, -1, false);
    return true;
}

static void parse_named(struct parser *p, struct opd *o)
{
    struct srcloc at = p->loc;
    struct atom *a = parse_name(p, "an operand");
    if (a->bound && a->bound->kind == B_VEC) {
        vector_named(p, a->bound, o);
        return;
    }
    if (a->name[0] == '%' && !a->bound && parse_place(p, a->name, o)) return;
    if (a->name[0] == '%' && !a->bound) {               /* %tid.x: put the dot back */
        char text[48];
        int n = snprintf(text, sizeof text, "%.20s%s%.20s", a->name, p->tok == TK_DOT ? "." : "",
                         p->tok == TK_DOT ? p->name->name : "");
        struct atom *s = lex_atom(p, text, n);
        if (p->tok != TK_DOT &&
            (timer_half(p, text, o) || shared_size(p, text, o) || special_vector(p, text, o)))
            return;
        if (!s->is_sreg)
            parse_fail(p, at, "%.60s is not %s", a->name,
                       op_special(a->name) ? "supported yet" : "declared");
        if (p->tok == TK_DOT) lex_next(p);
        o->kind = O_SREG;
        o->sreg = s->sreg;
        return;
    }
    if (!a->bound) {
        if (a->len == 7 && !strcmp(a->name, "WARP_SZ")) {
            o->kind = O_IMM;
            o->imm = 32;
            return;
        }
        if (a->len == 1 && a->name[0] == '_') return;   /* O_NONE: the result is not wanted */
        parse_fail(p, at, "%s is not declared", a->name);
    }
    if (a->bound->kind == B_REG) {
        o->kind = O_REG;
        o->reg = a->bound->reg;
        return;
    }
    o->kind = O_SYM;
    o->sym = a->bound->sym;
    if (o->sym->kind > S_PARAM) parse_fail(p, at, "%s is no variable", a->name);
    if (o->sym->kind == S_FUNC) o->sym->fn->address_taken = true;
    if (parse_accept(p, '+') || parse_is(p, '-')) o->imm = (uint64_t)parse_int(p);
}

static void parse_address(struct parser *p, struct opd *o)
{
    parse_expect(p, '[');
    if (p->tok == TK_NAME) {
        struct srcloc at = p->loc;
        parse_named(p, o);
        if (o->kind != O_REG && o->kind != O_SYM)
            parse_fail(p, at, "an address is a register or a variable");
        if (o->kind == O_SYM && o->sym->kind == S_FUNC)
            parse_fail(p, at, "%s is code", o->sym->name);
        if (o->kind == O_REG && (parse_accept(p, '+') || parse_is(p, '-')))
            o->imm = (uint64_t)parse_int(p);
    } else {
        o->imm = (uint64_t)parse_int(p);
    }
    o->kind = O_ADDR;
    parse_expect(p, ']');
}

static void parse_vector(struct parser *p, struct opd *o)
{
    struct opd v[4];
    parse_expect(p, '{');
    do {
        if (o->nvec == 4) parse_fail(p, p->loc, "more than four elements");
        struct opd *e = &v[o->nvec++];
        *e = (struct opd){ .reg = -1, .reg2 = -1 };
        if (p->tok == TK_NAME) parse_named(p, e);
        else parse_number(p, e);
    } while (parse_accept(p, ','));
    parse_expect(p, '}');
    o->kind = O_VEC;
    o->vec = arena_grow(p->arena, v, (size_t)o->nvec * sizeof *v, (size_t)o->nvec * sizeof *v);
}

static bool char_starts_name(const struct parser *p)
{
    const char *c = p->p;
    while (c < p->end && (*c == ' ' || *c == '\t')) c++;
    return c < p->end && !strchr("0123456789+-~!(", *c);
}

/* and.pred p, !q, r: where no operand of the machine's can be negated. */
static void negate(struct parser *p, struct opd *o)
{
    struct ins *i = ins_new(p->m, P_NOT);
    i->type = T_PRED;
    i->nops = 2;
    i->o[0] = (struct opd){ .kind = O_REG, .reg = reg_new(p->fn, T_PRED), .reg2 = -1 };
    p->fn->regs[i->o[0].reg].name = "not";
    i->o[1] = (struct opd){ .kind = O_REG, .reg = o->reg, .reg2 = -1 };
    parse_ins_append(p, i, -1, false);
    *o = i->o[0];
}

void parse_ins_operand(struct parser *p, char letter, struct opd *o)
{
    if (parse_is(p, '{')) {
        parse_vector(p, o);
    } else if (p->tok == TK_NAME && strcmp(p->name->name, "WARP_SZ")) {
        parse_named(p, o);
        if (o->kind <= O_REG && parse_accept(p, '|')) {
            struct srcloc at = p->loc;
            struct opd second = { .reg = -1 };
            parse_named(p, &second);
            if (!strchr("QP", letter) || second.kind > O_REG)
                parse_fail(p, at, "there is only one result here");
            o->reg2 = second.reg;
            if (second.kind == O_REG && p->fn->regs[second.reg].type != T_PRED)
                parse_fail(p, at, "the second result is a predicate");
        }
    } else if (parse_is(p, '!') && char_starts_name(p)) {
        lex_next(p);
        parse_named(p, o);
        o->neg = true;
        if (!strchr("pax", letter) || o->kind != O_REG || p->fn->regs[o->reg].type != T_PRED)
            parse_fail(p, p->loc, "only a predicate operand can be negated");
        if (letter != 'p') negate(p, o);
    } else {
        parse_number(p, o);
    }
}

static void parse_label(struct parser *p, struct opd *o, char letter)
{
    struct srcloc at = p->loc;
    struct atom *a = parse_name(p, "a label");
    o->kind = O_LABEL;
    if (letter == 't') {
        scope_label_ref(p, a, o, at);
        return;
    }
    struct binding *b = a->bound;
    if (!b || b->kind != B_SYM || b->sym->kind != S_TARGETS || !b->sym->labels)
        parse_fail(p, at, "%s is no list of branch targets", a->name);
    o->sym = b->sym;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void call_list(struct parser *p, struct ins *i, bool rets)
{
    struct opd list[256];
    int n = 0;
    parse_expect(p, '(');
    if (!parse_is(p, ')'))
        do {
            if (n == 256) parse_fail(p, p->loc, "more than 256 arguments");
            list[n] = (struct opd){ .reg = -1, .reg2 = -1 };
            if (p->tok == TK_NAME) parse_named(p, &list[n]);
            else parse_number(p, &list[n]);
            n++;
        } while (parse_accept(p, ','));
    parse_expect(p, ')');
    int before = i->nrets + i->nargs;
    i->args = arena_grow(p->arena, i->args, (size_t)before * sizeof *list,
                         (size_t)(before + n + 1) * sizeof *list);
    // cppcheck-suppress uninitvar ; the first n are set
    memcpy(i->args + before, list, (size_t)n * sizeof *list);
    if (rets) i->nrets = n; else i->nargs = n;
}

/* call (ret), f, (a, b);  call (ret), %rd, (a, b), prototype; */
static void parse_call(struct parser *p, struct ins *i)
{
    struct srcloc at = p->loc;
    if (parse_is(p, '(')) {
        call_list(p, i, true);
        parse_expect(p, ',');
        at = p->loc;
    }
    struct atom *a = parse_name(p, "a function");
    struct binding *b = a->bound;
    i->nops = 1;
    if (b && b->kind == B_REG) {
        i->o[0].kind = O_REG;
        i->o[0].reg = b->reg;
    } else if (b && b->kind == B_SYM && b->sym->kind == S_FUNC) {
        i->o[0].kind = O_SYM;
        i->o[0].sym = b->sym;
    } else {
        parse_fail(p, at, "%s is no function", a->name);
    }
    if (parse_accept(p, ',')) {
        if (parse_is(p, '(')) call_list(p, i, false);
        else goto proto;
        if (!parse_accept(p, ',')) goto done;
proto:;
        struct srcloc where = p->loc;
        struct atom *proto = parse_name(p, "a prototype");
        b = proto->bound;
        if (!b || b->kind != B_SYM || (b->sym->kind != S_PROTO && b->sym->kind != S_TARGETS))
            parse_fail(p, where, "%s is no prototype", proto->name);
        i->proto = b->sym;
    }
done:
    p->fn->has_calls = true;
    check_call(p, i, at);
}

/* ---- the instruction ------------------------------------------------------------------------- */

/* A policy of caches, which are not there. */
static void skip_policy(struct parser *p)
{
    struct opd policy = { .reg = -1, .reg2 = -1 };
    parse_expect(p, ',');
    parse_ins_operand(p, 'a', &policy);
    if (policy.kind != O_REG || type_size(p->fn->regs[policy.reg].type) != 8)
        parse_fail(p, p->ins_loc, "a cache policy is a register of 64 bits");
}

static void parse_operands(struct parser *p, const struct opinfo *op, struct ins *i)
{
    bool optional = false;
    for (const char *l = op->operands; *l; l++) {
        if (*l == '?') {
            optional = true;
            continue;
        }
        if (optional && parse_is(p, ';')) break;
        if (optional && i->hint && i->op == P_ATOM && i->sub != AT_CAS) break;
        if (i->nops) parse_expect(p, ',');
        struct opd *o = &i->o[i->nops++];
        struct srcloc at = p->loc;
        if (*l == 'm') parse_address(p, o);
        else if (*l == 't' || *l == 'T') parse_label(p, o, *l);
        else parse_ins_operand(p, *l, o);
        check_operand(p, op, i, *l, o, at);
    }
    if (i->hint) skip_policy(p);
}

void parse_ins_append(struct parser *p, struct ins *i, int guard, bool guard_neg)
{
    struct fn *f = p->fn;
    i->loc = p->ins_loc;
    i->guard = guard;
    i->guard_neg = guard_neg;
    i->sfile = p->sfile;
    i->sline = p->sline;
    i->prev = f->last;
    if (f->last) f->last->next = i; else f->first = i;
    f->last = i;
}

/* mov.v4.u32 a, b: elements of b may be those of a in another order. */
static void mov_vector(struct parser *p, const struct ins *i, int guard, bool guard_neg)
{
    static const struct opinfo none = { "mov", P_MOV, "", 0, 0, "" };
    struct opd kept[4];
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < i->vecn; k++) {
            struct ins *one = ins_new(p->m, P_MOV);
            one->type = i->type;
            one->nops = 2;
            one->o[0] = i->o[0].vec[k];
            if (!pass) one->o[0].kind = O_REG, one->o[0].reg = reg_new(p->fn, i->type);
            if (!pass) p->fn->regs[one->o[0].reg].name = "element", kept[k] = one->o[0];
            one->o[1] = pass ? kept[k] : i->o[1].vec[k];
            if (pass && one->o[0].kind == O_NONE) continue;
            if (pass) check_operand(p, &none, one, 'd', &one->o[0], p->ins_loc);
            else check_operand(p, &none, one, 'x', &one->o[1], p->ins_loc);
            parse_ins_append(p, one, guard, guard_neg);
        }
}

void parse_instruction(struct parser *p, int guard, bool guard_neg)
{
    struct ins *i;
    if (parse_texture(p, guard, guard_neg) || parse_expand(p, guard, guard_neg)) return;
    const struct opinfo *op = parse_mnemonic(p, &i);
    if (i->op == P_CALL) parse_call(p, i);
    else parse_operands(p, op, i);
    if (!parse_is(p, ';')) parse_fail(p, p->loc, "expected ';' before %s", parse_token_text(p));
    lex_next(p);
    if ((i->op == P_SETP || i->op == P_SET) && (i->sub != BOOL_NONE) != (i->nops == 4))
        parse_fail(p, p->ins_loc, "%s combines with a predicate by .and, .or or .xor", op->name);
    bool packed = i->op == P_CVT && (i->type == T_F16X2 || i->type == T_BF16X2);
    if (i->op == P_CVT && (i->nops == 3) != packed)
        parse_fail(p, p->ins_loc, "%s has too %s operands", op->name, packed ? "few" : "many");
    if (i->op == P_ATOM && (i->sub == AT_CAS) != (i->nops == 4))
        parse_fail(p, p->ins_loc, "%s has too %s operands", op->name,
                   i->nops == 4 ? "many" : "few");
    if ((i->op == P_VOTE || i->op == P_SHFL) &&
        (i->sync ? 1 : 0) != (i->nops == (i->op == P_VOTE ? 3 : 5)))
        parse_fail(p, p->ins_loc, "a mask belongs to .sync");
    if (i->op == P_MOV && i->vecn > 1) {
        mov_vector(p, i, guard, guard_neg);
        return;
    }
    if (i->op == P_MOV) parse_texture_mov(p, i);
    if (i->op == P_RET) args_return(p);
    if ((i->op == P_MATCH || i->op == P_REDUX) && !i->sync)
        parse_fail(p, p->ins_loc, "%s exists with .sync only", op->name);
    parse_ins_append(p, i, guard, guard_neg);
}

/* The PTX parser: one operand.  What no register of the machine holds, such as a half of a timer,
 * is read by instructions before it.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "cmodel/image/image.h"
#include "compiler/ptx/parse_ins.h"

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

void parse_operand_named(struct parser *p, struct opd *o)
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
    if (o->sym->kind == S_VAR && parse_accept(p, '[')) {
        o->imm = (uint64_t)parse_int(p) * (uint64_t)type_size(o->sym->type);
        parse_expect(p, ']');
    } else if (parse_accept(p, '+') || parse_is(p, '-')) {
        o->imm = (uint64_t)parse_int(p);
    }
}

/* var[2], an element of it, stands without brackets of its own. */
static bool names_element(const struct parser *p)
{
    const char *c = p->p;
    while (c < p->end && (*c == ' ' || *c == '\t')) c++;
    return p->tok == TK_NAME && c < p->end && *c == '[';
}

void parse_operand_address(struct parser *p, struct opd *o)
{
    bool element = names_element(p);
    if (!element) parse_expect(p, '[');
    if (p->tok == TK_NAME) {
        struct srcloc at = p->loc;
        parse_operand_named(p, o);
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
    if (!element) parse_expect(p, ']');
}

static void parse_vector(struct parser *p, struct opd *o)
{
    struct opd v[4];
    parse_expect(p, '{');
    do {
        if (o->nvec == 4) parse_fail(p, p->loc, "more than four elements");
        struct opd *e = &v[o->nvec++];
        *e = (struct opd){ .reg = -1, .reg2 = -1 };
        if (p->tok == TK_NAME) parse_operand_named(p, e);
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

void parse_operand(struct parser *p, char letter, struct opd *o)
{
    if (parse_is(p, '{')) {
        parse_vector(p, o);
    } else if (p->tok == TK_NAME && strcmp(p->name->name, "WARP_SZ")) {
        parse_operand_named(p, o);
        if (o->kind <= O_REG && parse_accept(p, '|')) {
            struct srcloc at = p->loc;
            struct opd second = { .reg = -1 };
            parse_operand_named(p, &second);
            if (!strchr("QP", letter) || second.kind > O_REG)
                parse_fail(p, at, "there is only one result here");
            o->reg2 = second.reg;
            if (second.kind == O_REG && p->fn->regs[second.reg].type != T_PRED)
                parse_fail(p, at, "the second result is a predicate");
        }
    } else if (parse_is(p, '!') && char_starts_name(p)) {
        lex_next(p);
        parse_operand_named(p, o);
        o->neg = true;
        if (!strchr("pax", letter) || o->kind != O_REG || p->fn->regs[o->reg].type != T_PRED)
            parse_fail(p, p->loc, "only a predicate operand can be negated");
        if (letter != 'p') negate(p, o);
    } else {
        parse_number(p, o);
    }
}

void parse_operand_label(struct parser *p, struct opd *o, char letter)
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

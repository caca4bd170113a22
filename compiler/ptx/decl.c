/* Declarations of PTX: registers, variables with their initial values, parameters.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "compiler/ptx/parse.h"

enum { MAX_REGS = 1 << 20 };            /* of a module: a bound on memory, far above any real one */
static const uint64_t MAX_SIZE = 1ull << 32, MAX_INIT = 1ull << 26;

enum ptype parse_type(struct parser *p)
{
    const struct modinfo *mod = p->tok == TK_DOT ? p->name->mod : NULL;
    if (!mod || mod->cls != MC_TYPE)
        parse_fail(p, p->loc, "expected a type before %s", parse_token_text(p));
    lex_next(p);
    return (enum ptype)mod->value;
}

/* A register, or those of a vector, whose names say which. */
static void reg_named(struct parser *p, struct atom *a, enum ptype t, int nvec, struct srcloc at)
{
    struct fn *f = p->fn;
    scope_bind_reg(p, a, f->nregs, nvec, at);
    for (int k = 0; k < (nvec ? nvec : 1); k++) {
        reg_new(f, t);
        f->regs[f->nregs - 1].name =
            nvec ? arena_printf(p->arena, "%s.%c", a->name, "xyzw"[k]) : a->name;
    }
}

/* .reg .b32 %r<10>, %x; .reg .v4 .u32 v; */
void decl_reg(struct parser *p)
{
    int nvec = parse_accept_dot(p, "v2") ? 2 : parse_accept_dot(p, "v4") ? 4 : 0;
    bool wide = !nvec && parse_accept_dot(p, "b128");             /* two words of 64 bits */
    enum ptype t = wide ? T_B64 : parse_type(p);
    if (wide) nvec = 2;
    do {
        struct srcloc at = p->loc;
        struct atom *a = parse_name(p, "a register name");
        long n = -1;
        if (parse_accept(p, '<')) {
            n = (long)parse_literal(p);
            parse_expect(p, '>');
        }
        if (n > MAX_REGS || (p->total_regs += (n < 0 ? 1 : n) * (nvec ? nvec : 1)) > MAX_REGS)
            parse_fail(p, at, "more than %d registers in one module", MAX_REGS);
        if (n < 0) reg_named(p, a, t, nvec, at);
        for (long i = 0; i < n; i++) {
            char name[80];
            int len = snprintf(name, sizeof name, "%.60s%ld", a->name, i);
            reg_named(p, lex_atom(p, name, len), t, nvec, at);
        }
    } while (parse_accept(p, ','));
    parse_expect(p, ';');
}

/* ---- initial values -------------------------------------------------------------------------- */

static void init_symbol(struct parser *p, struct sym *s, uint64_t off, int size)
{
    bool generic = false;
    struct srcloc at = p->loc;
    struct atom *a = parse_name(p, "a symbol");
    if (a->len == 7 && !strcmp(a->name, "generic")) {
        generic = true;
        parse_expect(p, '(');
        at = p->loc;
        a = parse_name(p, "a symbol");
        parse_expect(p, ')');
    }
    if (!a->bound || a->bound->kind != B_SYM || a->bound->sym->kind > S_FUNC)
        parse_fail(p, at, "%s is no variable or function", a->name);
    if (size < 4) parse_fail(p, at, "an address does not fit in %d bytes", size);
    struct reloc r = { off, a->bound->sym, 0, size, generic };
    if (r.target->kind == S_FUNC) r.target->fn->address_taken = true;
    if (parse_accept(p, '+')) r.add = parse_int(p);
    else if (parse_is(p, '-')) r.add = parse_int(p);
    if ((s->nrelocs & (s->nrelocs - 1)) == 0)
        s->relocs = arena_grow(p->arena, s->relocs, (size_t)s->nrelocs * sizeof *s->relocs,
                               (size_t)(s->nrelocs ? 2 * s->nrelocs : 1) * sizeof *s->relocs);
    s->relocs[s->nrelocs++] = r;
}

static uint64_t float_as(const struct opd *o, enum ptype t)
{
    uint64_t bits = o->imm;
    float f;
    double d;
    if (o->kind == O_FIMM64 && t == T_F32) {
        uint32_t narrow;
        memcpy(&d, &bits, 8);
        f = (float)d;
        memcpy(&narrow, &f, 4);
        return narrow;
    }
    if (o->kind == O_FIMM32 && t == T_F64) {
        uint32_t narrow = (uint32_t)bits;
        memcpy(&f, &narrow, 4);
        d = f;
        memcpy(&bits, &d, 8);
    }
    return bits;
}

/* One value or a braced list, nested for several dimensions; returns the offset after it. */
static uint64_t init_values(struct parser *p, struct sym *s, uint64_t off, int depth)
{
    int size = type_size(s->type);
    if (parse_accept(p, '{')) {
        if (depth > 8) parse_fail(p, p->loc, "initial values are nested too deeply");
        if (!parse_is(p, '}'))
            do off = init_values(p, s, off, depth + 1);
            while (parse_accept(p, ','));
        parse_expect(p, '}');
        return off;
    }
    if (off + (uint64_t)size > s->size)
        parse_fail(p, p->loc, "%s has more values than elements", s->name);
    if (p->tok == TK_NAME) {
        init_symbol(p, s, off, size);
        return off + (uint64_t)size;
    }
    struct opd o = { 0 };
    parse_number(p, &o);
    uint64_t v = float_as(&o, s->type);
    for (int i = 0; i < size; i++) s->init[off + (uint64_t)i] = (uint8_t)(v >> (8 * i));
    return off + (uint64_t)size;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* .attribute(.managed): the host sees the variable too, which the run time cares for. */
static void managed(struct parser *p, enum pspace space)
{
    struct srcloc at = p->loc;
    if (!parse_accept_dot(p, "attribute")) return;
    parse_expect(p, '(');
    if (!parse_is_dot(p, "managed"))
        parse_fail(p, p->loc, "attribute %s is not supported yet", parse_token_text(p));
    if (space != SP_GLOBAL) parse_fail(p, at, "only .global variables are managed");
    lex_next(p);
    parse_expect(p, ')');
}

/* .align 4 .b8 */
struct decl_shape decl_shape(struct parser *p, enum pspace space)
{
    struct decl_shape s = { .vec = 1 };
    managed(p, space);
    for (;;) {
        if (parse_accept_dot(p, "align")) s.align = (int)parse_int(p);
        else if (parse_accept_dot(p, "v2")) s.vec = 2;
        else if (parse_accept_dot(p, "v4")) s.vec = 4;
        else break;
    }
    s.reference = parse_is_dot(p, "texref") || parse_is_dot(p, "surfref");
    if (s.reference) lex_next(p);
    s.type = s.reference ? T_B64 : parse_type(p);
    if (s.type == T_PRED) parse_fail(p, p->loc, "a variable can't have type .pred");
    if (parse_accept_dot(p, "ptr")) {           /* `.ptr .global .align 8`: a promise, not needed */
        if (p->tok == TK_DOT && p->name->mod && p->name->mod->cls == MC_SPACE) lex_next(p);
        if (parse_accept_dot(p, "align")) parse_int(p);
    }
    return s;
}

/* Values between the braces that begin here, lists among them. */
static uint64_t count_values(const struct parser *p)
{
    uint64_t n = 1;
    int depth = 1;
    for (const char *c = p->p; c < p->end && depth; c++) {
        if (c + 1 < p->end && *c == '/' && c[1] == '/')
            while (c + 1 < p->end && c[1] != '\n') c++;
        else if (c + 1 < p->end && *c == '/' && c[1] == '*')
            for (c += 2; c + 1 < p->end && !(*c == '*' && c[1] == '/'); c++) { }
        depth += *c == '{';
        depth -= *c == '}';
        n += *c == ',' && depth == 1;
    }
    return n;
}

/* name[16][2]; in name[][2], values say how many, and nelem is what each has. */
static struct sym *decl_named(struct parser *p, enum skind kind, enum pspace space,
                              const struct decl_shape *shape, struct sym **again)
{
    struct srcloc at = p->loc;
    struct atom *name = parse_name(p, "a name");
    if (again) *again = unit_variable(p, name);
    struct sym *s = scope_sym(p, name, kind, at);
    s->space = space;
    s->type = shape->type;
    s->reference = shape->reference;
    s->align = shape->align ? shape->align : type_size(s->type) * shape->vec;
    if (s->align <= 0 || s->align > 65536 || (s->align & (s->align - 1)))
        parse_fail(p, at, "the alignment of %s is no power of two", s->name);
    uint64_t n = (uint64_t)shape->vec;
    bool open = false;
    for (bool first = true; parse_accept(p, '['); first = false) {
        open |= first && parse_is(p, ']');
        uint64_t dim = open && first ? 1 : parse_is(p, ']') ? 0 : (uint64_t)parse_int(p);
        if (dim > MAX_SIZE || (n *= dim) * (uint64_t)type_size(s->type) > MAX_SIZE)
            parse_fail(p, at, "%s is larger than 4 GiB", s->name);
        parse_expect(p, ']');
    }
    s->nelem = n;
    s->size = open ? 0 : n * (uint64_t)type_size(s->type);
    return s;
}

struct sym *decl_variable(struct parser *p, enum pspace space, const struct decl_shape *shape,
                          bool external, bool visible, struct sym **again)
{
    struct srcloc at = p->loc;
    struct sym *s = decl_named(p, S_VAR, space, shape, again);
    s->external = external;
    s->visible = visible;
    if (parse_is(p, '=')) {
        lex_next(p);
        if (space != SP_GLOBAL && space != SP_CONST)
            parse_fail(p, at, "only .global and .const variables have initial values");
        if (!s->size && parse_is(p, '{')) {
            s->nelem *= count_values(p);
            s->size = s->nelem * (uint64_t)type_size(s->type);
        }
        if (s->size > MAX_INIT) parse_fail(p, at, "%s is too large for initial values", s->name);
        s->init = arena_alloc(p->arena, s->size + 1);
        init_values(p, s, 0, 0);
    }
    if (!s->size && !external) parse_fail(p, at, "%s has no size", s->name);
    return s;
}

static struct sym *param_named(struct parser *p, const struct decl_shape *shape, bool of_call,
                               struct srcloc at)
{
    struct sym *s = decl_named(p, S_PARAM, SP_PARAM, shape, NULL);
    s->call_param = of_call;
    s->in_reg = shape->in_reg ? 0 : -1;
    if (!s->size || s->size > 1 << 16) parse_fail(p, at, "the size of %s is out of range", s->name);
    return s;
}

static struct decl_shape param_shape(struct parser *p)
{
    struct srcloc at = p->loc;
    bool in_reg = parse_accept_dot(p, "reg");
    if (!in_reg && !parse_accept_dot(p, "param"))
        parse_fail(p, at, "expected .param before %s", parse_token_text(p));
    struct decl_shape shape = decl_shape(p, SP_PARAM);
    shape.in_reg = in_reg;
    return shape;
}

struct sym *decl_param(struct parser *p, bool of_call)
{
    struct srcloc at = p->loc;
    struct decl_shape shape = param_shape(p);
    return param_named(p, &shape, of_call, at);
}

void decl_call_params(struct parser *p)
{
    struct decl_shape shape = param_shape(p);
    do param_named(p, &shape, true, p->loc);
    while (parse_accept(p, ','));
    parse_expect(p, ';');
}

void parse_list_add(struct parser *p, struct sym ***list, int *n, struct sym *s)
{
    if ((*n & (*n - 1)) == 0)
        *list = arena_grow(p->arena, *list, (size_t)*n * sizeof **list,
                           (size_t)(*n ? 2 * *n : 1) * sizeof **list);
    (*list)[(*n)++] = s;
}

void decl_params(struct parser *p, bool of_call, struct sym ***list, int *n)
{
    parse_expect(p, '(');
    if (!parse_is(p, ')'))
        do parse_list_add(p, list, n, decl_param(p, of_call));
        while (parse_accept(p, ','));
    parse_expect(p, ')');
}

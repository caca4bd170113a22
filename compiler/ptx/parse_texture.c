/* Textures and surfaces: tex, tld4, txq, suld, sust, suq become calls of the library.
 * SPDX-License-Identifier: Apache-2.0
 *
 * `tex.2d.v4.f32.f32 {a,b,c,d}, [t, {x,y}];' is `call (r), __hd_tex, (t, x, y, 0, 0, how);' and
 * loads of the 16 bytes of r.  softlib/texture.cu has the routines, compiler/texture.h what t
 * points to. */
#include <string.h>
#include "compiler/ptx/expand.h"
#include "compiler/texture.h"

enum { TEX, TLD4, TXQ, SULD, SUST, SUQ };
enum { MAX_ARGS = 12, RESULT = 16 };
enum { BASE, LEVEL, GRAD };      /* which level of a mipmap, by how many operands */

struct fetch {
    struct parser *p;
    int kind, guard;
    bool neg;
    unsigned how;                /* dimensions and HD_TEX_LAYERED */
    unsigned range, component;   /* of a surface; of tld4 */
    int n;                       /* results, or values to store */
    enum ptype type, coordinate;
    struct opd object, at[4], value[4];
    int nat;
    int mip;
    struct opd level[2][4];      /* it, or how coordinates change to the right and downwards */
    int nlevel[2];
};

static const struct { const char *name; unsigned how; int coordinates; } geometries[] = {
    { "1d", HD_TEX_1D, 1 }, { "2d", HD_TEX_2D, 2 }, { "3d", HD_TEX_3D, 3 },
    { "a1d", HD_TEX_1D | HD_TEX_LAYERED, 1 }, { "a2d", HD_TEX_2D | HD_TEX_LAYERED, 2 },
    { "cube", HD_TEX_CUBE, 3 }, { "acube", HD_TEX_CUBE | HD_TEX_LAYERED, 3 } };
enum { GEOMETRIES = sizeof geometries / sizeof *geometries };

static int coordinates(const struct fetch *f)
{
    for (int k = 0; k < GEOMETRIES; k++)
        if (geometries[k].how == f->how) return geometries[k].coordinates;
    return 0;
}

static int index_of(const char *const *names, const char *name)
{
    for (int k = 0; names[k]; k++)
        if (!strcmp(names[k], name)) return k;
    return -1;
}

/* ---- what it says ---------------------------------------------------------------------------- */

/* One word after a dot; false: it is not known here. */
static bool modifier(struct fetch *f, const struct atom *a)
{
    static const char *const ranges[] = { "trap", "clamp", "zero", NULL };
    static const char *const rgba[] = { "r", "g", "b", "a", NULL };
    static const char *const mips[] = { "base", "level", "grad", NULL };
    int k;
    for (k = 0; k < GEOMETRIES; k++)
        if (!strcmp(geometries[k].name, a->name)) {
            f->how = geometries[k].how;
            return true;
        }
    if (f->kind == TLD4 && (k = index_of(rgba, a->name)) >= 0) {
        f->component = (unsigned)k;
        return true;
    }
    if ((k = index_of(ranges, a->name)) >= 0) {
        f->range = (unsigned)k;
        return f->kind == SULD || f->kind == SUST;
    }
    if (a->mod && a->mod->cls == MC_VEC) f->n = (int)a->mod->value;
    else if (a->mod && a->mod->cls == MC_TYPE
             && f->type == T_NONE) f->type = (enum ptype)a->mod->value;
    else if (a->mod && a->mod->cls == MC_TYPE) f->coordinate = (enum ptype)a->mod->value;
    else if (f->kind == TEX && (k = index_of(mips, a->name)) >= 0) f->mip = k;
    else return (a->mod && a->mod->cls == MC_CACHE) || !strcmp(a->name, "b");
    return true;
}

static void list(struct parser *p, struct opd *to, int most, int *n)
{
    struct opd o = { .reg = -1, .reg2 = -1 };
    struct srcloc at = p->loc;
    parse_operand(p, 'x', &o);
    if (o.kind == O_VEC ? o.nvec > most : most < 1)
        parse_fail(p, at, "more than %d elements", most);
    *n = o.kind == O_VEC ? o.nvec : 1;
    for (int k = 0; k < *n; k++) to[k] = o.kind == O_VEC ? o.vec[k] : o;
}

/* [t, {x, y}] or [t] */
static void place(struct fetch *f)
{
    struct parser *p = f->p;
    parse_expect(p, '[');
    struct srcloc at = p->loc;
    f->object = (struct opd){ .reg = -1, .reg2 = -1 };
    parse_operand(p, 'x', &f->object);
    bool reg = f->object.kind == O_REG && type_size(p->fn->regs[f->object.reg].type) == 8;
    if (!reg && f->object.kind != O_SYM)
        parse_fail(p, at, "expected a texture or surface here");
    if (f->kind != TXQ && f->kind != SUQ) {
        parse_expect(p, ',');
        list(p, f->at, 4, &f->nat);
    }
    parse_expect(p, ']');
}

/* ---- what becomes of it ---------------------------------------------------------------------- */

static struct sym *param(struct parser *p, enum ptype t, uint64_t size, bool of_call)
{
    struct sym *s = arena_alloc(p->arena, sizeof *s);
    *s = (struct sym){ .kind = S_PARAM, .name = "_", .space = SP_PARAM, .type = t, .size = size,
                       .align = type_size(t), .nelem = size / (uint64_t)type_size(t),
                       .call_param = of_call, .in_reg = -1 };
    return s;
}

/* The routine of that name; types: one letter for each argument, w: 32 bits, d: 64.  result: bytes.
 * */
struct sym *parse_routine(struct parser *p, const char *name, const char *types, int result)
{
    int known = p->m->nfns;
    struct fn *f = parse_function(p, lex_atom(p, name, (int)strlen(name)), p->ins_loc);
    if (p->m->nfns == known) return f->sym;
    f->external = true;
    for (; *types; types++) {
        enum ptype t = *types == 'd' ? T_B64 : T_B32;
        parse_list_add(p, &f->params, &f->nparams, param(p, t, (uint64_t)type_size(t), false));
    }
    if (result)
        parse_list_add(p, &f->rets, &f->nrets,
                       param(p, result == 4 ? T_B32 : T_B8, (uint64_t)result, false));
    return f->sym;
}

static void append(struct fetch *f, struct ins *i) { parse_ins_append(f->p, i, f->guard, f->neg); }

static struct opd number(uint64_t v)
{
    return (struct opd){ .kind = O_IMM, .reg = -1, .reg2 = -1, .imm = v };
}

/* The object that a reference holds. */
static void dereference(struct fetch *f)
{
    struct parser *p = f->p;
    if (f->object.kind != O_SYM) return;
    struct sym *s = f->object.sym;
    if (s->kind != S_VAR || s->space != SP_GLOBAL || s->size != 8)
        parse_fail(p, p->ins_loc, "%s is no texture or surface", s->name);
    struct ins *i = ins_new(p->m, P_LD);
    i->type = T_B64;
    i->space = SP_GLOBAL;
    i->vecn = 1;
    i->nops = 2;
    i->o[0] = (struct opd){ .kind = O_REG, .reg = reg_new(p->fn, T_B64), .reg2 = -1 };
    p->fn->regs[i->o[0].reg].name = "object";
    i->o[1] = f->object;
    i->o[1].kind = O_ADDR;
    append(f, i);
    f->object = i->o[0];
}

static void emit(struct fetch *f, struct sym *to, struct opd result, const struct opd *args, int n)
{
    struct parser *p = f->p;
    struct ins *i = ins_new(p->m, P_CALL);
    bool gives = result.kind != O_NONE;
    i->nops = 1;
    i->o[0] = (struct opd){ .kind = O_SYM, .reg = -1, .reg2 = -1, .sym = to };
    i->nrets = gives;
    i->nargs = n;
    i->args = arena_alloc(p->arena, (size_t)(n + 1) * sizeof *i->args);
    if (gives) i->args[0] = result;
    memcpy(i->args + gives, args, (size_t)n * sizeof *args);
    p->fn->has_calls = true;
    append(f, i);
}

/* Elements of the result into registers: a word each, those of eight bytes two. */
static void load(struct fetch *f, struct sym *from)
{
    struct parser *p = f->p;
    int size = type_size(f->type), step = size == 8 ? 8 : 4;
    for (int k = 0; k < f->n; k++) {
        const struct opd *d = &f->value[k];
        if (d->kind == O_NONE) continue;
        if (d->kind != O_REG || p->fn->regs[d->reg].type == T_PRED ||
            type_size(p->fn->regs[d->reg].type) < size)
            parse_fail(p, p->ins_loc, "results go to registers of their size");
        struct ins *i = ins_new(p->m, P_LD);
        i->type = size == 8 ? T_B64 : size == 4 ? T_B32 : size == 2 ? T_B16 : T_B8;
        i->space = SP_PARAM;
        i->vecn = 1;
        i->nops = 2;
        i->o[0] = *d;
        i->o[1] = (struct opd){ .kind = O_ADDR, .reg = -1, .reg2 = -1, .sym = from,
                                .imm = (uint64_t)(k * step) };
        append(f, i);
    }
}

static struct opd in_memory(struct fetch *f)
{
    return (struct opd){ .kind = O_SYM, .reg = -1, .reg2 = -1,
                         .sym = param(f->p, T_B8, RESULT, true) };
}

/* The same of a level, whose operands follow the place. */
static void mipmap(struct fetch *f, struct opd r, struct opd args[MAX_ARGS], int n)
{
    bool grad = f->mip == GRAD;
    int want = grad ? coordinates(f) : 1;
    if (f->nlevel[0] < want || (grad && f->nlevel[1] < want)) parse_ins_unsupported(f->p);
    for (int k = 0; k < (grad ? 6 : 1); k++)
        args[n++] = k % 3 < want ? f->level[k / 3][k % 3] : number(0);
    emit(f, grad ? parse_routine(f->p, "__hd_tex_grad", "dwwwwwwwwwww", RESULT)
                 : parse_routine(f->p, "__hd_tex_level", "dwwwwww", RESULT), r, args, n);
    load(f, r.sym);
}

static void fetch(struct fetch *f)
{
    struct parser *p = f->p;
    bool layered = f->how & HD_TEX_LAYERED, texels = f->kind == TEX && f->coordinate != T_F32;
    int want = coordinates(f) + layered, first = layered;
    if (!f->how || f->nat < want || (texels && (f->how & HD_TEX_DIMS) == HD_TEX_CUBE) ||
        (f->kind == TLD4 && (f->how & HD_TEX_DIMS) != HD_TEX_2D) || type_size(f->type) != 4 ||
        f->n != 4 || (f->coordinate != T_F32 && f->coordinate != T_S32))
        parse_ins_unsupported(p);
    struct opd args[MAX_ARGS] = { f->object }, r = in_memory(f);
    int n = 1, most = f->kind == TEX ? 3 : 2;
    for (int k = 0; k < most; k++)
        args[n++] = k < coordinates(f) ? f->at[first + k] : number(0);
    args[n++] = layered ? f->at[0] : number(0);
    args[n++] = number(f->how | (texels ? HD_TEX_TEXELS : 0) | f->component << HD_TEX_COMPONENT);
    if (f->mip != BASE && texels) parse_ins_unsupported(p);
    if (f->mip != BASE) {
        mipmap(f, r, args, n);
        return;
    }
    emit(f, parse_routine(p, f->kind == TEX ? "__hd_tex" : "__hd_tld4",
                    f->kind == TEX ? "dwwwww" : "dwwww", RESULT), r, args, n);
    load(f, r.sym);
}

/* Layers of a surface are its third dimension. */
static void surface(struct fetch *f)
{
    bool layered = f->how & HD_TEX_LAYERED, wide = type_size(f->type) == 8;
    int want = coordinates(f) + layered, first = layered, n = 1;
    if (!f->how || f->nat < want || (f->how & HD_TEX_DIMS) == HD_TEX_CUBE || (wide && f->n == 4))
        parse_ins_unsupported(f->p);
    struct opd args[MAX_ARGS] = { f->object };
    for (int k = 0; k < 3; k++)
        args[n++] = layered && k == 2 ? f->at[0] : k < coordinates(f) ? f->at[first + k]
            : number(0);
    args[n++] = number(f->range + (layered ? HD_SURF_LAYERED : 0) +
                       (unsigned)type_size(f->type) * HD_SURF_BYTES +
                       (unsigned)f->n * (HD_SURF_BYTES * HD_SURF_COUNT));
    if (f->kind == SULD) {
        struct opd r = in_memory(f);
        emit(f, parse_routine(f->p, "__hd_suld", "dwwww", RESULT), r, args, n);
        load(f, r.sym);
        return;
    }
    for (int k = 0; k < (wide ? 2 : 4); k++) args[n++] = k < f->n ? f->value[k] : number(0);
    emit(f, wide ? parse_routine(f->p, "__hd_sust64", "dwwwwdd", 0)
                 : parse_routine(f->p, "__hd_sust", "dwwwwwwww", 0), (struct opd){ 0 }, args, n);
}

static void query(struct fetch *f, int what)
{
    struct opd args[] = { f->object, number((uint64_t)what) };
    if (f->value[0].kind != O_REG || type_size(f->p->fn->regs[f->value[0].reg].type) != 4)
        parse_fail(f->p, f->p->ins_loc, "the result goes to a register of 32 bits");
    emit(f, parse_routine(f->p, "__hd_txq", "dw", 4), f->value[0], args, 2);
}

bool parse_texture(struct parser *p, int guard, bool guard_neg)
{
    static const char *const names[] = { "tex", "tld4", "txq", "suld", "sust", "suq", NULL };
    static const char *const asked[] = { "width", "height", "depth", "array_size",
                                         "normalized_coords", NULL };
    struct fetch f = { .p = p, .guard = guard, .neg = guard_neg, .n = 1 };
    int what = -1, n = 0;
    f.kind = p->tok == TK_NAME ? index_of(names, p->name->name) : -1;
    if (f.kind < 0) return false;
    bool query_only = f.kind == TXQ || f.kind == SUQ;
    for (lex_next(p); p->tok == TK_DOT; lex_next(p)) {
        if (query_only && what < 0) what = index_of(asked, p->name->name);
        else if (!modifier(&f, p->name)) parse_ins_unsupported(p);
    }
    if (f.type == T_NONE || (query_only && what < 0)) parse_ins_unsupported(p);
    if (f.kind == SUST) {
        place(&f);
        parse_expect(p, ',');
        list(p, f.value, 4, &n);
    } else {
        list(p, f.value, 4, &n);
        parse_expect(p, ',');
        place(&f);
    }
    if (n != f.n) parse_fail(p, p->ins_loc, "expected %d elements", f.n);
    for (int k = 0; k < f.mip && parse_accept(p, ','); k++)
        list(p, f.level[k], 4, &f.nlevel[k]);
    if (parse_is(p, ',')) parse_ins_unsupported(p);      /* an offset, or what to compare with */
    if (!parse_is(p, ';')) parse_fail(p, p->loc, "expected ';' before %s", parse_token_text(p));
    dereference(&f);
    if (query_only) query(&f, what);
    else if (f.kind == SULD || f.kind == SUST) surface(&f);
    else fetch(&f);
    lex_next(p);                         /* last: messages quote the line of the token */
    return true;
}

/* mov.u64 of a reference gives the object that it holds, not the variable's address: what a texture
 * instruction wants in a register, and what clang hands to functions. */
void parse_texture_mov(struct parser *p, struct ins *i)
{
    struct opd *from = &i->o[1];
    if (from->kind != O_SYM || from->sym->kind != S_VAR || !from->sym->reference) return;
    if (from->imm || type_size(i->type) != 8)
        parse_fail(p, p->ins_loc, "%s is one object of 64 bits", from->sym->name);
    i->op = P_LD;
    i->type = T_B64;
    i->space = SP_GLOBAL;
    i->vecn = 1;
    from->kind = O_ADDR;
}

/* Operands fit their instruction: kinds, types, sizes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The rules are PTX's: sizes are equal, floats and integers don't mix, untyped bits go with both;
 * only ld, st and cvt take registers wider than their type.  Later passes rely on it without
 * looking again. */
#include <string.h>
#include "compiler/ptx/parse_ins.h"

static enum ptype wide_type(enum ptype t)
{
    switch (t) {
    case T_U16: return T_U32;
    case T_S16: return T_S32;
    case T_U32: return T_U64;
    case T_S32: return T_S64;
    default: return t;
    }
}

static bool bits(enum ptype t) { return t == T_B8 || t == T_B16 || t == T_B32 || t == T_B64; }

/* A register of type `reg` where the instruction wants `want`. */
static bool register_fits(enum ptype reg, enum ptype want, bool wider)
{
    if ((reg == T_PRED) != (want == T_PRED)) return false;
    int have = type_size(reg), need = type_size(want);
    if (wider ? have < need : have != need) return false;
    return bits(reg) || bits(want) || type_float(reg) == type_float(want);
}

static void need_register(struct parser *p, const struct opd *o, enum ptype want, bool wider,
                          struct srcloc at)
{
    static const char *const name[] = { "none", "pred", "b8",  "u8",  "s8",  "b16",
                                        "u16",  "s16",  "f16", "b32", "u32", "s32",
                                        "f32",  "b64",  "u64", "s64", "f64",
                                        "bf16", "f16x2", "bf16x2", "tf32" };
    if (o->kind != O_REG) parse_fail(p, at, "expected a register of type .%s here", name[want]);
    enum ptype t = p->fn->regs[o->reg].type;
    if (!register_fits(t, want, wider))
        parse_fail(p, at, "%s is .%s, the instruction wants .%s", p->fn->regs[o->reg].name, name[t],
                   name[want]);
}

/* A constant becomes one of the instruction's type: a double literal serves an f32 instruction. */
static void need_source(struct parser *p, struct opd *o, enum ptype want, bool wider,
                        struct srcloc at)
{
    bool flt = o->kind == O_FIMM32 || o->kind == O_FIMM64;
    if (o->kind == O_REG) {
        need_register(p, o, want, wider, at);
    } else if (o->kind == O_IMM) {
        if (type_float(want)) parse_fail(p, at, "an integer constant in a float instruction");
    } else if (flt) {
        if (!type_float(want) && !bits(want))
            parse_fail(p, at, "a float constant in an integer instruction");
        if (o->kind == O_FIMM64 && want == T_F32) {
            double d;
            float f;
            memcpy(&d, &o->imm, 8);
            f = (float)d;
            o->imm = 0;
            memcpy(&o->imm, &f, 4);
            o->kind = O_FIMM32;
        } else if (o->kind == O_FIMM32 && want == T_F64) {
            float f;
            double d;
            memcpy(&f, &o->imm, 4);
            d = f;
            memcpy(&o->imm, &d, 8);
            o->kind = O_FIMM64;
        } else if (type_size(want) != (o->kind == O_FIMM32 ? 4 : 8)) {
            parse_fail(p, at, "this constant has another size");
        }
    } else {
        parse_fail(p, at, "expected a register or a constant here");
    }
}

static void check_vector(struct parser *p, const struct ins *i, struct opd *o, bool dest,
                         struct srcloc at)
{
    if (o->nvec != i->vecn) parse_fail(p, at, "expected %d elements", i->vecn);
    if (type_size(i->type) * i->vecn > 16) parse_fail(p, at, "a vector has at most 16 bytes");
    for (int k = 0; k < o->nvec; k++) {
        if (dest && o->vec[k].kind == O_NONE) continue;
        if (dest) need_register(p, &o->vec[k], i->type, true, at);
        else need_source(p, &o->vec[k], i->type, true, at);
    }
}

/* mov.b64 {a,b}, d and back: equal parts that fill the other side. */
static void check_pack(struct parser *p, const struct ins *i, struct opd *o, bool dest,
                       struct srcloc at)
{
    static const enum ptype part[] = { [1] = T_B8, [2] = T_B16, [4] = T_B32 };
    int size = type_size(i->type), each = o->nvec ? size / o->nvec : 0;
    if (!bits(i->type) || o->nvec == 3 || each < 1 || each == size || each * o->nvec != size)
        parse_fail(p, at, "these parts don't make up the whole");
    for (int k = 0; k < o->nvec; k++) {
        if (dest && o->vec[k].kind == O_NONE) continue;
        if (dest) need_register(p, &o->vec[k], part[each], false, at);
        else need_source(p, &o->vec[k], part[each], false, at);
    }
}

static void check_address(struct parser *p, struct ins *i, struct opd *o, struct srcloc at)
{
    if (o->sym) {
        struct sym *s = o->sym;
        if (i->space == SP_GENERIC && s->kind == S_VAR) i->space = s->space;
        if (i->space != s->space) parse_fail(p, at, "%s is in another state space", s->name);
        uint64_t size = (uint64_t)type_size(i->type) * (uint64_t)i->vecn;
        if (s->kind == S_PARAM && (size > s->size || o->imm > s->size - size))
            parse_fail(p, at, "this access is outside %s", s->name);
    } else if (o->reg >= 0) {
        enum ptype t = p->fn->regs[o->reg].type;
        if (type_float(t) || (type_size(t) != 8 && type_size(t) != 4))
            parse_fail(p, at, "%s can't hold an address", p->fn->regs[o->reg].name);
        if (type_size(t) == 4 && (i->space == SP_GLOBAL || i->space == SP_GENERIC))
            parse_fail(p, at, "a global address has 64 bits");
    }
    if (i->space == SP_PARAM && i->op != P_LD && i->op != P_ST)
        parse_fail(p, at, "parameters can't be used so");
    if (i->op == P_ST && (i->space == SP_CONST || (i->space == SP_PARAM && !o->sym)))
        parse_fail(p, at, "this state space can't be written");
    if ((i->op == P_ATOM || i->op == P_RED) && (i->space == SP_LOCAL || i->space == SP_CONST))
        parse_fail(p, at, "atomics work on global and shared memory");
}

static bool sreg_wide(int sreg) { return sreg == SREG_CLOCK64 || sreg == SREG_GLOBALTIMER; }

/* Special registers had 16 bits before PTX 2, and cvt reads them, too: the lower half of a word.
 * cvta takes variables. */
static void by_register(struct parser *p, struct opd *o, enum ptype type)
{
    struct ins *mov = ins_new(p->m, P_MOV);
    mov->type = type;
    mov->nops = 2;
    mov->o[0] = (struct opd){ .kind = O_REG, .reg = reg_new(p->fn, type), .reg2 = -1 };
    p->fn->regs[mov->o[0].reg].name = o->kind == O_SYM ? o->sym->name : "special";
    mov->o[1] = *o;
    parse_ins_append(p, mov, -1, false);
    *o = mov->o[0];
}

static void check_mov_source(struct parser *p, struct ins *i, struct opd *o, struct srcloc at)
{
    int size = type_size(i->type);
    if (i->vecn > 1) {
        if (o->kind != O_VEC || o->nvec != i->vecn)
            parse_fail(p, at, "expected %d elements", i->vecn);
        return;
    }
    switch (o->kind) {
    case O_SREG:
        if (!type_float(i->type) && size == 2 && !sreg_wide(o->sreg)) {
            by_register(p, o, T_B32);
            i->op = P_CVT, i->type = T_U16, i->stype = T_U32;
        } else if (type_float(i->type) || size != (sreg_wide(o->sreg) ? 8 : 4)) {
            if (o->sreg == SREG_GRIDID && size == 8) break;
            parse_fail(p, at, "this special register has another size");
        }
        break;
    case O_SYM:
        if (type_float(i->type) || size < 4) parse_fail(p, at, "an address does not fit here");
        break;
    case O_VEC:
        check_pack(p, i, o, false, at);
        break;
    default:
        need_source(p, o, i->type, false, at);
    }
}

static void check_dest(struct parser *p, struct ins *i, char letter, struct opd *o,
                       struct srcloc at)
{
    bool vec = o->kind == O_VEC;
    switch (letter) {
    case 'd':
        if (o->kind != O_NONE || i->op != P_ATOM) need_register(p, o, i->type, false, at);
        break;
    case 'D': need_register(p, o, i->wide ? wide_type(i->type) : i->type, false, at); break;
    case 'U': need_register(p, o, T_B32, false, at); break;
    case 'v': need_register(p, o, i->type, false, at); break;
    case 'q': need_register(p, o, T_PRED, false, at); break;
    case 'Q': if (o->kind != O_NONE || o->reg2 < 0) need_register(p, o, T_PRED, false, at); break;
    case 'P':
        need_register(p, o, i->op == P_MATCH ? T_B32 : i->type, false, at);
        if (o->reg2 >= 0 && i->op == P_MATCH && i->sub == PM_ANY)
            parse_fail(p, at, "match.any has one result");
        break;
    case 'X':
        if (i->vecn > 1) {
            if (!vec || o->nvec != i->vecn) parse_fail(p, at, "expected %d elements", i->vecn);
        } else if (vec)
            check_pack(p, i, o, true, at);
        else
            need_register(p, o, i->type, false, at);
        break;
    case 'G':
        if (vec) check_vector(p, i, o, true, at);
        else if (i->vecn > 1) parse_fail(p, at, "expected %d registers in braces", i->vecn);
        else need_register(p, o, i->type, true, at);
        break;
    default: need_register(p, o, i->type, true, at); break;         /* L: cvt */
    }
}

void check_operand(struct parser *p, const struct opinfo *op, struct ins *i, char letter,
                   struct opd *o, struct srcloc at)
{
    (void)op;
    if (strchr("dDUvqQPXGL", letter)) {
        check_dest(p, i, letter, o, at);
        return;
    }
    switch (letter) {
    case 'a':
        if (i->op == P_CVTA && o->kind == O_SYM) {
            if (i->space != o->sym->space)
                parse_fail(p, at, "%s is in another state space", o->sym->name);
            by_register(p, o, i->type);
        }
        need_source(p, o, i->type ? i->type : T_B32, false, at);
        break;
    case 'e': need_source(p, o, i->stype, false, at); break;
    case 'c':
        if (o->kind == O_SREG && !type_float(i->stype) && !sreg_wide(o->sreg))
            by_register(p, o, T_B32);
        need_source(p, o, i->stype, true, at);
        break;
    case 'w': need_source(p, o, i->wide ? wide_type(i->type) : i->type, false, at); break;
    case 'u': need_source(p, o, T_B32, false, at); break;
    case 'p': if (o->kind != O_IMM) need_register(p, o, T_PRED, false, at); break;
    case 'i': if (o->kind != O_IMM) parse_fail(p, at, "expected a constant here"); break;
    case 'A':
        need_register(p, o,
                      o->kind == O_REG && type_size(p->fn->regs[o->reg].type) == 4 ? T_B32 : T_B64,
                      false, at);
        break;
    case 'S':
        if (o->kind == O_VEC) check_vector(p, i, o, false, at);
        else if (i->vecn > 1) parse_fail(p, at, "expected %d values in braces", i->vecn);
        else need_source(p, o, i->type, true, at);
        break;
    case 'x': check_mov_source(p, i, o, at); break;
    case 'm': check_address(p, i, o, at); break;
    default: break;
    }
}

static uint64_t opd_size(const struct parser *p, const struct opd *o)
{
    if (o->kind == O_SYM && o->sym->kind == S_PARAM) return o->sym->size;
    if (o->kind == O_REG) return (uint64_t)type_size(p->fn->regs[o->reg].type);
    return 0;                                               /* a constant fits anything */
}

void check_call(struct parser *p, struct ins *i, struct srcloc at)
{
    struct sym **rets = NULL, **params = NULL;
    int nrets = -1, nparams = -1;
    if (i->o[0].kind == O_SYM) {
        const struct fn *f = i->o[0].sym->fn;
        if (f->entry) parse_fail(p, at, "%s is a kernel", f->name);
        rets = f->rets, nrets = f->nrets, params = f->params, nparams = f->nparams;
    } else {
        enum ptype t = p->fn->regs[i->o[0].reg].type;
        if (type_size(t) != 8 || type_float(t))
            parse_fail(p, at, "a function's address has 64 bits");
        if (i->proto && i->proto->kind == S_PROTO) {
            rets = i->proto->list, nrets = i->proto->nrets;
            params = rets + nrets, nparams = i->proto->nlist - nrets;
        } else if (i->proto && i->proto->nlist) {
            const struct fn *f = i->proto->list[0]->fn;
            rets = f->rets, nrets = f->nrets, params = f->params, nparams = f->nparams;
        } else {
            parse_fail(p, at, "an indirect call needs a prototype");
        }
    }
    if (i->nrets != nrets || i->nargs != nparams)
        parse_fail(p, at, "this call has %d results and %d arguments, the function %d and %d",
                   i->nrets, i->nargs, nrets, nparams);
    for (int k = 0; k < nrets; k++)           /* `_': the result is not wanted */
        if (i->args[k].kind == O_NONE && rets[k]->size == (uint64_t)type_size(rets[k]->type)) {
            i->args[k] = (struct opd){ .kind = O_REG, .reg = reg_new(p->fn, rets[k]->type),
                                       .reg2 = -1 };
            p->fn->regs[i->args[k].reg].name = "_";
        }
    for (int k = 0; k < nrets + nparams; k++) {
        uint64_t size = opd_size(p, &i->args[k]),
                 want = k < nrets ? rets[k]->size : params[k - nrets]->size;
        if (k < nrets ? size != want : size && size != want)
            parse_fail(p, at, "argument %d has %d bytes, the function wants %d", k + 1, (int)size,
                       (int)want);
        enum okind kind = i->args[k].kind;
        if (kind == O_NONE || kind == O_SREG || (kind == O_SYM && i->args[k].sym->kind != S_PARAM))
            parse_fail(p, at, "argument %d is no parameter, register or constant", k + 1);
    }
}

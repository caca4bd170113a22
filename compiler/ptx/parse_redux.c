/* redux.sync: a reduction over lanes, by shuffles.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Over all lanes, when the mask says so as a constant, in five steps; else every lane's value in
 * turn counts if the mask names it. */
#include <string.h>
#include "compiler/ptx/parse_ins.h"

enum { LANES = 32, STEPS = 5 };

struct redux { struct parser *p; int guard; bool neg; enum pop op; enum ptype type; };

static struct opd reg(struct redux *r, enum ptype t)
{
    struct opd o = { .kind = O_REG, .reg = reg_new(r->p->fn, t), .reg2 = -1 };
    r->p->fn->regs[o.reg].name = "redux";
    return o;
}

static struct opd number(uint32_t v)
{
    return (struct opd){ .kind = O_IMM, .reg = -1, .reg2 = -1, .imm = v };
}

/* o[0] = op(o[1], o[2] ...) of this type. */
static struct ins *make(struct redux *r, enum pop op, enum ptype t, int n, const struct opd *o)
{
    struct ins *i = ins_new(r->p->m, op);
    i->type = t;
    i->vecn = 1;
    i->nops = n;
    memcpy(i->o, o, (size_t)n * sizeof *o);
    parse_ins_append(r->p, i, r->guard, r->neg);
    return i;
}

static struct opd shuffle(struct redux *r, struct opd v, unsigned lane, int how, struct opd mask)
{
    struct opd d = reg(r, T_B32);
    struct opd all[] = { d, v, number(lane), number(LANES - 1), mask };
    struct ins *i = make(r, P_SHFL, T_B32, 5, all);
    i->sub = how;
    i->sync = true;
    return d;
}

static struct opd combine(struct redux *r, struct opd a, struct opd b)
{
    struct opd d = reg(r, T_B32);
    make(r, r->op, r->type, 3, (struct opd[]){ d, a, b });
    return d;
}

/* What changes no result. */
static uint32_t identity(const struct redux *r)
{
    bool sign = r->type == T_S32;
    switch (r->op) {
    case P_MIN: return sign ? 0x7fffffff : 0xffffffff;
    case P_MAX: return sign ? 0x80000000 : 0;
    case P_AND: return 0xffffffff;
    default: return 0;
    }
}

static struct opd reduce(struct redux *r, struct opd v, struct opd mask)
{
    if (mask.kind == O_IMM && (uint32_t)mask.imm == 0xffffffff) {
        for (int k = 0; k < STEPS; k++) v = combine(r, v, shuffle(r, v, 1u << k, PS_BFLY, mask));
        return v;
    }
    struct opd sum = number(identity(r));
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct opd other = shuffle(r, v, lane, PS_IDX, mask), bit = reg(r, T_B32),
                   named = reg(r, T_PRED), counts = reg(r, T_B32);
        make(r, P_AND, T_B32, 3, (struct opd[]){ bit, mask, number(1u << lane) });
        make(r, P_SETP, T_U32, 3, (struct opd[]){ named, bit, number(0) })->cmp = CMP_NE;
        make(r, P_SELP, T_B32, 4, (struct opd[]){ counts, other, number(identity(r)), named });
        sum = combine(r, counts, sum);
    }
    return sum;
}

static struct opd operand(struct parser *p, bool constant)
{
    struct opd o = { .reg = -1, .reg2 = -1 };
    struct srcloc at = p->loc;
    parse_ins_operand(p, 'x', &o);
    bool fits = o.kind == O_REG && type_size(p->fn->regs[o.reg].type) == 4 &&
                !type_float(p->fn->regs[o.reg].type);
    if (!fits && !(constant && o.kind == O_IMM))
        parse_fail(p, at, "redux.sync has integers of 32 bits");
    return o;
}

bool parse_redux(struct parser *p, int guard, bool guard_neg)
{
    static const struct { const char *name; enum pop op; bool bits; } ops[] = {
        { "add", P_ADD, false }, { "min", P_MIN, false }, { "max", P_MAX, false },
        { "and", P_AND, true }, { "or", P_OR, true }, { "xor", P_XOR, true } };
    struct redux r = { .p = p, .guard = guard, .neg = guard_neg, .op = P_NOP };
    bool bits = false, sync = false;
    if (p->tok != TK_NAME || strcmp(p->name->name, "redux")) return false;
    for (lex_next(p); p->tok == TK_DOT; lex_next(p)) {
        const struct modinfo *m = p->name->mod;
        bool known = !strcmp(p->name->name, "sync");
        sync |= known;
        for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
            if (!strcmp(p->name->name, ops[k].name)) {
                r.op = ops[k].op, bits = ops[k].bits;
                known = true;
            }
        if (m && m->cls == MC_TYPE) r.type = (enum ptype)m->value, known = true;
        if (!known) parse_ins_unsupported(p);
    }
    bool fits = bits ? r.type == T_B32 : r.type == T_U32 || r.type == T_S32;
    if (!sync || r.op == P_NOP || !fits) parse_ins_unsupported(p);
    struct opd d = operand(p, false);
    parse_expect(p, ',');
    struct opd v = operand(p, true);
    parse_expect(p, ',');
    struct opd mask = operand(p, true);
    if (!parse_is(p, ';')) parse_fail(p, p->loc, "expected ';' before %s", parse_token_text(p));
    if (v.kind == O_IMM) {
        struct opd in = reg(&r, T_B32);
        make(&r, P_MOV, T_B32, 2, (struct opd[]){ in, v });
        v = in;
    }
    make(&r, P_MOV, T_B32, 2, (struct opd[]){ d, reduce(&r, v, mask) });
    lex_next(p);
    return true;
}

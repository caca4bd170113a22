/* The PTX parser: one instruction: calls, the operands that its row of the table asks for, and what
 * must hold of all of them (parse_mods.c: name and modifiers; parse_operand.c: one operand).
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "compiler/ptx/parse_ins.h"

_Noreturn void parse_ins_unsupported(struct parser *p)
{
    const char *s = p->line_at + p->ins_loc.col - 1; /* modifiers stand on the instruction's line */
    int n = 0;
    if (p->line != p->ins_loc.line) s = p->p;
    while (s + n < p->end && s[n] > ' ' && s[n] != ';' && n < 80) n++;
    parse_fail(p, p->ins_loc, "%.*s is not supported yet", n, s);
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
            if (p->tok == TK_NAME) parse_operand_named(p, &list[n]);
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
    parse_operand(p, 'a', &policy);
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
        if (*l == 'm') parse_operand_address(p, o);
        else if (*l == 't' || *l == 'T') parse_operand_label(p, o, *l);
        else parse_operand(p, *l, o);
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

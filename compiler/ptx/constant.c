/* Constant expressions: C's operators on integers of 64 bits; a float has a sign at most.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "compiler/ptx/parse.h"

/* u: unsigned, as a literal with U or above the greatest signed number is. */
struct konst { uint64_t v; bool u; enum okind kind; struct srcloc at; };

static struct konst choice(struct parser *p);

static uint64_t need_int(struct parser *p, const struct konst *k)
{
    if (k->kind != O_IMM) parse_fail(p, k->at, "this operator is for integers");
    return k->v;
}

/* (.s64) x, (.u64) x, (x) */
static struct konst bracket(struct parser *p, struct konst (*unary)(struct parser *))
{
    bool u = parse_is_dot(p, "u64");
    if (u || parse_is_dot(p, "s64")) {
        lex_next(p);
        parse_expect(p, ')');
        struct konst k = unary(p);
        need_int(p, &k);
        k.u = u;
        return k;
    }
    struct konst k = choice(p);
    parse_expect(p, ')');
    return k;
}

static struct konst unary(struct parser *p)
{
    struct srcloc at = p->loc;
    if (parse_accept(p, '(')) return bracket(p, unary);
    if (parse_accept(p, '+')) return unary(p);
    if (parse_accept(p, '-')) {
        struct konst k = unary(p);
        k.v = k.kind == O_IMM ? 0 - k.v : k.v ^ 1ull << (k.kind == O_FIMM32 ? 31 : 63);
        return k;
    }
    if (parse_is(p, '!') || parse_is(p, '~')) {
        bool flip = parse_accept(p, '~');
        if (!flip) lex_next(p);
        struct konst k = unary(p);
        uint64_t v = need_int(p, &k);
        return (struct konst){ flip ? ~v : !v, flip && k.u, O_IMM, at };
    }
    struct konst k = { p->num, p->num_unsigned, O_IMM, at };
    if (p->tok == TK_F32) k.kind = O_FIMM32;
    else if (p->tok == TK_F64) k.kind = O_FIMM64;
    else if (p->tok == TK_NAME && !strcmp(p->name->name, "WARP_SZ")) k.v = 32, k.u = false;
    else if (p->tok != TK_INT)
        parse_fail(p, at, "expected a number before %s", parse_token_text(p));
    lex_next(p);
    return k;
}

enum { MUL, DIV, MOD, ADD, SUB, SHL, SHR, LT, GT, LE, GE, EQ, NE, AND, XOR, OR, LAND, LOR, NO_OP };
static const struct { char text[3]; unsigned char strength; } operators[] = {
    [MUL] = { "*", 10 }, [DIV] = { "/", 10 }, [MOD] = { "%", 10 }, [ADD] = { "+", 9 },
    [SUB] = { "-", 9 },  [SHL] = { "<<", 8 }, [SHR] = { ">>", 8 }, [LT] = { "<", 7 },
    [GT] = { ">", 7 },   [LE] = { "<=", 7 },  [GE] = { ">=", 7 },  [EQ] = { "==", 6 },
    [NE] = { "!=", 6 },  [AND] = { "&", 5 },  [XOR] = { "^", 4 },  [OR] = { "|", 3 },
    [LAND] = { "&&", 2 }, [LOR] = { "||", 1 } };

/* The operator at the token, with the character after it. */
static int operator_here(const struct parser *p)
{
    char c = p->tok == TK_PUNCT ? p->punct : 0, next = p->p < p->end ? *p->p : 0;
    if (p->tok == TK_NAME && !strcmp(p->name->name, "%")) c = '%', next = 0;
    int found = NO_OP;
    for (int k = 0; c && k < NO_OP; k++)
        if (operators[k].text[0] == c &&
            (operators[k].text[1] == next || (!operators[k].text[1] && found == NO_OP)))
            found = k;
    return found;
}

static uint64_t divide(struct parser *p, const struct konst *b, uint64_t a, bool u, bool rest)
{
    uint64_t d = b->v;
    if (!d) parse_fail(p, b->at, "division by zero");
    if (u) return rest ? a % d : a / d;
    if (d == UINT64_MAX) return rest ? 0 : 0 - a;
    return (uint64_t)(rest ? (int64_t)a % (int64_t)d : (int64_t)a / (int64_t)d);
}

static struct konst apply(struct parser *p, int op, struct konst l, struct konst r)
{
    uint64_t a = need_int(p, &l), b = need_int(p, &r);
    bool u = l.u || r.u, less = u ? a < b : (int64_t)a < (int64_t)b;
    struct konst k = { 0, u, O_IMM, l.at };
    switch (op) {
    case MUL: k.v = a * b; break;
    case DIV: case MOD: k.v = divide(p, &r, a, u, op == MOD); break;
    case ADD: k.v = a + b; break;
    case SUB: k.v = a - b; break;
    case SHL: k.v = b < 64 ? a << b : 0, k.u = l.u; break;
    case SHR:
        k.u = l.u;
        if (l.u) k.v = b < 64 ? a >> b : 0;
        else k.v = (uint64_t)((int64_t)a >> (b < 64 ? b : 63));
        break;
    case AND: k.v = a & b; break;
    case XOR: k.v = a ^ b; break;
    case OR: k.v = a | b; break;
    default:
        k.u = false;
        k.v = op == LT ? less : op == GE ? !less : op == EQ ? a == b : op == NE ? a != b
            : op == LE ? less || a == b : op == GT ? !less && a != b
            : op == LAND ? a && b : a || b;
    }
    return k;
}

static struct konst binary(struct parser *p, int least)
{
    struct konst k = unary(p);
    for (int op; (op = operator_here(p)) != NO_OP && operators[op].strength >= least;) {
        lex_next(p);
        if (operators[op].text[1]) lex_next(p);
        k = apply(p, op, k, binary(p, operators[op].strength + 1));
    }
    return k;
}

static struct konst choice(struct parser *p)
{
    struct konst k = binary(p, 1);
    if (!parse_accept(p, '?')) return k;
    uint64_t which = need_int(p, &k);
    struct konst yes = choice(p);
    parse_expect(p, ':');
    struct konst no = choice(p);
    return which ? yes : no;
}

void parse_number(struct parser *p, struct opd *o)
{
    struct konst k = choice(p);
    o->kind = k.kind;
    o->imm = k.v;
}

int64_t parse_int(struct parser *p)
{
    struct konst k = choice(p);
    return (int64_t)need_int(p, &k);
}

/* Parses one instruction, driven by its row's operands and modifiers.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/image/asm_insn.h"
#include <ctype.h>
#include <string.h>

/* The row with the longest mnemonic that begins `text` and ends at a dot or at its end. */
static int find_row(const char *text)
{
    int best = -1;
    size_t longest = 0;
    for (int op = 0; op < OP_COUNT; op++) {
        size_t n = strlen(hd_ops[op].mnemonic);
        if (n > longest && !strncmp(text, hd_ops[op].mnemonic, n) && (!text[n] || text[n] == '.'))
            best = op, longest = n;
    }
    return best;
}

/* Sets the modifier of which `value` is a value; false if there is none or it is set already. */
static bool set_mod(struct hd_insn *in, const char *value, size_t n, unsigned *done)
{
    const struct hd_op_info *o = &hd_ops[in->op];
    for (int i = 0; i < o->nmods; i++) {
        const struct hd_mod_info *m = &hd_mods[o->mod[i]];
        for (int v = 0; v < m->count && !(*done >> i & 1); v++)
            if (strlen(m->value[v]) == n && !memcmp(m->value[v], value, n)) {
                ((uint8_t *)in)[m->offset] = (uint8_t)v;
                *done |= 1u << i;
                return true;
            }
    }
    return false;
}

/* A modifier may be left out when one of its values prints nothing; AND is understood for
 * compares. */
static bool default_mods(struct lex *l, const char *at, struct hd_insn *in, unsigned done)
{
    const struct hd_op_info *o = &hd_ops[in->op];
    for (int i = 0; i < o->nmods; i++) {
        const struct hd_mod_info *m = &hd_mods[o->mod[i]];
        int v = 0;
        while (v < m->count && *m->value[v])
            v++;
        if (v == m->count && (o->mod[i] == MOD_BOP || o->mod[i] == MOD_FBOP))
            v = 0;
        if (done >> i & 1)
            continue;
        if (v == m->count)
            return lex_fail(l, at, "%s needs one of .%s .%s ... (%s)", o->mnemonic, m->value[0],
                            m->value[1], m->name);
        ((uint8_t *)in)[m->offset] = (uint8_t)v;
    }
    return true;
}

static bool mnemonic(struct lex *l, struct hd_insn *in)
{
    char text[64];
    const char *at = lex_skip(l);
    if (!lex_name(l, text, sizeof text))
        return false;
    int row = find_row(text);
    if (row < 0)
        return lex_fail(l, at, "there is no instruction %s", text);
    struct hd_insn fresh = hd_insn_make((enum hd_op)row);
    fresh.pg = in->pg, fresh.pn = in->pn;
    *in = fresh;
    unsigned done = 0;
    for (size_t i = strlen(hd_ops[row].mnemonic); text[i]; ) {
        size_t n = strcspn(text + i + 1, ".");
        if (n == 1 && text[i + 1] == 'S' && !in->pop)
            in->pop = 1;
        else if (!n || !set_mod(in, text + i + 1, n, &done))
            return lex_fail(l, at + i, "%s has no modifier .%.*s here", hd_ops[row].mnemonic,
                            (int)n, text + i + 1);
        i += n + 1;
    }
    return default_mods(l, at, in, done);
}

static bool predicate(struct lex *l, uint8_t *p, uint8_t *neg)
{
    if (neg)
        *neg = lex_accept(l, '!');
    return lex_register(l, 'P', 7, 'T', HD_PT, p);
}

bool asm_reference(struct lex *l, struct asm_ref *ref)
{
    lex_accept(l, '&');
    ref->at = lex_skip(l);
    ref->add = 0;
    if (!lex_name(l, ref->name, sizeof ref->name))
        return false;
    lex_skip(l);
    if (*l->p != '+' && *l->p != '-')
        return true;
    if (*l->p == '+')
        l->p++;
    return lex_number(l, INT32_MIN, UINT32_MAX, &ref->add);
}

/* A second source that is no register.  wide: it will be sign-extended. */
static bool immediate(struct lex *l, bool wide, struct hd_insn *in, struct asm_ref *ref)
{
    const char *at = lex_skip(l);
    int64_t v;
    in->bi = 1, in->rb = 0;
    if (wide) {
        if (!lex_number(l, INT32_MIN, INT32_MAX, &v))
            return false;
        in->imm = (uint32_t)v;
        return true;
    }
    if (isdigit((unsigned char)*at) || (*at == '-' && isdigit((unsigned char)at[1])))
        return lex_immediate(l, &in->imm);
    return asm_reference(l, ref);
}

/* c[offset] */
static bool constant(struct lex *l, struct hd_insn *in)
{
    int64_t v;
    l->p += 2;
    if (!lex_number(l, 0, OPERAND_BYTES - 1, &v))
        return false;
    in->bi = in->cb = 1, in->rb = 0, in->imm = (uint32_t)v;
    return lex_expect(l, ']');
}

/* Sources a, b, c with their signs: -x |x| -|x| -(x). */
static bool source(struct lex *l, char kind, struct hd_insn *in, struct asm_ref *ref)
{
    static const char signs[3][2][3] = { { "na", "aa" }, { "nb", "ab" }, { "nc", "" } };
    int which = strchr("aA", kind) ? 0 : strchr("cCV", kind) ? 2 : 1;
    uint8_t *reg[3] = { &in->ra, &in->rb, &in->rc }, *neg[3] = { &in->na, &in->nb, &in->nc };
    const char *mods = hd_ops[in->op].mods, *at = lex_skip(l);
    if (*at == '-' && !isdigit((unsigned char)at[1])) {
        if (!strstr(mods, signs[which][0]))
            return lex_fail(l, at, "this source cannot be negated");
        *neg[which] = 1;
        l->p++;
    }
    at = lex_skip(l);
    bool group = *neg[which] && lex_accept(l, '('), bars = !group && lex_accept(l, '|');
    if (bars) {
        if (which == 2 || !strstr(mods, signs[which][1]))
            return lex_fail(l, at, "this source has no absolute value");
        *(which ? &in->ab : &in->aa) = 1;
    }
    bool imm = (kind == 'b' || kind == 'B') && !lex_at_register(l);
    bool got = !imm ? lex_register(l, 'R', 255, 'Z', HD_RZ, reg[which])
             : l->p[0] == 'c' && l->p[1] == '[' ? constant(l, in)
                                                : immediate(l, kind == 'B', in, ref);
    return got && (!bars || lex_expect(l, '|')) && (!group || lex_expect(l, ')'));
}

/* [Ra+off] */
static bool address(struct lex *l, struct hd_insn *in)
{
    int64_t off = 0;
    if (!lex_expect(l, '[') || !lex_register(l, 'R', 255, 'Z', HD_RZ, &in->ra))
        return false;
    if (lex_accept(l, '+') || *l->p == '-')
        if (!lex_number(l, -(1 << 23), (1 << 23) - 1, &off))
            return false;
    in->off = (int32_t)off;
    return lex_expect(l, ']');
}

static bool special(struct lex *l, struct hd_insn *in)
{
    char text[32];
    const char *at = lex_skip(l);
    if (!lex_name(l, text, sizeof text))
        return false;
    for (uint32_t i = 0; i < SREG_COUNT; i++)
        if (!strcmp(text, hd_sreg_names[i])) {
            in->imm = i;
            return true;
        }
    return lex_fail(l, at, "there is no special register %s", text);
}

static bool operand(struct lex *l, char kind, struct hd_insn *in, struct asm_ref *ref)
{
    int64_t v;
    switch (kind) {
    case 'd': case 'D': case 'Q': return lex_register(l, 'R', 255, 'Z', HD_RZ, &in->rd);
    case 'p': return predicate(l, &in->pd, NULL);
    case 't': return predicate(l, &in->pq, NULL);
    case 's': return predicate(l, &in->ps, &in->sn);
    case 'm': case 'n': return address(l, in);
    case 'z': return special(l, in);
    case 'x':
        if (*lex_skip(l) == 'B')
            return lex_register(l, 'B', 16, 0, 0, &in->bx);
        if (!lex_number(l, 0, 15, &v))
            return false;
        in->bx = (uint8_t)v;
        return true;
    case 'l':
        if (!lex_number(l, 0, 255, &v))
            return false;
        in->lut = (uint8_t)v;
        return true;
    case '@':
        ref->target = true;
        return isdigit((unsigned char)*lex_skip(l)) ? lex_immediate(l, &in->imm)
                                                    : asm_reference(l, ref);
    default: return source(l, kind, in, ref);
    }
}

bool asm_insn(struct lex *l, bool stack_mode, struct hd_insn *in, struct asm_ref *ref)
{
    const char *at = lex_skip(l);
    *in = (struct hd_insn){ .pg = HD_PT };
    ref->name[0] = 0, ref->target = false;
    if (lex_accept(l, '@') && !predicate(l, &in->pg, &in->pn))
        return false;
    if (!mnemonic(l, in))
        return false;
    const char *ops = hd_ops[in->op].operands;
    for (const char *s = ops; *s; s++) {
        if (*s == ',')
            continue;
        if (*s == 'V' && in->aop != AOP_CAS && *lex_skip(l) != ',')
            continue;               /* RZ may be left out where it must be RZ */
        if ((s > ops && !lex_expect(l, ',')) || !operand(l, *s, in, ref))
            return false;
    }
    lex_accept(l, ';');
    if (!lex_end(l))
        return lex_fail(l, l->p, "%s ends before this", hd_ops[in->op].mnemonic);
    const char *why = hd_insn_fault(in, stack_mode);
    return !why || lex_fail(l, at, "%s: %s", hd_ops[in->op].mnemonic, why);
}
